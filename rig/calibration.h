/* Calibration files of a stereo rig, in the formats that people have. */
#ifndef RIG_CALIBRATION_H
#define RIG_CALIBRATION_H

#include "stereo/rig.h"

/* Reads what `files` says: one file, or two separated by a comma (left and right camera, or intrinsics and
 * extrinsics in either order). The format is recognised by what is in them:
 *
 *   OpenCV FileStorage, YAML or XML   camera matrices, distortion, R, T (and R1 R2 P1 P2), under the usual names; or
 *                                     K D R P of each side; in the unit of the board's squares
 *   ROS camera_info, two files        plumb_bob, rational_polynomial, equidistant
 *   Kalibr camchain                   pinhole with radtan or equidistant; its cameras 0 and 1
 *   EuRoC / ASL sensor.yaml, two      the same models
 *   KITTI calib_cam_to_cam.txt        for pictures as they were taken or rectified, whichever the size fits; cameras 00
 *                                     and 01, or 02 and 03 if it has no 00
 *   KITTI P0..P3                      rectified pictures; P0 and P1, or P2 and P3 if those are all
 *   Karlsruhe calib.txt               as taken, or rectified and cut to its roi, whichever the size fits
 *   Middlebury, ETH3D calib.txt       rectified pictures
 *   ZED .conf                         the section that fits the pictures' size
 *
 * `width`, `height`: of the pictures that will be rectified, pixels; some files hold several sizes. SV_FAILED with the
 * file and the key for what is missing, out of range or not a number; what is merely implausible is a warning in the
 * log. `format` gets the format's name, for messages; NULL is fine. */
sv_status calibration_read(const char *files, int width, int height, sv_rig *rig, const char **format, sv_error *error);

#endif
