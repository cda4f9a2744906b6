/* The user interface around the picture, made with Dear ImGui: the panel with every parameter on the right, the bar
 * with playback and status below the picture, the legend beside it, and, on request, statistics and the list of keys
 * above it.
 * Thread: main, with the window's context current. */
#ifndef RENDER_PANEL_H
#define RENDER_PANEL_H

#include "render/trace.h"
#include "render/view_cloud.h"
#include "render/window.h"
#include "stereo/costs.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PANEL_MAX_FIGURES = 24 };

/* The colours of the panel. Beside the pictures and over them it is dark in both. */
typedef enum panel_theme { PANEL_DARK, PANEL_LIGHT, PANEL_THEME_COUNT } panel_theme;

const char *panel_theme_name(int theme); /* "dark"; "?" if out of range */

/* Widths that the panel can have, in heights of its text. */
enum { PANEL_LEAST_WIDTH = 18, PANEL_WIDTH = 22, PANEL_MOST_WIDTH = 44 };

/* A figure of the statistics over the last seconds. */
typedef struct panel_figure {
    const char *name, *unit;
    const trace *trace;
    bool counts; /* the trace has how often something happened, and */
    long long total;
} panel_figure;

/* What asks for another input. */
enum { PANEL_MAX_RECENT = 10, PANEL_MAX_CAMERAS = 8, PANEL_MAX_NAME = 1024 };
typedef struct panel_opening {
    bool shown;                    /* it asks; read and written */
    char names[2][PANEL_MAX_NAME]; /* as they are typed; written together with INPUT_OPEN_NAMES, the second may be "" */
    const char *waiting;           /* a dropped file that waits for its other side; NULL: none */
    char *recent[PANEL_MAX_RECENT][2]; /* borrowed; the second may be NULL */
    int recent_count;
    char cameras[PANEL_MAX_CAMERAS][16]; /* devices */
    int camera_count;
} panel_opening;

/* What saves and loads settings, beside the lists of the last files and of qualities. */
enum { PANEL_MAX_QUALITIES = 32, PANEL_MAX_QUALITY_NAME = 41 };
typedef struct panel_settings {
    bool shown;                /* read and written */
    char file[PANEL_MAX_NAME]; /* as it is typed; written together with INPUT_SAVE_SETTINGS and INPUT_LOAD_SETTINGS */
    const char *question;      /* that INPUT_CONFIRM or INPUT_DECLINE answers; NULL: none */
    const char *recent[PANEL_MAX_RECENT]; /* borrowed */
    int recent_count;
} panel_settings;

typedef struct panel_qualities {
    const char *names[PANEL_MAX_QUALITIES]; /* borrowed */
    int built_in, count;                    /* the built-in ones come first */
    int current;                            /* that the parameters are those of; -1: none */
    int chosen;                             /* written together with INPUT_QUALITY */
    char name[PANEL_MAX_QUALITY_NAME]; /* as it is typed; written with INPUT_SAVE_QUALITY and INPUT_DELETE_QUALITY */
} panel_qualities;

/* A calibration with a board. Places are in framebuffer pixels, as in window.h. */
typedef struct panel_mark {
    float x, y;
} panel_mark;
typedef struct panel_box {
    float left, right, top, bottom;
} panel_box;
typedef struct panel_board_view {
    long long frame;
    const char *dropped;    /* why it does not count, or NULL */
    double errors[2], rows; /* pixels */
} panel_board_view;
typedef struct panel_board {
    const char *text;              /* how far it has come, and what to do */
    const char *result;            /* in lines; NULL before there is one */
    const char *doubt;             /* why the board may be another one than was named, or NULL */
    const char *refusal;           /* why there is none, or NULL */
    const panel_mark *marks;       /* the points of the board */
    const panel_box *boxes;        /* parts of the pictures where no view has had the board */
    const panel_board_view *views; /* of the result */
    int mark_count, box_count, view_count;
    bool can_solve;
} panel_board;

/* What the view of the costs shows. */
typedef struct panel_cost_view {
    bool known;      /* there are costs: */
    float min, max;  /* that its colours cover */
    int method;      /* sv_method, which says what they are measured in */
    double at_mouse; /* of the pixel under the mouse; NAN: none */
    const char *age; /* that they are not those of the map on the screen; NULL: they are */
} panel_cost_view;

/* Everything that is shown and can be changed. The caller fills it in; strings are borrowed for the call (NULL: not
 * shown). Zero is right for everything that does not apply. */
typedef struct panel_state {
    /* Read and written. */
    sv_params params; /* always valid for sv_check_params */
    view_settings view;
    bool open;          /* the panel itself */
    double panel_width; /* in heights of its text */
    int theme;          /* panel_theme */
    bool statistics, help;
    double speed;   /* 1: as recorded */
    bool real_time; /* pairs that come too late are left out; false: every pair is matched */
    int method;     /* written together with INPUT_METHOD_TO: sv_method */
    double seek;    /* written together with INPUT_SEEK_TO: seconds; pictures: index */
    double offset;  /* by how many frames the right picture is later than the left one */
    panel_opening opening;
    int edited; /* while two sets are compared, the one that params are: 0 A, 1 B; changed by INPUT_COMPARE_EDIT */
    panel_settings settings;
    panel_qualities qualities;
    bool empty; /* no input is open: only the opening, a message and the list of keys are shown */

    /* Where we are. */
    const char *sources[2]; /* names of both sides; the second is NULL if one source has both */
    bool paused;
    bool seekable;
    bool movable;              /* the offset can be changed */
    double rate;               /* of the recording, frames a second; 0: unknown */
    bool recording;            /* what it sends is being written */
    bool live;                 /* a camera or a live stream: no position to show, no speed */
    bool pictures;             /* position and duration are indices, not seconds */
    double position, duration; /* duration 0: unknown */
    long long frame, frames;   /* counted from 0; frames 0: unknown */
    const char *typed;         /* the number of a frame, as far as it is typed; NULL: none is */
    int mark_count;            /* of A and B, between which playback repeats */
    double marks[2];           /* their positions */
    bool full_screen;          /* then the bar lies over the picture */
    bool bar_hidden;           /* in full screen: it is not drawn */

    /* How it goes. */
    const sv_params *shown;                         /* of the map on the screen; NULL before the first */
    bool comparing;                                 /* each pair is matched with two sets of parameters, A and B: */
    const char *sets[2], *difference;               /* in words: each with its time and errors; how the maps differ */
    const char *backend;                            /* "cuda" */
    bool has_pyramid;                               /* the backend takes the parameter "pyramid" */
    const char *device;                             /* "NVIDIA H200" */
    bool interop;                                   /* the backend writes into OpenGL's buffers; false: copied */
    int width, height;                              /* of the pictures */
    double shown_rate, matched_rate, captured_rate; /* a second */
    panel_figure figures[PANEL_MAX_FIGURES];
    int figure_count;
    const char *memory;           /* that the matchers take at most, in words; NULL: unknown */
    double now;                   /* by the clock of their traces */
    double skew_ms, tolerance_ms; /* live: mean time difference within a pair, and its limit */

    /* The cameras. */
    const sv_rectification *rectification; /* if it gives metres, else NULL */
    const char *alignment;                 /* the row offset of the pictures, in a sentence */
    const char *brightness;                /* that one picture is darker, in a sentence; NULL: they are alike */
    bool misaligned, darker;               /* `alignment`, `brightness` is a warning */
    double vertical_offset;                /* by how many rows the right picture lies lower */
    int alignment_points;                  /* at which it was measured; 0: unknown */
    bool can_align, aligns;                /* the cameras can be, are being aligned without a board */
    const char *rig;                       /* what that has found, in sentences; NULL: nothing to say */
    bool rig_is_wrong;                     /* `rig` says why it has found nothing */
    bool can_save_rig;                     /* there is something to be saved */
    const char *drift;                     /* of the cameras since, in a few words; NULL: unknown */
    bool moved;                            /* `drift` is a warning */
    const panel_board *board;              /* NULL: not calibrating */
    const char *message;                   /* one line over the picture */
    const char *advice, *cures[2];         /* what looks wrong, NULL: nothing; buttons that cure it, one or two */
    bool told_pace;                        /* the advice is that the matcher does not keep up with the source */
    bool message_is_error;
    const view_pixel *pixel;       /* under the mouse */
    const char *shades;            /* of both pictures there, in words; NULL: not known */
    bool costs_on;                 /* the costs of that pixel are plotted: */
    const sv_costs *costs;         /* NULL: they are not known yet */
    const sv_params *costs_params; /* of the match that had them */
    bool costs_second;             /* they are of B */
    const char *costs_age;         /* that they are not those of the map on the screen; NULL: they are */
    panel_cost_view cost_view;
    const histogram *histogram; /* of the map on the screen; NULL: not counted yet */
    const view_errors *errors;  /* against the truth, NULL if it is not known; the same in words: */
    const char *score;
    unsigned lacking;       /* VIEW_NEEDS_... of kinds of views that are not offered */
    const view_word *words; /* in the picture */
    int word_count;
} panel_state;

/* Writes the status line about the map on the screen: how fast, by what, with which parameters. Before the first map it
 * tells those that are being matched with. */
void panel_describe_map(const panel_state *state, char *text, size_t size);

/* Writes about the pixel under the mouse: its place, disparity, depth and reason, of both maps if there are two; empty
 * if there is none. */
void panel_describe_pixel(const panel_state *state, char *text, size_t size);

/* Writes the parameters of the matching window, as far as the method has them, to stand before others: "rho 4, tau 2,
 * ", or "". */
void panel_describe_window(const sv_params *params, char *text, size_t size);

/* Writes what share of the map's pixels has a value, and what share of the values lies at the largest disparity: "91.0
 * % with a value, 0.3 % of them at 63 px". Empty while it is not known. */
void panel_describe_values(const panel_state *state, char *text, size_t size);

/* Writes what the plot of the costs says: "(120, 80): 31.25 px, valid", the winner, and the second best. The value is
 * that of the map of which the costs are. */
void panel_describe_costs(const panel_state *state, char *pixel, char *winner, char *second, size_t size);

/* What a method's costs are measured in, to stand behind a number: " grey^2"; "" if there is no name for it. */
const char *panel_unit_of_costs(int method);

/* Writes where the map on the screen is: "frame 7 / 23", with the number of the last frame (~23: by the duration, while
 * the frames have not been counted), or with the time as well. */
void panel_describe_position(const panel_state *state, char *text, size_t size);

/* Writes the tooltip of a parameter: what it does, its values and its default, the option, how to change it. */
void panel_describe_parameter(const sv_params *params, const sv_parameter *parameter, char *text, size_t size);

/* True if the parameter's range spans decades, so that its slider is logarithmic. */
bool panel_spans_decades(const sv_parameter *parameter);

/* Shortens a text to at most `most` characters, 4 or more, by leaving out the middle; the end, which names a file,
 * keeps most of them. */
void panel_shorten(const char *text, int most, char *shown, size_t size);

typedef struct panel panel;

/* Creates the panel of a window.
 * Errors: SV_FAILED if memory runs out or Dear ImGui cannot use the window's OpenGL.
 * Thread: that of the OpenGL context, for all functions of a panel.
 * Lifetime: the caller destroys it with panel_destroy, before the window. */
sv_status panel_create(panel **out, window *window, sv_error *error);
void panel_destroy(panel *panel); /* accepts NULL; before window_close */

/* The part of the framebuffer that remains for the picture. */
view_rect panel_picture_area(const panel *panel, const panel_state *state);

/* True while the mouse is over the user interface and not over the picture. */
bool panel_has_mouse(const panel *panel);

/* Draws everything, after view_draw. Buttons push actions into the window's queue, as keys do. Only the members of
 * `state` named above are written. Draws nothing while the window is minimised. */
void panel_draw(panel *panel, panel_state *state);

#ifdef __cplusplus
}
#endif

#endif
