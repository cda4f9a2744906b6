/* The calibration files of robotics: ROS's camera_info, Kalibr's camchain, ASL's sensor.yaml (EuRoC). Lengths are in
 * metres. */
#include "rig/calibration_parts.h"

#include "rig/rotation.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The lens model that the file names. */
static sv_status take_lens(const calibration_values *values, const char *key, sv_lens *lens, sv_error *error) {
    static const struct {
        const char *name;
        sv_lens lens;
    } names[] = {
        {"plumb_bob", SV_LENS_POLYNOMIAL},    {"rational_polynomial", SV_LENS_POLYNOMIAL},
        {"radtan", SV_LENS_POLYNOMIAL},       {"radial-tangential", SV_LENS_POLYNOMIAL},
        {"none", SV_LENS_POLYNOMIAL},         {"", SV_LENS_POLYNOMIAL},
        {"equidistant", SV_LENS_EQUIDISTANT}, {"equi", SV_LENS_EQUIDISTANT},
        {"fisheye", SV_LENS_EQUIDISTANT},
    };
    const char *text = calibration_text(values, key);
    if (!text) return sv_fail(error, SV_FAILED, "%s has no '%s'", values->path, key);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(text, names[i].name)) {
            *lens = names[i].lens;
            return SV_OK;
        }
    return sv_fail(error, SV_FAILED,
                   "%s: '%s' is '%.40s'; supported are plumb_bob or radtan, rational_polynomial and "
                   "equidistant",
                   values->path, key, text);
}

/* For Kalibr and ASL: omnidirectional cameras have other intrinsics. */
static sv_status take_model(const calibration_values *values, const char *key, sv_error *error) {
    const char *text = calibration_text(values, key);
    if (!text) return sv_fail(error, SV_FAILED, "%s has no '%s'", values->path, key);
    if (!strcasecmp(text, "pinhole")) return SV_OK;
    return sv_fail(error, SV_FAILED, "%s: '%s' is '%.40s'; only pinhole is supported", values->path, key, text);
}

/* camera_model, intrinsics, distortion and resolution, in the form of Kalibr and ASL. */
static sv_status take_camera(const calibration_values *values, const char *prefix, const char *distortion,
                             sv_camera *camera, sv_error *error) {
    char key[CALIBRATION_KEY_BYTES];
    double numbers[4];
    sv_lens lens;
    snprintf(key, sizeof key, "%scamera_model", prefix);
    sv_status status = take_model(values, key, error);
    snprintf(key, sizeof key, "%sintrinsics", prefix);
    if (status == SV_OK) status = calibration_exactly(values, key, 4, numbers, error);
    if (status == SV_OK) status = calibration_take_intrinsics(values, key, numbers, camera, error);
    snprintf(key, sizeof key, "%sdistortion_model", prefix);
    if (status == SV_OK) status = take_lens(values, key, &lens, error);
    snprintf(key, sizeof key, "%s%s", prefix, distortion);
    if (status == SV_OK) status = calibration_take_distortion(values, key, lens, camera, error);
    snprintf(key, sizeof key, "%sresolution", prefix);
    if (status == SV_OK) status = calibration_take_size(values, key, NULL, camera, error);
    return status;
}

/* ---- ROS -------------------------------------------------------------------------------------- */

/* The key that the file uses: the name in a calibration file, or the letter in a message. */
static const char *either(const calibration_values *values, const char *prefix, const char *name, const char *letter,
                          char key[CALIBRATION_KEY_BYTES]) {
    snprintf(key, CALIBRATION_KEY_BYTES, "%s%s", prefix, letter);
    if (!calibration_text(values, key)) snprintf(key, CALIBRATION_KEY_BYTES, "%s%s", prefix, name);
    return key;
}

sv_status calibration_take_camera_info(const calibration_values *const files[2], const char *const prefixes[2],
                                       sv_rig *rig, sv_error *error) {
    double rotations[2][3][3];
    char projections[2][CALIBRATION_KEY_BYTES];
    sv_status status = SV_OK;
    for (int side = 0; side < 2 && status == SV_OK; side++) {
        const calibration_values *file = files[side];
        const char *prefix = prefixes[side];
        sv_camera *camera = &rig->cameras[side];
        sv_lens lens = SV_LENS_POLYNOMIAL;
        char key[CALIBRATION_KEY_BYTES], height[CALIBRATION_KEY_BYTES];
        double numbers[9];
        status = calibration_take_matrix(file, either(file, prefix, "camera_matrix", "K", key), camera, error);
        snprintf(key, sizeof key, "%sdistortion_model", prefix);
        if (status == SV_OK && calibration_text(file, key)) status = take_lens(file, key, &lens, error);
        either(file, prefix, "distortion_coefficients", "D", key);
        if (status == SV_OK) status = calibration_take_distortion(file, key, lens, camera, error);
        either(file, prefix, "rectification_matrix", "R", key);
        if (status == SV_OK) status = calibration_exactly(file, key, 9, numbers, error);
        if (status == SV_OK) status = calibration_take_rotation(file, key, numbers, rotations[side], error);
        either(file, prefix, "projection_matrix", "P", projections[side]);
        either(file, prefix, "image_width", "width", key);
        either(file, prefix, "image_height", "height", height);
        if (status == SV_OK && calibration_text(file, key))
            status = calibration_take_size(file, key, height, camera, error);
    }
    if (status != SV_OK) return status;
    return calibration_take_projections(files, (const char *const[]){projections[0], projections[1]}, rotations, rig,
                                        error);
}

sv_status calibration_read_camera_info(const calibration_values *files, int count, int width, int height, sv_rig *rig,
                                       sv_error *error) {
    (void)count, (void)width, (void)height;
    /* OpenCV's files may have the same keys, but do not name the lens model, and have no unit. */
    rig->metric = calibration_text(&files[0], "distortion_model");
    const sv_status status = calibration_take_camera_info((const calibration_values *const[]){&files[0], &files[1]},
                                                          (const char *const[]){"", ""}, rig, error);
    return status == SV_OK ? calibration_take_rows(&files[1], rig, error) : status;
}

/* ---- Kalibr ----------------------------------------------------------------------------------- */

sv_status calibration_read_kalibr(const calibration_values *files, int count, int width, int height, sv_rig *rig,
                                  sv_error *error) {
    (void)count, (void)width, (void)height;
    const calibration_values *file = &files[0];
    sv_status status = take_camera(file, "cam0.", "distortion_coeffs", &rig->cameras[0], error);
    if (status == SV_OK) status = take_camera(file, "cam1.", "distortion_coeffs", &rig->cameras[1], error);
    if (status != SV_OK) return status;
    rig->metric = true;
    const char *key = "cam1.T_cn_cnm1"; /* from the frame of camera n - 1 to that of camera n */
    calibration_pose poses[2] = {{.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    if (!calibration_text(file, key) && calibration_text(file, "cam1.T_cam_imu")) {
        key = "cam1.T_cam_imu";
        status = calibration_take_pose(file, "cam0.T_cam_imu", &poses[0], error);
    }
    if (status == SV_OK) status = calibration_take_pose(file, key, &poses[1], error);
    if (status != SV_OK) return status;
    calibration_set_poses(rig, poses);
    return calibration_check_translation(file, key, rig, error);
}

/* ---- ASL -------------------------------------------------------------------------------------- */

sv_status calibration_read_asl(const calibration_values *files, int count, int width, int height, sv_rig *rig,
                               sv_error *error) {
    (void)count, (void)width, (void)height;
    calibration_pose poses[2];
    for (int side = 0; side < 2; side++) {
        calibration_pose sensor; /* from the sensor's frame to the body's */
        sv_status status = take_camera(&files[side], "", "distortion_coefficients", &rig->cameras[side], error);
        if (status == SV_OK) status = calibration_take_pose(&files[side], "T_BS", &sensor, error);
        if (status != SV_OK) return status;
        double moved[3];
        rotation_apply_transposed(sensor.rotation, sensor.translation, moved);
        for (int i = 0; i < 3; i++) {
            poses[side].translation[i] = -moved[i];
            for (int j = 0; j < 3; j++) poses[side].rotation[i][j] = sensor.rotation[j][i];
        }
    }
    rig->metric = true;
    calibration_set_poses(rig, poses);
    return calibration_check_translation(&files[1], "T_BS", rig, error);
}
