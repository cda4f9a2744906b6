/* How the two disparity maps of one pair differ, made with two sets of parameters, A and B. */
#ifndef MAP_COMPARE_H
#define MAP_COMPARE_H

#include "stereo/stereo.h"

/* Numbers of pixels. A pixel has a value if its disparity is finite. */
typedef struct comparison {
    int64_t pixels;       /* of a map */
    int64_t both;         /* have a value in both maps; of these: */
    int64_t over1, over2; /* their values differ by more than 1, 2 pixels of disparity */
    int64_t only[2];      /* have a value in A only, in B only */
} comparison;

/* Compares two maps, SV_FLOAT32 in host memory, any strides.
 * Errors: SV_USAGE if their sizes differ. */
sv_status compare_maps(const sv_image *a, const sv_image *b, comparison *result, sv_error *error);

/* In percent; NaN if the share is of no pixels. */
typedef struct compare_shares {
    double both, only[2]; /* of all pixels */
    double over1, over2;  /* of those with a value in both maps */
} compare_shares;
compare_shares compare_shares_of(const comparison *comparison);

/* Writes the shares in a line: "3.2 % differ by more than 1 px, 1.1 % by more than 2, of the 81.0 % with a value in
 * both; only A 4.0 %, only B 2.0 %". Returns `text`. */
char *compare_describe(const comparison *comparison, char *text, size_t size);

/* How long a match took, all its stages, milliseconds. */
double compare_time(const sv_times *times);

#endif
