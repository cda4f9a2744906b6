/* How a calibration board looks in a picture: where it is, how it is tilted, how sharp it is. */
#include "rig/board.h"

#include "stereo/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Posture ---------------------------------------------------------------------------------- */

enum { UNKNOWNS = 8 };

/* Solves m * x = v by Gaussian elimination with pivoting; x takes the place of v. False if m is singular. */
static bool solve(double m[UNKNOWNS][UNKNOWNS], double v[UNKNOWNS]) {
    for (int k = 0; k < UNKNOWNS; k++) {
        int pivot = k;
        for (int i = k + 1; i < UNKNOWNS; i++)
            if (fabs(m[i][k]) > fabs(m[pivot][k])) pivot = i;
        if (!(fabs(m[pivot][k]) > 1e-9)) return false;
        for (int j = 0; j < UNKNOWNS; j++) {
            const double kept = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = kept;
        }
        const double kept = v[k];
        v[k] = v[pivot];
        v[pivot] = kept;
        for (int i = 0; i < UNKNOWNS; i++) {
            const double factor = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = 0; j < UNKNOWNS; j++) m[i][j] -= factor * m[k][j];
            v[i] -= factor * v[k];
        }
    }
    for (int k = 0; k < UNKNOWNS; k++) v[k] /= m[k][k];
    return true;
}

/* The homography h, whose last element is 1, that maps `from` to `to`: the linear least squares of Hartley and
 * Zisserman (Multiple View Geometry, 4.1). The coordinates of both are of order 1, so they are not normalised. */
static bool fit(const double (*from)[2], const double (*to)[2], int count, double h[UNKNOWNS]) {
    double m[UNKNOWNS][UNKNOWNS] = {{0}};
    memset(h, 0, sizeof(double[UNKNOWNS]));
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 2; axis++) {
            const double x = from[i][0], y = from[i][1], t = to[i][axis];
            double row[UNKNOWNS] = {[6] = -t * x, [7] = -t * y};
            row[3 * axis] = x;
            row[3 * axis + 1] = y;
            row[3 * axis + 2] = 1;
            for (int k = 0; k < UNKNOWNS; k++) {
                h[k] += row[k] * t;
                for (int j = 0; j < UNKNOWNS; j++) m[k][j] += row[k] * row[j];
            }
        }
    return solve(m, h);
}

bool board_find_posture(const board *b, const board_sight *s, int width, int height, board_posture *posture) {
    double flat[BOARD_MOST_POINTS][2], seen[BOARD_MOST_POINTS][2], size[2], h[UNKNOWNS], corners[4][2];
    if (s->count < BOARD_LEAST_POINTS) return false;
    board_size(b, size);
    for (int i = 0; i < s->count; i++) {
        board_point(b, s->points[i], flat[i]);
        for (int k = 0; k < 2; k++) flat[i][k] = flat[i][k] / size[k] - 0.5;
        seen[i][0] = ((double)s->at[i][0] - width / 2.0) / width;
        seen[i][1] = ((double)s->at[i][1] - height / 2.0) / width;
    }
    if (!fit((const double(*)[2])flat, (const double(*)[2])seen, s->count, h)) return false;
    double area = 0;
    for (int i = 0; i < 4; i++) {
        const double x = i == 1 || i == 2 ? 0.5 : -0.5, y = i >= 2 ? 0.5 : -0.5, w = h[6] * x + h[7] * y + 1;
        if (!(w > 0)) return false;
        for (int k = 0; k < 2; k++) corners[i][k] = (h[3 * k] * x + h[3 * k + 1] * y + h[3 * k + 2]) / w;
    }
    for (int i = 0; i < 4; i++) {
        const double *p = corners[i], *q = corners[(i + 1) % 4];
        area += (p[0] * q[1] - q[0] * p[1]) / 2;
    }
    posture->size = sqrt(fabs(area) * width / height);
    /* The inverse of the distance is linear in the picture: it is the denominator of the inverse homography. Its slope
     * times the extent of the board in the picture is the difference between the board's ends. */
    if (!fit((const double(*)[2])seen, (const double(*)[2])flat, s->count, h)) return false;
    const double middle = h[6] * (corners[0][0] + corners[2][0]) / 2 + h[7] * (corners[0][1] + corners[2][1]) / 2 + 1;
    for (int k = 0; k < 2; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < 4; i++) {
            low = fmin(low, corners[i][k]);
            high = fmax(high, corners[i][k]);
        }
        *(k ? &posture->down : &posture->across) = h[6 + k] * (high - low) / middle;
    }
    return isfinite(posture->size) && isfinite(posture->across) && isfinite(posture->down);
}

/* ---- Sharpness -------------------------------------------------------------------------------- */

double board_sharpness(const sv_image *grey, const board_sight *s) {
    enum { REACH = 6 };
    double slopes[BOARD_MOST_POINTS];
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        const int x = (int)lround((double)s->at[i][0]), y = (int)lround((double)s->at[i][1]);
        int least = 255, most = 0, steepest = 0;
        if (x < REACH || y < REACH || x >= grey->width - REACH || y >= grey->height - REACH) continue;
        for (int v = y - REACH + 1; v < y + REACH; v++) {
            const uint8_t *above = sv_row(grey, v - 1), *row = sv_row(grey, v), *below = sv_row(grey, v + 1);
            for (int u = x - REACH + 1; u < x + REACH; u++) {
                const int across = abs(row[u + 1] - row[u - 1]), down = abs(below[u] - above[u]);
                if (row[u] < least) least = row[u];
                if (row[u] > most) most = row[u];
                if (across > steepest) steepest = across;
                if (down > steepest) steepest = down;
            }
        }
        if (most > least) slopes[count++] = fmin(steepest / 2.0 / (most - least), 0.5);
    }
    return count ? sv_median(slopes, (size_t)count) : 0;
}
