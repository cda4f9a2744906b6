/* The calibration files of data sets and of one camera: KITTI, its predecessor Karlsruhe, Middlebury (and ETH3D), and
 * ZED. Lengths are in metres after reading. */
#include "rig/calibration_parts.h"

#include "rig/rotation.h"

#include <stdio.h>
#include <string.h>

/* How far a picture is from a size: 0 if it is the same, below 1 if the aspect ratio is the same within 1 %. */
static double unlikeness(const sv_camera *size, int width, int height) {
    if (size->width == width && size->height == height) return 0;
    const double shape = (double)size->width * height / ((double)size->height * width);
    return 0.5 + 50 * fabs(shape - 1);
}

static void set_size(sv_rig *rig, const sv_camera *size) {
    for (int side = 0; side < 2; side++) {
        rig->cameras[side].width = size->width;
        rig->cameras[side].height = size->height;
    }
}

/* ---- KITTI (Geiger, Lenz, Stiller and Urtasun 2013) ------------------------------------------- */

/* The cameras 00 and 01 are grey, 02 and 03 in colour; a file with fewer has one of the pairs. */
static const char *const pairs[2][2] = {{"00", "01"}, {"02", "03"}};

static const char *kitti_key(char key[CALIBRATION_KEY_BYTES], const char *name, const char *camera) {
    snprintf(key, CALIBRATION_KEY_BYTES, "%s_%s", name, camera);
    return key;
}

/* For raw pictures. R and T are from the frame of camera 00. */
static sv_status read_kitti_raw(const calibration_values *file, const char *const cameras[2], sv_rig *rig,
                                sv_error *error) {
    calibration_pose poses[2];
    char key[CALIBRATION_KEY_BYTES];
    for (int side = 0; side < 2; side++) {
        sv_camera *camera = &rig->cameras[side];
        double numbers[9];
        sv_status status = calibration_take_matrix(file, kitti_key(key, "K", cameras[side]), camera, error);
        if (status == SV_OK)
            status = calibration_take_distortion(file, kitti_key(key, "D", cameras[side]), SV_LENS_POLYNOMIAL, camera,
                                                 error);
        if (status == SV_OK)
            status = calibration_take_size(file, kitti_key(key, "S", cameras[side]), NULL, camera, error);
        if (status == SV_OK) status = calibration_exactly(file, kitti_key(key, "R", cameras[side]), 9, numbers, error);
        if (status == SV_OK) status = calibration_take_rotation(file, key, numbers, poses[side].rotation, error);
        if (status == SV_OK)
            status = calibration_exactly(file, kitti_key(key, "T", cameras[side]), 3, poses[side].translation, error);
        if (status != SV_OK) return status;
    }
    calibration_set_poses(rig, poses);
    return calibration_check_translation(file, key, rig, error);
}

sv_status calibration_read_kitti(const calibration_values *files, int count, int width, int height, sv_rig *rig,
                                 sv_error *error) {
    (void)count;
    const calibration_values *file = &files[0];
    char keys[2][CALIBRATION_KEY_BYTES], key[CALIBRATION_KEY_BYTES];
    const char *const *cameras = pairs[!calibration_text(file, "P_rect_00")];
    rig->metric = true;

    sv_camera rectified = {0}, raw = {0};
    sv_status status = calibration_take_size(file, kitti_key(key, "S_rect", cameras[0]), NULL, &rectified, error);
    if (status != SV_OK) return status;
    if (calibration_text(file, kitti_key(key, "S", cameras[0]))) {
        status = calibration_take_size(file, key, NULL, &raw, error);
        if (status != SV_OK) return status;
        if (unlikeness(&raw, width, height) < unlikeness(&rectified, width, height))
            return read_kitti_raw(file, cameras, rig, error);
    }
    set_size(rig, &rectified);
    for (int side = 0; side < 2; side++) kitti_key(keys[side], "P_rect", cameras[side]);
    return calibration_take_projections((const calibration_values *const[]){file, file},
                                        (const char *const[]){keys[0], keys[1]}, NULL, rig, error);
}

sv_status calibration_read_projections(const calibration_values *files, int count, int width, int height, sv_rig *rig,
                                       sv_error *error) {
    (void)count, (void)width, (void)height;
    static const char *const keys[2][2] = {{"P0", "P1"}, {"P2", "P3"}};
    const bool grey = calibration_text(&files[0], "P0") && calibration_text(&files[0], "P1");
    rig->metric = true;
    return calibration_take_projections((const calibration_values *const[]){&files[0], &files[0]}, keys[!grey], NULL,
                                        rig, error);
}

/* ---- Karlsruhe (Geiger, Roser and Urtasun 2010) ----------------------------------------------- */

/* OpenCV's names, and the roi that the published pictures were cropped to: first and last column, first and last row.
 */
sv_status calibration_read_karlsruhe(const calibration_values *files, int count, int width, int height, sv_rig *rig,
                                     sv_error *error) {
    double roi[4];
    sv_status status = calibration_exactly(&files[0], "roi", 4, roi, error);
    if (status != SV_OK) return status;
    if (roi[1] - roi[0] + 1 == width && roi[3] - roi[2] + 1 == height) {
        set_size(rig, &(sv_camera){.width = width, .height = height});
        status = calibration_take_projections((const calibration_values *const[]){&files[0], &files[0]},
                                              (const char *const[]){"P1_roi", "P2_roi"}, NULL, rig, error);
    } else if (width > roi[1] && height > roi[3]) {
        status = calibration_read_opencv(files, count, width, height, rig, error);
    } else {
        return sv_fail(error, SV_FAILED,
                       "%s is for pictures of %g x %g pixels ('roi'), or for those from which they were cut; these are "
                       "%d x %d",
                       files[0].path, roi[1] - roi[0] + 1, roi[3] - roi[2] + 1, width, height);
    }
    rig->metric = true;
    return status;
}

/* ---- Middlebury (Scharstein and others 2014), ETH3D -------------------------------------------- */

sv_status calibration_read_middlebury(const calibration_values *files, int count, int width, int height, sv_rig *rig,
                                      sv_error *error) {
    (void)count, (void)width, (void)height;
    const calibration_values *file = &files[0];
    sv_camera *left = &rig->cameras[0], *right = &rig->cameras[1];
    double baseline, doffs;
    sv_status status = calibration_take_matrix(file, "cam0", left, error);
    if (status == SV_OK) status = calibration_take_matrix(file, "cam1", right, error);
    if (status == SV_OK) status = calibration_take_size(file, "width", "height", left, error);
    if (status == SV_OK) status = calibration_exactly(file, "baseline", 1, &baseline, error);
    if (status != SV_OK) return status;
    if (left->fx != right->fx || left->fy != right->fy || left->cy != right->cy)
        return sv_fail(error, SV_FAILED,
                       "%s: 'cam0' and 'cam1' differ in focal length or cy, so they have no common rows", file->path);
    if (calibration_text(file, "doffs")) {
        status = calibration_exactly(file, "doffs", 1, &doffs, error);
        if (status != SV_OK) return status;
        if (fabs(doffs - (right->cx - left->cx)) > 0.01)
            sv_log(SV_LOG_WARNING, "%s: 'doffs' is %g, but 'cam0' and 'cam1' give %g, which is used", file->path, doffs,
                   right->cx - left->cx);
    }
    set_size(rig, left);
    for (int i = 0; i < 3; i++) rig->rotation[i][i] = 1;
    rig->translation[0] = -baseline / 1000; /* millimetres */
    rig->rectified = rig->metric = true;
    return calibration_check_translation(file, "baseline", rig, error);
}

/* ---- ZED -------------------------------------------------------------------------------------- */

typedef struct zed_mode {
    const char *name;
    sv_camera size;
} zed_mode;

static const zed_mode zed_modes[] = {
    {"2K", {.width = 2208, .height = 1242}},  {"FHD1200", {.width = 1920, .height = 1200}},
    {"FHD", {.width = 1920, .height = 1080}}, {"HD", {.width = 1280, .height = 720}},
    {"SVGA", {.width = 960, .height = 600}},  {"VGA", {.width = 672, .height = 376}},
};
enum { ZED_MODES = sizeof zed_modes / sizeof *zed_modes };

/* The section for pictures of that size or, if there is none, of that aspect ratio. */
static sv_status choose_mode(const calibration_values *file, int width, int height, const zed_mode **mode,
                             sv_error *error) {
    double best = 1;
    char key[CALIBRATION_KEY_BYTES], known[128] = "";
    *mode = NULL;
    for (int i = 0; i < ZED_MODES; i++) {
        const zed_mode *m = &zed_modes[i];
        snprintf(key, sizeof key, "LEFT_CAM_%s.fx", m->name);
        if (!calibration_text(file, key)) continue;
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%dx%d", length ? ", " : "", m->size.width, m->size.height);
        const double far = unlikeness(&m->size, width, height);
        if (!(far < best)) continue;
        best = far;
        *mode = m;
    }
    if (*mode) return SV_OK;
    return sv_fail(error, SV_FAILED, "%s has no section [LEFT_CAM_...] for pictures of %dx%d; it has %s", file->path,
                   width, height, *known ? known : "none");
}

/* A number that older files lack. */
static sv_status take_optional(const calibration_values *file, const char *key, double *number, sv_error *error) {
    *number = 0;
    return calibration_text(file, key) ? calibration_exactly(file, key, 1, number, error) : SV_OK;
}

static sv_status take_zed_camera(const calibration_values *file, const char *side, const char *mode, sv_camera *camera,
                                 sv_error *error) {
    static const char *const intrinsics[4] = {"fx", "fy", "cx", "cy"};
    static const char *const distortion[8] = {"k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"}; /* as in sv_lens */
    char key[CALIBRATION_KEY_BYTES];
    double numbers[4];
    for (int i = 0; i < 4; i++) {
        snprintf(key, sizeof key, "%s_CAM_%s.%s", side, mode, intrinsics[i]);
        const sv_status status = calibration_exactly(file, key, 1, &numbers[i], error);
        if (status != SV_OK) return status;
    }
    for (int i = 0; i < 8; i++) {
        snprintf(key, sizeof key, "%s_CAM_%s.%s", side, mode, distortion[i]);
        const sv_status status = i < 2 ? calibration_exactly(file, key, 1, &camera->coefficients[i], error)
                                       : take_optional(file, key, &camera->coefficients[i], error);
        if (status != SV_OK) return status;
    }
    snprintf(key, sizeof key, "%s_CAM_%s", side, mode);
    return calibration_take_intrinsics(file, key, numbers, camera, error);
}

/* The rotation is from the left camera's frame to the right one's, about x (RX), y (CV, for convergence) and z (RZ).
 * The translation, in millimetres, is the position of the right camera. */
sv_status calibration_read_zed(const calibration_values *files, int count, int width, int height, sv_rig *rig,
                               sv_error *error) {
    (void)count;
    static const char *const turns[3] = {"RX", "CV", "RZ"}, *const shifts[3] = {"Baseline", "TY", "TZ"};
    const calibration_values *file = &files[0];
    const zed_mode *mode;
    char key[CALIBRATION_KEY_BYTES];
    double vector[3];
    sv_status status = choose_mode(file, width, height, &mode, error);
    if (status == SV_OK) status = take_zed_camera(file, "LEFT", mode->name, &rig->cameras[0], error);
    if (status == SV_OK) status = take_zed_camera(file, "RIGHT", mode->name, &rig->cameras[1], error);
    for (int i = 0; i < 3 && status == SV_OK; i++) {
        snprintf(key, sizeof key, "STEREO.%s_%s", turns[i], mode->name);
        status = calibration_exactly(file, key, 1, &vector[i], error);
        if (status == SV_OK && fabs(vector[i]) > 4)
            status = sv_fail(error, SV_FAILED, "%s: '%s' is %g radians, which is not a plausible rotation", file->path,
                             key, vector[i]);
    }
    if (status != SV_OK) return status;
    rotation_about(vector, vector_length(vector), rig->rotation);
    status = calibration_exactly(file, "STEREO.Baseline", 1, &vector[0], error);
    for (int i = 1; i < 3 && status == SV_OK; i++) {
        snprintf(key, sizeof key, "STEREO.%s_%s", shifts[i], mode->name);
        if (!calibration_text(file, key)) snprintf(key, sizeof key, "STEREO.%s", shifts[i]);
        status = take_optional(file, key, &vector[i], error);
    }
    if (status != SV_OK) return status;
    for (int i = 0; i < 3; i++) rig->translation[i] = -vector[i] / 1000;
    set_size(rig, &mode->size);
    rig->metric = true;
    return calibration_check_translation(file, "STEREO.Baseline", rig, error);
}
