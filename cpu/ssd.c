/* Sum of squared differences with a window that rolls down the rows: J. Stam, "Stereo Imaging with CUDA"
 * (2008). As there, the squared differences of every column of the window are kept and, from one row to
 * the next, lose the row that leaves and gain the row that enters. Unlike there, all candidates of a
 * pixel are worked on together, side by side in vectors, and the sum over the window's columns slides
 * along the row in the same way. Where candidates lie in whole pixels, the right map comes from the same
 * sums: a pair of windows has one cost whichever of the two is the reference.
 *
 * Rows are shared out among the threads in bands; a band keeps one row of column sums, so that memory
 * grows with width x candidates and not with the height. */
#include "cpu/cpu.h"
#include "stereo/pixel.h"

#include <omp.h>
#include <string.h>

enum {
    LANES = 16,          /* candidates are padded to a multiple of this, so that vector loops have no rest */
    BANDS_PER_THREAD = 2 /* a band begins with 2 rho_y + 1 rows of pure overhead: few are better */
};

/* What is the same for all rows of a map. */
typedef struct plan {
    const cpu_job *job;
    int right; /* 1: the right picture is the reference */
    int both;  /* 1: the reference is the left one, and the right map comes along */
    int width, rho, rho_y;
    int min_disparity, steps, count;
    int padded;     /* candidates, padded */
    int columns;    /* of the padded picture: width + 2 rho */
    int positions;  /* of the other picture that the candidates reach, in 1/steps pixel */
    uint32_t limit; /* costs above it are poor */
    unsigned subpixel;
} plan;

/* What a thread works in. Values are in 1/steps grey level, costs in 1/steps^2 grey^2. */
typedef struct workspace {
    uint32_t *sums;    /* columns x padded: squared differences of each column of the window */
    uint32_t *costs;   /* padded: of the pixel at hand */
    uint32_t *nothing; /* padded: zeros */
    /* The row that enters the window and the one that leaves it. */
    int16_t *reference[2];  /* columns */
    int16_t *other[2];      /* positions; ordered so that candidates k, k + 1 are neighbours */
    uint32_t *right_costs;  /* width, columns from right to left: the least cost so far */
    int32_t *right_winners; /* and its candidate */
} workspace;

static size_t lay_out(workspace *w, void *base, const plan *p) {
    size_t used = 0;
    w->sums = cpu_carve(base, &used, sizeof *w->sums * (size_t)p->columns * (size_t)p->padded);
    w->costs = cpu_carve(base, &used, sizeof *w->costs * (size_t)p->padded);
    w->nothing = cpu_carve(base, &used, sizeof *w->nothing * (size_t)p->padded);
    for (int i = 0; i < 2; i++) {
        w->reference[i] = cpu_carve(base, &used, sizeof(int16_t) * (size_t)p->columns);
        w->other[i] = cpu_carve(base, &used, sizeof(int16_t) * (size_t)p->positions);
    }
    w->right_costs = cpu_carve(base, &used, sizeof *w->right_costs * (size_t)p->width);
    w->right_winners = cpu_carve(base, &used, sizeof *w->right_winners * (size_t)p->width);
    return used;
}

/* Where candidate 0 of padded column `i` is in `other`. */
static inline int first_position(const plan *p, int i) { return p->steps * (p->right ? i : p->columns - 1 - i); }

/* Reads row `y`, clamped, of both pictures. */
static void read_row(const plan *p, int y, int16_t *reference, int16_t *other) {
    const cpu_job *job = p->job;
    const int width = p->width, height = job->height, steps = p->steps;
    const uint8_t *from = sv_row(p->right ? job->right : job->left, sv_clamp(y, height));
    for (int i = 0; i < p->columns; i++) reference[i] = (int16_t)(steps * from[sv_clamp(i - p->rho, width)]);

    /* Candidate k of column x is at steps * x -+ (steps * min + k); the left map's go down as k goes up. */
    from = sv_row(p->right ? job->left : job->right, sv_clamp(y, height));
    const int sign = p->right ? 1 : -1;
    const int start = sign * steps * p->min_disparity + steps * (p->right ? -p->rho : width - 1 + p->rho);
    for (int i = 0; i < p->positions; i++) {
        const int position = start + sign * i, part = position & (steps - 1), column = (position - part) / steps;
        other[i] = (int16_t)sv_between(from[sv_clamp(column, width)], from[sv_clamp(column + 1, width)], part, steps);
    }
}

/* Adds the squared differences of a row to the sums of all columns. */
static void add_row(const plan *p, const workspace *w, const int16_t *reference, const int16_t *other) {
    for (int i = 0; i < p->columns; i++) {
        uint32_t *sums = w->sums + (size_t)i * (size_t)p->padded;
        const int16_t *values = other + first_position(p, i), value = reference[i];
        for (int k = 0; k < p->padded; k++) {
            const int16_t difference = (int16_t)(value - values[k]);
            sums[k] += (uint32_t)(difference * difference);
        }
    }
}

CPU_INLINE int first_least(const uint32_t *costs, int first, int last) {
    uint32_t least = UINT32_MAX;
    for (int k = first; k <= last; k++) least = costs[k] < least ? costs[k] : least;
    uint32_t winner = UINT32_MAX;
    for (int k = first; k <= last; k++) {
        const uint32_t candidate = (uint32_t)k | -(uint32_t)(costs[k] != least);
        winner = candidate < winner ? candidate : winner;
    }
    return (int)winner;
}

/* The pixel at column `x` of the reference from the costs of its candidates `first`..`last`. */
static inline int decide(const plan *p, const uint32_t *costs, int winner, int first, int last, float *disparity) {
    float offset = 0;
    if (p->subpixel && winner > first && winner < last)
        offset = sv_parabola_of_costs(costs[winner - 1], costs[winner], costs[winner + 1]);
    *disparity = costs[winner] > p->limit ? INFINITY : sv_disparity(p->min_disparity, winner, offset, p->steps);
    return costs[winner] > p->limit ? SV_POOR_MATCH : SV_VALID;
}

/* Moves the window down to row `y`, whose entering and leaving rows have been read, and matches it. */
CPU_INLINE void match_row(const plan *p, const workspace *w, int y) {
    const cpu_job *job = p->job;
    const int padded = p->padded, count = p->count, width = p->width;
    const size_t row = (size_t)y * (size_t)width;
    int16_t *winners = job->winner[p->right] + row;
    float *disparity = sv_row(job->disparity, y);
    uint8_t *reason = sv_row(job->reason, y);
    uint32_t *restrict costs = w->costs;

    memset(costs, 0, sizeof *costs * (size_t)padded);
    if (p->both) {
        memset(w->right_costs, 0xff, sizeof *w->right_costs * (size_t)width);
        memset(w->right_winners, 0xff, sizeof *w->right_winners * (size_t)width);
    }
    for (int i = 0; i < p->columns; i++) {
        uint32_t *restrict sums = w->sums + (size_t)i * (size_t)padded;
        const uint32_t *passed = i > 2 * p->rho ? sums - (size_t)(2 * p->rho + 1) * (size_t)padded : w->nothing;
        const int16_t *enters = w->other[0] + first_position(p, i), *leaves = w->other[1] + first_position(p, i);
        const int16_t enter = w->reference[0][i], leave = w->reference[1][i];
        for (int k = 0; k < padded; k++) {
            /* e^2 - l^2 = (e - l) (e + l), one product instead of two */
            const int16_t e = (int16_t)(enter - enters[k]), l = (int16_t)(leave - leaves[k]);
            const uint32_t sum = sums[k] + (uint32_t)((int16_t)(e - l) * (int16_t)(e + l));
            sums[k] = sum;
            costs[k] += sum - passed[k];
        }
        const int x = i - 2 * p->rho;
        if (x < 0) continue;

        const int first = sv_first_candidate(x, width, p->min_disparity, p->steps, p->right);
        const int last = sv_last_candidate(x, width, p->min_disparity, p->steps, count, p->right);
        const int winner = first <= last ? first_least(costs, first, last) : -1;
        winners[x] = (int16_t)winner;
        if (p->right) continue;
        if (winner < 0) {
            disparity[x] = INFINITY;
            reason[x] = SV_BORDER;
            continue;
        }
        reason[x] = (uint8_t)decide(p, costs, winner, first, last, &disparity[x]);
        if (p->both) {
            /* Candidate k belongs to the right picture's column x - min - k, which meets its candidates in
             * rising order, so that a tie stays with the lower one. */
            const int end = width - 1 - x + p->min_disparity;
            uint32_t *restrict right_costs = w->right_costs;
            int32_t *restrict right_winners = w->right_winners;
            for (int k = first; k <= last; k++) {
                const int at = end + k;
                right_winners[at] = costs[k] < right_costs[at] ? k : right_winners[at];
                right_costs[at] = costs[k] < right_costs[at] ? costs[k] : right_costs[at];
            }
        }
    }
    if (p->both)
        for (int x = 0; x < width; x++) job->winner[1][row + (size_t)x] = (int16_t)w->right_winners[width - 1 - x];
}

typedef void match_row_function(const plan *p, const workspace *w, int y);
static void match_row_any(const plan *p, const workspace *w, int y) { match_row(p, w, y); }
CPU_AVX2 static void match_row_avx2(const plan *p, const workspace *w, int y) { match_row(p, w, y); }

/* Rows `y`..`end` - 1. */
static void match_band(const plan *p, const workspace *w, int y, int end) {
    match_row_function *const match = cpu_has_avx2() ? match_row_avx2 : match_row_any;
    memset(w->nothing, 0, sizeof *w->nothing * (size_t)p->padded);
    memset(w->sums, 0, sizeof *w->sums * (size_t)p->columns * (size_t)p->padded);
    /* The window of the row above the band, from which the first one rolls down. */
    for (int above = y - 1 - p->rho_y; above < y + p->rho_y; above++) {
        read_row(p, above, w->reference[0], w->other[0]);
        add_row(p, w, w->reference[0], w->other[0]);
    }
    for (; y < end; y++) {
        read_row(p, y + p->rho_y, w->reference[0], w->other[0]);
        read_row(p, y - 1 - p->rho_y, w->reference[1], w->other[1]);
        match(p, w, y);
    }
}

sv_status cpu_match_ssd(const cpu_job *job, sv_error *error) {
    const sv_params *params = job->params;
    const int rho = params->rho, rho_y = sv_rho_y(params), steps = params->steps;
    const int padded = (sv_candidates(params) + LANES - 1) / LANES * LANES, columns = job->width + 2 * rho;
    const bool both = job->winner[1] && steps == 1;
    const plan left = {
        .job = job,
        .both = both,
        .width = job->width,
        .rho = rho,
        .rho_y = rho_y,
        .min_disparity = params->min_disparity,
        .steps = steps,
        .count = sv_candidates(params),
        .padded = padded,
        .columns = columns,
        .positions = steps * (columns - 1) + padded,
        .limit = sv_cost_limit(params->max_cost, (2 * rho + 1) * (2 * rho_y + 1), steps),
        .subpixel = params->subpixel != 0,
    };
    plan right = left;
    right.right = 1;

    workspace measure;
    const size_t size = lay_out(&measure, NULL, &left);
    char *memory = cpu_reserve(job->scratch, size * (size_t)job->threads, error);
    if (!memory) return SV_FAILED;

    const int bands = job->threads * BANDS_PER_THREAD, maps = job->winner[1] && !both ? 2 : 1;
#pragma omp parallel for num_threads(job->threads) schedule(dynamic)
    for (int i = 0; i < maps * bands; i++) {
        const int band = i % bands;
        workspace w;
        lay_out(&w, memory + size * (size_t)omp_get_thread_num(), &left);
        match_band(i < bands ? &left : &right, &w, (int)((int64_t)job->height * band / bands),
                   (int)((int64_t)job->height * (band + 1) / bands));
    }
    return SV_OK;
}
