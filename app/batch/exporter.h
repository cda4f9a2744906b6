/* Writes the frames of a run, whatever the kind of file. */
#ifndef APP_BATCH_EXPORTER_H
#define APP_BATCH_EXPORTER_H

#include "capture/pool.h"
#include "map/export.h"

/* Writes the file of a frame, or adds the frame to a video; a sink_use (app/batch/sinks.h) whose state is an
 * `exporter`. Errors: as export_map. */
sv_status exporter_use(void *exporter, const frame *left, const sv_output *maps, sv_error *error);

#endif
