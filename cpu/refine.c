/* Refinement of a disparity map: the left-right check, and the order of the steps. */
#include "cpu/cpu.h"
#include "stereo/pixel.h"

#include <math.h>

/* Invalidates the pixels of row `y` whose match in the right picture does not point back. */
static void check_row(const cpu_job *job, int y) {
    const sv_params *params = job->params;
    const int steps = sv_steps(params), tolerance = params->left_right_check * steps;
    const int16_t *left = job->winner[0] + (size_t)y * (size_t)job->width;
    const int16_t *right = job->winner[1] + (size_t)y * (size_t)job->width;
    float *disparity = sv_row(job->disparity, y);
    uint8_t *reason = sv_row(job->reason, y);
    for (int x = 0; x < job->width; x++) {
        /* Without branches, because whether a pixel fails is hard to predict. */
        const int match = sv_nearest_column(steps * x - (params->min_disparity * steps + left[x]), steps);
        const int back = right[sv_clamp(match, job->width)], apart = back < left[x] ? left[x] - back : back - left[x];
        const int fails =
            (reason[x] == SV_VALID) & ((match != sv_clamp(match, job->width)) | (back < 0) | (apart > tolerance));
        disparity[x] = fails ? INFINITY : disparity[x];
        reason[x] = (uint8_t)(fails ? SV_LEFT_RIGHT_CONFLICT : reason[x]);
    }
}

sv_status cpu_refine(const cpu_job *job, sv_error *error) {
    const sv_params *params = job->params;
    sv_status status = SV_OK;
    if (job->winner[1]) {
#pragma omp parallel for num_threads(job->threads)
        for (int y = 0; y < job->height; y++) check_row(job, y);
    }
    if (params->speckle_size) status = cpu_remove_speckles(job, error);
    for (int i = 0; status == SV_OK && params->holes && i < params->hole_passes && !cpu_gives_up(job); i++)
        status = cpu_fill_holes(job, error);
    if (status == SV_OK && params->fill) status = cpu_fill(job, error);
    if (status == SV_OK && params->median) status = cpu_median(job, error);
    if (status == SV_OK && params->weighted_median) status = cpu_weighted_median(job, error);
    if (status == SV_OK && params->average) status = cpu_average(job, error);
    return status;
}
