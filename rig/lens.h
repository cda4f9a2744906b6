/* How a camera's lens places a point in its picture, and back. All functions are pure. */
#ifndef RIG_LENS_H
#define RIG_LENS_H

#include "stereo/rig.h"

/* Where a point of a camera's frame, X/Z and Y/Z, is in its picture. */
void sv_project(const sv_camera *camera, double x, double y, double pixel[2]);

/* The reverse, to 1e-10 focal lengths. False if no such point is found; one beyond the lens's reach is none. */
bool sv_unproject(const sv_camera *camera, const double pixel[2], double point[2]);

/* The reverse by the five steps of fixed-point iteration that OpenCV's stereoRectify takes, so that its frame can be
 * made again: near, but not at, the point in the corners of wide pictures. For SV_LENS_POLYNOMIAL. */
void sv_unproject_as_opencv(const sv_camera *camera, const double pixel[2], double point[2]);

/* Beyond which r a point cannot appear in the picture where it should: there the radial distortion has carried it
 * past the corners, or begins to lead back. `fold` (may be NULL): how far from the centre of the picture it begins to
 * lead back, in focal lengths, 0 if only beyond the corners or never. */
double sv_lens_reach(const sv_camera *camera, double *fold);

#endif
