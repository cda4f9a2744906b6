/* How sure each match is (stereo/confidence.h): after matching, before refinement. */
#include "gpu/launch.cuh"
#include "stereo/confidence.h"

/* In both kernels a thread owns one pixel; a block is a warp wide, so that its rows are read in whole lines. */
enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8 };

struct judge_arguments {
    sv_image confidence;               /* with the evidence of methods that give any */
    const int16_t *winners[GPU_SIDES]; /* height x width: candidates */
    int first;                         /* disparity of candidate 0, in 1/steps pixel */
    int steps;
    int most; /* evidence; 0: the method gives none */
};

/* Each thread reads its own window, 81 winners, nearly all from the cache. */
__global__ static void judge_kernel(const __grid_constant__ judge_arguments a) {
    gpu_begin();
    const int width = a.confidence.width, height = a.confidence.height;
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= width || y >= height) return;
    uint8_t *confidence = gpu_row<uint8_t>(a.confidence, y) + x;
    const size_t row = (size_t)y * width;
    const int winner = a.winners[GPU_LEFT][row + x];
    if (winner < 0) {
        *confidence = 0;
        return;
    }
    const int top = max(y - SV_CONFIDENCE_RADIUS, 0), bottom = min(y + SV_CONFIDENCE_RADIUS, height - 1);
    const int left = max(x - SV_CONFIDENCE_RADIUS, 0), right = min(x + SV_CONFIDENCE_RADIUS, width - 1);
    int n = 0, sum = 0, squares = 0; /* squares: at most 81 * 4092^2, below 2^31 */
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++) {
            const int near = a.winners[GPU_LEFT][(size_t)j * width + i];
            if (near < 0) continue;
            n++;
            sum += near;
            squares += near * near;
        }
    const int match = sv_nearest_column(a.steps * x - (a.first + winner), a.steps);
    const int apart = sv_confidence_apart(winner, a.winners[GPU_RIGHT] + row, match, width, a.steps);
    *confidence = (uint8_t)sv_confidence(a.most ? *confidence : 0, a.most, apart, n, sum, squares, a.steps);
}

__global__ static void withdraw_kernel(const __grid_constant__ sv_output maps) {
    gpu_begin();
    const int x = blockIdx.x * BLOCK_WIDTH + threadIdx.x, y = blockIdx.y * BLOCK_HEIGHT + threadIdx.y;
    if (x >= maps.reason.width || y >= maps.reason.height) return;
    if (gpu_row<const uint8_t>(maps.reason, y)[x] != SV_VALID) gpu_row<uint8_t>(maps.confidence, y)[x] = 0;
}

static dim3 grid_of(const sv_image &image) {
    return dim3(gpu_blocks(image.width, BLOCK_WIDTH), gpu_blocks(image.height, BLOCK_HEIGHT));
}

sv_status gpu_judge(gpu_context *context, const sv_params *params, const sv_output *maps, sv_error *error) {
    judge_arguments a = {};
    a.confidence = maps->confidence;
    for (int side = 0; side < GPU_SIDES; side++) a.winners[side] = (const int16_t *)context->winners[side].data;
    a.steps = sv_steps(params);
    a.first = params->min_disparity * a.steps;
    a.most = sv_methods[params->method].gives_evidence ? SV_EVIDENCE : 0;
    return gpu_launch(context, error, judge_kernel, grid_of(a.confidence), dim3(BLOCK_WIDTH, BLOCK_HEIGHT), a);
}

sv_status gpu_withdraw(gpu_context *context, const sv_output *maps, sv_error *error) {
    return gpu_launch(context, error, withdraw_kernel, grid_of(maps->reason), dim3(BLOCK_WIDTH, BLOCK_HEIGHT), *maps);
}
