/* Prints calibration boards at their true size. */
#ifndef RIG_BOARD_PRINT_H
#define RIG_BOARD_PRINT_H

#include "rig/board.h"

typedef enum paper { PAPER_A4, PAPER_LETTER } paper;

/* True if the name ends in .pdf. */
bool board_print_takes(const char *path);

/* Writes the board and a ruler of 100 mm, with which the scale of the printer is checked, on one page; the page is
 * turned if the board fits better. Logs what to do with it. `name`: of the board, for the page.
 * Errors: SV_USAGE if the board is larger than the paper; SV_FAILED if the file cannot be written, or without OpenCV
 * for a board with markers. */
sv_status board_print(const char *path, const board *board, const char *name, paper paper, sv_error *error);

#endif
