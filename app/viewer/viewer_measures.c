/* The table of what the user measures in the map on the screen. */
#include "app/viewer/viewer_measures.h"

#include "base/file.h"
#include "base/file_name.h"
#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void viewer_measures_toggle(panel_measures *m) { m->shown = !m->shown; }

void viewer_measures_update(view *view, viewer_notice *notice, panel_measures *m) {
    char text[320];
    while (view_measures_news(view, text, sizeof text)) {
        sv_log(SV_LOG_INFO, "%s", text);
        viewer_notice_skip_log(notice); /* the views show it */
    }
    if (!m->shown) return;
    m->metres = !(view_lacks(view) & VIEW_NEEDS_METRES);
    m->count = view_measure_rows(view, true, m->rows);
}

void viewer_measures_follow_panel(view *view, const panel_measures *m) {
    if (m->typed) view_measure_know(view, m->typed_row, m->distance);
}

static sv_status save(const view *view, const char *folder, int64_t frame, char *path, size_t size, sv_error *error) {
    static const char *const endings[] = {".measures.csv", NULL};
    measure_row rows[MEASURE_ROWS];
    char name[64];
    static char text[16 << 10];
    file_writer writer;
    const int count = view_measure_rows(view, true, rows);
    if (!count) return sv_fail(error, SV_FAILED, "nothing is measured; click a pixel, or drag a rectangle with Shift");
    snprintf(name, sizeof name, "stereoview_%06" PRId64, frame);
    sv_status status = file_find_free(folder, name, endings, path, size - sizeof ".measures.csv", error);
    if (status == SV_OK) status = file_create(&writer, strcat(path, *endings), error);
    if (status != SV_OK) return status;
    fputs(measure_print_table(rows, count, ',', text, sizeof text), writer.stream);
    return file_commit(&writer, error);
}

void viewer_measures_save(const view *view, const output_options *output, int64_t frame) {
    char path[4096];
    sv_error error;
    if (save(view, output->snapshots, frame, path, sizeof path, &error) == SV_OK)
        log_wrote(path, "wrote the measurements to %s", path);
    else
        sv_log(SV_LOG_ERROR, "the measurements were not saved: %s", error.text);
}
