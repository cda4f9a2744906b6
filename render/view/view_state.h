/* The view as its own files see it: the state that they share, and their units, each of which only its own file sees
 * into. The interface is view.h. */
#ifndef RENDER_VIEW_VIEW_STATE_H
#define RENDER_VIEW_VIEW_STATE_H

#include "render/view/view.h"
#include "render/view/view_kept.h"
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

/* What the views are drawn with: view_programs.c. 0: not made yet. */
typedef struct view_programs {
    GLuint map[VIEW_MAP_MODES][VIEW_MOST_TAPS][VIEW_MOST_TAPS]; /* by how many taps in x and in y, less 1 */
    GLuint limit;         /* takes their disparity from the pixels outside limits of the depth */
    GLuint picture[3][2]; /* by the sides, less 1; by whether the picture is magnified */
    bool failed;          /* it was reported that one could not be made */
} view_programs;

/* A picture of one side: view_pictures.c; view_draw.c draws it. */
typedef struct view_side {
    GLuint texture; /* height x width, R8 or RGBA8, with mipmaps */
    GLuint places;  /* height x width, RG32F: where the picture is sampled, 0..1; 0: as it comes */
    bool known;
    sv_format format;
    int row_shift;
} view_side;

/* A button of the mouse that is held over a view, or was the last one: view_mouse.c. */
typedef struct mouse_drag {
    int button, part; /* index of the part where it was pressed */
    bool shift;       /* pressed with it */
    bool split;       /* the line between A and B was pressed */
    bool clicks;      /* it has not moved, and was pressed to click */
    int from_x, from_y;
    int x, y;     /* where the mouse was last */
    bool clicked; /* the last one was a click */
} mouse_drag;

/* The costs of the winners: view_pictures.c; view_draw.c draws them. */
typedef struct view_costs {
    GLuint texture; /* height x width, R32F; 0: none */
    float min, max; /* that the colours cover */
} view_costs;

struct view {
    int width, height;          /* of the maps */
    unsigned long long version; /* changes with any texture */
    view_rect clip;             /* of a part that is being drawn, if not empty: nothing else is drawn */
    bool dragging;              /* a button is held that was pressed over a view */
    bool rows_known;            /* view_rows.c has these errors: */
    view_row_errors rows;
    GLuint truth;    /* height x width, R32F; 0: none */
    GLuint colours;  /* (COLOUR_MAP_COUNT + 2) x COLOUR_ENTRIES, RGB8: the maps, the reasons, the errors */
    GLuint vertices; /* an empty vertex array, which OpenGL requires */
    view_programs programs;
    histogram_reader *histogram;
    map_copier *copier;

    view_side sides[2];
    view_costs costs;
    mouse_drag drag;
    view_kept kept;
    struct view_maps *maps;
    struct view_picker *picker;
    struct view_cloud *cloud;
    struct view_measurements *measured;
};

#endif
