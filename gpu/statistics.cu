/* What the correlations of ncc and zncc need: the sum and the deviation of the window around each pixel of both
 * pictures (Fan and Dahnoun, Eq. 5-7), and the pictures padded with their edge pixels. */
#include "gpu/correlation.cuh"

enum { PAD_BLOCK = 256, STATISTICS_BLOCK = 128, STATISTICS_ROWS = 16 };

struct statistics_arguments {
    gpu_windows windows[GPU_SIDES];
    int width, height, rho, rho_y;
};

/* A thread writes one pixel of the padded picture of one side (blockIdx.z). */
__global__ static void pad_kernel(const __grid_constant__ statistics_arguments a, const __grid_constant__ sv_image left,
                                  const __grid_constant__ sv_image right) {
    const gpu_windows &to = a.windows[blockIdx.z];
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= to.stride) return;
    const sv_image &picture = blockIdx.z == GPU_LEFT ? left : right;
    to.padded[(size_t)y * to.stride + x] =
        gpu_row<const uint8_t>(picture, sv_clamp(y - GPU_PAD, a.height))[sv_clamp(x - GPU_PAD, a.width)];
}

/* A block finds the statistics of STATISTICS_BLOCK - 2 rho columns and STATISTICS_ROWS rows of one picture
 * (blockIdx.z). A thread keeps the sums of its column, which roll down the rows; the outermost rho threads on
 * each side are the halo.
 *
 * columns: 2 x STATISTICS_BLOCK, sums and sums of squares of a row's columns; rows alternate between the halves,
 * so that one barrier a row is enough. Sums of squares are below 63 * 63 * 255^2 < 2^32. */
__global__ static void __launch_bounds__(STATISTICS_BLOCK)
    statistics_kernel(const __grid_constant__ statistics_arguments a) {
    __shared__ uint2 columns[2][STATISTICS_BLOCK];
    const gpu_windows &picture = a.windows[blockIdx.z];
    const int thread = threadIdx.x, n = (2 * a.rho + 1) * (2 * a.rho_y + 1);
    const int x = blockIdx.x * (STATISTICS_BLOCK - 2 * a.rho) + thread - a.rho, top = blockIdx.y * STATISTICS_ROWS;
    const bool owns_pixels = thread >= a.rho && thread < STATISTICS_BLOCK - a.rho && x < a.width;
    /* Threads beyond the last halo read its outermost column; their sums are not used. */
    const uint8_t *column = picture.padded + min(x + GPU_PAD, picture.stride - 1);
    uint2 sums = make_uint2(0, 0);
    for (int row = -2 * a.rho_y; row < STATISTICS_ROWS; row++) {
        /* The row that enters the window of row `top + row`, and the one that left it. Rows beyond the picture are in
         * the padding, and those beyond the padding belong to no window that is computed. */
        const unsigned enters =
            column[(size_t)min(top + row + a.rho_y + GPU_PAD, a.height + 2 * GPU_PAD - 1) * picture.stride];
        sums.x += enters;
        sums.y += enters * enters;
        if (row > 0) {
            const unsigned left =
                column[(size_t)min(top + row - 1 - a.rho_y + GPU_PAD, a.height + 2 * GPU_PAD - 1) * picture.stride];
            sums.x -= left;
            sums.y -= left * left;
        }
        if (row < 0) continue;
        columns[row % 2][thread] = sums;
        __syncthreads();
        if (!owns_pixels || top + row >= a.height) continue;
        uint2 window = make_uint2(0, 0);
        for (int i = thread - a.rho; i <= thread + a.rho; i++) {
            window.x += columns[row % 2][i].x;
            window.y += columns[row % 2][i].y;
        }
        picture.statistics[(size_t)(top + row) * a.width + x] = {(int)window.x,
                                                                 sv_inverse_deviation(n, (int)window.x, window.y)};
    }
}

size_t gpu_lay_out_windows(gpu_windows windows[GPU_SIDES], int width, int height, void *base) {
    size_t used = 0;
    for (int side = 0; side < GPU_SIDES; side++) {
        gpu_windows *to = &windows[side];
        to->stride = (width + 2 * GPU_PAD + 7) / 4 * 4; /* one word more, which reads of unaligned words may touch */
        to->padded = (uint8_t *)gpu_carve(base, &used, (size_t)to->stride * (height + 2 * GPU_PAD));
        to->statistics = (gpu_window *)gpu_carve(base, &used, sizeof(gpu_window) * width * height);
    }
    return used;
}

sv_status gpu_prepare_windows(gpu_context *context, const gpu_pair *pair, const sv_params *params,
                              const gpu_windows windows[GPU_SIDES], sv_error *error) {
    const int width = context->width, height = context->height;
    statistics_arguments a = {};
    a.width = width;
    a.height = height;
    a.rho = params->rho;
    a.rho_y = sv_rho_y(params);
    for (int side = 0; side < GPU_SIDES; side++) a.windows[side] = windows[side];
    const dim3 pad_grid(gpu_blocks(windows[GPU_LEFT].stride, PAD_BLOCK), height + 2 * GPU_PAD, GPU_SIDES);
    pad_kernel<<<pad_grid, PAD_BLOCK, 0, context->compute>>>(a, pair->picture[GPU_LEFT], pair->picture[GPU_RIGHT]);
    GPU_TRY(cudaGetLastError());
    const dim3 grid(gpu_blocks(width, STATISTICS_BLOCK - 2 * a.rho), gpu_blocks(height, STATISTICS_ROWS), GPU_SIDES);
    statistics_kernel<<<grid, STATISTICS_BLOCK, 0, context->compute>>>(a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}
