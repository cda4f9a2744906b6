/* What looks wrong in the window, and what cures it. */
#ifndef APP_VIEWER_ADVICE_H
#define APP_VIEWER_ADVICE_H

#include "app/play/pace.h"

#include <stdbool.h>

typedef enum advice {
    ADVICE_NONE,
    ADVICE_SWAPPED,    /* left and right */
    ADVICE_TIME,       /* the sides are of different moments */
    ADVICE_ROWS,       /* one picture lies lower */
    ADVICE_ALIGN,      /* the rows are off by an amount that varies over the picture */
    ADVICE_BRIGHTNESS, /* one picture is so much darker that the method fails */
    ADVICE_RANGE,      /* nearer objects are cut off */
    ADVICE_PACE        /* slower than real time */
} advice;

/* What is known of the rig, and of how its pictures are played. */
typedef struct advice_facts {
    sv_params params;
    sv_rig_state state; /* {0}: not known yet */
    bool aligned;       /* there is a calibration, or the cameras are being aligned */
    bool moves_right;   /* the right side can be paired with other moments */
    double rate;        /* of the source, frames a second; 0: pictures */
    bool behind;        /* see pace.h, */
    pace_rates rates;   /* and by how much */
    bool live, real_time;
} advice_facts;

/* The most important problem that can be cured and whose bit (1 << advice) is not in `dismissed`. A problem that may
 * follow from another comes after it. */
advice advice_choose(const advice_facts *facts, unsigned dismissed);

/* Writes one line about it. `buttons`: the words of those that cure it, NULL: fewer than two do. */
void advice_describe(advice advice, const advice_facts *facts, char *text, size_t size, const char *buttons[2]);

/* The parameters that the button (0 or 1) sets; those of the facts if it does something else. */
sv_params advice_cure(advice advice, const advice_facts *facts, int button);

#endif
