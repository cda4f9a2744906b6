/* Reads the true disparity map of a frame. */
#ifndef APP_TRUTH_H
#define APP_TRUTH_H

#include "stereo/stereo.h"

/* Reads PFM (either byte order; of three channels the first) or a KITTI PNG (16 bit grey, d * 256, 0 where
 * unknown); the kind is seen from the content. `pattern` takes the frame number as file_name says.
 * truth: SV_FLOAT32, dense, +INFINITY where unknown; free(truth->data) when done.
 * SV_FAILED names the file and what is wrong with it. */
sv_status truth_read(const char *pattern, int64_t frame, sv_image *truth, sv_error *error);

#endif
