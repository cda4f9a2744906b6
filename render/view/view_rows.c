/* The view of the rows: where in the left picture, and by how much, rows of the right one are off. */
#include "render/view/view_lines.h"
#include "render/view/view_units.h"
#include "render/view/view_words.h"

#include <math.h>
#include <stdio.h>

/* Pixels; as the cell of the strip grades them: green below the first, amber below the second, red from there on. */
static const float doubtful = 0.25f, bad = 1;

void view_set_rows(view *v, const view_row_errors *errors) {
    v->rows_known = errors;
    if (errors) v->rows = *errors;
}

/* The place of a part's middle on the screen, and the height of the part there. */
static double middle_of(const view *v, const view_pane *pane, int row, int column, double *x, double *y) {
    const double width = (double)v->width / VIEW_ROWS_ACROSS, height = (double)v->height / VIEW_ROWS_DOWN;
    layout_to_screen(pane, (column + 0.5) * width, (row + 0.5) * height, x, y);
    return height * pane->scale_y;
}

/* A bar from `y` to `end` with a head there, `grow` pixels larger on all sides. */
static void draw_arrow(const view_pane *pane, int x, int y, int end, int grow, const float colour[3]) {
    enum { THICK = 3, HEAD = 5 };
    const int down = end < y ? -1 : 1; /* positions grow upwards */
    const int low = end < y ? end : y, high = end < y ? y : end;
    view_fill(pane, (view_rect){x - THICK / 2 - grow, low - grow, THICK + 2 * grow, high - low + 1 + 2 * grow},
              colour[0], colour[1], colour[2]);
    for (int i = 0; i <= HEAD; i++)
        view_fill(pane, (view_rect){x - i - grow, end - down * i - grow, 2 * i + 1 + 2 * grow, 1 + 2 * grow}, colour[0],
                  colour[1], colour[2]);
}

void view_draw_rows(const view *v, const view_pane *pane) {
    static const float dark[3] = {0, 0, 0};
    static const float colours[3][3] = {{0.36f, 0.83f, 0.49f}, {1, 0.75f, 0.36f}, {1, 0.42f, 0.38f}};
    float most = bad;
    if (!v->rows_known) return;
    for (int row = 0; row < VIEW_ROWS_DOWN; row++)
        for (int column = 0; column < VIEW_ROWS_ACROSS; column++)
            if (isfinite(v->rows.of[row][column])) most = fmaxf(most, fabsf(v->rows.of[row][column]));
    for (int row = 0; row < VIEW_ROWS_DOWN; row++)
        for (int column = 0; column < VIEW_ROWS_ACROSS; column++) {
            const float off = v->rows.of[row][column];
            double x, y;
            if (!isfinite(off)) continue;
            const double length = 0.45 * middle_of(v, pane, row, column, &x, &y) * (double)(off / most);
            const int grade = fabsf(off) < doubtful ? 0 : fabsf(off) < bad ? 1 : 2;
            for (int edge = 1; edge >= 0; edge--)
                draw_arrow(pane, (int)floor(x), (int)floor(y), (int)floor(y - length), edge,
                           edge ? dark : colours[grade]);
        }
}

void view_add_rows(const view *v, const view_part *part, float line, view_word_list *list) {
    const view_pane *pane = &part->pane;
    const double width = pane->scale_x * v->width / VIEW_ROWS_ACROSS,
                 height = pane->scale_y * v->height / VIEW_ROWS_DOWN;
    if (part->kind != VIEW_ROWS || !pane->shown.width || !v->rows_known) return;
    if (width < 4 * (double)line || height < 1.5 * (double)line) return; /* numbers would cover each other */
    for (int row = 0; row < VIEW_ROWS_DOWN; row++)
        for (int column = 0; column < VIEW_ROWS_ACROSS; column++) {
            double x, y;
            char text[16];
            middle_of(v, pane, row, column, &x, &y);
            if (!isfinite(v->rows.of[row][column]) || layout_find(&pane->shown, 1, (int)x, (int)y)) continue;
            snprintf(text, sizeof text, "%+.2f", (double)v->rows.of[row][column]);
            view_add_word(list, x + (double)line / 2, y - (double)line / 2, &pane->shown, text);
        }
}
