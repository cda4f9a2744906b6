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

/* For raw pictures. R and T are from the frame of camera 00. */
static bool read_kitti_raw(const calibration_values *file, const char *const cameras[2], sv_rig *rig) {
    calibration_pose poses[2];
    char key[CALIBRATION_KEY_BYTES];
    for (int side = 0; side < 2; side++) {
        sv_camera *camera = &rig->cameras[side];
        double numbers[9];
        const char *name = cameras[side];
        if (!calibration_take_matrix(file, calibration_key(key, "K_%s", name), camera) ||
            !calibration_take_distortion(file, calibration_key(key, "D_%s", name), SV_LENS_POLYNOMIAL, camera) ||
            !calibration_take_size(file, calibration_key(key, "S_%s", name), NULL, camera) ||
            !calibration_exactly(file, calibration_key(key, "R_%s", name), 9, numbers) ||
            !calibration_take_rotation(file, key, numbers, poses[side].rotation) ||
            !calibration_exactly(file, calibration_key(key, "T_%s", name), 3, poses[side].translation))
            return false;
    }
    calibration_set_poses(rig, poses);
    return calibration_check_translation(file, key, rig);
}

bool calibration_read_kitti(const calibration_values *files, int count, int width, int height, sv_rig *rig) {
    (void)count;
    const calibration_values *file = &files[0];
    char keys[2][CALIBRATION_KEY_BYTES], key[CALIBRATION_KEY_BYTES];
    const char *const *cameras = pairs[!calibration_text(file, "P_rect_00")];
    rig->metric = true;

    sv_camera rectified = {0}, raw = {0};
    if (!calibration_take_size(file, calibration_key(key, "S_rect_%s", cameras[0]), NULL, &rectified)) return false;
    if (calibration_text(file, calibration_key(key, "S_%s", cameras[0]))) {
        if (!calibration_take_size(file, key, NULL, &raw)) return false;
        if (unlikeness(&raw, width, height) < unlikeness(&rectified, width, height))
            return read_kitti_raw(file, cameras, rig);
    }
    set_size(rig, &rectified);
    for (int side = 0; side < 2; side++) calibration_key(keys[side], "P_rect_%s", cameras[side]);
    return calibration_take_projections((const calibration_values *const[]){file, file},
                                        (const char *const[]){keys[0], keys[1]}, NULL, rig);
}

bool calibration_read_projections(const calibration_values *files, int count, int width, int height, sv_rig *rig) {
    (void)count, (void)width, (void)height;
    static const char *const keys[2][2] = {{"P0", "P1"}, {"P2", "P3"}};
    const bool grey = calibration_text(&files[0], "P0") && calibration_text(&files[0], "P1");
    rig->metric = true;
    return calibration_take_projections((const calibration_values *const[]){&files[0], &files[0]}, keys[!grey], NULL,
                                        rig);
}

/* ---- Karlsruhe (Geiger, Roser and Urtasun 2010) ----------------------------------------------- */

/* OpenCV's names, and the roi that the published pictures were cropped to: first and last column, first and last row.
 */
bool calibration_read_karlsruhe(const calibration_values *files, int count, int width, int height, sv_rig *rig) {
    double roi[4];
    if (!calibration_exactly(&files[0], "roi", 4, roi)) return false;
    rig->metric = true;
    if (roi[1] - roi[0] + 1 == width && roi[3] - roi[2] + 1 == height) {
        set_size(rig, &(sv_camera){.width = width, .height = height});
        return calibration_take_projections((const calibration_values *const[]){&files[0], &files[0]},
                                            (const char *const[]){"P1_roi", "P2_roi"}, NULL, rig);
    }
    if (width > roi[1] && height > roi[3]) return calibration_read_opencv(files, count, width, height, rig);
    return calibration_fail(
        &files[0],
        " is for pictures of %g x %g pixels ('roi'), or for those from which they were cut; these are "
        "%d x %d",
        roi[1] - roi[0] + 1, roi[3] - roi[2] + 1, width, height);
}

/* ---- Middlebury (Scharstein and others 2014), ETH3D -------------------------------------------- */

bool calibration_read_middlebury(const calibration_values *files, int count, int width, int height, sv_rig *rig) {
    (void)count, (void)width, (void)height;
    const calibration_values *file = &files[0];
    sv_camera *left = &rig->cameras[0], *right = &rig->cameras[1];
    double baseline, doffs;
    if (!calibration_take_matrix(file, "cam0", left) || !calibration_take_matrix(file, "cam1", right) ||
        !calibration_take_size(file, "width", "height", left) || !calibration_exactly(file, "baseline", 1, &baseline))
        return false;
    if (left->fx != right->fx || left->fy != right->fy || left->cy != right->cy)
        return calibration_fail(file, ": 'cam0' and 'cam1' differ in focal length or cy, so they have no common rows");
    if (calibration_text(file, "doffs")) {
        if (!calibration_exactly(file, "doffs", 1, &doffs)) return false;
        if (fabs(doffs - (right->cx - left->cx)) > 0.01)
            sv_log(SV_LOG_WARNING, "%s: 'doffs' is %g, but 'cam0' and 'cam1' give %g, which is used", file->path, doffs,
                   right->cx - left->cx);
    }
    set_size(rig, left);
    for (int i = 0; i < 3; i++) rig->rotation[i][i] = 1;
    rig->translation[0] = -baseline / 1000; /* millimetres */
    rig->rectified = rig->metric = true;
    return calibration_check_translation(file, "baseline", rig);
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
static bool choose_mode(const calibration_values *file, int width, int height, const zed_mode **mode) {
    double best = 1;
    char key[CALIBRATION_KEY_BYTES], known[128] = "";
    *mode = NULL;
    for (int i = 0; i < ZED_MODES; i++) {
        const zed_mode *m = &zed_modes[i];
        if (!calibration_text(file, calibration_key(key, "LEFT_CAM_%s.fx", m->name))) continue;
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%dx%d", length ? ", " : "", m->size.width, m->size.height);
        const double far = unlikeness(&m->size, width, height);
        if (!(far < best)) continue;
        best = far;
        *mode = m;
    }
    if (*mode) return true;
    return calibration_fail(file, " has no section [LEFT_CAM_...] for pictures of %dx%d; it has %s", width, height,
                            *known ? known : "none");
}

/* A number that older files lack. */
static bool take_optional(const calibration_values *file, const char *key, double *number) {
    *number = 0;
    return !calibration_text(file, key) || calibration_exactly(file, key, 1, number);
}

static bool take_zed_camera(const calibration_values *file, const char *side, const char *mode, sv_camera *camera) {
    static const char *const intrinsics[4] = {"fx", "fy", "cx", "cy"};
    static const char *const distortion[8] = {"k1", "k2", "p1", "p2", "k3", "k4", "k5", "k6"}; /* as in sv_lens */
    char key[CALIBRATION_KEY_BYTES];
    double numbers[4];
    for (int i = 0; i < 4; i++) {
        calibration_key(key, "%s_CAM_%s.%s", side, mode, intrinsics[i]);
        if (!calibration_exactly(file, key, 1, &numbers[i])) return false;
    }
    for (int i = 0; i < 8; i++) {
        calibration_key(key, "%s_CAM_%s.%s", side, mode, distortion[i]);
        if ((i < 2 && !calibration_need(file, key)) || !take_optional(file, key, &camera->coefficients[i]))
            return false;
    }
    return calibration_take_intrinsics(file, calibration_key(key, "%s_CAM_%s", side, mode), numbers, camera);
}

/* The rotation is from the left camera's frame to the right one's, about x (RX), y (CV, for convergence) and z (RZ).
 * The translation, in millimetres, is the position of the right camera. */
bool calibration_read_zed(const calibration_values *files, int count, int width, int height, sv_rig *rig) {
    (void)count;
    static const char *const turns[3] = {"RX", "CV", "RZ"}, *const shifts[3] = {"Baseline", "TY", "TZ"};
    const calibration_values *file = &files[0];
    const zed_mode *mode;
    char key[CALIBRATION_KEY_BYTES];
    double vector[3];
    if (!choose_mode(file, width, height, &mode) || !take_zed_camera(file, "LEFT", mode->name, &rig->cameras[0]) ||
        !take_zed_camera(file, "RIGHT", mode->name, &rig->cameras[1]))
        return false;
    for (int i = 0; i < 3; i++) {
        if (!calibration_exactly(file, calibration_key(key, "STEREO.%s_%s", turns[i], mode->name), 1, &vector[i]))
            return false;
        if (fabs(vector[i]) > 4)
            return calibration_fail(file, ": '%s' is %g radians, which is not a plausible rotation", key, vector[i]);
    }
    rotation_about(vector, vector_length(vector), rig->rotation);
    if (!calibration_exactly(file, "STEREO.Baseline", 1, &vector[0])) return false;
    for (int i = 1; i < 3; i++) {
        if (!calibration_text(file, calibration_key(key, "STEREO.%s_%s", shifts[i], mode->name)))
            calibration_key(key, "STEREO.%s", shifts[i]);
        if (!take_optional(file, key, &vector[i])) return false;
    }
    for (int i = 0; i < 3; i++) rig->translation[i] = -vector[i] / 1000;
    set_size(rig, &mode->size);
    rig->metric = true;
    return calibration_check_translation(file, "STEREO.Baseline", rig);
}
