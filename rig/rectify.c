/* Rectification: the rotations and the frame that bring a point onto the same row of both pictures, and the maps.
 *
 * J.-Y. Bouguet's method (Camera Calibration Toolbox for Matlab), as OpenCV 4.6 implements it, with its fixed numbers
 * of iterations. Later releases place the edges of a picture half a pixel further inside, which moves the corners by
 * some tenths of a pixel. */
#include "rig/rectify.h"

#include "rig/lens.h"
#include "rig/rotation.h"
#include "stereo/pixel.h"

#include <stdlib.h>
#include <string.h>

/* Rotates both cameras into a common orientation whose x axis is the baseline. */
static sv_status align(const sv_rig *rig, sv_rectification *r, sv_error *error) {
    double axis[3], half[3][3], level[3][3], t[3];
    const double angle = rotation_angle(rig->rotation, axis);
    rotation_about(axis, -angle / 2, half);
    rotation_apply(half, rig->translation, t);
    if (!(fabs(t[0]) > fabs(t[1]) && fabs(t[0]) > fabs(t[2])))
        return sv_fail(
            error, SV_FAILED,
            "the right camera is at (%g, %g, %g) relative to the left one: cameras that are not side by side "
            "cannot be rectified to common rows; rotate the pictures of a vertical rig by 90 degrees",
            -t[0], -t[1], -t[2]);
    /* Turned by half of the relative rotation each, both have the same orientation; this rotation brings t onto the x
     * axis. */
    const double across[3] = {0, t[0] > 0 ? t[2] : -t[2], t[0] > 0 ? -t[1] : t[1]};
    rotation_about(across, acos(fabs(t[0]) / vector_length(t)), level);
    rotation_multiply(level, half, r->pinholes[1].rotation);
    rotation_about(axis, angle / 2, half);
    rotation_multiply(level, half, r->pinholes[0].rotation);
    return SV_OK;
}

/* ---- The frame: focal length and principal point ---------------------------------------------- */

/* Projects a point of the camera's picture onto the plane at distance 1 that both cameras are rectified to. */
static bool onto_plane(const sv_rectification *r, int side, double x, double y, double place[2]) {
    const sv_camera *camera = &r->cameras[side];
    double point[3] = {0, 0, 1}, turned[3];
    if (camera->lens == SV_LENS_POLYNOMIAL)
        sv_unproject_as_opencv(camera, (const double[]){x, y}, point);
    else if (!sv_unproject(camera, (const double[]){x, y}, point))
        return false;
    rotation_apply(r->pinholes[side].rotation, point, turned);
    place[0] = turned[0] / turned[2];
    place[1] = turned[1] / turned[2];
    return turned[2] > 0;
}

/* OpenCV's frame: centres the corners at the original focal length, then chooses one that puts the edges of the
 * pictures outside of the frame, or inside. */
static bool frame(const sv_rectification *r, double alpha, double *focal, double centre[2]) {
    enum { LATTICE = 8 }; /* intervals across the picture, and down */
    const double width = r->width, height = r->height;
    const double original = (r->cameras[0].fy + r->cameras[1].fy) / 2;
    double place[2], full = 0, whole = INFINITY;
    centre[0] = (width - 1) / 2;
    centre[1] = (height - 1) / 2;
    for (int i = 0; i < 8; i++) {
        if (!onto_plane(r, i / 4, i % 2 * (width - 1), i / 2 % 2 * (height - 1), place)) return false;
        centre[0] -= original * place[0] / 8;
        centre[1] -= original * place[1] / 8;
    }
    for (int i = 0; i < 2 * (LATTICE + 1) * (LATTICE + 1); i++) {
        const int column = i / 2 % (LATTICE + 1), row = i / 2 / (LATTICE + 1);
        if (!onto_plane(r, i % 2, column * width / LATTICE, row * height / LATTICE, place)) return false;
        /* With this focal length the point lies on that edge of the frame. */
        const double left = centre[0] / -place[0], right = (width - centre[0]) / place[0];
        const double top = centre[1] / -place[1], bottom = (height - centre[1]) / place[1];
        if (column == 0) full = fmax(full, left);
        if (column == LATTICE) full = fmax(full, right);
        if (row == 0) full = fmax(full, top);
        if (row == LATTICE) full = fmax(full, bottom);
        whole = fmin(whole, fmin(place[0] < 0 ? left : right, place[1] < 0 ? top : bottom));
    }
    *focal = (1 - alpha) * full + alpha * whole;
    return true;
}

/* The frame of cv::fisheye, which considers only the middles of the picture's sides, because the corners of a wide lens
 * may lie behind the camera. */
static bool frame_wide(const sv_rectification *r, double alpha, double *focal, double centre[2]) {
    const double width = r->width, height = r->height;
    *focal = INFINITY;
    centre[0] = width / 2;
    centre[1] = height / 2;
    for (int side = 0; side < 2; side++) {
        double top[2], right[2], bottom[2], left[2];
        if (!onto_plane(r, side, width / 2, 0, top) || !onto_plane(r, side, width, height / 2, right) ||
            !onto_plane(r, side, width / 2, height, bottom) || !onto_plane(r, side, 0, height / 2, left))
            return false;
        const double x = (top[0] + right[0] + bottom[0] + left[0]) / 4;
        const double y = (top[1] + right[1] + bottom[1] + left[1]) / 4;
        /* Focal lengths that place each side on the edge of the frame. */
        const double to[] = {width / 2 / (x - left[0]), width / 2 / (right[0] - x), height / 2 / (y - top[1]),
                             height / 2 / (bottom[1] - y)};
        const double full = fmax(fmax(to[0], to[1]), fmax(to[2], to[3]));
        const double whole = fmin(fmin(to[0], to[1]), fmin(to[2], to[3]));
        const double own = (1 - alpha) * full + alpha * whole;
        centre[0] -= own * x / 2;
        centre[1] -= own * y / 2;
        *focal = fmin(*focal, own * r->cameras[side].fy / r->cameras[side].fx);
    }
    return true;
}

static sv_status rectify_by_bouguet(const sv_rig *rig, double alpha, sv_rectification *r, sv_error *error) {
    sv_status status = align(rig, r, error);
    if (status != SV_OK) return status;
    const bool wide = rig->cameras[0].lens == SV_LENS_EQUIDISTANT && rig->cameras[1].lens == SV_LENS_EQUIDISTANT;
    double focal, centre[2];
    if (!(wide ? frame_wide : frame)(r, alpha, &focal, centre) || !(focal > 0 && focal < INFINITY))
        return sv_fail(error, SV_FAILED,
                       "the calibration leaves nothing of the rectified pictures: its distortion or its rotation is "
                       "too large; calibrate the cameras again");
    for (int side = 0; side < 2; side++) {
        sv_pinhole *pinhole = &r->pinholes[side];
        pinhole->fx = pinhole->fy = focal;
        pinhole->cx = centre[0];
        pinhole->cy = centre[1];
    }
    return SV_OK;
}

/* ---- Sizes and warnings ----------------------------------------------------------------------- */

/* `scale`: pixels of the pictures for each calibrated one. Coordinates count from the centre of the first pixel. */
static double scaled(double centre, double scale) { return (centre + 0.5) * scale - 0.5; }

/* Copies cameras and pinholes, for pictures of r->width x r->height. */
static sv_status fit_size(const sv_rig *rig, sv_rectification *r, sv_error *error) {
    const double most = 0.01; /* by how much the aspect ratios may differ */
    for (int side = 0; side < 2; side++) {
        const sv_camera *from = &rig->cameras[side];
        sv_camera *camera = &r->cameras[side];
        sv_pinhole *pinhole = &r->pinholes[side];
        *camera = *from;
        *pinhole = rig->pinholes[side];
        if (!(from->fx > 0 && from->fy > 0))
            return sv_fail(error, SV_FAILED,
                           "the calibration has focal lengths of %g and %g pixels; they must be positive", from->fx,
                           from->fy);
        camera->width = r->width;
        camera->height = r->height;
        if (!from->width || (from->width == r->width && from->height == r->height)) continue;
        const double x = (double)r->width / from->width, y = (double)r->height / from->height;
        if (fabs(x / y - 1) > most)
            return sv_fail(error, SV_FAILED,
                           "the cameras were calibrated with pictures of %d x %d pixels, and these are %d x %d, which "
                           "is another aspect ratio; record at the calibrated size",
                           from->width, from->height, r->width, r->height);
        if (!side)
            sv_log(SV_LOG_INFO, "the calibration for pictures of %d x %d is scaled to %d x %d", from->width,
                   from->height, r->width, r->height);
        camera->fx *= x;
        camera->fy *= y;
        camera->cx = scaled(camera->cx, x);
        camera->cy = scaled(camera->cy, y);
        pinhole->fx *= x;
        pinhole->fy *= y;
        pinhole->cx = scaled(pinhole->cx, x);
        pinhole->cy = scaled(pinhole->cy, y);
    }
    return SV_OK;
}

static void warn_of_folds(const sv_rectification *r) {
    for (int side = 0; side < 2; side++) {
        double fold;
        sv_lens_reach(&r->cameras[side], &fold);
        if (fold > 0)
            sv_log(SV_LOG_WARNING,
                   "the calibration of the %s camera is not plausible: beyond %.0f pixels from the centre its "
                   "distortion folds the picture, so that part is not used; calibrate again, with the board in "
                   "the corners too, or with fewer coefficients",
                   side ? "right" : "left", r->cameras[side].fx * fold);
    }
}

static void warn_of_swapped(const sv_rig *rig) {
    if (rig->translation[0] > 0)
        sv_log(SV_LOG_WARNING,
               "according to the calibration, the right camera stands to the left of the left one (T.x = %g > 0): the "
               "cameras seem swapped, and only negative disparities (-63:0) match, without depth; swap left and "
               "right in the calibration, and in the pictures too if those are swapped alike",
               rig->translation[0]);
}

/* For the rectification that the file gives. */
static void warn_of_uneven_rows(const sv_rectification *r) {
    const double most = 0.5; /* rows */
    const sv_pinhole *left = &r->pinholes[0], *right = &r->pinholes[1];
    if (fabs(left->cy - right->cy) > most || fabs(left->fy - right->fy) * r->height / 2 > most * left->fy)
        sv_log(SV_LOG_WARNING,
               "the rectification in the calibration file does not lead to common rows (fy %g and %g, cy %g "
               "and %g); a rectification with alpha 0 computes another one",
               left->fy, right->fy, left->cy, right->cy);
}

/* ---- Maps ------------------------------------------------------------------------------------- */

/* Where a pixel of the rectified picture, before the row correction, comes from in the camera's picture. */
static bool source_of(const sv_rectification *r, int side, double x, double y, double pixel[2]) {
    const sv_pinhole *pinhole = &r->pinholes[side];
    const double(*m)[3] = pinhole->rotation;
    const double u = (x - pinhole->cx) / pinhole->fx, v = (y - pinhole->cy) / pinhole->fy;
    /* The rotation's transpose is its inverse. */
    const double point[3] = {m[0][0] * u + m[1][0] * v + m[2][0], m[0][1] * u + m[1][1] * v + m[2][1],
                             m[0][2] * u + m[1][2] * v + m[2][2]};
    if (!(point[2] > 0) || hypot(point[0], point[1]) > r->reach[side] * point[2]) return false;
    sv_project(&r->cameras[side], point[0] / point[2], point[1] / point[2], pixel);
    return true;
}

bool sv_unrectify_point(const sv_rectification *r, int side, const double rectified[2], double pixel[2]) {
    const double x = rectified[0], y = rectified[1];
    const double row = side ? y + sv_row_correction(r->rows, r->width, r->height, x, y) : y;
    if (!r->rectified) return source_of(r, side, x, row, pixel);
    pixel[0] = x;
    pixel[1] = row;
    return true;
}

/* An entry of a rectification map; the outer half of the edge pixels counts as their centre. */
static int32_t map_entry(double at, int size) {
    const double last = size - 1;
    if (!(at >= -0.5 && at <= last + 0.5)) return SV_MAP_OUTSIDE;
    return (int32_t)lrint(SV_MAP_STEPS * fmin(fmax(at, 0), last));
}

/* Makes the map of a side, which the caller frees. */
static sv_status make_map(const sv_rectification *r, int side, int32_t **out, sv_error *error) {
    int32_t *map = *out = malloc(2 * sizeof *map * (size_t)r->width * (size_t)r->height);
    if (!map)
        return sv_fail(error, SV_FAILED, "out of memory for a rectification map of %d x %d pixels", r->width,
                       r->height);
#pragma omp parallel for
    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            int32_t *entry = map + 2 * ((size_t)y * (size_t)r->width + (size_t)x);
            double pixel[2] = {-1, -1};
            sv_unrectify_point(r, side, (const double[]){x, y}, pixel);
            entry[0] = map_entry(pixel[0], r->width);
            entry[1] = map_entry(pixel[1], r->height);
            if (entry[0] == SV_MAP_OUTSIDE || entry[1] == SV_MAP_OUTSIDE) entry[0] = entry[1] = SV_MAP_OUTSIDE;
        }
    return SV_OK;
}

/* ---- Pictures --------------------------------------------------------------------------------- */

/* Interpolates the picture at an entry of the rectification map. */
static uint8_t sample(const sv_image *picture, const int32_t place[2]) {
    if (place[0] == SV_MAP_OUTSIDE) return 0;
    const int x = place[0] / SV_MAP_STEPS, y = place[1] / SV_MAP_STEPS;
    const int next = x + 1 < picture->width ? x + 1 : x, below = y + 1 < picture->height ? y + 1 : y;
    const uint8_t *upper = sv_row(picture, y), *lower = sv_row(picture, below);
    return (uint8_t)sv_bilinear(upper[x], upper[next], lower[x], lower[next], place[0] % SV_MAP_STEPS,
                                place[1] % SV_MAP_STEPS);
}

void sv_rectify_grey(const sv_rectification *r, int side, const sv_image *picture, int shift, uint8_t *grey) {
    const size_t width = (size_t)picture->width;
    const int32_t *map = r ? r->maps[side] : NULL;
    for (int y = 0; y < picture->height; y++) {
        const int row = sv_clamp(y + shift, picture->height);
        const int32_t *places = map ? map + 2 * (size_t)row * width : NULL;
        uint8_t *to = grey + (size_t)y * width;
        if (!places) memcpy(to, sv_row(picture, row), width);
        for (size_t x = 0; places && x < width; x++) to[x] = sample(picture, places + 2 * x);
    }
}

/* ---- The whole -------------------------------------------------------------------------------- */

sv_status sv_rectify_frame(const sv_rig *rig, int width, int height, double alpha, sv_rectification *r,
                           sv_error *error) {
    *r = (sv_rectification){.width = width, .height = height, .rectified = rig->rectified, .metric = rig->metric};
    if (!(alpha <= 1))
        return sv_fail(error, SV_USAGE, "alpha is %g; it must be 0 to 1, or negative to rectify as the file asks",
                       alpha);
    sv_status status = fit_size(rig, r, error);
    for (int side = 0; status == SV_OK && side < 2; side++) {
        const sv_camera *camera = &r->cameras[side];
        r->reach[side] = rig->rectified ? INFINITY : sv_lens_reach(camera, NULL);
        if (rig->rectified)
            r->pinholes[side] = (sv_pinhole){.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                             .fx = camera->fx,
                                             .fy = camera->fy,
                                             .cx = camera->cx,
                                             .cy = camera->cy};
    }
    if (status == SV_OK && !rig->rectified && !(rig->given && alpha < 0))
        status = rectify_by_bouguet(rig, alpha < 0 ? 0 : alpha, r, error);
    if (status != SV_OK) {
        *r = (sv_rectification){0};
        return status;
    }
    /* Another frame shows other rows: there the correction would have to be measured again. */
    const double scale = rig->cameras[0].height ? (double)height / rig->cameras[0].height : 1;
    for (int i = 0; i < SV_ROW_TERMS && rig->given && alpha < 0; i++) r->rows[i] = scale * rig->rows[i];
    r->focal = r->pinholes[0].fx;
    r->baseline = vector_length(rig->translation);
    r->doffs = r->pinholes[1].cx - r->pinholes[0].cx;
    return SV_OK;
}

sv_status sv_rectify(const sv_rig *rig, int width, int height, double alpha, sv_rectification *r, sv_error *error) {
    sv_status status = sv_rectify_frame(rig, width, height, alpha, r, error);
    if (status != SV_OK || rig->rectified) return status;
    warn_of_swapped(rig);
    if (rig->given && alpha < 0) warn_of_uneven_rows(r);
    warn_of_folds(r);
    for (int side = 0; status == SV_OK && side < 2; side++) status = make_map(r, side, &r->maps[side], error);
    if (status != SV_OK) sv_rectification_free(r);
    return status;
}

sv_status sv_rectify_rows(sv_rectification *r, int width, int height, const double terms[SV_ROW_TERMS],
                          sv_error *error) {
    sv_rectification corrected = *r;
    if (!r->width) corrected = (sv_rectification){.width = width, .height = height, .rectified = true};
    memcpy(corrected.rows, terms, sizeof corrected.rows);
    const sv_status status = make_map(&corrected, 1, &corrected.maps[1], error);
    if (status != SV_OK) return status;
    free(r->maps[1]);
    *r = corrected;
    return SV_OK;
}

sv_status sv_rectification_copy(const sv_rectification *from, sv_rectification *to, sv_error *error) {
    const size_t bytes = 2 * sizeof *from->maps[0] * (size_t)from->width * (size_t)from->height;
    *to = *from;
    to->maps[0] = to->maps[1] = NULL;
    for (int side = 0; side < 2; side++) {
        if (!from->maps[side]) continue;
        to->maps[side] = malloc(bytes);
        if (!to->maps[side]) {
            sv_rectification_free(to);
            return sv_fail(error, SV_FAILED, "out of memory for a copy of the rectification");
        }
        memcpy(to->maps[side], from->maps[side], bytes);
    }
    return SV_OK;
}

void sv_rectification_free(sv_rectification *r) {
    free(r->maps[0]);
    free(r->maps[1]);
    *r = (sv_rectification){0};
}

/* The inverse of the row correction, which changes so slowly that each turn is a hundred times as exact. */
static double correct_row(const sv_rectification *r, double x, double row) {
    double corrected = row;
    for (int turn = 0; turn < 4; turn++)
        corrected = row - sv_row_correction(r->rows, r->width, r->height, x, corrected);
    return corrected;
}

bool sv_rectify_point(const sv_rectification *r, int side, const double pixel[2], double rectified[2]) {
    const sv_pinhole *pinhole = &r->pinholes[side];
    double point[3] = {0, 0, 1}, turned[3];
    if (r->rectified) {
        rectified[0] = pixel[0];
        rectified[1] = pixel[1];
    } else {
        if (!sv_unproject(&r->cameras[side], pixel, point) || hypot(point[0], point[1]) > r->reach[side]) return false;
        rotation_apply(pinhole->rotation, point, turned);
        rectified[0] = pinhole->fx * turned[0] / turned[2] + pinhole->cx;
        rectified[1] = pinhole->fy * turned[1] / turned[2] + pinhole->cy;
        if (!(turned[2] > 0)) return false;
    }
    if (side) rectified[1] = correct_row(r, rectified[0], rectified[1]);
    return true;
}
