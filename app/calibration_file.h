/* Writes calibration files by the names that --save-calibration gives. */
#ifndef APP_CALIBRATION_FILE_H
#define APP_CALIBRATION_FILE_H

#include "app/options.h"
#include "stereo/rig.h"

/* Writes every file that --save-calibration names: one name is OpenCV's YAML, two are ROS's camera_info of the left and
 * the right camera. `what` was done to find the rig: "calibrated with 9x6:25mm, 13 views". The log says what was
 * written.
 * Errors: SV_FAILED, with the file; no file is left incomplete. */
sv_status calibration_file_save(const options *options, const sv_rig *rig, const char *what, sv_error *error);

#endif
