/* Not matchers: what is measured of a pair before it is matched, so that its time can be compared with matching. */
#include "stereo/stereoview.h"
#include "tests/bench/baseline/baseline.h"

static sv_status create(const sv_params *params, const sv_matcher_options *options, void **context, sv_error *error) {
    (void)options, (void)error;
    *context = (void *)params; /* lives as long as the case */
    return SV_OK;
}

static void destroy(void *context) { (void)context; }

static sv_status range(void *context, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    sv_params params = *(const sv_params *)context;
    bool found;
    const double start = sv_seconds();
    (void)disparity;
    const sv_status status = sv_find_range(pair, 1, NULL, &params, &found, error);
    *ms = (float)(1e3 * (sv_seconds() - start));
    return status;
}

static sv_status rows(void *context, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    sv_rows found;
    const double start = sv_seconds();
    (void)disparity;
    const sv_status status = sv_measure_rows(pair, 1, NULL, context, &found, error);
    *ms = (float)(1e3 * (sv_seconds() - start));
    return status;
}

static sv_status check(void *context, const sv_pair *pair, float *disparity, float *ms, sv_error *error) {
    sv_rig_state state;
    const double start = sv_seconds();
    (void)disparity;
    const sv_status status = sv_check_pairs(pair, 1, NULL, context, &state, error);
    *ms = (float)(1e3 * (sv_seconds() - start));
    return status;
}

const baseline rig_range = {"range of a pair", &sv_cpu, SV_SGM, 1, create, range, destroy};
const baseline rig_rows = {"rows of a pair", &sv_cpu, SV_SGM, 1, create, rows, destroy};
const baseline rig_check = {"state of a pair", &sv_cpu, SV_SGM, 1, create, check, destroy};
