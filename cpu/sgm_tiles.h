/* Semi-global matching tile by tile: the interface between its stages and the loops for each set of
 * instructions (sgm_tile_loops.h). */
#ifndef CPU_SGM_TILES_H
#define CPU_SGM_TILES_H

#include "cpu/sgm.h"

/* A tile: its place, and the paths that enter and leave it. */
typedef struct sgm_tile {
    int y, rows;                           /* its first row */
    int x, columns;                        /* its first column, which is in lane 1 */
    bool edge;                             /* some of the candidates have no pixel in the right picture */
    uint8_t *left, *right, *above, *below; /* blocks: the paths that enter it from the left and from above; the same
                                            * where they leave it */
    uint8_t *back, *up; /* blocks: the current state of the paths that come from the right and from below */
} sgm_tile;

typedef struct sgm_tiles {
    const cpu_job *job;
    int width, height, min_disparity, count;
    int lanes;         /* bytes of a vector */
    int tiles, strips; /* tiles in a row of tiles, and rows of tiles */
    size_t block; /* bytes of the costs of `lanes` pixels, or of the state of their paths: count vectors, one of 255s,
                   * and one with the smallest cost of each */
    size_t line, other;         /* bytes of a row in the arrays of the left picture, and of the right one */
    int margin;                 /* column x - min_disparity of the right picture is at margin + x of a row */
    uint8_t *census, *gradient; /* strips x lanes x line: of the left picture, column x at 1 + x */
    uint8_t *across, *down;     /* the same: jumps from the pixel to the left and from the one above */
    uint8_t *other_census, *other_gradient;  /* height x other */
    uint8_t *inside;                         /* other: 255 where the right picture has a column, 0 elsewhere */
    uint8_t *right, *right_low, *right_high; /* height x other: the smallest sum; its candidate modulo and / 256 */
    uint8_t *from_left, *from_above;         /* strips x (tiles + 1), (strips + 1) x tiles blocks */
    uint8_t *from_right, *from_below;        /* strips, tiles blocks */
    uint8_t jump[256];                       /* sv_sgm_jump by the difference of grey levels */
    struct sgm_tile_space *spaces;           /* of the threads */
    char *workspaces;                        /* threads x workspace_size */
    size_t workspace_size;
} sgm_tiles;

/* A thread's memory, for one tile. */
typedef struct sgm_tile_space {
    uint8_t *features;   /* 2 x width */
    uint8_t *mismatches; /* count vectors, for a row, and one more at either end */
    uint8_t *boxes[3];   /* count vectors: sums over 3 columns of row held[i], held[i] % 3 == i */
    int held[3];         /* -1: none */
    uint8_t *costs;      /* lanes blocks, by row */
    uint8_t *transposed; /* lanes blocks: costs by column, later sums by row */
    uint8_t *sums;       /* lanes blocks, by column: of the paths along the rows */
    uint8_t *jumps;      /* lanes vectors: `across` by column */
    uint8_t *state;      /* a block */
    uint8_t *totals;     /* 2 x count + 2 vectors: of a row; after every second one, 255s */
    uint8_t *best, *low, *high, *before, *after; /* lanes: for a row, the smallest sum, its candidate modulo and / 256,
                                                  * and the sums of the candidate's neighbours */
    uint8_t *second; /* lanes: the smallest sum of those that do not neighbour it; SGM_NONE: none */
} sgm_tile_space;

/* The loops for one set of instructions. */
typedef struct sgm_tile_loops {
    int lanes;

    /* Follows the paths to the right and down through a tile. */
    void (*enter)(const sgm_tiles *p, sgm_tile_space *w, const sgm_tile *tile);

    /* Follows all paths through a tile and finds its winners. */
    void (*finish)(const sgm_tiles *p, sgm_tile_space *w, const sgm_tile *tile);
} sgm_tile_loops;

#endif
