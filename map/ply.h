/* Point clouds as PLY files. */
#ifndef MAP_PLY_H
#define MAP_PLY_H

#include "stereo/rig.h"

/* Writes a point for each pixel with a finite depth, row by row, as a binary little-endian PLY: x, y, z float32, in the
 * rectified left camera's frame (map/space.h), red, green, blue uint8, and, if `confidence` has data, confidence uint8.
 * The header's comments have the unit, metres or baselines, and what was assumed. disparity: SV_FLOAT32. confidence:
 * SV_GREY8. left: the picture as the camera took it, SV_COLOUR8 or SV_GREY8, of the same size. rectification: NULL or
 * empty without a calibration.
 * Errors: SV_FAILED, with the path, if the file cannot be written. */
sv_status ply_write(const char *path, const sv_image *disparity, const sv_image *confidence, const sv_image *left,
                    const sv_rectification *rectification, sv_error *error);

#endif
