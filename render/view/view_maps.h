/* The maps A and B: the pixel buffers that they arrive in, and the textures that they are drawn from.
 * Thread: main, with the window's context current. */
#ifndef RENDER_VIEW_VIEW_MAPS_H
#define RENDER_VIEW_VIEW_MAPS_H

#include "render/view/view.h"
#include "render/window/gl.h"

/* The map of a pair by one set of parameters. */
typedef struct view_map {
    GLuint whole;               /* height x width, R32F: as it was matched */
    GLuint limited;             /* the same within the limits of the depth; 0: not made yet */
    GLuint disparity;           /* of these the one that is shown */
    GLuint reason;              /* height x width, R8UI */
    GLuint confidence;          /* height x width, R8 */
    GLuint framebuffer;         /* reads disparity (attachment 0), reason (1) and confidence (2) */
    bool known, has_confidence; /* it has been shown; with its confidence */
} view_map;

/* Errors: SV_FAILED if OpenGL cannot hold them. */
sv_status view_maps_create(view *view, int slots, sv_error *error);
void view_maps_destroy(view *view);

/* Map A (0) or B (1), and whether it has been shown, and with its confidence. */
const view_map *view_map_of(const view *view, int which);
bool view_has_map(const view *view, int which);
bool view_has_confidence(const view *view, int which);

/* Shows the disparities from range[0] to range[1] alone from now on; infinite: no limit. */
void view_limit_maps(view *view, const float range[2]);

/* The version of map A or B: that of a newer map is larger, and they differ. */
unsigned long long view_version_of_map(const view *view, int which);

/* Starts reading a rectangle of a map, whose first row is the top one, into memory or the pixel buffer that is bound
 * for packing. */
void view_read_map(const view *view, int which, view_rect rectangle, void *disparity, void *reason);
void view_read_confidence(const view *view, int which, view_rect rectangle, void *confidence);

#endif
