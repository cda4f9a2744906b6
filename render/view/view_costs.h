/* The view of the costs: the cost of each pixel's winner, which is how well it matches.
 * Thread: main, with the window's context current. */
#ifndef RENDER_VIEW_VIEW_COSTS_H
#define RENDER_VIEW_VIEW_COSTS_H

#include "render/view/view.h"

/* Sets the costs, SV_FLOAT32 in host memory, of the maps' size, any stride, infinite where there is none; NULL: removes
 * them. The colours cover them from the 2nd to the 98th percentile.
 * Errors: SV_USAGE for another format or size; SV_FAILED if OpenGL fails.
 * Lifetime: the picture is copied. */
sv_status view_set_costs(view *view, const sv_image *costs, sv_error *error);

/* The costs that the colours cover; false if there are none. */
bool view_costs_range(const view *view, float *min, float *max);

#endif
