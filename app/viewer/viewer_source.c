/* What the window says of its input. */
#include "app/viewer/viewer_source.h"

#include "app/options/request.h"
#include "app/viewer/recent.h"
#include "base/log.h"
#include "base/names.h"
#include "render/panel/panel_words.h"

#include <stdio.h>

static void set_title(const viewer_source *v, window *window) {
    char shortened[1024], title[1100];
    panel_shorten(v->both, 80, shortened, sizeof shortened);
    snprintf(title, sizeof title, "%s - stereoview", shortened);
    window_set_title(window, title);
}

void viewer_source_begin(viewer_source *v, const session *s, window *window, panel_source *shown) {
    const source_info *info = pairing_info(s->pairing);
    const request names = request_of(s->options);
    for (int i = 0; i < 2; i++) {
        const char *name = *names.names[i] || i ? names.names[i] : names.demo ? "demo" : "synthetic";
        snprintf(v->names[i], sizeof v->names[i], "%s", name);
        log_clean(v->names[i]);
    }
    const bool swapped = names.swap && *v->names[1];
    *shown = (panel_source){.width = info->width, .height = info->height, .device = s->device};
    for (int i = 0; i < 2; i++) shown->names[i] = *v->names[i] ? v->names[i ^ swapped] : NULL;
    names_join(shown->names[0], shown->names[1], v->both, sizeof v->both);
    stats_set_input(s->stats, v->both);
    set_title(v, window);
}

const char *viewer_source_names(const viewer_source *v) { return v->both; }

void viewer_source_remember(const session *s) {
    const options *o = s->options;
    sv_error error;
    if ((!o->input.left && !o->input.whole) || o->run.benchmark) return;
    if (recent_add(RECENT_INPUTS, o->input.left ? o->input.left : o->input.whole, o->input.left ? o->input.right : NULL,
                   &error) != SV_OK)
        sv_log(SV_LOG_DEBUG, "the list of recent inputs: %s", error.text);
}
