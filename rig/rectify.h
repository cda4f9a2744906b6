/* Rectification: what brings the pictures of a rig onto common rows. */
#ifndef RIG_RECTIFY_H
#define RIG_RECTIFY_H

#include "stereo/rig.h"

/* For pictures of width x height: where the rig was calibrated at another size of the same shape it is scaled, and
 * the log says so; another shape is refused with SV_FAILED, and so are cameras that stand above or behind one another.
 * Without `rig->given`, or if `alpha` is not negative, by Bouguet's method: both cameras turned by half of their
 * rotation, rows along the baseline, one focal length and one principal point for both (doffs is 0), as OpenCV's
 * stereoRectify with CALIB_ZERO_DISPARITY, or cv::fisheye's if both lenses are equidistant. alpha 0: as large as leaves
 * only pixels of the pictures, 1: as small as leaves all of them, between: between. Negative alpha: as the file says,
 * else 0. Warns in the log where the cameras seem swapped (translation[0] > 0), where the distortion folds the picture,
 * and where what the file says does not bring the pictures onto common rows. The caller frees it with
 * sv_rectification_free; it is empty after a failure. Any thread. */
sv_status sv_rectify(const sv_rig *rig, int width, int height, double alpha, sv_rectification *rectification,
                     sv_error *error);
void sv_rectification_free(sv_rectification *rectification); /* {0} is fine */

/* Where the pixel of a camera's picture is in the rectified one: the inverse of the maps, without their rounding.
 * False if there is no such place. */
bool sv_rectify_point(const sv_rectification *rectification, int side, const double pixel[2], double rectified[2]);

#endif
