/* Reads the true disparity map of a frame. */
#ifndef APP_TRUTH_H
#define APP_TRUTH_H

#include "stereo/stereo.h"

/* Reads PFM (either byte order; of three channels the first) or PNG: disparities times `scale`, 0 where unknown, in 8
 * or 16 bit grey, or three equal channels of 8 bit. A scale of 0 stands for KITTI's PNG, 16 bit and 256 a pixel; with
 * another one a PFM is refused, as its values are pixels. The kind is seen from the content. `pattern` takes the frame
 * number as file_name says. truth: SV_FLOAT32, dense, +INFINITY where unknown; free(truth->data) when done. SV_FAILED
 * names the file and what is wrong with it. */
sv_status truth_read(const char *pattern, int64_t frame, double scale, sv_image *truth, sv_error *error);

#endif
