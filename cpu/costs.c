/* The costs of a match in the form of the interface (stereo/costs.h), from those that a probe has kept. */
#include "cpu/cpu.h"
#include "stereo/pixel.h"

#include <math.h>
#include <stdlib.h>

static double value_of(const sv_params *params, uint32_t raw) {
    if (sv_methods[params->method].correlates) return (double)sv_correlation_of_cost(raw);
    if (!sv_methods[params->method].sums_squares) return raw;
    const int pixels = (2 * params->rho + 1) * (2 * sv_rho_y(params) + 1), steps = sv_steps(params);
    return (double)raw / (pixels * steps * steps);
}

/* The best tried candidate that does not neighbour the winner and has a worse one between them: a candidate on the
 * winner's own flank is no second match. -1: none. */
static int second_of(const sv_costs *c, const sv_params *params) {
    const double sign = sv_methods[params->method].correlates ? -1 : 1;
    int second = -1;
    for (int side = -1; side <= 1 && c->winner >= 0; side += 2) {
        double worst = sign * c->costs[c->winner];
        for (int k = c->winner + side; k >= 0 && k < c->count; k += side) {
            if (!c->tried[k]) continue;
            const double cost = sign * c->costs[k];
            const bool parted = cost < worst && abs(k - c->winner) > sv_steps(params);
            if (parted && (second < 0 || cost < sign * c->costs[second])) second = k;
            worst = fmax(worst, cost);
        }
    }
    return second;
}

void cpu_report_costs(const cpu_job *job, sv_costs *costs) {
    const cpu_probe *p = job->probe;
    const sv_params *params = job->params;
    costs->count = sv_candidates(params);
    costs->step = (double)job->scale / sv_steps(params);
    costs->first = (double)params->min_disparity * job->scale;
    for (int k = 0; k < costs->count; k++) {
        costs->costs[k] = p->costs[k] != SV_NO_COST ? value_of(params, p->costs[k]) : (double)NAN;
        costs->tried[k] = p->costs[k] != SV_NO_COST && p->tried[k];
    }
    costs->winner = job->winner[0][(size_t)p->y * (size_t)job->width + (size_t)p->x];
    costs->disparity = ((const float *)sv_row(job->disparity, p->y))[p->x] * (float)job->scale;
    costs->second = second_of(costs, params);
}

void cpu_report_winners(const cpu_job *job, const sv_image *winners) {
    const size_t width = (size_t)job->width;
    for (int y = 0; y < winners->height; y++) {
        float *row = sv_row(winners, y);
        const size_t at = (size_t)(y / job->scale) * width;
        for (int x = 0; x < winners->width; x++) {
            const size_t i = at + (size_t)(x / job->scale);
            const bool valued = job->winner[0][i] >= 0 && job->cost[0][i] != SV_NO_COST;
            row[x] = valued ? (float)value_of(job->params, job->cost[0][i]) : INFINITY;
        }
    }
}
