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
} row_fit;

/* Fits the correction to `count` points of pictures of width x height, some of which are wrong. Where there are no
 * points, it does not grow.
 * Errors: SV_FAILED when out of memory.
 * Thread: any. */
sv_status row_fit_points(const row_point *points, int count, int width, int height, row_fit *result, sv_error *error);

/* True if the correction is worth making: it exceeds 0.2 pixels and three times its deviation, and nowhere two
 * pixels, beyond which the cameras need an alignment (rig/selfalign.h). */
bool row_fit_helps(const row_fit *fit);

/* True if it is known and exceeds two pixels somewhere. */
bool row_fit_is_too_large(const row_fit *fit);

#endif
