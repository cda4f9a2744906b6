/* Averages the scores of several frames, and prints them. */
#ifndef MAP_SCORE_H
#define MAP_SCORE_H

#include "stereo/stereo.h"

#include <stdio.h>

typedef sv_score score;

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
