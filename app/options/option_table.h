/* The options of the command line, one row each. Parameters are options, too: those are in sv_parameters. */
#ifndef APP_OPTIONS_OPTION_TABLE_H
#define APP_OPTIONS_OPTION_TABLE_H

#include "stereo/stereo.h"

typedef enum option_id {
    OPTION_FILES,
    OPTION_SIDE_BY_SIDE,
    OPTION_LAYOUT,
    OPTION_SWAP,
    OPTION_DEMO,
    OPTION_CAMERA,
    OPTION_SIZE,
    OPTION_RATE,
    OPTION_PIXEL_FORMAT,
    OPTION_OFFSET,
    OPTION_TIMEOUT,
    OPTION_TOLERANCE,
    OPTION_CONTROL,
    OPTION_LIST_CAMERAS,
    OPTION_SYNTHETIC,
    OPTION_CALIBRATION,
    OPTION_UNIT,
    OPTION_RECTIFY_ALPHA,
    OPTION_ROWS,
    OPTION_CALIBRATE,
    OPTION_LENS,
    OPTION_BOARD,
    OPTION_PAPER,
    OPTION_ALIGN,
    OPTION_FOV,
    OPTION_BASELINE,
    OPTION_SAVE_CALIBRATION,
    OPTION_METHOD,
    OPTION_QUALITY,
    OPTION_DISPARITIES,
    OPTION_COMPARE,
    OPTION_BACKEND,
    OPTION_DEVICE,
    OPTION_DECODER,
    OPTION_THREADS,
    OPTION_SETTINGS,
    OPTION_SNAPSHOTS,
    OPTION_KEYS,
    OPTION_VIEW,
    OPTION_MIN_DEPTH,
    OPTION_MAX_DEPTH,
    OPTION_HEADLESS,
    OPTION_FRAMES,
    OPTION_LOOP,
    OPTION_DAMAGED,
    OPTION_RECORD,
    OPTION_OUTPUT,
    OPTION_LIST,
    OPTION_SHARD,
    OPTION_RESUME,
    OPTION_TRUTH,
    OPTION_TRUTH_SCALE,
    OPTION_STATS,
    OPTION_BENCHMARK,
    OPTION_DRAW_RATE,
    OPTION_VERBOSE,
    OPTION_QUIET,
    OPTION_VERSION,
    OPTION_HELP,
    OPTION_COUNT /* how many there are */
} option_id;

typedef struct option {
    char letter;      /* 0: none */
    const char *name; /* without dashes */
    option_id id;
    int values;              /* how many arguments follow; -c and --align may have one more */
    const char *value_names; /* in --help and messages; "" without values */
    const char *help;
} option;

extern const option option_table[OPTION_COUNT]; /* in the order of --help */

/* The option that an argument names, such as "-f" or "--files"; NULL if there is none. */
const option *option_find(const char *argument);

/* Word `i` of those that the option takes, from 0 on, also for the shells' completion; NULL after the last. */
const char *option_word(option_id id, int i);

/* The number of that word, -1 if there is none. */
int option_word_of(option_id id, const char *text);

/* The error for a value that is none of the words.
 * Errors: SV_USAGE. */
sv_status option_refuse_word(const option *option, const char *text, sv_error *error);

#endif
