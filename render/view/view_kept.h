/* Keeps what the views consist of as it was drawn last.
 * Thread: main, with the window's context current. */
#ifndef RENDER_VIEW_VIEW_KEPT_H
#define RENDER_VIEW_VIEW_KEPT_H

#include "map/colour.h"
#include "render/view/layout.h"
#include "render/window/gl.h"

/* All that a part is drawn from. Zero the padding too, or what stands still is drawn again. */
typedef struct view_made {
    unsigned long long version; /* of the textures; 0: the part is not drawn */
    int kind;
    int second_from; /* the first column of the window that shows B: INT_MAX if the part shows A, INT_MIN if B */
    view_pane pane;
    colour_settings colour; /* unless it shows pictures */
} view_made;

/* The parts as they were drawn last, where they are in the window. */
typedef struct view_kept {
    GLuint framebuffer, colour; /* `colour`: a renderbuffer of width x height, RGBA8 */
    int width, height;          /* 0 x 0: nothing yet */
    bool failed;                /* it was reported that parts cannot be kept */
    view_made parts[VIEW_MOST_PARTS];
    long long drawn; /* parts that have been drawn in all */
} view_kept;

/* Makes room for what is drawn in `area` of the window. False if OpenGL has none: then parts have to be drawn for every
 * frame. */
bool view_keep(view_kept *kept, view_rect area);
void view_free_kept(view_kept *kept);

/* Copies a rectangle of it to the same place of another framebuffer, which is bound then. */
void view_copy_kept(const view_kept *kept, const view_rect *rectangle, GLuint framebuffer);

#endif
