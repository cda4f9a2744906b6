/* Parts that several calibration formats share. */
#include "rig/calibration_parts.h"

#include "rig/rotation.h"

#include <stdio.h>
#include <string.h>

/* The tolerance for files with four digits; a matrix that is further off is not a rounded rotation. */
static const double rotation_tolerance = 0.01;
/* Far beyond any lens, picture and rig, in whatever unit, and far from where arithmetic fails. */
static const double largest = 1e6;
static const double common_rows = 0.01; /* pixels that rectified cameras may differ by */

/* ---- Cameras ---------------------------------------------------------------------------------- */

bool calibration_take_intrinsics(const calibration_values *values, const char *key, const double numbers[4],
                                 sv_camera *camera) {
    for (int i = 0; i < 2; i++)
        if (!(numbers[i] >= 1 && numbers[i] <= largest))
            return calibration_fail(values, ": '%s' has a focal length of %g pixels", key, numbers[i]);
    for (int i = 2; i < 4; i++)
        if (fabs(numbers[i]) > largest)
            return calibration_fail(values, ": '%s' has a principal point at %g pixels", key, numbers[i]);
    camera->fx = numbers[0];
    camera->fy = numbers[1];
    camera->cx = numbers[2];
    camera->cy = numbers[3];
    return true;
}

bool calibration_take_matrix(const calibration_values *values, const char *key, sv_camera *camera) {
    double m[9];
    if (!calibration_exactly(values, key, 9, m)) return false;
    if (m[3] != 0 || m[6] != 0 || m[7] != 0 || m[8] != 1 || fabs(m[1]) > 1e-6 * fabs(m[0]))
        return calibration_fail(values, ": '%s' is not a camera matrix: fx 0 cx, 0 fy cy, 0 0 1", key);
    return calibration_take_intrinsics(values, key, (double[]){m[0], m[4], m[2], m[5]}, camera);
}

bool calibration_take_distortion(const calibration_values *values, const char *key, sv_lens lens, sv_camera *camera) {
    double k[SV_LENS_COEFFICIENTS + 2] = {0};
    int count;
    if (!calibration_numbers(values, key, SV_LENS_COEFFICIENTS + 2, k, &count)) return false;
    if (lens == SV_LENS_EQUIDISTANT && count != 0 && count != 4)
        return calibration_fail(values, ": '%s' has %d numbers; an equidistant lens takes 4", key, count);
    if (count != 0 && count != 4 && count != 5 && count != 8 && count != 12 && count != 14)
        return calibration_fail(values, ": '%s' has %d numbers; distortion takes 4, 5, 8, 12 or 14, or none", key,
                                count);
    for (int i = 0; i < count; i++)
        if (fabs(k[i]) > largest) return calibration_fail(values, ": '%s' has %g, which is out of range", key, k[i]);
    if (k[12] != 0 || k[13] != 0)
        return calibration_fail(
            values, ": '%s' has a tilted sensor (its numbers 13 and 14), which is not supported; calibrate without",
            key);
    camera->lens = lens;
    memcpy(camera->coefficients, k, sizeof camera->coefficients);
    return true;
}

bool calibration_take_size(const calibration_values *values, const char *key, const char *height_key,
                           sv_camera *camera) {
    double size[2];
    if (!calibration_exactly(values, key, height_key ? 1 : 2, size) ||
        (height_key && !calibration_exactly(values, height_key, 1, size + 1)))
        return false;
    for (int i = 0; i < 2; i++)
        if (!(size[i] >= 1 && size[i] <= 1 << 16 && size[i] == floor(size[i])))
            return calibration_fail(values, ": '%s' has a picture size of %g pixels",
                                    i && height_key ? height_key : key, size[i]);
    camera->width = (int)size[0];
    camera->height = (int)size[1];
    return true;
}

/* ---- Rotations and poses ---------------------------------------------------------------------- */

/* Returns the determinant; cofactors / determinant is the inverse, transposed. */
static double cofactors(double m[3][3], double c[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            c[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
    return m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
}

bool calibration_take_rotation(const calibration_values *values, const char *key, const double numbers[9],
                               double rotation[3][3]) {
    double product[3][3], off = 0;
    memcpy(rotation, numbers, 9 * sizeof *numbers);
    rotation_multiply_transposed(rotation, rotation, product);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) off = fmax(off, fabs(product[i][j] - (i == j)));
    /* Written so that NaN and infinity, which huge numbers lead to, fail the test. */
    if (!(off <= rotation_tolerance))
        return calibration_fail(values, ": '%s' is not a rotation: its columns are not orthonormal", key);
    if (cofactors(rotation, product) < 0)
        return calibration_fail(values, ": '%s' is not a rotation: it is a reflection", key);
    /* Newton's iteration for the polar decomposition: the mean of the matrix and its inverse, transposed (Higham 1986).
     * The number of correct digits doubles with each step. */
    for (int step = 0; step < 6; step++) {
        const double determinant = cofactors(rotation, product);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) rotation[i][j] = (rotation[i][j] + product[i][j] / determinant) / 2;
    }
    return true;
}

bool calibration_take_pose(const calibration_values *values, const char *key, calibration_pose *pose) {
    double m[16];
    if (!calibration_exactly(values, key, 16, m)) return false;
    if (m[12] != 0 || m[13] != 0 || m[14] != 0 || m[15] != 1)
        return calibration_fail(values, ": '%s' is not a pose: its last row is not 0 0 0 1", key);
    for (int i = 0; i < 3; i++) {
        pose->translation[i] = m[4 * i + 3];
        if (fabs(pose->translation[i]) > largest)
            return calibration_fail(values, ": '%s' has %g, which is out of range", key, pose->translation[i]);
    }
    const double rotation[9] = {m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
    return calibration_take_rotation(values, key, rotation, pose->rotation);
}

void calibration_set_poses(sv_rig *rig, calibration_pose poses[2]) {
    /* X2 = R2 X + t2 with X = transposed(R1) (X1 - t1). */
    double transposed[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) transposed[i][j] = poses[0].rotation[j][i];
    rotation_multiply(poses[1].rotation, transposed, rig->rotation);
    for (int i = 0; i < 3; i++) {
        rig->translation[i] = poses[1].translation[i];
        for (int j = 0; j < 3; j++) rig->translation[i] -= rig->rotation[i][j] * poses[0].translation[j];
    }
}

bool calibration_check_translation(const calibration_values *values, const char *key, const sv_rig *rig) {
    const double *t = rig->translation;
    const double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    return (length >= 1e-6 && length <= largest) ||
           calibration_fail(values, ": according to '%s' the cameras are %g apart; this is not a stereo calibration",
                            key, length);
}

/* ---- Projection matrices ---------------------------------------------------------------------- */

/* The pinhole without its rotation, and the position of the common origin in its frame. */
static bool take_projection(const calibration_values *values, const char *key, sv_pinhole *pinhole, double origin[3]) {
    double p[12];
    sv_camera camera;
    if (!calibration_exactly(values, key, 12, p)) return false;
    if (p[1] != 0 || p[4] != 0 || p[8] != 0 || p[9] != 0 || p[10] != 1)
        return calibration_fail(values, ": '%s' is not a projection matrix: fx 0 cx a, 0 fy cy b, 0 0 1 c", key);
    if (!calibration_take_intrinsics(values, key, (double[]){p[0], p[5], p[2], p[6]}, &camera)) return false;
    pinhole->fx = camera.fx;
    pinhole->fy = camera.fy;
    pinhole->cx = camera.cx;
    pinhole->cy = camera.cy;
    origin[2] = p[11];
    origin[0] = (p[3] - camera.cx * origin[2]) / camera.fx;
    origin[1] = (p[7] - camera.cy * origin[2]) / camera.fy;
    return true;
}

bool calibration_take_projections(const calibration_values *const values[2], const char *const keys[2],
                                  double (*rotations)[3][3], sv_rig *rig) {
    double origins[2][3], between[3];
    sv_pinhole *pinholes = rig->pinholes;
    for (int side = 0; side < 2; side++)
        if (!take_projection(values[side], keys[side], &pinholes[side], origins[side])) return false;
    if (fabs(pinholes[0].fx - pinholes[1].fx) > common_rows || fabs(pinholes[0].fy - pinholes[1].fy) > common_rows ||
        fabs(pinholes[0].cy - pinholes[1].cy) > common_rows)
        return calibration_fail(
            values[1], ": '%s' differs from the left camera's '%s' in focal length or cy, so they have no common rows",
            keys[1], keys[0]);
    for (int i = 0; i < 3; i++) between[i] = origins[1][i] - origins[0][i];
    rig->rectified = !rotations;
    rig->given = rotations;
    if (rotations) {
        memcpy(pinholes[0].rotation, rotations[0], sizeof *rotations);
        memcpy(pinholes[1].rotation, rotations[1], sizeof *rotations);
        rotation_multiply_transposed(rotations[1], rotations[0], rig->rotation);
        rotation_apply_transposed(rotations[1], between, rig->translation);
    } else {
        for (int i = 0; i < 3; i++) rig->rotation[i][i] = 1;
        rig->translation[0] = between[0];
        for (int side = 0; side < 2; side++) {
            rig->cameras[side].fx = pinholes[side].fx;
            rig->cameras[side].fy = pinholes[side].fy;
            rig->cameras[side].cx = pinholes[side].cx;
            rig->cameras[side].cy = pinholes[side].cy;
        }
    }
    return calibration_check_translation(values[1], keys[1], rig);
}

bool calibration_take_rows(const calibration_values *file, sv_rig *rig) {
    static const char key[] = "stereoview_rows";
    return !rig->given || !calibration_text(file, key) || calibration_exactly(file, key, SV_ROW_TERMS, rig->rows);
}
