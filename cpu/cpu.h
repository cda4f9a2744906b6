/* What the stages of the CPU backend share: a pair on its way through them, and memory that is kept from
 * one pair to the next. */
#ifndef CPU_CPU_H
#define CPU_CPU_H

#include "stereo/stereo.h"

/* Memory that grows when it must and is never given back before the matcher goes. */
typedef struct cpu_buffer {
    void *data;
    size_t size; /* bytes */
} cpu_buffer;

/* At least `size` bytes, aligned for vectors, holding anything; what was there before is lost. NULL with
 * a message if there is no memory. */
void *cpu_reserve(cpu_buffer *buffer, size_t size, sv_error *error);

/* Takes `size` bytes at `*used` of a block that begins at `base`, aligned as the block is, and moves
 * `*used` on. With a `base` of NULL it only counts, so that one function both measures a layout and
 * makes it. */
void *cpu_carve(void *base, size_t *used, size_t size);

/* One pair on its way through the stages. The pictures and the output are the caller's, the rest the
 * matcher's. */
typedef struct cpu_job {
    int width, height;
    int threads; /* 1 or more */
    const sv_params *params;
    const sv_image *left, *right;
    const sv_image *left_colour, *right_colour; /* for gfd; without data where there is no colour */
    const sv_image *disparity, *reason;
    /* Winning candidates of the left map and, only if the left-right check is on, of the right one; -1
     * where there is none. height x width, dense. */
    int16_t *winner[2];
    uint32_t *cost[2];                            /* of the winners, for pyramids; NULL if they are not asked for */
    const uint8_t *weights;                       /* SV_WEIGHTS, of the weighted median */
    const struct sv_rectification *rectification; /* NULL: none */
    cpu_buffer *scratch;                          /* for the stage that runs */
    cpu_buffer *pyramid;                          /* for the levels of one */
} cpu_job;

/* Replaces `pictures` by rectified ones in `buffer`, the colour ones only if the method uses them. SV_FAILED if there
 * is no memory. */
sv_status cpu_rectify(const cpu_job *job, sv_pair *pictures, cpu_buffer *buffer, sv_error *error);

/* Takes the value from pixels that rectification has nothing to show for and, if `matches` is set, from those whose
 * match is such a place of the right picture: before refinement with it, afterwards without. */
void cpu_mark_outside(const cpu_job *job, bool matches);

/* The methods: fill in `winner`, `disparity` and `reason` as far as threshold and uniqueness. SV_FAILED if
 * there is no memory. */
sv_status cpu_match_ssd(const cpu_job *job, sv_error *error);
sv_status cpu_match_ncc(const cpu_job *job, sv_error *error);
sv_status cpu_match_zncc(const cpu_job *job, sv_error *error);
sv_status cpu_match_gfd(const cpu_job *job, sv_error *error);
sv_status cpu_match_sgm(const cpu_job *job, sv_error *error);

/* ssd or zncc over an image pyramid, in their place. */
sv_status cpu_match_pyramid(const cpu_job *job, sv_error *error);

/* That of them which the parameters ask for. */
sv_status cpu_match(const cpu_job *job, sv_error *error);

/* All that the parameters ask for after that, in place: the left-right check and the steps below, in their
 * order. SV_FAILED if there is no memory. */
sv_status cpu_refine(const cpu_job *job, sv_error *error);

/* Its steps, each on the map that the one before left. */
sv_status cpu_remove_speckles(const cpu_job *job, sv_error *error);
sv_status cpu_fill_holes(const cpu_job *job, sv_error *error);
sv_status cpu_fill(const cpu_job *job, sv_error *error);
sv_status cpu_median(const cpu_job *job, sv_error *error);
sv_status cpu_weighted_median(const cpu_job *job, sv_error *error);
sv_status cpu_average(const cpu_job *job, sv_error *error);

/* The inner loops are compiled for several sets of instructions where it pays: a function that is marked
 * CPU_AVX2 or CPU_AVX512 may only be called if cpu_level() is at least that. Integers and single roundings
 * give all of them the same result. */
typedef enum cpu_set { CPU_PORTABLE, CPU_HAS_AVX2, CPU_HAS_AVX512 } cpu_set;

#if defined(__x86_64__) && defined(__GNUC__)
#define CPU_VECTORS 1
#define CPU_AVX2    __attribute__((target("avx2")))
#define CPU_AVX512  __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl")))
#else
#define CPU_VECTORS 0
#define CPU_AVX2
#define CPU_AVX512
#endif

/* What this processor has; SV_CPU=portable or avx2 in the environment makes it less, so that tests reach all. */
cpu_set cpu_level(void);
static inline bool cpu_has_avx2(void) { return cpu_level() >= CPU_HAS_AVX2; }

#define CPU_INLINE static inline __attribute__((always_inline))

#endif
