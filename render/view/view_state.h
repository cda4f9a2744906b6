/* What the files of the view share. The interface is view.h. */
#ifndef RENDER_VIEW_VIEW_STATE_H
#define RENDER_VIEW_VIEW_STATE_H

#include "render/view/range.h"
#include "render/view/view.h"
#include "render/view/view_kept.h"
#include "render/view/view_programs.h"
#include "render/window/gl.h"

enum { VIEW_MAX_SLOTS = 8, VIEW_MOST_PINS = 16 };

/* The maps of a pair by one set of parameters. */
typedef struct view_maps {
    GLuint disparity;   /* height x width, R32F */
    GLuint reason;      /* height x width, R8UI */
    GLuint framebuffer; /* reads disparity (attachment 0) and reason (1) */
    bool known;
} view_maps;

/* A picture of one side. */
typedef struct view_side {
    GLuint texture; /* height x width, R8 or RGBA8, with mipmaps */
    GLuint places;  /* height x width, RG32F: where the picture is sampled, 0..1; 0: as it comes */
    bool known;
    sv_format format;
    int row_shift;
} view_side;

/* A button of the mouse that is held over a view. */
typedef struct mouse_drag {
    bool on;
    int button, part; /* index of the part where it was pressed */
    bool shift;       /* pressed with it */
    bool split;       /* the line between A and B was pressed */
    bool clicks;      /* it has not moved, and was pressed to click */
    int from_x, from_y;
    int x, y;     /* where the mouse was last */
    bool clicked; /* the last one was a click */
} mouse_drag;

/* The point cloud, and from where it is seen. */
typedef struct view_cloud {
    cloud *cloud;
    space space;
    double middle; /* depth that the grid and the camera's home are made for; 0: none yet */
    space_grid grid;
    orbit orbit;
    bool moved;  /* the user has moved the camera */
    bool failed; /* it was reported that it cannot be drawn */
} view_cloud;

/* The costs of the winners. */
typedef struct view_costs {
    GLuint texture; /* height x width, R32F; 0: none */
    float min, max; /* that the colours cover */
} view_costs;

/* What the user measures with. */
typedef struct view_measurements {
    view_pixel pins[VIEW_MOST_PINS]; /* with the values of the map that was copied last */
    int pin_count, measured_pins;    /* how many there are; the first of them that have their values */
    int told_pins;                   /* the first of them that view_measures_news has reported */
    bool has_box, told_box;
    measure_box box;
    int corner_x, corner_y; /* of the picture, where dragging it began */
    bool has_region;        /* `region` is what it measures */
    measure_region region;
    bool changed;                  /* pins or rectangle, since the last measurement, */
    unsigned long long changed_at; /* in maps of this version on: copies of older ones do not have them */
    unsigned long long version;    /* of the map that was measured last, */
    const char *set;               /* and of two maps which one it was, as in view_measure; NULL: none was measured */
} view_measurements;

struct view {
    int width, height; /* of the maps */
    int slots;         /* of A, as many as of B */
    GLuint buffers[VIEW_MAX_SLOTS];
    view_maps maps[2];  /* A, B; what B lacks is 0 until view_add_second */
    view_rect clip;     /* of a part that is being drawn, if not empty: nothing else is drawn */
    GLuint truth;       /* height x width, R32F; 0: none */
    GLuint picked;      /* pixel buffer for one pixel of both maps: disparity and reason of A, then of B */
    GLsync pick_read;   /* NULL: no read is in progress */
    bool pick_number;   /* what is read is its number, from the cloud; otherwise it is at: */
    int pick_x, pick_y; /* position of the pixel being read */
    bool pick_compared; /* it is read of B, too */
    view_pixel pick;    /* the last pixel read, if `has_pick` */
    bool has_pick;
    int picked_part;   /* index of the part that the mouse is in, -1: none, */
    int picked_map;    /* and which map is shown there */
    bool picked_cloud; /* it shows the cloud */
    view_side sides[2];
    GLuint colours;  /* (COLOUR_MAP_COUNT + 2) x COLOUR_ENTRIES, RGB8: the maps, the reasons, the errors */
    GLuint vertices; /* an empty vertex array, which OpenGL requires */
    view_programs programs;
    range_finder *range;
    histogram_reader *histogram;
    map_copier *copier;
    view_cloud cloud;
    view_costs costs;
    view_kept kept;
    unsigned long long version, map_version; /* change with any texture; with the map */
    mouse_drag drag;
    view_measurements measured;
};

enum { VIEW_PICKED_BYTES = 2 * sizeof(float) }; /* of each map; the address of a float is a multiple of its size */

/* A texture without mipmaps, or with those that the filter asks for. */
GLuint view_make_texture(GLenum filter, const char *label);

/* The version of map A (0) or B (1): that of a newer map is larger, and they differ. */
static inline unsigned long long view_version_of_map(const view *view, int which) {
    return 2 * view->map_version + (unsigned)which;
}

/* Errors: SV_USAGE if the image has another size than the maps. */
sv_status view_check_size(const view *view, const sv_image *image, sv_error *error);

/* Drops the pending pixel, so that the next one is where the mouse returns. */
void view_forget_pick(view *view);

/* ---- view_draw.c ---- */

/* Draws the map alone, pixel by pixel, into a framebuffer of its size, from its top row on. */
void view_draw_map_exactly(view *view, const colour_settings *colours);

/* ---- view_split.c ---- */

/* Which map the pixel of the screen in that column shows in a view of that kind: 0 A, 1 B. */
int view_map_at(const view *view, const view_settings *settings, int kind, const view_rect *cell, int x);

/* True if a view of that kind is split. `x`: of the first column that shows B, or would if it were in the cell. */
bool view_is_split(const view *view, const view_settings *settings, int kind, const view_rect *cell, int *x);

/* ---- view_measures.c ---- */

/* Draws pins and rectangle into the parts. */
void view_draw_measures(const view *view, const view_part *parts, int count);

/* Sets a corner of the rectangle at position x, y of the framebuffer: the first one, or the one opposite. */
void view_drag_box(view *view, const view_pane *pane, int x, int y, bool begins);

/* ---- view_cloud.c ---- */

void view_draw_cloud(view *view, const view_settings *settings, const view_maps *maps, view_rect cell);

#endif
