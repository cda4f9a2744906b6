/* The space of the point cloud: where a pixel of the map lies, and a grid to measure it by.
 *
 * Coordinates are those of the rectified left camera: x right, y down, z forward, the camera at the origin.
 * Thread: any. */
#ifndef MAP_SPACE_H
#define MAP_SPACE_H

#include "stereo/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum space_unit { SPACE_METRES, SPACE_BASELINES } space_unit;

/* The horizontal field of view, in degrees, that is assumed without a calibration. */
enum { SPACE_ASSUMED_FIELD = 60 };

/* The pinhole that took the left picture, and the baseline. */
typedef struct space {
    int width, height;     /* of the maps, pixels */
    double fx, fy, cx, cy; /* pixels; (0, 0) is the centre of the top left pixel */
    double unit_depth;     /* units: the depth of a disparity of one pixel */
    double doffs;          /* pixels, added to disparities */
    double baseline;       /* units: the right camera is at x = baseline */
    space_unit unit;
    bool assumed; /* the pinhole is not known: its field of view is SPACE_ASSUMED_FIELD */
} space;

/* The space of maps of width x height pixels. `rectification`: of that size, NULL if there is no calibration. Without a
 * baseline in metres, the baseline is the unit. */
space space_of(const sv_rectification *rectification, int width, int height);

const char *space_unit_name(space_unit unit); /* "m" */

/* The point that a pixel with a disparity shows. False if it has none, or one that is infinitely far away. */
bool space_point(const space *space, double x, double y, float disparity, double point[3]);

/* The depth of a disparity; 1000 times the baseline if it is farther away or there is none. */
double space_depth(const space *space, double disparity);

/* The depths between which something counts as seen, units of the space; 0: no limit on that side. Pixels
 * beyond them count as having no disparity, in views, readings, files and scores. */
typedef struct space_limits {
    double nearest, farthest;
} space_limits;

#define SPACE_LEAST_LIMIT 1e-3
#define SPACE_MOST_LIMIT  1e6

/* The disparities of those depths, both included: from range[0] to range[1]; infinite on a side without a limit. */
void space_limit_disparities(const space *space, const space_limits *limits, float range[2]);

/* Removes the disparity and the confidence of pixels outside the limits. disparity: SV_FLOAT32; confidence: SV_GREY8,
 * or without data; both in host memory. */
void space_limit_maps(const space *space, const space_limits *limits, const sv_output *maps);

/* A grid on a level plane below the cameras, with lines at multiples of `step` in x and z. */
typedef struct space_grid {
    double step;       /* units: 1, 2 or 5 times a power of ten */
    double floor;      /* y of the plane, a multiple of `step` */
    int across, ahead; /* x from -across to across steps, z from 0 to ahead steps */
} space_grid;

/* The grid for a scene whose middle is at `depth`: it reaches three times as far, and lies at the height of the
 * picture's lower edge at that depth. */
space_grid space_grid_of(const space *space, double depth);

#ifdef __cplusplus
}
#endif

#endif
