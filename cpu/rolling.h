/* The search of the full range with a window that rolls down the rows, which ssd and zncc share.
 *
 * A value of every pair of pixels, a squared difference or a product, is summed over windows: the sums of
 * every column of the window are kept and, from one row to the next, lose the row that leaves and gain the
 * row that enters; the sum over the window's columns slides along the row in the same way. All candidates of
 * a pixel are worked on together, side by side in vectors. Where candidates lie in whole pixels, the right
 * map comes from the same sums: a pair of windows has one cost whichever of the two is the reference.
 *
 * Rows are shared out among the threads in bands; a band keeps one row of column sums, so that memory grows
 * with width x candidates and not with the height. */
#ifndef CPU_ROLLING_H
#define CPU_ROLLING_H

#include "cpu/cpu.h"
#include "stereo/pixel.h"

#include <string.h>

#define CPU_NO_COST UINT32_MAX /* of a candidate that cannot be chosen */

/* What is the same for all rows of a map. */
typedef struct rolling {
    const cpu_job *job;
    int right; /* 1: the right picture is the reference */
    int both;  /* 1: the reference is the left one, and the right map comes along */
    int width, rho, rho_y;
    int min_disparity, steps, count;
    int padded;         /* rolling_padded */
    int columns;        /* of the padded picture: width + 2 rho */
    int positions;      /* of the other picture that the candidates reach, in 1/steps pixel */
    const void *method; /* what the method needs to know beside this */
} rolling;

/* What a thread works in. Values are in 1/steps grey level. */
typedef struct rolling_space {
    uint32_t *columns; /* columns x padded: sums of each column of the window */
    uint32_t *sums;    /* padded: of the window of the pixel at hand */
    uint32_t *nothing; /* padded: zeros */
    /* The row that enters the window and the one that leaves it. */
    int16_t *reference[2];  /* columns */
    int16_t *other[2];      /* positions; ordered so that candidates k, k + 1 are neighbours */
    uint32_t *right_costs;  /* width, columns from right to left: the least cost so far */
    int32_t *right_winners; /* and its candidate */
    void *own;              /* what the method asked for; zeros when a band begins */
} rolling_space;

/* How the sum of a candidate changes: what a pair of values of the row that enters adds, less what one of
 * the row that leaves had added. */
typedef uint32_t rolling_change(int16_t enter, int16_t other_enter, int16_t leave, int16_t other_leave);

/* The costs of the candidates of the pixel at column `x`, padded, from the sums of its window. */
typedef const uint32_t *rolling_costs(const rolling *r, const rolling_space *w, int x);

/* The pixel at column `x` of the left map: its reason, and its disparity in pixels or an infinity, from the costs of
 * its candidates `first`..`last`. `winner`: -1 if none of them has a cost. */
typedef int rolling_decide(const rolling *r, const rolling_space *w, int x, const uint32_t *costs, int winner,
                           int first, int last, float *disparity);

/* Works on row `y`, whose pixels have been read. */
typedef void rolling_row(const rolling *r, const rolling_space *w, int y);

/* Matches the job's pair, every thread in a space with `own` bytes for the method. `add` adds the row that
 * enters to the columns' sums (rolling_add), `match` matches a row (rolling_match_row). */
sv_status rolling_match(const cpu_job *job, const void *method, size_t own, rolling_row *add, rolling_row *match,
                        sv_error *error);

/* The number of candidates, padded so that vector loops have no rest. */
static inline int rolling_padded(const cpu_job *job) {
    enum { LANES = 16 };
    return (sv_candidates(job->params) + LANES - 1) / LANES * LANES;
}

/* Where candidate 0 of padded column `i` is in `other`. */
static inline int rolling_position(const rolling *r, int i) { return r->steps * (r->right ? i : r->columns - 1 - i); }

CPU_INLINE void rolling_add(const rolling *r, const rolling_space *w, rolling_change *change) {
    for (int i = 0; i < r->columns; i++) {
        uint32_t *restrict sums = w->columns + (size_t)i * (size_t)r->padded;
        const int16_t *values = w->other[0] + rolling_position(r, i), value = w->reference[0][i];
        for (int k = 0; k < r->padded; k++) sums[k] += change(value, values[k], 0, 0);
    }
}

CPU_INLINE uint32_t rolling_least(const uint32_t *costs, int first, int last) {
    uint32_t least = CPU_NO_COST;
    for (int k = first; k <= last; k++) least = costs[k] < least ? costs[k] : least;
    return least;
}

/* The least cost of the candidates that are no neighbours of the winner; CPU_NO_COST if there is none. */
CPU_INLINE uint32_t rolling_second(const rolling *r, const uint32_t *costs, int winner, int first, int last) {
    const uint32_t below = rolling_least(costs, first, winner - r->steps - 1);
    const uint32_t above = rolling_least(costs, winner + r->steps + 1, last);
    return below < above ? below : above;
}

/* The first candidate with the least cost, -1 if none has one. */
CPU_INLINE int rolling_winner(const uint32_t *costs, int first, int last) {
    const uint32_t least = rolling_least(costs, first, last);
    if (least == CPU_NO_COST) return -1;
    uint32_t winner = UINT32_MAX;
    for (int k = first; k <= last; k++) {
        const uint32_t candidate = (uint32_t)k | -(uint32_t)(costs[k] != least);
        winner = candidate < winner ? candidate : winner;
    }
    return (int)winner;
}

/* Moves the window down to row `y` and matches it. */
CPU_INLINE void rolling_match_row(const rolling *r, const rolling_space *w, int y, rolling_change *change,
                                  rolling_costs *costs_of, rolling_decide *decide) {
    const cpu_job *job = r->job;
    const int padded = r->padded, width = r->width;
    const size_t row = (size_t)y * (size_t)width;
    int16_t *winners = job->winner[r->right] + row;
    float *disparity = sv_row(job->disparity, y);
    uint8_t *reason = sv_row(job->reason, y);
    uint32_t *restrict sums = w->sums;

    memset(sums, 0, sizeof *sums * (size_t)padded);
    if (r->both) {
        memset(w->right_costs, 0xff, sizeof *w->right_costs * (size_t)width); /* CPU_NO_COST */
        memset(w->right_winners, 0xff, sizeof *w->right_winners * (size_t)width);
    }
    for (int i = 0; i < r->columns; i++) {
        uint32_t *restrict column = w->columns + (size_t)i * (size_t)padded;
        const uint32_t *passed = i > 2 * r->rho ? column - (size_t)(2 * r->rho + 1) * (size_t)padded : w->nothing;
        const int16_t *enters = w->other[0] + rolling_position(r, i), *leaves = w->other[1] + rolling_position(r, i);
        const int16_t enter = w->reference[0][i], leave = w->reference[1][i];
        for (int k = 0; k < padded; k++) {
            const uint32_t sum = column[k] + change(enter, enters[k], leave, leaves[k]);
            column[k] = sum;
            sums[k] += sum - passed[k];
        }
        const int x = i - 2 * r->rho;
        if (x < 0) continue;

        const int first = sv_first_candidate(x, width, r->min_disparity, r->steps, r->right);
        const int last = sv_last_candidate(x, width, r->min_disparity, r->steps, r->count, r->right);
        const uint32_t *costs = costs_of(r, w, x);
        const int winner = rolling_winner(costs, first, last);
        winners[x] = (int16_t)winner;
        if (job->cost[r->right]) job->cost[r->right][row + (size_t)x] = winner < 0 ? CPU_NO_COST : costs[winner];
        if (r->right) continue;
        reason[x] = (uint8_t)decide(r, w, x, costs, winner, first, last, &disparity[x]);
        if (r->both) {
            /* Candidate k belongs to the right picture's column x - min - k, which meets its candidates in
             * rising order, so that a tie stays with the lower one. */
            const int end = width - 1 - x + r->min_disparity;
            uint32_t *restrict right_costs = w->right_costs;
            int32_t *restrict right_winners = w->right_winners;
            for (int k = first; k <= last; k++) {
                const int at = end + k;
                right_winners[at] = costs[k] < right_costs[at] ? k : right_winners[at];
                right_costs[at] = costs[k] < right_costs[at] ? costs[k] : right_costs[at];
            }
        }
    }
    if (!r->both) return;
    for (int x = 0; x < width; x++) job->winner[1][row + (size_t)x] = (int16_t)w->right_winners[width - 1 - x];
    if (job->cost[1])
        for (int x = 0; x < width; x++) job->cost[1][row + (size_t)x] = w->right_costs[width - 1 - x];
}

#endif
