/* Where the views lie, and what they show. */
#include "render/view/layout.h"

#include <math.h>

enum { GAP = 6 }; /* framebuffer pixels between two views */

static const char *const names[VIEW_LAYOUT_COUNT] = {"one", "side by side", "over and under", "four", "two"};

const char *view_layout_name(int layout) { return layout >= 0 && layout < VIEW_LAYOUT_COUNT ? names[layout] : "?"; }

/* Column and row of a cell in a grid, from the top left. */
static view_rect cell_at(view_rect area, int columns, int rows, int column, int row) {
    const int width = (area.width - (columns - 1) * GAP) / columns, height = (area.height - (rows - 1) * GAP) / rows;
    if (area.width < 1 || area.height < 1 || width < 1 || height < 1) return (view_rect){0};
    return (view_rect){area.x + column * (width + GAP), area.y + area.height - height - row * (height + GAP), width,
                       height};
}

/* How high a picture of that aspect is in a cell that it fits. */
static double fitting_height(view_rect cell, double aspect) { return fmin(cell.height, cell.width / aspect); }

/* The arrangement of two views that shows larger pictures. */
static int arrange_two(view_rect area, double aspect) {
    const view_rect beside = cell_at(area, 2, 1, 0, 0), above = cell_at(area, 1, 2, 0, 0);
    return fitting_height(beside, aspect) > fitting_height(above, aspect) ? VIEW_SIDE_BY_SIDE : VIEW_OVER_UNDER;
}

int layout_cells(int layout, view_rect area, double aspect, view_rect cells[VIEW_MOST]) {
    if (layout == VIEW_TWO) layout = arrange_two(area, aspect > 0 ? aspect : 4.0 / 3);
    const int columns = layout == VIEW_SIDE_BY_SIDE || layout == VIEW_FOUR ? 2 : 1;
    const int rows = layout == VIEW_OVER_UNDER || layout == VIEW_FOUR ? 2 : 1;
    for (int i = 0; i < columns * rows; i++) cells[i] = cell_at(area, columns, rows, i % columns, i / columns);
    return columns * rows;
}

void layout_halves(view_rect cell, view_rect halves[2]) {
    for (int i = 0; i < 2; i++) halves[i] = cell_at(cell, 2, 1, i, 0);
}

static double fitting_scale(view_rect cell, int width, int height) {
    return fmin((double)cell.width / width, (double)cell.height / height);
}

/* Where a picture of `size` screen pixels begins that should begin at `wanted`, in a cell that begins at `begin` and is
 * `room` pixels long. */
static double begin_of(double wanted, double size, int begin, int room) {
    if (size <= room) return begin + floor((room - size) / 2);
    return fmax(fmin(round(wanted), begin), ceil(begin + room - size));
}

view_pane layout_pane(view_rect cell, int width, int height, view_zoom zoom) {
    view_pane pane = {.cell = cell};
    if (cell.width < 1 || cell.height < 1) return pane;
    const bool fits = !(zoom.scale > 0);
    const double scale = fits ? fitting_scale(cell, width, height) : zoom.scale;
    const double size_x = fits ? fmax(1, round(scale * width)) : scale * width;
    const double size_y = fits ? fmax(1, round(scale * height)) : scale * height;
    /* Rows are counted from the cell's upper edge downwards. */
    const double from_top = begin_of(cell.height / 2.0 - zoom.y * scale, size_y, 0, cell.height);
    pane.left = begin_of(cell.x + cell.width / 2.0 - zoom.x * scale, size_x, cell.x, cell.width);
    pane.top = cell.y + cell.height - from_top;
    pane.scale_x = size_x / width;
    pane.scale_y = size_y / height;
    /* Pixels of the screen whose middle is inside. */
    const double end = ceil(pane.left + size_x - 0.5);
    const int first = (int)fmax(cell.x, pane.left), last = (int)fmin(cell.x + cell.width, end);
    const int upper = (int)fmin(cell.y + cell.height, pane.top), lower = (int)fmax(cell.y, round(pane.top - size_y));
    if (last > first && upper > lower) pane.shown = (view_rect){first, lower, last - first, upper - lower};
    return pane;
}

static bool inside(const view_rect *r, double x, double y) {
    return x >= r->x && y >= r->y && x < r->x + r->width && y < r->y + r->height;
}

bool layout_to_picture(const view_pane *pane, int x, int y, double *picture_x, double *picture_y) {
    if (!inside(&pane->shown, x, y)) return false;
    *picture_x = (x + 0.5 - pane->left) / pane->scale_x;
    *picture_y = (pane->top - y - 0.5) / pane->scale_y;
    return true;
}

bool layout_to_screen(const view_pane *pane, double picture_x, double picture_y, double *x, double *y) {
    *x = pane->left + picture_x * pane->scale_x;
    *y = pane->top - picture_y * pane->scale_y;
    return inside(&pane->shown, *x, *y);
}

int layout_find(const view_rect *rects, int count, int x, int y) {
    for (int i = 0; i < count; i++)
        if (inside(&rects[i], x, y)) return i;
    return -1;
}

/* The zoom of a scale at which the picture's position at x, y of the screen stays there. */
static view_zoom zoom_with(const view_pane *pane, double scale, double x, double y) {
    const double at_x = (x - pane->left) / pane->scale_x, at_y = (pane->top - y) / pane->scale_y;
    const double middle_x = pane->cell.x + pane->cell.width / 2.0, middle_y = pane->cell.y + pane->cell.height / 2.0;
    return (view_zoom){scale, at_x - (x - middle_x) / scale, at_y - (middle_y - y) / scale};
}

view_zoom layout_zoom_at(const view_pane *pane, int width, int height, view_zoom zoom, int x, int y, double factor) {
    const double fit = fitting_scale(pane->cell, width, height), old = zoom.scale > 0 ? zoom.scale : fit;
    const double stops[] = {1, fit}, smallest = fmin(1, fit);
    double scale = fmin(fmax(old * factor, smallest), fmax(VIEW_LARGEST_SCALE, fit));
    for (int i = 0; i < 2; i++)
        if ((old < stops[i] && scale > stops[i]) || (old > stops[i] && scale < stops[i])) scale = stops[i];
    if (scale == fit) return (view_zoom){0};
    return zoom_with(pane, scale, x + 0.5, y + 0.5);
}

view_zoom layout_one_to_one(const view_pane *pane, int x, int y) { return zoom_with(pane, 1, x + 0.5, y + 0.5); }

view_zoom layout_drag(const view_pane *pane, view_zoom zoom, int dx, int dy) {
    if (!(zoom.scale > 0)) return zoom;
    /* From the picture's actual place, which may differ from the one that the zoom gives. */
    const double middle_x = pane->cell.x + pane->cell.width / 2.0, middle_y = pane->cell.y + pane->cell.height / 2.0;
    return (view_zoom){zoom.scale, (middle_x - dx - pane->left) / pane->scale_x,
                       (pane->top - middle_y + dy) / pane->scale_y};
}
