/* The table of what the user measures in the map on the screen. Main thread. */
#ifndef APP_VIEWER_VIEWER_MEASURES_H
#define APP_VIEWER_VIEWER_MEASURES_H

#include "app/options/options.h"
#include "app/viewer/viewer_notice.h"
#include "render/panel/panel_map.h"
#include "render/view/view_measures.h"

void viewer_measures_toggle(panel_measures *shown);

/* Logs what was measured, and fills in what the panel shows, while it does. */
void viewer_measures_update(view *view, viewer_notice *notice, panel_measures *shown);

/* Passes on what the user has typed into the table. */
void viewer_measures_follow_panel(view *view, const panel_measures *shown);

/* Writes the table as stereoview_000012.measures.csv into the folder of the snapshots, and logs that, or what went
 * wrong. `frame`: of the map. */
void viewer_measures_save(const view *view, const output_options *output, int64_t frame);

#endif
