/* Generalised Fourier descriptors with dynamic programming: M. Hallek, F. Smach, M. Atri, "Real-time stereo matching on
 * CUDA using Fourier descriptors and dynamic programming", Computational Visual Media, 2019. Equation numbers are the
 * paper's.
 *
 * Every pixel of both pictures is described by the energies in the rings of its window's spectrum (Eq. 1), for each
 * channel and for the gradient magnitude (Eq. 6 to 8). The cost of a match is the distance of two descriptors (Eq. 4,
 * 5); costs are averaged over a box (Eq. 9); the cheapest path through the candidates of a row is found by dynamic
 * programming and traced back (Eq. 12).
 *
 * It differs from the paper in three points. The distances are truncated (fourier.h). Before the rows are searched,
 * costs are aggregated along the columns and the rows, because rows that are searched independently give streaks: each
 * cost is increased by the costs of the cheapest paths to it from above, below, left and right, each less that of the
 * cheapest path to the pixel before. And a change of disparity by more than one candidate has a fixed cost, which is
 * smaller at edges of the picture; Eq. 12 allows disparities to rise by only one per pixel, and charges lambda for each
 * step of a fall.
 *
 * The transforms are direct sums of cosines and sines, down the columns and then along the rows: a window of 3 x 3
 * pixels has five terms, too few for a fast transform to pay off.
 *
 * Memory: two volumes of height x width x candidates of 2 bytes, for one map at a time, and the descriptors. */
#include "cpu/cpu.h"
#include "stereo/fourier.h"

#include <omp.h>
#include <string.h>

enum {
    BANDS_PER_THREAD = 2, /* a band begins with 2 aggregate rows of overhead */
    COLUMNS = 32,         /* aggregated together */
    FAR = 0x7fff,         /* above the cost of any path; twice as much still fits in 16 bits */
    /* The predecessor of a candidate on its path, in the order in which ties are decided. */
    FROM_SAME = 0,
    FROM_BELOW,
    FROM_ABOVE,
    FROM_BEST /* the cheapest candidate of the pixel before */
};

typedef struct plan {
    const cpu_job *job;
    int width, height, rho, rings, components;
    int min_disparity, count, aggregate, by_one;
    float alpha;
    sv_waves waves;
    uint8_t *pixels[2];      /* left, right: height x width x 4, as SV_COLOUR8 */
    float *planes;           /* SV_PLANES x height x width, of one picture */
    int16_t *descriptors[2]; /* height x components x width; a component is plane x rings + ring */
    uint16_t *costs, *sums;  /* height x width x count: averaged costs; the same after aggregation along paths */
    char *workspaces;        /* threads x workspace_size */
    size_t workspace_size;
} plan;

/* A thread's memory. The three stages use the same block, one after the other. */
typedef struct describing {
    float *cosines, *sines;   /* rings x (width + 2 rho): sums down the columns */
    float *cc, *cs, *sc, *ss; /* width */
    float *energies;          /* rings x width */
} describing;

typedef struct averaging {
    int16_t *other; /* components x (width - 1 + count); ordered so that candidates k, k + 1 are neighbours */
    int32_t *colour, *gradient; /* count */
    uint16_t *costs;            /* width x count, of one row */
    uint16_t *rows;             /* (2 aggregate + 1) x width x count: sums along the rows in the box */
    int32_t *totals;            /* width x count: sums over the box */
} averaging;

typedef struct searching {
    uint16_t *smooth[2]; /* COLUMNS x (count + 2): path costs of two successive pixels */
    uint16_t *least;     /* COLUMNS: the smallest path cost of each */
    int32_t *path[2];    /* count + 2 */
    uint8_t *from;       /* width x count */
    int16_t *best;       /* width: cheapest candidate */
} searching;

static size_t lay_out_describing(describing *w, void *base, const plan *p) {
    const size_t rings = (size_t)p->rings, width = (size_t)p->width, padded = (size_t)(p->width + 2 * p->rho);
    size_t used = 0;
    w->cosines = cpu_carve(base, &used, sizeof(float) * rings * padded);
    w->sines = cpu_carve(base, &used, sizeof(float) * rings * padded);
    w->cc = cpu_carve(base, &used, sizeof(float) * width);
    w->cs = cpu_carve(base, &used, sizeof(float) * width);
    w->sc = cpu_carve(base, &used, sizeof(float) * width);
    w->ss = cpu_carve(base, &used, sizeof(float) * width);
    w->energies = cpu_carve(base, &used, sizeof(float) * rings * width);
    return used;
}

static size_t lay_out_averaging(averaging *w, void *base, const plan *p) {
    const size_t count = (size_t)p->count, volume = (size_t)p->width * count;
    size_t used = 0;
    w->other = cpu_carve(base, &used, sizeof(int16_t) * (size_t)p->components * ((size_t)p->width - 1 + count));
    w->colour = cpu_carve(base, &used, sizeof(int32_t) * count);
    w->gradient = cpu_carve(base, &used, sizeof(int32_t) * count);
    w->costs = cpu_carve(base, &used, sizeof(uint16_t) * volume);
    w->rows = cpu_carve(base, &used, sizeof(uint16_t) * volume * (size_t)(2 * p->aggregate + 1));
    w->totals = cpu_carve(base, &used, sizeof(int32_t) * volume);
    return used;
}

static size_t lay_out_searching(searching *w, void *base, const plan *p) {
    const size_t count = (size_t)p->count, width = (size_t)p->width;
    size_t used = 0;
    for (int i = 0; i < 2; i++) {
        w->smooth[i] = cpu_carve(base, &used, sizeof(uint16_t) * COLUMNS * (count + 2));
        w->path[i] = cpu_carve(base, &used, sizeof(int32_t) * (count + 2));
    }
    w->least = cpu_carve(base, &used, sizeof(uint16_t) * COLUMNS);
    w->from = cpu_carve(base, &used, width * count);
    w->best = cpu_carve(base, &used, sizeof(int16_t) * width);
    return used;
}

static size_t lay_out(plan *p, void *base, int threads) {
    const size_t pixels = (size_t)p->width * (size_t)p->height;
    size_t used = 0;
    for (int side = 0; side < 2; side++) {
        p->pixels[side] = cpu_carve(base, &used, 4 * pixels);
        p->descriptors[side] = cpu_carve(base, &used, sizeof(int16_t) * pixels * (size_t)p->components);
    }
    p->planes = cpu_carve(base, &used, sizeof(float) * pixels * SV_PLANES);
    p->costs = cpu_carve(base, &used, sizeof(uint16_t) * pixels * (size_t)p->count);
    p->sums = cpu_carve(base, &used, sizeof(uint16_t) * pixels * (size_t)p->count);
    p->workspaces = cpu_carve(base, &used, p->workspace_size * (size_t)threads);
    return used;
}

/* The index of candidate 0 of the pixel (x, y) in a volume. */
static inline size_t cell(const plan *p, int x, int y) {
    return ((size_t)y * (size_t)p->width + (size_t)x) * (size_t)p->count;
}

/* ---- Descriptors ------------------------------------------------------------------------------ */

/* Fills in row `y` of `pixels` and `planes`. Without colour, grey stands for all three channels. */
static void read_row(const plan *p, int side, int y) {
    const int width = p->width, height = p->height;
    const sv_image *picture = side ? p->job->right : p->job->left;
    const sv_image *colour = side ? p->job->right_colour : p->job->left_colour;
    const uint8_t *grey = sv_row(picture, y);
    const uint8_t *above = sv_row(picture, sv_clamp(y - 1, height)), *below = sv_row(picture, sv_clamp(y + 1, height));
    const size_t row = (size_t)y * (size_t)width, plane = (size_t)width * (size_t)height;
    uint8_t *pixels = p->pixels[side] + 4 * row;
    if (colour->data) memcpy(pixels, sv_row(colour, y), 4 * (size_t)width);
    for (int x = 0; x < width; x++) {
        float *values = p->planes + row + x;
        if (!colour->data) memset(pixels + 4 * x, grey[x], 4);
        for (int c = 0; c < 3; c++) values[(size_t)c * plane] = pixels[4 * x + c];
        values[3 * plane] = sv_gradient(grey[sv_clamp(x - 1, width)], grey[sv_clamp(x + 1, width)], above[x], below[x]);
    }
}

/* Fills in the padding of `row`, `rho` values on each side, with its end values. */
static void extend(float *row, int width, int rho) {
    for (int i = 0; i < rho; i++) {
        row[i] = row[rho];
        row[rho + width + i] = row[rho + width - 1];
    }
}

/* Adds the values of two rows at the same distance before and after the centre to the sums of a cosine and a sine. */
CPU_INLINE void add_wave(float *restrict cosines, float *restrict sines, const float *restrict after,
                         const float *restrict before, float cosine, float sine, int width) {
    for (int x = 0; x < width; x++) {
        cosines[x] += (after[x] + before[x]) * cosine;
        sines[x] += (after[x] - before[x]) * sine;
    }
}

CPU_INLINE void add_energies(float *restrict energies, const describing *w, float weight, int width) {
    const float *restrict cc = w->cc, *restrict cs = w->cs, *restrict sc = w->sc, *restrict ss = w->ss;
    for (int x = 0; x < width; x++)
        energies[x] += weight * ((cc[x] * cc[x] + cs[x] * cs[x]) + (sc[x] * sc[x] + ss[x] * ss[x]));
}

/* Computes the descriptors of row `y` in one plane. Sums run from the centre of the window outwards, so that both
 * backends add in the same order. */
CPU_INLINE void describe_row(const plan *p, const describing *w, int side, int plane, int y) {
    const int width = p->width, height = p->height, rho = p->rho, n = 2 * rho + 1, padded = width + 2 * rho;
    const size_t line = sizeof(float) * (size_t)width;
    const float *values = p->planes + (size_t)plane * (size_t)width * (size_t)height;
    for (int v = 0; v < p->rings; v++) {
        float *cosines = w->cosines + (size_t)v * (size_t)padded + rho;
        float *sines = w->sines + (size_t)v * (size_t)padded + rho;
        memcpy(cosines, values + (size_t)y * (size_t)width, line);
        memset(sines, 0, line);
        for (int j = 1; j <= rho; j++)
            add_wave(cosines, sines, values + (size_t)sv_clamp(y + j, height) * (size_t)width,
                     values + (size_t)sv_clamp(y - j, height) * (size_t)width, p->waves.cosine[v * j % n],
                     p->waves.sine[v * j % n], width);
        extend(cosines - rho, width, rho);
        extend(sines - rho, width, rho);
    }

    memset(w->energies, 0, line * (size_t)p->rings);
    for (int v = 0; v < p->rings; v++) {
        const float *cosines = w->cosines + (size_t)v * (size_t)padded + rho;
        const float *sines = w->sines + (size_t)v * (size_t)padded + rho;
        for (int u = 0; u < p->rings && sv_ring(u, v) <= rho; u++) {
            memcpy(w->cc, cosines, line);
            memcpy(w->sc, sines, line);
            memset(w->cs, 0, line);
            memset(w->ss, 0, line);
            for (int i = 1; i <= rho; i++) {
                const float cosine = p->waves.cosine[u * i % n], sine = p->waves.sine[u * i % n];
                add_wave(w->cc, w->cs, cosines + i, cosines - i, cosine, sine, width);
                add_wave(w->sc, w->ss, sines + i, sines - i, cosine, sine, width);
            }
            add_energies(w->energies + (size_t)sv_ring(u, v) * (size_t)width, w, sv_ring_weight(u, v), width);
        }
    }
    int16_t *restrict out =
        p->descriptors[side] + ((size_t)y * (size_t)p->components + (size_t)(plane * p->rings)) * (size_t)width;
    for (int i = 0; i < p->rings * width; i++) out[i] = sv_component(w->energies[i], n);
}

CPU_FOR_AVX512(describe_row, (const plan *p, const describing *w, int side, int plane, int y), (p, w, side, plane, y));

/* ---- Costs ------------------------------------------------------------------------------------ */

/* Computes the costs of row `y` of the map of `side`. */
CPU_INLINE void cost_row(const plan *p, const averaging *w, int side, int y) {
    const int width = p->width, count = p->count, positions = width - 1 + count, colours = 3 * p->rings;
    const size_t row = (size_t)y * (size_t)p->components * (size_t)width;
    const int16_t *reference = p->descriptors[side] + row, *other = p->descriptors[!side] + row;
    /* In the left map, a larger k means a match further to the left. */
    const int start = side ? p->min_disparity : width - 1 - p->min_disparity;
    for (int c = 0; c < p->components; c++)
        for (int i = 0; i < positions; i++)
            w->other[(size_t)c * (size_t)positions + (size_t)i] =
                other[(size_t)c * (size_t)width + (size_t)sv_clamp(side ? start + i : start - i, width)];

    const uint16_t untried = (uint16_t)sv_untried_cost(p->alpha);
    const float alpha = p->alpha;
    int32_t *restrict colour = w->colour, *restrict gradient = w->gradient;
    for (int x = 0; x < width; x++) {
        memset(colour, 0, sizeof *colour * (size_t)count);
        memset(gradient, 0, sizeof *gradient * (size_t)count);
        for (int c = 0; c < p->components; c++) {
            const int16_t *values = w->other + (size_t)c * (size_t)positions + (side ? x : width - 1 - x);
            const int16_t value = reference[(size_t)c * (size_t)width + (size_t)x];
            int32_t *restrict squares = c < colours ? colour : gradient;
            for (int k = 0; k < count; k++) {
                const int32_t difference = value - values[k];
                squares[k] += difference * difference;
            }
        }
        uint16_t *restrict costs = w->costs + (size_t)x * (size_t)count;
        for (int k = 0; k < count; k++) costs[k] = (uint16_t)sv_descriptor_cost(colour[k], gradient[k], alpha);
        const int first = sv_first_candidate(x, width, p->min_disparity, 1, side);
        const int last = sv_last_candidate(x, width, p->min_disparity, 1, count, side);
        for (int k = 0; k < first && k < count; k++) costs[k] = untried;
        for (int k = last < 0 ? 0 : last + 1; k < count; k++) costs[k] = untried;
    }
}

/* Replaces `sums` by the sums along a row of costs over 2 aggregate + 1 columns, and adds the change to `totals`. */
CPU_INLINE void renew_row(const plan *p, const averaging *w, uint16_t *sums) {
    const int width = p->width, count = p->count, radius = p->aggregate;
    int32_t *restrict run = w->colour;
    memset(run, 0, sizeof *run * (size_t)count);
    for (int x = -radius; x < width + radius; x++) {
        const uint16_t *enters = w->costs + (size_t)sv_clamp(x, width) * (size_t)count;
        for (int k = 0; k < count; k++) run[k] += enters[k];
        const int centre = x - radius;
        if (centre < 0) continue;
        uint16_t *restrict sum = sums + (size_t)centre * (size_t)count;
        int32_t *restrict totals = w->totals + (size_t)centre * (size_t)count;
        const uint16_t *leaves = w->costs + (size_t)sv_clamp(centre - radius, width) * (size_t)count;
        for (int k = 0; k < count; k++) {
            totals[k] += run[k] - sum[k];
            sum[k] = (uint16_t)run[k];
            run[k] -= leaves[k];
        }
    }
}

/* Fills in the averaged costs of rows `y`..`end` - 1. */
CPU_INLINE void average_band(const plan *p, const averaging *w, int side, int y, int end) {
    const int box = 2 * p->aggregate + 1;
    const float portion = 1.0f / (float)(box * box);
    const size_t row = (size_t)p->width * (size_t)p->count;
    memset(w->totals, 0, sizeof *w->totals * row);
    memset(w->rows, 0, sizeof *w->rows * row * (size_t)box);
    for (int enters = y - p->aggregate, i = 0; enters < end + p->aggregate && !cpu_gives_up(p->job); enters++, i++) {
        cost_row(p, w, side, sv_clamp(enters, p->height));
        renew_row(p, w, w->rows + (size_t)(i % box) * row);
        const int centre = enters - p->aggregate;
        if (centre < y) continue;
        uint16_t *restrict costs = p->costs + cell(p, 0, centre);
        for (size_t j = 0; j < row; j++) costs[j] = (uint16_t)sv_mean_cost(w->totals[j], portion);
    }
}

CPU_FOR_AVX512(average_band, (const plan *p, const averaging *w, int side, int y, int end), (p, w, side, y, end));

/* ---- Aggregation along paths, and the path of a row -------------------------------------------- */

/* Advances the aggregation by one pixel: from the path costs of the pixel before, whose smallest is `least`, to those
 * of this one, whose smallest is returned. Both arrays have a candidate of cost FAR on either side. The path cost
 * without the candidate's own cost is added to its sum, which starts as its own cost if `begins`. Path costs are
 * relative to the smallest one of the pixel before, so that they stay small. */
CPU_INLINE uint16_t smooth_pixel(const uint16_t *restrict before, uint16_t *restrict after,
                                 const uint16_t *restrict costs, uint16_t *restrict sums, bool begins, int count,
                                 int by_one, uint16_t least, uint16_t jump) {
    uint16_t next = FAR;
    for (int k = 0; k < count; k++) {
        const uint16_t below = (uint16_t)(before[k - 1] + by_one), above = (uint16_t)(before[k + 1] + by_one);
        uint16_t path = before[k] < jump ? before[k] : jump;
        path = below < path ? below : path;
        path = above < path ? above : path;
        path = (uint16_t)(path - least);
        sums[k] = (uint16_t)((begins ? costs[k] : sums[k]) + path);
        path = (uint16_t)(path + costs[k]);
        after[k] = path;
        next = path < next ? path : next;
    }
    return next;
}

/* Aggregates down or up through `columns` columns from `x` on. It proceeds row by row, because the candidates of a row
 * are contiguous in memory and those of a column are not. Paths begin with zeros. */
CPU_INLINE void smooth_columns(const plan *p, const searching *w, int side, int x, int columns, bool down) {
    const int width = p->width, height = p->height, count = p->count;
    const size_t pitch = (size_t)count + 2;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < columns; j++) {
            uint16_t *before = w->smooth[i] + (size_t)j * pitch;
            memset(before, 0, sizeof *before * pitch);
            before[0] = before[count + 1] = FAR;
        }
    memset(w->least, 0, sizeof *w->least * (size_t)columns);
    for (int i = 0; i < height; i++) {
        const int y = down ? i : height - 1 - i, last = i == 0 ? y : down ? y - 1 : y + 1;
        const uint8_t *pixels = p->pixels[side] + 4 * ((size_t)y * (size_t)width + (size_t)x);
        const uint8_t *others = p->pixels[side] + 4 * ((size_t)last * (size_t)width + (size_t)x);
        for (int j = 0; j < columns; j++) {
            const int jump = w->least[j] + sv_jump_cost(p->by_one, sv_edge(pixels + 4 * j, others + 4 * j));
            const size_t of = (size_t)j * pitch + 1, at = cell(p, x + j, y);
            w->least[j] = smooth_pixel(w->smooth[i % 2] + of, w->smooth[(i + 1) % 2] + of, p->costs + at, p->sums + at,
                                       down, count, p->by_one, w->least[j], (uint16_t)jump);
        }
    }
}

CPU_FOR_AVX512(smooth_columns, (const plan *p, const searching *w, int side, int x, int columns, bool down),
               (p, w, side, x, columns, down));

/* Aggregates along row `y`, to the right or to the left. */
CPU_INLINE void smooth_row(const plan *p, const searching *w, int side, int y, bool right) {
    const int width = p->width, count = p->count;
    const uint8_t *pixels = p->pixels[side] + 4 * (size_t)y * (size_t)width;
    for (int i = 0; i < 2; i++) {
        memset(w->smooth[i], 0, sizeof *w->smooth[i] * ((size_t)count + 2));
        w->smooth[i][0] = w->smooth[i][count + 1] = FAR;
    }
    uint16_t least = 0;
    for (int i = 0; i < width; i++) {
        const int x = right ? i : width - 1 - i, last = i == 0 ? x : right ? x - 1 : x + 1;
        const int jump = least + sv_jump_cost(p->by_one, sv_edge(pixels + 4 * x, pixels + 4 * last));
        least = smooth_pixel(w->smooth[i % 2] + 1, w->smooth[(i + 1) % 2] + 1, p->costs + cell(p, x, y),
                             p->sums + cell(p, x, y), false, count, p->by_one, least, (uint16_t)jump);
    }
}

CPU_FOR_AVX512(smooth_row, (const plan *p, const searching *w, int side, int y, bool right), (p, w, side, y, right));

/* Decides a pixel of the left map from its costs and the `winner` that its path goes through: returns its reason, and
 * writes its disparity. */
static int decide(const plan *p, int winner, const uint16_t *costs, int first, int last, float *disparity) {
    const sv_params *params = p->job->params;
    const uint32_t best = costs[winner];
    const bool refined =
        params->subpixel && winner > first && winner < last && best <= costs[winner - 1] && best <= costs[winner + 1];
    uint32_t second = SV_NO_COST;
    for (int k = first; params->uniqueness && k <= last; k++)
        if ((k < winner - 1 || k > winner + 1) && costs[k] < second) second = costs[k];
    return sv_decide_cost(winner, refined ? costs[winner - 1] : SV_NO_COST, best,
                          refined ? costs[winner + 1] : SV_NO_COST, SV_NO_COST,
                          sv_ambiguous_costs(best, second, params->uniqueness), p->min_disparity, 1, disparity);
}

/* Finds the cheapest path through row `y` of `sums`, from left to right, and traces it back. If predecessors tie, the
 * first in the order of FROM_* is taken; if ends tie, the smaller disparity. */
CPU_INLINE void search_row(const plan *p, const searching *w, int side, int y) {
    const int width = p->width, count = p->count, by_one = p->by_one;
    const uint8_t *pixels = p->pixels[side] + 4 * (size_t)y * (size_t)width;
    int32_t least = 0;
    for (int i = 0; i < 2; i++) w->path[i][0] = w->path[i][count + 1] = INT32_MAX / 2;
    for (int x = 0; x < width; x++) {
        const uint16_t *restrict costs = p->sums + cell(p, x, y);
        const int32_t *restrict before = w->path[x % 2] + 1;
        int32_t *restrict after = w->path[(x + 1) % 2] + 1, next = INT32_MAX;
        uint8_t *restrict from = w->from + (size_t)x * (size_t)count;
        if (x == 0) {
            for (int k = 0; k < count; k++) after[k] = costs[k];
        } else {
            const int32_t jump = least + sv_jump_cost(by_one, sv_edge(pixels + 4 * x, pixels + 4 * (x - 1)));
            for (int k = 0; k < count; k++) {
                int32_t path = before[k], source = FROM_SAME;
                const int32_t below = before[k - 1] + by_one, above = before[k + 1] + by_one;
                source = below < path ? FROM_BELOW : source;
                path = below < path ? below : path;
                source = above < path ? FROM_ABOVE : source;
                path = above < path ? above : path;
                source = jump < path ? FROM_BEST : source;
                path = jump < path ? jump : path;
                after[k] = path - least + costs[k];
                from[k] = (uint8_t)source;
            }
        }
        for (int k = 0; k < count; k++) next = after[k] < next ? after[k] : next;
        int best = 0;
        while (after[best] != next) best++;
        w->best[x] = (int16_t)best;
        least = next;
    }

    int16_t *winners = p->job->winner[side] + (size_t)y * (size_t)width;
    float *disparity = sv_row(p->job->disparity, y);
    uint8_t *reason = sv_row(p->job->reason, y);
    for (int x = width - 1, k = w->best[x]; x >= 0; x--) {
        const int first = sv_first_candidate(x, width, p->min_disparity, 1, side);
        const int last = sv_last_candidate(x, width, p->min_disparity, 1, count, side);
        const bool tried = k >= first && k <= last;
        winners[x] = (int16_t)(tried ? k : -1);
        const uint16_t *costs = p->sums + cell(p, x, y);
        if (!side && p->job->cost[0]) p->job->cost[0][(size_t)y * (size_t)width + (size_t)x] = costs[k];
        for (int j = first; !side && j <= last && cpu_probes(p->job, x, y); j++) cpu_keep(p->job, j, costs[j], true);
        if (!side && tried) {
            reason[x] = (uint8_t)decide(p, k, costs, first, last, &disparity[x]);
        } else if (!side) {
            disparity[x] = INFINITY;
            reason[x] = SV_BORDER;
        }
        if (x == 0) break;
        const int from = w->from[(size_t)x * (size_t)count + (size_t)k];
        k = from == FROM_BEST ? w->best[x - 1] : from == FROM_BELOW ? k - 1 : from == FROM_ABOVE ? k + 1 : k;
    }
}

CPU_FOR_AVX512(search_row, (const plan *p, const searching *w, int side, int y), (p, w, side, y));

/* ---- The stage -------------------------------------------------------------------------------- */

static void match(const plan *p) {
    const cpu_job *job = p->job;
    const cpu_set set = cpu_choose(job, job->set);
    const int width = p->width, height = p->height, bands = job->threads * BANDS_PER_THREAD;
#pragma omp parallel num_threads(job->threads)
    {
        char *workspace = p->workspaces + p->workspace_size * (size_t)omp_get_thread_num();
        describing d;
        averaging a;
        searching s;
        lay_out_describing(&d, workspace, p);
        lay_out_averaging(&a, workspace, p);
        lay_out_searching(&s, workspace, p);
        for (int side = 0; side < 2; side++) {
#pragma omp for
            for (int y = 0; y < height; y++) read_row(p, side, y);
#pragma omp for schedule(dynamic, 4)
            for (int y = 0; y < height; y++)
                for (int plane = 0; plane < SV_PLANES && !cpu_gives_up(job); plane++)
                    describe_row_of_sets[set](p, &d, side, plane, y);
        }
        for (int side = 0; side < 2 && job->winner[side]; side++) {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < bands; i++)
                average_band_of_sets[set](p, &a, side, (int)((int64_t)height * i / bands),
                                          (int)((int64_t)height * (i + 1) / bands));
#pragma omp for schedule(dynamic)
            for (int x = 0; x < width; x += COLUMNS) {
                const int columns = width - x < COLUMNS ? width - x : COLUMNS;
                if (cpu_gives_up(job)) continue;
                smooth_columns_of_sets[set](p, &s, side, x, columns, true);
                smooth_columns_of_sets[set](p, &s, side, x, columns, false);
            }
#pragma omp for schedule(dynamic, 4)
            for (int y = 0; y < height; y++) {
                if (cpu_gives_up(job)) continue;
                smooth_row_of_sets[set](p, &s, side, y, true);
                smooth_row_of_sets[set](p, &s, side, y, false);
                search_row_of_sets[set](p, &s, side, y);
            }
        }
    }
}

sv_status cpu_match_gfd(const cpu_job *job, sv_error *error) {
    const sv_params *params = job->params;
    plan p = {
        .job = job,
        .width = job->width,
        .height = job->height,
        .rho = params->rho,
        .rings = params->rho + 1,
        .components = SV_PLANES * (params->rho + 1),
        .min_disparity = params->min_disparity,
        .count = sv_candidates(params),
        .aggregate = params->aggregate,
        .by_one = sv_step_cost(params->lambda),
        .alpha = params->alpha,
    };
    sv_make_waves(&p.waves, p.rho);
    describing d;
    averaging a;
    searching s;
    const size_t sizes[] = {lay_out_describing(&d, NULL, &p), lay_out_averaging(&a, NULL, &p),
                            lay_out_searching(&s, NULL, &p)};
    for (int i = 0; i < 3; i++) p.workspace_size = sizes[i] > p.workspace_size ? sizes[i] : p.workspace_size;
    void *memory = cpu_reserve(job->scratch, lay_out(&p, NULL, job->threads), error);
    if (!memory) return SV_FAILED;
    lay_out(&p, memory, job->threads);
    match(&p);
    return SV_OK;
}
