/* The temporal filter, shared by cpu/temporal.c and gpu/temporal.cu so that both give the same bits (see pixel.h).
 *
 * It considers the disparities of a pixel back to the first frame in which the picture around it changed. It chooses
 * the one with the most others near it, the newest of several, and takes the mean of those, so that an outlier in a
 * still scene changes nothing. A disparity without others near it stays, and a pixel without one in the newest frame
 * gets one only if the chosen one is recent.
 *
 * It reads unfiltered maps, so that a frame's map depends on a fixed number of frames and nothing else. They are kept
 * in 1/16 pixel, which makes all sums exact. */
#ifndef STEREO_TEMPORAL_H
#define STEREO_TEMPORAL_H

#include "stereo/pixel.h"

/* "Around the pixel" is a square of 2 SV_TEMPORAL_RADIUS + 1 pixels, extended beyond the edges as sv_clamp does. */
enum {
    SV_TEMPORAL_RADIUS = 2,
    SV_TEMPORAL_CHANGE = 10,      /* grey levels by which its mean may change */
    SV_TEMPORAL_UNIT = 16,        /* one pixel of disparity, as it is kept */
    SV_TEMPORAL_NONE = INT16_MAX, /* no disparity, or one that does not count */
    SV_TEMPORAL_NEAR = 32,        /* by how much disparities that are near each other may differ: 2 pixels */
    SV_TEMPORAL_RECENT = 3        /* frames ago: the latest that a pixel without a disparity gets one from */
};

/* The mean of a square, rounded to nearest: (sum + 12) / 25, as a product of 16 bits, which vectors have. */
SV_PIXEL uint8_t sv_temporal_mean(uint16_t sum) { return (uint8_t)(((sum + 12u) * 5243u >> 16) >> 1); }

/* A disparity as it is kept, rounded to nearest, halves to even; +INFINITY becomes SV_TEMPORAL_NONE. */
SV_PIXEL int16_t sv_temporal_kept(float disparity) {
    const float unit = SV_TEMPORAL_UNIT, none = SV_TEMPORAL_NONE / unit;
    const float wholes = 1.5f * (1 << 23); /* a float of this size has no fraction */
    return (int16_t)((unit * (disparity < none ? disparity : none) + wholes) - wholes);
}

/* 1 if the picture is the same though the mean has changed. */
SV_PIXEL int16_t sv_temporal_is_same(uint8_t mean, uint8_t now) {
    return (uint16_t)(mean - now + SV_TEMPORAL_CHANGE) <= 2 * SV_TEMPORAL_CHANGE;
}

/* 1 if two disparities are near each other, or both are none. */
SV_PIXEL int16_t sv_temporal_is_near(int16_t a, int16_t b) {
    return (uint16_t)(a - b + SV_TEMPORAL_NEAR) <= 2 * SV_TEMPORAL_NEAR;
}

/* The rank of a disparity, of which the highest is chosen: SV_TEMPORAL_RANK for each that is near it, itself included,
 * and more the newer it is. What it is before any other has been found near it; that of none stays below 0. */
enum { SV_TEMPORAL_RANK = 8 };
SV_PIXEL int16_t sv_temporal_rank(int16_t disparity, int ago) {
    return (int16_t)(disparity == SV_TEMPORAL_NONE ? -SV_TEMPORAL_RANK * SV_MAX_TEMPORAL
                                                   : 2 * SV_TEMPORAL_RANK - 1 - ago);
}

/* The new disparity of a pixel that has `before`; +INFINITY: none. chosen, rank: of the chosen one, 0 if there is none;
 * `sum`: of the differences of those near it from it. */
SV_PIXEL float sv_temporal_result(float before, int chosen, int rank, int sum) {
    const int count = rank / SV_TEMPORAL_RANK, ago = SV_TEMPORAL_RANK - 1 - rank % SV_TEMPORAL_RANK;
    const int changes = (count > 1) & ((before < INFINITY) | (ago <= SV_TEMPORAL_RECENT));
    /* One division in any case, so that a loop over pixels has no branch. */
    const float all = changes ? (float)(count * chosen + sum) : before;
    return all / (changes ? (float)(count * SV_TEMPORAL_UNIT) : 1.0f);
}

#endif
