/* OpenCV's FileStorage, under the names that its samples and its users choose. The unit is the one in which the squares
 * of the board were measured, unless the file names it as ours do (calibration_write.c): "unit: m". */
#include "rig/calibration_parts.h"

#include "rig/length.h"
#include "rig/rotation.h"

#include <stdio.h>
#include <string.h>

/* A key and the file that it is in. */
typedef struct place {
    const calibration_values *file;
    char key[CALIBRATION_KEY_BYTES];
} place;

typedef struct files {
    const calibration_values *values;
    int count;
} files;

/* Case and underscores make no difference. */
static const char *const matrix_names[] = {"M", "K", "cameraMatrix", "intrinsics", "intrinsicMatrix", "mtx", NULL};
static const char *const distortion_names[] = {"D",         "distCoeffs", "distortion", "distortionCoefficients",
                                               "distCoeff", "dist",       NULL};
static const char *const rectification_names[] = {"R", "rectification", "rectificationMatrix", "rect", NULL};
static const char *const projection_names[] = {"P", "projection", "projectionMatrix", "proj", NULL};
static const char *const rotation_names[] = {"R", "rotation", "rotationMatrix", NULL};
static const char *const translation_names[] = {"T", "translation", "translationVector", NULL};
static const char *const size_names[][2] = {{"image_width", "image_height"},
                                            {"width", "height"},
                                            {"imageSize_width", "imageSize_height"},
                                            {"imageSize.width", "imageSize.height"},
                                            {"imageSize", NULL}};
static const char *const sides[2][3] = {{"1", "left", "l"}, {"2", "right", "r"}};

/* ---- Finding ---------------------------------------------------------------------------------- */

static bool find(files in, place *at) {
    for (int i = 0; i < in.count; i++)
        if (calibration_text(&in.values[i], at->key)) {
            at->file = &in.values[i];
            return true;
        }
    return false;
}

static bool find_any(files in, const char *const *names, place *at) {
    for (; *names; names++) {
        snprintf(at->key, sizeof at->key, "%s", *names);
        if (find(in, at)) return true;
    }
    return false;
}

/* Of one side's camera: M1, cameraMatrix_left, left_camera_matrix, left.K */
static bool find_side(files in, const char *const *names, int side, place *at) {
    for (; *names; names++)
        for (int i = 0; i < 3; i++) {
            const char *word = sides[side][i];
            snprintf(at->key, sizeof at->key, "%s%s", *names, word);
            if (find(in, at)) return true;
            if (!i) continue; /* nobody writes 1M */
            snprintf(at->key, sizeof at->key, "%s%s", word, *names);
            if (find(in, at)) return true;
            snprintf(at->key, sizeof at->key, "%s.%s", word, *names);
            if (find(in, at)) return true;
        }
    return false;
}

bool calibration_is_opencv(const calibration_values *file) {
    const files in = {file, 1};
    place at;
    return find_side(in, matrix_names, 0, &at) || find_side(in, matrix_names, 1, &at) ||
           (find_any(in, rotation_names, &at) && find_any(in, translation_names, &at));
}

static bool missing(files in, const char *what, const char *names) {
    if (in.count > 1)
        return calibration_fail(in.values, " and %s: there is no %s; it may be named %s", in.values[1].path, what,
                                names);
    return calibration_fail(in.values,
                            ": there is no %s; it may be named %s; if it is in a second file, name both: FILE,FILE",
                            what, names);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

/* The size stays unchanged if no file gives it. */
static bool take_size(files in, int side, sv_camera *camera) {
    for (size_t i = 0; i < sizeof size_names / sizeof *size_names; i++) {
        const char *const width_name[] = {size_names[i][0], NULL}, *const height_name[] = {size_names[i][1], NULL};
        place width, height;
        if (find_side(in, width_name, side, &width)) {
            find_side(in, height_name, side, &height);
        } else if (find_any(in, width_name, &width)) {
            snprintf(height.key, sizeof height.key, "%s", size_names[i][1] ? size_names[i][1] : "");
        } else {
            continue;
        }
        return calibration_take_size(width.file, width.key, size_names[i][1] ? height.key : NULL, camera);
    }
    return true;
}

static bool take_camera(files in, int side, sv_camera *camera) {
    place at;
    if (!find_side(in, matrix_names, side, &at))
        return side ? missing(in, "right camera matrix", "M2, K2, cameraMatrix2 or camera_matrix_right")
                    : missing(in, "left camera matrix", "M1, K1, cameraMatrix1 or camera_matrix_left");
    if (!calibration_take_matrix(at.file, at.key, camera)) return false;

    sv_lens lens = SV_LENS_POLYNOMIAL;
    if (find_any(in, (const char *const[]){"fisheye_model", NULL}, &at)) {
        double fisheye;
        if (!calibration_exactly(at.file, at.key, 1, &fisheye)) return false;
        if (fisheye != 0) lens = SV_LENS_EQUIDISTANT;
    }
    if (!find_side(in, distortion_names, side, &at))
        return side ? missing(in, "right camera's distortion", "D2, distCoeffs2 or distortion_right")
                    : missing(in, "left camera's distortion", "D1, distCoeffs1 or distortion_left");
    return calibration_take_distortion(at.file, at.key, lens, camera) && take_size(in, side, camera);
}

/* The cosine of the angle between two rotations. */
static double between_rotations(double a[3][3], double b[3][3]) {
    double turn[3][3];
    rotation_multiply_transposed(a, b, turn);
    return (turn[0][0] + turn[1][1] + turn[2][2] - 1) / 2;
}

/* The same for two directions. */
static double between_directions(const double a[3], const double b[3]) {
    const double lengths = sqrt((a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]));
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / lengths;
}

/* R1 R2 P1 P2, if all are present and belong to the same cameras as R and T. */
static bool take_rectification(files in, sv_rig *rig) {
    static const double agreement = 0.01; /* radians, several pixels at any focal length in use */
    double rotations[2][3][3], numbers[9];
    place at[2], projection[2];
    for (int side = 0; side < 2; side++)
        if (!find_side(in, rectification_names, side, &at[side]) ||
            !find_side(in, projection_names, side, &projection[side]))
            return true;
    for (int side = 0; side < 2; side++)
        if (!calibration_exactly(at[side].file, at[side].key, 9, numbers) ||
            !calibration_take_rotation(at[side].file, at[side].key, numbers, rotations[side]))
            return false;
    sv_rig given = *rig;
    if (!calibration_take_projections((const calibration_values *const[]){projection[0].file, projection[1].file},
                                      (const char *const[]){projection[0].key, projection[1].key}, rotations, &given))
        return false;
    if (fmin(between_rotations(given.rotation, rig->rotation),
             between_directions(given.translation, rig->translation)) < cos(agreement)) {
        sv_log(SV_LOG_WARNING,
               "%s: %s %s %s %s do not belong to the same cameras as R and T; they are ignored, and the pictures are "
               "rectified by R "
               "and T",
               at[0].file->path, at[0].key, at[1].key, projection[0].key, projection[1].key);
        return true;
    }
    rig->given = true;
    memcpy(rig->pinholes, given.pinholes, sizeof rig->pinholes);
    return true;
}

/* The unit of the translation, if a file names one; others may use the key, which is not OpenCV's, in their own way. */
static void take_unit(files in, sv_rig *rig) {
    place at = {.key = "unit"};
    if (!find(in, &at)) return;
    const char *unit = calibration_text(at.file, at.key);
    const double metres = length_unit(unit);
    if (!(metres > 0)) {
        sv_log(SV_LOG_WARNING, "%s: 'unit' is '%.40s', which is not m, cm, mm or in; there is no depth in metres",
               at.file->path, unit);
        return;
    }
    for (int i = 0; i < 3; i++) rig->translation[i] *= metres;
    rig->metric = true;
}

bool calibration_read_opencv(const calibration_values *values, int count, int width, int height, sv_rig *rig) {
    (void)width, (void)height;
    const files in = {values, count};
    place at;
    /* ORB-SLAM's form: K D R P of each side instead of R and T. */
    if (count == 1 && calibration_text(values, "left.K") && calibration_text(values, "left.P"))
        return calibration_take_camera_info((const calibration_values *const[]){values, values},
                                            (const char *const[]){"left.", "right."}, rig);

    double numbers[9];
    if (!take_camera(in, 0, &rig->cameras[0]) || !take_camera(in, 1, &rig->cameras[1])) return false;
    if (!find_any(in, rotation_names, &at))
        return missing(in, "rotation from the left camera to the right one", "R or rotation");
    if (!calibration_exactly(at.file, at.key, 9, numbers) ||
        !calibration_take_rotation(at.file, at.key, numbers, rig->rotation))
        return false;
    if (!find_any(in, translation_names, &at))
        return missing(in, "translation from the left camera to the right one", "T or translation");
    if (!calibration_exactly(at.file, at.key, 3, rig->translation) ||
        !calibration_check_translation(at.file, at.key, rig) || !take_rectification(in, rig))
        return false;
    take_unit(in, rig);
    return calibration_take_rows(values, rig);
}
