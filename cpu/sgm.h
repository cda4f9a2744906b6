/* Semi-global matching: the interface between its stages and the loops for each set of instructions (sgm_loops.h). */
#ifndef CPU_SGM_H
#define CPU_SGM_H

#include "cpu/cpu.h"
#include "stereo/sgm.h"

enum {
    SGM_ROWS = 4,      /* rows that are processed together, because the paths along them are independent */
    SGM_PADDING = 200, /* cost of candidates that only fill a vector, so that no path through them is the cheapest */
    SGM_GROUP = 256,   /* the most candidates that a byte can number */
    SGM_NONE = 255,    /* the sum of a candidate that is not tried: above all sums of four paths */
    SGM_NONE_16 = UINT16_MAX /* the same in 16 bits */
};

/* A byte four times, so that one load can fill a vector with it. */
typedef uint32_t sgm_quad;
static inline sgm_quad sgm_quad_of(uint8_t byte) { return byte * 0x01010101u; }

typedef struct sgm_plan {
    const cpu_job *job;
    int width, height, min_disparity, count;
    int padded;                 /* count, rounded up to whole groups of vectors of the same size */
    int vectors, phases;        /* of a pixel, of a group; see sgm_place */
    int positions;              /* width + padded: candidate k of column x is at position width - 1 - x + k */
    uint32_t *where;            /* positions: where each one is in the rows of the right picture */
    size_t line;                /* bytes of these rows */
    uint8_t *census, *gradient; /* height x width, of the left picture */
    uint8_t *other_census, *other_gradient; /* height x line, of the right picture, from right to left */
    uint8_t *inside;                        /* line: 255 where the right picture has a column, 0 elsewhere */
    uint8_t *across, *down;                 /* height x width: jumps from the pixel to the left and the one above */
    uint8_t *costs, *sums;                  /* height x width x padded */
    uint8_t *path[2];                       /* of the two halves: width x padded, the path costs of a row */
    sgm_quad *least[2];                     /* width: the smallest of each pixel */
    uint8_t jump[256];                      /* sv_sgm_jump by the difference of grey levels */
    uint16_t place[SV_MAX_DISPARITIES + 2]; /* sgm_place of each candidate, from -1 on; 0 where there is none */
    /* By place: the candidate; its number in its group; SGM_PADDING if it only fills a vector, else 0. */
    uint16_t candidate[SV_MAX_DISPARITIES];
    uint8_t number[SV_MAX_DISPARITIES], padding[SV_MAX_DISPARITIES];
    char *workspaces; /* threads x workspace_size */
    size_t workspace_size;
} sgm_plan;

/* A thread's memory. */
typedef struct sgm_space {
    uint8_t *mismatches[3]; /* width x padded: sums over three columns of the row held[i], held[i] % 3 == i */
    int held[3];            /* -1: none */
    uint8_t *costs, *sums;  /* SGM_ROWS x width x padded: of rows that are processed together */
    uint8_t *row;           /* width x padded: the sums of a row */
    uint16_t *right;        /* groups x positions: the smallest key of each right pixel */
    uint16_t *before, *best,
        *after;       /* width: the sums of the winner and of its neighbours; arbitrary if there is none */
    uint16_t *second; /* width: the smallest sum of those that do not neighbour it; SGM_NONE_16: none */
} sgm_space;

/* The place of candidate k among those of a pixel. They are divided into groups of equal size, at most SGM_GROUP, of
 * which vector v has the candidates v, v + phases, v + 2 phases ... So neighbours are in different vectors, and a path
 * moves bytes only in the first and the last vector of a group. */
static inline int sgm_place(int k, int phases, int vector) {
    const int number = k % (phases * vector);
    return k - number + number % phases * vector + number / phases;
}

/* The index of the candidates of pixel (x, y) in a volume. */
static inline size_t sgm_cell(const sgm_plan *p, int x, int y) {
    return ((size_t)y * (size_t)p->width + (size_t)x) * (size_t)p->padded;
}

/* cpu_match_sgm tile by tile (sgm_tiles.c), for any number of threads. */
sv_status sgm_match_tiles(const cpu_job *job, sv_error *error);

/* The loops for one set of instructions. */
typedef struct sgm_loops {
    int vector; /* bytes */

    /* Computes the costs of row `y`. */
    void (*cost_row)(const sgm_plan *p, sgm_space *w, int y, uint8_t *costs);

    /* Stores in the plan's `sums` the costs of the two paths along `rows` rows, at most SGM_ROWS, from `y` on, plus
     * those of the path down (`dy` 1) or up (-1) through them, which continues the path of `half`. The
     * workspace has the costs of these rows, from bottom to top if `dy` is -1; the plan's `costs` receive a copy. */
    void (*sum_rows)(const sgm_plan *p, const sgm_space *w, int half, int y, int rows, int dy);

    /* Adds the last path through row `y`, and stores the sums in `row`; finds the winners of the left picture and, if
     * its map is needed, of the right one. */
    void (*finish_row)(const sgm_plan *p, sgm_space *w, int half, int y, int dy);

    /* After all that reads `row`, which it changes: finds the second best sums. */
    void (*find_second)(const sgm_plan *p, sgm_space *w, int y);

    /* After finish_row: reads the winners of the right picture. */
    void (*read_right)(const sgm_plan *p, const sgm_space *w, int16_t *winners);

    /* Computes the disparities of row `y` from its winners, without the uniqueness test. */
    void (*decide_row)(const sgm_plan *p, const sgm_space *w, int y);
} sgm_loops;

#endif
