/* The search over the full range with a window that rolls down the rows, shared by ssd and zncc.
 *
 * A term of each pair of corresponding pixels, their product or the square of their difference, is summed over windows:
 * the sum of each column of the window is kept and, from one row to the next, loses the row that leaves the window and
 * gains the row that enters it; the sum over the columns slides along the row in the same way. All candidates of a
 * pixel are processed together in vectors. A row is processed in runs of a few pixels: the sums of the windows of all,
 * then the winners of all, because each of these loops alone keeps the processor busier. If candidates are whole
 * pixels, the right map comes from the same sums, because a pair of windows has the same cost whichever of the two is
 * the reference.
 *
 * The threads share the rows in bands. A band keeps one row of column sums, so memory grows with width x candidates and
 * not with the height. */
#ifndef CPU_ROLLING_H
#define CPU_ROLLING_H

#include "cpu/cpu.h"
#include "stereo/pixel.h"

#include <string.h>

enum {
    ROLLING_LANES = 16, /* candidates in the widest vector */
    ROLLING_RUN = 16    /* columns whose sums are computed before their winners are searched */
};

/* What all rows of a map share. */
typedef struct rolling {
    const cpu_job *job;
    int right; /* 1: the right picture is the reference */
    int both;  /* 1: the left picture is the reference, and the right map is computed with it */
    int width, rho, rho_y;
    int min_disparity, steps, count;
    /* Not 0: costs come as keys, which are cost x 2^bits + candidate, so that the smallest one also says which
     * candidate it is of. Terms are then multiplied by 2^bits, and the sums of a row begin with the candidates.
     * SV_NO_COST is no key. */
    int bits;
    int padded;         /* rolling_padded */
    int pitch;          /* from one column of a run to the next: padded + ROLLING_LANES */
    int columns;        /* of the padded picture: width + 2 rho */
    int positions;      /* in the other picture that the candidates reach, in 1/steps pixel */
    const void *method; /* parameters of the method */
} rolling;

/* A value of the row that enters the window, and one of the row that leaves it. */
typedef struct rolling_values {
    int16_t enter, leave;
} rolling_values;

/* What was found for the pixels of a row: width each, and up to ROLLING_RUN that do not count. */
typedef struct rolling_found {
    int32_t *winner; /* the candidate with the smallest cost, -1: none */
    /* The costs of the winner, arbitrary where there is none, and of its neighbours, SV_NO_COST where they are not
     * tried. */
    uint32_t *best, *below, *above;
    uint32_t *second; /* rolling_second, if the parameters ask for uniqueness */
} rolling_found;

/* A thread's memory. Values are in 1/steps grey level. */
typedef struct rolling_space {
    /* columns x padded: sums of terms down each column of the window. Before them are 2 rho + 1 columns of zeros, which
     * the first windows of a row leave. */
    uint32_t *columns;
    uint32_t *sums; /* over the window of the last column: padded */
    /* ROLLING_RUN x pitch: the same of each column of the current run, which then become costs or keys. Before the
     * first column and after the candidates of each there are ROLLING_LANES SV_NO_COST, because those next to a winner
     * are read even if it is the first or the last candidate, or -1. */
    uint32_t *run;
    rolling_found found;       /* in the current row */
    rolling_values *reference; /* columns */
    rolling_values *other;     /* positions; ordered so that candidates k, k + 1 are neighbours */
    /* width, columns from right to left, with rolling_beside more on either side: the smallest cost, or key, so far,
     * and its candidate. */
    uint32_t *right_costs;
    int32_t *right_winners;
    void *own; /* memory of the method; zeros when a band begins */
} rolling_space;

/* The term of two corresponding pixels. */
typedef enum rolling_term { ROLLING_PRODUCTS, ROLLING_SQUARES /* of their differences */ } rolling_term;

/* A run of neighbouring columns of the padded picture, and the candidates of each: `padded` of them. All pointers are
 * to those of the first column. */
typedef struct rolling_run {
    int length;       /* columns */
    int scale;        /* that terms are multiplied by: 2^bits, at most 128 */
    int padded;       /* also from the `columns` of a column to those of the next one */
    int pitch;        /* from one column's `windows` to those of the next one */
    int step;         /* from one column's `other` to that of the next one */
    ptrdiff_t passed; /* from a column to the one that its window leaves */
    uint32_t *columns;
    uint32_t *sums, *windows; /* `sums` are those of the window before the run; NULL: no windows are wanted */
    const rolling_values *reference, *other;
} rolling_run;

/* The loops that take the most time, for one set of instructions.
 *
 * advance: in each column of a run, adds the terms of the values that enter to the column's sums and subtracts those of
 * the values that leave; adds the column's sums to those of the window, subtracts those of the column that the window
 * leaves, and writes the result to `windows`. All of this is modulo 2^32.
 *
 * least: writes the smallest of the `count` keys of each column of a run.
 *
 * lower: lowers the right map's keys by those of `length` columns; `right` are those for the candidates of the last
 * column, and for those of the one before it one further on. Keys from `count` to `padded` and in front of a column's
 * first are SV_NO_COST.
 *
 * choose: returns the first of the candidates `first`..`last` of a column with the smallest cost, -1 if that is
 * SV_NO_COST. If the right map is computed too, its entries for candidates 0, 1, ... begin at `right_costs` and
 * `right_winners`; otherwise these are NULL. Costs are read up to a multiple of ROLLING_LANES. */
typedef void rolling_advance(rolling_term term, const rolling_run *run);
typedef void rolling_least(const uint32_t *keys, int count, int pitch, uint32_t least[ROLLING_RUN]);
typedef void rolling_lower(const uint32_t *keys, int length, int padded, int pitch, uint32_t *right);
typedef int rolling_choose(const uint32_t *costs, int first, int last, uint32_t *right_costs, int32_t *right_winners);

typedef struct rolling_loops {
    rolling_term term;
    rolling_advance *advance;
    rolling_least *least;
    rolling_lower *lower;
    rolling_choose *choose;
} rolling_loops;

/* Replaces the sums of the window at column `x`, padded, by the costs of the candidates. */
typedef void rolling_costs(const rolling *r, const rolling_space *w, int x, uint32_t *costs);

/* Decides row `y` of the left map from what was found: writes its disparities in pixels, +INFINITY where there is none,
 * and its reasons. */
typedef void rolling_decide(const rolling *r, const rolling_space *w, int y);

/* Processes row `y`, whose pixels have been read. */
typedef void rolling_row(const rolling *r, const rolling_space *w, int y);

/* Matches the job's pair. Every thread has a rolling_space with `own` bytes for the method. `bits`: as in rolling.
 * `add` adds the row that enters to the column sums while no row leaves (rolling_add); `match` matches a row
 * (rolling_match_row).
 * Errors: SV_FAILED if there is no memory. */
sv_status rolling_match(const cpu_job *job, const void *method, size_t own, int bits, rolling_row *add,
                        rolling_row *match, sv_error *error);

/* The number of candidates, rounded up to a multiple of ROLLING_LANES. */
static inline int rolling_padded(const cpu_job *job) {
    return (sv_candidates(job->params) + ROLLING_LANES - 1) / ROLLING_LANES * ROLLING_LANES;
}

/* The number of positions of the other picture that the candidates of all columns reach. */
static inline int rolling_positions(int steps, int columns, int padded) { return steps * (columns - 1) + padded; }

/* How many entries of the right map there are on either side of the picture. */
static inline int rolling_beside(const rolling *r) { return r->padded + ROLLING_RUN; }

/* The index in `other` of candidate 0 of padded column `i`. */
static inline int rolling_position(const rolling *r, int i) { return r->steps * (r->right ? i : r->columns - 1 - i); }

/* The run of `length` columns from `i` on. */
CPU_INLINE rolling_run rolling_run_of(const rolling *r, const rolling_space *w, int i, int length) {
    const ptrdiff_t padded = r->padded;
    return (rolling_run){
        .length = length,
        .scale = 1 << r->bits,
        .padded = r->padded,
        .pitch = r->pitch,
        .step = r->right ? r->steps : -r->steps,
        .passed = -padded * (2 * r->rho + 1),
        .columns = w->columns + padded * i,
        .sums = w->sums,
        .windows = w->run,
        .reference = w->reference + i,
        .other = w->other + rolling_position(r, i),
    };
}

CPU_INLINE void rolling_add(const rolling *r, const rolling_space *w, const rolling_loops *loops) {
    rolling_run all = rolling_run_of(r, w, 0, r->columns);
    all.sums = all.windows = NULL;
    loops->advance(loops->term, &all);
}

CPU_INLINE int rolling_first(const rolling *r, int x) {
    return sv_first_candidate(x, r->width, r->min_disparity, r->steps, r->right);
}
CPU_INLINE int rolling_last(const rolling *r, int x) {
    return sv_last_candidate(x, r->width, r->min_disparity, r->steps, r->count, r->right);
}

CPU_INLINE uint32_t rolling_smallest(const uint32_t *costs, int first, int last) {
    uint32_t least = SV_NO_COST;
    for (int k = first; k <= last; k++) least = costs[k] < least ? costs[k] : least;
    return least;
}

/* The smallest cost, or key, of the candidates that do not neighbour the winner; SV_NO_COST if there is none. */
CPU_INLINE uint32_t rolling_second(const rolling *r, const uint32_t *costs, int winner, int first, int last) {
    const uint32_t below = rolling_smallest(costs, first, winner - r->steps - 1);
    const uint32_t above = rolling_smallest(costs, winner + r->steps + 1, last);
    return below < above ? below : above;
}

/* The cost and the candidate of a key. */
CPU_INLINE uint32_t rolling_cost_of(uint32_t key, int bits) { return key == SV_NO_COST ? key : key >> bits; }
CPU_INLINE int rolling_candidate_of(uint32_t key, int bits) {
    return key == SV_NO_COST ? -1 : (int)(key & ((UINT32_C(1) << bits) - 1));
}

/* Where the right map's entries for candidates 0, 1, ... of column `x` begin. Candidate k belongs to column
 * x - min - k of the right picture. Each right column gets its candidates in ascending order, so the smaller one wins a
 * tie. */
CPU_INLINE ptrdiff_t rolling_right_of(const rolling *r, int x) {
    return rolling_beside(r) + r->width - 1 - x + r->min_disparity;
}

/* Finds the winners of columns `x`..`end` - 1 by their costs. */
CPU_INLINE void rolling_search_costs(const rolling *r, const rolling_space *w, const rolling_loops *loops,
                                     rolling_costs *costs_of, int x, int end) {
    uint32_t *costs = w->run;
    for (; x < end; x++, costs += r->pitch) {
        const int first = rolling_first(r, x), last = rolling_last(r, x);
        const ptrdiff_t right = rolling_right_of(r, x);
        costs_of(r, w, x, costs);
        const int winner = loops->choose(costs, first, last, r->both ? w->right_costs + right : NULL,
                                         r->both ? w->right_winners + right : NULL);
        w->found.winner[x] = winner;
        w->found.best[x] = costs[winner];
        if (first <= last) costs[first - 1] = costs[last + 1] = SV_NO_COST;
    }
}

/* Makes sure that no candidate from `begin` to `end` - 1 wins. */
CPU_INLINE void rolling_exclude(uint32_t *keys, int begin, int end) {
    if (begin < end) memset(keys + begin, 0xff, sizeof *keys * (size_t)(end - begin)); /* SV_NO_COST */
}

/* The same by their keys. */
CPU_INLINE void rolling_search_keys(const rolling *r, const rolling_space *w, const rolling_loops *loops, int x,
                                    int end) {
    const int count = r->count, bits = r->bits;
    uint32_t *keys = w->run;
    for (int i = x; i < end; i++, keys += r->pitch) {
        const int first = rolling_first(r, i), last = rolling_last(r, i);
        rolling_exclude(keys, 0, first < count ? first : count);
        rolling_exclude(keys, last < 0 ? 0 : last + 1, count);
    }
    loops->least(w->run, count, r->pitch, w->found.best + x);
    for (int i = x; i < x + ROLLING_RUN; i++) w->found.winner[i] = rolling_candidate_of(w->found.best[i], bits);
    keys = w->run;
    for (int i = x; count < r->padded && i < end; i++, keys += r->pitch) rolling_exclude(keys, count, r->padded);
    /* Those of a run that have candidates include the first or the last one. */
    if (r->both && (rolling_first(r, x) <= rolling_last(r, x) || rolling_first(r, end - 1) <= rolling_last(r, end - 1)))
        loops->lower(w->run, end - x, r->padded, r->pitch, w->right_costs + rolling_right_of(r, end - 1));
}

/* Keeps the costs of the pixel at column `x`. */
CPU_INLINE void rolling_keep(const rolling *r, const uint32_t *costs, int x, int bits) {
    for (int k = rolling_first(r, x); k <= rolling_last(r, x); k++)
        cpu_keep(r->job, k, rolling_cost_of(costs[k], bits), true);
}

/* Moves the window down to row `y` and matches it. */
CPU_INLINE void rolling_match_row(const rolling *shared, const rolling_space *space, int y, const rolling_loops *loops,
                                  rolling_costs *costs_of, rolling_decide *decide) {
    /* Local copies, so that the compiler knows that other writes do not modify them. */
    const rolling own = *shared, *const r = &own;
    const rolling_space own_space = *space, *const w = &own_space;
    const cpu_job *job = r->job;
    const rolling_found found = w->found;
    const int width = r->width, lead = 2 * r->rho;
    const int bits = loops->term == ROLLING_SQUARES ? r->bits : 0; /* 0 is a constant for products */
    const size_t row = (size_t)y * (size_t)width;
    const int probed = !r->right && cpu_probes_row(job, y) ? job->probe->x : -1, uniqueness = job->params->uniqueness;
    int16_t *winners = job->winner[r->right] + row;
    uint32_t *right_costs = w->right_costs + rolling_beside(r);
    int32_t *right_winners = w->right_winners + rolling_beside(r);

    for (int k = 0; k < r->padded; k++) w->sums[k] = bits ? (uint32_t)k : 0;
    if (r->both) {
        memset(right_costs, 0xff, sizeof *right_costs * (size_t)width); /* SV_NO_COST */
        memset(right_winners, 0xff, sizeof *right_winners * (size_t)width);
    }
    rolling_run run = rolling_run_of(r, w, 0, lead);
    run.pitch = 0; /* these windows belong to no pixel */
    loops->advance(loops->term, &run);
    for (int x = 0, end; x < width; x = end) {
        end = x + ROLLING_RUN < width ? x + ROLLING_RUN : width;
        run = rolling_run_of(r, w, x + lead, end - x);
        loops->advance(loops->term, &run);
        if (bits)
            rolling_search_keys(r, w, loops, x, end);
        else
            rolling_search_costs(r, w, loops, costs_of, x, end);
        const uint32_t *costs = w->run;
        for (int i = x; i < end; i++, costs += r->pitch) {
            const int winner = found.winner[i];
            found.below[i] = costs[winner - 1];
            found.above[i] = costs[winner + 1];
        }
        costs = w->run;
        for (int i = x; uniqueness && i < end; i++, costs += r->pitch)
            found.second[i] = rolling_second(r, costs, found.winner[i], rolling_first(r, i), rolling_last(r, i));
        if (x <= probed && probed < end) rolling_keep(r, w->run + (ptrdiff_t)(probed - x) * r->pitch, probed, bits);
    }
    for (int x = 0; bits && x < width; x++) {
        found.best[x] = rolling_cost_of(found.best[x], bits);
        found.below[x] = rolling_cost_of(found.below[x], bits);
        found.above[x] = rolling_cost_of(found.above[x], bits);
    }
    for (int x = 0; bits && uniqueness && x < width; x++) found.second[x] = rolling_cost_of(found.second[x], bits);
    for (int x = 0; x < width; x++) winners[x] = (int16_t)found.winner[x];
    if (job->cost[r->right])
        for (int x = 0; x < width; x++)
            job->cost[r->right][row + (size_t)x] = found.winner[x] < 0 ? SV_NO_COST : found.best[x];
    /* After the loop, because decisions take long and the next pixel does not depend on them. */
    if (!r->right) decide(r, w, y);
    if (!r->both) return;
    for (int x = 0; x < width; x++) {
        const int i = width - 1 - x;
        job->winner[1][row + (size_t)x] =
            (int16_t)(bits ? rolling_candidate_of(right_costs[i], bits) : right_winners[i]);
    }
    if (job->cost[1])
        for (int x = 0; x < width; x++)
            job->cost[1][row + (size_t)x] = rolling_cost_of(right_costs[width - 1 - x], bits);
}

#endif
