/* Single pixels of pictures as they are matched.
 * Thread: any. */
#ifndef MAP_RECTIFIED_H
#define MAP_RECTIFIED_H

#include "stereo/rig.h"

/* Writes the colour at a pixel of a rectified picture; of a grey one, all three values are the same. Where the picture
 * is empty, it is black.
 * picture: as the camera took it, SV_COLOUR8 or SV_GREY8. rectification: NULL or empty without one. side: 0 left, 1
 * right. row_shift: by how many rows the picture was moved up. */
void rectified_pixel(const sv_image *picture, const sv_rectification *rectification, int side, int row_shift, int x,
                     int y, uint8_t rgb[3]);

#endif
