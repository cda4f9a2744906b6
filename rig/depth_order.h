/* Which side of a pair is the left one, by what nearness does to a map. */
#ifndef RIG_DEPTH_ORDER_H
#define RIG_DEPTH_ORDER_H

#include "stereo/stereo.h"

/* Two signs that an offset of all disparities, as in films and with toed-in cameras, does not change: positive if the
 * reference picture is the left one, negative if it is the right one. */
typedef struct depth_order {
    int gaps;    /* places where something near covers what is behind it for one camera only */
    float votes; /* of these, from -gaps to gaps: a gap ends at the edge of the near thing on its right if the order is
                  * right, on its left if the sides are swapped */
    float
        rise; /* correlation of the disparities with their row, -1 to 1: what is lower in a picture is mostly nearer */
} depth_order;

/* Looks at a map without filled holes, of the size of `picture`, that was matched on blocks of scale x scale pixels.
 * `picture`: grey, in host memory. */
depth_order depth_order_look(const sv_image *picture, const sv_image *disparity, int scale);

#endif
