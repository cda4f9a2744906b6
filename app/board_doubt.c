/* Whether the chessboard that is shown has the size that was named. */
#include "app/board_doubt.h"

#include <stdio.h>

/* So many pictures tell of another board: of one that is larger than the one that was named; of one that could be a
 * part of it, which videos show while the board is moved into the picture. */
enum { LARGER = 2, SMALLER = 4, SMALLER_IN_VIDEO = 30 };

void board_doubt_count(board_doubt *d, const int corners[2]) {
    const int across = d->board->columns, down = d->board->rows;
    const int more = across > down ? across : down, fewer = across > down ? down : across;
    const bool larger = corners[0] > more || corners[1] > fewer;
    if (d->settled || corners[0] >= BOARD_MOST_SIDE || corners[1] >= BOARD_MOST_SIDE) return;
    const int enough = larger ? LARGER : d->pictures ? SMALLER : SMALLER_IN_VIDEO;
    d->settled = corners[0] == more && corners[1] == fewer;
    if (d->settled) d->is_other = false;
    if (d->settled || ++d->seen[corners[0]][corners[1]] < enough) return;
    d->is_other = true;
    d->corners[0] = corners[0];
    d->corners[1] = corners[1];
}

void board_doubt_look(board_doubt *d, const sv_image *grey) {
    int corners[2];
    if (d->board->kind == BOARD_CHESS && !d->settled && board_count_corners(grey, corners))
        board_doubt_count(d, corners);
}

void board_doubt_describe(const board_doubt *d, char *text, size_t size) {
    *text = 0;
    if (d->is_other)
        snprintf(
            text, size,
            "the pictures show a board with %d x %d inner corners, and %d x %d were named; end the program, and name "
            "the board that is there: --calibrate %dx%d:%gmm if its squares measure that",
            d->corners[0], d->corners[1], d->board->columns, d->board->rows, d->corners[0], d->corners[1],
            1e3 * d->board->square);
}
