/* The box that asks for an input: see viewer_opening.h. */
#include "app/viewer/viewer_opening.h"

#include "base/names.h"
#include "capture/live/network.h"
#include "capture/live/v4l2.h"
#include "render/panel/completion.h"
#include "render/window/window.h"
#include "stereo/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert((int)RECENT_MOST == (int)PANEL_MAX_RECENT, "the panel lists all recent names");

/* Seconds after the last change of what is typed until it is looked at. */
static const double rest = 0.4;

void viewer_opening_init(viewer_opening *v, panel_opening *shown) {
    *v = (viewer_opening){.shown = shown};
    shown->layout_count = SPLIT_LAYOUT_COUNT;
    shown->layout_name = split_layout_name;
    shown->aspect = 1;
}

static void drop_preview(viewer_opening *v) {
    preview_close(v->preview);
    v->preview = NULL;
    v->shown->views[0].data = v->shown->views[1].data = NULL;
    v->shown->views_text = NULL;
}

static void drop_list(viewer_opening *v) {
    v->shown->entry_count = v->shown->folder_count = 0;
    free(v->entries);
    v->entries = NULL;
    folder_reader_close(v->reader);
    v->reader = NULL;
}

void viewer_opening_close(viewer_opening *v) {
    drop_preview(v);
    drop_list(v);
    recent_free(&v->recent);
}

/* ---- Showing ---------------------------------------------------------------------------------- */

/* Names begin where the newest input is or, without one, where the program was started. */
static void find_start(viewer_opening *v) {
    const char *newest = v->recent.count ? v->recent.names[0][0] : "";
    if (*newest == '/')
        completion_split(newest, v->start, sizeof v->start);
    else if (getcwd(v->start, sizeof v->start - 1) && strcmp(v->start, "/") != 0)
        strcat(v->start, "/");
    v->shown->start = v->start;
}

/* "cones: left.png and right.png": scenes often have the same names, so the folder goes before them. */
static void name_recent(char *const names[2], char *text, size_t size) {
    char folder[PANEL_MAX_NAME], place[PANEL_MAX_NAME];
    completion_split(names[0], folder, sizeof folder);
    const size_t length = strlen(folder);
    if (length > 1) folder[length - 1] = '\0'; /* the slash */
    names_join(folder, NULL, place, sizeof place);
    const int used = snprintf(text, size, "%s%s", place, *place ? ": " : "");
    if (used >= 0 && (size_t)used < size) names_join(names[0], names[1], text + used, size - (size_t)used);
}

static void show_recent(viewer_opening *v) {
    panel_opening *o = v->shown;
    recent_free(&v->recent);
    recent_read(RECENT_INPUTS, &v->recent);
    o->recent_count = recent_names(&v->recent, o->recent);
    for (int i = 0; i < o->recent_count; i++) {
        name_recent(o->recent[i], v->short_names[i], sizeof v->short_names[i]);
        o->recent_short[i] = v->short_names[i];
    }
}

void viewer_opening_show(viewer_opening *v, bool show) {
    panel_opening *o = v->shown;
    if (o->shown == show) return;
    o->shown = show;
    o->again = false;
    drop_preview(v);
    drop_list(v);
    v->listed[0] = 0;
    v->previewed = false;
    if (!show) return;
    o->times++;
    show_recent(v);
    find_start(v);
    const int cameras = v4l2_find(o->cameras, PANEL_MAX_CAMERAS);
    o->camera_count = cameras < PANEL_MAX_CAMERAS ? cameras : PANEL_MAX_CAMERAS;
}

void viewer_opening_show_again(viewer_opening *v) {
    viewer_opening_show(v, true);
    v->shown->again = true;
}

bool viewer_opening_is_shown(const viewer_opening *v) { return v->shown->shown; }

/* ---- The request ------------------------------------------------------------------------------ */

/* A name as files have it: "~/" is the home folder. */
static void name_of(const char *typed, char *name, size_t size) {
    char folder[PANEL_MAX_NAME];
    const char *begins = completion_split(typed, folder, sizeof folder);
    snprintf(name, size, "%s%s", folder, begins);
}

request viewer_opening_request(const viewer_opening *v) {
    const panel_opening *o = v->shown;
    request r;
    memset(&r, 0, sizeof r); /* with its padding, because requests are compared */
    for (int i = 0; i < 2; i++) name_of(o->names[i], r.names[i], sizeof r.names[i]);
    name_of(o->names[PANEL_OPEN_CALIBRATION], r.calibration, sizeof r.calibration);
    name_of(o->names[PANEL_OPEN_TRUTH], r.truth, sizeof r.truth);
    r.layout = *r.names[1] ? 0 : o->layout;
    r.swap = o->order == 2;
    r.order_given = o->order > 0;
    return r;
}

/* ---- The list and the pictures ---------------------------------------------------------------- */

static void follow_list(viewer_opening *v) {
    panel_opening *o = v->shown;
    if (strcmp(v->listed, o->folder) != 0) {
        drop_list(v);
        memcpy(v->listed, o->folder, sizeof v->listed);
        v->reader = folder_reader_open(v->listed, window_wake);
        o->folder_text = "reading ...";
    }
    const folder_list *list = v->reader && !v->entries ? folder_reader_list(v->reader) : NULL;
    if (!list) return;
    v->entries = sv_alloc((size_t)list->count + 1, sizeof *v->entries);
    for (int i = 0; i < list->count; i++) v->entries[i] = list->entries[i].name;
    o->entries = v->entries;
    o->entry_count = list->count;
    for (o->folder_count = 0; o->folder_count < list->count && list->entries[o->folder_count].is_folder;)
        o->folder_count++;
    o->folder_text = list->status == SV_OK ? NULL : list->error.text;
}

static void follow_preview(viewer_opening *v, const options *options) {
    panel_opening *o = v->shown;
    const request typed = viewer_opening_request(v);
    if (memcmp(&typed, &v->typed, sizeof typed) != 0) {
        drop_preview(v);
        v->typed = typed;
        v->changed = sv_seconds();
        v->previewed = false;
    }
    const bool named = *typed.names[0] && !network_is_address(typed.names[0]) && !network_is_address(typed.names[1]);
    if (!v->previewed && named && sv_seconds() - v->changed > rest) {
        v->preview = preview_open(&v->typed, options, window_wake);
        v->previewed = true;
    }
    const preview_result *result = v->preview && !o->views_text ? preview_get(v->preview) : NULL;
    if (!result) return;
    for (int i = 0; i < 2; i++) o->views[i] = result->pictures[i];
    o->aspect = result->aspect > 0 ? result->aspect : 1;
    o->views_text = result->text;
    o->version++;
}

void viewer_opening_update(viewer_opening *v, const char *waiting, const options *options) {
    v->shown->waiting = waiting;
    if (!v->shown->shown) return;
    if (*v->shown->folder) follow_list(v);
    follow_preview(v, options);
}
