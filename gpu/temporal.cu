/* The temporal filter of stereo/temporal.h. A ring holds the maps that it looks back over and the
 * means of their pictures; a new frame replaces the oldest one.
 *
 * It is launched by itself after the graph of a frame (graph.cu), since its arguments change from frame to frame: where
 * the frames are in the ring. For N frames, 3 (N - 1) bytes of the ring are read for each pixel and 3 written, the 5 of
 * the maps are read and written, and the picture is read. */
#include "gpu/cuda.cuh"
#include "stereo/temporal.h"

enum {
    RADIUS = SV_TEMPORAL_RADIUS,
    WIDTH = 32, /* of a block, in pixels; a thread owns one */
    HEIGHT = 8,
    ROWS = HEIGHT + 2 * RADIUS,
    COLUMNS = WIDTH + 2 * RADIUS,
    KEPT = SV_MAX_TEMPORAL - 1
};

/* What is kept of a frame, height x width each. */
struct frame {
    int16_t *disparities; /* before this filter, see sv_temporal_kept */
    uint8_t *means;       /* of the squares of the left picture */
};

struct temporal_arguments {
    sv_image left;
    sv_output maps;
    frame before[KEPT]; /* [i]: the frame i + 1 before this one; the last one's place is this frame's */
    int follows;        /* how many of them there are */
    frame own;          /* where this frame is kept */
};

/* pixels: the block's pixels and those around it up to RADIUS, extended beyond the edges of the picture.
 * sums: over the 2 RADIUS + 1 pixels around a pixel in its row. */
__global__ static void __launch_bounds__(WIDTH *HEIGHT) temporal_kernel(const __grid_constant__ temporal_arguments a) {
    __shared__ uint8_t pixels[ROWS][COLUMNS];
    __shared__ int sums[ROWS][WIDTH];
    const int width = a.left.width, height = a.left.height;
    const int left = (int)blockIdx.x * WIDTH - RADIUS, top = (int)blockIdx.y * HEIGHT - RADIUS;
    const int thread = threadIdx.y * WIDTH + threadIdx.x;
    for (int i = thread; i < ROWS * COLUMNS; i += WIDTH * HEIGHT) {
        const int row = i / COLUMNS, column = i % COLUMNS;
        const uint8_t *line = gpu_row<const uint8_t>(a.left, sv_clamp(top + row, height));
        pixels[row][column] = line[sv_clamp(left + column, width)];
    }
    __syncthreads();
    for (int row = threadIdx.y; row < ROWS; row += HEIGHT) {
        int sum = 0;
        for (int i = 0; i <= 2 * RADIUS; i++) sum += pixels[row][threadIdx.x + i];
        sums[row][threadIdx.x] = sum;
    }
    __syncthreads();
    const int x = left + RADIUS + threadIdx.x, y = top + RADIUS + threadIdx.y;
    if (x >= width || y >= height) return;
    int square = 0;
    for (int i = 0; i <= 2 * RADIUS; i++) square += sums[threadIdx.y + i][threadIdx.x];
    const uint8_t mean = sv_temporal_mean((uint16_t)square);

    const size_t at = (size_t)y * width + x;
    float *disparity = gpu_row<float>(a.maps.disparity, y) + x;
    const float before = *disparity;
    /* The disparities of each frame back, and their ranks. The loops are unrolled, so that both stay in registers. */
    int16_t values[SV_MAX_TEMPORAL], ranks[SV_MAX_TEMPORAL];
    bool same = true;
#pragma unroll
    for (int k = 0; k < SV_MAX_TEMPORAL; k++) {
        values[k] = k ? (int16_t)SV_TEMPORAL_NONE : sv_temporal_kept(before);
        if (k && k <= a.follows) {
            same = same && sv_temporal_is_same(a.before[k - 1].means[at], mean);
            if (same) values[k] = a.before[k - 1].disparities[at];
        }
        ranks[k] = sv_temporal_rank(values[k], k);
    }
#pragma unroll
    for (int k = 1; k < SV_MAX_TEMPORAL; k++)
#pragma unroll
        for (int newer = 0; newer < k; newer++)
            if (k <= a.follows) {
                const int more = SV_TEMPORAL_RANK * sv_temporal_is_near(values[newer], values[k]);
                ranks[newer] += more;
                ranks[k] += more;
            }
    int chosen = SV_TEMPORAL_NONE, best = 0, sum = 0;
#pragma unroll
    for (int k = 0; k < SV_MAX_TEMPORAL; k++)
        if (ranks[k] > best) {
            chosen = values[k];
            best = ranks[k];
        }
#pragma unroll
    for (int k = 0; k < SV_MAX_TEMPORAL; k++)
        if (sv_temporal_is_near(values[k], chosen)) sum += values[k] - chosen;
    const float after = sv_temporal_result(before, chosen, best, sum);
    if (!(before < INFINITY) && after < INFINITY) gpu_row<uint8_t>(a.maps.reason, y)[x] = SV_FILLED;
    *disparity = after;
    a.own.disparities[at] = values[0];
    a.own.means[at] = mean;
}

static size_t lay_out(frame *ring, void *base, int frames, size_t pixels) {
    size_t used = 0;
    for (int i = 0; i < frames; i++) {
        ring[i].disparities = (int16_t *)gpu_carve(base, &used, sizeof(int16_t) * pixels);
        ring[i].means = (uint8_t *)gpu_carve(base, &used, pixels);
    }
    return used;
}

sv_status gpu_temporal(gpu_context *context, const gpu_pair *pair, const sv_params *params, int follows,
                       const sv_output *maps, sv_error *error) {
    const size_t pixels = (size_t)context->width * context->height;
    const int frames = params->temporal - 1;
    gpu_history *history = &context->history;
    frame ring[KEPT] = {};
    GPU_PASS(gpu_reserve(context->compute, &history->frames, lay_out(ring, NULL, frames, pixels), error));
    lay_out(ring, history->frames.data, frames, pixels);
    history->next %= frames; /* there may have been more */
    temporal_arguments a = {};
    a.left = pair->picture[GPU_LEFT];
    a.maps = *maps;
    a.follows = follows;
    for (int i = 0; i < frames; i++) a.before[i] = ring[(history->next + frames - 1 - i) % frames];
    a.own = ring[history->next++];
    const dim3 grid(gpu_blocks(context->width, WIDTH), gpu_blocks(context->height, HEIGHT));
    temporal_kernel<<<grid, dim3(WIDTH, HEIGHT), 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
