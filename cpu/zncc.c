/* Zero-mean normalised cross-correlation over the full range: A. Taher, "ZNCC Algorithm Based Stereo Disparity
 * Computation Using OpenCL". The paper computes each map separately and sums every window from scratch; here the sums
 * of products roll, and both maps come from them. */
#include "cpu/rolling_loops.h"
#include "cpu/windows.h"

/* What the current row needs besides the rolling sums. */
typedef struct row {
    cpu_columns columns[2]; /* left, right picture */
    cpu_window *windows[2]; /* width */
    /* The windows of the right picture, ordered so that candidates k, k + 1 are neighbours, and flat outside the
     * picture: width - 1 + padded. Candidate 0 of column x is at width - 1 - x. */
    int32_t *sums;
    float *inverses;
} row;

/* The arrays follow the struct itself in memory. */
static size_t lay_out(row *own, void *base, const cpu_job *job) {
    const size_t width = (size_t)job->width, padded = (size_t)rolling_padded(job);
    size_t used = 0;
    cpu_carve(base, &used, sizeof *own);
    for (int i = 0; i < 2; i++) {
        own->columns[i] = cpu_carve_columns(base, &used, job);
        own->windows[i] = cpu_carve(base, &used, sizeof(cpu_window) * width);
    }
    own->sums = cpu_carve(base, &used, sizeof *own->sums * (width - 1 + padded));
    own->inverses = cpu_carve(base, &used, sizeof *own->inverses * (width - 1 + padded));
    return used;
}

CPU_INLINE void costs_of(const rolling *r, const rolling_space *w, int x, uint32_t *costs) {
    const row *own = w->own;
    const cpu_window window = own->windows[0][x];
    if (window.inverse == 0) {
        memset(costs, 0xff, sizeof *costs * (size_t)r->padded); /* SV_NO_COST */
        return;
    }
    const int32_t *sums = own->sums + r->width - 1 - x;
    const float *inverses = own->inverses + r->width - 1 - x;
    const int pixels = (2 * r->rho + 1) * (2 * r->rho_y + 1);
    const int padded = r->padded;
    if (pixels <= SV_FEW) {
#pragma omp simd
        for (int k = 0; k < padded; k++) {
            const float correlation =
                sv_correlation_of_few(pixels, (int)costs[k], window.sum, sums[k], window.inverse, inverses[k]);
            costs[k] = inverses[k] > 0 ? sv_cost_of_correlation(correlation) : SV_NO_COST;
        }
    } else {
#pragma omp simd
        for (int k = 0; k < padded; k++) {
            const float correlation =
                sv_correlation(pixels, costs[k], window.sum, sums[k], window.inverse, inverses[k]);
            costs[k] = inverses[k] > 0 ? sv_cost_of_correlation(correlation) : SV_NO_COST;
        }
    }
}

CPU_INLINE float correlation_of(uint32_t cost) {
    return cost == SV_NO_COST ? SV_NO_CORRELATION : sv_correlation_of_cost(cost);
}

/* Decides the pixel at column `x`: returns its reason, and writes its disparity. */
CPU_INLINE int decide_pixel(const rolling *r, const rolling_space *w, int x, float *disparity) {
    const row *own = w->own;
    const sv_params *params = r->job->params;
    const rolling_found *found = &w->found;
    const int first = sv_first_candidate(x, r->width, r->min_disparity, 1, 0), winner = found->winner[x];
    const int last = sv_last_candidate(x, r->width, r->min_disparity, 1, r->count, 0);
    *disparity = INFINITY;
    if (winner < 0) return own->windows[0][x].inverse > 0 && first > last ? SV_BORDER : SV_NO_TEXTURE;
    const float best = correlation_of(found->best[x]);
    bool ambiguous = false;
    if (params->uniqueness)
        ambiguous = sv_ambiguous_correlations(best, correlation_of(found->second[x]), params->uniqueness);
    const float before = params->subpixel ? correlation_of(found->below[x]) : SV_NO_CORRELATION;
    const float after = params->subpixel ? correlation_of(found->above[x]) : SV_NO_CORRELATION;
    return sv_decide_correlation(winner, before, best, after, params->min_correlation, ambiguous, r->min_disparity,
                                 disparity);
}

CPU_INLINE void decide(const rolling *r, const rolling_space *w, int y) {
    float *disparity = sv_row(r->job->disparity, y);
    uint8_t *reason = sv_row(r->job->reason, y);
    for (int x = 0; x < r->width; x++) reason[x] = (uint8_t)decide_pixel(r, w, x, &disparity[x]);
}

/* Adds row `y` to the columns of both pictures' windows. */
static void add_windows(const rolling *r, const rolling_space *w, int y) {
    row *own = w->own;
    lay_out(own, own, r->job);
    cpu_add_to_columns(r->job, r->job->left, &own->columns[0], y);
    cpu_add_to_columns(r->job, r->job->right, &own->columns[1], y);
}

/* Measures the windows of row `y`. */
static void measure_windows(const rolling *r, const rolling_space *w, int y) {
    const row *own = w->own;
    cpu_measure_row(r->job, r->job->left, &own->columns[0], y, own->windows[0]);
    cpu_measure_row(r->job, r->job->right, &own->columns[1], y, own->windows[1]);
    for (int i = 0; i < r->width - 1 + r->padded; i++) {
        const int column = r->width - 1 - i - r->min_disparity;
        const bool inside = column >= 0 && column < r->width;
        own->sums[i] = inside ? own->windows[1][column].sum : 0;
        own->inverses[i] = inside ? own->windows[1][column].inverse : 0;
    }
}

#define LOOPS(set, target)                                                                                             \
    static const rolling_loops loops_##set = {ROLLING_PRODUCTS, rolling_advance_##set, rolling_least_##set,            \
                                              rolling_lower_##set, rolling_choose_##set};                              \
    target static void add_##set(const rolling *r, const rolling_space *w, int y) {                                    \
        add_windows(r, w, y);                                                                                          \
        rolling_add(r, w, &loops_##set);                                                                               \
    }                                                                                                                  \
    target static void match_##set(const rolling *r, const rolling_space *w, int y) {                                  \
        measure_windows(r, w, y);                                                                                      \
        rolling_match_row(r, w, y, &loops_##set, costs_of, decide);                                                    \
    }
ROLLING_SETS(LOOPS)

sv_status cpu_match_zncc(const cpu_job *job, sv_error *error) {
    static rolling_row *const add[] = CPU_TABLE(add), *const match[] = CPU_TABLE(match);
    row measure;
    const cpu_set set = cpu_choose(job, job->set);
    return rolling_match(job, NULL, lay_out(&measure, NULL, job), 0, add[set], match[set], error);
}
