/* What lies around the picture, made with Dear ImGui: at the right the panel with every parameter, under
 * the picture the bar with playback and the state in one line, beside it the legend, and over it, on
 * request, statistics and the list of keys.
 *
 * Main thread only, with the window's context current. */
#ifndef RENDER_PANEL_H
#define RENDER_PANEL_H

#include "render/view.h"
#include "render/window.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PANEL_MAX_STAGES = 16, PANEL_MAX_DROPS = 8 };

typedef struct panel_stage {
    const char *name;
    float ms;
} panel_stage;

typedef struct panel_drop {
    const char *cause;
    long long count;
} panel_drop;

/* All that is shown and all that can be turned. The caller fills it in, all strings are borrowed for the
 * call (NULL: nothing to show); zero is right for what does not apply. */
typedef struct panel_state {
    /* Read and written. */
    sv_params params; /* stays such that sv_check_params accepts it */
    view_settings view;
    bool open; /* the panel itself */
    bool statistics, help;
    double speed;  /* 1: as recorded */
    double seek;   /* written along with INPUT_SEEK_TO: seconds; pictures: index */
    double offset; /* by how many frames the right picture is further on than the left one */

    /* Where we are. */
    const char *source; /* name of what is played */
    bool paused;
    bool seekable;
    bool movable;              /* the offset can be turned */
    bool live;                 /* a camera or a broadcast: no position to show, no speed */
    bool pictures;             /* position and duration are indices, not seconds */
    double position, duration; /* duration 0: unknown */
    long long frame, frames;   /* counted from 0; frames 0: unknown */

    /* How it goes. */
    const char *backend;                            /* "cuda" */
    const char *device;                             /* "NVIDIA H200" */
    bool interop;                                   /* the backend writes into OpenGL's buffers; false: copied */
    int width, height;                              /* of the pictures */
    double shown_rate, matched_rate, captured_rate; /* a second */
    panel_stage stages[PANEL_MAX_STAGES];           /* smoothed */
    int stage_count;
    double latency_ms; /* from capture to screen */
    panel_drop drops[PANEL_MAX_DROPS];
    int drop_count;
    double skew_ms, tolerance_ms; /* live: mean difference in time of a pair, and the largest that is allowed */

    /* The cameras. */
    const sv_rectification *rectification; /* that gives metres; NULL if none does */
    const char *alignment;                 /* how the rows of both pictures lie to each other, in a sentence */
    const char *brightness;                /* a warning about that of one picture */
    bool misaligned;                       /* it is a warning */
    double vertical_offset;                /* rows that the right picture lies lower, from so many points; */
    int alignment_points;                  /* 0: not known */
    const char *message;                   /* one line over the picture */
    bool message_is_error;
    const view_pixel *pixel; /* under the mouse */
} panel_state;

typedef struct panel panel;

sv_status panel_create(panel **out, window *window, sv_error *error);
void panel_destroy(panel *panel); /* NULL is fine; before window_close */

/* The part of the framebuffer that is left for the picture. */
view_rect panel_picture_area(const panel *panel, const panel_state *state);

/* True while the mouse is over something of the panel's, so that it does not point into the picture. */
bool panel_has_mouse(const panel *panel);

/* Draws everything, after view_draw. Buttons are put into the window's queue of actions, where keys are
 * too; of the values, only those named above are written, and nothing else is done. Draws nothing into
 * a window that is minimised. */
void panel_draw(panel *panel, panel_state *state);

#ifdef __cplusplus
}
#endif

#endif
