/* Projects points through a camera's lens and back. All functions are pure.
 * Thread: any. */
#ifndef RIG_LENS_H
#define RIG_LENS_H

#include "stereo/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Projects the point (X/Z, Y/Z) of a camera's frame to a pixel. */
void sv_project(const sv_camera *camera, double x, double y, double pixel[2]);

/* The inverse, exact to 1e-10 focal lengths. False if there is no such point; points beyond the reach of the lens do
 * not count. */
bool sv_unproject(const sv_camera *camera, const double pixel[2], double point[2]);

/* The inverse by the five fixed-point iterations of OpenCV's stereoRectify, which are needed to reproduce its frame.
 * The result is only approximate in the corners of wide-angle pictures. Only for SV_LENS_POLYNOMIAL. */
void sv_unproject_as_opencv(const sv_camera *camera, const double pixel[2], double point[2]);

/* The largest distance r from the axis at which the model is valid: beyond it, the radial distortion has carried a
 * point past the corners of the picture or folds back. `fold` (may be NULL): the distance in the picture, in focal
 * lengths, at which the distortion folds back; 0 if only beyond the corners or never. */
double sv_lens_reach(const sv_camera *camera, double *fold);

#ifdef __cplusplus
}
#endif

#endif
