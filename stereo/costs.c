/* The second best candidate. */
#include "stereo/costs.h"

#include <stdlib.h>

void sv_find_second(sv_costs *c, const sv_params *params) {
    const double sign = sv_methods[params->method].correlates ? -1 : 1;
    const int steps = sv_steps(params);
    c->second = -1;
    for (int k = 0; k < c->count && c->winner >= 0; k++) {
        if (!c->tried[k] || abs(k - c->winner) <= steps) continue;
        if (c->second < 0 || sign * c->costs[k] < sign * c->costs[c->second]) c->second = k;
    }
}
