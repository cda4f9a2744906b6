/* Corners of a pair. J. Shi and C. Tomasi (Good features to track, 1994) choose them: the smaller eigenvalue of the
 * second-moment matrix of the gradient is large. B. D. Lucas and T. Kanade (An iterative image registration technique,
 * 1981) track them, here with the gradient of the left window, whose matrix is then inverted once, and with brightness
 * and contrast of each window made equal, because cameras expose differently. */
#include "rig/row_points.h"

#include "rig/rectify.h"
#include "stereo/pixel.h"

#include <stdlib.h>
#include <string.h>

enum {
    RADIUS = 7, /* of the windows that are compared */
    SIDE = 2 * RADIUS + 1,
    WINDOW = SIDE * SIDE,
    APART = 4, /* pixels, between corners */
    CELLS_ACROSS = 12,
    CELLS_DOWN = 10,
    OF_A_CELL = ROW_POINTS_MOST / (CELLS_ACROSS * CELLS_DOWN), /* corners at most, so that they are spread */
    STEPS = 20
};

static const float quality = 0.005f;      /* of a corner, as a part of the best one's */
static const float least_strength = 50;   /* the same, absolute: squared grey levels, summed over 3 x 3 pixels */
static const float farthest = 4;          /* pixels from where the map has it */
static const float settled = 0.01f;       /* pixels: a smaller step is the last */
static const float least_likeness = 0.9f; /* correlation of the windows */

typedef struct tracker {
    int width, height, shift;
    const sv_rectification *rectification;
    const uint8_t *left, *right; /* rectified, height x width; the right one is not shifted */
    float *strength;             /* height x width: the smaller eigenvalue at each pixel */
} tracker;

static int left_at(const tracker *t, int x, int y) { return t->left[(size_t)y * (size_t)t->width + (size_t)x]; }

/* ---- Corners ---------------------------------------------------------------------------------- */

/* Over 3 x 3 pixels; gradients are central differences. */
static float strength_of(const tracker *t, int x, int y) {
    float xx = 0, xy = 0, yy = 0;
    for (int v = y - 1; v <= y + 1; v++)
        for (int u = x - 1; u <= x + 1; u++) {
            const float across = (float)(left_at(t, u + 1, v) - left_at(t, u - 1, v)) / 2;
            const float down = (float)(left_at(t, u, v + 1) - left_at(t, u, v - 1)) / 2;
            xx += across * across;
            xy += across * down;
            yy += down * down;
        }
    const float half = (xx - yy) / 2;
    return (xx + yy) / 2 - sqrtf(half * half + xy * xy);
}

/* Fills in `strength`, 0 where no window fits, and returns the largest. */
static float measure_strength(const tracker *t) {
    float most = 0;
    memset(t->strength, 0, sizeof *t->strength * (size_t)t->width * (size_t)t->height);
    for (int y = RADIUS + 1; y < t->height - RADIUS - 1; y++)
        for (int x = RADIUS + 1; x < t->width - RADIUS - 1; x++) {
            const float strength = strength_of(t, x, y);
            t->strength[(size_t)y * (size_t)t->width + (size_t)x] = strength;
            most = fmaxf(most, strength);
        }
    return most;
}

/* The strongest pixel of a cell, of at least `least`; false if there is none. It and its neighbours up to APART lose
 * their strength. */
static bool take_corner(const tracker *t, int left, int top, int right, int bottom, float least, int *x, int *y) {
    float best = 0;
    for (int v = top; v < bottom; v++)
        for (int u = left; u < right; u++) {
            const float strength = t->strength[(size_t)v * (size_t)t->width + (size_t)u];
            if (strength < least || strength <= best) continue;
            best = strength;
            *x = u;
            *y = v;
        }
    if (!(best > 0)) return false;
    for (int v = *y - APART + 1; v < *y + APART; v++)
        for (int u = *x - APART + 1; u < *x + APART; u++) t->strength[(size_t)v * (size_t)t->width + (size_t)u] = 0;
    return true;
}

/* ---- Tracking --------------------------------------------------------------------------------- */

/* A window with mean 0 and its norm. */
typedef struct window {
    float grey[WINDOW], norm;
} window;

static void centre(window *w) {
    float sum = 0, squares = 0;
    for (int i = 0; i < WINDOW; i++) sum += w->grey[i];
    for (int i = 0; i < WINDOW; i++) {
        w->grey[i] -= sum / WINDOW;
        squares += w->grey[i] * w->grey[i];
    }
    w->norm = sqrtf(squares);
}

static bool shows(const tracker *t, int side, int x, int y) {
    const int32_t *map = t->rectification ? t->rectification->maps[side] : NULL;
    return !map || map[2 * ((size_t)y * (size_t)t->width + (size_t)x)] != SV_MAP_OUTSIDE;
}

/* True if the window around the pixel, with a margin of one, lies in the picture and shows something in its corners. */
static bool fits(const tracker *t, int side, int x, int y) {
    const int left = x - RADIUS - 1, right = x + RADIUS + 1, top = y - RADIUS - 1, bottom = y + RADIUS + 1;
    return left >= 0 && top >= 0 && right < t->width && bottom < t->height && shows(t, side, left, top) &&
           shows(t, side, right, top) && shows(t, side, left, bottom) && shows(t, side, right, bottom);
}

/* The window of the right picture around (x, y); false if it does not fit. */
static bool take_right(const tracker *t, float x, float y, window *w) {
    const int column = (int)floorf(x), row = (int)floorf(y);
    const float right = x - (float)column, down = y - (float)row;
    if (!fits(t, 1, column, row)) return false;
    for (int j = 0; j < SIDE; j++) {
        const uint8_t *upper = t->right + (size_t)(row - RADIUS + j) * (size_t)t->width + (size_t)(column - RADIUS);
        const uint8_t *lower = upper + t->width;
        for (int i = 0; i < SIDE; i++)
            w->grey[j * SIDE + i] = (1 - down) * ((1 - right) * upper[i] + right * upper[i + 1]) +
                                    down * ((1 - right) * lower[i] + right * lower[i + 1]);
    }
    centre(w);
    return true;
}

/* Moves (x, y) to where the right picture looks like the left one at the corner; false if that is nowhere near. */
static bool track(const tracker *t, int corner_x, int corner_y, float *x, float *y) {
    const float start_x = *x, start_y = *y;
    float across[WINDOW], down[WINDOW], xx = 0, xy = 0, yy = 0;
    window left, right;
    for (int i = 0; i < WINDOW; i++) {
        const int u = corner_x - RADIUS + i % SIDE, v = corner_y - RADIUS + i / SIDE;
        left.grey[i] = (float)left_at(t, u, v);
        across[i] = (float)(left_at(t, u + 1, v) - left_at(t, u - 1, v)) / 2;
        down[i] = (float)(left_at(t, u, v + 1) - left_at(t, u, v - 1)) / 2;
        xx += across[i] * across[i];
        xy += across[i] * down[i];
        yy += down[i] * down[i];
    }
    const float determinant = xx * yy - xy * xy;
    centre(&left);
    if (!(determinant > 0 && left.norm > 0)) return false;
    for (int step = 0; step < STEPS; step++) {
        float u = 0, v = 0, likeness = 0;
        if (!take_right(t, *x, *y, &right) || !(right.norm > 0)) return false;
        const float contrast = left.norm / right.norm;
        for (int i = 0; i < WINDOW; i++) {
            const float difference = left.grey[i] - contrast * right.grey[i];
            u += across[i] * difference;
            v += down[i] * difference;
            likeness += left.grey[i] * right.grey[i];
        }
        const float step_x = (yy * u - xy * v) / determinant, step_y = (xx * v - xy * u) / determinant;
        *x += step_x;
        *y += step_y;
        if (!(fabsf(*x - start_x) <= farthest && fabsf(*y - start_y) <= farthest)) return false;
        if (fabsf(step_x) < settled && fabsf(step_y) < settled)
            return likeness >= least_likeness * left.norm * right.norm;
    }
    return false;
}

/* ---- The whole -------------------------------------------------------------------------------- */

static int find(const tracker *t, const sv_image *disparity, row_point *points) {
    const float least = fmaxf(quality * measure_strength(t), least_strength);
    int count = 0;
    for (int cell = 0; cell < CELLS_ACROSS * CELLS_DOWN; cell++) {
        const int left = cell % CELLS_ACROSS * t->width / CELLS_ACROSS;
        const int right = (cell % CELLS_ACROSS + 1) * t->width / CELLS_ACROSS;
        const int top = cell / CELLS_ACROSS * t->height / CELLS_DOWN;
        const int bottom = (cell / CELLS_ACROSS + 1) * t->height / CELLS_DOWN;
        int x, y;
        for (int i = 0; i < OF_A_CELL && take_corner(t, left, top, right, bottom, least, &x, &y); i++) {
            const float d = ((const float *)sv_row(disparity, y))[x], level = (float)(y + t->shift);
            float at_x = (float)x - d, at_y = level;
            if (isfinite(d) && fits(t, 0, x, y) && track(t, x, y, &at_x, &at_y))
                points[count++] = (row_point){at_x, level, at_y - level, (float)x};
        }
    }
    return count;
}

sv_status row_points_find(const sv_pair *pair, const sv_rectification *rectification, const sv_image *disparity,
                          int row_shift, row_point points[ROW_POINTS_MOST], int *count, sv_error *error) {
    const int width = pair->left.width, height = pair->left.height;
    const size_t pixels = (size_t)width * (size_t)height;
    float *strength = malloc((sizeof *strength + 2) * pixels);
    *count = 0;
    if (!strength) return sv_fail(error, SV_FAILED, "out of memory for measuring the rows");
    uint8_t *left = (uint8_t *)(strength + pixels), *right = left + pixels;
    sv_rectify_grey(rectification, 0, &pair->left, 0, left);
    sv_rectify_grey(rectification, 1, &pair->right, 0, right);
    const tracker t = {.width = width,
                       .height = height,
                       .shift = row_shift,
                       .rectification = rectification,
                       .left = left,
                       .right = right,
                       .strength = strength};
    *count = find(&t, disparity, points);
    free(strength);
    return SV_OK;
}
