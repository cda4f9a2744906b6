/* The stages of the CPU backend, and what a pair on its way through them carries. */
#ifndef CPU_CPU_H
#define CPU_CPU_H

#include "cpu/instructions.h"
#include "cpu/memory.h"
#include "stereo/stereo.h"

/* One pair on its way through the stages. The pictures and the output are the caller's, the rest the
 * matcher's. */
typedef struct cpu_job {
    int width, height;
    int threads;   /* 1 or more */
    cpu_set level; /* the instructions that may be used */
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
    cpu_set *ran;                                 /* which loops a stage chose goes there; NULL: nowhere */
} cpu_job;

/* Replaces `pictures` by rectified ones in `buffer`, the colour ones only if the method uses them. SV_FAILED if there
 * is no memory. */
sv_status cpu_rectify(const cpu_job *job, sv_pair *pictures, cpu_buffer *buffer, sv_error *error);

/* Replaces the grey `pictures` by filtered ones in `buffer`. SV_FAILED if there is no memory. */
sv_status cpu_prefilter(const cpu_job *job, sv_pair *pictures, cpu_buffer *buffer, sv_error *error);

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

/* That of them which the parameters name, on pictures of one size. */
sv_status cpu_match(const cpu_job *job, sv_error *error);

/* The same over an image pyramid, for methods that have one (sv_uses_pyramid). */
sv_status cpu_match_pyramid(const cpu_job *job, sv_error *error);

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

/* A stage says which loops it chose. */
static inline cpu_set cpu_choose(const cpu_job *job, cpu_set chosen) {
    if (job->ran) *job->ran = chosen;
    return chosen;
}

#endif
