/* Aligns two cameras without a calibration board: estimates the rotation between the cameras from points that both saw,
 * so that rows become common. */
#ifndef RIG_SELFALIGN_H
#define RIG_SELFALIGN_H

#include "stereo/rig.h"

/* A corner of the scene in both pictures, pixels. */
typedef struct selfalign_point {
    float left[2], right[2];
} selfalign_point;

/* A number and its standard deviation. */
typedef struct selfalign_figure {
    double value, deviation;
} selfalign_figure;

typedef struct selfalign_result {
    sv_rig rig;       /* not metric: the baseline is 1 */
    int points, used; /* distinct points, and those of them that agree */
    double rows;      /* median of |y_right - y_left| after rectification over the points that agree, pixels */
    selfalign_figure rotation[3]; /* of the right camera relative to the left one: about x, y and z, degrees */
    selfalign_figure ratio;       /* focal length of the right camera divided by that of the left one */
    selfalign_figure radial[2];   /* k4 of each lens; 0 unless `lens` */
    bool swapped;                 /* it was refused because left and right are swapped */
} selfalign_result;

/* Estimates the rig from `count` points of pictures of width x height, most of which may be wrong. Points within 1.5
 * pixels of each other in both pictures count as one. `focal`: the mean focal length, pixels; a wrong one scales the
 * angles, and hardly moves the rows. `lens`: also estimates a radial coefficient of each lens.
 * Errors: SV_FAILED, with the reason, if the points do not determine the rig: too few that agree, all in one part of
 * the picture, nearly all on a plane, or the pictures swapped; or out of memory.
 * Thread: any. */
sv_status selfalign(const selfalign_point *points, int count, int width, int height, double focal, bool lens,
                    selfalign_result *result, sv_error *error);

/* The same from few points, of which at least half must agree: good enough to search for others. `least` and `most`:
 * pixels, the disparities of the points that agree, at this focal length, with the cameras turned as found.
 * Errors: SV_FAILED if too few agree; or out of memory.
 * Thread: any. */
sv_status selfalign_roughly(const selfalign_point *points, int count, int width, int height, double focal, bool lens,
                            sv_rig *rig, double *least, double *most, sv_error *error);

#endif
