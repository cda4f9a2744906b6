/* Sum of squared differences with a window that rolls down the rows: J. Stam, "Stereo Imaging with CUDA"
 * (2008). As there, the squared differences of every column of the window are kept from one row to the next.
 * Costs are in 1/steps^2 grey^2. */
#include "cpu/rolling.h"

typedef struct plan {
    uint32_t limit; /* costs above it are poor */
    int subpixel, uniqueness;
} plan;

CPU_INLINE uint32_t change(int16_t enter, int16_t other_enter, int16_t leave, int16_t other_leave) {
    /* e^2 - l^2 = (e - l) (e + l), one product instead of two */
    const int16_t e = (int16_t)(enter - other_enter), l = (int16_t)(leave - other_leave);
    return (uint32_t)((int16_t)(e - l) * (int16_t)(e + l));
}

CPU_INLINE const uint32_t *costs_of(const rolling *r, const rolling_space *w, int x) {
    (void)r;
    (void)x;
    return w->sums;
}

CPU_INLINE int decide(const rolling *r, const rolling_space *w, int x, const uint32_t *costs, int winner, int first,
                      int last, float *disparity) {
    const plan *p = r->method;
    (void)w;
    (void)x;
    *disparity = INFINITY;
    if (winner < 0) return SV_BORDER;
    if (costs[winner] > p->limit) return SV_POOR_MATCH;
    if (p->uniqueness) {
        const uint32_t second = rolling_second(r, costs, winner, first, last);
        if (second != CPU_NO_COST && sv_ambiguous_costs(costs[winner], second, p->uniqueness)) return SV_AMBIGUOUS;
    }
    float offset = 0;
    if (p->subpixel && winner > first && winner < last)
        offset = sv_parabola_of_costs(costs[winner - 1], costs[winner], costs[winner + 1]);
    *disparity = sv_disparity(r->min_disparity, winner, offset, r->steps);
    return SV_VALID;
}

static void add_any(const rolling *r, const rolling_space *w, int y) {
    (void)y;
    rolling_add(r, w, change);
}
CPU_AVX2 static void add_avx2(const rolling *r, const rolling_space *w, int y) {
    (void)y;
    rolling_add(r, w, change);
}

static void match_any(const rolling *r, const rolling_space *w, int y) {
    rolling_match_row(r, w, y, change, costs_of, decide);
}
CPU_AVX2 static void match_avx2(const rolling *r, const rolling_space *w, int y) {
    rolling_match_row(r, w, y, change, costs_of, decide);
}

sv_status cpu_match_ssd(const cpu_job *job, sv_error *error) {
    const sv_params *params = job->params;
    const plan p = {
        .limit = sv_cost_limit(params->max_cost, (2 * params->rho + 1) * (2 * sv_rho_y(params) + 1), params->steps),
        .subpixel = params->subpixel,
        .uniqueness = params->uniqueness,
    };
    const bool avx2 = cpu_has_avx2();
    return rolling_match(job, &p, 0, avx2 ? add_avx2 : add_any, avx2 ? match_avx2 : match_any, error);
}
