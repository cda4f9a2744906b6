/* How an input holds the two views of a scene: see arrangement.h. */
#include "rig/arrangement.h"

#include <math.h>

/* Percent of the disparities that are negative: at most of sides in the right order, at least of swapped ones. */
static const float few_negative = 5, most_negative = 95;

/* Standard deviations of the votes: how many the rise of a map counts for, and how many decide, with the signs and
 * against or without them. */
static const double of_rise = 4, with_signs = 1.5, without_signs = 3;

/* Percent: the least share of a layout that stands out, though the rows of the two views are some pixels apart. */
static const float least_clear = 40;

/* The least rise of a map that decides alone. */
static const float least_rise = 0.2f;

static bool goes_together(const probe_result *r) { return r->share >= PROBE_RIGHT; }

bool arrangement_is_doubtful(const probe_result *as_is) {
    return !goes_together(as_is) || as_is->negative > few_negative;
}

sv_status arrangement_try(probe *probe, const sv_pair *pair, int row_shift, arrangement_trial *trial, sv_error *error) {
    const sv_pair swapped = {.left = pair->right, .right = pair->left};
    *trial = (arrangement_trial){.as_is = {.share = 0}};
    const sv_status status = probe_pair(probe, pair, row_shift, &trial->as_is, error);
    if (status != SV_OK || !arrangement_is_doubtful(&trial->as_is)) return status;
    return probe_pair(probe, &swapped, -row_shift, &trial->swapped, error);
}

/* 1 if the signs of the disparities fit the order as it is, -1 the other one, 0 neither. */
static int signs(const arrangement_trial *t) {
    const probe_result *a = &t->as_is, *b = &t->swapped;
    if (goes_together(a) && a->negative <= few_negative) return 1;
    const bool negative = a->share < PROBE_KNOWN || a->negative >= most_negative;
    return negative && (b->share == 0 || (goes_together(b) && b->negative <= few_negative)) ? -1 : 0;
}

arrangement_order arrangement_order_of(const arrangement_trial *trials, int count) {
    double votes = 0, gaps = 0, rise = 0;
    int used = 0, sum = 0;
    for (int i = 0; i < count; i++) {
        const probe_result *a = &trials[i].as_is, *b = &trials[i].swapped;
        if (!goes_together(a) && !goes_together(b)) continue;
        used++;
        sum += signs(&trials[i]);
        votes += (double)(a->order.votes - b->order.votes);
        gaps += a->order.gaps + b->order.gaps;
        rise += (double)(a->share >= b->share ? a->order.rise : -b->order.rise); /* of the map that is more complete */
    }
    if (!used) return ORDER_UNKNOWN;
    rise /= used;
    const double deviations = votes / fmax(1, sqrt(gaps)), nearness = deviations + of_rise * rise;
    if (sum == used && nearness >= with_signs) return ORDER_AS_IS;
    if (sum == -used && nearness <= -with_signs) return ORDER_SWAPPED;
    if (fabs(deviations) < without_signs || fabs(rise) < (double)least_rise || deviations * rise < 0)
        return ORDER_UNKNOWN;
    return rise > 0 ? ORDER_AS_IS : ORDER_SWAPPED;
}

float arrangement_share(const arrangement_trial *trials, int count) {
    float sum = 0;
    int used = 0;
    for (int i = 0; i < count; i++) {
        const float share = fmaxf(trials[i].as_is.share, trials[i].swapped.share);
        sum += share;
        used += share > 0;
    }
    return used ? sum / (float)used : -1;
}

bool arrangement_is_sure(float found, float other) {
    return (found >= PROBE_RIGHT && other <= found / 2) || (found >= least_clear && other <= found / 3);
}
