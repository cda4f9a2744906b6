/* Learned models: the method net. The runtime works in the stream of the context, on tensors that are filled from its
 * pictures and left where they are. The map of the right picture is that of the mirrored pair. */
#include <stdlib.h>

#include "gpu/cuda.cuh"
#include "net/elements.h"
#include "net/net.h"

/* A thread owns one element; a block is a warp wide. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8 };

/* The model that a matcher has open; its smaller contexts share it. */
struct gpu_model {
    net_model *opened;
    int file;             /* its number */
    gpu_context *context; /* that it is run for */
    gpu_buffer tensors[NET_MAX_INPUTS];
};

/* ---- Pictures and maps ------------------------------------------------------------------------- */

__global__ static void fill_kernel(const __grid_constant__ net_input input) {
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x < input.width && y < input.height) net_fill_element(&input, blockIdx.z, x, y);
}

__global__ static void take_kernel(const __grid_constant__ net_output output) {
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x < output.frame.pair_width && y < output.frame.pair_height) net_take_pixel(&output, x, y);
}

/* Turns disparities into candidates, height x width, of which there are `count` from `first` on. */
__global__ static void winners_kernel(const __grid_constant__ sv_image disparity, int first, int count,
                                      int16_t *winners) {
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= disparity.width || y >= disparity.height) return;
    const float candidate = floorf(gpu_row<const float>(disparity, y)[x] + 0.5f) - first;
    winners[(size_t)y * disparity.width + x] = (int16_t)(candidate >= 0 && candidate < count ? candidate : -1);
}

static dim3 grid_of(int width, int height, int layers) {
    return dim3(gpu_blocks(width, BLOCK_WIDTH), gpu_blocks(height, BLOCK_HEIGHT), layers);
}

static sv_status reserve(void *of, int i, size_t bytes, void **tensor, sv_error *error) {
    gpu_model *model = (gpu_model *)of;
    GPU_PASS(gpu_reserve(model->context->compute, &model->tensors[i], bytes, error));
    *tensor = model->tensors[i].data;
    return SV_OK;
}

static sv_status fill(void *of, const net_input *input, sv_error *error) {
    fill_kernel<<<grid_of(input->width, input->height, input->channels), dim3(BLOCK_WIDTH, BLOCK_HEIGHT), 0,
                  ((gpu_model *)of)->context->compute>>>(*input);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

static sv_status wait(void *of, sv_error *error) {
    GPU_TRY(cudaStreamSynchronize(((gpu_model *)of)->context->compute));
    return SV_OK;
}

static sv_status take(void *of, const net_output *output, sv_error *error) {
    const net_frame *f = &output->frame;
    take_kernel<<<grid_of(f->pair_width, f->pair_height, 1), dim3(BLOCK_WIDTH, BLOCK_HEIGHT), 0,
                  ((gpu_model *)of)->context->compute>>>(*output);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

static sv_status fetch(void *of, const sv_image *from, const sv_image *to, sv_error *error) {
    const cudaStream_t stream = ((gpu_model *)of)->context->compute;
    GPU_TRY(cudaMemcpy2DAsync(to->data, to->stride, from->data, from->stride, from->width * sv_pixel_size(from->format),
                              from->height, cudaMemcpyDeviceToHost, stream));
    GPU_TRY(cudaStreamSynchronize(stream));
    return SV_OK;
}

/* ---- The model --------------------------------------------------------------------------------- */

void gpu_close_model(gpu_model *model) {
    if (!model) return;
    net_close(model->opened);
    for (gpu_buffer &tensor : model->tensors) cudaFree(tensor.data);
    free(model);
}

sv_status gpu_open_model(gpu_context *context, const sv_params *params, sv_error *error) {
    if (!sv_methods[params->method].runs_model) return SV_OK;
    if (!context->model) context->model = (gpu_model *)calloc(1, sizeof *context->model);
    gpu_model *model = context->model;
    if (!model) return sv_fail(error, SV_FAILED, "out of memory for a model");
    if (model->opened && model->file == params->model) return SV_OK;
    GPU_TRY(cudaStreamSynchronize(context->compute)); /* the model that is closed may be running */
    net_close(model->opened);
    model->opened = NULL;
    model->file = params->model;
    size_t left, all;
    GPU_TRY(cudaMemGetInfo(&left, &all));
    net_place place = {};
    place.threads = context->threads;
    place.cuda = true;
    place.device = context->device;
    place.stream = context->compute;
    place.memory = left - left / 8; /* the rest is for the window and for other parameters */
    place.of = model;
    place.reserve = reserve;
    place.fill = fill;
    place.wait = wait;
    place.take = take;
    place.fetch = fetch;
    return net_open(sv_file_name(model->file), &place, &model->opened, error);
}

bool gpu_model_judges(const gpu_context *context, const sv_params *params) {
    return sv_methods[params->method].runs_model && net_judges(context->model->opened);
}

/* ---- Matching ---------------------------------------------------------------------------------- */

struct net_scratch {
    float *right; /* height x width: the map of the right picture */
    int width, height;
};

static size_t lay_out(net_scratch *s, void *base) {
    size_t used = 0;
    s->right = (float *)gpu_carve(base, &used, sizeof(float) * s->width * s->height);
    return used;
}

static sv_status find_winners(const gpu_context *context, const sv_params *params, int side, const sv_image *disparity,
                              sv_error *error) {
    winners_kernel<<<grid_of(disparity->width, disparity->height, 1), dim3(BLOCK_WIDTH, BLOCK_HEIGHT), 0,
                     context->compute>>>(*disparity, params->min_disparity, sv_candidates(params),
                                         (int16_t *)context->winners[side].data);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

sv_status gpu_net(gpu_context *context, const gpu_pair *pair, const sv_params *params, const sv_output *maps,
                  sv_error *error) {
    net_scratch s = {NULL, context->width, context->height};
    const size_t row = sizeof(float) * context->width;
    if (params->left_right_check >= 0) GPU_PASS(gpu_use_scratch(context, lay_out, &s, error));
    if (context->scratch.counts) return SV_OK; /* what the runtime takes is not known */
    gpu_model *model = context->model;
    model->context = context;
    sv_pair pictures = {};
    pictures.left = pair->picture[GPU_LEFT];
    pictures.right = pair->picture[GPU_RIGHT];
    if (pair->coloured) {
        const size_t stride = sv_pixel_size(SV_COLOUR8) * context->width;
        pictures.left_colour = {
            pair->colour[GPU_LEFT].data, stride, context->width, context->height, SV_COLOUR8, SV_DEVICE};
        pictures.right_colour = pictures.left_colour;
        pictures.right_colour.data = pair->colour[GPU_RIGHT].data;
    }
    net_times times;
    const net_maps left = {maps->disparity, maps->reason, maps->confidence};
    GPU_PASS(net_run(model->opened, &pictures, false, NULL, &left, &times, error));
    GPU_PASS(find_winners(context, params, GPU_LEFT, &maps->disparity, error));
    if (params->left_right_check < 0) return SV_OK;
    net_maps right = {};
    right.disparity = {s.right, row, context->width, context->height, SV_FLOAT32, SV_DEVICE};
    GPU_PASS(net_run(model->opened, &pictures, true, NULL, &right, &times, error));
    return find_winners(context, params, GPU_RIGHT, &right.disparity, error);
}
