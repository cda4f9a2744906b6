/* The library's search for the range of disparities of a scene. */
#include "rig/probe.h"

#include <stdlib.h>

static sv_status probe_all(probe *probe, const sv_pair *pairs, int count, int row_shift, probe_result *results,
                           sv_error *error) {
    sv_status status = SV_OK;
    for (int i = 0; i < count && status == SV_OK; i++) {
        status = sv_check_host("left picture", &pairs[i].left, error);
        if (status == SV_OK) status = sv_check_host("right picture", &pairs[i].right, error);
        if (status == SV_OK) status = probe_pair(probe, &pairs[i], row_shift, &results[i], error);
    }
    return status;
}

sv_status sv_find_range(const sv_pair *pairs, int count, const sv_rectification *rectification, sv_params *params,
                        bool *found, sv_error *error) {
    probe *probe = NULL;
    int min, max;
    *found = false;
    if (count < 1) return sv_fail(error, SV_USAGE, "at least one pair is needed");
    sv_status status = sv_check_params(params, error);
    if (status != SV_OK) return status;
    probe_result *results = malloc(sizeof *results * (size_t)count);
    if (!results) return sv_fail(error, SV_FAILED, "out of memory for finding the range of disparities");
    status = probe_create(&probe, rectification, 0, error);
    if (status == SV_OK) status = probe_all(probe, pairs, count, params->row_shift, results, error);
    *found = status == SV_OK && probe_range(results, count, &min, &max);
    if (*found) sv_set_found_range(params, min, max);
    probe_free(probe);
    free(results);
    return status;
}
