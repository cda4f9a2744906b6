/* Whether the board that is shown has the size that was named. */
#include "app/calibrate/board_doubt.h"

#include <stdio.h>

/* So many pictures tell of another board: of one that is certain; of a chessboard that could be a part of the one that
 * was named, which videos show while the board is moved into the picture. */
enum { CERTAIN = 2, SMALLER = 4, SMALLER_IN_VIDEO = 30 };

/* The size that was named, as of board_doubt_count. */
static void name_size(const board *b, int size[2]) {
    const bool wide = b->columns > b->rows;
    size[0] = b->kind != BOARD_CHESS || wide ? b->columns : b->rows;
    size[1] = b->kind != BOARD_CHESS ? 0 : wide ? b->rows : b->columns;
}

void board_doubt_count(board_doubt *d, const int size[2]) {
    int named[2];
    name_size(d->board, named);
    const bool certain = d->board->kind != BOARD_CHESS || size[0] > named[0] || size[1] > named[1];
    if (d->settled || size[0] >= BOARD_MOST_SIDE || size[1] >= BOARD_MOST_SIDE) return;
    const int enough = certain ? CERTAIN : d->pictures ? SMALLER : SMALLER_IN_VIDEO;
    d->settled = size[0] == named[0] && size[1] == named[1];
    if (d->settled) d->is_other = false;
    if (d->settled || ++d->seen[size[0]][size[1]] < enough) return;
    d->is_other = true;
    d->size[0] = size[0];
    d->size[1] = size[1];
}

void board_doubt_look(board_doubt *d, const sv_image *grey) {
    int size[2] = {0, 0};
    if (d->settled) return;
    if (d->board->kind == BOARD_CHESS ? board_count_corners(grey, size)
                                      : (size[0] = board_count_columns(d->board, grey)) > 0)
        board_doubt_count(d, size);
}

void board_doubt_describe(const board_doubt *d, char *text, size_t size) {
    static const char *const kinds[][2] = {
        [BOARD_CHARUCO] = {"charuco", "squares"}, [BOARD_APRILGRID] = {"aprilgrid", "tags"}};
    const board *b = d->board;
    *text = 0;
    if (!d->is_other) return;
    if (b->kind == BOARD_CHESS)
        snprintf(
            text, size,
            "the pictures show a board with %d x %d inner corners, and %d x %d were named; end the program, and name "
            "the board that is there: --calibrate %dx%d:%gmm if its squares measure that",
            d->size[0], d->size[1], b->columns, b->rows, d->size[0], d->size[1], 1e3 * b->square);
    else
        snprintf(text, size,
                 "the pictures show a board with %d %s in a row, and %d were named; end the program, and name the "
                 "board that is there: --calibrate %s:%dxROWS:SIDE",
                 d->size[0], kinds[b->kind][1], b->columns, kinds[b->kind][0], d->size[0]);
}
