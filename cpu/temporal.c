/* The temporal filter of stereo/temporal.h. A ring holds the maps that it looks back over and the
 * means of their pictures; a new frame replaces the oldest one.
 *
 * A row is filtered in blocks. Each loop does one small thing with 16 bits for each pixel, so that the compiler makes
 * vectors of it; what passes from one to the next stays in the first cache. For N frames, 3 (N - 1) bytes of the ring
 * are read for each pixel and 3 written, the 5 of the maps are read and written, and the picture is read. */
#include "stereo/temporal.h"
#include "cpu/cpu.h"

#include <omp.h>
#include <string.h>

enum { BLOCK = 256 /* pixels that are filtered together */, KEPT = SV_MAX_TEMPORAL - 1, FEW = 5 /* frames */ };

/* What is kept of a frame, height x width each. */
typedef struct frame {
    int16_t *disparities; /* before this filter, see sv_temporal_kept */
    uint8_t *means;       /* of the squares of the left picture */
} frame;

/* A frame's way through the filter. */
typedef struct filtering {
    const cpu_job *job;
    frame before[KEPT]; /* [i]: the frame i + 1 before this one; the last one's place is this frame's */
    int follows;        /* how many of them there are */
    const frame *own;   /* where this frame is kept */
} filtering;

/* The pixels of a block. */
typedef struct block {
    int16_t values[SV_MAX_TEMPORAL][BLOCK]; /* disparities, by how many frames ago */
    int16_t same[BLOCK];                    /* 1 until the picture changes */
    int16_t chosen[BLOCK], best[BLOCK];     /* with the highest rank, and that rank */
    int16_t sum[BLOCK];                     /* of the differences from it */
    float results[BLOCK];
} block;

/* A thread's memory. */
typedef struct space {
    uint16_t *columns; /* width + 2 SV_TEMPORAL_RADIUS: sums over the height of the squares */
    uint8_t *means;    /* width */
    block *block;
} space;

static size_t lay_out_ring(frame *ring, void *base, const cpu_job *job) {
    const size_t pixels = (size_t)job->width * (size_t)job->height;
    size_t used = 0;
    for (int i = 0; i < job->params->temporal - 1; i++) {
        ring[i].disparities = cpu_carve(base, &used, sizeof(int16_t) * pixels);
        ring[i].means = cpu_carve(base, &used, pixels);
    }
    return used;
}

static size_t lay_out_space(space *s, void *base, int width) {
    size_t used = 0;
    s->columns = cpu_carve(base, &used, sizeof(uint16_t) * (size_t)(width + 2 * SV_TEMPORAL_RADIUS));
    s->means = cpu_carve(base, &used, (size_t)width);
    s->block = cpu_carve(base, &used, sizeof(block));
    return used;
}

/* Fills in the means of row `y`. */
CPU_INLINE void average_squares(const cpu_job *job, const space *s, int y) {
    const int width = job->width;
    uint16_t *restrict columns = s->columns + SV_TEMPORAL_RADIUS;
    uint8_t *restrict means = s->means;
    const uint8_t *rows[2 * SV_TEMPORAL_RADIUS + 1];
    for (int i = 0; i <= 2 * SV_TEMPORAL_RADIUS; i++)
        rows[i] = sv_row(job->left, sv_clamp(y + i - SV_TEMPORAL_RADIUS, job->height));
    for (int x = 0; x < width; x++)
        columns[x] = (uint16_t)(rows[0][x] + rows[1][x] + rows[2][x] + rows[3][x] + rows[4][x]);
    for (int i = 1; i <= SV_TEMPORAL_RADIUS; i++) {
        columns[-i] = columns[0];
        columns[width - 1 + i] = columns[width - 1];
    }
    for (int x = 0; x < width; x++)
        means[x] = sv_temporal_mean(
            (uint16_t)(columns[x - 2] + columns[x - 1] + columns[x] + columns[x + 1] + columns[x + 2]));
}

/* Takes the disparities of a frame. `now`: the means of the newest. */
CPU_INLINE void look_back(const int16_t *restrict disparities, const uint8_t *restrict means,
                          const uint8_t *restrict now, int count, int16_t *restrict same, int16_t *restrict values) {
    for (int i = 0; i < count; i++) {
        const int16_t value = disparities[i];
        same[i] &= sv_temporal_is_same(means[i], now[i]);
        values[i] = same[i] ? value : SV_TEMPORAL_NONE;
    }
}

/* Chooses among the disparities of `most` frames, some of which may have none. The loops over frames are unrolled, so
 * that all of a pixel stays in registers. */
CPU_INLINE void vote(block *restrict b, int most) {
    for (int i = 0; i < BLOCK; i++) {
        int16_t values[SV_MAX_TEMPORAL], ranks[SV_MAX_TEMPORAL], chosen = SV_TEMPORAL_NONE, best = 0, sum = 0;
#pragma GCC unroll 8
        for (int k = 0; k < most; k++) {
            values[k] = b->values[k][i];
            ranks[k] = sv_temporal_rank(values[k], k);
        }
#pragma GCC unroll 8
        for (int k = 1; k < most; k++)
#pragma GCC unroll 8
            for (int newer = 0; newer < k; newer++) {
                const int16_t more = (int16_t)(SV_TEMPORAL_RANK * sv_temporal_is_near(values[newer], values[k]));
                ranks[newer] += more;
                ranks[k] += more;
            }
#pragma GCC unroll 8
        for (int k = 0; k < most; k++) {
            chosen = ranks[k] > best ? values[k] : chosen;
            best = ranks[k] > best ? ranks[k] : best;
        }
#pragma GCC unroll 8
        for (int k = 0; k < most; k++) {
            const int16_t difference = (int16_t)(values[k] - chosen);
            sum += sv_temporal_is_near(values[k], chosen) ? difference : 0;
        }
        b->chosen[i] = chosen;
        b->best[i] = best;
        b->sum[i] = sum;
    }
}

/* Filters `count` pixels, at most BLOCK, from column `begin` of row `y` on. */
CPU_INLINE void filter_block(const filtering *f, block *b, const uint8_t *now, int y, int begin, int count) {
    const size_t at = (size_t)y * (size_t)f->job->width + (size_t)begin;
    const int frames = f->follows + 1;
    float *restrict disparities = (float *)sv_row(f->job->disparity, y) + begin;
    uint8_t *restrict reasons = (uint8_t *)sv_row(f->job->reason, y) + begin;
    for (int i = 0; i < count; i++) b->values[0][i] = sv_temporal_kept(disparities[i]);
    for (int i = 0; i < BLOCK; i++) b->same[i] = 1;
    for (int k = 1; k < frames; k++)
        look_back(f->before[k - 1].disparities + at, f->before[k - 1].means + at, now, count, b->same, b->values[k]);
    const int most = frames <= FEW ? FEW : SV_MAX_TEMPORAL;
    for (int k = frames; k < most; k++)
        for (int i = 0; i < BLOCK; i++) b->values[k][i] = SV_TEMPORAL_NONE;
    if (most == FEW)
        vote(b, FEW);
    else
        vote(b, SV_MAX_TEMPORAL);
    for (int i = 0; i < count; i++) {
        const float before = disparities[i];
        b->results[i] = sv_temporal_result(before, b->chosen[i], b->best[i], b->sum[i]);
        b->same[i] = !(before < INFINITY);
    }
    for (int i = 0; i < count; i++) {
        const uint8_t fills = (uint8_t) - (b->same[i] & (b->results[i] < INFINITY)); /* a mask */
        reasons[i] = (uint8_t)((reasons[i] & ~fills) | (SV_FILLED & fills));
    }
    memcpy(disparities, b->results, sizeof(float) * (size_t)count);
    /* In the place of the last frame before, which has been read. */
    memcpy(f->own->disparities + at, b->values[0], sizeof(int16_t) * (size_t)count);
    memcpy(f->own->means + at, now, (size_t)count);
}

CPU_INLINE void filter_row(const filtering *f, const space *s, int y) {
    const int width = f->job->width;
    average_squares(f->job, s, y);
    for (int x = 0; x < width; x += BLOCK)
        filter_block(f, s->block, s->means + x, y, x, width - x < BLOCK ? width - x : BLOCK);
}

CPU_FOR_AVX512(filter_row, (const filtering *f, const space *s, int y), (f, s, y));

sv_status cpu_temporal(const cpu_job *job, cpu_history *history, int follows, sv_error *error) {
    filter_row_function *const filter = filter_row_of_sets[cpu_choose(job, job->set)];
    const unsigned frames = (unsigned)job->params->temporal - 1;
    frame ring[KEPT];
    space measure;
    filtering f = {.job = job, .follows = follows};
    const size_t size = lay_out_space(&measure, NULL, job->width);
    void *kept = cpu_reserve(&history->frames, lay_out_ring(ring, NULL, job), error);
    char *memory = cpu_reserve(job->scratch, size * (size_t)job->threads, error);
    if (!kept || !memory) return SV_FAILED;
    lay_out_ring(ring, kept, job);
    history->next %= frames; /* there may have been more */
    for (unsigned i = 0; i < frames; i++) f.before[i] = ring[(history->next + frames - 1 - i) % frames];
    f.own = &ring[history->next++];
#pragma omp parallel num_threads(job->threads)
    {
        space s;
        lay_out_space(&s, memory + size * (size_t)omp_get_thread_num(), job->width);
        memset(s.block, 0, sizeof *s.block); /* whole blocks are computed, even past the end of a row */
#pragma omp for
        for (int y = 0; y < job->height; y++) filter(&f, &s, y);
    }
    return SV_OK;
}
