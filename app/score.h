/* Compares disparity maps with ground truth. */
#ifndef APP_SCORE_H
#define APP_SCORE_H

#include "stereo/stereo.h"

#include <stdio.h>

/* In percent unless noted. A pixel counts if its ground truth is known (finite); it has a value if its disparity is
 * finite. */
typedef struct score {
    double density;          /* of the pixels: have a value */
    double bad1, bad2, bad4; /* of the pixels: wrong by more than 1, 2, 4 pixels, or without a value */
    double v1, v2;           /* of those with a value: wrong by more than 1, 2 pixels */
    double d1;               /* of the pixels, KITTI's D1: wrong by more than 3 pixels and 5 %, or without a value */
    double average;          /* pixels: mean absolute error of those with a value; NaN if there is none */
} score;

/* Checks that a map can be scored.
 * Errors: SV_FAILED if the sizes differ. */
sv_status score_check(const sv_image *disparity, const sv_image *truth, sv_error *error);

/* Scores one map. Both pictures are SV_FLOAT32 in host memory.
 * Errors: SV_FAILED if their sizes differ. */
sv_status score_map(const sv_image *disparity, const sv_image *truth, score *result, sv_error *error);

/* The scores of several frames with equal weights. {0} is empty. */
typedef struct score_sum {
    score sum;
    int frames;
} score_sum;

void score_add(score_sum *sum, const score *frame);
score score_mean(const score_sum *sum); /* all NaN if it is empty */

/* Prints the header of the table, and a row called `name` ("000003", "mean of 24"). */
void score_print_header(FILE *stream);
void score_print(FILE *stream, const char *name, const score *row);

#endif
