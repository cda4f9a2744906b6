/* What is measured in the map: the distance between two of its pixels in space, and how flat a rectangle of it is.
 *
 * Positions are pixels of the left picture, (0, 0) at its top left.
 * Thread: any. */
#ifndef RENDER_VIEW_MEASURE_H
#define RENDER_VIEW_MEASURE_H

#include "map/space.h"
#include "stereo/stereo.h"

/* One pixel of the map. */
typedef struct view_pixel {
    int x, y; /* from the top left of the picture */
    float disparity;
    int reason;
    bool has_confidence; /* its confidence is known: */
    int confidence;
    bool compared; /* there is also a map B, whose values these are: */
    float second_disparity;
    int second_reason, second_confidence;
    bool shows_second; /* B is shown there */
} view_pixel;

/* Writes a number with that many significant digits, without an exponent: "0.532", "1730"; "0" below 0.0001. */
char *measure_number(double value, int digits, char *text, size_t size);

/* The disparity of the map that is shown at the pixel. */
static inline float view_pixel_seen(const view_pixel *p) {
    return p->shows_second ? p->second_disparity : p->disparity;
}

/* Writes the distance between the points that two pixels show: "0.532 m", or in baselines. Without a calibration it is
 * the distance in the picture, "120.4 px in the picture". "" if a pixel has no point in space. */
void measure_distance(const space *space, const view_pixel *a, const view_pixel *b, char *text, size_t size);

/* Pixels x..x + width - 1, y..y + height - 1. */
typedef struct measure_box {
    int x, y, width, height;
} measure_box;

/* The rectangle with two pixels as opposite corners, both included, as far as it is in a picture of width x height. */
measure_box measure_box_of(int x0, int y0, int x1, int y1, int width, int height);

/* The values in a rectangle, and the plane d = c + across x + down y that fits them best by least squares: a plane in
 * space is one in disparities. */
typedef struct measure_region {
    long long pixels, values; /* of the rectangle; those that have a disparity */
    double mean, deviation;   /* of the values, pixels; NAN without values */
    bool has_plane;           /* there are three values or more, not all in a line: */
    double middle;            /* the plane in the middle of the rectangle, pixels of disparity */
    double across, down;      /* pixels of disparity for a pixel of the picture */
    double residual;          /* root mean square of the distances from the plane, pixels of disparity */
    double metres; /* the same in space, perpendicular to the plane; NAN if metres are not known, or a value is at
                    * infinity */
    double
        nearest; /* the nearest value but for the nearest hundredth of them, which may be false; NAN without values */
    int nearest_x, nearest_y; /* the first pixel that has it, row by row */
} measure_region;

/* Measures a rectangle inside the map, SV_FLOAT32 in host memory. */
measure_region measure_region_of(const sv_image *disparity, measure_box box, const space *space);

/* Writes it in lines: "97.1 % of 6000 px, mean 31.25 px, spread 0.41 px", "plane: residual 0.082 px, 1.93 mm", and
 * "nearest 45.20 px, 2.21 m at (120, 80)". The second is "" if there is no plane, the third if there is no value. */
enum { MEASURE_LINES = 3, MEASURE_LINE_BYTES = 96 };
void measure_describe(const measure_region *region, const space *space, char lines[MEASURE_LINES][MEASURE_LINE_BYTES]);

#endif
