/* See reference_temporal.h. */
#include "tests/support/reference_temporal.h"

#include <math.h>
#include <stdlib.h>

static int clamped(int i, int size) { return i < 0 ? 0 : i > size - 1 ? size - 1 : i; }

/* The mean of the 5 x 5 pixels around (x, y), rounded to nearest, where the picture goes on as its edge. */
static int mean(const sv_image *picture, int x, int y) {
    int sum = 0;
    for (int j = y - 2; j <= y + 2; j++)
        for (int i = x - 2; i <= x + 2; i++)
            sum += ((const uint8_t *)sv_row(picture, clamped(j, picture->height)))[clamped(i, picture->width)];
    return (int)floor(sum / 25.0 + 0.5);
}

/* Disparities are compared and averaged in 1/16 pixel. */
static int units(float disparity) { return (int)nearbyint(16 * (double)disparity); }

static bool near(float a, float b) { return !isinf(a) && !isinf(b) && abs(units(a) - units(b)) <= 2 * 16; }

static void filter_pixel(const reference_frame *frames, int count, int x, int y, float *disparity, uint8_t *reason) {
    const int i = y * frames->left->width + x, now = mean(frames->left, x, y);
    const bool empty = isinf(frames->disparity[i]);
    int same = 0, best = -1, most = 0, sum = 0;
    while (same < count && abs(mean(frames[same].left, x, y) - now) <= 10) same++;
    for (int k = 0; k < same; k++) {
        int support = 0;
        for (int j = 0; j < same; j++) support += near(frames[k].disparity[i], frames[j].disparity[i]);
        if (support > most) {
            most = support;
            best = k;
        }
    }
    *disparity = frames->disparity[i];
    *reason = frames->reason[i];
    if (most < 2 || (empty && best > 3)) return;
    for (int k = 0; k < same; k++)
        if (near(frames[k].disparity[i], frames[best].disparity[i])) sum += units(frames[k].disparity[i]);
    *disparity = (float)sum / (float)(16 * most);
    if (empty) *reason = SV_FILLED;
}

void reference_temporal(const reference_frame *frames, int count, float *disparity, uint8_t *reason) {
    const int width = frames->left->width;
    for (int y = 0; y < frames->left->height; y++)
        for (int x = 0; x < width; x++)
            filter_pixel(frames, count, x, y, &disparity[y * width + x], &reason[y * width + x]);
}
