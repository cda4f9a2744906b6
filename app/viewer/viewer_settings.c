/* Settings and qualities in the window: saving, loading, and asking before something is lost. */
#include "app/viewer/viewer_parts.h"

#include "base/log.h"
#include "base/names.h"
#include "stereo/quality.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

_Static_assert((int)RECENT_MOST == (int)PANEL_MAX_RECENT, "the panel lists all recent names");
_Static_assert((int)SV_QUALITY_COUNT + (int)QUALITIES_MOST <= (int)PANEL_MAX_QUALITIES,
               "the panel lists all qualities");
_Static_assert((int)QUALITIES_NAME_BYTES == (int)PANEL_MAX_QUALITY_NAME,
               "a quality's name fits into the panel's field");

/* What the user is asked before it is done. */
enum { NOTHING, REPLACE_FILE, REPLACE_QUALITY, DELETE_QUALITY };

SV_PRINTF(3, 4) static void ask(viewer *v, int question, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->question_text, sizeof v->question_text, format, arguments);
    va_end(arguments);
    v->question = question;
    v->state.settings.question = v->question_text;
}

static void stop_asking(viewer *v) {
    v->question = NOTHING;
    v->state.settings.question = NULL;
}

static void show(viewer *v, bool shown) {
    panel_settings *s = &v->state.settings;
    s->shown = shown;
    stop_asking(v);
    if (!shown) return;
    v->state.opening.shown = false; /* one box at a time */
    if (!*s->file)
        snprintf(s->file, sizeof s->file, "%s", v->options->settings ? v->options->settings : "stereoview.yaml");
    recent_free(&v->recent_settings);
    recent_read(RECENT_SETTINGS, &v->recent_settings);
    s->recent_count = v->recent_settings.count;
    for (int i = 0; i < s->recent_count; i++) s->recent[i] = v->recent_settings.names[i][0];
    qualities_read(&v->qualities);
}

/* ---- Files ------------------------------------------------------------------------------------ */

static void remember(const char *path) {
    sv_error error;
    if (recent_add(RECENT_SETTINGS, path, NULL, &error) != SV_OK)
        sv_log(SV_LOG_DEBUG, "the list of recent settings: %s", error.text);
}

static void take_params(viewer *v, const sv_params *params) {
    tuning_set(&v->tuning, params, sv_seconds());
    viewer_follow_tuning(v);
}

void viewer_load_settings(viewer *v, const char *path) {
    sv_error error;
    char name[256], line[320];
    if (viewer_read_settings(v, path, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "%s", error.text);
        return;
    }
    show(v, false);
    snprintf(v->state.settings.file, sizeof v->state.settings.file, "%s", path);
    remember(path);
    names_join(path, NULL, name, sizeof name);
    snprintf(line, sizeof line, "read the settings of %s", name);
    viewer_set_notice(v, line);
}

static void save_file(viewer *v, bool replaces) {
    const char *path = v->state.settings.file;
    char name[128];
    sv_error error;
    if (!replaces && !access(path, F_OK)) {
        panel_shorten(path, 60, name, sizeof name);
        ask(v, REPLACE_FILE, "%s is there already. Replace it?", name);
        return;
    }
    if (viewer_write_settings(v, path, &error) != SV_OK) {
        stop_asking(v);
        sv_log(SV_LOG_ERROR, "the settings were not saved: %s", error.text);
        return;
    }
    show(v, false);
    remember(path);
    sv_log(SV_LOG_INFO, "wrote the settings to %s; --settings %s reads them", path, path);
}

/* ---- Qualities -------------------------------------------------------------------------------- */

void viewer_update_qualities(viewer *v) {
    panel_qualities *p = &v->state.qualities;
    const int quality = sv_find_quality(&v->tuning.now), own = qualities_find(&v->qualities, &v->tuning.now);
    p->count = SV_QUALITY_COUNT + v->qualities.count;
    p->built_in = SV_QUALITY_COUNT;
    for (int i = 0; i < p->count; i++)
        p->names[i] = i < SV_QUALITY_COUNT ? sv_quality_name(i) : v->qualities.each[i - SV_QUALITY_COUNT].name;
    p->current = quality >= 0 ? quality : own >= 0 ? SV_QUALITY_COUNT + own : -1;
}

static void use_quality(viewer *v) {
    const panel_qualities *p = &v->state.qualities;
    sv_params params = v->tuning.now;
    sv_error error;
    char line[128];
    if (p->chosen < p->built_in) {
        sv_set_quality(&params, p->chosen);
    } else if (qualities_apply(p->names[p->chosen], &params, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "%s", error.text);
        return;
    }
    snprintf(line, sizeof line, "quality %s", p->names[p->chosen]);
    take_params(v, &params);
    viewer_set_notice(v, line);
}

static void save_quality(viewer *v, bool replaces) {
    const char *name = v->state.qualities.name;
    char line[128];
    sv_error error;
    if (!replaces && qualities_has(name)) {
        ask(v, REPLACE_QUALITY, "There is a quality %s already. Replace it?", name);
        return;
    }
    stop_asking(v);
    if (qualities_save(name, &v->tuning.now, &error) != SV_OK) {
        sv_log(SV_LOG_ERROR, "the quality was not saved: %s", error.text);
        return;
    }
    qualities_read(&v->qualities);
    snprintf(line, sizeof line, "saved the quality %s", name);
    viewer_set_notice(v, line);
}

static void delete_quality(viewer *v) {
    sv_error error;
    stop_asking(v);
    if (qualities_delete(v->state.qualities.name, &error) != SV_OK) sv_log(SV_LOG_ERROR, "%s", error.text);
    qualities_read(&v->qualities);
}

void viewer_act_on_settings(viewer *v, input_action action) {
    const int question = v->question;
    switch (action) {
    case INPUT_SETTINGS: show(v, !v->state.settings.shown); break;
    case INPUT_SAVE_SETTINGS: save_file(v, false); break;
    case INPUT_LOAD_SETTINGS: viewer_load_settings(v, v->state.settings.file); break;
    case INPUT_QUALITY: use_quality(v); break;
    case INPUT_SAVE_QUALITY: save_quality(v, false); break;
    case INPUT_DELETE_QUALITY: ask(v, DELETE_QUALITY, "Delete the quality %s?", v->state.qualities.name); break;
    case INPUT_CONFIRM:
        if (question == REPLACE_FILE) save_file(v, true);
        if (question == REPLACE_QUALITY) save_quality(v, true);
        if (question == DELETE_QUALITY) delete_quality(v);
        break;
    case INPUT_DECLINE: stop_asking(v); break;
    default: break;
    }
}
