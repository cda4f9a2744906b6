/* Reads calibration files of a stereo rig, in the common formats, and writes them in two. */
#ifndef RIG_CALIBRATION_H
#define RIG_CALIBRATION_H

#include "stereo/rig.h"

#include <stdio.h>

/* Reads `files`: one file, or two separated by a comma (left and right camera, or intrinsics and extrinsics in either
 * order). The format is recognised by the keys in the files:
 *
 *   OpenCV FileStorage, YAML or XML   camera matrices, distortion, R, T (and R1 R2 P1 P2), under the usual names; or
 *                                     K D R P of each side; in the unit of the calibration board,
 *                                     or in metres if the file has 'unit: m' (cm, mm, in); another unit is warned of
 *                                     and ignored
 *   ROS camera_info, two files        plumb_bob, rational_polynomial, equidistant
 *   Kalibr camchain                   pinhole with radtan or equidistant; cameras 0 and 1
 *   EuRoC / ASL sensor.yaml, two      the same models
 *   KITTI calib_cam_to_cam.txt       for raw or rectified pictures, whichever have the size; cameras 00 and 01,
 *                                     or 02 and 03 if there is no 00
 *   KITTI P0..P3                      rectified pictures; P0 and P1, or P2 and P3 if there are no others
 *   Karlsruhe calib.txt               raw pictures, or rectified and cropped to the roi, whichever have the size
 *   Middlebury, ETH3D calib.txt       rectified pictures
 *   ZED .conf                         the section for the size of the pictures
 *
 * `width`, `height`: of the pictures that will be rectified, pixels; some files hold several sizes. `format` receives
 * the name of the format, for messages; it may be NULL. Values that are merely implausible cause a warning in the log.
 * Errors: SV_FAILED, with the file and the key, if a value is missing, out of range or not a number.
 * Thread: any.
 * Lifetime: `format` is a static string. */
sv_status calibration_read(const char *files, int width, int height, sv_rig *rig, const char **format, sv_error *error);

/* Writes a rig that is not rectified, with the rectification that sv_rectify computes for it at alpha 0, so that
 * calibration_read, OpenCV and ROS read it (calibration_write.c): calibration_write_opencv both cameras in OpenCV's
 * YAML, calibration_write_ros one of them (0: left) as ROS's camera_info, from which the pose follows, too. `note`: one
 * line about its origin, a comment in the file. The caller checks whether the stream accepted everything.
 * Errors: SV_FAILED if the rig cannot be rectified.
 * Thread: any. */
sv_status calibration_write_opencv(FILE *to, const sv_rig *rig, const char *note, sv_error *error);
sv_status calibration_write_ros(FILE *to, const sv_rig *rig, int side, const char *note, sv_error *error);

#endif
