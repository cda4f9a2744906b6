/* Calibration files of a stereo rig, in the formats that people have. */
#ifndef CAPTURE_CALIBRATION_H
#define CAPTURE_CALIBRATION_H

#include "stereo/rig.h"

/* Reads what `files` says: one file, or two separated by a comma (left and right camera, or intrinsics and
 * extrinsics in either order). The format is recognised by what is in them:
 *
 *   OpenCV FileStorage, YAML or XML   camera matrices, distortion, R, T (and R1 R2 P1 P2), under the usual names
 *   ROS camera_info, two files        plumb_bob, rational_polynomial, equidistant
 *   Kalibr camchain                   pinhole with radtan or equidistant
 *   EuRoC / ASL sensor.yaml, two      pinhole with radtan
 *   KITTI calib_cam_to_cam.txt        cameras 00 and 01 if the name says nothing else
 *   KITTI P0..P3                      rectified pictures
 *   Middlebury, ETH3D calib.txt       rectified pictures
 *   ZED .conf                         the section that fits the pictures' size
 *
 * `width`, `height`: of the pictures that will be rectified, pixels; some files hold several sizes. SV_FAILED with the
 * file and the key for what is missing, out of range or not a number; what is merely implausible is a warning in the
 * log. `format` gets the format's name, for messages; NULL is fine. */
sv_status calibration_read(const char *files, int width, int height, sv_rig *rig, const char **format, sv_error *error);

#endif
