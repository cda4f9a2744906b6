/* Sum of squared differences with a window that rolls down the rows: J. Stam, "Stereo Imaging with CUDA" (2008). Costs
 * are in 1/steps^2 grey^2. They are computed modulo 2^32, and all are below it. */
#include "cpu/rolling_loops.h"

typedef struct plan {
    uint32_t limit; /* costs above it are poor */
    int subpixel, uniqueness;
} plan;

/* The costs are the sums. */
CPU_INLINE void costs_of(const rolling *r, const rolling_space *w, int x, uint32_t *costs) {
    (void)r, (void)w, (void)x, (void)costs;
}

CPU_INLINE void decide(const rolling *r, const rolling_space *w, int y) {
    const plan p = *(const plan *)r->method;
    const int width = r->width, min_disparity = r->min_disparity, steps = r->steps;
    const int32_t *restrict winners = w->found.winner;
    const uint32_t *restrict bests = w->found.best, *restrict below = w->found.below, *restrict above = w->found.above;
    float *restrict disparity = sv_row(r->job->disparity, y);
    uint8_t *restrict reason = sv_row(r->job->reason, y);
    for (int x = 0; x < width; x++) {
        const int winner = winners[x];
        const uint32_t best = bests[x];
        float found;
        const int result = sv_decide_cost(winner, p.subpixel ? below[x] : SV_NO_COST, best, above[x], p.limit, false,
                                          min_disparity, steps, &found);
        disparity[x] = winner < 0 ? INFINITY : found;
        reason[x] = (uint8_t)(winner < 0 ? SV_BORDER : result);
    }
    /* In a loop of its own, because with it compilers do not vectorise the one above. */
    for (int x = 0; p.uniqueness && x < width; x++)
        if (reason[x] == SV_VALID && sv_ambiguous_costs(bests[x], w->found.second[x], p.uniqueness)) {
            disparity[x] = INFINITY;
            reason[x] = SV_AMBIGUOUS;
        }
}

#define LOOPS(set, target)                                                                                             \
    static const rolling_loops loops_##set = {ROLLING_SQUARES, rolling_advance_##set, rolling_least_##set,             \
                                              rolling_lower_##set, rolling_choose_##set};                              \
    target static void add_##set(const rolling *r, const rolling_space *w, int y) {                                    \
        (void)y;                                                                                                       \
        rolling_add(r, w, &loops_##set);                                                                               \
    }                                                                                                                  \
    target static void match_##set(const rolling *r, const rolling_space *w, int y) {                                  \
        rolling_match_row(r, w, y, &loops_##set, costs_of, decide);                                                    \
    }
ROLLING_SETS(LOOPS)

/* How many bits the candidates take in keys; 0 if these do not fit in 32 bits, or the multiplied differences in 16. */
static int bits_of(const sv_params *params, int pixels) {
    const int largest = 255 * sv_steps(params);
    const uint64_t most = (uint64_t)pixels * (uint64_t)(largest * largest);
    int bits = 0;
    while (1 << bits < sv_candidates(params)) bits++;
    return largest << bits <= INT16_MAX && (most + 1) << bits <= UINT32_MAX ? bits : 0;
}

sv_status cpu_match_ssd(const cpu_job *job, sv_error *error) {
    static rolling_row *const add[] = CPU_TABLE(add), *const match[] = CPU_TABLE(match);
    const sv_params *params = job->params;
    const int pixels = (2 * params->rho + 1) * (2 * sv_rho_y(params) + 1);
    const plan p = {
        .limit = sv_cost_limit(params->max_cost, pixels, params->steps),
        .subpixel = params->subpixel,
        .uniqueness = params->uniqueness,
    };
    const cpu_set set = cpu_choose(job, job->set);
    return rolling_match(job, &p, 0, bits_of(params, pixels), add[set], match[set], error);
}
