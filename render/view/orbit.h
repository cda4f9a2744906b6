/* The camera that looks at the point cloud. It orbits a pivot, and can be moved with it. All functions are pure.
 *
 * Coordinates and units are those of map/space.h: x right, y down, z forward, the left camera at the origin.
 * Thread: any. */
#ifndef RENDER_VIEW_ORBIT_H
#define RENDER_VIEW_ORBIT_H

#include "map/space.h"
#include "render/view/layout.h"

typedef struct orbit {
    double pivot[3];
    double distance; /* from the camera to the pivot, > 0 */
    double yaw;      /* radians: 0 looks along z; positive looks to the right */
    double pitch;    /* radians, less than a right angle; positive looks up */
} orbit;

/* The position of the camera, and unit vectors to its right, down and ahead. */
typedef struct orbit_frame {
    double eye[3], right[3], down[3], ahead[3];
} orbit_frame;

/* The orbit at the position and orientation of the left camera, with the pivot at `depth` > 0. */
orbit orbit_home(double depth);

orbit_frame orbit_frame_of(const orbit *orbit);

/* Moves the camera around the pivot, which stays in the middle. `yaw` and `pitch` in radians. */
void orbit_turn(orbit *orbit, double yaw, double pitch);

/* Changes the distance to the pivot by a factor > 0, within 1e-6 to 1e6 units. */
void orbit_zoom(orbit *orbit, double factor);

/* Moves camera and pivot by this many units to the right, down and ahead, as the camera sees them. */
void orbit_fly(orbit *orbit, double right, double down, double ahead);

/* Where the whole picture of the left camera would lie in a viewport. */
view_pane orbit_pane(const space *space, int width, int height);

/* Writes the matrix, column by column as OpenGL takes it, that takes homogeneous points to the clip space of a viewport
 * of width x height pixels. The camera has the lens of the left one, so that from its position every point falls on its
 * pixel in the fitted picture. There is no far plane: points at infinity (x, y, z, 0) are drawn too. Points nearer than
 * 1/256 of the distance to the pivot are not. */
void orbit_matrix(const orbit *orbit, const space *space, int width, int height, float matrix[16]);

/* The position of a point in the viewport, in pixels from its lower left corner. False if it is behind the camera. */
bool orbit_project(const float matrix[16], const double point[3], int width, int height, double *x, double *y);

#endif
