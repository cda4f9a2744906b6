/* The programs that the views are drawn with.
 * Thread: main, with the window's context current. */
#ifndef RENDER_VIEW_VIEW_PROGRAMS_H
#define RENDER_VIEW_VIEW_PROGRAMS_H

#include "render/window/gl.h"

/* How disparity.frag colours a pixel. */
typedef enum view_map_mode {
    VIEW_BY_DISPARITY,
    VIEW_REASONS_OVER_IT,
    VIEW_BY_REASON,
    VIEW_BY_DEPTH,
    VIEW_BY_ERROR,
    VIEW_MAP_MODES
} view_map_mode;

enum { VIEW_MOST_TAPS = 4 }; /* pixels of the map, in x and in y, that one screen pixel averages at most */

/* What the views are drawn with; 0: not made yet. */
typedef struct view_programs {
    GLuint map[VIEW_MAP_MODES][VIEW_MOST_TAPS][VIEW_MOST_TAPS]; /* by how many taps in x and in y, less 1 */
    GLuint picture[3][2]; /* by the sides, less 1; by whether the picture is magnified */
    bool failed;          /* it was reported that one could not be made */
} view_programs;

/* Makes the programs of the first frames.
 * Errors: SV_FAILED, with the driver's message. */
sv_status view_make_programs(view_programs *programs, sv_error *error);
void view_free_programs(view_programs *programs);

/* The program for a map, which averages taps_x x taps_y pixels (1..VIEW_MOST_TAPS); for the pictures of `sides`, bit 0
 * left, bit 1 right. 0 if it cannot be made, which is reported once. */
GLuint view_map_program(view_programs *programs, view_map_mode mode, int taps_x, int taps_y);
GLuint view_picture_program(view_programs *programs, unsigned sides, bool magnified);

#endif
