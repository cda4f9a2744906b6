/* Pins and a rectangle in the views, which the user sets for measuring; what they measure follows each new map.
 * Thread: main, with the context current. */
#ifndef RENDER_VIEW_VIEW_MEASURES_H
#define RENDER_VIEW_VIEW_MEASURES_H

#include "render/view/measure_table.h"
#include "render/view/view_cloud.h"

/* Pins the pixel at position x, y of the framebuffer or, if there is a pin, removes it. False if
 * there is no pixel, or 16 are pinned. */
bool view_pin(view *view, const view_settings *settings, view_rect area, int x, int y);

/* Removes all pins and the rectangle. */
void view_remove_measures(view *view);

/* True if there are pins or a rectangle, so that copies of the map are wanted. */
bool view_measures(const view *view);

/* Measures in a copy of the map, if it is new or pins or rectangle are; NULL: there is none yet. `set`: "A " or "B ",
 * the prefix of values if there are two maps; otherwise "". */
void view_measure(view *view, const copied_map *map, const char *set);

/* What is known over time begins anew with the map that is shown, because another set of parameters made it. */
void view_measure_anew(view *view);

/* Writes what was set and measured and has not been reported yet: "pin 2 at (120, 80): 31.25 px, 2.31 m; 0.532 m from
 * pin 1". False if there is nothing. */
bool view_measures_news(view *view, char *text, size_t size);

/* The rows of the pins and the rectangle that were measured. `noise`: with that of the rectangle, which takes a
 * while. Returns how many. */
int view_measure_rows(const view *view, bool noise, measure_row rows[MEASURE_ROWS]);

/* Says what the true distance of the pin or rectangle in that row is, metres; NAN: it is not known. */
void view_measure_know(view *view, int row, double metres);

#endif
