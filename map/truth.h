/* Reads the ground truth of a frame. */
#ifndef MAP_TRUTH_H
#define MAP_TRUTH_H

#include "stereo/stereo.h"

/* Reads PFM (either byte order; the first of three channels) or PNG: disparities times `scale`, 0 where unknown, in 8
 * or 16 bit grey, or three equal 8-bit channels. A scale of 0 selects KITTI's PNG, 16 bit and 256 per pixel; any other
 * one refuses a PFM, whose values are pixels. `pattern`: as in file_name. truth: SV_FLOAT32, dense, +INFINITY where
 * unknown.
 * Errors: SV_FAILED, with the file and its problem.
 * Lifetime: the caller calls free(truth->data). */
sv_status truth_read(const char *pattern, int64_t frame, double scale, sv_image *truth, sv_error *error);

/* Refuses the truth of that frame if its size is not that of the disparity map.
 * Errors: SV_FAILED, with the file and both sizes. */
sv_status truth_check(const char *pattern, int64_t frame, const sv_image *disparity, const sv_image *truth,
                      sv_error *error);

#endif
