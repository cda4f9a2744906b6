/* The picture area of the window: the false-coloured disparity map and the left picture, on textures.
 *
 * Disparities come in through pixel buffers ("slots") that rotate: a backend that shares memory with
 * OpenGL writes into them, others through view_write. Slot layout, bytes: disparity, height x width
 * float32, dense, at 0; reason, height x width uint8, dense, at view_reason_offset.
 *
 * Main thread only, with the window's context current. Places are as in window.h. */
#ifndef RENDER_VIEW_H
#define RENDER_VIEW_H

#include "render/colour.h"
#include "stereo/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum view_layout {
    VIEW_DISPARITY,    /* alone */
    VIEW_SIDE_BY_SIDE, /* left picture, then disparity */
    VIEW_OVER_UNDER,   /* disparity above, left picture under it */
    VIEW_LEFT,         /* the left picture alone */
    VIEW_LAYOUT_COUNT
} view_layout;

/* Which disparities the colours stretch over. */
typedef enum view_range {
    VIEW_RANGE_SEARCHED,  /* those that are tried: the parameters' range */
    VIEW_RANGE_AUTOMATIC, /* those that are there: 2nd to 98th percentile, followed smoothly */
    VIEW_RANGE_FIXED,     /* colour.min and colour.max as the user set them */
    VIEW_RANGE_COUNT
} view_range;

typedef struct view_settings {
    int layout; /* view_layout */
    int range;  /* view_range */
    bool legend;
    bool metres;            /* the legend is in metres, where they are known */
    colour_settings colour; /* min and max are written by view_follow_range unless the range is fixed */
} view_settings;

typedef struct view_rect {
    int x, y, width, height; /* framebuffer pixels, origin bottom left */
} view_rect;

/* One pixel of the map. */
typedef struct view_pixel {
    int x, y; /* from the top left of the picture */
    float disparity;
    int reason;
} view_pixel;

typedef struct view view;

view_settings view_default(void); /* disparity alone, searched range, legend, colour_default() */

const char *view_layout_name(int layout); /* "side by side"; "?" if out of range */
const char *view_range_name(int range);

/* For maps of width x height pixels, with `slots` pixel buffers. SV_FAILED if OpenGL cannot hold them. */
sv_status view_create(view **out, int width, int height, int slots, sv_error *error);
void view_destroy(view *view); /* NULL is fine */

/* The pixel buffer of a slot, 0 <= slot < slots, for a backend's share_register; where in it the reason
 * map begins, and its size in bytes. */
unsigned view_buffer(const view *view, int slot);
size_t view_reason_offset(const view *view);
size_t view_buffer_size(const view *view);

/* Copies a map from host memory, any strides, into a slot that no backend has registered. */
sv_status view_write(view *view, int slot, const sv_image *disparity, const sv_image *reason, sv_error *error);

/* Makes the slot's map the one that is drawn. The slot may be written again at once: OpenGL and a
 * backend's share_map keep the order. */
void view_show(view *view, int slot);

/* Makes it the left picture: SV_GREY8 or SV_COLOUR8 in host memory, of the maps' size, any stride. It is
 * copied before this returns. */
sv_status view_left(view *view, const sv_image *picture, sv_error *error);

/* From now on the left picture is shown rectified, black where its camera did not look; NULL, or one without maps: as
 * it comes. The map is copied before this returns. */
sv_status view_set_rectification(view *view, const sv_rectification *rectification, sv_error *error);

/* Writes settings->colour.min and max as settings->range says; call once for every drawn frame.
 * The automatic range is looked up a few times a second without waiting for the GPU; until the first
 * answer it is `min`..`max`, the searched disparities in pixels. */
void view_follow_range(view *view, view_settings *settings, float min, float max);

/* Draws the layout as large as fits into `area`, centred, with square pixels. Draws nothing before the
 * first view_show or view_left of a picture that it needs, or if the area is empty. */
void view_draw(view *view, const view_settings *settings, view_rect area);

/* The map's pixel under the place x, y of the framebuffer, with the same settings and area as drawn; in the
 * left picture it is the same pixel of the map. It does not wait for the GPU: what it gives, place and all, is the
 * answer to an earlier call. To be called for every drawn frame, then; false if there is no pixel, or no answer yet. */
bool view_pick(view *view, const view_settings *settings, view_rect area, int x, int y, view_pixel *pixel);

/* Draws the false-coloured map by itself, one pixel for one, and reads it: `colour` is SV_COLOUR8 of the
 * maps' size in host memory, any stride. The same bytes as colour_picture. Waits for the GPU. */
sv_status view_read_back(view *view, const view_settings *settings, const sv_image *colour, sv_error *error);

#ifdef __cplusplus
}
#endif

#endif
