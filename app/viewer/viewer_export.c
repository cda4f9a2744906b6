/* The export of a range of frames: see viewer_export.h. */
#include "app/viewer/viewer_export.h"

#include "base/log.h"
#include "render/window/window.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What can be exported: the words of the panel and the ending of a pattern, see export_check. */
static const struct {
    const char *words, *ending;
    bool needs_metres;
} formats[] = {
    {"disparity, 32-bit float (.pfm)", "_%06d.pfm", false},
    {"disparity, 16-bit (.png)", "_%06d.png", false},
    {"colours (.color.png)", "_%06d.color.png", false},
    {"confidence (.confidence.png)", "_%06d.confidence.png", false},
    {"depth in mm, 16-bit (.depth.png)", "_%06d.depth.png", true},
    {"depth in m, 32-bit float (.depth.pfm)", "_%06d.depth.pfm", true},
    {"points (.ply)", "_%06d.ply", false},
    {"video of the colours (.mp4)", ".mp4", false},
    {"video of disparities, 16-bit (.mkv)", ".mkv", false},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const char *words_of(int format) { return formats[format].words; }

void viewer_export_init(viewer_export *v, panel_export *shown) {
    *v = (viewer_export){.shown = shown};
    shown->format_count = FORMATS;
    shown->format_name = words_of;
    snprintf(shown->file, sizeof shown->file, "stereoview_export");
}

void viewer_export_toggle(viewer_export *v, int64_t first, int64_t last, bool metric) {
    panel_export *s = v->shown;
    s->shown = !s->shown;
    if (!s->shown || v->job) return;
    s->first = (int)first;
    s->last = (int)last;
    v->metric = metric;
    s->text = NULL;
}

bool viewer_export_hide(viewer_export *v) {
    const bool shown = v->shown->shown;
    v->shown->shown = false;
    return shown;
}

/* The pattern of a stem, in which a percent sign is written twice. False if it does not fit. */
static bool write_pattern(const char *stem, const char *ending, char *pattern, size_t size) {
    size_t length = 0;
    for (; *stem && length + 2 < size; stem++) {
        if (*stem == '%') pattern[length++] = '%';
        pattern[length++] = *stem;
    }
    return !*stem && snprintf(pattern + length, size - length, "%s", ending) < (int)(size - length);
}

static void refuse(viewer_export *v, const char *why) {
    snprintf(v->text, sizeof v->text, "%s", why);
    v->shown->text = v->text;
}

void viewer_export_start(viewer_export *v, export_order *order) {
    panel_export *s = v->shown;
    if (v->job) return;
    if (!*s->file || s->file[strlen(s->file) - 1] == '/') {
        refuse(v, "name the files, without an ending");
    } else if (s->first < 0 || (s->last >= 0 && s->last < s->first)) {
        refuse(v, "the last frame is before the first one");
    } else if (formats[s->format].needs_metres && !v->metric) {
        refuse(
            v,
            "depth needs a calibration in metres; the cell Calibration makes one with a board, and Open takes a file");
    } else if (!write_pattern(s->file, formats[s->format].ending, order->pattern, sizeof order->pattern)) {
        refuse(v, "the name is too long");
    } else {
        order->first = s->first;
        order->last = s->last < 0 ? INT64_MAX : s->last;
        v->job = export_job_open(order, window_wake);
        s->running = true;
        s->share = 0;
        refuse(v, "opening ...");
    }
}

void viewer_export_cancel(viewer_export *v) {
    if (v->job) export_job_cancel(v->job);
}

static void finish(viewer_export *v, const export_progress *p) {
    panel_export *s = v->shown;
    if (p->status != SV_OK)
        snprintf(v->text, sizeof v->text, "%s", p->error.text);
    else if (!p->done)
        snprintf(v->text, sizeof v->text, "nothing exported: there are no such frames");
    else
        snprintf(v->text, sizeof v->text, "exported %" PRId64 " frame%s to %" PRId64 " file%s%s", p->done,
                 p->done == 1 ? "" : "s", p->files, p->files == 1 ? "" : "s",
                 p->all && p->done < p->all ? "; it was cancelled" : "");
    if (p->status == SV_OK && p->done)
        log_wrote(s->file, "%s", v->text);
    else
        sv_log(p->status == SV_OK ? SV_LOG_INFO : SV_LOG_ERROR, "%s", v->text);
    export_job_close(v->job);
    v->job = NULL;
    s->running = false;
}

void viewer_export_update(viewer_export *v) {
    if (!v->job) return;
    const export_progress p = export_job_progress(v->job);
    if (p.ended) {
        finish(v, &p);
        return;
    }
    v->shown->share = p.all ? (float)p.done / (float)p.all : 0;
    if (p.all)
        snprintf(v->text, sizeof v->text, "frame %" PRId64 " of %" PRId64, p.done, p.all);
    else if (p.done)
        snprintf(v->text, sizeof v->text, "frame %" PRId64, p.done);
}

void viewer_export_end(viewer_export *v) {
    if (v->job) {
        export_job_cancel(v->job);
        export_progress p = export_job_progress(v->job);
        export_job_close(v->job);
        sv_log(SV_LOG_WARNING, "the export was cancelled after %" PRId64 " frames, because another input was opened",
               p.done);
    }
    v->job = NULL;
    v->shown->running = v->shown->shown = false;
}
