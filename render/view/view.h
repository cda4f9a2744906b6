/* The picture area of the window: one, two or four views of a stereo pair and its disparity map, drawn from textures.
 * Each view has a kind (kinds.h) and a rectangle (layout.h); all share one zoom.
 *
 * Disparity maps arrive in a ring of pixel buffers ("slots"). A backend that shares memory with OpenGL writes into them
 * directly, others through view_write. If a pair is matched twice, A is the first map and B the second one, which has
 * slots of its own. Slot layout, bytes: disparity, height x width float32, dense, at 0; reason, height x width uint8,
 * dense, at view_reason_offset.
 *
 * Positions are as in window.h.
 * Thread: main, with the window's context current. */
#ifndef RENDER_VIEW_VIEW_H
#define RENDER_VIEW_VIEW_H

#include "render/view/histogram.h"
#include "render/view/map_copy.h"
#include "render/view/measure.h"
#include "render/view/view_settings.h"
#include "render/window/input.h"
#include "stereo/rig.h"

typedef struct view view;

/* Creates a view for maps of width x height pixels, with `slots` pixel buffers for A.
 * Errors: SV_FAILED if OpenGL cannot hold them.
 * Lifetime: the caller destroys it with view_destroy, while the context is current. */
sv_status view_create(view **out, int width, int height, int slots, sv_error *error);
void view_destroy(view *view); /* accepts NULL */

/* Makes as many pixel buffers for B, which are the slots from `slots` on, unless they are there.
 * Errors: SV_FAILED if OpenGL cannot hold them; the view continues without. */
sv_status view_add_second(view *view, sv_error *error);

/* Forgets map B until the next one is shown. */
void view_forget_second(view *view);

/* Makes the pixel buffer of a slot of memory that a backend shares, `bytes` large. `file`: its descriptor (sv_shared),
 * which becomes OpenGL's.
 * Errors: SV_NO_DEVICE if this OpenGL cannot; SV_FAILED if it fails. The slot then has a buffer of its own.
 * Lifetime: the memory must outlive the slot's use; view_release gives the slot a buffer of its own again. */
sv_status view_import(view *view, int slot, int file, size_t bytes, sv_error *error);
void view_release(view *view, int slot);

/* The offsets of the reasons and of the confidence of a slot, and its size, in bytes. */
size_t view_reason_offset(const view *view);
size_t view_confidence_offset(const view *view);
size_t view_buffer_size(const view *view);

/* Copies a map from host memory, any strides, into a slot that is not shared.
 * Errors: SV_USAGE for other formats or sizes; SV_FAILED if OpenGL fails. */
sv_status view_write(view *view, int slot, const sv_image *disparity, const sv_image *reason, sv_error *error);

/* The same for the confidence of that map, SV_GREY8, after view_write. */
sv_status view_write_confidence(view *view, int slot, const sv_image *confidence, sv_error *error);

/* Draws the slot's map from now on. One that is shared may be written again after view_finish, any other at once. */
void view_show(view *view, int slot);

/* Draws its confidence, too; after view_show. */
void view_show_confidence(view *view, int slot);

/* Waits until OpenGL has read a slot that was shown, if it is shared. */
void view_finish(view *view, int slot);

/* Limits the depth of what the maps show from now on; what is outside counts as without a disparity, in all that reads
 * the maps. Call it once for every drawn frame. */
void view_limit(view *view, const space_limits *limits);

/* Sets the picture of a side, 0 left, 1 right: SV_GREY8 or SV_COLOUR8 in host memory, of the maps' size, any stride.
 * `row_shift`: rows by which the rectified picture is moved up, as in sv_params.
 * Errors: SV_USAGE for other formats or sizes; SV_FAILED if OpenGL fails.
 * Lifetime: the picture is copied. */
sv_status view_picture(view *view, int side, const sv_image *picture, int row_shift, sv_error *error);

/* How many pixels of a map have each colour_error. */
typedef struct view_errors {
    int counts[COLOUR_ERROR_COUNT];
} view_errors;

/* Sets the truth of the map, SV_FLOAT32 in host memory, of its size, any stride; NULL: there is none.
 * Errors: SV_USAGE for another format or size; SV_FAILED if OpenGL fails.
 * Lifetime: the picture is copied. */
sv_status view_truth(view *view, const sv_image *truth, sv_error *error);

/* Shows the pictures rectified, black where their camera saw nothing; without maps, or if NULL, they are unchanged. The
 * point cloud takes its pinhole and baseline from it.
 * Errors: SV_USAGE for another size; SV_FAILED when out of memory or if OpenGL fails.
 * Lifetime: the rectification maps are copied. */
sv_status view_set_rectification(view *view, const sv_rectification *rectification, sv_error *error);

/* Sets the costs, SV_FLOAT32 in host memory, of the maps' size, any stride, infinite where there is none; NULL: removes
 * them. The colours cover them from the 2nd to the 98th percentile.
 * Errors: SV_USAGE for another format or size; SV_FAILED if OpenGL fails.
 * Lifetime: the picture is copied. */
sv_status view_set_costs(view *view, const sv_image *costs, sv_error *error);

/* The costs that the colours cover; false if there are none. */
bool view_costs_range(const view *view, float *min, float *max);

/* Writes settings->colour.min and max according to settings->range; call it once for every drawn frame. `min`..`max`
 * are the disparities in pixels that were `searched`; if none were, the range is automatic unless it is fixed. The
 * automatic range follows the histogram of the map by degrees; before the first one, NULL, it is `min`..`max`. */
void view_follow_range(view *view, view_settings *settings, const histogram *histogram, bool searched, float min,
                       float max);

/* How the disparities of A (`which` 0) or of B (1) are distributed in the map that was shown last; NULL until they are
 * counted. `params`: of that map. Call it once for every drawn frame. */
const histogram *view_histogram(view *view, int which, const sv_params *params);

/* The version of A on the screen: it grows with each view_show. */
unsigned long long view_map_version(const view *view);

/* The newest copies of A and, if there is one, of B in host memory, see map_copier_follow (map_copy.h). NULL before the
 * first view_show. */
const copied_maps *view_copy_maps(view *view, int64_t frame);

/* True if the copy that was begun last is of that version of A. */
bool view_copies_map(const view *view, unsigned long long version);

/* Which of VIEW_NEEDS_METRES and VIEW_NEEDS_TRUTH there is nothing for. */
unsigned view_lacks(const view *view);

/* The row errors of equal parts of the left picture, pixels: how much lower the right picture lies; NAN: not known. */
enum { VIEW_ROWS_DOWN = 6, VIEW_ROWS_ACROSS = 8 };
typedef struct view_row_errors {
    float of[VIEW_ROWS_DOWN][VIEW_ROWS_ACROSS];
} view_row_errors;

/* Shows them in VIEW_ROWS from now on; NULL: none are known. */
void view_set_rows(view *view, const view_row_errors *errors);

/* Draws the views in `area`, of which those that look as they did are copied, and a cross in the others at the pixel
 * that view_pick has found. One that lacks what it needs stays empty, but before the first view_show the left picture
 * takes the place of a map that would be alone. Draws nothing if `area` is empty. */
void view_draw(view *view, const view_settings *settings, view_rect area);

/* Reads the map A (`which` 0) or B (1) that is shown, and waits for the GPU: `disparity` SV_FLOAT32 and `reason`
 * SV_REASON8, dense, of the maps' size, in host memory. Errors: SV_USAGE for another format or size or if there is no
 * map; SV_FAILED if OpenGL fails. */
sv_status view_read_maps(view *view, int which, const sv_image *disparity, const sv_image *reason, sv_error *error);

/* Reads what was drawn in `area` since window_clear: `colour` is SV_COLOUR8 of its size, dense, in host memory, top row
 * first. It waits for the GPU.
 * Errors: SV_FAILED if OpenGL fails. */
sv_status view_grab(view_rect area, const sv_image *colour, sv_error *error);

/* A word that is written into the picture. */
typedef struct view_word {
    float x, y;        /* of its lower left corner, framebuffer pixels as in window.h */
    float left, right; /* if not 0: it is moved to where it begins and ends between these */
    float bottom, top; /* with a pill: the same for its lower and upper edge */
    bool pill;         /* it stands on a dark ground, and beside others that do, not over them */
    char text[96];
} view_word;

/* Writes at most `most` words for the settings and the area that were drawn: what a cell of the cloud's grid measures,
 * and the coordinates of its lines, of which rounder ones remain where they are close; which map a view shows, A or B,
 * while there are two; the row errors of VIEW_ROWS; what pins and the rectangle measure. `scale`: of text, as
 * window_scale. Returns how many. */
int view_words(const view *view, const view_settings *settings, view_rect area, float scale, view_word *words,
               int most);

/* How many parts have been drawn so far, other than copied; without the point cloud, which cloud_draw keeps. */
long long view_drawn_parts(const view *view);

/* Follows the mouse: the wheel zooms at its place, a drag moves what is shown, or the line between A and B if it
 * begins there, and with Shift it draws a rectangle, and a click pins the pixel (view_measures.h); writes
 * settings->zoom and settings->split. The caller passes every event that is not over the panel, and those of a
 * button's release and of moves in any case. True if the event has been used. */
bool view_mouse(view *view, view_settings *settings, view_rect area, const mouse_event *event);

/* Zooms to one pixel of the screen for each of the picture; what is at x, y stays there, or the middle if no view is.
 */
void view_one_to_one(const view *view, view_settings *settings, view_rect area, int x, int y);

/* The map's pixel at position x, y of the framebuffer, with the settings and area that were drawn; in other views it
 * is the same pixel of the map, in the cloud the one that is seen there, but the right picture has none. It does not
 * wait for the GPU: the result, including its position, answers an earlier call, so call it for every drawn frame.
 * False if there is no pixel, or no result yet. */
bool view_pick(view *view, const view_settings *settings, view_rect area, int x, int y, view_pixel *pixel);

/* The same, but waits for the GPU: the result is that of this call. */
bool view_pick_now(view *view, const view_settings *settings, view_rect area, int x, int y, view_pixel *pixel);

/* The depth at that pixel, units of the space; 0 if there is none. Waits for the GPU, too. */
double view_depth_at(view *view, const view_settings *settings, view_rect area, int x, int y);

#endif
