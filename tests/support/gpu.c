/* See gpu.h. */
#include "tests/support/gpu.h"
#include "tests/support/test.h"

#if SV_CUDA

#include <stdlib.h>
#include <string.h>

const sv_method gpu_methods[GPU_METHODS] = {SV_SSD, SV_NCC, SV_ZNCC, SV_SGM};

/* ---- Pictures --------------------------------------------------------------------------------- */

static sv_image pinned_picture(int width, int height, int padding) {
    const size_t stride = (size_t)(width + padding);
    sv_image image = {sv_cuda.alloc(stride * (size_t)height), stride, width, height, SV_GREY8, SV_HOST};
    assert_non_null(image.data);
    return image;
}

sv_pair new_pair(int width, int height, int padding) {
    return (sv_pair){.left = pinned_picture(width, height, padding),
                     .right = pinned_picture(width, height, 2 * padding)};
}

void free_pair(sv_pair *pair) {
    sv_cuda.free(pair->left.data);
    sv_cuda.free(pair->right.data);
    sv_cuda.free(pair->left_colour.data);
    sv_cuda.free(pair->right_colour.data);
}

void fill_pair(const sv_pair *pair, int levels) {
    const int width = pair->left.width, height = pair->left.height;
    for (int y = 0; y < height; y++) {
        uint8_t *left = sv_row(&pair->left, y), *right = sv_row(&pair->right, y);
        for (int x = 0; x < width; x++) right[x] = (uint8_t)(random_below(levels) * 255 / levels);
        for (int x = 0; x < width; x++) {
            const int from = x - y * 40 / height - (x > width / 2 ? 9 : 0);
            const int value = from < 0 ? random_below(256) : right[from] + random_below(3);
            left[x] = x < width / 4 && y < height / 4 ? 90 : (uint8_t)(value > 255 ? 255 : value);
        }
    }
}

void give_colour(sv_pair *pair) {
    const sv_image *const grey[] = {&pair->left, &pair->right};
    sv_image *const colour[] = {&pair->left_colour, &pair->right_colour};
    for (int side = 0; side < 2; side++) {
        const int width = grey[side]->width, height = grey[side]->height;
        const size_t stride = 4 * (size_t)(width + side);
        *colour[side] = (sv_image){sv_cuda.alloc(stride * (size_t)height), stride, width, height, SV_COLOUR8, SV_HOST};
        assert_non_null(colour[side]->data);
        for (int y = 0; y < height; y++)
            for (int i = 0; i < 4 * width; i++) {
                const int value = ((const uint8_t *)sv_row(grey[side], y))[i / 4];
                ((uint8_t *)sv_row(colour[side], y))[i] = (uint8_t)(value >> i % 3 ^ random_below(3));
            }
    }
}

sv_params random_params(sv_method method) {
    sv_params params = sv_default_params(method);
    params.rho = ONE_OF(0, 1, 2, 3, 3, 4, 5, 5, 8, 9, 15, 31);
    params.rho_y = ONE_OF(-1, -1, -1, 0, 1, 7);
    params.min_disparity = ONE_OF(0, 0, -5, 12, -100);
    params.max_disparity = params.min_disparity + ONE_OF(0, 3, 16, 63, 70, 127);
    params.prefilter = ONE_OF(SV_PREFILTER_NONE, SV_PREFILTER_CONTRAST, SV_PREFILTER_EXPOSURE);
    params.steps = ONE_OF(1, 1, 2, 4);
    params.max_cost = (float)ONE_OF(0, 0, 100, 3000);
    params.tau = ONE_OF(0, 1, 1, 2, 5, 16);
    params.min_correlation = (float)ONE_OF(-4, -4, 0, 3) / 4;
    params.subpixel = random_below(2);
    params.reseed = ONE_OF(0, 0, 1, 2, 7, 16, 32, 33, 100);
    params.uniqueness = ONE_OF(0, 0, 1, 10, 40, 100);
    params.left_right_check = ONE_OF(-1, 0, 1, 2);
    params.min_confidence = ONE_OF(0, 0, 1, 128, 200, 255);
    params.speckle_size = ONE_OF(0, 0, 1, 20, 300, 100000);
    params.speckle_range = (float)ONE_OF(0, 1, 2, 8) / 2;
    params.fill = ONE_OF(SV_FILL_NONE, SV_FILL_NONE, SV_FILL_ROW, SV_FILL_CROSS, SV_FILL_SURFACE);
    params.median = ONE_OF(0, 0, 3, 5);
    params.weighted_median = ONE_OF(0, 0, 1, 2, 7);
    params.average = ONE_OF(0, 0, 3, 5, 9);
    params.temporal = ONE_OF(1, 1, 2, 8); /* of single frames: kept, but not changed */
    return params;
}

void use_whole_chain(sv_params *params) {
    params->uniqueness = 10;
    params->speckle_size = 100;
    params->fill = SV_FILL_ROW;
    params->median = 5;
    params->weighted_median = 3;
    params->average = 5;
}

/* ---- Maps ------------------------------------------------------------------------------------- */

enum { GUARD_BYTE = 0xa5 };

sv_image new_device_map(sv_format format, int width, int height, int padding) {
    const size_t stride = (size_t)(width + padding) * sv_pixel_size(format), bytes = stride * (size_t)height;
    void *memory;
    CUDA(cudaMalloc(&memory, bytes + 2 * GUARD));
    CUDA(cudaMemset(memory, GUARD_BYTE, bytes + 2 * GUARD));
    return (sv_image){(char *)memory + GUARD, stride, width, height, format, SV_DEVICE};
}

sv_output new_device_output(int width, int height, int padding) {
    return (sv_output){.disparity = new_device_map(SV_FLOAT32, width, height, padding),
                       .reason = new_device_map(SV_REASON8, width, height, 3 * padding)};
}

void free_device_output(const sv_output *output) {
    CUDA(cudaFree((char *)output->disparity.data - GUARD));
    CUDA(cudaFree((char *)output->reason.data - GUARD));
    if (output->confidence.data) CUDA(cudaFree((char *)output->confidence.data - GUARD));
}

sv_output new_host_output(int width, int height) {
    const size_t pixels = (size_t)width * (size_t)height;
    return (sv_output){.disparity = {malloc(4 * pixels), 4 * (size_t)width, width, height, SV_FLOAT32, SV_HOST},
                       .reason = {malloc(pixels), (size_t)width, width, height, SV_REASON8, SV_HOST}};
}

void free_host_output(sv_output *output) {
    free(output->disparity.data);
    free(output->reason.data);
    free(output->confidence.data);
}

void add_confidence(sv_output *output, int padding) {
    const int width = output->reason.width, height = output->reason.height;
    const size_t row = (size_t)width;
    output->confidence = output->reason.memory == SV_DEVICE
                             ? new_device_map(SV_GREY8, width, height, padding)
                             : (sv_image){malloc(row * (size_t)height), row, width, height, SV_GREY8, SV_HOST};
}

/* The number of bytes in which a map in device memory differs from the dense map `want`, guards included; and where the
 * first one is. */
static size_t count_wrong(const sv_image *map, const sv_image *want, int *x, int *y) {
    const size_t bytes = map->stride * (size_t)map->height, pixel = sv_pixel_size(map->format);
    const size_t line = (size_t)map->width * pixel;
    uint8_t *got = malloc(bytes + 2 * GUARD);
    size_t wrong = 0;
    CUDA(cudaMemcpy(got, (const char *)map->data - GUARD, bytes + 2 * GUARD, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < bytes + 2 * GUARD; i++) {
        const size_t at = i - GUARD, row = at / map->stride, column = at % map->stride;
        const int inside = i >= GUARD && at < bytes && column < line;
        if (got[i] == (inside ? ((const uint8_t *)want->data)[row * line + column] : GUARD_BYTE)) continue;
        if (!wrong++) *x = inside ? (int)(column / pixel) : -1, *y = inside ? (int)row : -1;
    }
    free(got);
    return wrong;
}

void check_output(const sv_output *got, const sv_output *want, const sv_params *params) {
    int x = 0, y = 0;
    size_t wrong = count_wrong(&got->reason, &want->reason, &x, &y);
    const char *what = "reason";
    if (!wrong) {
        wrong = count_wrong(&got->disparity, &want->disparity, &x, &y);
        what = "disparity";
    }
    if (!wrong && got->confidence.data) {
        wrong = count_wrong(&got->confidence, &want->confidence, &x, &y);
        what = "confidence";
    }
    if (wrong)
        fail_msg("%zu bytes of the %s map are not the CPU's, the first at (%d, %d) of %d x %d (-1: a guard byte); %s "
                 "rho %d rho-y %d disparities %d:%d steps %d max-cost %g tau %d reseed %d min-correlation %g subpixel "
                 "%d uniqueness %d check %d speckles %d, %g fill %d median %d weighted %d average %d",
                 wrong, what, x, y, got->reason.width, got->reason.height, sv_method_name(params->method), params->rho,
                 sv_rho_y(params), params->min_disparity, params->max_disparity, params->steps,
                 (double)params->max_cost, params->tau, params->reseed, (double)params->min_correlation,
                 params->subpixel, params->uniqueness, params->left_right_check, params->speckle_size,
                 (double)params->speckle_range, params->fill, params->median, params->weighted_median, params->average);
}

/* ---- Matching --------------------------------------------------------------------------------- */

void submit_pair(sv_matcher *matcher, const sv_pair *pair, const sv_params *params, const sv_output *output) {
    sv_error error;
    if (sv_submit(matcher, pair, params, output, &error) != SV_OK) fail_msg("%s", error.text);
}

sv_output cpu_output(const sv_pair *pair, const sv_params *params) {
    sv_output output = new_host_output(pair->left.width, pair->left.height);
    add_confidence(&output, 0);
    sv_matcher *matcher = new_matcher(&sv_cpu, pair->left.width, pair->left.height, 0);
    submit_pair(matcher, pair, params, &output);
    wait_for(matcher);
    sv_matcher_destroy(matcher);
    return output;
}

void compare(const sv_pair *pair, const sv_params *params, int padding) {
    const int width = pair->left.width, height = pair->left.height;
    sv_output want = cpu_output(pair, params);
    sv_output got = new_device_output(width, height, padding);
    if (random_below(2)) add_confidence(&got, 5 * padding);
    sv_matcher *matcher = new_matcher(&sv_cuda, width, height, 0);
    submit_pair(matcher, pair, params, &got);
    wait_for(matcher);
    sv_matcher_destroy(matcher);
    check_output(&got, &want, params);
    free_device_output(&got);
    free_host_output(&want);
}

#else
typedef int nothing; /* a file must not be empty */
#endif
