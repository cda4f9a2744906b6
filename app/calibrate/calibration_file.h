/* Writes calibration files by the names that --save-calibration gives. */
#ifndef APP_CALIBRATE_CALIBRATION_FILE_H
#define APP_CALIBRATE_CALIBRATION_FILE_H

#include "app/options/rig_options.h"
#include "stereo/rig.h"

/* Writes the rig: one name is OpenCV's YAML, two separated by a comma are ROS's camera_info of the left and the right
 * camera. `what` was done to find the rig: "calibrated with 9x6:25mm, 13 views".
 * Errors: SV_FAILED, with the file; no file is left incomplete.
 * Thread: any. */
sv_status calibration_file_write(const char *files, const sv_rig *rig, const char *what, sv_error *error);

/* The same for all that --save-calibration names or, without it, for a new file stereoview_rig.yaml or
 * stereoview_rig_2.yaml and so on. Logs what was written; `saved`, unless it is NULL, receives the first name. */
sv_status calibration_file_save(const rig_options *options, const sv_rig *rig, const char *what, char *saved,
                                size_t size, sv_error *error);

#endif
