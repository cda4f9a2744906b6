/* Semi-global matching: what the stages and the loops for each set of instructions (sgm_loops.h) share. */
#ifndef CPU_SGM_H
#define CPU_SGM_H

#include "cpu/cpu.h"
#include "stereo/sgm.h"

enum {
    SGM_ROWS = 4,      /* rows that are worked on together: their paths along the rows do not wait for one another */
    SGM_VECTOR = 64,   /* bytes of the widest vector: candidates are padded to a multiple of a vector */
    SGM_PADDING = 200, /* cost of candidates that only fill a vector: no path through them is ever the cheapest */
    SGM_NONE = 255,    /* above the sum of four paths: a candidate that is not tried */
    SGM_UNTRIED = UINT16_MAX, /* the same in wider sums */
    SGM_KEYS = 256            /* candidates that a byte tells apart */
};

typedef struct sgm_plan {
    const cpu_job *job;
    int width, height, min_disparity, count;
    int padded;                 /* count, rounded up to whole vectors */
    int positions;              /* width + padded: candidate k of column x is at position width - 1 - x + k */
    int chunks;                 /* of SGM_KEYS candidates */
    uint8_t *census, *gradient; /* height x width, of the left picture; gradients plus 128 */
    uint8_t *other_census, *other_gradient;   /* height x positions, of the right picture, from right to left */
    uint8_t *inside;                          /* positions: 255 where the right picture has a column, 0 elsewhere */
    uint8_t *across, *down;                   /* height x width: jumps from the pixel to the left and the one above */
    uint8_t *costs, *sums;                    /* height x width x padded */
    uint8_t *diagonals;                       /* the same, sums of the four diagonal paths; NULL with 4 paths */
    uint8_t *path[2];                         /* of the two halves: width x padded, and a vector on either side */
    uint8_t *least[2];                        /* width: the least of each pixel's */
    uint8_t *diagonal[2], *diagonal_least[2]; /* (width + 2) x padded, width + 2: of two rows, zeros at the ends */
    uint8_t jump[256];                        /* sv_sgm_jump by grey step */
    char *workspaces;                         /* threads x workspace_size */
    size_t workspace_size;
} sgm_plan;

/* What a thread works in. */
typedef struct sgm_space {
    uint8_t *mismatches[3];          /* width x padded: sums over three columns of the row held[i], held[i] % 3 == i */
    int held[3];                     /* -1: none */
    uint8_t *row;                    /* width x padded, and a vector: the sums of a row */
    uint16_t *right;                 /* chunks x positions: the least key of each right pixel */
    uint16_t *before, *best, *after; /* width: the sum of the winner and of its neighbours */
    uint16_t *right_sums;            /* width: the least sum of each right pixel */
    int16_t *right_winners;          /* width */
} sgm_space;

/* Pixel (x, y) in a volume. */
static inline size_t sgm_cell(const sgm_plan *p, int x, int y) {
    return ((size_t)y * (size_t)p->width + (size_t)x) * (size_t)p->padded;
}

/* The loops of a set of instructions. */
typedef struct sgm_loops {
    int vector; /* bytes */

    /* Row `y` of the costs. */
    void (*cost_row)(const sgm_plan *p, sgm_space *w, int y);

    /* The paths along `rows` rows, at most SGM_ROWS, from `y` on, and the paths down (`dy` 1) or up (-1) through them,
     * which go on from the state of `half`. Stores the three in `sums`. With a `dy` of 0 the paths along the rows
     * alone. */
    void (*sum_rows)(const sgm_plan *p, int half, int y, int rows, int dy);

    /* Adds the paths down or up through columns `begin`..`end` - 1 to `sums`. */
    void (*sum_columns)(const sgm_plan *p, int begin, int end, int dy);

    /* Adds the paths in the direction (`dx`, `dy`), neither 0, of columns `begin`..`end` - 1 of row `y` to
     * `diagonals`. */
    void (*sum_diagonal)(const sgm_plan *p, int begin, int end, int y, int dx, int dy);

    /* The last path through row `y`, none if `dy` is 0, and with it `row`; the winners of the left picture and the
     * least keys of the right one. */
    void (*finish_row)(const sgm_plan *p, sgm_space *w, int half, int y, int dy);
} sgm_loops;

#endif
