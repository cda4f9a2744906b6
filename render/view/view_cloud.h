/* The view of the point cloud: the camera that the user moves, and what is written into the picture.
 * Thread: main, with the context current. */
#ifndef RENDER_VIEW_VIEW_CLOUD_H
#define RENDER_VIEW_VIEW_CLOUD_H

#include "render/view/view.h"

/* Says which disparity is in the middle of the scene. Until the user moves the camera, its pivot and the grid follow,
 * if the depth of the scene has changed much. */
void view_cloud_follow(view *view, double disparity);

/* Brings the camera back to the place of the left one. */
void view_cloud_home(view *view);

/* Moves camera and pivot by this many steps to the right, down and ahead; 20 steps ahead lead to the pivot. */
void view_cloud_fly(view *view, int right, int down, int ahead);

/* Turns, moves or zooms by what the mouse did in a view that has the rectangle `cell`: dragged by dx, dy pixels, up is
 * positive; or turned the wheel by this many notches. */
void view_cloud_turn(view *view, view_rect cell, int dx, int dy);
void view_cloud_pan(view *view, view_rect cell, int dx, int dy);
void view_cloud_zoom(view *view, double notches);

/* How many pixels of the map the cloud that is shown was drawn from. */
int view_cloud_points(const view *view);

#endif
