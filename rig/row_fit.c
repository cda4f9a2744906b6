/* The rows of a pair after rectification: least squares over the points, ten times, each time without those that are
 * far off. A quadratic grows fast outside of its points, so a cell of the picture without points gets a weak one, that
 * of the nearest cell with some. */
#include "rig/row_fit.h"

#include "stereo/pixel.h"
#include "stereo/sort.h"

#include <stdlib.h>
#include <string.h>

enum {
    ACROSS = 8, /* cells */
    DOWN = 6,
    CELLS = ACROSS * DOWN,
    ROUNDS = 10,
    LEAST_POINTS = 100,
    LEAST_CELLS = CELLS / 4,
    LEAST_OF_A_CELL = 3 /* points: fewer may all be wrong */
};

static const double empty_weight = 0.1; /* of a cell without points, relative to the mean of those with some */
static const double widest = 2.5;       /* deviations from the fit beyond which a point is left out */
static const double least_noise = 0.05; /* pixels: corners are not located more exactly */

/* Pixels. Interpolation blurs the right picture a little, which outweighs the gain of a smaller correction. */
static const double least_size = 0.2;

static const double largest = 3.5;       /* pixels, of the size */
static const double largest_rest = 0.25; /* pixels */
static const double rough = 1.5;         /* pixels, of the size */

typedef struct fit {
    const row_point *points;
    int count, width, height;
    bool *used;
    double *scratch;
    double terms[SV_ROW_TERMS];
    int cell_used[CELLS];
    double cell_off[CELLS]; /* the mean of its points; of an empty cell, that of the nearest one with points */
} fit;

/* ---- Least squares ---------------------------------------------------------------------------- */

typedef struct sums {
    double of[SV_ROW_TERMS][SV_ROW_TERMS + 1]; /* the normal equations */
} sums;

static void add(const fit *f, sums *s, double x, double y, double off, double weight) {
    double values[SV_ROW_TERMS + 1];
    sv_row_terms(f->width, f->height, x, y, values);
    values[SV_ROW_TERMS] = off;
    for (int i = 0; i < SV_ROW_TERMS; i++)
        for (int j = 0; j <= SV_ROW_TERMS; j++) s->of[i][j] += weight * values[i] * values[j];
}

/* Solves the equations, which are positive definite, by Gauss and Jordan. */
static void solve(sums *s, double terms[SV_ROW_TERMS]) {
    for (int k = 0; k < SV_ROW_TERMS; k++) {
        const double pivot = s->of[k][k];
        for (int j = k; j <= SV_ROW_TERMS; j++) s->of[k][j] /= pivot;
        for (int i = 0; i < SV_ROW_TERMS; i++) {
            const double factor = s->of[i][k];
            if (i == k) continue;
            for (int j = k; j <= SV_ROW_TERMS; j++) s->of[i][j] -= factor * s->of[k][j];
        }
    }
    for (int k = 0; k < SV_ROW_TERMS; k++) terms[k] = s->of[k][SV_ROW_TERMS];
}

/* ---- Cells ------------------------------------------------------------------------------------ */

static int cell_of(const fit *f, double x, double y) {
    const int column = (int)(x * ACROSS / f->width), row = (int)(y * DOWN / f->height);
    return sv_clamp(row, DOWN) * ACROSS + sv_clamp(column, ACROSS);
}

/* The middle of a cell. */
static void middle_of(const fit *f, int cell, double *x, double *y) {
    *x = (cell % ACROSS + 0.5) * f->width / ACROSS - 0.5;
    *y = (cell / ACROSS + 0.5) * f->height / DOWN - 0.5;
}

static bool is_empty(const fit *f, int cell) { return f->cell_used[cell] < LEAST_OF_A_CELL; }

/* The nearest cell with points; -1 if all are empty. */
static int nearest_of(const fit *f, int cell) {
    int nearest = -1, least = 0;
    for (int i = 0; i < CELLS; i++) {
        const int across = i % ACROSS - cell % ACROSS, down = i / ACROSS - cell / ACROSS;
        const int distance = across * across + down * down;
        if (is_empty(f, i) || (nearest >= 0 && distance >= least)) continue;
        nearest = i;
        least = distance;
    }
    return nearest;
}

/* Fills in the cells, and returns how many have points. */
static int fill_cells(fit *f) {
    double means[CELLS] = {0};
    int occupied = 0;
    memset(f->cell_used, 0, sizeof f->cell_used);
    for (int i = 0; i < f->count; i++) {
        const row_point *p = &f->points[i];
        const int cell = cell_of(f, (double)p->x, (double)p->y);
        if (!f->used[i]) continue;
        means[cell] += (double)p->off;
        f->cell_used[cell]++;
    }
    for (int i = 0; i < CELLS; i++)
        if (!is_empty(f, i)) {
            means[i] /= f->cell_used[i];
            occupied++;
        }
    for (int i = 0; i < CELLS; i++) f->cell_off[i] = occupied ? means[nearest_of(f, i)] : 0;
    return occupied;
}

/* ---- The fit ---------------------------------------------------------------------------------- */

static double residual(const fit *f, const row_point *p) {
    return (double)p->off - sv_row_correction(f->terms, f->width, f->height, (double)p->x, (double)p->y);
}

static double median_residual(fit *f) {
    int used = 0;
    for (int i = 0; i < f->count; i++)
        if (f->used[i]) f->scratch[used++] = fabs(residual(f, &f->points[i]));
    return sv_median(f->scratch, (size_t)used);
}

/* Leaves out the points that are far off, and fits the terms to the others. Returns how many cells have points. */
static int refit(fit *f) {
    const double most = widest * fmax(1.4826 * median_residual(f), least_noise);
    int used = 0;
    sums s = {0};
    for (int i = 0; i < f->count; i++) {
        const row_point *p = &f->points[i];
        f->used[i] = fabs(residual(f, p)) <= most;
        if (f->used[i]) add(f, &s, (double)p->x, (double)p->y, (double)p->off, 1);
        used += f->used[i];
    }
    const int occupied = fill_cells(f);
    for (int i = 0; occupied && i < CELLS; i++) {
        double x, y;
        if (!is_empty(f, i)) continue;
        middle_of(f, i, &x, &y);
        add(f, &s, x, y, f->cell_off[i], empty_weight * used / occupied);
    }
    if (used >= LEAST_POINTS && occupied >= LEAST_CELLS) solve(&s, f->terms);
    return occupied;
}

/* What the correction leaves, by the cells' means: points near each other may be off together, as on a moving object.
 */
static void describe_rest(const fit *f, int occupied, row_fit *r) {
    double squares = 0;
    for (int i = 0; i < CELLS; i++) {
        if (is_empty(f, i)) continue;
        double sum = 0;
        for (int k = 0; k < f->count; k++)
            if (f->used[k] && cell_of(f, (double)f->points[k].x, (double)f->points[k].y) == i)
                sum += residual(f, &f->points[k]);
        squares += sum / f->cell_used[i] * sum / f->cell_used[i];
    }
    r->rest = sqrt(squares / (occupied - SV_ROW_TERMS));
    r->deviation = r->rest * sqrt((double)SV_ROW_TERMS / occupied);
}

static void describe(row_fit *r, int width, int height) {
    enum { LATTICE = 16 }; /* intervals across the picture, and down */
    double squares = 0;
    r->least = INFINITY;
    r->most = -INFINITY;
    for (int i = 0; i < (LATTICE + 1) * (LATTICE + 1); i++) {
        const double x = i % (LATTICE + 1) * (width - 1.0) / LATTICE, y = i / (LATTICE + 1) * (height - 1.0) / LATTICE;
        const double off = sv_row_correction(r->terms, width, height, x, y);
        squares += off * off;
        r->least = fmin(r->least, off);
        r->most = fmax(r->most, off);
    }
    r->size = sqrt(squares / ((LATTICE + 1) * (LATTICE + 1)));
}

sv_status row_fit_points(const row_point *points, int count, int width, int height, row_fit *r, sv_error *error) {
    *r = (row_fit){.points = count};
    if (count < LEAST_POINTS) return SV_OK;
    fit f = {.points = points, .count = count, .width = width, .height = height};
    f.used = malloc(sizeof *f.used * (size_t)count);
    f.scratch = malloc(sizeof *f.scratch * (size_t)count);
    int occupied = 0;
    if (!f.used || !f.scratch) {
        free(f.used);
        free(f.scratch);
        return sv_fail(error, SV_FAILED, "out of memory for measuring the rows");
    }
    for (int i = 0; i < count; i++) {
        f.used[i] = true;
        f.scratch[i] = (double)points[i].off;
    }
    f.terms[0] = sv_median(f.scratch, (size_t)count);
    for (int i = 0; i < ROUNDS; i++) occupied = refit(&f);
    for (int i = 0; i < count; i++) r->used += f.used[i];
    r->known = r->used >= LEAST_POINTS && occupied >= LEAST_CELLS;
    if (r->known) {
        memcpy(r->terms, f.terms, sizeof r->terms);
        describe_rest(&f, occupied, r);
        describe(r, width, height);
    }
    free(f.used);
    free(f.scratch);
    return SV_OK;
}

void row_fit_add(row_fit *fit, const row_fit *more, int width, int height) {
    row_fit sum = *more;
    for (int i = 0; i < SV_ROW_TERMS; i++) sum.terms[i] += fit->terms[i];
    describe(&sum, width, height);
    *fit = sum;
}

bool row_fit_is_rough(const row_fit *r) { return r->size > rough || r->rest > largest_rest; }

bool row_fit_helps(const row_fit *r) {
    return r->known && r->size > least_size && r->size > 3 * r->deviation && r->size <= largest;
}

row_cure row_fit_cure(const row_fit *r) {
    if (r->known && (r->size > largest || r->rest > largest_rest)) return ROWS_TO_ALIGN;
    return row_fit_helps(r) ? ROWS_TO_CORRECT : ROWS_ARE_LEVEL;
}
