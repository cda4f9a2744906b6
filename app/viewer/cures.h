/* What the cells of the rig strip report about the rig and the speed, and how to fix what is wrong. Pure functions. */
#ifndef APP_VIEWER_CURES_H
#define APP_VIEWER_CURES_H

#include "app/play/pace.h"
#include "render/panel/panel_rig.h"

/* The cells: the items of sv_rig_state, and the speed. */
enum { CELL_SPEED = SV_RIG_ITEM_COUNT, CELL_COUNT };

typedef enum cure {
    CURE_NONE,
    CURE_ARRANGE,   /* another layout, or the sides as they were */
    CURE_SWAP,      /* left and right */
    CURE_PAIR,      /* each left picture with the right one of the same moment */
    CURE_SHIFT,     /* the rows of the right picture */
    CURE_ALIGN,     /* the cameras */
    CURE_SGM,       /* a method that tolerates different brightness */
    CURE_PREFILTER, /* the same */
    CURE_WIDEN,     /* the range */
    CURE_SKIP,      /* frames that come too late */
    CURE_SHRINK     /* what is matched */
} cure;

/* What is known of the rig, and of how its pictures are played. */
typedef struct rig_case {
    sv_params params;
    sv_rig_state state; /* {0}: not known yet; see cures_judge */
    bool aligned;       /* there is a calibration, or the cameras are being aligned */
    bool moves_right;   /* the right side can be paired with other moments */
    double rate;        /* of the source, frames a second; 0: pictures */
    bool behind;        /* see pace.h, */
    pace_rates rates;   /* and by how much */
    bool live, real_time, paused;
    const char *offer, *offer_cure; /* what was found of the layout, and the button that changes it; NULL: nothing */
} rig_case;

enum { CELL_CURES = 2 };
typedef struct cell {
    panel_grade grade;
    double value; /* of the plot over time; NAN: none */
    char figure[24], finding[160];
    cure cures[CELL_CURES];
    const char *words[CELL_CURES]; /* of their buttons; NULL: none */
} cell;

void cures_judge(rig_case *of, const sv_rig_state *state);

/* Writes what the cell says. */
void cures_describe(const rig_case *of, int which, cell *cell);

/* What a cell is about. */
typedef struct cell_words {
    const char *name, *brief; /* "calibration", "calib." */
    const char *unit;         /* of its plot; NULL: it has none */
    const char *meaning;      /* in sentences */
} cell_words;
extern const cell_words cures_words[CELL_COUNT];

/* The parameters that a cure sets; those of the case if it does something else. */
sv_params cures_apply(cure cure, const rig_case *of);

#endif
