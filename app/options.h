/* The command line. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "capture/camera.h"
#include "capture/split.h"
#include "render/view.h"
#include "stereo/stereo.h"

#include <stdio.h>

#define STEREOVIEW_VERSION "0.1.0"

enum { OPTIONS_MAX_OUTPUTS = 8 };

/* What the user asked for. Strings are the command line's own. */
typedef struct options {
    bool help, version;
    sv_level log_level;

    const char *left, *right; /* -f */
    const char *whole;        /* -s: one source with both pictures */
    split_options split;      /* how they are in it; the memory is not filled in */
    bool splits;              /* --layout or --swap was given */
    double timeout;           /* of addresses, seconds */
    bool playlists;           /* files that name others are opened, too */
    bool moves;               /* --offset was given: */
    bool offset_in_ms;        /* of this unit, and not of frames, */
    double offset;            /* the right picture is so much further on in its file than the left one in its own */
    bool demo;
    const char *cameras[2]; /* -c; the second is NULL for one that sends both pictures */
    camera_options camera;  /* of both */
    double tolerance;       /* largest difference in time of a live pair, seconds; 0: half a frame */
    bool list_cameras;
    int synthetic_width, synthetic_height; /* --synthetic; 0 without it */

    const char *calibration; /* one file, or two with a comma between */
    double rectify_alpha;    /* see sv_rectify; negative: as the calibration says */

    sv_params params;
    unsigned given;      /* the parameters that the command line names: bit i is sv_parameters[i] */
    view_settings view;  /* how maps are coloured and shown */
    const char *backend; /* "auto", "cuda", "cpu" */
    int threads;         /* 0: one a core */
    const char *settings;

    bool headless, loop, benchmark;
    bool skip_damaged;  /* --damaged: pairs with a damaged picture are left out */
    int64_t first, end; /* --frames: half open; end is INT64_MAX without one */
    const char *outputs[OPTIONS_MAX_OUTPUTS];
    int output_count;
    const char *truth, *stats;
    double truth_scale; /* see truth_read */
} options;

/* Reads the command line and the settings file that it names; options win over the file, whatever their
 * order. SV_USAGE with a message that names the option, also for those that a later version will bring. */
sv_status options_read(options *options, int argc, char **argv, sv_error *error);

/* Says in the log what is worth knowing of options that are right: parameters that the method does not use, a settings
 * file that is not there yet. */
void options_remark(const options *options);

/* --help: made from the same tables as the reading. */
void options_print_help(FILE *stream);

#endif
