/* What the user asked for on the command line, and what follows from it. */
#ifndef APP_OPTIONS_OPTIONS_H
#define APP_OPTIONS_OPTIONS_H

#include "app/options/input_options.h"
#include "app/options/rig_options.h"
#include "app/options/settings.h"
#include "render/window/input.h"
#include "stereo/stereo.h"

enum { OPTIONS_MAX_OUTPUTS = 8 };

/* --shard 1/4: part `number` of `count`, from 1 on; {0}: the whole run. */
typedef struct share {
    int number, count;
} share;

/* How pairs are matched, and by what. */
typedef struct match_options {
    sv_params params;
    uint64_t given;      /* the parameters that the command line names: bit i is sv_parameters[i] */
    bool names_method;   /* the command line does, itself or by a quality */
    const char *compare; /* the second set as second_set_parse reads it, NULL without, and its parameters: */
    sv_params second;
    const char *backend; /* as sv_find_backend takes it */
    int threads;         /* 0: one a core */
    int device;          /* of the backend, from 0 */
    bool all_devices;    /* from that one on, a matcher on each */
} match_options;

/* What the window shows, and how it is used. */
typedef struct display_options {
    view_settings view; /* how maps are coloured and shown */
    input_keys keys;
    const char *keys_file; /* --keys */
    double draw_rate;      /* in a benchmark: at most this many frames drawn a second; 0: not given */
} display_options;

/* What kind of run it is. */
typedef struct run_options {
    bool headless, benchmark;
    const char *of_window; /* an option without effect where there is no window; NULL: none was given */
    const char *list;      /* the file of --list */
    share share;           /* --shard */
    bool resume;           /* skips frames whose files already exist */
} run_options;

/* What a run writes, and the truth that it compares maps with. */
typedef struct output_options {
    const char *files[OPTIONS_MAX_OUTPUTS]; /* -o */
    int count;
    const char *truth;
    double truth_scale; /* see truth_read */
    const char *stats;
    const char *record;    /* the file of --record */
    const char *snapshots; /* the folder of the window's snapshots */
} output_options;

/* The user's requests, by subject. Strings point into the command line or into `in_settings`. */
typedef struct options {
    bool help, version, list_cameras;
    sv_level log_level;
    const char *settings;        /* the settings file */
    settings_source in_settings; /* its source; owned */
    char *names[2];              /* of sources, that belong to no option */
    int name_count;              /* two mean -f, and one means -s; then they are there, too */

    input_options input;
    rig_options rig;
    match_options match;
    display_options display;
    run_options run;
    output_options output;
} options;

/* Frees what the options own, which command_line_read has read. */
void options_free(options *options);

/* The error for a run without a window that names no source.
 * Errors: SV_USAGE. */
sv_status options_refuse_nothing(sv_error *error);

/* True if --settings names a file that does not exist yet; the window may create it. */
bool options_have_new_settings(const options *options);

/* Logs which parameters the method does not use, and that a settings file does not exist yet. */
void options_remark(const options *options);

/* Reads "I/N" with 1 <= I <= N.
 * Errors: SV_USAGE. */
sv_status share_parse(share *share, const char *text, sv_error *error);

/* Narrows first..end - 1, a finite range, to the part. Parts are consecutive and differ in length by at most one; some
 * are empty if there are more parts than items. */
void share_narrow(const share *share, int64_t *first, int64_t *end);

#endif
