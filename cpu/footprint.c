/* How much memory a matcher takes: its stages are called with buffers that only count (cpu/memory.h), so that each
 * requests its memory and does nothing else. */
#include "cpu/cpu.h"
#include "stereo/rig.h"

#include <omp.h>

int cpu_threads(const sv_matcher_options *options) {
    return options->threads ? options->threads : omp_get_max_threads();
}

/* The steps of refinement that take memory; the left-right check takes none, and would read the winners. */
static void measure_refinement(const cpu_job *job) {
    const sv_params *params = job->params;
    if (params->speckle_size) cpu_remove_speckles(job, NULL);
    if (params->holes) cpu_fill_holes(job, NULL);
    if (params->fill) cpu_fill(job, NULL);
    if (params->median) cpu_median(job, NULL);
    if (params->weighted_median) cpu_weighted_median(job, NULL);
    if (params->average) cpu_average(job, NULL);
}

sv_status cpu_footprint(const sv_matcher_options *options, const sv_params *params, sv_footprint *footprint,
                        sv_error *error) {
    (void)error;
    const int width = options->width, height = options->height;
    const size_t pixels = (size_t)width * (size_t)height;
    const sv_rectification *r = options->rectification;
    /* The stages ask whether pictures and winners have data, but read none. */
    int16_t none = 0;
    const sv_image grey = {&none, (size_t)width, width, height, SV_GREY8, SV_HOST};
    const sv_image colour = {&none, 4 * (size_t)width, width, height, SV_COLOUR8, SV_HOST};
    const sv_image disparity = {&none, sizeof(float) * (size_t)width, width, height, SV_FLOAT32, SV_HOST};
    const sv_image reason = {&none, (size_t)width, width, height, SV_REASON8, SV_HOST};
    sv_pair pictures = {.left = grey, .right = grey, .left_colour = colour, .right_colour = colour};
    cpu_buffer scratch = {.counts = true}, rectified = scratch, filtered = scratch, reduced = scratch,
               confidence = scratch;
    cpu_history history = {.frames = scratch};
    const cpu_job full = {
        .width = width,
        .height = height,
        .full_width = width,
        .full_height = height,
        .scale = 1,
        .threads = cpu_threads(options),
        .set = cpu_available(),
        .params = params,
        .left = &pictures.left,
        .right = &pictures.right,
        .left_colour = &pictures.left_colour,
        .right_colour = &pictures.right_colour,
        .disparity = &disparity,
        .reason = &reason,
        .winner = {&none, &none},
        .rectification = r,
        .scratch = &scratch,
    };
    cpu_job job = full;
    cpu_scaled scaled;
    if (sv_has_maps(r) || params->row_shift) cpu_rectify(&full, &pictures, &rectified, NULL);
    if (params->min_confidence) cpu_make_confidence(&full, &confidence, NULL);
    if (params->scale > 1) cpu_reduce(&full, &scaled, &job, &reduced, NULL);
    sv_pair same = pictures;
    cpu_prefilter(&job, &same, &filtered, NULL);
    cpu_match(&job, NULL);
    measure_refinement(&job);
    cpu_judge(&job, NULL);
    if (params->temporal > 1) cpu_temporal(&full, &history, 0, NULL);
    const size_t winners = 2 * sizeof(int16_t) * pixels;
    footprint->host =
        winners + scratch.size + rectified.size + filtered.size + reduced.size + confidence.size + history.frames.size;
    return SV_OK;
}
