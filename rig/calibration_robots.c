/* The calibration files of robotics: ROS's camera_info, Kalibr's camchain, ASL's sensor.yaml (EuRoC). Lengths are in
 * metres. */
#include "rig/calibration_parts.h"

#include "rig/rotation.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The lens model that the file names. */
static bool take_lens(const calibration_values *values, const char *key, sv_lens *lens) {
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
    const char *text = calibration_need(values, key);
    if (!text) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(text, names[i].name)) {
            *lens = names[i].lens;
            return true;
        }
    return calibration_fail(values,
                            ": '%s' is '%.40s'; supported are plumb_bob or radtan, rational_polynomial and "
                            "equidistant",
                            key, text);
}

/* For Kalibr and ASL: omnidirectional cameras have other intrinsics. */
static bool take_model(const calibration_values *values, const char *key) {
    const char *text = calibration_need(values, key);
    return text && (!strcasecmp(text, "pinhole") ||
                    calibration_fail(values, ": '%s' is '%.40s'; only pinhole is supported", key, text));
}

/* camera_model, intrinsics, distortion and resolution, in the form of Kalibr and ASL. */
static bool take_camera(const calibration_values *values, const char *prefix, const char *distortion,
                        sv_camera *camera) {
    char key[CALIBRATION_KEY_BYTES];
    double numbers[4];
    sv_lens lens;
    return take_model(values, calibration_key(key, "%scamera_model", prefix)) &&
           calibration_exactly(values, calibration_key(key, "%sintrinsics", prefix), 4, numbers) &&
           calibration_take_intrinsics(values, key, numbers, camera) &&
           take_lens(values, calibration_key(key, "%sdistortion_model", prefix), &lens) &&
           calibration_take_distortion(values, calibration_key(key, "%s%s", prefix, distortion), lens, camera) &&
           calibration_take_size(values, calibration_key(key, "%sresolution", prefix), NULL, camera);
}

/* ---- ROS -------------------------------------------------------------------------------------- */

/* The key that the file uses: the name in a calibration file, or the letter in a message. */
static const char *either(const calibration_values *values, const char *prefix, const char *name, const char *letter,
                          char key[CALIBRATION_KEY_BYTES]) {
    if (calibration_text(values, calibration_key(key, "%s%s", prefix, letter))) return key;
    return calibration_key(key, "%s%s", prefix, name);
}

bool calibration_take_camera_info(const calibration_values *const files[2], const char *const prefixes[2],
                                  sv_rig *rig) {
    double rotations[2][3][3];
    char projections[2][CALIBRATION_KEY_BYTES];
    for (int side = 0; side < 2; side++) {
        const calibration_values *file = files[side];
        const char *prefix = prefixes[side];
        sv_camera *camera = &rig->cameras[side];
        sv_lens lens = SV_LENS_POLYNOMIAL;
        char key[CALIBRATION_KEY_BYTES], height[CALIBRATION_KEY_BYTES];
        double numbers[9];
        if (!calibration_take_matrix(file, either(file, prefix, "camera_matrix", "K", key), camera)) return false;
        calibration_key(key, "%sdistortion_model", prefix);
        if (calibration_text(file, key) && !take_lens(file, key, &lens)) return false;
        either(file, prefix, "distortion_coefficients", "D", key);
        if (!calibration_take_distortion(file, key, lens, camera)) return false;
        either(file, prefix, "rectification_matrix", "R", key);
        if (!calibration_exactly(file, key, 9, numbers) ||
            !calibration_take_rotation(file, key, numbers, rotations[side]))
            return false;
        either(file, prefix, "projection_matrix", "P", projections[side]);
        either(file, prefix, "image_width", "width", key);
        either(file, prefix, "image_height", "height", height);
        if (calibration_text(file, key) && !calibration_take_size(file, key, height, camera)) return false;
    }
    return calibration_take_projections(files, (const char *const[]){projections[0], projections[1]}, rotations, rig);
}

bool calibration_read_camera_info(const calibration_values *files, int count, int width, int height, sv_rig *rig) {
    (void)count, (void)width, (void)height;
    /* OpenCV's files may have the same keys, but do not name the lens model, and have no unit. */
    rig->metric = calibration_text(&files[0], "distortion_model");
    return calibration_take_camera_info((const calibration_values *const[]){&files[0], &files[1]},
                                        (const char *const[]){"", ""}, rig) &&
           calibration_take_rows(&files[1], rig);
}

/* ---- Kalibr ----------------------------------------------------------------------------------- */

bool calibration_read_kalibr(const calibration_values *files, int count, int width, int height, sv_rig *rig) {
    (void)count, (void)width, (void)height;
    const calibration_values *file = &files[0];
    if (!take_camera(file, "cam0.", "distortion_coeffs", &rig->cameras[0]) ||
        !take_camera(file, "cam1.", "distortion_coeffs", &rig->cameras[1]))
        return false;
    rig->metric = true;
    const char *key = "cam1.T_cn_cnm1"; /* from the frame of camera n - 1 to that of camera n */
    calibration_pose poses[2] = {{.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    if (!calibration_text(file, key) && calibration_text(file, "cam1.T_cam_imu")) {
        key = "cam1.T_cam_imu";
        if (!calibration_take_pose(file, "cam0.T_cam_imu", &poses[0])) return false;
    }
    if (!calibration_take_pose(file, key, &poses[1])) return false;
    calibration_set_poses(rig, poses);
    return calibration_check_translation(file, key, rig);
}

/* ---- ASL -------------------------------------------------------------------------------------- */

bool calibration_read_asl(const calibration_values *files, int count, int width, int height, sv_rig *rig) {
    (void)count, (void)width, (void)height;
    calibration_pose poses[2];
    for (int side = 0; side < 2; side++) {
        calibration_pose sensor; /* from the sensor's frame to the body's */
        if (!take_camera(&files[side], "", "distortion_coefficients", &rig->cameras[side]) ||
            !calibration_take_pose(&files[side], "T_BS", &sensor))
            return false;
        double moved[3];
        rotation_apply_transposed(sensor.rotation, sensor.translation, moved);
        for (int i = 0; i < 3; i++) {
            poses[side].translation[i] = -moved[i];
            for (int j = 0; j < 3; j++) poses[side].rotation[i][j] = sensor.rotation[j][i];
        }
    }
    rig->metric = true;
    calibration_set_poses(rig, poses);
    return calibration_check_translation(&files[1], "T_BS", rig);
}
