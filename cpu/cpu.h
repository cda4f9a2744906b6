/* The stages of the CPU backend, and the data of a pair that passes through them. */
#ifndef CPU_CPU_H
#define CPU_CPU_H

#include "cpu/instructions.h"
#include "cpu/memory.h"
#include "stereo/cancel.h"
#include "stereo/costs.h"

/* A pixel of the left map whose costs a match keeps. */
typedef struct cpu_probe {
    int x, y;        /* in the job's pictures; x -1: none */
    uint32_t *costs; /* candidates: in the form in which the smallest wins, correlations by sv_cost_of_correlation;
                      * SV_NO_COST where there is none */
    uint8_t *tried;  /* candidates: the method compares it */
} cpu_probe;

/* The model that a matcher has open; {0}: none. */
typedef struct cpu_net {
    struct net_model *model;
    int file;       /* its number */
    double in, out; /* seconds that the last match took to fill the model's inputs, and to take its maps */
} cpu_net;

/* One pair on its way through the stages. The pictures and the output belong to the caller, everything else to the
 * matcher. */
typedef struct cpu_job {
    int width, height;
    int full_width, full_height; /* before --scale */
    int scale;                   /* `width` and `height` are 1/scale of these, rounded up */
    int threads;                 /* 1 or more */
    cpu_set set;                 /* the instructions that may be used */
    const sv_params *params;
    const sv_image *left, *right;
    const sv_image *left_colour, *right_colour; /* for gfd; without data if there is no colour */
    const sv_image *disparity, *reason;
    const sv_image
        *confidence; /* NULL: neither wanted nor needed. A method that gives evidence leaves it here for cpu_judge */
    /* Winning candidates of the left map and, only if they are needed, of the right one; -1 where there is none. height
     * x width, dense. */
    int16_t *winner[2];
    uint32_t *cost[2];      /* of the winners, as in cpu_probe; NULL if not needed. All methods write the left ones */
    const cpu_probe *probe; /* NULL: no costs are kept */
    const uint8_t *weights; /* SV_WEIGHTS, of the weighted median */
    const struct sv_rectification *rectification; /* NULL: none */
    const sv_cancel *cancel;                      /* NULL: never */
    cpu_buffer *scratch;                          /* for the current stage */
    cpu_net *net;                                 /* for the method net */
    cpu_set *ran; /* receives the instruction set of the loops that a stage chose; may be NULL */
} cpu_job;

/* An sv_status is SV_FAILED if there is no memory. */

/* Replaces `pictures` by rectified ones in `buffer`, the colour pictures only if the method uses them. */
sv_status cpu_rectify(const cpu_job *job, sv_pair *pictures, cpu_buffer *buffer, sv_error *error);

/* --prefilter, and its filters: they replace those of the `pictures` that they change by filtered ones in `buffer`. */
sv_status cpu_prefilter(const cpu_job *job, sv_pair *pictures, cpu_buffer *buffer, sv_error *error);
sv_status cpu_contrast(const cpu_job *job, sv_pair *pictures, cpu_buffer *buffer, sv_error *error);
sv_status cpu_expose(const cpu_job *job, sv_pair *pictures, cpu_buffer *buffer, sv_error *error);

/* The pictures and maps of a pair that is matched at a smaller size. */
typedef struct cpu_scaled {
    sv_pair pictures;
    sv_image disparity, reason, confidence;
    sv_params params;
    char *spaces; /* memory of the threads for cpu_enlarge */
} cpu_scaled;

/* Fills in `small`, a job at 1/scale of the size, and reduces the pictures. Its pictures and maps are in `buffer`; if
 * there is no memory, they have no data. */
sv_status cpu_reduce(const cpu_job *full, cpu_scaled *scaled, cpu_job *small, cpu_buffer *buffer, sv_error *error);

/* Enlarges the maps of `small` to those of `full`. */
void cpu_enlarge(const cpu_job *small, const cpu_scaled *scaled, const cpu_job *full);

/* Invalidates the pixels of the disparity map at which the rectified left picture is empty and, if `matches` is set,
 * those whose match is an empty pixel of the right one. It is called with `matches` before refinement and without it
 * afterwards. */
void cpu_mark_outside(const cpu_job *job, bool matches);

/* The methods: fill in `winner`, `disparity` and `reason`, including the threshold and the uniqueness test. */
#define METHOD(NAME, name) sv_status cpu_match_##name(const cpu_job *job, sv_error *error);
#include "stereo/methods.def"

/* Matches with the method that the parameters name. */
sv_status cpu_match(const cpu_job *job, sv_error *error);

/* The method net: opens the model, before it is matched with; does nothing for other methods. Closes it. True if it
 * fills in the confidence itself. */
sv_status cpu_open_net(const cpu_job *job, sv_error *error);
void cpu_close_net(cpu_net *net);
bool cpu_net_judges(const cpu_job *job);

/* Fills in the confidence of all matches, after matching. Needs the winners of both maps. */
sv_status cpu_judge(const cpu_job *job, sv_error *error);

/* Sets the confidence to 0 where the reason is not SV_VALID. */
void cpu_withdraw(const cpu_job *job);

/* Refines the disparity map in place by the parameters: the left-right check, the least confidence, then the steps
 * below, in this order. */
sv_status cpu_refine(const cpu_job *job, sv_error *error);

/* The steps; each works on the result of the one before. */
sv_status cpu_remove_speckles(const cpu_job *job, sv_error *error);
sv_status cpu_fill_holes(const cpu_job *job, sv_error *error);
sv_status cpu_fill(const cpu_job *job, sv_error *error);
sv_status cpu_median(const cpu_job *job, sv_error *error);
sv_status cpu_weighted_median(const cpu_job *job, sv_error *error);
sv_status cpu_average(const cpu_job *job, sv_error *error);

/* A confidence map of the job's size in `buffer`; without data, and with a message, if there is no memory. */
sv_image cpu_make_confidence(const cpu_job *job, cpu_buffer *buffer, sv_error *error);

/* The frames that the temporal filter looks back over. Its owner frees frames.data with free. */
typedef struct cpu_history {
    cpu_buffer frames;
    unsigned next; /* where in the ring the next frame is kept */
} cpu_history;

/* The temporal filter, after everything else: averages the maps of `job` with those of the `follows` frames before, and
 * keeps them for the frames to come. */
sv_status cpu_temporal(const cpu_job *job, cpu_history *history, int follows, sv_error *error);

/* The beginning of cpu_fill for SV_FILL_SURFACE. */
sv_status cpu_continue_surfaces(const cpu_job *job, sv_error *error);

/* sv_backend.footprint (footprint.c). */
sv_status cpu_footprint(const sv_matcher_options *options, const sv_params *params, sv_footprint *footprint,
                        sv_error *error);

/* How many threads a matcher uses. */
int cpu_threads(const sv_matcher_options *options);

/* True if the costs of a pixel in row `y` of the left map are kept; true if it is this pixel. */
static inline bool cpu_probes_row(const cpu_job *job, int y) {
    return job->probe && job->probe->x >= 0 && job->probe->y == y;
}
static inline bool cpu_probes(const cpu_job *job, int x, int y) { return cpu_probes_row(job, y) && job->probe->x == x; }

/* Keeps the cost of a candidate. */
static inline void cpu_keep(const cpu_job *job, int k, uint32_t cost, bool tried) {
    job->probe->costs[k] = cost;
    job->probe->tried[k] = tried;
}

/* Report what a job has kept after it was matched: the costs of its probe's pixel; those of the winners. */
void cpu_report_costs(const cpu_job *job, sv_costs *costs);
void cpu_report_winners(const cpu_job *job, const sv_image *winners);

/* Records in `ran` which loops a stage chose, and returns `chosen`. */
static inline cpu_set cpu_choose(const cpu_job *job, cpu_set chosen) {
    if (job->ran) *job->ran = chosen;
    return chosen;
}

/* True if the match is to be cancelled. Long loops check it before each row or band and skip the rest of their work.
 * Their results are then incomplete, so a stage that uses those of an earlier one as indices checks again first: once a
 * thread has skipped work, all threads see the request after the next barrier. */
static inline bool cpu_gives_up(const cpu_job *job) { return sv_cancelled(job->cancel); }

#endif
