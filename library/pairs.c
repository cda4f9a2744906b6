/* What the library finds out from pairs of a rig: its state, its disparity range and its rows. */
#include "rig/pair_meter.h"
#include "rig/row_meter.h"

#include <stdlib.h>
#include <string.h>

/* `same`: the pictures must have one size. */
static sv_status check(const sv_pair *pairs, int count, const sv_params *params, bool same, sv_error *error) {
    if (count < 1) return sv_fail(error, SV_USAGE, "at least one pair is needed");
    sv_status status = sv_check_params(params, error);
    for (int i = 0; i < 2 * count && status == SV_OK; i++) {
        const sv_image *first = &pairs[0].left, *each = i % 2 ? &pairs[i / 2].right : &pairs[i / 2].left;
        status = sv_check_host(i % 2 ? "right picture" : "left picture", each, error);
        if (status == SV_OK && same && (each->width != first->width || each->height != first->height))
            status = sv_fail(error, SV_USAGE, "pictures of %d x %d and %d x %d pixels are not of one rig", first->width,
                             first->height, each->width, each->height);
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
    sv_status status = check(pairs, count, params, true, error);
    if (status == SV_OK) status = pair_meter_create(&meter, rectification, 0, error);
    if (status == SV_OK) status = measure(meter, pairs, count, params, &facts, error);
    pair_meter_free(meter);
    if (status == SV_OK) rig_judge(&facts, state);
    return status;
}

sv_status sv_find_range(const sv_pair *pairs, int count, const sv_rectification *rectification, sv_params *params,
                        bool *found, sv_error *error) {
    probe *probe = NULL;
    int min, max;
    *found = false;
    sv_status status = check(pairs, count, params, false, error);
    if (status != SV_OK) return status;
    probe_result *results = malloc(sizeof *results * (size_t)count);
    if (!results) return sv_fail(error, SV_FAILED, "out of memory for finding the disparity range");
    status = probe_create(&probe, rectification, 0, error);
    for (int i = 0; i < count && status == SV_OK; i++)
        status = probe_pair(probe, &pairs[i], params->row_shift, &results[i], error);
    *found = status == SV_OK && probe_range(results, count, &min, &max);
    if (*found) sv_set_found_range(params, min, max);
    probe_free(probe);
    free(results);
    return status;
}

sv_status sv_measure_rows(const sv_pair *pairs, int count, const sv_rectification *rectification,
                          const sv_params *params, sv_rows *rows, sv_error *error) {
    row_meter *meter = NULL;
    row_fit fit;
    *rows = (sv_rows){.helps = false};
    sv_status status = check(pairs, count, params, true, error);
    if (status != SV_OK) return status;
    status = row_meter_open(&meter, pairs[0].left.width, pairs[0].left.height, rectification, params, 0, error);
    for (int i = 0; i < count && status == SV_OK; i++) status = row_meter_add_if_shown(meter, &pairs[i], error);
    if (status == SV_OK) status = row_meter_fit(meter, &fit, error);
    row_meter_close(meter);
    if (status != SV_OK) return status;
    *rows = (sv_rows){.least = fit.least,
                      .most = fit.most,
                      .size = fit.size,
                      .deviation = fit.deviation,
                      .points = fit.used,
                      .helps = row_fit_helps(&fit)};
    memcpy(rows->terms, fit.terms, sizeof rows->terms);
    return SV_OK;
}
