/* Generalised Fourier descriptors, their costs and the penalties of gfd, shared by cpu/gfd.c and gpu/gfd.cu so that
 * both give the same bits (see pixel.h). Equation numbers are those of the paper that cpu/gfd.c names.
 *
 * The window's transform F(u, v) is separated into cosines and sines, first down the columns, then along the rows. A
 * real window has |F(u, v)| = |F(-u, -v)|, and
 *     |F(u, v)|^2 + |F(u, -v)|^2 = 2 (cc^2 + cs^2 + sc^2 + ss^2),
 * where cc is the sum of f cos(2 pi u x / n) cos(2 pi v y / n), and so on. The energy of ring r, which is the sum over
 * all (u, v) at that distance from the centre, therefore follows from 0 <= u, v <= rho alone. */
#ifndef STEREO_FOURIER_H
#define STEREO_FOURIER_H

#include "stereo/pixel.h"

enum {
    SV_PLANES = 4,           /* red, green, blue, gradient magnitude */
    SV_DESCRIPTOR_UNITS = 16 /* descriptors, costs and penalties are in 1/16 grey level */
};

/* cos and sin of 2 pi k / n, 0 <= k < n = 2 rho + 1. */
typedef struct sv_waves {
    float cosine[2 * SV_MAX_RADIUS + 1], sine[2 * SV_MAX_RADIUS + 1];
} sv_waves;

/* Called on the host for both backends, because their trigonometric functions differ in the last bit. */
static inline void sv_make_waves(sv_waves *waves, int rho) {
    const int n = 2 * rho + 1;
    for (int k = 0; k < n; k++) {
        const double angle = 6.283185307179586 * k / n;
        waves->cosine[k] = (float)cos(angle);
        waves->sine[k] = (float)sin(angle);
    }
}

/* The ring that (u, v) belongs to: its distance from the centre, rounded. Rings beyond rho are incomplete, because
 * the spectrum is square, and not used. */
SV_PIXEL int sv_ring(int u, int v) { return (int)(sqrtf((float)(u * u + v * v)) + 0.5f); }

/* The weight of cc^2 + cs^2 + sc^2 + ss^2 of (u, v) in the energy of its ring. */
SV_PIXEL float sv_ring_weight(int u, int v) { return u && v ? 4.0f : u || v ? 2.0f : 1.0f; }

/* Eq. 6 to 8: the gradient magnitude, from the four neighbours of a pixel. */
SV_PIXEL float sv_gradient(int left, int right, int above, int below) {
    const int x = right - left, y = below - above;
    return sqrtf((float)(x * x + y * y));
}

/* A component of a descriptor, from the energy of its ring. The root of the energy, divided by the number of pixels of
 * the window, is in grey levels for every window size: component 0 is the mean, and the squares of the others add up to
 * the variance. */
SV_PIXEL int16_t sv_component(float energy, int n) {
    return (int16_t)(SV_DESCRIPTOR_UNITS * sqrtf(energy) / (float)(n * n) + 0.5f);
}

/* The cost of a match, Eq. 4 and 5, from the summed squared differences of the components of colour and of gradient. At
 * most 15 grey levels. Unlike in the paper, the distances are truncated, so that an occluded or reflecting pixel weighs
 * no more than any other mismatch. */
enum { SV_COLOUR_LIMIT = 15 * SV_DESCRIPTOR_UNITS, SV_GRADIENT_LIMIT = 7 * SV_DESCRIPTOR_UNITS };
SV_PIXEL int sv_descriptor_cost(int colour, int gradient, float alpha) {
    const float c = sqrtf((float)colour), g = sqrtf((float)gradient);
    const float c_limit = SV_COLOUR_LIMIT, g_limit = SV_GRADIENT_LIMIT;
    return (int)(alpha * (c < c_limit ? c : c_limit) + (1.0f - alpha) * (g < g_limit ? g : g_limit) + 0.5f);
}

/* The cost of a candidate that is not tried: as much as the worst match. */
SV_PIXEL int sv_untried_cost(float alpha) {
    return (int)(alpha * (float)SV_COLOUR_LIMIT + (1.0f - alpha) * (float)SV_GRADIENT_LIMIT + 0.5f);
}

/* Eq. 9: the mean of the costs of a box, rounded. `portion` is 1.0f / the number of costs. That number is odd and at
 * most 961, so no mean is closer than 1/1922 to a half, which is more than the rounding error of the product. */
SV_PIXEL int sv_mean_cost(int sum, float portion) { return (int)((float)sum * portion + 0.5f); }

/* The cost of a change of disparity from one pixel to the next: sv_step_cost for one candidate, sv_jump_cost for more.
 * The latter is smaller at an edge of the picture, of `edge` grey levels in the channel that differs most. */
SV_PIXEL int sv_step_cost(float lambda) { return (int)(lambda * SV_DESCRIPTOR_UNITS + 0.5f); }
SV_PIXEL int sv_jump_cost(int by_one, int edge) {
    const int cost = 8 * by_one * 8 / (8 + edge);
    return cost > by_one ? cost : by_one;
}

/* The difference between two pixels of SV_COLOUR8 in the channel that differs most. */
SV_PIXEL int sv_edge(const uint8_t *a, const uint8_t *b) {
    int largest = 0;
    for (int c = 0; c < 3; c++) {
        const int difference = a[c] < b[c] ? b[c] - a[c] : a[c] - b[c];
        largest = difference > largest ? difference : largest;
    }
    return largest;
}

#endif
