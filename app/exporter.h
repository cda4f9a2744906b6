/* Writes the frames of a run, whatever the kind of file. */
#ifndef APP_EXPORTER_H
#define APP_EXPORTER_H

#include "app/export.h"
#include "capture/pool.h"

/* Writes the file of a frame, or adds the frame to a video; a sink_use (app/sinks.h) whose state is an `exporter`.
 * Errors: as export_map. */
sv_status exporter_use(void *exporter, const frame *left, const sv_output *maps, sv_error *error);

#endif
