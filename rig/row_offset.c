/* Measures the row offset of a stereo pair. Corners of the left picture (Shi and Tomasi: both eigenvalues of the
 * second-moment matrix of the gradient are large) are searched for in the right picture by zero-mean normalised
 * cross-correlation, first at a coarse resolution, then near that match at each finer one. */
#include "rig/row_offset.h"

#include "rig/remap.h"
#include "stereo/pixel.h"
#include "stereo/sort.h"

#include <stdlib.h>

enum {
    RADIUS = 6, /* of the correlation windows, which have fewer than SV_FEW pixels */
    SIDE = 2 * RADIUS + 1,
    CELLS_ACROSS = 12, /* the left picture is divided into cells, and the strongest corner of each is used */
    CELLS_DOWN = 9,
    TRIED = 8,        /* positions tested per cell, across and down */
    ROWS = 24,        /* searched up and down, pixels at full resolution */
    USUAL_PART = 3,   /* disparities up to this fraction of the width */
    USUAL_MOST = 256, /* and up to this many pixels are searched even if the matcher does not */
    FINE = 2,         /* pixels around the coarse match, which is exact to one pixel at the next coarser resolution */
    APART = 3,       /* the second best match is at least this far from the best one, pixels at the coarse resolution */
    UNIQUENESS = 20, /* percent, see sv_ambiguous_correlations */
    LEAST_POINTS = 8, /* fewer points are not reliable */
    MOST_LEVELS = 6,
    WIDELY_SEARCHED = 160000 /* pixels that row_offset_find_points searches at most: time grows with their square */
};

static const float least_correlation = 0.85f;

/* Minimum of a corner's smaller eigenvalue, squared grey levels per pixel. */
static const double least_strength = 16;

/* A picture at one resolution; dense. `map`: its rectification map at full resolution, NULL without. */
typedef struct level {
    uint8_t *grey;
    int width, height, scale; /* one pixel covers scale x scale pixels at full resolution */
    const int32_t *map;
    int whole_width, whole_height, shift;
} level;

static int grey_at(const level *l, int x, int y) { return l->grey[(size_t)y * (size_t)l->width + (size_t)x]; }

/* ---- Pictures --------------------------------------------------------------------------------- */

static void fill_half(const level *l, const level *whole) {
    for (int y = 0; y < l->height; y++)
        for (int x = 0; x < l->width; x++)
            l->grey[(size_t)y * (size_t)l->width + (size_t)x] =
                (uint8_t)((grey_at(whole, 2 * x, 2 * y) + grey_at(whole, 2 * x + 1, 2 * y) +
                           grey_at(whole, 2 * x, 2 * y + 1) + grey_at(whole, 2 * x + 1, 2 * y + 1) + 2) /
                          4);
}

/* True if the pixel shows a part of the camera's picture. */
static bool shows(const level *l, int x, int y) {
    const int row = y * l->scale + l->shift, column = x * l->scale;
    if (row < 0 || row >= l->whole_height) return false;
    return !l->map || l->map[2 * ((size_t)row * (size_t)l->whole_width + (size_t)column)] != SV_MAP_OUTSIDE;
}

/* True if the window at (x, y) lies inside the picture and its corners show parts of the camera's picture. */
static bool fits(const level *l, int x, int y) {
    const int left = x - RADIUS, right = x + RADIUS, top = y - RADIUS, bottom = y + RADIUS;
    return left >= 0 && top >= 0 && right < l->width && bottom < l->height && shows(l, left, top) &&
           shows(l, right, top) && shows(l, left, bottom) && shows(l, right, bottom);
}

/* ---- Corners ---------------------------------------------------------------------------------- */

/* The smaller eigenvalue of the second-moment matrix of the gradient over the window, per pixel. Gradients are central
 * differences, twice the slope. */
static double corner_strength(const level *l, int x, int y) {
    double xx = 0, xy = 0, yy = 0;
    for (int v = y - RADIUS + 1; v < y + RADIUS; v++)
        for (int u = x - RADIUS + 1; u < x + RADIUS; u++) {
            const int across = grey_at(l, u + 1, v) - grey_at(l, u - 1, v);
            const int down = grey_at(l, u, v + 1) - grey_at(l, u, v - 1);
            xx += across * across;
            xy += across * down;
            yy += down * down;
        }
    const double n = (SIDE - 2) * (SIDE - 2), middle = (xx + yy) / 2, half = (xx - yy) / 2;
    return (middle - sqrt(half * half + xy * xy)) / n;
}

/* The strongest corner of a cell; false if there is none. */
static bool find_corner(const level *l, int cell_x, int cell_y, int *x, int *y) {
    double best = least_strength;
    bool found = false;
    for (int j = 0; j < TRIED; j++)
        for (int i = 0; i < TRIED; i++) {
            const int u = (int)((int64_t)(cell_x * TRIED + i) * l->width / (CELLS_ACROSS * TRIED));
            const int v = (int)((int64_t)(cell_y * TRIED + j) * l->height / (CELLS_DOWN * TRIED));
            if (!fits(l, u, v)) continue;
            const double strength = corner_strength(l, u, v);
            if (strength <= best) continue;
            best = strength;
            *x = u;
            *y = v;
            found = true;
        }
    return found;
}

/* ---- Matching --------------------------------------------------------------------------------- */

/* A window of the left picture. */
typedef struct window {
    uint8_t grey[SIDE * SIDE];
    int sum;
    float inverse; /* sv_inverse_deviation */
} window;

static window take_window(const level *l, int x, int y) {
    window w = {.sum = 0};
    int64_t squares = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const int grey = grey_at(l, x - RADIUS + i, y - RADIUS + j);
            w.grey[j * SIDE + i] = (uint8_t)grey;
            w.sum += grey;
            squares += grey * grey;
        }
    w.inverse = sv_inverse_deviation(SIDE * SIDE, w.sum, squares);
    return w;
}

/* The correlation with the window at (x, y); -1 if its window does not fit. */
static float correlate(const window *w, const level *right, int x, int y) {
    if (!fits(right, x, y)) return -1;
    int sum = 0, squares = 0, products = 0;
    for (int j = 0; j < SIDE; j++) {
        const uint8_t *row = right->grey + (size_t)(y - RADIUS + j) * (size_t)right->width + (size_t)(x - RADIUS);
        for (int i = 0; i < SIDE; i++) {
            const int grey = row[i];
            sum += grey;
            squares += grey * grey;
            products += grey * w->grey[j * SIDE + i];
        }
    }
    const float inverse = sv_inverse_deviation(SIDE * SIDE, sum, squares);
    return inverse > 0 ? sv_correlation_of_few(SIDE * SIDE, products, w->sum, sum, w->inverse, inverse) : -1;
}

typedef struct match {
    int x, y;
    float correlation;
} match;

/* The positions in the right picture at half resolution that are searched for a corner, and their correlations. */
typedef struct search {
    int first_x, columns, rows;
    float *correlations; /* rows x columns */
} search;

static match search_all(const search *s, const window *w, const level *right, int y) {
    match best = {0, 0, -1};
    for (int j = 0; j < s->rows; j++)
        for (int i = 0; i < s->columns; i++) {
            const int u = s->first_x + i, v = y - s->rows / 2 + j;
            const float c = s->correlations[j * s->columns + i] = correlate(w, right, u, v);
            if (c > best.correlation) best = (match){u, v, c};
        }
    return best;
}

/* True if no other position correlates nearly as well. */
static bool is_unique(const search *s, const match *best, int y) {
    float second = -1;
    for (int j = 0; j < s->rows; j++)
        for (int i = 0; i < s->columns; i++) {
            const int dx = s->first_x + i - best->x, dy = y - s->rows / 2 + j - best->y;
            const float c = s->correlations[j * s->columns + i];
            if ((dx <= -APART || dx >= APART || dy <= -APART || dy >= APART) && c > second) second = c;
        }
    return !sv_ambiguous_correlations(best->correlation, second, UNIQUENESS);
}

/* The best position near (x, y). */
static match refine(const window *w, const level *right, int x, int y) {
    match best = {x, y, -1};
    for (int v = y - FINE; v <= y + FINE; v++)
        for (int u = x - FINE; u <= x + FINE; u++) {
            const float c = correlate(w, right, u, v);
            if (c > best.correlation) best = (match){u, v, c};
        }
    return best;
}

/* ---- The measurement -------------------------------------------------------------------------- */

/* Both pictures at each resolution, from the full one to the one that is searched, and the buffer for a search. */
typedef struct workspace {
    level levels[MOST_LEVELS][2];
    int coarsest;
    float *correlations;
} workspace;

/* The corner at (x, y) of the left picture at the coarsest resolution, and where it is in the right picture; false if
 * it is not found there. */
static bool measure_corner(const workspace *space, const search *s, int x, int y, row_offset_point *point) {
    const level *coarse = space->levels[space->coarsest], *right = &space->levels[0][1];
    window w = take_window(&coarse[0], x, y);
    match best = search_all(s, &w, &coarse[1], y);
    if (best.correlation < least_correlation || !is_unique(s, &best, y)) return false;
    for (int i = space->coarsest - 1; i >= 0; i--) {
        x *= 2;
        y *= 2;
        if (!fits(&space->levels[i][0], x, y)) return false;
        w = take_window(&space->levels[i][0], x, y);
        best = refine(&w, &space->levels[i][1], 2 * best.x, 2 * best.y);
    }
    const float above = correlate(&w, right, best.x, best.y - 1), below = correlate(&w, right, best.x, best.y + 1);
    if (best.correlation < least_correlation || above > best.correlation || below > best.correlation) return false;
    const float before = correlate(&w, right, best.x - 1, best.y), after = correlate(&w, right, best.x + 1, best.y);
    const bool peak = before <= best.correlation && after <= best.correlation;
    *point = (row_offset_point){
        .left = {(float)x, (float)y},
        .right = {(float)best.x + (peak ? sv_parabola_of_correlations(before, best.correlation, after) : 0),
                  (float)best.y + sv_parabola_of_correlations(above, best.correlation, below)}};
    return true;
}

static float median(float *values, int count) {
    sv_sort_floats(values, (size_t)count);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Searches for the strongest corner of each cell. */
static int find_points(const workspace *space, search *s, int min, int max, row_offset_point *points) {
    int count = 0;
    s->columns = max - min + 1;
    for (int cell = 0; cell < CELLS_ACROSS * CELLS_DOWN; cell++) {
        int x, y;
        if (!find_corner(&space->levels[space->coarsest][0], cell % CELLS_ACROSS, cell / CELLS_ACROSS, &x, &y))
            continue;
        s->first_x = x - max;
        if (measure_corner(space, s, x, y, &points[count])) count++;
    }
    return count;
}

static void measure(const workspace *space, const sv_params *params, row_offset *result) {
    const level *small = &space->levels[space->coarsest][0];
    float offsets[CELLS_ACROSS * CELLS_DOWN];
    row_offset_point points[CELLS_ACROSS * CELLS_DOWN];
    const int usual = sv_clamp(small->width / USUAL_PART, USUAL_MOST / 2 + 1);
    const int min = params->min_disparity < 0 ? params->min_disparity / 2 - 1 : 0;
    const int max = params->max_disparity / 2 > usual ? params->max_disparity / 2 : usual;
    search s = {.rows = ROWS + 1, .correlations = space->correlations};
    result->points = find_points(space, &s, min, max, points);
    for (int i = 0; i < result->points; i++) offsets[i] = points[i].right[1] - points[i].left[1];
    if (!result->points) return;
    result->known = result->points >= LEAST_POINTS;
    result->offset = median(offsets, result->points);
    for (int i = 0; i < result->points; i++) offsets[i] = fabsf(offsets[i] - result->offset);
    result->spread = median(offsets, result->points);
}

/* Prepares both pictures, with room for `searched` correlations; the caller frees space->correlations. */
static sv_status prepare(workspace *space, const sv_pair *pair, const sv_rectification *rectification, int row_shift,
                         int coarsest, size_t searched, sv_error *error) {
    const int width = pair->left.width, height = pair->left.height;
    size_t pixels = 0;
    for (int i = 0; i <= coarsest; i++) pixels += 2 * (size_t)(width >> i) * (size_t)(height >> i);
    space->coarsest = coarsest;
    space->correlations = malloc(searched * sizeof(float) + pixels);
    if (!space->correlations) return sv_fail(error, SV_FAILED, "out of memory for measuring the row offset");
    uint8_t *memory = (uint8_t *)(space->correlations + searched);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i <= coarsest; i++) {
            level *l = &space->levels[i][side];
            *l = (level){.grey = memory,
                         .width = width >> i,
                         .height = height >> i,
                         .scale = 1 << i,
                         .map = rectification ? rectification->maps[side] : NULL,
                         .whole_width = width,
                         .whole_height = height,
                         .shift = side ? row_shift : 0};
            memory += (size_t)l->width * (size_t)l->height;
            if (i)
                fill_half(l, &space->levels[i - 1][side]);
            else
                remap_grey(side ? &pair->right : &pair->left, rectification, side, l->shift, l->grey);
        }
    return SV_OK;
}

sv_status row_offset_measure(const sv_pair *pair, const sv_rectification *rectification, const sv_params *params,
                             row_offset *result, sv_error *error) {
    workspace space;
    *result = (row_offset){.row_shift = params->row_shift};
    const sv_status status = prepare(&space, pair, rectification, params->row_shift, 1,
                                     (size_t)(ROWS + 1) * (SV_MAX_DISPARITIES + USUAL_MOST), error);
    if (status != SV_OK) return status;
    measure(&space, params, result);
    free(space.correlations);
    return SV_OK;
}

sv_status row_offset_find_points(const sv_pair *pair, row_offset_point *points, int *count, sv_error *error) {
    int coarsest = 1;
    while (coarsest + 1 < MOST_LEVELS &&
           (int64_t)(pair->left.width >> coarsest) * (pair->left.height >> coarsest) > WIDELY_SEARCHED)
        coarsest++;
    const int width = pair->left.width >> coarsest, height = pair->left.height >> coarsest;
    const int min = -width / 8, max = width / 2;
    workspace space;
    search s = {.rows = 2 * (height / 8) + 1};
    *count = 0;
    const sv_status status = prepare(&space, pair, NULL, 0, coarsest, (size_t)s.rows * (size_t)(max - min + 1), error);
    if (status != SV_OK) return status;
    s.correlations = space.correlations;
    *count = find_points(&space, &s, min, max, points);
    free(space.correlations);
    return SV_OK;
}

bool row_offset_is_large(const row_offset *a) {
    return a->known && (fabsf(a->offset) > ROW_OFFSET_LIMIT || a->spread > ROW_OFFSET_SPREAD);
}
