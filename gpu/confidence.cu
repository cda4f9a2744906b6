/* How sure each match is (stereo/confidence.h): after matching, before refinement. */
#include "gpu/launch.cuh"
#include "stereo/confidence.h"

/* In both kernels a thread owns one pixel; a block is a warp wide, so that its rows are read in whole lines. */
enum {
    BLOCK_WIDTH = 32,
    BLOCK_HEIGHT = 8,
    RADIUS = SV_CONFIDENCE_RADIUS,
    ROWS = BLOCK_HEIGHT + 2 * RADIUS,
    COLUMNS = BLOCK_WIDTH + 2 * RADIUS
};

struct judge_arguments {
    sv_image confidence;               /* with the evidence of methods that give any */
    const int16_t *winners[GPU_SIDES]; /* height x width: candidates */
    int first;                         /* disparity of candidate 0, in 1/steps pixel */
    int steps;
    int most; /* evidence; 0: the method gives none */
};

/* Of the winners in a row of the window, or in all of it. */
struct winner_sums {
    int n, sum, squares; /* squares: at most 81 * 4092^2, below 2^31 */
};

/* winners: the block's and those around it up to RADIUS, -1 beyond the edges of the picture.
 * sums: over the 2 RADIUS + 1 winners around a pixel in its row. */
__global__ static void __launch_bounds__(BLOCK_WIDTH *BLOCK_HEIGHT)
    judge_kernel(const __grid_constant__ judge_arguments a) {
    __shared__ int16_t winners[ROWS][COLUMNS];
    __shared__ winner_sums sums[ROWS][BLOCK_WIDTH];
    gpu_begin();
    const int width = a.confidence.width, height = a.confidence.height;
    const int left = (int)blockIdx.x * BLOCK_WIDTH - RADIUS, top = (int)blockIdx.y * BLOCK_HEIGHT - RADIUS;
    for (int i = threadIdx.y * BLOCK_WIDTH + threadIdx.x; i < ROWS * COLUMNS; i += BLOCK_WIDTH * BLOCK_HEIGHT) {
        const int row = i / COLUMNS, column = i % COLUMNS, x = left + column, y = top + row;
        const bool inside = x >= 0 && x < width && y >= 0 && y < height;
        winners[row][column] = inside ? a.winners[GPU_LEFT][(size_t)y * width + x] : (int16_t)-1;
    }
    __syncthreads();
    for (int row = threadIdx.y; row < ROWS; row += BLOCK_HEIGHT) {
        winner_sums s = {};
#pragma unroll
        for (int i = 0; i <= 2 * RADIUS; i++) {
            const int near = winners[row][threadIdx.x + i];
            if (near < 0) continue;
            s.n++;
            s.sum += near;
            s.squares += near * near;
        }
        sums[row][threadIdx.x] = s;
    }
    __syncthreads();
    const int x = left + RADIUS + threadIdx.x, y = top + RADIUS + threadIdx.y;
    if (x >= width || y >= height) return;
    uint8_t *confidence = gpu_row<uint8_t>(a.confidence, y) + x;
    const int winner = winners[threadIdx.y + RADIUS][threadIdx.x + RADIUS];
    if (winner < 0) {
        *confidence = 0;
        return;
    }
    winner_sums s = {};
#pragma unroll
    for (int i = 0; i <= 2 * RADIUS; i++) {
        const winner_sums &row = sums[threadIdx.y + i][threadIdx.x];
        s.n += row.n;
        s.sum += row.sum;
        s.squares += row.squares;
    }
    const int match = sv_nearest_column(a.steps * x - (a.first + winner), a.steps);
    const int apart = sv_confidence_apart(winner, a.winners[GPU_RIGHT] + (size_t)y * width, match, width, a.steps);
    *confidence = (uint8_t)sv_confidence(a.most ? *confidence : 0, a.most, apart, s.n, s.sum, s.squares, a.steps);
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
