/* Semi-global matching: the interface between its stages and the loops for each set of instructions (sgm_loops.h). */
#ifndef CPU_SGM_H
#define CPU_SGM_H

#include "cpu/cpu.h"
#include "stereo/sgm.h"

enum {
    SGM_ROWS = 4,                             /* of a block: rows that are processed together */
    SGM_LANE = 16,                            /* bytes of a lane, which is a part of a vector, or all of it */
    SGM_STRIDE = SGM_ROWS * SGM_LANE,         /* bytes from a lane of a pixel to the next one in a volume */
    SGM_MOST = SV_MAX_DISPARITIES / SGM_LANE, /* the most lanes of a pixel */
    SGM_ENTRY = SGM_ROWS - 1,                 /* the step at which the last row to enter the picture does so */
    SGM_PADDING = 200, /* cost of candidates that only fill a lane, so that no path through them is the cheapest */
    SGM_GROUP = 256,   /* the most candidates that a byte can number */
    SGM_NONE = 255,    /* the sum of a candidate that is not tried: above all sums of four paths */
    SGM_NONE_16 = UINT16_MAX /* the same in 16 bits */
};

/* Candidates are divided into groups of equal size, at most SGM_GROUP, of which lane v has the candidates v, v +
 * phases, v + 2 phases ... So neighbours are in different lanes, and a path moves bytes only in the first and the last
 * lane of a group.
 *
 * A lane has 16 candidates of a pixel, and a vector has those of as many rows of a block as it has lanes. So no byte
 * moves from one lane to another, except from row to row in a vertical path. For all rows to advance at once there,
 * too, they are skewed: at step i, row j of a block is at column i - SGM_ENTRY + j. Rows are counted in the order of
 * the first vertical path, which takes the steps from the last to the first, and so reaches each pixel one step after
 * the one before it.
 *
 * A volume is blocks x steps x lanes of a pixel x SGM_ROWS x SGM_LANE. Outside the picture its costs are 0, so that a
 * path that has not entered the picture yet stays as it began. */
typedef struct sgm_plan {
    const cpu_job *job;
    int width, height, min_disparity, count;
    int blocks, upper; /* the first vertical path goes down in the first `upper` blocks, up in the others */
    int steps;         /* width + SGM_ENTRY */
    int lanes, phases; /* of a pixel, of a group */
    int vectors;       /* of the mismatches of a pixel, in which each group begins a vector */
    int positions;     /* candidate k of column x is at position width - 1 + SGM_ENTRY - x + k */
    int lines;         /* of a row of the right picture: line n has positions n, n + phases, n + 2 phases ... */
    size_t line;       /* bytes of it */
    uint32_t *where;   /* positions: where the lines have each one */
    uint8_t *census, *gradient;             /* height x width, of the left picture */
    uint8_t *other_census, *other_gradient; /* height x width, of the right picture */
    int start, begin, end;                  /* position i has its column start - i, from `begin` to `end` - 1 */
    uint8_t *inside;                        /* lines x line: 255 where the right picture has a column, 0 elsewhere */
    uint8_t *tried;                         /* steps + SGM_ROWS: 255 where row 0 of a block has a column, 0 elsewhere;
                                             * SGM_ROWS more can be read */
    uint8_t *across, *down; /* (blocks x SGM_ROWS + 1) x width: jumps from the pixel to the left and the one above */
    uint8_t *costs, *sums;  /* volumes */
    uint8_t *path[2];       /* of the two halves: (steps + SGM_ENTRY) x (lanes + 1) x SGM_LANE: the path costs
                             * of a row and the smallest of each pixel; column x is at x + SGM_ENTRY */
    uint8_t jump[256];      /* sv_sgm_jump by the difference of grey levels */
    uint16_t place[SV_MAX_DISPARITIES + 2]; /* of each candidate in a step, from -1 on; 0 where there is none */
    /* lanes x SGM_LANE: the candidate, and its number in its group. */
    uint16_t candidate[SV_MAX_DISPARITIES];
    uint8_t number[SV_MAX_DISPARITIES];
    /* As in the vectors of the mismatches: SGM_PADDING if a candidate only fills a lane, else 0. */
    uint8_t padding[SV_MAX_DISPARITIES + SGM_STRIDE * SV_MAX_DISPARITIES / SGM_GROUP];
    char *workspaces; /* threads x workspace_size */
    size_t workspace_size;
} sgm_plan;

/* A thread's memory. */
typedef struct sgm_space {
    uint8_t *jumps[2];            /* (steps + 2) x SGM_ROWS: along the rows and the vertical path of a block */
    uint8_t *lines[2], *reversed; /* of the right picture's features in a row: lines x line; positions */
    /* width x vectors: sums over three columns of the row held[i], held[i] % (SGM_ROWS + 2) == i */
    uint8_t *mismatches[SGM_ROWS + 2];
    int held[SGM_ROWS + 2]; /* -1: none */
    uint8_t *costs, *sums;  /* of a block, as in the volumes */
    uint8_t *row;           /* the same: the sums of all paths */
    uint16_t *right;        /* SGM_ROWS x groups x positions: the smallest key of each right pixel */
    /* SGM_ROWS x pitch, with column x at x + SGM_ENTRY: */
    uint16_t *before, *best, *after; /* the sums of the winner and of its neighbours; arbitrary if there is none */
    uint16_t *winner;                /* arbitrary if there is none */
    uint16_t *second;                /* the smallest sum of those that do not neighbour it; SGM_NONE_16: none */
    int pitch;                       /* steps + SGM_ENTRY */
} sgm_space;

/* The number in a block of the `i`th of its rows from the top, and vice versa. */
static inline int sgm_row(const sgm_plan *p, int block, int i) { return block < p->upper ? i : SGM_ROWS - 1 - i; }

/* The bytes of a step of a volume, and the index of a block. */
static inline size_t sgm_step(const sgm_plan *p) { return (size_t)p->lanes * SGM_STRIDE; }
static inline size_t sgm_block(const sgm_plan *p, int block) { return (size_t)block * (size_t)p->steps * sgm_step(p); }

/* cpu_match_sgm tile by tile (sgm_tiles.c), for any number of threads. */
sv_status sgm_match_tiles(const cpu_job *job, sv_error *error);

/* The loops for one set of instructions. */
typedef struct sgm_loops {
    int vector; /* bytes */

    /* Computes the costs of a block in the workspace. */
    void (*cost_block)(const sgm_plan *p, sgm_space *w, int block);

    /* Stores in the plan's `sums` the costs of the two paths along the rows of a block, plus those of the path of
     * `half`, the first vertical one. The workspace has the costs; the plan's `costs` receive a copy. */
    void (*sum_block)(const sgm_plan *p, const sgm_space *w, int half, int block);

    /* Adds the path of `half`, the last one, stores the sums in `row`, and finds the winners of the left picture and,
     * if its map is needed, of the right one. */
    void (*finish_block)(const sgm_plan *p, sgm_space *w, int half, int block);

    /* After all that reads `row`, which it changes: finds the second best sums. */
    void (*find_second)(const sgm_plan *p, sgm_space *w);

    /* After finish_block: reads the winners of the right picture in row `j` of the block. */
    void (*read_right)(const sgm_plan *p, const sgm_space *w, int j, int16_t *winners);

    /* Computes the disparities of row `y`, which is row `j` of the block, without the uniqueness test. */
    void (*decide_row)(const sgm_plan *p, const sgm_space *w, int j, int y);
} sgm_loops;

#endif
