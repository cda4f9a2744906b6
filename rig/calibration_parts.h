/* Parts that several calibration formats share. Each of these functions reads a key of a file, checks it and stores it
 * in a rig. The formats themselves are in calibration_opencv.c, calibration_robots.c and calibration_datasets.c.
 * Errors: false, with the file and the key in the file's error.
 * Thread: any. */
#ifndef RIG_CALIBRATION_PARTS_H
#define RIG_CALIBRATION_PARTS_H

#include "rig/calibration_values.h"
#include "stereo/rig.h"

/* A transform from one frame to another: a point X of the first is at rotation * X + translation of the second. */
typedef struct calibration_pose {
    double rotation[3][3], translation[3];
} calibration_pose;

/* Focal lengths and principal point, from four numbers: fx fy cx cy. `key`: their key, for messages. */
bool calibration_take_intrinsics(const calibration_values *values, const char *key, const double numbers[4],
                                 sv_camera *camera);

/* The same from a camera matrix: fx 0 cx, 0 fy cy, 0 0 1. */
bool calibration_take_matrix(const calibration_values *values, const char *key, sv_camera *camera);

/* Coefficients of `lens`: none or 4; the polynomial may also have 5, 8, 12 or 14, the last two of which (a tilted
 * sensor) must be zero. */
bool calibration_take_distortion(const calibration_values *values, const char *key, sv_lens lens, sv_camera *camera);

/* Width and height of the pictures, from one key that holds both or, if `height_key` is not NULL, from two keys. */
bool calibration_take_size(const calibration_values *values, const char *key, const char *height_key,
                           sv_camera *camera);

/* The rotation nearest to nine numbers, which must form a rotation up to rounding. */
bool calibration_take_rotation(const calibration_values *values, const char *key, const double numbers[9],
                               double rotation[3][3]);

/* A 4 x 4 matrix of a rotation, a translation, and the row 0 0 0 1. */
bool calibration_take_pose(const calibration_values *values, const char *key, calibration_pose *pose);

/* Computes the rig's pose from the poses of both cameras, each from a common frame into the camera's. */
void calibration_set_poses(sv_rig *rig, calibration_pose poses[2]);

/* Checks that the translation is plausible for two cameras. `key`: where it comes from, for messages. */
bool calibration_check_translation(const calibration_values *values, const char *key, const sv_rig *rig);

/* Reads the projection matrices fx 0 cx a, 0 fy cy b, 0 0 1 c under the `keys` of `values`, left and right, which must
 * have common rows. With `rotations` NULL, the pictures are already rectified and the matrices are the cameras.
 * Otherwise the matrices and `rotations` define the rectification. The rig's pose follows from them in both cases. */
bool calibration_take_projections(const calibration_values *const values[2], const char *const keys[2],
                                  double (*rotations)[3][3], sv_rig *rig);

/* ---- The formats ------------------------------------------------------------------------------ */

/* Reads `count` files; the table in calibration.c has the number for each format. `width`, `height`: of the pictures
 * that will be rectified, pixels. `rig` is zero on entry. */
typedef bool calibration_reader(const calibration_values *files, int count, int width, int height, sv_rig *rig);
calibration_reader calibration_read_opencv, calibration_read_camera_info, calibration_read_kalibr, calibration_read_asl;
calibration_reader calibration_read_kitti, calibration_read_projections, calibration_read_karlsruhe;
calibration_reader calibration_read_middlebury, calibration_read_zed;

/* True if the file has a camera matrix, or R and T, under one of OpenCV's names. */
bool calibration_is_opencv(const calibration_values *file);

/* Reads K D R P of both cameras, under `prefixes` ("LEFT.") in files[0] and files[1], which may be the same. */
bool calibration_take_camera_info(const calibration_values *const files[2], const char *const prefixes[2], sv_rig *rig);

/* The row correction that our own files may have, see sv_rig.rows; it is only taken with a rectification. */
bool calibration_take_rows(const calibration_values *file, sv_rig *rig);

#endif
