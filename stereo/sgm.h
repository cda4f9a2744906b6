/* The costs and penalties of semi-global matching, shared by cpu/sgm.c and gpu/sgm.cu so that both give the same bits
 * (see pixel.h). All of them are integers. cpu/sgm.c names the source.
 *
 * They are scaled so that a path's cost fits in six bits: a match costs at most SV_SGM_MOST, and a path cost, stored
 * relative to the smallest one of the pixel before, exceeds the cost of the match by at most the larger penalty. The
 * sum of four paths fits in one byte. */
#ifndef STEREO_SGM_H
#define STEREO_SGM_H

#include "stereo/pixel.h"

enum {
    SV_SGM_UNTRIED = 16,                  /* the mismatch of a candidate that is not tried */
    SV_SGM_MOST = 8,                      /* the largest sv_sgm_cost */
    SV_SGM_MAX_PENALTY = 63 - SV_SGM_MOST /* so that no path costs more than 63 */
};

/* One bit of a pixel's census: 1 if a neighbour is darker. The eight neighbours are at 0 and +-sv_census_distance in
 * both directions; their order does not matter, if it is the same in both pictures. */
SV_PIXEL int sv_census_bit(int neighbour, int centre) { return neighbour < centre; }
SV_PIXEL int sv_census_distance(int census_width) { return census_width / 2; }

/* The vertical gradient, from the pixels above and below. */
SV_PIXEL int sv_sgm_gradient(int above, int below) {
    const int difference = below - above;
    return difference < -127 ? -127 : difference > 127 ? 127 : difference;
}

/* The mismatch of two pixels, 0..27, from `bits`, the number of census bits in which they differ, and from the
 * difference of their gradients. It is truncated at three bits and at a difference of 8. */
SV_PIXEL int sv_sgm_mismatch(int bits, int left_gradient, int right_gradient) {
    const int census = bits == 0 ? 0 : bits == 1 ? 7 : bits == 2 ? 13 : 16;
    int difference = left_gradient < right_gradient ? right_gradient - left_gradient : left_gradient - right_gradient;
    if (difference > 8) difference = 8;
    return census + ((11 * difference + 4) >> 3);
}

/* The cost of a match, 0..SV_SGM_MOST, from the sum of the mismatches of 3 x 3 pixels, which is at most 243. */
SV_PIXEL int sv_sgm_cost(int sum) { return (sum + 16) >> 5; }

/* The cost of a change of disparity by more than one candidate between two neighbours on a path whose grey levels in
 * the left picture differ by `step`, 0..255: p2 where they are equal, less at an edge, always more than p1. */
SV_PIXEL int sv_sgm_jump(int p1, int p2, int step) {
    const int jump = (8 * p2 + (8 + step) / 2) / (8 + step);
    return jump > p1 ? jump : p1 + 1;
}

/* The position of the minimum between two neighbours that are not below `best`, in -1/2..1/2 of their distance: the
 * intersection of two lines of opposite slope through the three costs. */
SV_PIXEL float sv_equiangular(int before, int best, int after) {
    const int left = before - best, right = after - best, most = left > right ? left : right;
    /* One division in any case, so that a loop over pixels has no branch. */
    return 0.5f * (float)(left - right) / (float)(most > 0 ? most : 1);
}

#endif
