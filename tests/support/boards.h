/* Calibration boards and rigs for tests of rig/. A check that fails ends the test. */
#ifndef TESTS_SUPPORT_BOARDS_H
#define TESTS_SUPPORT_BOARDS_H

#include "rig/board.h"

enum { BOARDS_WIDTH = 640, BOARDS_HEIGHT = 480 }; /* of every picture, pixels */

board board_of(const char *text);

/* Skips a test of what only OpenCV can do, in a build without it. */
void skip_without_opencv(void);

/* A pinhole camera before a board: a point of the board becomes m * point + shift in its frame, metres. */
typedef struct placing {
    double m[3][3], shift[3], focal; /* focal: pixels */
} placing;

/* The board turned by x, y, z, radians, with its middle at `middle`, metres. */
placing place(const board *b, double x, double y, double z, const double middle[3]);

/* Where the camera sees a point of the board, pixels. */
void board_project(const placing *placing, const double at[2], double pixel[2]);

/* What the camera sees of the board, before white. The caller frees its data. */
sv_image board_render(const board *board, const placing *placing);

/* Two cameras 120 mm apart, with coefficients of this model. */
sv_rig rig_of(board_lens lens);

#endif
