/* The removal of speckles: connected regions of similar values that are too small.
 *
 * Regions are disjoint sets of pixels (union-find, Tarjan), each represented by its first pixel. Each thread unites the
 * pixels of a band of rows; then the bands are united with one another. */
#include "cpu/cpu.h"

#include <math.h>

enum { MIN_BAND = 32 }; /* rows; in smaller bands, too many pixels have neighbours in other bands */

typedef struct regions {
    const cpu_job *job;
    int32_t *parent; /* height x width: an earlier pixel of its region, or itself if it is the first */
    int32_t *size;   /* height x width: number of pixels of the region, at its first pixel */
} regions;

/* The first pixel of the region of pixel `i`. */
static int32_t first_of(const int32_t *parent, int32_t i) {
    while (parent[i] != i) i = parent[i];
    return i;
}

/* Unites the regions of two pixels and adds up their sizes. */
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

/* True if two neighbours belong to one region; false if either has no value. */
static inline bool joined(const regions *p, float a, float b) { return fabsf(a - b) <= p->job->params->speckle_range; }

/* Unites row `y` with the one above it. */
static void unite_rows(const regions *p, int y) {
    const int width = p->job->width;
    const float *row = sv_row(p->job->disparity, y), *above = sv_row(p->job->disparity, y - 1);
    const int32_t start = y * width;
    bool before = false;
    for (int x = 0; x < width; x++) {
        const bool now = joined(p, row[x], above[x]);
        /* If the pixels to the left were united and both rows continue from there, these are united already. */
        if (now && !(before && joined(p, row[x - 1], row[x]) && joined(p, above[x - 1], above[x])))
            unite(p, start + x, start + x - width);
        before = now;
    }
}

static void unite_band(const regions *p, int y, int end) {
    const int width = p->job->width;
    for (int row = y; row < end; row++) {
        const float *disparity = sv_row(p->job->disparity, row);
        int32_t first = row * width;
        for (int x = 0; x < width; x++) {
            const int32_t i = row * width + x;
            if (x == 0 || !joined(p, disparity[x - 1], disparity[x])) first = i;
            p->parent[i] = first;
            p->size[i] = 0;
            p->size[first]++;
        }
        if (row > y) unite_rows(p, row);
    }
    /* Full path compression: the parents of earlier pixels are already first pixels. */
    for (int32_t i = y * width; i < end * width; i++) p->parent[i] = p->parent[p->parent[i]];
}

static void remove_row(const regions *p, int y) {
    const int width = p->job->width;
    float *disparity = sv_row(p->job->disparity, y);
    uint8_t *reason = sv_row(p->job->reason, y);
    for (int x = 0; x < width; x++) {
        if (isinf(disparity[x]) || p->size[first_of(p->parent, y * width + x)] > p->job->params->speckle_size) continue;
        disparity[x] = INFINITY;
        reason[x] = SV_SPECKLE;
    }
}

sv_status cpu_remove_speckles(const cpu_job *job, sv_error *error) {
    const size_t pixels = (size_t)job->width * (size_t)job->height;
    regions p = {.job = job};
    p.parent = cpu_reserve(job->scratch, 2 * sizeof *p.parent * pixels, error);
    if (!p.parent) return SV_FAILED;
    p.size = p.parent + pixels;

    const int most = (job->height + MIN_BAND - 1) / MIN_BAND, bands = job->threads < most ? job->threads : most;
#pragma omp parallel for num_threads(job->threads)
    for (int band = 0; band < bands; band++)
        unite_band(&p, (int)((int64_t)job->height * band / bands), (int)((int64_t)job->height * (band + 1) / bands));
    for (int band = 1; band < bands; band++) unite_rows(&p, (int)((int64_t)job->height * band / bands));
#pragma omp parallel for num_threads(job->threads)
    for (int y = 0; y < job->height; y++) remove_row(&p, y);
    return SV_OK;
}
