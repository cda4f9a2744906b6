/* Pixels with disparities as points in space, and the grid below them. */
#include "map/space.h"

static const double farthest = 1000; /* baselines: the depth that stands for infinity */

space space_of(const sv_rectification *r, int width, int height) {
    space s = {.width = width, .height = height, .unit = SPACE_BASELINES, .baseline = 1};
    if (!sv_is_calibrated(r)) {
        s.assumed = true;
        s.fx = s.fy = width / (2 * tan(SPACE_ASSUMED_FIELD * M_PI / 360));
        s.cx = (width - 1) / 2.0;
        s.cy = (height - 1) / 2.0;
        s.unit_depth = s.fx;
        return s;
    }
    const sv_pinhole *left = &r->pinholes[0];
    s.fx = left->fx;
    s.fy = left->fy;
    s.cx = left->cx;
    s.cy = left->cy;
    s.doffs = r->doffs;
    if (r->metric) {
        s.unit = SPACE_METRES;
        s.baseline = r->baseline;
    }
    s.unit_depth = r->focal * s.baseline;
    return s;
}

const char *space_unit_name(space_unit unit) { return unit == SPACE_METRES ? "m" : "baselines"; }

bool space_point(const space *s, double x, double y, float disparity, double point[3]) {
    const double d = disparity + s->doffs;
    if (!(d > 0 && d < INFINITY)) return false;
    const double depth = s->unit_depth / d;
    point[0] = (x - s->cx) / s->fx * depth;
    point[1] = (y - s->cy) / s->fy * depth;
    point[2] = depth;
    return true;
}

double space_depth(const space *s, double disparity) {
    const double most = farthest * s->baseline, d = disparity + s->doffs;
    return d > 0 ? fmin(s->unit_depth / d, most) : most;
}

void space_limit_disparities(const space *s, const space_limits *limits, float range[2]) {
    range[0] = limits->farthest > 0 ? (float)(s->unit_depth / limits->farthest - s->doffs) : -INFINITY;
    range[1] = limits->nearest > 0 ? (float)(s->unit_depth / limits->nearest - s->doffs) : INFINITY;
}

void space_limit_maps(const space *s, const space_limits *limits, const sv_output *maps) {
    float range[2];
    if (!(limits->nearest > 0 || limits->farthest > 0)) return;
    space_limit_disparities(s, limits, range);
    for (int y = 0; y < maps->disparity.height; y++) {
        float *row = sv_row(&maps->disparity, y);
        uint8_t *confidence = maps->confidence.data ? sv_row(&maps->confidence, y) : NULL;
        for (int x = 0; x < maps->disparity.width; x++) {
            if (row[x] >= range[0] && row[x] <= range[1]) continue;
            row[x] = INFINITY;
            if (confidence) confidence[x] = 0;
        }
    }
}

/* The largest of 1, 2 and 5 times a power of ten that is not above `value`. */
static double round_down(double value) {
    const double power = pow(10, floor(log10(value))), digit = value / power;
    return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

space_grid space_grid_of(const space *s, double depth) {
    enum { CELLS = 12 }; /* that are wanted, at least */
    const double ahead = 3 * depth, across = ahead * s->width / (2 * s->fx);
    const double below = (s->height - 1 - s->cy) / s->fy * depth;
    space_grid g = {.step = round_down(ahead / CELLS)};
    g.floor = g.step * fmax(1, round(below / g.step));
    g.ahead = (int)ceil(ahead / g.step);
    g.across = (int)fmax(1, fmin(g.ahead, ceil(across / g.step)));
    return g;
}
