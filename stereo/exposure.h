/* The filter that gives the right picture the exposure of the left one, shared by cpu/exposure.c and gpu/exposure.cu so
 * that both give the same bits (see pixel.h).
 *
 * A gain shifts the logarithm of a grey value, and a gamma scales it. So each channel of the right picture gets the
 * mean and the standard deviation of the logarithms in the left one. Black pixels, clipped or empty, do not count. */
#ifndef STEREO_EXPOSURE_H
#define STEREO_EXPOSURE_H

#include "stereo/pixel.h"

enum { SV_LEVELS = 256, SV_CHANNELS = 4 /* grey, red, green, blue */ };

/* log2(value + 1) of each grey value in 1/4096, ascending. */
typedef struct sv_logarithms {
    uint16_t of[SV_LEVELS];
} sv_logarithms;

/* Called on the host for both backends, because their logarithms differ in the last bit. */
static inline void sv_make_logarithms(sv_logarithms *logarithms) {
    for (int i = 0; i < SV_LEVELS; i++) logarithms->of[i] = (uint16_t)lround(4096 * log2(i + 1));
}

/* Mean and standard deviation of the logarithms of a channel, over its pixels that are not black. */
typedef struct sv_exposure {
    double mean, deviation;
} sv_exposure;

/* `counts`: the number of pixels with each value. All sums are exact. A channel that is black gives 0 and 0. */
SV_PIXEL sv_exposure sv_exposure_of(const uint32_t *counts, const sv_logarithms *logarithms) {
    uint64_t pixels = 0, sum = 0, squares = 0;
    for (int i = 1; i < SV_LEVELS; i++) {
        const uint64_t logarithm = logarithms->of[i];
        pixels += counts[i];
        sum += counts[i] * logarithm;
        squares += counts[i] * (logarithm * logarithm);
    }
    const double n = (double)(pixels ? pixels : 1), mean = (double)sum / n;
    const double variance = (double)squares / n - mean * mean;
    const sv_exposure exposure = {mean, variance > 0 ? sqrt(variance) : 0};
    return exposure;
}

/* The grey value that corresponds to `value` of a channel with exposure `from` in one with exposure `to`: the nearest,
 * or the darker of two. Black stays black. */
SV_PIXEL int sv_expose(int value, sv_exposure from, sv_exposure to, const sv_logarithms *logarithms) {
    if (!value || !(from.mean > 0 && to.mean > 0)) return value;
    const double contrast = from.deviation > 0 ? to.deviation / from.deviation : 1;
    const double logarithm = ((double)logarithms->of[value] - from.mean) * contrast + to.mean;
    int low = 0, high = SV_LEVELS - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (2 * logarithm <= (double)(logarithms->of[middle] + logarithms->of[middle + 1]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

#endif
