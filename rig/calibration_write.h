/* Writes calibration files that calibration_read, OpenCV and ROS read. */
#ifndef RIG_CALIBRATION_WRITE_H
#define RIG_CALIBRATION_WRITE_H

#include "stereo/rig.h"

#include <stdio.h>

/* Writes a rig that is not rectified, with the rectification that sv_rectify computes for it at alpha 0.
 * calibration_write_opencv writes both cameras in OpenCV's YAML, calibration_write_ros one of them (0: left) as ROS's
 * camera_info, from which the pose follows, too. `note`: one line about its origin, a comment in the file. The caller
 * checks whether the stream accepted everything.
 * Errors: SV_FAILED if the rig cannot be rectified.
 * Thread: any. */
sv_status calibration_write_opencv(FILE *to, const sv_rig *rig, const char *note, sv_error *error);
sv_status calibration_write_ros(FILE *to, const sv_rig *rig, int side, const char *note, sv_error *error);

#endif
