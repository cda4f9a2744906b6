/* Whether the board that is shown has the size that was named. OpenCV finds a chessboard of 8 x 6 corners in one of 9 x
 * 6, each time elsewhere, and one of 10 x 7 never. The markers of other boards are numbered by the length of their
 * rows: if that is another one, they are in the wrong places; how many rows there are does not matter. */
#ifndef APP_CALIBRATE_BOARD_DOUBT_H
#define APP_CALIBRATE_BOARD_DOUBT_H

#include "rig/board.h"

enum { BOARD_MOST_SIDE = 64 }; /* inner corners, squares or tags along a side that are counted */

typedef struct board_doubt {
    const board *board;
    bool pictures; /* and no video */
    bool settled;  /* the board that was named was seen */
    bool is_other; /* another one was, so far: */
    int size[2];   /* as of board_doubt_count */
    int seen[BOARD_MOST_SIDE][BOARD_MOST_SIDE];
} board_doubt;

/* Looks at a grey picture, until the doubt is settled. It takes about as long as board_find. */
void board_doubt_look(board_doubt *doubt, const sv_image *grey);

/* The same without looking: the picture shows a board of that size. Of a chessboard, how many inner corners it has
 * along its longer side and its shorter one; of others, how many squares or tags a row has, and 0. */
void board_doubt_count(board_doubt *doubt, const int size[2]);

/* Says that another board is shown, and what to do; "" if that is not so, or not known. */
void board_doubt_describe(const board_doubt *doubt, char *text, size_t size);

#endif
