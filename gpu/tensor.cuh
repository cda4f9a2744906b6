/* Sums of products of windows on tensor cores, for tensor_search.cuh and ncc_volume.cu.
 *
 * When a window moves down a row, its sum of products with another window grows by the products of the row that enters
 * and shrinks by those of the row that leaves. For 16 pixels of one picture and 8 columns of the other, these changes
 * are a product of two byte matrices, 16 x K and K x 8, where K is twice the number of columns of a window. One
 * instruction computes it for K = 32 and adds it to the sums, which stay in registers.
 *
 * Bytes are signed, so 128 is subtracted from grey values. The row that leaves must be negated in one of the pictures,
 * but -(-128) does not fit in a byte. Its complement ~b = -b - 1 does; the difference, the sum of the values of the
 * first picture that have left, is another such product, with ones in the place of the second matrix.
 */
#ifndef GPU_TENSOR_CUH
#define GPU_TENSOR_CUH

#include <stdint.h>

/* The compute capability that gpu_multiply_add needs; it does nothing in code for earlier cards. */
enum { GPU_TENSOR_CAPABILITY = 80 };

/* sums += a b, of a warp together: 16 x 32 times 32 x 8 signed bytes. Lane 4 group + member has of the sums rows group
 * and group + 8 with columns 2 member and 2 member + 1; of a, word `member` of both rows, then word 4 + member of both;
 * of b, words `member` and 4 + member of column `group`. (PTX: mma.m16n8k32.) */
__device__ static __forceinline__ void gpu_multiply_add(int (&sums)[4], const uint32_t (&a)[4], uint32_t b0,
                                                        uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/* The bytes of a word that leave. */
enum : uint32_t { GPU_LEAVING = 0xff00ff00 };

/* Four columns of a row, as they are stored for gpu_roll: a word has from the lowest byte what enters in a column; what
 * leaves, complemented; and both in the next column. The arguments are signed bytes of four columns and of the next
 * four. */
__device__ static __forceinline__ uint4 gpu_changes(uint32_t enters, uint32_t next_enters, uint32_t leaves,
                                                    uint32_t next_leaves) {
    const uint32_t last_enters = __funnelshift_r(enters, next_enters, 24);
    const uint32_t last_leaves = __funnelshift_r(leaves, next_leaves, 24);
    return make_uint4(__byte_perm(enters, ~leaves, 0x5140), __byte_perm(enters, ~leaves, 0x6251),
                      __byte_perm(enters, ~leaves, 0x7362), __byte_perm(last_enters, ~last_leaves, 0x5140));
}

/* The bytes of word `word` of a row of a window that belong to the window. Word w has its columns 2 w and 2 w + 1. */
__device__ static __forceinline__ uint32_t gpu_bytes_of_window(int word, int rho) {
    return (word <= rho ? 0xffffu : 0) | (word < rho ? 0xffff0000u : 0);
}

/* Moves the sums of 16 pixels and 8 TILES columns down to a row, with PRODUCTS instructions for each 8 columns.
 *
 * own, other: the words of the row from where lane 4 group + member begins (its pixel or column `group`, term
 * `member`). masks: the bytes of words 4 i + member that belong to the window. any_left: false until the first window
 * is complete, when nothing leaves. left: the sums of the values of `own` that have left, for pixels `group` and
 * `group` + 8 in elements 0 and 2. */
template <int PRODUCTS, int TILES>
__device__ static __forceinline__ void gpu_roll(int (&sums)[TILES][4], int (&left)[4], const uint32_t *own,
                                                const uint32_t *other, const uint32_t (&masks)[2 * PRODUCTS],
                                                bool any_left) {
    const uint32_t kept = any_left ? ~0u : ~GPU_LEAVING;
    uint32_t words[2 * PRODUCTS + 1], terms[PRODUCTS][4];
#pragma unroll
    for (int i = 0; i <= 2 * PRODUCTS; i++) words[i] = (own[8 * i] ^ GPU_LEAVING) & kept;
#pragma unroll
    for (int p = 0; p < PRODUCTS; p++) {
        /* The pixel eight further has the words that are four further of this one. */
        terms[p][0] = words[2 * p] & masks[2 * p];
        terms[p][1] = words[2 * p + 1] & masks[2 * p];
        terms[p][2] = words[2 * p + 1] & masks[2 * p + 1];
        terms[p][3] = words[2 * p + 2] & masks[2 * p + 1];
    }
    /* The later terms of a column are the earlier ones of the column eight further. */
#pragma unroll
    for (int tile = 0; tile < TILES; tile++)
#pragma unroll
        for (int p = 0; p < PRODUCTS; p++)
            gpu_multiply_add(sums[tile], terms[p], other[8 * (tile + 2 * p)], other[8 * (tile + 2 * p + 1)]);
#pragma unroll
    for (int p = 0; p < PRODUCTS; p++) gpu_multiply_add(left, terms[p], 0x01000100, 0x01000100);
}

#endif
