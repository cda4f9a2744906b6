/* What is shown over the picture for some seconds: what the user's action did, or the newest line of the log. */
#include "app/viewer/viewer_parts.h"

#include "base/log.h"

#include <stdio.h>

void viewer_set_notice(viewer *v, const char *text) {
    snprintf(v->notice, sizeof v->notice, "%s", text);
    v->notice_until = sv_seconds() + 4;
    v->notice_is_error = false;
}

const char *viewer_keys(const viewer *v, input_action action) {
    const char *keys = v->options->keys.of[action];
    return *keys ? keys : "a button";
}

void viewer_notice_log(viewer *v) {
    sv_level level;
    char line[512];
    const unsigned lines = log_latest(&level, line, sizeof line);
    if (lines != v->lines_seen && level <= SV_LOG_INFO) viewer_set_notice(v, line);
    if (lines != v->lines_seen) v->notice_is_error = level == SV_LOG_ERROR;
    v->lines_seen = lines;
}
