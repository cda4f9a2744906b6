/* The export of a range of frames from the window. Main thread. */
#ifndef APP_VIEWER_VIEWER_EXPORT_H
#define APP_VIEWER_VIEWER_EXPORT_H

#include "app/play/export_job.h"
#include "render/panel/panel_files.h"

typedef struct viewer_export {
    panel_export *shown; /* borrowed */
    export_job *job;     /* NULL: none is running */
    bool metric;         /* depth is known */
    char text[640];
} viewer_export;

void viewer_export_init(viewer_export *export, panel_export *shown);

/* Shows the box that asks for the export of frames `first` to `last`, -1 for the end, or hides it. `metric`: depth is
 * known. */
void viewer_export_toggle(viewer_export *export, int64_t first, int64_t last, bool metric);
bool viewer_export_hide(viewer_export *export); /* false if it was not shown */

/* Begins what the panel asks for; `order` has all but the pattern and the frames. Errors are shown in the panel. */
void viewer_export_start(viewer_export *export, export_order *order);
void viewer_export_cancel(viewer_export *export);
void viewer_export_end(viewer_export *export); /* of the session: cancels, and waits for the frame under way */

void viewer_export_update(viewer_export *export); /* for every frame */

#endif
