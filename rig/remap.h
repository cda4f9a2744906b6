/* A grey picture as the matcher sees it: rectified and moved by whole rows. */
#ifndef RIG_REMAP_H
#define RIG_REMAP_H

#include "stereo/rig.h"

/* Writes the picture of `side` (0: left) to `grey`, dense, height x width. `picture`: SV_GREY8, in host memory.
 * `rectification`: NULL for none. `shift`: rows by which it is moved up; rows beyond the picture repeat its last one.
 * Where the rectified picture shows nothing of the camera's picture, it is 0.
 * Thread: any. */
void remap_grey(const sv_image *picture, const sv_rectification *rectification, int side, int shift, uint8_t *grey);

#endif
