/* The search over the full range with a window that rolls down the rows, shared by ssd and zncc.
 *
 * A term of each pair of corresponding pixels, their product or the square of their difference, is summed over windows:
 * the sum of each column of the window is kept and, from one row to the next, loses the row that leaves the window and
 * gains the row that enters it; the sum over the columns slides along the row in the same way. All candidates of a
 * pixel are processed together in vectors. If candidates are whole pixels, the right map comes from the same sums,
 * because a pair of windows has the same cost whichever of the two is the reference.
 *
 * The threads share the rows in bands. A band keeps one row of column sums, so memory grows with width x candidates and
 * not with the height. */
#ifndef CPU_ROLLING_H
#define CPU_ROLLING_H

#include "cpu/cpu.h"
#include "stereo/pixel.h"

#include <string.h>

enum { ROLLING_LANES = 16 }; /* candidates in the widest vector */

/* What all rows of a map share. */
typedef struct rolling {
    const cpu_job *job;
    int right; /* 1: the right picture is the reference */
    int both;  /* 1: the left picture is the reference, and the right map is computed with it */
    int width, rho, rho_y;
    int min_disparity, steps, count;
    int padded;         /* rolling_padded */
    int columns;        /* of the padded picture: width + 2 rho */
    int positions;      /* in the other picture that the candidates reach, in 1/steps pixel */
    const void *method; /* parameters of the method */
} rolling;

/* A value of the row that enters the window, and one of the row that leaves it. */
typedef struct rolling_values {
    int16_t enter, leave;
} rolling_values;

/* What was found for the pixels of a row: width each. Costs are arbitrary where there is no winner or neighbour. */
typedef struct rolling_found {
    int32_t *winner;                /* the candidate with the smallest cost, -1: none */
    uint32_t *best, *below, *above; /* the costs of the winner and of its neighbours */
    uint32_t *second;               /* rolling_second, if the parameters ask for uniqueness */
} rolling_found;

/* A thread's memory. Values are in 1/steps grey level. */
typedef struct rolling_space {
    uint32_t *columns;   /* columns x padded: sums of terms down each column of the window */
    uint32_t *zeros;     /* padded */
    uint32_t *sums;      /* over the window of the current pixel: padded, with ROLLING_LANES more on either side */
    uint32_t *costs;     /* of the current pixel, with the size of `sums`; for methods whose costs are not the sums */
    rolling_found found; /* in the current row */
    rolling_values *reference; /* columns */
    rolling_values *other;     /* positions; ordered so that candidates k, k + 1 are neighbours */
    /* width, columns from right to left, with ROLLING_LANES more on either side: the smallest cost so far, and its
     * candidate. */
    uint32_t *right_costs;
    int32_t *right_winners;
    void *own; /* memory of the method; zeros when a band begins */
} rolling_space;

/* The term of two corresponding pixels. */
typedef enum rolling_term { ROLLING_PRODUCTS, ROLLING_SQUARES /* of their differences */ } rolling_term;

/* The two loops that take the most time, for one set of instructions.
 *
 * advance: adds the terms of the values that enter to a column's sums and subtracts those of the values that leave,
 * adds the column's sums to those of the window, and subtracts those of the column that the window leaves, `passed`.
 * All of this is modulo 2^32.
 *
 * choose: returns the first of the candidates `first`..`last` with the smallest cost, -1 if that is SV_NO_COST. If the
 * right map is computed too, its entries for candidates 0, 1, ... begin at `right_costs` and `right_winners`; otherwise
 * these are NULL. Costs are read up to a multiple of ROLLING_LANES. */
typedef void rolling_advance(rolling_term term, uint32_t *column, const uint32_t *passed, uint32_t *sums,
                             rolling_values reference, const rolling_values *other, int padded);
typedef int rolling_choose(const uint32_t *costs, int first, int last, uint32_t *right_costs, int32_t *right_winners);

typedef struct rolling_loops {
    rolling_term term;
    rolling_advance *advance;
    rolling_choose *choose;
} rolling_loops;

/* Returns the costs of the candidates of the pixel at column `x`, padded: `sums` of its window, or `costs`, which it
 * writes. */
typedef const uint32_t *rolling_costs(const rolling *r, const rolling_space *w, int x);

/* Decides row `y` of the left map from what was found: writes its disparities in pixels, +INFINITY where there is none,
 * and its reasons. */
typedef void rolling_decide(const rolling *r, const rolling_space *w, int y);

/* Processes row `y`, whose pixels have been read. */
typedef void rolling_row(const rolling *r, const rolling_space *w, int y);

/* Matches the job's pair. Every thread has a rolling_space with `own` bytes for the method. `add` adds the row that
 * enters to the column sums while no row leaves (rolling_add); `match` matches a row (rolling_match_row).
 * Errors: SV_FAILED if there is no memory. */
sv_status rolling_match(const cpu_job *job, const void *method, size_t own, rolling_row *add, rolling_row *match,
                        sv_error *error);

/* The number of candidates, rounded up to a multiple of ROLLING_LANES. */
static inline int rolling_padded(const cpu_job *job) {
    return (sv_candidates(job->params) + ROLLING_LANES - 1) / ROLLING_LANES * ROLLING_LANES;
}

/* The number of positions of the other picture that the candidates of all columns reach. */
static inline int rolling_positions(int steps, int columns, int padded) { return steps * (columns - 1) + padded; }

/* The index in `other` of candidate 0 of padded column `i`. */
static inline int rolling_position(const rolling *r, int i) { return r->steps * (r->right ? i : r->columns - 1 - i); }

CPU_INLINE void rolling_add(const rolling *r, const rolling_space *w, const rolling_loops *loops) {
    for (int i = 0; i < r->columns; i++)
        loops->advance(loops->term, w->columns + (size_t)i * (size_t)r->padded, w->zeros, w->sums, w->reference[i],
                       w->other + rolling_position(r, i), r->padded);
}

CPU_INLINE uint32_t rolling_least(const uint32_t *costs, int first, int last) {
    uint32_t least = SV_NO_COST;
    for (int k = first; k <= last; k++) least = costs[k] < least ? costs[k] : least;
    return least;
}

/* The smallest cost of the candidates that do not neighbour the winner; SV_NO_COST if there is none. */
CPU_INLINE uint32_t rolling_second(const rolling *r, const uint32_t *costs, int winner, int first, int last) {
    const uint32_t below = rolling_least(costs, first, winner - r->steps - 1);
    const uint32_t above = rolling_least(costs, winner + r->steps + 1, last);
    return below < above ? below : above;
}

/* Moves the window down to row `y` and matches it. */
CPU_INLINE void rolling_match_row(const rolling *shared, const rolling_space *space, int y, const rolling_loops *loops,
                                  rolling_costs *costs_of, rolling_decide *decide) {
    /* Local copies, so that the compiler knows that other writes do not modify them. */
    const rolling own = *shared, *const r = &own;
    const rolling_space own_space = *space, *const w = &own_space;
    const cpu_job *job = r->job;
    const rolling_found found = w->found;
    const int padded = r->padded, width = r->width;
    const size_t row = (size_t)y * (size_t)width;
    int16_t *winners = job->winner[r->right] + row;
    uint32_t *right_costs = w->right_costs + ROLLING_LANES;
    int32_t *right_winners = w->right_winners + ROLLING_LANES;
    const int probed = !r->right && cpu_probes_row(job, y) ? job->probe->x : -1, uniqueness = job->params->uniqueness;

    memset(w->sums, 0, sizeof *w->sums * (size_t)padded);
    if (r->both) {
        memset(right_costs, 0xff, sizeof *right_costs * (size_t)width); /* SV_NO_COST */
        memset(right_winners, 0xff, sizeof *right_winners * (size_t)width);
    }
    for (int i = 0; i < r->columns; i++) {
        uint32_t *column = w->columns + (size_t)i * (size_t)padded;
        const uint32_t *passed = i > 2 * r->rho ? column - (size_t)(2 * r->rho + 1) * (size_t)padded : w->zeros;
        loops->advance(loops->term, column, passed, w->sums, w->reference[i], w->other + rolling_position(r, i),
                       padded);
        const int x = i - 2 * r->rho;
        if (x < 0) continue;

        const int first = sv_first_candidate(x, width, r->min_disparity, r->steps, r->right);
        const int last = sv_last_candidate(x, width, r->min_disparity, r->steps, r->count, r->right);
        const uint32_t *costs = costs_of(r, w, x);
        /* Candidate k belongs to column x - min - k of the right picture. Each right column gets its candidates in
         * ascending order, so the smaller one wins a tie. */
        const int end = width - 1 - x + r->min_disparity;
        const int winner =
            loops->choose(costs, first, last, r->both ? right_costs + end : NULL, r->both ? right_winners + end : NULL);
        found.winner[x] = winner;
        found.below[x] = costs[winner - 1];
        found.best[x] = costs[winner];
        found.above[x] = costs[winner + 1];
        if (uniqueness && winner >= 0) found.second[x] = rolling_second(r, costs, winner, first, last);
        for (int k = first; x == probed && k <= last; k++) cpu_keep(job, k, costs[k], true);
    }
    for (int x = 0; x < width; x++) winners[x] = (int16_t)found.winner[x];
    if (job->cost[r->right])
        for (int x = 0; x < width; x++)
            job->cost[r->right][row + (size_t)x] = found.winner[x] < 0 ? SV_NO_COST : found.best[x];
    /* After the loop, because decisions take long and the next pixel does not depend on them. */
    if (!r->right) decide(r, w, y);
    if (!r->both) return;
    for (int x = 0; x < width; x++) job->winner[1][row + (size_t)x] = (int16_t)right_winners[width - 1 - x];
    if (job->cost[1])
        for (int x = 0; x < width; x++) job->cost[1][row + (size_t)x] = right_costs[width - 1 - x];
}

#endif
