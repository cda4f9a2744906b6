/* What is known of the two cameras, and how the rest is found out. */
#ifndef APP_OPTIONS_RIG_OPTIONS_H
#define APP_OPTIONS_RIG_OPTIONS_H

#include "rig/board.h"
#include "rig/board_print.h"

enum { OPTIONS_MAX_SAVED = 4 };

/* Strings point into the command line or into a settings file. */
typedef struct rig_options {
    const char *calibration; /* one file, or two with a comma between */
    const char *unit;        /* of its lengths, if it names none; NULL: unknown; static */
    double rectify_alpha;    /* see sv_rectify; negative: as the calibration says */

    const char *calibrate; /* --calibrate: the board, as board_parse reads it; NULL without */
    board_lens lens;       /* the model that is calibrated */
    const char *print;     /* --board: the board to be printed; NULL without */
    paper paper;           /* on which */
    board board;           /* of --calibrate or --board */

    bool align, align_lens; /* --align, --align lens */
    double fov;             /* horizontal field of view, degrees; 0 if unknown */
    double baseline;        /* metres; 0 if unknown */

    const char *saved[OPTIONS_MAX_SAVED]; /* --save-calibration: each one file, or two with a comma between */
    int saved_count;
} rig_options;

#endif
