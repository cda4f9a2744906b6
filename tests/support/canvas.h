/* What a view draws, as pixels. */
#ifndef TESTS_SUPPORT_CANVAS_H
#define TESTS_SUPPORT_CANVAS_H

#include "render/view/view.h"

enum { CANVAS_WIDTH = 420, CANVAS_HEIGHT = 300 };

typedef struct canvas {
    uint8_t pixels[CANVAS_HEIGHT][CANVAS_WIDTH][4]; /* RGBA, from the bottom */
} canvas;

/* Clears the canvas to magenta, a colour that no view draws, and draws the view into `area`.
 * Thread: that of the OpenGL context. */
void draw_on(canvas *on, view *v, const view_settings *settings, view_rect area);

/* Draws the map alone, a pixel for each of its own: `colour` is SV_COLOUR8 of its size, any stride.
 * Thread: that of the OpenGL context. */
void draw_map_into(const sv_image *colour, view *v, const view_settings *settings);

#endif
