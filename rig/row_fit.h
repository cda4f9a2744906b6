/* The rows of a pair after rectification: by how much those of the right picture are off all over it. */
#ifndef RIG_ROW_FIT_H
#define RIG_ROW_FIT_H

#include "rig/row_points.h"

/* A row correction (sv_row_correction, stereo/rig.h) and how good it is. */
typedef struct row_fit {
    double terms[SV_ROW_TERMS];
    int points, used;   /* points, and those of them that agree */
    bool known;         /* enough of them do, spread over enough of the picture; if not, the terms are 0 */
    double size;        /* pixels: root mean square of the correction over the picture */
    double least, most; /* pixels: of the correction over the picture */
    double deviation;   /* pixels: the standard deviation of `size` */
    double rest;        /* pixels: root mean square of what it leaves, as the means of parts of the picture show it */
} row_fit;

/* Fits the correction to `count` points of pictures of width x height, some of which are wrong. Where there are no
 * points, it does not grow.
 * Errors: SV_FAILED when out of memory.
 * Thread: any. */
sv_status row_fit_points(const row_point *points, int count, int width, int height, row_fit *result, sv_error *error);

/* Adds what was measured with the correction of `fit` in place: the terms add up, the rest is that of `more`. */
void row_fit_add(row_fit *fit, const row_fit *more, int width, int height);

/* True if it should be corrected and measured again: where rows are far off, few corners are followed, some wrongly. */
bool row_fit_is_rough(const row_fit *fit);

/* What the rows need. */
typedef enum row_cure {
    ROWS_ARE_LEVEL,  /* nothing, or it is not known */
    ROWS_TO_CORRECT, /* the correction: its size exceeds 0.2 pixels and three times its deviation */
    ROWS_TO_ALIGN    /* an alignment of the cameras (rig/selfalign.h): the size exceeds 3.5 pixels, beyond which corners
                      * are not followed, or the rest a quarter of a pixel */
} row_cure;

row_cure row_fit_cure(const row_fit *fit);

/* True if the correction is worth making, whether or not an alignment would do better. */
bool row_fit_helps(const row_fit *fit);

#endif
