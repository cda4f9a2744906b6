/* Writes a frame's disparity map to a file. */
#ifndef APP_EXPORT_H
#define APP_EXPORT_H

#include "stereo/stereo.h"

struct colour_settings;  /* render/colour.h */
struct sv_rectification; /* stereo/rig.h */

/* The kind of file is seen from the pattern's ending:
 *   .pfm        float32 pixels, little endian, bottom row first, +INFINITY where there is none (Middlebury)
 *   .color.png  8-bit RGB, the false colours of the window
 *   .png        16-bit grey, round(256 d), 0 where there is none (KITTI)
 *   .depth.pfm  float32 metres, otherwise as .pfm
 *   .depth.png  16-bit grey, millimetres, 0 where there is none
 * SV_USAGE if the ending is none of these or the pattern is none, see file_check_pattern. */
sv_status export_check(const char *pattern, sv_error *error);

/* True if the pattern, which export_check accepts, is for depth: export_depth then takes it, else export_map. */
bool export_is_depth(const char *pattern);

/* Writes the map of a frame; the file appears whole or not at all.
 * disparity: SV_FLOAT32, reason: SV_REASON8, both in host memory and of one size; colours: for .color.png.
 * unfit: a running count, kept by the caller from 0, of the disparities that a KITTI PNG cannot hold (those that round
 * to 0 or less or to more than 65535) and that became "none"; the first time it leaves 0, the log says so once. */
sv_status export_map(const char *pattern, int64_t frame, const sv_image *disparity, const sv_image *reason,
                     const struct colour_settings *colours, int64_t *unfit, sv_error *error);

/* Writes the depth of a disparity map (SV_FLOAT32, in host memory), as export_map. `rectification` is metric. unfit: as
 * above, of the depths beyond 65.535 metres, or before 1 mm, that a .depth.png cannot hold. */
sv_status export_depth(const char *pattern, int64_t frame, const sv_image *disparity,
                       const struct sv_rectification *rectification, int64_t *unfit, sv_error *error);

/* Writes a SV_COLOUR8 picture in host memory as an 8-bit RGB PNG. */
sv_status export_colour_png(const char *path, const sv_image *rgba, sv_error *error);

#endif
