/* How far disparity maps are from the truth: the measures of the Middlebury and KITTI benchmarks. */
#include "stereo/stereo.h"

#include <math.h>

sv_status sv_score_check(const sv_image *disparity, const sv_image *truth, sv_error *error) {
    if (disparity->width == truth->width && disparity->height == truth->height) return SV_OK;
    return sv_fail(
        error, SV_FAILED,
        "the disparity map is %d x %d pixels and the ground truth is %d x %d; give the ground truth of these pictures",
        disparity->width, disparity->height, truth->width, truth->height);
}

sv_status sv_score_map(const sv_image *disparity, const sv_image *truth, sv_score *result, sv_error *error) {
    if (disparity->format != SV_FLOAT32 || truth->format != SV_FLOAT32)
        return sv_fail(error, SV_USAGE, "a score compares two maps of disparities in 32-bit floating point");
    if (sv_check_host("disparity map", disparity, error) != SV_OK || sv_check_host("truth", truth, error) != SV_OK)
        return SV_USAGE;
    if (sv_score_check(disparity, truth, error) != SV_OK) return SV_FAILED;

    int64_t known = 0, valued = 0, over1 = 0, over2 = 0, over4 = 0, outliers = 0;
    double sum = 0;
    for (int y = 0; y < truth->height; y++) {
        const float *d = sv_row(disparity, y), *t = sv_row(truth, y);
        for (int x = 0; x < truth->width; x++) {
            if (!isfinite(t[x])) continue;
            known++;
            if (!isfinite(d[x])) continue;
            const double wrong = fabs((double)d[x] - t[x]);
            valued++;
            over1 += wrong > 1;
            over2 += wrong > 2;
            over4 += wrong > 4;
            outliers += wrong > 3 && wrong > 0.05 * fabs((double)t[x]);
            sum += wrong;
        }
    }
    const double none = (double)(known - valued);
    const double of_known = known ? 100.0 / (double)known : NAN, of_valued = 100.0 / (double)(valued ? valued : 1);
    *result = (sv_score){
        .density = of_known * (double)valued,
        .bad1 = of_known * ((double)over1 + none),
        .bad2 = of_known * ((double)over2 + none),
        .bad4 = of_known * ((double)over4 + none),
        .v1 = of_valued * (double)over1,
        .v2 = of_valued * (double)over2,
        .d1 = of_known * ((double)outliers + none),
        .average = valued ? sum / (double)valued : NAN,
    };
    return SV_OK;
}
