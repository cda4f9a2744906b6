/* Whether the chessboard that is shown has the size that was named. OpenCV finds a board of 8 x 6 corners in one of 9 x
 * 6, each time elsewhere, and one of 10 x 7 never. */
#ifndef APP_BOARD_DOUBT_H
#define APP_BOARD_DOUBT_H

#include "rig/board.h"

enum { BOARD_MOST_SIDE = 64 }; /* inner corners along a side that are counted */

typedef struct board_doubt {
    const board *board;
    bool pictures;  /* and no video */
    bool settled;   /* the board that was named was seen */
    bool is_other;  /* another one was, so far: */
    int corners[2]; /* its inner corners, the more first */
    int seen[BOARD_MOST_SIDE][BOARD_MOST_SIDE];
} board_doubt;

/* Looks at a grey picture, until the doubt is settled. Of boards with markers there is none. It takes about as long as
 * board_find. */
void board_doubt_look(board_doubt *doubt, const sv_image *grey);

/* The same without looking: the picture shows a board with these inner corners, the more first. */
void board_doubt_count(board_doubt *doubt, const int corners[2]);

/* Says that another board is shown, and what to do; "" if that is not so, or not known. */
void board_doubt_describe(const board_doubt *doubt, char *text, size_t size);

#endif
