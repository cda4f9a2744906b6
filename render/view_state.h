/* What the files of the view share. The interface is view.h. */
#ifndef RENDER_VIEW_STATE_H
#define RENDER_VIEW_STATE_H

#include "render/gl.h"
#include "render/range.h"
#include "render/view.h"

enum { VIEW_MAX_SLOTS = 8 };

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
    int x, y;         /* where the mouse was last */
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

struct view {
    int width, height; /* of the maps */
    int slots;
    GLuint buffers[VIEW_MAX_SLOTS];
    GLuint disparity;   /* height x width, R32F */
    GLuint reason;      /* height x width, R8UI */
    GLuint truth;       /* height x width, R32F; 0: none */
    GLuint maps;        /* framebuffer that reads disparity (attachment 0) and reason (1) */
    GLuint picked;      /* pixel buffer for one pixel of both, in that order */
    GLsync pick_read;   /* NULL: no read is in progress */
    int pick_x, pick_y; /* position of the pixel being read */
    view_pixel pick;    /* the last pixel read, if `has_pick` */
    bool has_pick;
    int picked_part; /* index of the part that the mouse is in, -1: none */
    bool has_map;
    view_side sides[2];
    GLuint colours;  /* (COLOUR_MAP_COUNT + 2) x COLOUR_ENTRIES, RGB8: the maps, the reasons, the errors */
    GLuint vertices; /* an empty vertex array, which OpenGL requires */
    GLuint map_program, picture_program;
    range_finder *range;
    histogram_reader *histogram;
    view_cloud cloud;
    unsigned long long version, map_version; /* change with any texture; with the map */
    mouse_drag drag;
};

enum { VIEW_PICKED_BYTES = sizeof(float) + 1 };

/* A texture without mipmaps, or with those that the filter asks for. */
GLuint view_make_texture(GLenum filter, const char *label);

/* Errors: SV_USAGE if the image has another size than the maps. */
sv_status view_check_size(const view *view, const sv_image *image, sv_error *error);

/* ---- view_draw.c: the programs and what is drawn with them ---- */

sv_status view_make_programs(view *view, sv_error *error);

/* Draws lines along which matches lie, across a part of VIEW_PAIR. */
void view_draw_lines(const view_pane *pane);

/* Draws a cross at a position in the picture; without its vertical line if x is not finite. */
void view_draw_cross(const view_pane *pane, double x, double y);

/* Draws the map alone, pixel by pixel, into a framebuffer of its size, from its top row on. */
void view_draw_map_exactly(const view *view, const colour_settings *colours);

/* ---- view_cloud.c ---- */

void view_draw_cloud(view *view, const view_settings *settings, view_rect cell);

/* ---- view_read.c ---- */

/* Drops the pending pixel, so that the next one is at the position where the mouse returns. */
void view_forget_pick(view *view);

#endif
