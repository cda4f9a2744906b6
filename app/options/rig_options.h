/* What is known of the two cameras, and how the rest is found out. */
#ifndef APP_OPTIONS_RIG_OPTIONS_H
#define APP_OPTIONS_RIG_OPTIONS_H

#include "rig/board.h"
#include "rig/board_print.h"
#include "stereo/rig.h"

enum { OPTIONS_MAX_SAVED = 4 };

/* --rows */
typedef enum rows_choice {
    ROWS_AUTO,  /* measured, and corrected where that helps */
    ROWS_OFF,   /* left as they are */
    ROWS_GIVEN, /* corrected by the terms that the user gives */
} rows_choice;

/* A term of a row correction to the fourth decimal, which settings files and --stats repeat exactly. */
static inline double rig_round_rows(double term) { return round(1e4 * term) / 1e4; }

/* Strings point into the command line or into a settings file. */
typedef struct rig_options {
    const char *calibration; /* one file, or two with a comma between */
    const char *unit;        /* of its lengths, if it names none; NULL: unknown; static */
    double rectify_alpha;    /* see sv_rectify; negative: that of the calibration */

    const char *calibrate; /* --calibrate: the board, as board_parse reads it; NULL without */
    board_lens lens;       /* the model that is calibrated */
    const char *print;     /* --board: the board to be printed; NULL without */
    paper paper;           /* on which */
    board board;           /* of --calibrate or --board */

    bool align, align_lens; /* --align, --align lens */
    double fov;             /* horizontal field of view, degrees; 0 if unknown */
    double baseline;        /* metres; 0 if unknown */

    rows_choice rows;
    double row_terms[SV_ROW_TERMS]; /* of ROWS_GIVEN, see sv_row_correction; in place of those of the calibration */

    const char *saved[OPTIONS_MAX_SAVED]; /* --save-calibration: each one file, or two with a comma between */
    int saved_count;
} rig_options;

#endif
