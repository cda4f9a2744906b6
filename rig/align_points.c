/* Corners of a pair whose cameras were pointed by hand. The coarse search takes the strongest corner of each cell of
 * the reduced left picture, finds it in the right one by zero-mean normalised cross-correlation over all positions, and
 * follows it through the finer resolutions. The rough rig of these points brings the rows near enough for a match,
 * whose map relates hundreds of corners. A second round reaches the parts where the rough rig was too far off. */
#include "rig/align_points.h"

#include "rig/rectify.h"
#include "rig/row_meter.h"
#include "stereo/pixel.h"

#include <stdlib.h>
#include <string.h>

enum {
    RADIUS = 6, /* of the correlation windows, which have fewer than SV_FEW pixels */
    SIDE = 2 * RADIUS + 1,
    ACROSS = 12, /* cells, each with one corner */
    DOWN = 9,
    CELLS = ACROSS * DOWN,
    TRIED = 8,           /* positions tested per cell, across and down */
    FINE = 2,            /* pixels around the coarse match, which is exact to one pixel at the next finer resolution */
    APART = 3,           /* the second best match is at least this far from the best one, pixels */
    UNIQUENESS = 20,     /* percent, see sv_ambiguous_correlations */
    SEARCHED = 160000,   /* pixels of the picture that is searched, at most: time grows with their square */
    MOST_LEVELS = 8,     /* of halved pictures */
    ROUNDS = 2,          /* of tracking */
    LEAST_DISPARITY = 8, /* the part of the width: from minus an eighth */
    MOST_DISPARITY = 2,  /* to half */
    ROWS = 8,            /* the part of the height, up and down */
    MARGIN = 16          /* pixels: disparities beyond those of the points that are searched at least */
};

static const float least_correlation = 0.85f;

/* Minimum of a corner's smaller eigenvalue, squared grey levels per pixel. */
static const double least_strength = 16;

/* A picture at one resolution, dense. */
typedef struct level {
    const uint8_t *grey;
    int width, height;
} level;

/* Both pictures from the full resolution to the one that is searched. */
typedef struct pyramid {
    level levels[MOST_LEVELS][2];
    int coarsest;
    uint8_t *memory;
    float *likeness; /* of each position of a search at the coarsest level */
} pyramid;

static const uint8_t *pixel_of(const level *l, int x, int y) {
    return l->grey + (size_t)y * (size_t)l->width + (size_t)x;
}

static bool fits(const level *l, int x, int y) {
    return x >= RADIUS && y >= RADIUS && x + RADIUS < l->width && y + RADIUS < l->height;
}

/* ---- Pictures --------------------------------------------------------------------------------- */

static void fill_half(const level *whole, int width, int height, uint8_t *to) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const uint8_t *above = pixel_of(whole, 2 * x, 2 * y), *below = above + whole->width;
            *to++ = (uint8_t)((above[0] + above[1] + below[0] + below[1] + 2) / 4);
        }
}

static void fill_whole(const sv_image *picture, uint8_t *to) {
    for (int y = 0; y < picture->height; y++)
        memcpy(to + (size_t)y * (size_t)picture->width, sv_row(picture, y), (size_t)picture->width);
}

/* How many positions of the coarsest picture are searched, and from which one relative to the corner's. */
typedef struct area {
    int first_x, first_y, columns, rows;
} area;

static area area_of(const level *l) {
    const int up = l->height / ROWS, nearest = l->width / MOST_DISPARITY;
    return (area){-nearest, -up, nearest + l->width / LEAST_DISPARITY + 1, 2 * up + 1};
}

static sv_status make_pyramid(pyramid *p, const sv_pair *pair, sv_error *error) {
    const int width = pair->left.width, height = pair->left.height;
    size_t pixels = 0;
    p->coarsest = 1;
    while (p->coarsest + 1 < MOST_LEVELS && (int64_t)(width >> p->coarsest) * (height >> p->coarsest) > SEARCHED)
        p->coarsest++;
    for (int i = 0; i <= p->coarsest; i++) pixels += 2 * (size_t)(width >> i) * (size_t)(height >> i);
    const area searched = area_of(&(level){NULL, width >> p->coarsest, height >> p->coarsest});
    uint8_t *at = p->memory = malloc(pixels);
    p->likeness = malloc(sizeof *p->likeness * (size_t)searched.columns * (size_t)searched.rows);
    if (!p->memory || !p->likeness) return sv_fail(error, SV_FAILED, "out of memory for the alignment");
    for (int side = 0; side < 2; side++)
        for (int i = 0; i <= p->coarsest; i++) {
            level *l = &p->levels[i][side];
            *l = (level){at, width >> i, height >> i};
            if (i)
                fill_half(&p->levels[i - 1][side], l->width, l->height, at);
            else
                fill_whole(side ? &pair->right : &pair->left, at);
            at += (size_t)l->width * (size_t)l->height;
        }
    return SV_OK;
}

/* ---- The coarse search ------------------------------------------------------------------------ */

/* The smaller eigenvalue of the second-moment matrix of the gradient, twice the slope, over the window, per pixel. */
static double strength_of(const level *l, int x, int y) {
    double xx = 0, xy = 0, yy = 0;
    for (int v = y - RADIUS + 1; v < y + RADIUS; v++)
        for (int u = x - RADIUS + 1; u < x + RADIUS; u++) {
            const uint8_t *at = pixel_of(l, u, v);
            const int across = at[1] - at[-1], down = at[l->width] - at[-l->width];
            xx += across * across;
            xy += across * down;
            yy += down * down;
        }
    const double n = (SIDE - 2) * (SIDE - 2), half = (xx - yy) / 2;
    return ((xx + yy) / 2 - sqrt(half * half + xy * xy)) / n;
}

/* The strongest corner of a cell; false if there is none. */
static bool find_corner(const level *l, int cell, int *x, int *y) {
    double best = least_strength;
    bool found = false;
    for (int i = 0; i < TRIED * TRIED; i++) {
        const int u = (int)((int64_t)(cell % ACROSS * TRIED + i % TRIED) * l->width / (ACROSS * TRIED));
        const int v = (int)((int64_t)(cell / ACROSS * TRIED + i / TRIED) * l->height / (DOWN * TRIED));
        if (!fits(l, u, v)) continue;
        const double strength = strength_of(l, u, v);
        if (strength <= best) continue;
        best = strength;
        *x = u;
        *y = v;
        found = true;
    }
    return found;
}

/* A window of the left picture. */
typedef struct window {
    uint8_t grey[SIDE * SIDE];
    int sum;
    float inverse; /* sv_inverse_deviation */
} window;

static window take_window(const level *l, int x, int y) {
    window w = {.sum = 0};
    int64_t squares = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int grey = *pixel_of(l, x - RADIUS + i % SIDE, y - RADIUS + i / SIDE);
        w.grey[i] = (uint8_t)grey;
        w.sum += grey;
        squares += grey * grey;
    }
    w.inverse = sv_inverse_deviation(SIDE * SIDE, w.sum, squares);
    return w;
}

/* The correlation with the window at (x, y); -1 if there is none. */
static float correlate(const window *w, const level *right, int x, int y) {
    if (!fits(right, x, y)) return -1;
    int sum = 0, squares = 0, products = 0;
    for (int j = 0; j < SIDE; j++) {
        const uint8_t *row = pixel_of(right, x - RADIUS, y - RADIUS + j);
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

/* The best position of an area around (x, y). `likeness`, rows x columns, receives all; NULL for none. */
static match search(const window *w, const level *right, const area *a, int x, int y, float *likeness) {
    match best = {x, y, -1};
    for (int i = 0; i < a->rows * a->columns; i++) {
        const int u = x + a->first_x + i % a->columns, v = y + a->first_y + i / a->columns;
        const float c = correlate(w, right, u, v);
        if (likeness) likeness[i] = c;
        if (c > best.correlation) best = (match){u, v, c};
    }
    return best;
}

/* True if no other position of the area around (x, y) correlates nearly as well. */
static bool is_unique(const match *best, const area *a, int x, int y, const float *likeness) {
    float second = -1;
    for (int i = 0; i < a->rows * a->columns; i++) {
        const int across = x + a->first_x + i % a->columns - best->x, down = y + a->first_y + i / a->columns - best->y;
        if ((abs(across) >= APART || abs(down) >= APART) && likeness[i] > second) second = likeness[i];
    }
    return !sv_ambiguous_correlations(best->correlation, second, UNIQUENESS);
}

/* Finds the corner at (x, y) of the coarsest left picture in both whole pictures, to a pixel; false if there is none.
 */
static bool follow(const pyramid *p, int x, int y, selfalign_point *point) {
    const level *coarse = p->levels[p->coarsest];
    const area everywhere = area_of(&coarse[0]), near = {-FINE, -FINE, 2 * FINE + 1, 2 * FINE + 1};
    window w = take_window(&coarse[0], x, y);
    match best = search(&w, &coarse[1], &everywhere, x, y, p->likeness);
    if (best.correlation < least_correlation || !is_unique(&best, &everywhere, x, y, p->likeness)) return false;
    for (int i = p->coarsest - 1; i >= 0; i--) {
        x *= 2;
        y *= 2;
        if (!fits(&p->levels[i][0], x, y)) return false;
        w = take_window(&p->levels[i][0], x, y);
        best = search(&w, &p->levels[i][1], &near, 2 * best.x, 2 * best.y, NULL);
    }
    *point = (selfalign_point){{(float)x, (float)y}, {(float)best.x, (float)best.y}};
    return best.correlation >= least_correlation;
}

static sv_status search_coarsely(const sv_pair *pair, selfalign_point *points, int *count, sv_error *error) {
    pyramid p = {.memory = NULL};
    const sv_status status = make_pyramid(&p, pair, error);
    *count = 0;
    for (int cell = 0; status == SV_OK && cell < CELLS; cell++) {
        int x = 0, y = 0;
        if (find_corner(&p.levels[p.coarsest][0], cell, &x, &y) && follow(&p, x, y, &points[*count])) ++*count;
    }
    free(p.memory);
    free(p.likeness);
    return status;
}

/* ---- Tracking --------------------------------------------------------------------------------- */

/* The points of a meter in the pictures of the cameras, evenly chosen if there are too many. */
static void copy_points(const row_meter *meter, const sv_rectification *r, selfalign_point *points, int *count) {
    int found;
    const row_point *tracked = row_meter_points(meter, &found);
    const int chosen = found < ALIGN_POINTS_MOST ? found : ALIGN_POINTS_MOST;
    *count = 0;
    for (int i = 0; i < chosen; i++) {
        const row_point *t = &tracked[(int64_t)i * found / chosen];
        double left[2], right[2];
        if (sv_unrectify_point(r, 0, (const double[]){(double)t->left, (double)t->y}, left) &&
            sv_unrectify_point(r, 1, (const double[]){(double)t->x, (double)(t->y + t->off)}, right))
            points[(*count)++] =
                (selfalign_point){{(float)left[0], (float)left[1]}, {(float)right[0], (float)right[1]}};
    }
}

/* Replaces the points by those found in the pair rectified for `rig`, with disparities from `least` to `most`, unless
 * there are fewer. */
static sv_status track(const sv_pair *pair, const sv_rig *rig, double least, double most, int threads,
                       selfalign_point *points, int *count, sv_error *error) {
    const int width = pair->left.width, height = pair->left.height;
    const double margin = MARGIN + (most - least) / 4;
    sv_params scene = sv_default_params(SV_SGM);
    scene.max_disparity = (int)fmin(ceil(most + margin), SV_MAX_DISPARITY);
    scene.min_disparity = (int)fmax(floor(least - margin), scene.max_disparity - SV_MAX_DISPARITIES + 1);
    sv_rectification r = {0};
    row_meter *meter = NULL;
    selfalign_point *found = malloc(sizeof *found * ALIGN_POINTS_MOST);
    int number = 0;
    if (!found) return sv_fail(error, SV_FAILED, "out of memory for the alignment");
    sv_status status = sv_rectify(rig, width, height, 1, &r, error);
    if (status == SV_OK) status = row_meter_open(&meter, width, height, &r, &scene, threads, error);
    if (status == SV_OK) status = row_meter_add(meter, pair, error);
    if (status == SV_OK) copy_points(meter, &r, found, &number);
    if (number > *count) {
        memcpy(points, found, sizeof *found * (size_t)number);
        *count = number;
    }
    row_meter_close(meter);
    sv_rectification_free(&r);
    free(found);
    return status;
}

sv_status align_points_find(const sv_pair *pair, double focal, bool lens, int threads,
                            selfalign_point points[ALIGN_POINTS_MOST], int *count, sv_error *error) {
    const int width = pair->left.width, height = pair->left.height;
    sv_status status = search_coarsely(pair, points, count, error);
    for (int i = 0; i < ROUNDS && status == SV_OK; i++) {
        sv_rig rig;
        double least, most;
        if (selfalign_roughly(points, *count, width, height, focal, lens, &rig, &least, &most, NULL) != SV_OK) break;
        status = track(pair, &rig, least, most, threads, points, count, error);
    }
    return status;
}
