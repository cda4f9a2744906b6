/* The library's judgement of a rig, from a few of its pairs. */
#include "rig/pair_meter.h"

static sv_status check_sizes(const sv_pair *pairs, int count, sv_error *error) {
    sv_status status = SV_OK;
    for (int i = 0; i < count && status == SV_OK; i++) {
        const sv_image *const pictures[] = {&pairs[i].left, &pairs[i].right};
        for (int side = 0; side < 2 && status == SV_OK; side++) {
            status = sv_check_host(side ? "right picture" : "left picture", pictures[side], error);
            if (status == SV_OK &&
                (pictures[side]->width != pairs[0].left.width || pictures[side]->height != pairs[0].left.height))
                status =
                    sv_fail(error, SV_USAGE, "pictures of %d x %d and %d x %d pixels are not of one rig",
                            pairs[0].left.width, pairs[0].left.height, pictures[side]->width, pictures[side]->height);
        }
    }
    return status;
}

/* Measures the pair in the middle, and compares it with the others. */
static sv_status measure(pair_meter *meter, const sv_pair *pairs, int count, const sv_params *params, rig_facts *facts,
                         sv_error *error) {
    const int middle = count / 2, reach = middle < RIG_MOMENTS_MOST ? middle : RIG_MOMENTS_MOST;
    rig_moments moments = {.reach = 0};
    sv_status status = pair_meter_measure(meter, &pairs[middle], params, facts, error);
    for (int i = middle - reach; i <= middle + reach && i < count && status == SV_OK; i++)
        status = pair_meter_add_moment(meter, &pairs[i], params->row_shift, i, i == middle, error);
    if (status == SV_OK && reach) status = pair_meter_compare_moments(meter, reach, facts, &moments, error);
    facts->moments = moments;
    return status;
}

sv_status sv_check_pairs(const sv_pair *pairs, int count, const sv_rectification *rectification,
                         const sv_params *params, sv_rig_state *state, sv_error *error) {
    pair_meter *meter = NULL;
    rig_facts facts;
    if (count < 1) return sv_fail(error, SV_USAGE, "at least one pair is needed");
    sv_status status = sv_check_params(params, error);
    if (status == SV_OK) status = check_sizes(pairs, count, error);
    if (status == SV_OK) status = pair_meter_create(&meter, rectification, 0, error);
    if (status == SV_OK) status = measure(meter, pairs, count, params, &facts, error);
    pair_meter_free(meter);
    if (status == SV_OK) rig_judge(&facts, state);
    return status;
}
