/* The picture area of the window: the false-coloured disparity map and the left picture, on textures.
 *
 * Disparity maps arrive in a ring of pixel buffers ("slots"). A backend that shares memory with OpenGL writes into them
 * directly, others through view_write. Slot layout, bytes: disparity, height x width float32, dense, at 0; reason,
 * height x width uint8, dense, at view_reason_offset.
 *
 * Positions are as in window.h.
 * Thread: main, with the window's context current. */
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
    VIEW_OVER_UNDER,   /* disparity above, left picture below */
    VIEW_LEFT,         /* the left picture alone */
    VIEW_LAYOUT_COUNT
} view_layout;

/* The range of disparities that the colours cover. */
typedef enum view_range {
    VIEW_RANGE_SEARCHED,  /* the searched range of the parameters */
    VIEW_RANGE_AUTOMATIC, /* the range found in the map: 2nd to 98th percentile, smoothed over time */
    VIEW_RANGE_FIXED,     /* colour.min and colour.max as the user set them */
    VIEW_RANGE_COUNT
} view_range;

typedef struct view_settings {
    int layout; /* view_layout */
    int range;  /* view_range */
    bool legend;
    bool metres;            /* the legend is in metres, if they are known */
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

/* Creates a view for maps of width x height pixels, with `slots` pixel buffers.
 * Errors: SV_FAILED if OpenGL cannot hold them.
 * Lifetime: the caller destroys it with view_destroy, while the context is current. */
sv_status view_create(view **out, int width, int height, int slots, sv_error *error);
void view_destroy(view *view); /* NULL is fine */

/* The pixel buffer of a slot, 0 <= slot < slots, for a backend's share_register; the offset of its reason map, and its
 * size, in bytes. */
unsigned view_buffer(const view *view, int slot);
size_t view_reason_offset(const view *view);
size_t view_buffer_size(const view *view);

/* Copies a map from host memory, any strides, into a slot that no backend has registered.
 * Errors: SV_USAGE for other formats or sizes; SV_FAILED if OpenGL fails. */
sv_status view_write(view *view, int slot, const sv_image *disparity, const sv_image *reason, sv_error *error);

/* Draws the slot's map from now on. The slot may be written again immediately: OpenGL and a backend's share_map keep
 * the order. */
void view_show(view *view, int slot);

/* Sets the left picture: SV_GREY8 or SV_COLOUR8 in host memory, of the maps' size, any stride.
 * Errors: SV_USAGE for other formats or sizes; SV_FAILED if OpenGL fails.
 * Lifetime: the picture is copied. */
sv_status view_left(view *view, const sv_image *picture, sv_error *error);

/* Shows the left picture rectified, with black where its camera saw nothing. NULL, or a rectification without maps:
 * unchanged.
 * Errors: SV_USAGE for another size; SV_FAILED when out of memory or if OpenGL fails.
 * Lifetime: the rectification map is copied. */
sv_status view_set_rectification(view *view, const sv_rectification *rectification, sv_error *error);

/* Writes settings->colour.min and max according to settings->range; call it once for every drawn frame. The automatic
 * range is measured a few times a second without waiting for the GPU; until the first result it is `min`..`max`, the
 * searched disparities in pixels. */
void view_follow_range(view *view, view_settings *settings, float min, float max);

/* Draws the layout as large as fits into `area`, centred, with square pixels. Before the first view_show, the left
 * picture takes the place of a map that would be alone; before the first view_left there is none. Draws nothing if
 * `area` is empty. */
void view_draw(view *view, const view_settings *settings, view_rect area);

/* The map's pixel at position x, y of the framebuffer, with the settings and area that were drawn; in the left picture
 * it is the same pixel of the map. It does not wait for the GPU: the result, including its position, answers an earlier
 * call, so call it for every drawn frame. False if there is no pixel, or no result yet. */
bool view_pick(view *view, const view_settings *settings, view_rect area, int x, int y, view_pixel *pixel);

/* Draws the false-coloured map alone, pixel by pixel, and reads it back: `colour` is SV_COLOUR8 of the maps' size in
 * host memory, any stride. The result is that of colour_picture. Waits for the GPU.
 * Errors: SV_USAGE for another format or size or if there is no map; SV_FAILED if OpenGL fails. */
sv_status view_read_back(view *view, const view_settings *settings, const sv_image *colour, sv_error *error);

#ifdef __cplusplus
}
#endif

#endif
