/* Calibration boards: their layout, and what can be derived from pictures of them without OpenCV.
 *
 * A charuco board is laid out as OpenCV draws it from 4.7 on, with a black square in the upper left corner and the
 * markers of DICT_4X4 in the white ones, row by row. An aprilgrid is laid out as Kalibr does, with tag 0 in the lower
 * left corner and black squares in the corners between the tags. */
#include "rig/board.h"

#include "rig/length.h"
#include "rig/rectify.h"
#include "stereo/sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Layout ----------------------------------------------------------------------------------- */

/* Reads "9x6". */
static bool parse_grid(const char *text, size_t length, int *columns, int *rows) {
    int read = 0;
    char copy[16];
    if (length >= sizeof copy) return false;
    memcpy(copy, text, length);
    copy[length] = 0;
    return sscanf(copy, "%3dx%3d%n", columns, rows, &read) == 2 && read == (int)length;
}

sv_status board_parse(const char *text, board *b, sv_error *error) {
    static const struct {
        const char *prefix;
        int most; /* markers, those of the dictionary */
        double marker;
    } kinds[] = {[BOARD_CHESS] = {"", 0, 0},
                 [BOARD_CHARUCO] = {"charuco:", 1000, 0.75},
                 [BOARD_APRILGRID] = {"aprilgrid:", 587, 0.3}};
    const char *rest = text;
    *b = (board){.kind = BOARD_CHESS};
    for (int k = BOARD_CHARUCO; k <= BOARD_APRILGRID; k++) {
        const size_t length = strlen(kinds[k].prefix);
        if (strncmp(text, kinds[k].prefix, length) != 0) continue;
        b->kind = (board_kind)k;
        rest = text + length;
    }
    const size_t grid = strcspn(rest, ":");
    const char *first = rest + grid + (rest[grid] == ':');
    const size_t length = strcspn(first, ":");
    const char *second = first[length] == ':' ? first + length + 1 : NULL;
    if (!parse_grid(rest, grid, &b->columns, &b->rows) || !length_parse(first, length, &b->square) ||
        (second && (b->kind == BOARD_CHESS || !length_parse(second, strlen(second), &b->marker))))
        return sv_fail(
            error, SV_USAGE,
            "'%s' is not a board: a chessboard of 9 x 6 inner corners and squares of 25 mm is 9x6:25mm; there "
            "are also charuco:8x5:30mm (squares) and aprilgrid:6x6:88mm (tags)",
            text);
    if (!second) b->marker = kinds[b->kind].marker * b->square;
    const int least = b->kind == BOARD_APRILGRID ? 1 : 3;
    if (b->columns < least || b->rows < least || board_points(b) > BOARD_MOST_POINTS ||
        board_markers(b) > kinds[b->kind].most)
        return sv_fail(error, SV_USAGE, "the board '%s' is too %s", text,
                       b->columns < least || b->rows < least ? "small" : "large");
    if (b->kind == BOARD_CHESS && b->columns == b->rows)
        return sv_fail(error, SV_USAGE,
                       "the board '%s' is square, so its orientation is ambiguous; use one with different numbers of "
                       "columns and rows",
                       text);
    if (b->kind == BOARD_CHARUCO && b->marker >= b->square)
        return sv_fail(error, SV_USAGE, "the markers of '%s' are not smaller than its squares", text);
    return SV_OK;
}

int board_points(const board *b) {
    return b->kind == BOARD_CHESS     ? b->columns * b->rows
           : b->kind == BOARD_CHARUCO ? (b->columns - 1) * (b->rows - 1)
                                      : 4 * b->columns * b->rows;
}

void board_point(const board *b, int point, double at[2]) {
    if (b->kind == BOARD_APRILGRID) {
        /* The corners of a tag, clockwise from the upper left one. */
        double side, corner[2];
        board_marker(b, point / 4, corner, &side);
        at[0] = corner[0] + (point % 4 == 1 || point % 4 == 2 ? side : 0);
        at[1] = corner[1] + (point % 4 >= 2 ? side : 0);
        return;
    }
    const int across = b->kind == BOARD_CHESS ? b->columns : b->columns - 1;
    at[0] = (point % across + 1) * b->square;
    at[1] = (point / across + 1) * b->square;
}

void board_size(const board *b, double size[2]) {
    const int more = b->kind == BOARD_CHESS;
    size[0] = (b->columns + more) * b->square;
    size[1] = (b->rows + more) * b->square;
    if (b->kind != BOARD_APRILGRID) return;
    size[0] += (b->columns + 1) * b->marker;
    size[1] += (b->rows + 1) * b->marker;
}

int board_markers(const board *b) {
    return b->kind == BOARD_CHESS ? 0 : b->kind == BOARD_CHARUCO ? b->columns * b->rows / 2 : b->columns * b->rows;
}

void board_marker(const board *b, int marker, double at[2], double *side) {
    if (b->kind == BOARD_APRILGRID) {
        const int column = marker % b->columns, row = b->rows - 1 - marker / b->columns;
        at[0] = b->marker + column * (b->square + b->marker);
        at[1] = b->marker + row * (b->square + b->marker);
        *side = b->square;
        return;
    }
    int row = 0, before = 0; /* markers in the rows above */
    for (int in_row; before + (in_row = (b->columns + row % 2) / 2) <= marker; row++) before += in_row;
    const int column = 2 * (marker - before) + (row % 2 == 0);
    at[0] = (column + 0.5) * b->square - b->marker / 2;
    at[1] = (row + 0.5) * b->square - b->marker / 2;
    *side = b->marker;
}

/* ---- Sights ----------------------------------------------------------------------------------- */

/* The direction from the first to the last point of a picture. */
static void direction(const board_sight *s, float d[2]) {
    for (int i = 0; i < 2; i++) d[i] = s->at[s->count - 1][i] - s->at[0][i];
}

static void reverse(board_sight *s) {
    for (int i = 0, j = s->count - 1; i < j; i++, j--)
        for (int k = 0; k < 2; k++) {
            const float kept = s->at[i][k];
            s->at[i][k] = s->at[j][k];
            s->at[j][k] = kept;
        }
}

int board_join(const board *b, board_view *view) {
    board_sight *left = &view->sides[0], *right = &view->sides[1];
    int kept = 0;
    for (int i = 0, j = 0; i < left->count && j < right->count;) {
        if (left->points[i] < right->points[j]) {
            i++;
        } else if (left->points[i] > right->points[j]) {
            j++;
        } else {
            left->points[kept] = right->points[kept] = left->points[i];
            memcpy(left->at[kept], left->at[i++], sizeof left->at[kept]);
            memcpy(right->at[kept++], right->at[j++], sizeof right->at[kept]);
        }
    }
    left->count = right->count = kept;
    if (b->kind == BOARD_CHESS && kept) {
        float l[2], r[2];
        direction(left, l);
        direction(right, r);
        if (l[0] * r[0] + l[1] * r[1] < 0) reverse(right);
    }
    return kept;
}

double board_distance(const board_sight *a, const board_sight *b) {
    double sum = 0;
    int common = 0;
    for (int i = 0, j = 0; i < a->count && j < b->count;) {
        if (a->points[i] == b->points[j]) {
            sum += hypot((double)(a->at[i][0] - b->at[j][0]), (double)(a->at[i][1] - b->at[j][1]));
            common++;
            i++;
            j++;
        } else if (a->points[i] < b->points[j]) {
            i++;
        } else {
            j++;
        }
    }
    return common ? sum / common : INFINITY;
}

void board_cover(const board_view *views, int count, int side, int width, int height,
                 bool cells[BOARD_CELLS_DOWN][BOARD_CELLS_ACROSS]) {
    memset(cells, 0, sizeof(bool[BOARD_CELLS_DOWN][BOARD_CELLS_ACROSS]));
    for (int i = 0; i < count; i++) {
        const board_sight *s = &views[i].sides[side];
        for (int k = 0; k < s->count && !views[i].dropped; k++) {
            const int x = (int)(s->at[k][0] * BOARD_CELLS_ACROSS / (float)width);
            const int y = (int)(s->at[k][1] * BOARD_CELLS_DOWN / (float)height);
            if (x >= 0 && y >= 0 && x < BOARD_CELLS_ACROSS && y < BOARD_CELLS_DOWN) cells[y][x] = true;
        }
    }
}

double board_coverage(const board_view *views, int count, int side, int width, int height) {
    bool cells[BOARD_CELLS_DOWN][BOARD_CELLS_ACROSS];
    int seen = 0;
    board_cover(views, count, side, width, height, cells);
    for (int i = 0; i < BOARD_CELLS_ACROSS * BOARD_CELLS_DOWN; i++)
        seen += cells[i / BOARD_CELLS_ACROSS][i % BOARD_CELLS_ACROSS];
    return (double)seen / (BOARD_CELLS_ACROSS * BOARD_CELLS_DOWN);
}

/* ---- Rows ------------------------------------------------------------------------------------- */

/* Stores |y_right - y_left| of the view's points after rectification; returns how many there are. */
static int rows_of(const sv_rectification *r, const board_view *view, double *rows) {
    int found = 0;
    for (int k = 0; k < view->sides[0].count; k++) {
        double at[2][2];
        bool ok = true;
        for (int side = 0; side < 2; side++) {
            const float *p = view->sides[side].at[k];
            ok = ok && sv_rectify_point(r, side, (const double[]){(double)p[0], (double)p[1]}, at[side]);
        }
        if (ok) rows[found++] = fabs(at[1][1] - at[0][1]);
    }
    return found;
}

double board_rows(const sv_rig *rig, board_view *views, int count, bool store) {
    sv_rectification r;
    double *rows = malloc(sizeof *rows * BOARD_MOST_POINTS * (size_t)count), result = NAN;
    int found = 0;
    if (rows && sv_rectify_frame(rig, rig->cameras[0].width, rig->cameras[0].height, 0, &r, NULL) == SV_OK) {
        for (int i = 0; i < count; i++) {
            if (views[i].dropped && !store) continue;
            const int own = rows_of(&r, &views[i], rows + found);
            if (store) {
                double sorted[BOARD_MOST_POINTS];
                memcpy(sorted, rows + found, sizeof *rows * (size_t)own);
                views[i].rows = sv_median(sorted, (size_t)own);
            }
            if (!views[i].dropped) found += own;
        }
        result = sv_median(rows, (size_t)found);
    }
    free(rows);
    return result;
}
