/* Point clouds as PLY files. */
#ifndef MAP_PLY_H
#define MAP_PLY_H

#include "stereo/rig.h"

/* Writes a point for each pixel with a disparity that is not infinitely far away, row by row, as a binary little-endian
 * PLY: x, y, z float32, in the rectified left camera's frame (map/space.h), red, green, blue uint8, and, unless
 * `confidence` is without data, confidence uint8. The unit, metres or baselines, and what had to be assumed are in the
 * header's comments. The file appears complete or not at all. disparity: SV_FLOAT32. confidence: SV_GREY8. left: the
 * picture as the camera took it, SV_COLOUR8 or SV_GREY8, of the same size. rectification: NULL or empty without a
 * calibration. Errors: SV_FAILED, with the path, if the file cannot be written. */
sv_status ply_write(const char *path, const sv_image *disparity, const sv_image *confidence, const sv_image *left,
                    const sv_rectification *rectification, sv_error *error);

#endif
