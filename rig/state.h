/* Judges what was measured of a rig: fills in an sv_rig_state (stereo/stereoview.h), which the window's advice,
 * warnings, --stats, the library and Python show. */
#ifndef RIG_STATE_H
#define RIG_STATE_H

#include "rig/probe.h"

/* Mean grey values of a pair, 0..255. Cameras that control their exposure separately differ. */
typedef struct brightness {
    double left, right;
} brightness;

/* How much darker one picture is, as a fraction of the brighter one; 0: not enough to matter. */
double brightness_difference(const brightness *brightness);

/* Whether one picture is darker than the method of `params` tolerates. */
bool brightness_harms(const brightness *brightness, const sv_params *params);

/* How well a left picture matches the right pictures before and after its partner. */
enum { RIG_MOMENTS_MOST = 30 };
typedef struct rig_moments {
    bool swapped;   /* the sides were, for these shares */
    bool ambiguous; /* rows that are off explain them as well as another moment: something moves straight up or down */
    int reach;      /* frames to either side, at most RIG_MOMENTS_MOST; 0: there are no others, and nothing is known */
    /* Of the probe with the right picture of i - reach frames later, for i from 0 to 2 reach; NAN: there is none. */
    float shares[2 * RIG_MOMENTS_MOST + 1], medians[2 * RIG_MOMENTS_MOST + 1];
} rig_moments;

/* Corners that the probe's map relates to each other; where rows vary widely, parts of the picture. */
enum { RIG_ROWS_ACROSS = 8, RIG_ROWS_DOWN = 6 }; /* parts of the picture in which rows are measured by themselves */
typedef struct rig_rows {
    int points;    /* how many; fewer than RIG_ROWS_POINTS prove nothing */
    float offset;  /* pixels: median of y_right - y_left; positive: the right picture lies lower */
    float spread;  /* pixels: median deviation from it; if large, no row shift helps */
    float size;    /* pixels: root mean square of a smooth correction (rig/row_fit.h); 0: none is certain */
    int row_shift; /* that of the parameters, which `offset` is left after */
    float parts[RIG_ROWS_DOWN][RIG_ROWS_ACROSS];     /* medians as `offset`, by place in the left picture, and */
    int part_points[RIG_ROWS_DOWN][RIG_ROWS_ACROSS]; /* how many corners each has; 0: too few, or swapped sides */
} rig_rows;

enum { RIG_ROWS_POINTS = 8 };

/* Pixels: rows that are off by more are worth an alignment. */
#define RIG_ROWS_LEVEL 0.25f

/* From this share on, percent, rows and time are too nearly right to be mistaken for each other. */
#define RIG_SURE 80.0f

/* What was measured. {0}: nothing. */
typedef struct rig_facts {
    bool measured;       /* a pair was; false: only `moments` may be set */
    bool half;           /* both pictures are parts of one */
    bool calibrated;     /* the rectification is that of calibrated cameras */
    bool waits;          /* moments are still to be measured: claims that depend on them wait */
    sv_params params;    /* of the measurement */
    probe_result probe;  /* of the pair as it is */
    float share;         /* of the probe where the pair matches best: swapped, with rows shifted */
    bool swapped;        /* it does so with the sides swapped */
    bool either;         /* its pictures do not show which side is the left one */
    rig_rows rows;       /* then */
    rig_moments moments; /* then */
    brightness brightness;
    float outside; /* percent of the disparities of `probe` that the params do not search; NAN: not known */
} rig_facts;

/* The frames by which the right partner of a left picture should be later, or NAN if the moments have no distinct peak,
 * as those of a still scene. */
double rig_find_offset(const rig_moments *moments);

/* True if the rows may be measured on a map of these params: the pair matches, as it is, with disparities in the range.
 * Otherwise corners are found by chance. */
bool rig_shows_rows(const rig_facts *facts);

/* Judges it. An item that the facts leave open, or that another fault may explain, is SV_RIG_UNKNOWN. */
void rig_judge(const rig_facts *facts, sv_rig_state *state);

#endif
