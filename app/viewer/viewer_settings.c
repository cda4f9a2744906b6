/* Settings and qualities in the window. */
#include "app/viewer/viewer_settings.h"

#include "app/options/replay.h"
#include "app/options/second_set.h"
#include "base/log.h"
#include "base/names.h"
#include "render/panel/panel_words.h"
#include "stereo/quality.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Static_assert((int)RECENT_MOST == (int)PANEL_MAX_RECENT, "the panel lists all recent names");
_Static_assert((int)SV_QUALITY_COUNT + (int)QUALITIES_MOST <= (int)PANEL_MAX_QUALITIES,
               "the panel lists all qualities");
_Static_assert((int)QUALITIES_NAME_BYTES == (int)PANEL_MAX_QUALITY_NAME,
               "a quality's name fits into the panel's field");

/* What the user is asked before it is done. */
enum { NOTHING, REPLACE_FILE, REPLACE_QUALITY, DELETE_QUALITY };

SV_PRINTF(3, 4) static void ask(viewer_settings *v, int question, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->question_text, sizeof v->question_text, format, arguments);
    va_end(arguments);
    v->question = question;
    v->shown->question = v->question_text;
}

static void stop_asking(viewer_settings *v) {
    v->question = NOTHING;
    v->shown->question = NULL;
}

static void show(viewer_settings *v, bool shown) {
    panel_settings *s = v->shown;
    char *names[RECENT_MOST][2];
    s->shown = shown;
    stop_asking(v);
    if (!shown) return;
    if (!*s->file)
        snprintf(s->file, sizeof s->file, "%s", v->options->settings ? v->options->settings : "stereoview.yaml");
    recent_free(&v->recent);
    recent_read(RECENT_SETTINGS, &v->recent);
    s->recent_count = recent_names(&v->recent, names);
    for (int i = 0; i < s->recent_count; i++) s->recent[i] = names[i][0];
    qualities_read(&v->qualities);
}

/* ---- Files ------------------------------------------------------------------------------------ */

static sv_status write_all(const viewer_settings *v, const char *path, sv_error *error) {
    char text[SECOND_SET_BYTES];
    settings_source source = {.count = 0};
    const sv_params *a = viewer_tuner_of(v->tuner, 0), *b = viewer_tuner_of(v->tuner, 1);
    if (viewer_tuner_compares(v->tuner))
        settings_add_source(&source, "compare", "%s", second_set_print(a, b, text, sizeof text));
    const sv_status status = settings_write(path, a, v->view, &source, error);
    settings_free_source(&source);
    return status;
}

/* Reads A and, if there is one, B, and keeps what the file says of a source. */
static sv_status read_all(viewer_settings *v, const char *path, sv_error *error) {
    sv_params a = *viewer_tuner_of(v->tuner, 0), b;
    settings_source source = {.count = 0};
    view_settings view = *v->view;
    sv_status status = settings_read(path, &a, &view, &source, error);
    if (status != SV_OK) return status;
    const char *text = settings_source_value(&source, "compare");
    if (text) status = second_set_parse(text, &a, &b, error);
    if (status != SV_OK) {
        settings_free_source(&source);
        return status;
    }
    viewer_settings_drop_source(v);
    v->named = source;
    *v->view = view;
    viewer_tuner_replace(v->tuner, &a);
    if (text) viewer_compare_start(v->compare, &b);
    return SV_OK;
}

static void remember(const char *path) {
    sv_error error;
    if (recent_add(RECENT_SETTINGS, path, NULL, &error) != SV_OK)
        sv_log(SV_LOG_DEBUG, "the list of recent settings: %s", error.text);
}

void viewer_settings_load(viewer_settings *v, const char *path) {
    sv_error error;
    char name[256];
    if (read_all(v, path, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "%s", error.text);
        return;
    }
    show(v, false);
    snprintf(v->shown->file, sizeof v->shown->file, "%s", path);
    remember(path);
    names_join(path, NULL, name, sizeof name);
    viewer_notice_set(v->notice, "read the settings of %s", name);
}

static void save_file(viewer_settings *v, bool replaces) {
    const char *path = v->shown->file;
    char name[128];
    sv_error error;
    if (!replaces && !access(path, F_OK)) {
        panel_shorten(path, 60, name, sizeof name);
        ask(v, REPLACE_FILE, "%s already exists. Replace it?", name);
        return;
    }
    if (write_all(v, path, &error) != SV_OK) {
        stop_asking(v);
        sv_log(SV_LOG_ERROR, "the settings were not saved: %s", error.text);
        return;
    }
    show(v, false);
    remember(path);
    log_wrote(path, "wrote the settings to %s; --settings %s reads them", path, path);
}

/* ---- Qualities -------------------------------------------------------------------------------- */

void viewer_settings_update(viewer_settings *v) {
    panel_qualities *p = v->list;
    const int quality = sv_find_quality(viewer_tuner_edited(v->tuner)),
              own = qualities_find(&v->qualities, viewer_tuner_edited(v->tuner));
    p->count = SV_QUALITY_COUNT + v->qualities.count;
    p->built_in = SV_QUALITY_COUNT;
    for (int i = 0; i < p->count; i++)
        p->names[i] = i < SV_QUALITY_COUNT ? sv_quality_name(i) : v->qualities.each[i - SV_QUALITY_COUNT].name;
    p->current = quality >= 0 ? quality : own >= 0 ? SV_QUALITY_COUNT + own : -1;
}

static void use_quality(viewer_settings *v) {
    const panel_qualities *p = v->list;
    sv_params params = *viewer_tuner_edited(v->tuner);
    sv_error error;
    if (p->chosen < p->built_in) {
        sv_set_quality(&params, p->chosen);
    } else if (qualities_apply(p->names[p->chosen], &params, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "%s", error.text);
        return;
    }
    viewer_tuner_set(v->tuner, &params);
    viewer_notice_set(v->notice, "quality %s", p->names[p->chosen]);
}

static void save_quality(viewer_settings *v, bool replaces) {
    const char *name = v->list->name;
    sv_error error;
    if (!replaces && qualities_has(name)) {
        ask(v, REPLACE_QUALITY, "A quality %s already exists. Replace it?", name);
        return;
    }
    stop_asking(v);
    if (qualities_save(name, viewer_tuner_edited(v->tuner), &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "the quality was not saved: %s", error.text);
        return;
    }
    qualities_read(&v->qualities);
    viewer_notice_set(v->notice, "saved the quality %s", name);
}

static void delete_quality(viewer_settings *v) {
    sv_error error;
    stop_asking(v);
    if (qualities_delete(v->list->name, &error) != SV_OK) sv_log(SV_LOG_ERROR, "%s", error.text);
    qualities_read(&v->qualities);
}

void viewer_settings_act(viewer_settings *v, input_action action) {
    const int question = v->question;
    switch (action) {
    case INPUT_SETTINGS: show(v, !v->shown->shown); break;
    case INPUT_SAVE_SETTINGS: save_file(v, false); break;
    case INPUT_LOAD_SETTINGS: viewer_settings_load(v, v->shown->file); break;
    case INPUT_QUALITY: use_quality(v); break;
    case INPUT_SAVE_QUALITY: save_quality(v, false); break;
    case INPUT_DELETE_QUALITY: ask(v, DELETE_QUALITY, "Delete the quality %s?", v->list->name); break;
    case INPUT_CONFIRM:
        if (question == REPLACE_FILE) save_file(v, true);
        if (question == REPLACE_QUALITY) save_quality(v, true);
        if (question == DELETE_QUALITY) delete_quality(v);
        break;
    case INPUT_DECLINE: stop_asking(v); break;
    default: break;
    }
}

void viewer_settings_hide(viewer_settings *v) { v->shown->shown = false; }

bool viewer_settings_leave(viewer_settings *v) {
    if (!v->shown->shown) return false;
    viewer_settings_act(v, v->shown->question ? INPUT_DECLINE : INPUT_SETTINGS);
    return true;
}

/* ---- The source that settings name ------------------------------------------------------------ */

bool viewer_settings_take_source(viewer_settings *v, options *next) {
    sv_error error;
    if (!v->named.count) return false;
    if (replay_options(&v->named, v->shown->file, v->options, next, &error) == SV_OK)
        return input_is_named(&next->input);
    sv_log(SV_LOG_ERROR, "%s", error.text);
    return false;
}

void viewer_settings_drop_source(viewer_settings *v) { settings_free_source(&v->named); }

/* ---- Beginning, ending ------------------------------------------------------------------------ */

void viewer_settings_init(viewer_settings *v, viewer_compare *compare, viewer_tuner *tuner, viewer_notice *notice,
                          view_settings *view, panel_settings *shown, panel_qualities *list) {
    *v = (viewer_settings){
        .compare = compare, .tuner = tuner, .notice = notice, .view = view, .shown = shown, .list = list};
    qualities_read(&v->qualities);
}

void viewer_settings_free(viewer_settings *v) {
    recent_free(&v->recent);
    viewer_settings_drop_source(v);
}
