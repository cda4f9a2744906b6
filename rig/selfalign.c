/* Alignment without a board, with the parameters of A. Fusiello and L. Irsara (Quasi-Euclidean uncalibrated epipolar
 * rectification, 2008): yaw and roll of the left camera, pitch, yaw and roll of the right one; and here also the ratio
 * of the focal lengths and a radial coefficient of each lens. The residual, the difference of a point's rows, is
 * minimised by Gauss-Newton with Cauchy's weights, whose scale falls from the size of the picture to that of the noise,
 * so that no initial estimate is needed. Weak priors hold parameters that the points do not determine.
 *
 * The radial coefficient is k4 of the rational polynomial: x / (1 + k4 r^2) models the lenses of cameras up to wide
 * angles, where k1 alone would fold the picture. */
#include "rig/selfalign.h"

#include "rig/lens.h"
#include "rig/rotation.h"
#include "stereo/sort.h"

#include <stdlib.h>
#include <string.h>

enum { YAW_LEFT, ROLL_LEFT, PITCH, YAW, ROLL, RATIO, RADIAL_LEFT, RADIAL_RIGHT, PARAMETERS };

/* Standard deviations before anything is known: radians, the logarithm of the ratio, k4. */
static const double prior[PARAMETERS] = {0.05, 0.05, 0.1, 0.1, 0.1, 0.03, 0.3, 0.3};

static const double least_scale = 0.5;  /* pixels, of the weights */
static const double agreement = 1.5;    /* pixels, of points that count in the final estimate */
static const double least_noise = 0.05; /* pixels: corners are not located more exactly */
static const double apart = 1.5;        /* pixels: points that are nearer to each other in both pictures are one */

enum {
    LEAST_POINTS = 60,
    ROUGH_POINTS = 20, /* for selfalign_roughly */
    CELLS = 4,
    LEAST_CELLS = 6,
    SETTLING = 40 /* steps with the last scale */
};

typedef struct problem {
    const selfalign_point *points;
    int count, parameters, width, height;
    double focal;
} problem;

/* The rig of the parameters, with the baseline 1; the rotation of each camera into the common frame in `turns`. */
static sv_rig rig_of(const problem *p, const double *v, double turns[2][3][3]) {
    sv_rig rig = {.metric = false};
    const double left[3] = {0, v[YAW_LEFT], v[ROLL_LEFT]}, right[3] = {v[PITCH], v[YAW], v[ROLL]};
    rotation_about(left, vector_length(left), turns[0]);
    rotation_about(right, vector_length(right), turns[1]);
    rotation_multiply_transposed(turns[1], turns[0], rig.rotation);
    rotation_apply_transposed(turns[1], (const double[]){-1, 0, 0}, rig.translation);
    for (int side = 0; side < 2; side++) {
        const double f = p->focal * exp(side ? v[RATIO] / 2 : -v[RATIO] / 2);
        rig.cameras[side] = (sv_camera){.width = p->width,
                                        .height = p->height,
                                        .fx = f,
                                        .fy = f,
                                        .cx = (p->width - 1) / 2.0,
                                        .cy = (p->height - 1) / 2.0,
                                        .coefficients = {[5] = v[RADIAL_LEFT + side]}};
    }
    return rig;
}

/* Where a point is after rectification at the mean focal length, pixels from the middle: x and y of each side. False if
 * it has no such position. */
static bool rectify(const problem *p, const sv_rig *rig, double turns[2][3][3], const selfalign_point *point,
                    double at[2][2]) {
    for (int side = 0; side < 2; side++) {
        const float *pixel = side ? point->right : point->left;
        double ray[3] = {0, 0, 1}, turned[3];
        if (!sv_unproject(&rig->cameras[side], (const double[]){(double)pixel[0], (double)pixel[1]}, ray)) return false;
        rotation_apply(turns[side], ray, turned);
        if (!(turned[2] > 0.1)) return false;
        at[side][0] = p->focal * turned[0] / turned[2];
        at[side][1] = p->focal * turned[1] / turned[2];
    }
    return true;
}

/* The residuals of all points; NAN where there is none. */
static void residuals(const problem *p, const double *v, double *rows) {
    double turns[2][3][3], at[2][2];
    const sv_rig rig = rig_of(p, v, turns);
    for (int i = 0; i < p->count; i++) rows[i] = rectify(p, &rig, turns, &p->points[i], at) ? at[1][1] - at[0][1] : NAN;
}

/* Inverts a symmetric positive definite matrix in place, by Gauss and Jordan. */
static void invert(double m[PARAMETERS][PARAMETERS], int n) {
    for (int k = 0; k < n; k++) {
        const double pivot = 1 / m[k][k];
        m[k][k] = 1;
        for (int j = 0; j < n; j++) m[k][j] *= pivot;
        for (int i = 0; i < n; i++) {
            const double factor = m[i][k];
            if (i == k) continue;
            m[i][k] = 0;
            for (int j = 0; j < n; j++) m[i][j] -= factor * m[k][j];
        }
    }
}

/* One step of Gauss-Newton with weights of this scale, pixels, and priors for residuals with this noise, pixels.
 * `rows`: (1 + parameters) x count, for the residuals at v and beside it. `covariance` receives the inverse of the
 * normal matrix: times noise^2 it is the covariance of the parameters. */
static void step(const problem *p, double scale, double noise, double *v, double *rows,
                 double covariance[PARAMETERS][PARAMETERS]) {
    const int n = p->parameters;
    const double beside = 1e-6;
    double gradient[PARAMETERS] = {0};
    memset(covariance, 0, sizeof(double[PARAMETERS][PARAMETERS]));
    residuals(p, v, rows);
    for (int k = 0; k < n; k++) {
        double moved[PARAMETERS];
        memcpy(moved, v, sizeof moved);
        moved[k] += beside;
        residuals(p, moved, rows + (size_t)(k + 1) * (size_t)p->count);
    }
    for (int i = 0; i < p->count; i++) {
        const double r = rows[i], weight = 1 / (1 + r * r / (scale * scale));
        double slope[PARAMETERS];
        bool whole = isfinite(r);
        for (int k = 0; k < n; k++) {
            slope[k] = (rows[(size_t)(k + 1) * (size_t)p->count + (size_t)i] - r) / beside;
            whole = whole && isfinite(slope[k]);
        }
        for (int k = 0; whole && k < n; k++) {
            gradient[k] += weight * r * slope[k];
            for (int j = 0; j < n; j++) covariance[k][j] += weight * slope[k] * slope[j];
        }
    }
    for (int k = 0; k < n; k++) {
        const double weight = noise * noise / (prior[k] * prior[k]);
        covariance[k][k] += weight;
        gradient[k] += weight * v[k];
    }
    invert(covariance, n);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++) v[k] -= covariance[k][j] * gradient[j];
}

/* ---- Degenerate scenes ------------------------------------------------------------ */

/* A scene counts as a plane if this fraction of its points lies on one. The others may be wrong. */
static const double flat = 0.85;
static const double flat_to = 1; /* pixels of disparity */

/* How far, in pixels, the best fraction `flat` of the points is from the plane that fits best. `places`: count x (x, y,
 * disparity). Weights of 1 / |difference| keep wrong points from tilting the plane. */
static double off_plane(double (*places)[3], int count, double *scratch) {
    double plane[3] = {0};
    for (int turn = 0; turn < 20; turn++) {
        double m[PARAMETERS][PARAMETERS] = {{0}}, v[3] = {0};
        for (int i = 0; i < count; i++) {
            const double a[3] = {places[i][0], places[i][1], 1};
            const double off = places[i][2] - plane[0] * a[0] - plane[1] * a[1] - plane[2];
            const double weight = turn ? 1 / fmax(fabs(off), 0.1) : 1;
            for (int k = 0; k < 3; k++) {
                v[k] += weight * a[k] * places[i][2];
                for (int j = 0; j < 3; j++) m[k][j] += weight * a[k] * a[j];
            }
        }
        for (int k = 0; k < 3; k++) m[k][k] += 1e-9;
        invert(m, 3);
        for (int k = 0; k < 3; k++) plane[k] = m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2];
    }
    for (int i = 0; i < count; i++)
        scratch[i] = fabs(places[i][2] - plane[0] * places[i][0] - plane[1] * places[i][1] - plane[2]);
    sv_sort_doubles(scratch, (size_t)count);
    return scratch[(int)(flat * (count - 1))];
}

static sv_status check(const problem *p, const double *v, const double *rows, double *scratch, selfalign_result *result,
                       sv_error *error) {
    double turns[2][3][3], at[2][2];
    const sv_rig rig = rig_of(p, v, turns);
    double(*places)[3] = malloc(sizeof *places * (size_t)(p->count ? p->count : 1));
    bool cells[CELLS * CELLS] = {false};
    int used = 0, behind = 0, covered = 0;
    if (!places) return sv_fail(error, SV_FAILED, "out of memory for the alignment");
    for (int i = 0; i < p->count; i++) {
        if (!(fabs(rows[i]) < agreement) || !rectify(p, &rig, turns, &p->points[i], at)) continue;
        places[used][0] = at[0][0];
        places[used][1] = at[0][1];
        places[used][2] = at[0][0] - at[1][0];
        behind += places[used++][2] < 0;
        const int x = (int)(p->points[i].left[0] * CELLS / (float)p->width);
        const int y = (int)(p->points[i].left[1] * CELLS / (float)p->height);
        if (x >= 0 && y >= 0 && x < CELLS && y < CELLS) cells[CELLS * y + x] = true;
    }
    for (int i = 0; i < CELLS * CELLS; i++) covered += cells[i];
    result->used = used;
    sv_status status = SV_OK;
    if (used < LEAST_POINTS || used < p->count / 5)
        status = sv_fail(
            error, SV_FAILED,
            "the cameras cannot be aligned: of %d points in both pictures only %d agree, and %d are needed; show "
            "more texture and more pairs, and check that left and right are synchronised",
            p->count, used, used < LEAST_POINTS ? LEAST_POINTS : p->count / 5);
    else if (covered < LEAST_CELLS)
        status = sv_fail(error, SV_FAILED,
                         "the cameras cannot be aligned: all %d points are in one part of the picture; show texture "
                         "everywhere",
                         used);
    else if (off_plane(places, used, scratch) < flat_to)
        status = sv_fail(error, SV_FAILED,
                         "the cameras cannot be aligned: %.0f %% of %d points are on one plane, such as a wall, or far "
                         "away; show things at several distances",
                         100 * flat, used);
    else if (behind > used * 3 / 4) {
        result->swapped = true;
        status = sv_fail(error, SV_FAILED,
                         "left and right are swapped: %d of %d points lie further right in the right picture; swap "
                         "them or, if their order is correct, give the true field of view",
                         behind, used);
    }
    free(places);
    return status;
}

/* ---- The estimate ----------------------------------------------------------------------------- */

static void fill(const problem *p, const double *v, double noise, double covariance[PARAMETERS][PARAMETERS],
                 selfalign_result *result) {
    double turns[2][3][3];
    const double degree = acos(-1) / 180;
    result->rig = rig_of(p, v, turns);
    double axis[3];
    const double angle = rotation_angle(result->rig.rotation, axis), length = vector_length(axis);
    /* For small angles, the rotation of the right camera relative to the left one is the difference of the two. */
    const int right[3] = {PITCH, YAW, ROLL}, left[3] = {-1, YAW_LEFT, ROLL_LEFT};
    for (int i = 0; i < 3; i++) {
        double variance = covariance[right[i]][right[i]];
        if (left[i] >= 0) variance += covariance[left[i]][left[i]] - 2 * covariance[right[i]][left[i]];
        result->rotation[i].value = length > 0 ? angle * axis[i] / length / degree : 0;
        result->rotation[i].deviation = noise * sqrt(variance) / degree;
    }
    result->ratio.value = exp(v[RATIO]);
    result->ratio.deviation = noise * sqrt(covariance[RATIO][RATIO]) * exp(v[RATIO]);
    for (int side = 0; side < 2 && p->parameters == PARAMETERS; side++) {
        const int k = RADIAL_LEFT + side;
        result->radial[side].value = v[k];
        result->radial[side].deviation = noise * sqrt(covariance[k][k]);
    }
}

/* The median of |row| of the points that agree, pixels. */
static double rows_of(const double *rows, int count, double *scratch) {
    int used = 0;
    for (int i = 0; i < count; i++)
        if (fabs(rows[i]) < agreement) scratch[used++] = fabs(rows[i]);
    return used ? sv_median(scratch, (size_t)used) : agreement;
}

/* The standard deviation of rows with this median. */
static double noise_of(double median) { return fmax(1.4826 * median, least_noise); }

/* Copies the distinct points and returns their number. A point that does not move is found in each pair, with the same
 * error, and would make the deviations too small. */
static int copy_distinct(const selfalign_point *points, int count, selfalign_point *to) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        const selfalign_point a = points[i];
        int k = 0;
        while (k < n && !(fabs((double)(a.left[0] - to[k].left[0])) < apart &&
                          fabs((double)(a.left[1] - to[k].left[1])) < apart &&
                          fabs((double)(a.right[0] - to[k].right[0])) < apart &&
                          fabs((double)(a.right[1] - to[k].right[1])) < apart))
            k++;
        if (k == n) to[n++] = a;
    }
    return n;
}

/* What an estimate works with; it owns its memory. */
typedef struct estimate {
    problem p;
    selfalign_point *distinct;
    double *rows, *scratch; /* (2 + parameters) x count, the last of them scratch */
    double v[PARAMETERS], covariance[PARAMETERS][PARAMETERS], noise;
} estimate;

static void free_estimate(estimate *e) {
    free(e->distinct);
    free(e->rows);
}

/* Finds the parameters; free_estimate frees it, also after an error. */
static sv_status find(estimate *e, const selfalign_point *points, int count, int width, int height, double focal,
                      bool lens, sv_error *error) {
    const size_t room = (size_t)(count ? count : 1);
    *e = (estimate){.distinct = malloc(sizeof *e->distinct * room)};
    e->rows = malloc(sizeof *e->rows * (size_t)(PARAMETERS + 2) * room);
    if (!e->distinct || !e->rows) return sv_fail(error, SV_FAILED, "out of memory for the alignment");
    count = copy_distinct(points, count, e->distinct);
    e->p = (problem){e->distinct, count, lens ? PARAMETERS : RADIAL_LEFT, width, height, focal};
    e->scratch = e->rows + (size_t)(PARAMETERS + 1) * (size_t)count;
    for (double scale = height / 8.0; scale > least_scale; scale *= 0.8)
        step(&e->p, scale, scale, e->v, e->rows, e->covariance);
    residuals(&e->p, e->v, e->rows);
    /* Yaw and the coefficients of the lenses nearly compensate each other, so the steps converge slowly. */
    e->noise = noise_of(rows_of(e->rows, count, e->scratch));
    for (int i = 0; i < SETTLING; i++) step(&e->p, least_scale, e->noise, e->v, e->rows, e->covariance);
    residuals(&e->p, e->v, e->rows);
    return SV_OK;
}

sv_status selfalign(const selfalign_point *points, int count, int width, int height, double focal, bool lens,
                    selfalign_result *result, sv_error *error) {
    estimate e;
    *result = (selfalign_result){.points = 0};
    sv_status status = find(&e, points, count, width, height, focal, lens, error);
    if (status == SV_OK) {
        result->points = e.p.count;
        status = check(&e.p, e.v, e.rows, e.scratch, result, error);
    }
    if (status == SV_OK) {
        result->rows = rows_of(e.rows, e.p.count, e.scratch);
        fill(&e.p, e.v, e.noise, e.covariance, result);
    }
    free_estimate(&e);
    return status;
}

sv_status selfalign_roughly(const selfalign_point *points, int count, int width, int height, double focal, bool lens,
                            sv_rig *rig, double *least, double *most, sv_error *error) {
    estimate e;
    double turns[2][3][3], at[2][2];
    int used = 0;
    sv_status status = find(&e, points, count, width, height, focal, lens, error);
    if (status == SV_OK) {
        *rig = rig_of(&e.p, e.v, turns);
        *least = INFINITY;
        *most = -INFINITY;
        for (int i = 0; i < e.p.count; i++) {
            if (!(fabs(e.rows[i]) < agreement) || !rectify(&e.p, rig, turns, &e.distinct[i], at)) continue;
            *least = fmin(*least, at[0][0] - at[1][0]);
            *most = fmax(*most, at[0][0] - at[1][0]);
            used++;
        }
        if (used < ROUGH_POINTS || 2 * used < e.p.count)
            status = sv_fail(error, SV_FAILED, "of %d points in both pictures only %d agree", e.p.count, used);
    }
    free_estimate(&e);
    return status;
}
