/* Calibration boards: their layout, where they are in pictures, and the rig that pictures of them determine. OpenCV
 * finds boards and solves for rigs (board_opencv.cpp); a build without it refuses both (board_none.c). */
#ifndef RIG_BOARD_H
#define RIG_BOARD_H

#include "stereo/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum board_kind {
    BOARD_CHESS,   /* a chessboard; the points are its inner corners */
    BOARD_CHARUCO, /* a chessboard with a marker in each white square; the same points; any part of it may be visible */
    BOARD_APRILGRID, /* Kalibr's grid of AprilTags; the points are the corners of the tags; any part of it may be
                        visible */
} board_kind;

enum { BOARD_MOST_POINTS = 1024 };

typedef struct board {
    board_kind kind;
    int columns, rows; /* chess: inner corners; charuco: squares; aprilgrid: tags */
    double square;     /* metres: side of a square; aprilgrid: of a tag */
    double marker;     /* metres: charuco: side of a marker; aprilgrid: gap between tags */
} board;

/* Reads "9x6:25mm" (a chessboard of 9 x 6 inner corners), "charuco:8x5:30mm[:22mm]" (squares, their side and that of
 * the markers) or "aprilgrid:6x6:88mm[:26.4mm]" (tags, their side and the gap between them).
 * Errors: SV_USAGE.
 * Thread: any. */
sv_status board_parse(const char *text, board *board, sv_error *error);

/* The points of the board, numbered from 0.
 * Thread: any. */
int board_points(const board *board);

/* Where a point is on the board, and the size of the whole pattern: metres to the right and down from its upper left
 * corner.
 * Thread: any. */
void board_point(const board *board, int point, double at[2]);
void board_size(const board *board, double size[2]);

/* The markers of the board, numbered from 0 as in their dictionary; a chessboard has none. board_marker gives the upper
 * left corner and the side of one, metres.
 * Thread: any. */
int board_markers(const board *board);
void board_marker(const board *board, int marker, double at[2], double *side);

/* The cells of a marker with its border, row by row; true is black. Returns how many there are across.
 * Errors: 0 in a build without OpenCV, with the reason in `error`.
 * Thread: any. */
int board_marker_cells(const board *board, int number, bool cells[BOARD_MOST_POINTS], sv_error *error);

/* ---- Pictures of it --------------------------------------------------------------------------- */

/* The points that were found in one picture, in the order of their numbers; pixels. */
typedef struct board_sight {
    int count, points[BOARD_MOST_POINTS];
    float at[BOARD_MOST_POINTS][2];
} board_sight;

/* A pair of pictures of the board. */
typedef struct board_view {
    int64_t frame; /* of the pair, for messages */
    board_sight sides[2];
    /* Filled in by board_calibrate. */
    const char *dropped; /* why it does not count, a static string; NULL if it counts */
    double errors[2];    /* reprojection error of each side, RMS, pixels; of a dropped view, if known */
    double rows;         /* median of |y_right - y_left| after rectification, pixels */
} board_view;

/* Finds the board in a grey picture; `sight->count` is 0 if it is not there. `quick`: for videos; gives up at once on
 * pictures that are unlikely to show a chessboard.
 * Errors: SV_FAILED without OpenCV, or when out of memory.
 * Thread: any. */
sv_status board_find(const board *board, const sv_image *grey, bool quick, board_sight *sight, sv_error *error);

/* Keeps the points that both sides show, and numbers those of a chessboard that seems turned by 180 degrees in the
 * right picture as in the left one. Returns how many are left.
 * Thread: any. */
int board_join(const board *board, board_view *view);

/* The mean distance of the common points of two sights, pixels; INFINITY if they have none.
 * Thread: any. */
double board_distance(const board_sight *a, const board_sight *b);

enum { BOARD_CELLS_ACROSS = 8, BOARD_CELLS_DOWN = 6 };

/* Marks the cells of the picture in which points of the views that count lie. `side`: 0 left, 1 right. board_coverage
 * is the fraction of marked cells, 0 to 1.
 * Thread: any. */
void board_cover(const board_view *views, int count, int side, int width, int height,
                 bool cells[BOARD_CELLS_DOWN][BOARD_CELLS_ACROSS]);
double board_coverage(const board_view *views, int count, int side, int width, int height);

/* How the board lies in a picture. */
typedef struct board_posture {
    double size;   /* square root of the ratio of the whole board's area to the picture's */
    double across; /* how much nearer its right end is than its left one: the difference of their inverse distances,
                    * divided by the inverse distance of the middle */
    double down;   /* the same for its lower end and its upper one */
} board_posture;

/* Finds it from the perspective of the points. False if they do not determine it.
 * Thread: any. */
bool board_find_posture(const board *board, const board_sight *sight, int width, int height, board_posture *posture);

/* How sharp a grey picture is at the points: the median of the steepest slope near a point, per pixel, divided by the
 * contrast there. 0.5 for an edge without blur; 0 if no point can be measured.
 * Thread: any. */
double board_sharpness(const sv_image *grey, const board_sight *sight);

/* ---- The rig ---------------------------------------------------------------------------------- */

typedef enum board_lens {
    BOARD_LENS_5,       /* k1 k2 p1 p2 k3 */
    BOARD_LENS_8,       /* and k4 k5 k6, the rational polynomial */
    BOARD_LENS_FISHEYE, /* k1 k2 k3 k4 of SV_LENS_EQUIDISTANT */
} board_lens;

/* A number and its standard deviation by the jackknife: the rig is solved again without each tenth of the views. */
typedef struct board_figure {
    double value, deviation;
} board_figure;

typedef struct board_result {
    sv_rig rig;               /* in metres */
    int used;                 /* views that count */
    double error, errors[2];  /* reprojection error, RMS, pixels: of all points, and of each side */
    board_figure rows;        /* as board_view.rows, over all points */
    board_figure focal[2];    /* fx, pixels */
    board_figure field[2];    /* horizontal field of view, degrees, before rectification; NAN from 180 degrees on */
    board_figure baseline;    /* metres */
    board_figure rotation[3]; /* of the right camera relative to the left one: about x, y and z, degrees */
    bool swapped;             /* the right camera stands to the left of the left one */
} board_result;

enum { BOARD_LEAST_VIEWS = 4, BOARD_LEAST_POINTS = 8 };

/* Solves for the rig from `count` views of pictures of width x height, each joined (board_join). Marks views that
 * contradict the others; they do not count. Between its steps it calls `stop` (may be NULL), to learn whether to give
 * up.
 * Errors: SV_FAILED if fewer than BOARD_LEAST_VIEWS views fit, if the views do not determine the rig, or without
 * OpenCV; SV_CANCELLED if it gave up.
 * Thread: any. */
sv_status board_calibrate(const board *board, board_lens lens, int width, int height, board_view *views, int count,
                          bool (*stop)(void *of), void *of, board_result *result, sv_error *error);

/* The version of OpenCV ("4.6.0"); NULL in a build without it. */
const char *board_opencv(void);

/* Errors: SV_FAILED in a build without OpenCV, with what is missing.
 * Thread: any. */
sv_status board_can_find(sv_error *error);

/* ---- For board_opencv.cpp --------------------------------------------------------------------- */

/* The median of |y_right - y_left| after rectification over all points of the views that count, pixels; with `store`,
 * that of each view is stored in its `rows`. NAN if the rig cannot be rectified. */
double board_rows(const sv_rig *rig, board_view *views, int count, bool store);

#ifdef __cplusplus
}
#endif

#endif
