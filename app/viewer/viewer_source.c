/* What the window says of its input. */
#include "app/viewer/viewer_source.h"

#include "app/media/views.h"
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

/* What the window offers for an input that has just been opened. */
static void offer(viewer_source *v, const session *s) {
    const input_options *in = &s->options->input;
    const arrangement *found = &in->found;
    const bool whole = pairing_info(s->pairing)->half, swapped = found->swapped && !in->swap_given;
    const bool layout = whole && !in->layout_given && (!found->layout_sure || in->split.layout != SPLIT_SIDE_BY_SIDE);
    *v->offer = 0;
    if (!found->looked || (!layout && !swapped)) return;
    v->layout = SPLIT_SIDE_BY_SIDE;
    v->swap = false;
    v->cure = "Undo";
    if (!whole) {
        snprintf(v->offer, sizeof v->offer, "Left and right were the wrong way round, and have been swapped.");
    } else if (found->layout_sure) {
        snprintf(v->offer, sizeof v->offer, "The layout is %s%s.", split_layout_name(in->split.layout),
                 swapped ? ", the right one first" : "");
        if (in->layout_given) v->layout = (int)in->split.layout;
    } else {
        const source_info *info = pairing_info(s->pairing);
        const bool squeezed = views_are_squeezed(2 * info->width, info->height);
        snprintf(v->offer, sizeof v->offer, "The layout of both views is not clear; side by side is assumed.");
        v->cure = "Top-bottom";
        v->layout = squeezed ? SPLIT_TOP_BOTTOM_HALF : SPLIT_TOP_BOTTOM;
    }
}

int viewer_source_layout(const viewer_source *v) { return v->shown->layout; }

void viewer_source_begin(viewer_source *v, const session *s, window *window, panel_source *shown) {
    const source_info *info = pairing_info(s->pairing);
    const request names = request_of(s->options);
    for (int i = 0; i < 2; i++) {
        const char *name = *names.names[i] || i ? names.names[i] : names.demo ? "demo" : "synthetic";
        snprintf(v->names[i], sizeof v->names[i], "%s", name);
        log_clean(v->names[i]);
    }
    const bool swapped = names.swap && *v->names[1];
    *shown = (panel_source){.width = info->width,
                            .height = info->height,
                            .device = s->device,
                            .layout = info->half ? (int)s->options->input.split.layout : -1,
                            .layout_count = SPLIT_LAYOUT_COUNT,
                            .layout_name = split_layout_name};
    v->shown = shown;
    offer(v, s);
    for (int i = 0; i < 2; i++) shown->names[i] = *v->names[i] ? v->names[i ^ swapped] : NULL;
    names_join(shown->names[0], shown->names[1], v->both, sizeof v->both);
    stats_set_input(s->stats, v->both);
    set_title(v, window);
}

void viewer_source_remember(const session *s) {
    const options *o = s->options;
    sv_error error;
    if ((!o->input.left && !o->input.whole) || o->run.benchmark) return;
    if (recent_add(RECENT_INPUTS, o->input.left ? o->input.left : o->input.whole, o->input.left ? o->input.right : NULL,
                   &error) != SV_OK)
        sv_log(SV_LOG_DEBUG, "the list of recent inputs: %s", error.text);
}
