/* Writes the disparity maps of frames to files. */
#ifndef MAP_EXPORT_H
#define MAP_EXPORT_H

#include "map/colour.h"
#include "stereo/rig.h"

/* Checks the pattern. Its ending selects the format:
 *   .pfm        float32 pixels, little endian, bottom row first, +INFINITY for none (Middlebury)
 *   .color.png  8-bit RGB, the false colours of the window
 *   .png        16-bit grey, round(256 d), 0 for none (KITTI)
 *   .confidence.png  8-bit grey, how sure each match is, 0 where there is none (sv_output)
 *   .depth.pfm  float32 metres, otherwise as .pfm
 *   .depth.png  16-bit grey, millimetres, 0 for none
 *   .ply        points in colour, see map/ply.h
 *   .mkv        one video of all frames: FFV1, 16-bit grey, the values of .png
 *   .mp4        one video of all frames: H.264, the false colours
 * Errors: SV_USAGE for another ending, for a number in the name of a video, or if file_check_pattern refuses it. */
sv_status export_check(const char *pattern, sv_error *error);

/* True if a pattern that export_check accepts is for depth, which export_depth writes; for the confidence, which
 * export_confidence writes; for points; for one video of all frames; or for such a video in colour. All other patterns
 * are those of export_map. */
bool export_is_depth(const char *pattern);
bool export_is_confidence(const char *pattern);
bool export_is_cloud(const char *pattern);
bool export_is_video(const char *pattern);
bool export_is_colour_video(const char *pattern);

/* Writes the map of a frame; the file appears complete or not at all. disparity: SV_FLOAT32, reason: SV_REASON8, both
 * in host memory and of one size; colours: for .color.png. unfit: the caller's running count, from 0, of the
 * disparities that a KITTI PNG cannot hold (they round to 0 or less or to more than 65535) and that were written as 0;
 * several threads may share it. The log reports the first ones.
 * Errors: SV_FAILED, with the path, if the file cannot be written. */
sv_status export_map(const char *pattern, int64_t frame, const sv_image *disparity, const sv_image *reason,
                     const colour_settings *colours, int64_t *unfit, sv_error *error);

/* Writes the depth of a disparity map (SV_FLOAT32, in host memory). `rectification` is metric. unfit: as above, for
 * depths beyond 65.535 metres or below 1 mm, which a .depth.png cannot hold.
 * Errors: as export_map. */
sv_status export_depth(const char *pattern, int64_t frame, const sv_image *disparity,
                       const sv_rectification *rectification, int64_t *unfit, sv_error *error);

/* Writes a confidence map (SV_GREY8, in host memory).
 * Errors: as export_map. */
sv_status export_confidence(const char *pattern, int64_t frame, const sv_image *confidence, sv_error *error);

/* Writes what a KITTI PNG holds to `values`: height x width, dense. `path`: for the warning. unfit: as above. */
void export_kitti_values(const char *path, const sv_image *disparity, uint16_t *values, int64_t *unfit);

/* Writes a picture in host memory as an 8-bit PNG: SV_COLOUR8 as RGB, SV_GREY8 as grey. about: a text entry
 * ("Description"), UTF-8; NULL for none.
 * Errors: as export_map. */
sv_status export_picture_png(const char *path, const sv_image *picture, const char *about, sv_error *error);

#endif
