/* Prepares the pictures for correlations on tensor cores: see rows.cuh. 128 is subtracted from grey values, which
 * changes no covariance. */
#include "gpu/rows.cuh"

#include "gpu/tensor.cuh"

enum { BLOCK = 128, ROWS = 16 };

struct rows_arguments {
    gpu_rows to;
    sv_image pictures[GPU_SIDES];
    int width, height, rho, rho_y;
};

/* A block prepares COLUMNS columns and ROWS rows of one picture (blockIdx.z). A thread sums up its column of the
 * windows; then it takes four pixels of a row at a time, whose windows share most of their columns.
 *
 * values: the block's pixels, from the row that leaves the first window to the one that enters the last.
 * columns: sums and sums of squares of a window's columns; the odd pitch spreads rows over the banks. */
template <bool WIDE> struct rows_block {
    enum {
        RADIUS = WIDE ? GPU_ROWS_RADIUS : 7,
        HALO = RADIUS + 1,         /* columns on each side */
        COLUMNS = BLOCK - 2 * HALO /* that it prepares */
    };
    alignas(4) uint8_t values[ROWS + 2 * RADIUS + 1][BLOCK];
    uint2 columns[ROWS][BLOCK + 1];
};

template <bool WIDE>
__global__ static void __launch_bounds__(BLOCK) prepare_kernel(const __grid_constant__ rows_arguments a) {
    typedef rows_block<WIDE> block;
    __shared__ block shared;
    enum { HALO = block::HALO, VALUES = sizeof shared.values / sizeof *shared.values, QUADS = block::COLUMNS / 4 };
    const int side = blockIdx.z, thread = threadIdx.x, rho = a.rho, rho_y = a.rho_y, stride = a.to.stride;
    const int first = (int)blockIdx.x * block::COLUMNS - HALO; /* column */
    const int top = blockIdx.y * ROWS, rows = min(a.height - top, (int)ROWS);
    const int read_x = sv_clamp(first + thread - a.to.pad, a.width);
#pragma unroll
    for (int i = 0; i < VALUES; i++) /* all reads at once */
        if (i < rows + 2 * rho_y + 1)
            shared.values[i][thread] =
                gpu_row<const uint8_t>(a.pictures[side], sv_clamp(top - rho_y - 1 + i, a.height))[read_x];
    uint2 sums = make_uint2(0, 0);
    const auto add = [&](int row, int sign) {
        const int value = shared.values[row][thread];
        sums.x += sign * value;
        sums.y += sign * value * value;
    };
#pragma unroll 4
    for (int i = 1; i <= 2 * rho_y; i++) add(i, 1);
#pragma unroll 4
    for (int row = 0; row < rows; row++) {
        if (row > 0) add(row, -1);
        add(row + 2 * rho_y + 1, 1);
        shared.columns[row][thread] = sums;
    }
    __syncthreads();

    const int n = (2 * rho + 1) * (2 * rho_y + 1);
    const uint32_t pitch = gpu_pitch(stride);
    char *const to = a.to.rows + side * a.to.picture + (top + 2 * rho_y) * pitch;
    /* The rows before the first have only words, and nothing leaves there. */
    const int before = top > 0 ? 0 : 2 * rho_y;
    for (int i = thread; i < QUADS * (before + rows); i += BLOCK) {
        const int row = i / QUADS - before, quad = i % QUADS * 4, column = first + HALO + quad;
        if (column >= stride) continue;
        const uint32_t *enter = (const uint32_t *)&shared.values[row + 2 * rho_y + 1][HALO + quad];
        const uint32_t *leave = (const uint32_t *)&shared.values[max(row, 0)][HALO + quad];
        enum : uint32_t { SIGNS = 0x80808080 }; /* v - 128 is v ^ 0x80 as a signed byte */
        *(uint4 *)(to + row * (ptrdiff_t)pitch + column * sizeof(uint32_t)) =
            gpu_changes(enter[0] ^ SIGNS, enter[1] ^ SIGNS, leave[0] ^ SIGNS, leave[1] ^ SIGNS);
    }
    for (int i = thread; i < QUADS * rows; i += BLOCK) {
        const int row = i % rows, quad = i / rows * 4, column = first + HALO + quad, x = column - a.to.pad;
        if (column >= stride) continue;
        const uint2 *entering = &shared.columns[row][HALO + quad - rho], *leaving = entering;
        uint2 sum = make_uint2(0, 0);
        for (int k = 0; k < 2 * rho; k++, entering++) {
            sum.x += entering->x;
            sum.y += entering->y;
        }
        gpu_window windows[4];
#pragma unroll
        for (int k = 0; k < 4; k++, entering++) {
            sum.x += entering->x;
            sum.y += entering->y;
            const float inverse =
                WIDE ? sv_inverse_deviation(n, sum.x, sum.y) : sv_inverse_deviation_of_few(n, sum.x, sum.y);
            const bool is_pixel = x + k >= 0 && x + k < a.width;
            windows[k] = {(int)sum.x - 128 * n, is_pixel && inverse > 0 ? inverse : NAN};
            sum.x -= leaving->x;
            sum.y -= leaving++->y;
        }
        int4 *pairs = (int4 *)(to + row * pitch + stride * sizeof(uint32_t) + column * sizeof(gpu_window));
#pragma unroll
        for (int k = 0; k < 2; k++)
            pairs[k] = make_int4(windows[2 * k].sum, __float_as_int(windows[2 * k].inverse), windows[2 * k + 1].sum,
                                 __float_as_int(windows[2 * k + 1].inverse));
    }
}

void gpu_lay_out_rows(gpu_rows *rows, int width, int height, int rho_y, int pad, void *base, size_t *used) {
    rows->pad = pad;
    rows->stride = (width + 2 * pad + 3) / 4 * 4;
    rows->picture = gpu_pitch(rows->stride) * (height + 2 * rho_y);
    rows->rows = (char *)gpu_carve(base, used, (size_t)GPU_SIDES * rows->picture);
}

template <bool WIDE> static sv_status launch(gpu_context *context, const rows_arguments *a, sv_error *error) {
    const dim3 grid(gpu_blocks(a->to.stride, rows_block<WIDE>::COLUMNS), gpu_blocks(a->height, ROWS), GPU_SIDES);
    prepare_kernel<WIDE><<<grid, BLOCK, 0, context->compute>>>(*a);
    GPU_TRY(cudaGetLastError());
    return SV_OK;
}

sv_status gpu_prepare_rows(gpu_context *context, const gpu_pair *pair, int rho, int rho_y, const gpu_rows *rows,
                           sv_error *error) {
    rows_arguments a = {};
    a.to = *rows;
    a.width = context->width;
    a.height = context->height;
    a.rho = rho;
    a.rho_y = rho_y;
    for (int side = 0; side < GPU_SIDES; side++) a.pictures[side] = pair->picture[side];
    return max(rho, rho_y) > (int)rows_block<false>::RADIUS ? launch<true>(context, &a, error)
                                                            : launch<false>(context, &a, error);
}
