/* Rectification: brings the pictures of a rig onto common rows. */
#ifndef RIG_RECTIFY_H
#define RIG_RECTIFY_H

#include "stereo/rig.h"

/* Computes the rectification for pictures of width x height. If the rig was calibrated at another size of the same
 * aspect ratio, it is scaled, which is logged.
 *
 * Without `rig->given`, or if `alpha` is not negative, by Bouguet's method: each camera is rotated by half of their
 * relative rotation, rows become parallel to the baseline, and both get the same focal length and principal point
 * (doffs is 0), as OpenCV's stereoRectify does with CALIB_ZERO_DISPARITY, or cv::fisheye if both lenses are
 * equidistant. `alpha`, 0 to 1: 0 zooms in until only pixels of the pictures are visible, 1 zooms out until all of them
 * are. Negative: as the file has it, with its row correction, or 0 if it has none.
 *
 * Warns in the log if the cameras seem swapped (translation[0] > 0), if the distortion folds the picture, and if the
 * rectification in the file does not lead to common rows.
 * Errors: SV_FAILED for another aspect ratio and for cameras that are one above or behind the other; SV_USAGE if alpha
 * is above 1.
 * Thread: any.
 * Lifetime: the caller frees the rectification with sv_rectification_free; after an error it is empty. */
sv_status sv_rectify(const sv_rig *rig, int width, int height, double alpha, sv_rectification *rectification,
                     sv_error *error);

/* The same without the maps and the warnings, for points only (sv_rectify_point); there is nothing to free. */
sv_status sv_rectify_frame(const sv_rig *rig, int width, int height, double alpha, sv_rectification *rectification,
                           sv_error *error);
void sv_rectification_free(sv_rectification *rectification); /* accepts {0} */

/* Sets the row correction, and makes the right map again. An empty rectification becomes one for pictures of width x
 * height that only corrects the rows.
 * Errors: SV_FAILED when out of memory; the rectification is then as it was.
 * Thread: any. */
sv_status sv_rectify_rows(sv_rectification *rectification, int width, int height, const double terms[SV_ROW_TERMS],
                          sv_error *error);

/* Copies a rectification with its maps.
 * Errors: SV_FAILED when out of memory; the copy is then empty.
 * Lifetime: the caller frees the copy. */
sv_status sv_rectification_copy(const sv_rectification *from, sv_rectification *to, sv_error *error);

/* Writes a grey picture of `side` (0: left) in host memory as the matcher sees it to `grey`, dense, height x width:
 * rectified, unless `rectification` is NULL, and moved up by `shift` rows; rows beyond the picture repeat its last one.
 * Where the rectified picture shows nothing of the camera's picture, it is 0.
 * Thread: any. */
void sv_rectify_grey(const sv_rectification *rectification, int side, const sv_image *picture, int shift,
                     uint8_t *grey);

/* Where a pixel of a camera's picture is in the rectified one: the inverse of the rectification maps, without their
 * rounding. False if it has no such position.
 * Thread: any. */
bool sv_rectify_point(const sv_rectification *rectification, int side, const double pixel[2], double rectified[2]);

/* The inverse: where a pixel of the rectified picture is in the camera's. False if the lens does not show it.
 * Thread: any. */
bool sv_unrectify_point(const sv_rectification *rectification, int side, const double rectified[2], double pixel[2]);

#endif
