/* Where the views of the picture area lie, and how positions on the screen and in the picture correspond. Pure
 * functions of their arguments.
 *
 * Positions on the screen are in framebuffer pixels with the origin at the bottom left, as in window.h. Positions in
 * the picture are in its pixels with the origin at the top left corner: the centre of the first pixel is (0.5, 0.5).
 * Thread: any, for all functions. */
#ifndef RENDER_VIEW_LAYOUT_H
#define RENDER_VIEW_LAYOUT_H

#include <stdbool.h>

typedef struct view_rect {
    int x, y, width, height; /* framebuffer pixels, origin bottom left */
} view_rect;

/* How many views there are, in reading order. */
typedef enum view_layout {
    VIEW_ONE,
    VIEW_SIDE_BY_SIDE,
    VIEW_OVER_UNDER,
    VIEW_FOUR, /* two rows of two */
    VIEW_TWO,  /* side by side or one above the other, whichever is larger */
    VIEW_LAYOUT_COUNT
} view_layout;

enum { VIEW_MOST = 4, VIEW_MOST_PARTS = 2 * VIEW_MOST, VIEW_LARGEST_SCALE = 64 };

/* What all views show of their pictures. {0}: the whole picture, as large as fits. */
typedef struct view_zoom {
    double scale; /* framebuffer pixels for a pixel of the picture; 0: as large as fits */
    double x, y;  /* the position in the picture that is in the middle of the view, unless scale is 0 */
} view_zoom;

/* A picture in its place. */
typedef struct view_pane {
    view_rect cell;   /* what the view may use */
    view_rect shown;  /* what of it the picture covers; empty if nothing */
    double left, top; /* of the whole picture: x of its left edge and y of its upper edge, which may be outside */
    double scale_x, scale_y; /* framebuffer pixels for a pixel of the picture */
} view_pane;
const char *view_layout_name(int layout); /* "side by side"; "?" if out of range */

/* Divides `area` into the cells of a layout and returns how many; cells that do not fit are empty. `aspect`: width of
 * the pictures by their height, 0: 4/3. */
int layout_cells(int layout, view_rect area, double aspect, view_rect cells[VIEW_MOST]);

void layout_halves(view_rect cell, view_rect halves[2]); /* left and right */
/* Places a picture of width x height pixels in a cell: with a scale of 0 as large as fits, centred, to whole pixels.
 * Otherwise its top left corner is at a whole pixel of the screen, and it leaves no space that it could fill. */
view_pane layout_pane(view_rect cell, int width, int height, view_zoom zoom);

/* The position in the picture of the middle of a pixel of the screen, and the position on the screen of one in the
 * picture; false if the pane does not show it. */
bool layout_to_picture(const view_pane *pane, int x, int y, double *picture_x, double *picture_y);
bool layout_to_screen(const view_pane *pane, double picture_x, double picture_y, double *x, double *y);

/* The index of the rectangle with the pixel x, y, -1 if there is none. */
int layout_find(const view_rect *rects, int count, int x, int y);

/* The zoom with a scale larger by `factor`, at which the picture's position at pixel x, y stays there. It stops on the
 * way at a scale of 1 and where the picture just fits, and ends at VIEW_LARGEST_SCALE and at the smaller of those two.
 * The pane is that of a picture of width x height pixels with the old zoom. */
view_zoom layout_zoom_at(const view_pane *pane, int width, int height, view_zoom zoom, int x, int y, double factor);

/* The zoom at which a pixel of the picture is one of the screen, and the position at pixel x, y stays there. */
view_zoom layout_one_to_one(const view_pane *pane, int x, int y);

/* The zoom after the picture was dragged by dx, dy pixels of the screen; unchanged while the whole picture is shown. */
view_zoom layout_drag(const view_pane *pane, view_zoom zoom, int dx, int dy);

#endif
