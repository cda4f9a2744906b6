/* Sum of squared differences with a window that rolls down the rows: J. Stam, "Stereo Imaging with CUDA" (2008). The
 * square of a difference is expanded, sum (l - r)^2 = sum l^2 + sum r^2 - 2 sum l r, so that only the products depend
 * on the candidate. Costs are in 1/steps^2 grey^2, computed modulo 2^32, which none of them reaches. */
#include "cpu/rolling_loops.h"

typedef struct plan {
    uint32_t limit; /* costs above it are poor */
    int subpixel, uniqueness;
} plan;

/* What the current row needs besides the rolling sums: for the reference picture and for the other one. */
typedef struct squares {
    uint32_t *columns[2]; /* columns; positions: sums of squares down the window */
    uint32_t *windows[2]; /* width; positions: sums over the window that begins with this column */
} squares;

/* The arrays follow the struct itself in memory. */
static size_t lay_out(squares *own, void *base, int columns, int positions) {
    size_t used = 0;
    cpu_carve(base, &used, sizeof *own);
    for (int i = 0; i < 2; i++) {
        const size_t size = sizeof(uint32_t) * (size_t)(i ? positions : columns);
        own->columns[i] = cpu_carve(base, &used, size);
        own->windows[i] = cpu_carve(base, &used, size);
    }
    return used;
}

CPU_INLINE void move_columns(uint32_t *restrict columns, const rolling_values *values, int count) {
    for (int i = 0; i < count; i++)
        columns[i] += (uint32_t)(values[i].enter * values[i].enter) - (uint32_t)(values[i].leave * values[i].leave);
}

/* Sums `size` columns, `stride` apart, for every window that lies inside. */
static void add_columns(const uint32_t *columns, uint32_t *windows, int count, int size, int stride) {
    for (int begin = 0; begin < stride; begin++) {
        uint32_t sum = 0;
        for (int k = 0; k < size - 1; k++) sum += columns[begin + k * stride];
        for (int i = begin; i < count - (size - 1) * stride; i += stride) {
            sum += columns[i + (size - 1) * stride];
            windows[i] = sum;
            sum -= columns[i];
        }
    }
}

CPU_INLINE void move_squares(const rolling *r, const rolling_space *w) {
    squares *own = w->own;
    lay_out(own, own, r->columns, r->positions);
    move_columns(own->columns[0], w->reference, r->columns);
    move_columns(own->columns[1], w->other, r->positions);
}

static void measure_windows(const rolling *r, const rolling_space *w) {
    const squares *own = w->own;
    add_columns(own->columns[0], own->windows[0], r->columns, 2 * r->rho + 1, 1);
    add_columns(own->columns[1], own->windows[1], r->positions, 2 * r->rho + 1, r->steps);
}

CPU_INLINE void write_costs(const rolling *r, const rolling_space *w, int x) {
    const squares *own = w->own;
    /* The windows of the candidates, by their first column in `other`. */
    const uint32_t *others = own->windows[1] + rolling_position(r, r->right ? x : x + 2 * r->rho);
    const uint32_t *restrict products = w->sums;
    const uint32_t reference = own->windows[0][x];
    uint32_t *restrict costs = w->costs;
    const int padded = r->padded;
#pragma omp simd
    for (int k = 0; k < padded; k++) costs[k] = reference + others[k] - 2 * products[k];
}

CPU_INLINE int decide(const rolling *r, const rolling_space *w, int x, const uint32_t *costs, int winner, int first,
                      int last, float *disparity) {
    const plan *p = r->method;
    (void)w;
    (void)x;
    *disparity = INFINITY;
    if (winner < 0) return SV_BORDER;
    const uint32_t best = costs[winner];
    const int reason = sv_judge_cost(
        best, p->limit,
        p->uniqueness && sv_ambiguous_costs(best, rolling_second(r, costs, winner, first, last), p->uniqueness));
    if (reason != SV_VALID) return reason;
    float offset = 0;
    if (p->subpixel && winner > first && winner < last)
        offset = sv_parabola_of_costs(costs[winner - 1], best, costs[winner + 1]);
    *disparity = sv_disparity(r->min_disparity, winner, offset, r->steps);
    return SV_VALID;
}

#define LOOPS(set, target)                                                                                             \
    static const rolling_loops loops_##set = {rolling_advance_##set, rolling_choose_##set};                            \
    target static void add_##set(const rolling *r, const rolling_space *w, int y) {                                    \
        (void)y;                                                                                                       \
        move_squares(r, w);                                                                                            \
        rolling_add(r, w, &loops_##set);                                                                               \
    }                                                                                                                  \
    target static void match_##set(const rolling *r, const rolling_space *w, int y) {                                  \
        move_squares(r, w);                                                                                            \
        measure_windows(r, w);                                                                                         \
        rolling_match_row(r, w, y, &loops_##set, write_costs, decide);                                                 \
    }
ROLLING_SETS(LOOPS)

sv_status cpu_match_ssd(const cpu_job *job, sv_error *error) {
    static rolling_row *const add[] = ROLLING_TABLE(add), *const match[] = ROLLING_TABLE(match);
    const sv_params *params = job->params;
    const plan p = {
        .limit = sv_cost_limit(params->max_cost, (2 * params->rho + 1) * (2 * sv_rho_y(params) + 1), params->steps),
        .subpixel = params->subpixel,
        .uniqueness = params->uniqueness,
    };
    const int columns = job->width + 2 * params->rho;
    const cpu_set set = cpu_choose(job, job->set);
    squares measure;
    const size_t own = lay_out(&measure, NULL, columns, rolling_positions(params->steps, columns, rolling_padded(job)));
    return rolling_match(job, &p, own, add[set], match[set], error);
}
