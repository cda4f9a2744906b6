/* What the user asked for on the command line, and what follows from it. */
#ifndef APP_OPTIONS_OPTIONS_H
#define APP_OPTIONS_OPTIONS_H

#include "app/options/settings.h"
#include "capture/live/camera.h"
#include "capture/split.h"
#include "render/window/input.h"
#include "rig/board.h"
#include "rig/board_print.h"
#include "stereo/stereo.h"

#include <stdatomic.h>

enum { OPTIONS_MAX_OUTPUTS = 8, OPTIONS_MAX_SAVED = 4, OPTIONS_MAX_CONTROLS = 16 };

/* The frames of a run. */
typedef struct frame_range {
    int64_t first, end; /* half open; INT64_MAX: no end */
    bool loop;          /* played again at the end, in the window */
    bool skip_damaged;  /* pairs with a damaged picture are left out */
} frame_range;

/* --shard: a part of a run, so that several programs, on as many machines, do all of it. Part `number` of `count`,
 * counted from 1 as in --shard 1/4; {0}: there is one part. */
typedef struct share {
    int number, count;
} share;

/* The user's requests. Strings point into the command line or into `in_settings`. */
typedef struct options {
    bool help, version;
    sv_level log_level;

    char *names[2];           /* of sources, that belong to no option */
    int name_count;           /* two mean -f, and one means -s; then they are there, too */
    const char *left, *right; /* -f */
    const char *whole;        /* -s: one source with both pictures */
    split_options split;      /* how they are in it; the memory is not filled in */
    bool splits;              /* --layout was given */
    double timeout;           /* of URLs, seconds */
    bool playlists;           /* files that name others are opened, too */
    bool moves;               /* --offset was given */
    bool offset_in_ms;        /* its unit is the millisecond, not the frame */
    double offset;            /* how much later the right picture is in its file than the left one in its own */
    bool demo;
    const char *cameras[2];                        /* -c; the second is NULL for one that sends both pictures */
    camera_options camera;                         /* of both, but for the controls: */
    const char *controls[2][OPTIONS_MAX_CONTROLS]; /* of each side, as of controls_set */
    int control_counts[2];
    bool controls_of_side; /* one of them is for one side only */
    bool equal_controls;   /* see controls_make_equal */
    double tolerance;      /* largest difference in time of a live pair, seconds; 0: half a frame */
    bool list_cameras;
    int synthetic_width, synthetic_height; /* --synthetic; 0 without it */

    const char *calibration;                         /* one file, or two with a comma between */
    const char *unit;                                /* of its lengths, if it names none; NULL: unknown; static */
    double rectify_alpha;                            /* see sv_rectify; negative: as the calibration says */
    const char *calibrate;                           /* --calibrate: the board, as board_parse reads it; NULL without */
    const char *print;                               /* --board: the board to be printed; NULL without */
    paper paper;                                     /* on which */
    board board;                                     /* of --calibrate or --board */
    board_lens lens;                                 /* the model that is calibrated */
    bool align, align_lens;                          /* --align, --align lens */
    double fov;                                      /* horizontal field of view, degrees; 0 if unknown */
    double baseline;                                 /* metres; 0 if unknown */
    const char *save_calibration[OPTIONS_MAX_SAVED]; /* each one file, or two with a comma between */
    int save_count;

    sv_params params;
    const char *compare; /* the second set as second_set_parse reads it, NULL without, and its parameters: */
    sv_params second;
    unsigned given;      /* the parameters that the command line names: bit i is sv_parameters[i] */
    view_settings view;  /* how maps are coloured and shown */
    const char *backend; /* as sv_find_backend takes it */
    int threads;         /* 0: one a core */
    int device;          /* of the backend, from 0 */
    bool all_devices;    /* from that one on, a matcher on each */
    const char *settings;
    settings_source in_settings; /* what that file says about the source, if the command line names none; owned */
    input_keys keys;             /* of the window */
    const char *keys_file;       /* --keys */
    const char *snapshots;       /* the folder of the window's snapshots */

    bool headless, benchmark;
    const char *of_window; /* an option that was given and has no effect without a window; NULL: none */
    double draw_rate;      /* in a benchmark with a window: at most this many frames drawn a second; 0: not given */
    frame_range frames;    /* --frames, --loop, --damaged */
    const char *outputs[OPTIONS_MAX_OUTPUTS];
    int output_count;
    bool resume;      /* skips frames whose files already exist */
    share share;      /* --shard */
    const char *list; /* the file of --list */
    const char *truth, *stats;
    const char *record;           /* the file of --record */
    const atomic_bool *abandoned; /* see source_options; borrowed */
    struct recording *recording;  /* gets what the sources send; borrowed; NULL: nothing does */
    double truth_scale;           /* see truth_read */
} options;

/* Frees what the options own, which command_line_read has read. */
void options_free(options *options);

/* The error for a command line that names no source, where there is no window to ask for one.
 * Errors: SV_USAGE. */
sv_status options_refuse_nothing(sv_error *error);

/* True if a source is named. */
bool options_have_source(const options *options);

/* True if the source is files or addresses, and neither cameras nor a rendered scene. */
bool options_name_files(const options *options);

/* True if --settings names a file that does not exist yet; the window may create it. */
bool options_have_new_settings(const options *options);

/* Logs notes about valid options: parameters that the method does not use, a settings file that does not exist yet. */
void options_remark(const options *options);

/* Reads "I/N" with 1 <= I <= N.
 * Errors: SV_USAGE. */
sv_status share_parse(share *share, const char *text, sv_error *error);

/* Narrows first..end - 1, a finite range, to the part: parts are consecutive, differ in length by at most one, and
 * together make up the range. A part may be empty if there are more parts than items. */
void share_narrow(const share *share, int64_t *first, int64_t *end);

#endif
