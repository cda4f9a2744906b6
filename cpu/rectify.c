/* Rectification: remaps a pair by the rectification maps of stereo/rig.h, and invalidates the pixels of the result for
 * which the rectified pictures are empty. */
#include "cpu/cpu.h"
#include "stereo/pixel.h"
#include "stereo/rig.h"

#include <math.h>
#include <string.h>
#if CPU_VECTORS
#include <immintrin.h>
#endif

/* Row `y` of a side's rectification map, full width x (x, y); NULL if there is none. */
static const int32_t *map_row(const cpu_job *job, int side, int y) {
    const sv_rectification *r = job->rectification;
    return r && r->maps[side] ? r->maps[side] + 2 * (size_t)y * (size_t)r->width : NULL;
}

/* Interpolates between the four pixels, of `bytes` bytes each, around a position in the picture. */
CPU_INLINE void remap_pixel(const sv_image *from, const int32_t place[2], uint8_t *to, size_t bytes) {
    if (place[0] == SV_MAP_OUTSIDE) {
        memset(to, 0, bytes);
        return;
    }
    const uint32_t at_x = (uint32_t)place[0], at_y = (uint32_t)place[1];
    const int x = (int)(at_x / SV_MAP_STEPS), y = (int)(at_y / SV_MAP_STEPS);
    const int right = (int)(at_x % SV_MAP_STEPS), down = (int)(at_y % SV_MAP_STEPS);
    /* Beyond the last column and row, pixels have weight 0, and existing ones are read instead. */
    const size_t next = x + 1 < from->width ? bytes : 0, below = y + 1 < from->height ? from->stride : 0;
    const uint8_t *pixel = (const uint8_t *)from->data + (size_t)y * from->stride + (size_t)x * bytes;
    for (size_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)sv_bilinear(pixel[i], pixel[i + next], pixel[i + below], pixel[i + below + next], right, down);
}

/* Remaps a grey row from column `x` on. */
static void remap_row(const sv_image *from, const int32_t *map, int x, uint8_t *to) {
    for (; x < from->width; x++) remap_pixel(from, map + 2 * x, to + x, 1);
}

/* Remaps a grey row eight columns at a time and returns the first column that remains. Rows must be at least 4 pixels
 * wide, and offsets in the picture must fit in 32 bits. */
#if CPU_VECTORS
CPU_AVX2 static int remap_row_avx2(const sv_image *from, const int32_t *map, uint8_t *to) {
    const __m256i zero = _mm256_setzero_si256(), part = _mm256_set1_epi32(SV_MAP_STEPS - 1);
    const __m256i one_in_both = _mm256_set1_epi32(SV_MAP_STEPS), half = _mm256_set1_epi32(512);
    const __m256i last_fetch = _mm256_set1_epi32(from->width - 4), last_row = _mm256_set1_epi32(from->height - 1);
    const __m256i stride = _mm256_set1_epi32((int)from->stride);
    int x = 0;
    for (; x + 8 <= from->width; x += 8) {
        /* Columns are in the order 0 1 4 5 | 2 3 6 7, up to the last step. */
        const __m256 low = _mm256_loadu_ps((const float *)(map + 2 * x));
        const __m256 high = _mm256_loadu_ps((const float *)(map + 2 * x + 8));
        const __m256i place_x = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88));
        const __m256i place_y = _mm256_castps_si256(_mm256_shuffle_ps(low, high, 0xdd));
        const __m256i outside = _mm256_cmpgt_epi32(zero, place_x);
        const __m256i at_x = _mm256_andnot_si256(outside, place_x), at_y = _mm256_andnot_si256(outside, place_y);
        const __m256i column = _mm256_srli_epi32(at_x, 5), row = _mm256_srli_epi32(at_y, 5);
        /* A gather reads 4 bytes of the row, of which the lowest two are used. At the end of the row it reads earlier
         * ones, which are shifted. */
        const __m256i fetch = _mm256_min_epi32(column, last_fetch);
        const __m256i excess = _mm256_slli_epi32(_mm256_sub_epi32(column, fetch), 3);
        const __m256i above = _mm256_add_epi32(_mm256_mullo_epi32(row, stride), fetch);
        const __m256i below = _mm256_add_epi32(above, _mm256_and_si256(_mm256_cmpgt_epi32(last_row, row), stride));
        const __m256i upper = _mm256_srlv_epi32(_mm256_i32gather_epi32(from->data, above, 1), excess);
        const __m256i lower = _mm256_srlv_epi32(_mm256_i32gather_epi32(from->data, below, 1), excess);
        /* Weights: that of the pixel is in the low half of each word, that of its neighbour in the high half. */
        const __m256i right = _mm256_and_si256(at_x, part), down = _mm256_and_si256(at_y, part);
        const __m256i across = _mm256_add_epi32(_mm256_sub_epi32(one_in_both, right), _mm256_slli_epi32(right, 8));
        const __m256i along = _mm256_add_epi32(_mm256_sub_epi32(one_in_both, down), _mm256_slli_epi32(down, 16));
        const __m256i rows = _mm256_or_si256(_mm256_maddubs_epi16(upper, across),
                                             _mm256_slli_epi32(_mm256_maddubs_epi16(lower, across), 16));
        const __m256i sum = _mm256_add_epi32(_mm256_madd_epi16(rows, along), half);
        const __m256i grey = _mm256_andnot_si256(outside, _mm256_srli_epi32(sum, 10));
        const __m256i words = _mm256_packus_epi32(grey, grey);
        const __m256i bytes = _mm256_packus_epi16(words, words);
        const __m128i pairs = _mm_unpacklo_epi16(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1));
        _mm_storel_epi64((__m128i *)(to + x), pairs);
    }
    return x;
}
#else
static int remap_row_avx2(const sv_image *from, const int32_t *map, uint8_t *to) {
    (void)from, (void)map, (void)to;
    return 0;
}
#endif

static void remap_colour_row(const sv_image *from, const int32_t *map, uint8_t *to) {
    for (int x = 0; x < from->width; x++) remap_pixel(from, map + 2 * x, to + 4 * x, 4);
}

/* Replaces `picture` by the rectified one, which is written densely into `memory`. */
static void remap(const cpu_job *job, int side, void *memory, sv_image *picture) {
    const size_t line = (size_t)job->width * sv_pixel_size(picture->format);
    const int shift = side ? job->params->row_shift : 0;
    const bool fits = job->width >= 4 && picture->stride * (size_t)job->height <= INT32_MAX;
    const bool fast = cpu_choose(job, job->set >= CPU_HAS_AVX2 && fits ? CPU_HAS_AVX2 : CPU_PORTABLE) != CPU_PORTABLE;
    sv_image to = *picture;
    to.data = memory;
    to.stride = line;
#pragma omp parallel for num_threads(job->threads)
    for (int y = 0; y < job->height; y++) {
        const int row = y + shift;
        uint8_t *out = sv_row(&to, y);
        if (row < 0 || row >= job->height)
            memset(out, 0, line);
        else if (!map_row(job, side, row))
            memcpy(out, sv_row(picture, row), line);
        else if (picture->format == SV_GREY8)
            remap_row(picture, map_row(job, side, row),
                      fast ? remap_row_avx2(picture, map_row(job, side, row), out) : 0, out);
        else
            remap_colour_row(picture, map_row(job, side, row), out);
    }
    *picture = to;
}

sv_status cpu_rectify(const cpu_job *job, sv_pair *pictures, cpu_buffer *buffer, sv_error *error) {
    sv_image *const all[] = {&pictures->left, &pictures->right, &pictures->left_colour, &pictures->right_colour};
    const int count = sv_methods[job->params->method].uses_colour && pictures->left_colour.data ? 4 : 2;
    size_t sizes[4], all_sizes = 0, used = 0;
    for (int i = 0; i < count; i++) {
        sizes[i] = (size_t)job->width * (size_t)job->height * sv_pixel_size(all[i]->format);
        cpu_carve(NULL, &all_sizes, sizes[i]);
    }
    void *memory = cpu_reserve(buffer, all_sizes, error);
    if (!memory) return SV_FAILED;
    for (int i = 0; i < count; i++) remap(job, i % 2, cpu_carve(memory, &used, sizes[i]), all[i]);
    return SV_OK;
}

/* True if the rectified picture is empty at column `x` of a row; `map` is that row's rectification map, or NULL. */
static inline bool outside(const cpu_job *job, const int32_t *map, int x) {
    return map && map[2 * sv_middle_pixel(x, job->scale, job->full_width)] == SV_MAP_OUTSIDE;
}

void cpu_mark_outside(const cpu_job *job, bool matches) {
#pragma omp parallel for num_threads(job->threads)
    for (int y = 0; y < job->height; y++) {
        const int left_row = sv_middle_pixel(y, job->scale, job->full_height);
        const int right_row = left_row + job->params->row_shift;
        const bool no_right = right_row < 0 || right_row >= job->full_height;
        const int32_t *left = map_row(job, 0, left_row), *right = no_right ? NULL : map_row(job, 1, right_row);
        float *disparity = sv_row(job->disparity, y);
        uint8_t *reason = sv_row(job->reason, y);
        for (int x = 0; x < job->width; x++) {
            if (!outside(job, left, x)) {
                if (!matches || reason[x] != SV_VALID) continue;
                if (!no_right && !outside(job, right, sv_matched_column(x, disparity[x], job->width))) continue;
            }
            disparity[x] = INFINITY;
            reason[x] = SV_BORDER;
        }
    }
}
