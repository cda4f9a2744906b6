/* Distances, and planes fitted to rectangles of the map. */
#include "render/view/measure.h"

#include "stereo/pixel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

char *measure_number(double value, int digits, char *text, size_t size) {
    const double magnitude = fabs(value);
    if (magnitude < 1e-4)
        snprintf(text, size, "0");
    else if (magnitude < pow(10, digits) - 0.5)
        snprintf(text, size, "%.*g", digits, value);
    else
        snprintf(text, size, "%.0f", value);
    return text;
}

void measure_distance(const space *s, const view_pixel *a, const view_pixel *b, char *text, size_t size) {
    double p[3], q[3];
    char number[32];
    *text = 0;
    if (s->assumed) {
        snprintf(text, size, "%.1f px in the picture", hypot(b->x - a->x, b->y - a->y));
        return;
    }
    if (!space_point(s, a->x, a->y, a->disparity, p) || !space_point(s, b->x, b->y, b->disparity, q)) return;
    const double length = hypot(hypot(q[0] - p[0], q[1] - p[1]), q[2] - p[2]);
    snprintf(text, size, "%s %s", measure_number(length, 4, number, sizeof number), space_unit_name(s->unit));
}

measure_box measure_box_of(int x0, int y0, int x1, int y1, int width, int height) {
    const int left = sv_clamp(x0 < x1 ? x0 : x1, width), right = sv_clamp(x0 < x1 ? x1 : x0, width);
    const int top = sv_clamp(y0 < y1 ? y0 : y1, height), bottom = sv_clamp(y0 < y1 ? y1 : y0, height);
    return (measure_box){left, top, right - left + 1, bottom - top + 1};
}

/* Sums over the values: positions from the middle of the rectangle, disparities from its first value, so that little
 * is lost when they are subtracted. */
typedef struct sums {
    double n, x, y, d, xx, xy, yy, xd, yd, dd;
} sums;

static sums sum_up(const sv_image *disparity, measure_box box, double origin) {
    sums s = {0};
    for (int j = 0; j < box.height; j++) {
        const float *row = (const float *)sv_row(disparity, box.y + j) + box.x;
        const double y = j - (box.height - 1) / 2.0;
        for (int i = 0; i < box.width; i++) {
            if (!isfinite(row[i])) continue;
            const double x = i - (box.width - 1) / 2.0, d = row[i] - origin;
            s.n++;
            s.x += x;
            s.y += y;
            s.d += d;
            s.xx += x * x;
            s.xy += x * y;
            s.yy += y * y;
            s.xd += x * d;
            s.yd += y * d;
            s.dd += d * d;
        }
    }
    return s;
}

static bool first_value(const sv_image *disparity, measure_box box, double *value) {
    for (int j = 0; j < box.height; j++) {
        const float *row = (const float *)sv_row(disparity, box.y + j) + box.x;
        for (int i = 0; i < box.width; i++)
            if (isfinite(row[i])) {
                *value = row[i];
                return true;
            }
    }
    return false;
}

/* The distances of the values from the plane, which is `middle` in the middle of the rectangle.
 *
 * With d + doffs = U / Z, x = fx X / Z + cx and y = fy Y / Z + cy, the plane is n . (X, Y, Z) = U in space, where n =
 * (across fx, down fy, its value at (cx, cy) plus doffs); a point with disparity d is Z (plane - d) / |n| from it. */
static void measure_distances(measure_region *m, const sv_image *disparity, measure_box box, double middle,
                              const space *s) {
    const double x0 = box.x + (box.width - 1) / 2.0, y0 = box.y + (box.height - 1) / 2.0;
    const double at_axis = middle + m->across * (s->cx - x0) + m->down * (s->cy - y0) + s->doffs;
    const double normal = hypot(hypot(m->across * s->fx, m->down * s->fy), at_axis);
    double squares = 0, spatial = 0;
    for (int j = 0; j < box.height; j++) {
        const float *row = (const float *)sv_row(disparity, box.y + j) + box.x;
        for (int i = 0; i < box.width; i++) {
            if (!isfinite(row[i])) continue;
            const double plane = middle + m->across * (i + box.x - x0) + m->down * (j + box.y - y0);
            const double off = plane - row[i], d = row[i] + s->doffs;
            const double distance = d > 0 ? s->unit_depth / d * off / normal : NAN;
            squares += off * off;
            spatial += distance * distance;
        }
    }
    m->residual = sqrt(squares / (double)m->values);
    m->metres = s->unit == SPACE_METRES ? sqrt(spatial / (double)m->values) : NAN;
}

/* Floats in their order as integers. */
static uint32_t key_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | 1u << 31;
}

/* Finds the value that `larger` values are not below: by eleven bits of its key at a time, without a copy of the
 * rectangle. */
static void find_nearest(measure_region *m, const sv_image *disparity, measure_box box, long long larger) {
    enum { DIGITS = 11, COUNTS = 1 << DIGITS };
    uint32_t key = 0, known = 0; /* the bits of the key that are known */
    for (int shift = 2 * DIGITS; shift >= 0; shift -= DIGITS) {
        long long counts[COUNTS] = {0};
        uint32_t digit = COUNTS - 1;
        for (int y = box.y; y < box.y + box.height; y++) {
            const float *row = sv_row(disparity, y);
            for (int x = box.x; x < box.x + box.width; x++)
                if (isfinite(row[x]) && (key_of(row[x]) & known) == key)
                    counts[key_of(row[x]) >> shift & (COUNTS - 1)]++;
        }
        while (digit > 0 && larger >= counts[digit]) larger -= counts[digit--];
        key |= digit << shift;
        known |= (uint32_t)(COUNTS - 1) << shift;
    }
    for (int y = box.y; y < box.y + box.height; y++) {
        const float *row = sv_row(disparity, y);
        for (int x = box.x; x < box.x + box.width; x++) {
            if (!isfinite(row[x]) || key_of(row[x]) != key) continue;
            m->nearest = row[x];
            m->nearest_x = x;
            m->nearest_y = y;
            return;
        }
    }
}

measure_region measure_region_of(const sv_image *disparity, measure_box box, const space *space) {
    measure_region m = {
        .pixels = (long long)box.width * box.height, .mean = NAN, .deviation = NAN, .metres = NAN, .nearest = NAN};
    double origin;
    if (!first_value(disparity, box, &origin)) return m;
    const sums s = sum_up(disparity, box, origin);
    const double x = s.x / s.n, y = s.y / s.n, d = s.d / s.n;
    m.values = (long long)s.n;
    m.mean = origin + d;
    m.deviation = sqrt(fmax(0, s.dd / s.n - d * d));
    find_nearest(&m, disparity, box, m.values / 100);
    /* The normal equations about the mean. */
    const double xx = s.xx / s.n - x * x, xy = s.xy / s.n - x * y, yy = s.yy / s.n - y * y;
    const double xd = s.xd / s.n - x * d, yd = s.yd / s.n - y * d, determinant = xx * yy - xy * xy;
    if (!(determinant > 1e-9 * xx * yy)) return m;
    m.has_plane = true;
    m.across = (xd * yy - yd * xy) / determinant;
    m.down = (yd * xx - xd * xy) / determinant;
    m.middle = m.mean - m.across * x - m.down * y;
    measure_distances(&m, disparity, box, m.middle, space);
    return m;
}

void measure_describe(const measure_region *m, const space *s, char lines[MEASURE_LINES][MEASURE_LINE_BYTES]) {
    char number[32], depth[48] = "";
    const double share = 100.0 * (double)m->values / (double)m->pixels, d = m->nearest + s->doffs;
    for (int i = 0; i < MEASURE_LINES; i++) *lines[i] = 0;
    if (!m->values) {
        snprintf(lines[0], MEASURE_LINE_BYTES, "no value in %lld px", m->pixels);
        return;
    }
    snprintf(lines[0], MEASURE_LINE_BYTES, "%.1f %% of %lld px, mean %.2f px, spread %.3f px", share, m->pixels,
             m->mean, m->deviation);
    if (m->has_plane && isfinite(m->metres))
        snprintf(lines[1], MEASURE_LINE_BYTES, "plane: residual %.3f px, %s mm", m->residual,
                 measure_number(1e3 * m->metres, 3, number, sizeof number));
    else if (m->has_plane)
        snprintf(lines[1], MEASURE_LINE_BYTES, "plane: residual %.3f px", m->residual);
    if (s->unit == SPACE_METRES && d > 0)
        snprintf(depth, sizeof depth, ", %s m", measure_number(s->unit_depth / d, 4, number, sizeof number));
    snprintf(lines[2], MEASURE_LINE_BYTES, "nearest %.2f px%s at (%d, %d)", m->nearest, depth, m->nearest_x,
             m->nearest_y);
}
