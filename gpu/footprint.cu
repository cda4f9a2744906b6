/* How much device memory a matcher takes. Its pictures are counted here as context.cu and backend.cu allocate them. The
 * scratch memory is counted by the stages themselves: in a context whose scratch buffer only counts, each requests its
 * memory and launches nothing. */
#include "gpu/cuda.cuh"
#include "gpu/speckle.cuh"

/* Bytes of a picture that cudaMallocPitch allocates. */
static sv_status measure_picture(int width, int height, size_t *bytes, sv_error *error) {
    void *row;
    size_t pitch;
    GPU_TRY(cudaMallocPitch(&row, &pitch, width, 1));
    GPU_TRY(cudaFree(row));
    *bytes = pitch * height;
    return SV_OK;
}

/* The scratch memory of the context that matches. */
static size_t measure_scratch(gpu_context *own, const sv_params *params) {
    gpu_pair pair = {};
    sv_output maps = {};
    maps.disparity.width = own->width;
    maps.disparity.height = own->height;
    own->scratch.counts = true;
    own->filtered.between[GPU_RIGHT] = 1; /* as if the filtered pictures were there */
    if (sv_prefilters(params) && params->prefilter == SV_PREFILTER_EXPOSURE) gpu_expose(own, &pair, NULL);
    sv_params matching = *params; /* as for the confidence */
    matching.left_right_check = params->left_right_check < 0 ? 0 : params->left_right_check;
    gpu_match(own, &pair, &matching, &maps, NULL);
    gpu_regions regions;
    gpu_reserve_regions(own, params, &regions, NULL);
    if (params->fill != SV_FILL_NONE) gpu_fill(own, params, NULL, &maps, &maps.disparity, NULL);
    return own->scratch.bytes;
}

/* The frames that the temporal filter looks back over. */
static size_t measure_history(const sv_matcher_options *options, const sv_params *params) {
    gpu_context full = {};
    const gpu_pair pair = {};
    const sv_output maps = {};
    full.width = options->width;
    full.height = options->height;
    full.history.frames.counts = true;
    if (params->temporal > 1) gpu_temporal(&full, &pair, params, 0, &maps, NULL);
    return full.history.frames.bytes;
}

sv_status gpu_footprint(const sv_matcher_options *options, const sv_params *params, sv_footprint *footprint,
                        sv_error *error) {
    const size_t side = GPU_SIDES, grey = 1, colour = 4, map = sizeof(float) + 2, winner = sizeof(int16_t);
    const size_t pixels = (size_t)options->width * options->height;
    const bool mapped = sv_has_maps(options->rectification);
    const bool coloured = sv_methods[params->method].uses_colour;
    const sv_params scaled = sv_scaled_params(*params);
    gpu_context own = {};
    size_t picture = 0, own_picture = 0; /* gcc does not see that they are set */
    own.device = options->device;
    GPU_PASS(gpu_find_device(&own, error));
    own.width = sv_reduced(options->width, params->scale);
    own.height = sv_reduced(options->height, params->scale);
    GPU_PASS(measure_picture(options->width, options->height, &picture, error));
    GPU_PASS(measure_picture(own.width, own.height, &own_picture, error));
    const size_t own_pixels = (size_t)own.width * own.height;

    size_t pair = side * picture + map * pixels;
    if (coloured) pair += side * colour * pixels;
    if (mapped || params->row_shift) pair += side * (grey + (coloured ? colour : 0)) * pixels;
    size_t sum = SV_IN_FLIGHT * pair + side * winner * pixels;
    for (int i = 0; mapped && i < GPU_SIDES; i++)
        if (options->rectification->maps[i]) sum += sizeof(int2) * pixels;
    if (params->scale > 1)
        sum += side * own_picture + (map + side * winner + (coloured ? side * colour : 0)) * own_pixels;
    if (sv_prefilters(params)) {
        sum += side * own_picture;
        if (coloured && params->prefilter == SV_PREFILTER_EXPOSURE) sum += colour * own_pixels;
    }
    if (params->min_confidence) sum += pixels;
    if (gpu_refine_passes(params)) sum += sizeof(float) * own_pixels;
    footprint->device = sum + measure_scratch(&own, &scaled) + measure_history(options, params);
    return SV_OK;
}
