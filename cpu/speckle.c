/* The removal of speckles: connected regions of similar values that are too small.
 *
 * A run is a maximal sequence of pixels of one row in which neighbours are similar, or have no value. Regions are
 * disjoint sets of runs (union-find, Tarjan), each represented by its first run, and a run by its first pixel. Each
 * thread unites the runs of a band of rows; then the bands are united with one another. Most pixels continue the run of
 * their left neighbour, as the pixels above them do, so eight of them are skipped at a time. */
#include "cpu/cpu.h"

#include <math.h>
#include <string.h>

enum {
    MIN_BAND = 32, /* rows; in smaller bands, too many pixels have neighbours in other bands */
    CONTINUES = 1, /* mark: the pixel belongs to the run of the one to the left of it */
    CONNECTS = 2,  /* mark: its run and that of the pixel above it are to be united */
    WORD = 8       /* pixels whose marks are read at once */
};

typedef struct regions {
    const cpu_job *job;
    size_t pitch;    /* of the marks: the width rounded up to whole words */
    uint8_t *marks;  /* height x pitch; CONTINUES after the end of a row */
    int32_t *parent; /* height x width: at the first pixel of a run, that of an earlier run of the region, or itself */
    int32_t *size;   /* height x width: pixels of the region, at the first pixel of its first run */
} regions;

/* A word with a byte for each of WORD pixels: `mark` if the pixel has it, else 0. */
static inline uint64_t having(const uint8_t *marks, uint64_t mark) {
    uint64_t word;
    memcpy(&word, marks, sizeof word);
    return word & mark * UINT64_C(0x0101010101010101);
}
static inline bool all_continue(const uint8_t *marks) {
    return having(marks, CONTINUES) == UINT64_C(0x0101010101010101);
}

/* True if two neighbours belong to one region; false if either has no value, because their difference is then infinite
 * or no number. */
static inline int joined(float a, float b, float range) { return fabsf(a - b) <= range; }

/* True if two neighbours of a row belong to one run; so do those without a value. */
static inline int in_one_run(float a, float b, float range) { return joined(a, b, range) | (a == b); }

/* Marks the pixels of row `y`. If the pixels to the left of two joined ones are joined too, and both rows continue from
 * there, the runs are united already. */
CPU_INLINE void mark_row(const regions *p, int y) {
    const int width = p->job->width;
    const float range = p->job->params->speckle_range, *row = sv_row(p->job->disparity, y);
    uint8_t *restrict marks = p->marks + (size_t)y * p->pitch;
    for (size_t x = (size_t)width; x < p->pitch; x++) marks[x] = CONTINUES;
    if (y == 0) {
        marks[0] = 0;
        for (int x = 1; x < width; x++) marks[x] = (uint8_t)(in_one_run(row[x - 1], row[x], range) * CONTINUES);
        return;
    }
    const float *above = sv_row(p->job->disparity, y - 1);
    marks[0] = (uint8_t)(joined(above[0], row[0], range) * CONNECTS);
    for (int x = 1; x < width; x++) {
        const int continues = in_one_run(row[x - 1], row[x], range), now = joined(above[x], row[x], range);
        const int united = joined(above[x - 1], row[x - 1], range) & joined(above[x - 1], above[x], range) & continues;
        marks[x] = (uint8_t)(continues * CONTINUES + (now & (united ^ 1)) * CONNECTS);
    }
}

CPU_FOR_AVX2(mark_row, (const regions *p, int y), (p, y));

/* The column after the run that begins at column `x` of row `y`. */
static int end_of_run(const regions *p, int x, int y) {
    const uint8_t *marks = p->marks + (size_t)y * p->pitch;
    const int width = p->job->width;
    for (x++; x + WORD <= width && all_continue(marks + x);) x += WORD;
    while (x < width && marks[x] & CONTINUES) x++;
    return x;
}

/* The first pixel of the region of the run that begins with pixel `i`. */
static int32_t first_of(const int32_t *parent, int32_t i) {
    while (parent[i] != i) i = parent[i];
    return i;
}

/* Unites the regions of two runs and adds up their sizes. */
static void unite(const regions *p, int32_t a, int32_t b) {
    const int32_t from[2] = {a, b};
    a = first_of(p->parent, a);
    b = first_of(p->parent, b);
    /* Path compression. */
    p->parent[from[0]] = a;
    p->parent[from[1]] = b;
    if (a == b) return;
    const int32_t first = a < b ? a : b, second = a < b ? b : a;
    p->parent[second] = first;
    p->size[first] += p->size[second];
}

/* Unites row `y` with the one above it. */
static void unite_rows(const regions *p, int y) {
    const int width = p->job->width;
    const uint8_t *marks = p->marks + (size_t)y * p->pitch, *above = marks - p->pitch;
    int32_t run = y * width, run_above = run - width;
    for (int x = 0; x < width; x += WORD) {
        if (all_continue(marks + x) && all_continue(above + x) && !having(marks + x, CONNECTS)) continue;
        for (int i = x; i < x + WORD && i < width; i++) {
            if (!(marks[i] & CONTINUES)) run = y * width + i;
            if (!(above[i] & CONTINUES)) run_above = (y - 1) * width + i;
            if (marks[i] & CONNECTS) unite(p, run, run_above);
        }
    }
}

static void unite_band(const regions *p, int begin, int end, mark_row_function *mark) {
    const int width = p->job->width;
    for (int y = begin; y < end; y++) {
        mark(p, y);
        for (int x = 0, next; x < width; x = next) {
            next = end_of_run(p, x, y);
            p->parent[y * width + x] = y * width + x;
            p->size[y * width + x] = next - x;
        }
        if (y > begin) unite_rows(p, y);
    }
    /* Full path compression: the parents of earlier runs are already first runs. */
    for (int y = begin; y < end; y++)
        for (int x = 0; x < width; x = end_of_run(p, x, y)) {
            int32_t *parent = &p->parent[y * width + x];
            *parent = p->parent[*parent];
        }
}

static void remove_from_row(const regions *p, int y) {
    const int width = p->job->width;
    float *disparity = sv_row(p->job->disparity, y);
    uint8_t *reason = sv_row(p->job->reason, y);
    for (int x = 0, next; x < width; x = next) {
        next = end_of_run(p, x, y);
        if (isinf(disparity[x]) || p->size[first_of(p->parent, y * width + x)] > p->job->params->speckle_size) continue;
        for (int i = x; i < next; i++) {
            disparity[i] = INFINITY;
            reason[i] = SV_SPECKLE;
        }
    }
}

sv_status cpu_remove_speckles(const cpu_job *job, sv_error *error) {
    const size_t width = (size_t)job->width, height = (size_t)job->height;
    regions p = {.job = job, .pitch = (width + WORD - 1) / WORD * WORD};
    p.parent = cpu_reserve(job->scratch, 2 * sizeof *p.parent * width * height + p.pitch * height, error);
    if (!p.parent) return SV_FAILED;
    p.size = p.parent + width * height;
    p.marks = (uint8_t *)(p.size + width * height);

    mark_row_function *const mark = mark_row_of_sets[job->set];
    const int most = (job->height + MIN_BAND - 1) / MIN_BAND, bands = job->threads < most ? job->threads : most;
#pragma omp parallel for num_threads(job->threads)
    for (int band = 0; band < bands; band++)
        unite_band(&p, (int)((int64_t)job->height * band / bands), (int)((int64_t)job->height * (band + 1) / bands),
                   mark);
    for (int band = 1; band < bands; band++) unite_rows(&p, (int)((int64_t)job->height * band / bands));
#pragma omp parallel for num_threads(job->threads)
    for (int y = 0; y < job->height; y++) remove_from_row(&p, y);
    return SV_OK;
}
