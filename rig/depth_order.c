/* Which side of a pair is the left one: see depth_order.h.
 *
 * Left of something near, the left camera alone sees a strip of the background: pixels without a disparity, as many as
 * the disparity then rises, up to the edge of the near thing. If the reference picture is the right one, disparities
 * have the other sign and rise there, too, but the strip begins at the edge. In fifteen scenes, with offsets from -9 to
 * 12 % of the width, no wrong order had more than 1.7 standard deviations of the votes. */
#include "rig/depth_order.h"

#include <math.h>
#include <stdlib.h>

enum {
    LEAST_RISE = 2, /* blocks, of the disparity across a gap */
    AROUND = 3      /* blocks on either side of a gap that are compared with it */
};

/* The mean of the block of column `x`, row `y`. */
static int grey_at(const sv_image *picture, int x, int y, int scale) {
    int sum = 0;
    for (int j = 0; j < scale; j++) {
        const uint8_t *row = (const uint8_t *)sv_row(picture, y * scale + j) + (ptrdiff_t)x * scale;
        for (int i = 0; i < scale; i++) sum += row[i];
    }
    return sum / (scale * scale);
}

static int sign(int value) { return (value > 0) - (value < 0); }

/* The steepest step between the blocks around the border before block `x`. */
static int edge_at(const sv_image *picture, int x, int y, int scale) {
    int steepest = 0;
    for (int i = x - 1; i <= x + 2; i++) {
        const int step = abs(grey_at(picture, i - 1, y, scale) - grey_at(picture, i - 2, y, scale));
        if (step > steepest) steepest = step;
    }
    return steepest;
}

static int mean_of(const sv_image *picture, int first, int end, int y, int scale) {
    int sum = 0;
    for (int x = first; x < end; x++) sum += grey_at(picture, x, y, scale);
    return sum / (end - first);
}

/* The vote of the gap from block `first` to `end` - 1, -1 to 1: by where the edge is, and by which side it is like. */
static float vote(const sv_image *picture, int first, int end, int y, int scale) {
    const int inside = mean_of(picture, first, end, y, scale);
    const int left = abs(inside - mean_of(picture, first - AROUND, first, y, scale));
    const int right = abs(inside - mean_of(picture, end, end + AROUND, y, scale));
    const int edges = edge_at(picture, end, y, scale) - edge_at(picture, first, y, scale);
    return 0.5f * (float)(sign(edges) + sign(right - left));
}

/* Sums for a correlation. */
typedef struct sums {
    double count, x, y, xx, yy, xy;
} sums;

static void add(sums *s, double x, double y) {
    s->count++;
    s->x += x;
    s->y += y;
    s->xx += x * x;
    s->yy += y * y;
    s->xy += x * y;
}

static float correlation(const sums *s) {
    const double both = (s->count * s->xx - s->x * s->x) * (s->count * s->yy - s->y * s->y);
    return both > 0 ? (float)((s->count * s->xy - s->x * s->y) / sqrt(both)) : 0;
}

depth_order depth_order_look(const sv_image *picture, const sv_image *disparity, int scale) {
    const int width = picture->width / scale, height = picture->height / scale;
    depth_order order = {0};
    sums rows = {0};
    for (int y = 0; y < height; y++) {
        const float *row = sv_row(disparity, y * scale + scale / 2);
        int last = -1; /* the block with a disparity before this one */
        for (int x = 0; x < width; x++) {
            const float d = row[x * scale] / (float)scale;
            if (!isfinite(d)) continue;
            add(&rows, y, (double)d);
            const int gap = x - last - 1;
            const float rise = last < 0 ? 0 : d - row[last * scale] / (float)scale;
            if (gap > 0 && last > AROUND && x < width - AROUND - 1 && rise >= LEAST_RISE &&
                fabsf((float)gap - rise) <= fmaxf(2, rise / 2)) {
                order.gaps++;
                order.votes += vote(picture, last + 1, x, y, scale);
            }
            last = x;
        }
    }
    order.rise = correlation(&rows);
    return order;
}
