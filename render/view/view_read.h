/* Reads back what is shown. Each function waits for the GPU.
 * Thread: main, with the window's context current. */
#ifndef RENDER_VIEW_VIEW_READ_H
#define RENDER_VIEW_VIEW_READ_H

#include "render/view/view.h"

/* Draws the false-coloured map alone, pixel by pixel, and reads it back: `colour` is SV_COLOUR8 of the maps' size in
 * host memory, any stride. The result is that of colour_picture.
 * Errors: SV_USAGE for another format or size or if there is no map; SV_FAILED if OpenGL fails. */
sv_status view_read_back(view *view, const view_settings *settings, const sv_image *colour, sv_error *error);

/* Reads the map A (`which` 0) or B (1) that is shown: `disparity` SV_FLOAT32 and `reason` SV_REASON8, dense, of the
 * maps' size, in host memory.
 * Errors: SV_USAGE for another format or size or if there is no map; SV_FAILED if OpenGL fails. */
sv_status view_read_maps(view *view, int which, const sv_image *disparity, const sv_image *reason, sv_error *error);

/* Reads what was drawn in `area` since window_clear: `colour` is SV_COLOUR8 of its size, dense, in host memory, top row
 * first.
 * Errors: SV_FAILED if OpenGL fails. */
sv_status view_grab(view_rect area, const sv_image *colour, sv_error *error);

#endif
