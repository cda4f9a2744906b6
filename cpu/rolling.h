/* The search of the full range with a window that rolls down the rows, which ssd and zncc share.
 *
 * The products of every pair of pixels are summed over windows: the sums of every column of the window are
 * kept and, from one row to the next, lose the row that leaves and gain the row that enters; the sum over the
 * window's columns slides along the row in the same way. The cost of a pair of windows follows from their
 * product and from what each of them is by itself. All candidates of a pixel are worked on together, side by
 * side in vectors. Where candidates lie in whole pixels, the right map comes from the same sums: a pair of
 * windows has one cost whichever of the two is the reference.
 *
 * Rows are shared out among the threads in bands; a band keeps one row of column sums, so that memory grows
 * with width x candidates and not with the height. */
#ifndef CPU_ROLLING_H
#define CPU_ROLLING_H

#include "cpu/cpu.h"
#include "stereo/pixel.h"

#include <string.h>

enum { ROLLING_LANES = 16 }; /* candidates in the widest vector */

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

/* A value of the row that enters the window, and one of the row that leaves it. */
typedef struct rolling_values {
    int16_t enter, leave;
} rolling_values;

/* What a thread works in. Values are in 1/steps grey level. */
typedef struct rolling_space {
    uint32_t *columns;         /* columns x padded: sums of products of each column of the window */
    uint32_t *sums;            /* padded: of the window of the pixel at hand */
    uint32_t *nothing;         /* padded: zeros */
    uint32_t *costs;           /* padded: of the pixel at hand */
    rolling_values *reference; /* columns */
    rolling_values *other;     /* positions; ordered so that candidates k, k + 1 are neighbours */
    /* width, columns from right to left, with ROLLING_LANES more on either side: the least cost so far, and its
     * candidate. */
    uint32_t *right_costs;
    int32_t *right_winners;
    void *own; /* what the method asked for; zeros when a band begins */
} rolling_space;

/* The two loops that take the time, for one set of instructions. Both walk the candidates in steps of ROLLING_LANES.
 *
 * advance: adds enter * other.enter - leave * other.leave to a column's sums, and the column's to the window's, from
 * which the column that was passed goes. All modulo 2^32.
 *
 * choose: the first of the candidates `first`..`last` with the least cost, -1 if that is SV_NO_COST. Where the right
 * map comes along, its entries for candidate 0, 1, ... begin at `right_costs` and `right_winners`; else these are
 * NULL. Costs are read up to a multiple of ROLLING_LANES. */
typedef void rolling_advance(uint32_t *column, const uint32_t *passed, uint32_t *sums, rolling_values reference,
                             const rolling_values *other, int padded);
typedef int rolling_choose(const uint32_t *costs, int first, int last, uint32_t *right_costs, int32_t *right_winners);

typedef struct rolling_loops {
    rolling_advance *advance;
    rolling_choose *choose;
} rolling_loops;

/* Writes the costs of the candidates of the pixel at column `x`, padded, from the sums of its window. */
typedef void rolling_costs(const rolling *r, const rolling_space *w, int x);

/* The pixel at column `x` of the left map: its reason, and its disparity in pixels or an infinity, from the costs of
 * its candidates `first`..`last`. `winner`: -1 if none of them has a cost. */
typedef int rolling_decide(const rolling *r, const rolling_space *w, int x, const uint32_t *costs, int winner,
                           int first, int last, float *disparity);

/* Works on row `y`, whose pixels have been read. */
typedef void rolling_row(const rolling *r, const rolling_space *w, int y);

/* Matches the job's pair, every thread in a space with `own` bytes for the method. `add` adds the row that
 * enters to the columns' sums (rolling_add); nothing leaves then. `match` matches a row (rolling_match_row). */
sv_status rolling_match(const cpu_job *job, const void *method, size_t own, rolling_row *add, rolling_row *match,
                        sv_error *error);

/* The number of candidates, padded so that vector loops have no rest. */
static inline int rolling_padded(const cpu_job *job) {
    return (sv_candidates(job->params) + ROLLING_LANES - 1) / ROLLING_LANES * ROLLING_LANES;
}

/* How many positions of the other picture the candidates of all columns reach. */
static inline int rolling_positions(int steps, int columns, int padded) { return steps * (columns - 1) + padded; }

/* Where candidate 0 of padded column `i` is in `other`. */
static inline int rolling_position(const rolling *r, int i) { return r->steps * (r->right ? i : r->columns - 1 - i); }

CPU_INLINE void rolling_add(const rolling *r, const rolling_space *w, const rolling_loops *loops) {
    for (int i = 0; i < r->columns; i++)
        loops->advance(w->columns + (size_t)i * (size_t)r->padded, w->nothing, w->sums, w->reference[i],
                       w->other + rolling_position(r, i), r->padded);
}

CPU_INLINE uint32_t rolling_least(const uint32_t *costs, int first, int last) {
    uint32_t least = SV_NO_COST;
    for (int k = first; k <= last; k++) least = costs[k] < least ? costs[k] : least;
    return least;
}

/* The least cost of the candidates that are no neighbours of the winner; SV_NO_COST if there is none. */
CPU_INLINE uint32_t rolling_second(const rolling *r, const uint32_t *costs, int winner, int first, int last) {
    const uint32_t below = rolling_least(costs, first, winner - r->steps - 1);
    const uint32_t above = rolling_least(costs, winner + r->steps + 1, last);
    return below < above ? below : above;
}

/* Moves the window down to row `y` and matches it. */
CPU_INLINE void rolling_match_row(const rolling *shared, const rolling_space *space, int y, const rolling_loops *loops,
                                  rolling_costs *write_costs, rolling_decide *decide) {
    /* Copies, which the compiler knows that nothing is written into. */
    const rolling own = *shared, *const r = &own;
    const rolling_space own_space = *space, *const w = &own_space;
    const cpu_job *job = r->job;
    const int padded = r->padded, width = r->width;
    const size_t row = (size_t)y * (size_t)width;
    int16_t *winners = job->winner[r->right] + row;
    float *disparity = sv_row(job->disparity, y);
    uint8_t *reason = sv_row(job->reason, y);
    uint32_t *right_costs = w->right_costs + ROLLING_LANES;
    int32_t *right_winners = w->right_winners + ROLLING_LANES;

    memset(w->sums, 0, sizeof *w->sums * (size_t)padded);
    if (r->both) {
        memset(right_costs, 0xff, sizeof *right_costs * (size_t)width); /* SV_NO_COST */
        memset(right_winners, 0xff, sizeof *right_winners * (size_t)width);
    }
    for (int i = 0; i < r->columns; i++) {
        uint32_t *column = w->columns + (size_t)i * (size_t)padded;
        const uint32_t *passed = i > 2 * r->rho ? column - (size_t)(2 * r->rho + 1) * (size_t)padded : w->nothing;
        loops->advance(column, passed, w->sums, w->reference[i], w->other + rolling_position(r, i), padded);
        const int x = i - 2 * r->rho;
        if (x < 0) continue;

        const int first = sv_first_candidate(x, width, r->min_disparity, r->steps, r->right);
        const int last = sv_last_candidate(x, width, r->min_disparity, r->steps, r->count, r->right);
        write_costs(r, w, x);
        /* Candidate k belongs to the right picture's column x - min - k, which meets its candidates in rising order,
         * so that a tie stays with the lower one. */
        const int end = width - 1 - x + r->min_disparity;
        const int winner = loops->choose(w->costs, first, last, r->both ? right_costs + end : NULL,
                                         r->both ? right_winners + end : NULL);
        winners[x] = (int16_t)winner;
        if (job->cost[r->right]) job->cost[r->right][row + (size_t)x] = winner < 0 ? SV_NO_COST : w->costs[winner];
        if (!r->right) reason[x] = (uint8_t)decide(r, w, x, w->costs, winner, first, last, &disparity[x]);
    }
    if (!r->both) return;
    for (int x = 0; x < width; x++) job->winner[1][row + (size_t)x] = (int16_t)right_winners[width - 1 - x];
    if (job->cost[1])
        for (int x = 0; x < width; x++) job->cost[1][row + (size_t)x] = right_costs[width - 1 - x];
}

#endif
