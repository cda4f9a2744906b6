/* What several formats of calibration files are made of. Each of these reads a key of a file, checks it and writes it
 * into a rig; SV_FAILED names the file and the key. The formats themselves are in calibration_opencv.c,
 * calibration_robots.c and calibration_datasets.c. */
#ifndef RIG_CALIBRATION_PARTS_H
#define RIG_CALIBRATION_PARTS_H

#include "rig/calibration_values.h"
#include "stereo/rig.h"

/* From one frame to another: a point X of the first is at rotation * X + translation of the second. */
typedef struct calibration_pose {
    double rotation[3][3], translation[3];
} calibration_pose;

/* Focal lengths and principal point, from four numbers: fx fy cx cy. `key`: where they are from. */
sv_status calibration_take_intrinsics(const calibration_values *values, const char *key, const double numbers[4],
                                      sv_camera *camera, sv_error *error);

/* The same from a matrix fx 0 cx, 0 fy cy, 0 0 1. */
sv_status calibration_take_matrix(const calibration_values *values, const char *key, sv_camera *camera,
                                  sv_error *error);

/* Coefficients of `lens`: none or 4, and for the polynomial also 5, 8, 12 or 14, of which the last two (a tilted
 * sensor) must be zeros. */
sv_status calibration_take_distortion(const calibration_values *values, const char *key, sv_lens lens,
                                      sv_camera *camera, sv_error *error);

/* Width and height of the pictures, from one key with both; or, if `height_key` is not NULL, from two. */
sv_status calibration_take_size(const calibration_values *values, const char *key, const char *height_key,
                                sv_camera *camera, sv_error *error);

/* The rotation nearest to nine numbers, which must be one but for their rounding. */
sv_status calibration_take_rotation(const calibration_values *values, const char *key, const double numbers[9],
                                    double rotation[3][3], sv_error *error);

/* A matrix of 4 x 4: rotation, translation, and 0 0 0 1. */
sv_status calibration_take_pose(const calibration_values *values, const char *key, calibration_pose *pose,
                                sv_error *error);

/* The rig's pose, given those of both cameras: from a common frame into each camera's. */
void calibration_set_poses(sv_rig *rig, calibration_pose poses[2]);

/* The translation must be one that two cameras can have. `key`: what it was made from. */
sv_status calibration_check_translation(const calibration_values *values, const char *key, const sv_rig *rig,
                                        sv_error *error);

/* From the projection matrices fx 0 cx a, 0 fy cy b, 0 0 1 c, `keys` of `values`, left and right, which must be on
 * common rows. `rotations` NULL: of pictures that are rectified already, and so of the cameras; else, with these
 * rotations, how to rectify. Either way the rig's pose follows from them. */
sv_status calibration_take_projections(const calibration_values *const values[2], const char *const keys[2],
                                       double (*rotations)[3][3], sv_rig *rig, sv_error *error);

/* ---- The formats ------------------------------------------------------------------------------ */

/* Reads `count` files, of as many as its row in calibration.c says. width, height: of the pictures that will be
 * rectified. `rig` is zeros before. */
typedef sv_status calibration_reader(const calibration_values *files, int count, int width, int height, sv_rig *rig,
                                     sv_error *error);
calibration_reader calibration_read_opencv, calibration_read_camera_info, calibration_read_kalibr, calibration_read_asl;
calibration_reader calibration_read_kitti, calibration_read_projections, calibration_read_karlsruhe;
calibration_reader calibration_read_middlebury, calibration_read_zed;

/* The file has a camera matrix, or R and T, under one of OpenCV's names. */
bool calibration_is_opencv(const calibration_values *file);

/* K D R P of both cameras, under `prefixes` ("LEFT.") in files[0] and files[1], which may be the same. */
sv_status calibration_take_camera_info(const calibration_values *const files[2], const char *const prefixes[2],
                                       sv_rig *rig, sv_error *error);

#endif
