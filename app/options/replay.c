/* What a settings file says about a source. */
#include "app/options/replay.h"

#include "app/options/option_apply.h"
#include "app/options/request.h"
#include "capture/live/network.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds the name of a file, of `length` bytes, as an absolute path, or an address as it is. */
static sv_status add_name(settings_source *source, const char *key, const char *name, sv_error *error) {
    if (name[0] == '/' || (network_is_address(name) && access(name, F_OK)))
        return settings_add_source(source, key, error, "%s", name);
    char *folder = getcwd(NULL, 0);
    if (!folder) return sv_fail(error, SV_FAILED, "the current folder is not known, so %s has no full name", name);
    sv_status status = settings_add_source(source, key, error, "%s/%s", folder, name);
    free(folder);
    return status;
}

/* One file or, with a comma between, two. */
static sv_status add_calibration(settings_source *source, const char *files, sv_error *error) {
    const char *comma = access(files, F_OK) ? strchr(files, ',') : NULL;
    char *folder = getcwd(NULL, 0);
    if (!folder) return sv_fail(error, SV_FAILED, "the current folder is not known, so %s has no full name", files);
    const int first = comma ? (int)(comma - files) : (int)strlen(files);
    const char *second = comma ? comma + 1 : "";
    sv_status status =
        settings_add_source(source, "calibration", error, "%s%s%.*s%s%s%s%s", files[0] == '/' ? "" : folder,
                            files[0] == '/' ? "" : "/", first, files, comma ? "," : "",
                            !comma || second[0] == '/' ? "" : folder, !comma || second[0] == '/' ? "" : "/", second);
    free(folder);
    return status;
}

static sv_status add_source(settings_source *source, const options *o, sv_error *error) {
    sv_status status = SV_OK;
    if (o->input.demo) status = settings_add_source(source, "demo", error, "on");
    if (o->input.synthetic_width)
        status = settings_add_source(source, "synthetic", error, "%dx%d", o->input.synthetic_width,
                                     o->input.synthetic_height);
    if (status == SV_OK && o->input.left) status = add_name(source, "left", o->input.left, error);
    if (status == SV_OK && o->input.right) status = add_name(source, "right", o->input.right, error);
    if (status == SV_OK && o->input.whole) status = add_name(source, "side-by-side", o->input.whole, error);
    if (status == SV_OK && o->input.layout_given)
        status = settings_add_source(source, "stream-layout", error, "%s", split_layout_name(o->input.split.layout));
    if (status == SV_OK && o->input.split.swap) status = settings_add_source(source, "swap", error, "on");
    if (status == SV_OK && o->input.frames.skip_damaged) status = settings_add_source(source, "damaged", error, "skip");
    return status;
}

static sv_status add_frames(settings_source *source, const replay_frames *f, sv_error *error) {
    sv_status status = SV_OK;
    if (f->moved && f->pictures) status = settings_add_source(source, "offset", error, "%.0f", f->offset);
    if (f->moved && !f->pictures) status = settings_add_source(source, "offset", error, "%.9gms", 1e3 * f->offset);
    if (status != SV_OK) return status;
    if (f->end == INT64_MAX) return settings_add_source(source, "frames", error, "%" PRId64 ":", f->first);
    return settings_add_source(source, "frames", error, "%" PRId64 ":%" PRId64, f->first, f->end);
}

/* What --rows is, unless it is auto. */
static sv_status add_rows(settings_source *source, const rig_options *rig, sv_error *error) {
    const double *t = rig->row_terms;
    if (rig->rows == ROWS_AUTO) return SV_OK;
    if (rig->rows == ROWS_OFF) return settings_add_source(source, "rows", error, "off");
    return settings_add_source(source, "rows", error, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", t[0], t[1], t[2], t[3], t[4],
                               t[5]);
}

options replay_with_rows(const options *o, const double terms[SV_ROW_TERMS]) {
    options in_use = *o;
    in_use.rig.rows = ROWS_OFF;
    for (int i = 0; i < SV_ROW_TERMS; i++) {
        in_use.rig.row_terms[i] = terms[i];
        if (terms[i] != 0) in_use.rig.rows = ROWS_GIVEN;
    }
    return in_use;
}

sv_status replay_describe(const options *o, const replay_frames *frames, settings_source *source, sv_error *error) {
    *source = (settings_source){0};
    sv_status status = settings_add_source(source, "version", error, "%s", SV_VERSION);
    if (status == SV_OK) status = add_source(source, o, error);
    if (status == SV_OK) status = add_frames(source, frames, error);
    if (status == SV_OK && o->rig.calibration) status = add_calibration(source, o->rig.calibration, error);
    if (status == SV_OK && o->rig.calibration && o->rig.unit)
        status = settings_add_source(source, "unit", error, "%s", o->rig.unit);
    if (status == SV_OK && o->rig.calibration && o->rig.rectify_alpha >= 0)
        status = settings_add_source(source, "rectify-alpha", error, "%.9g", o->rig.rectify_alpha);
    if (status == SV_OK) status = add_rows(source, &o->rig, error);
    return status;
}

sv_status replay_apply(options *o, const settings_source *source, const char *path, bool input, bool second,
                       sv_error *error) {
    for (int i = 0; i < source->count; i++) {
        const char *key = source->entries[i].key;
        char argument[64], *values[] = {source->entries[i].value, NULL};
        sv_error why;
        if (!strcmp(key, "version") || !strcmp(key, "right") || !(strcmp(key, "compare") ? input : second)) continue;
        const char *name = !strcmp(key, "left") ? "files" : !strcmp(key, "stream-layout") ? "layout" : key;
        snprintf(argument, sizeof argument, "--%s", name);
        const option *option = option_find(argument);
        if (option->values == 2) values[1] = (char *)settings_source_value(source, "right");
        sv_status status = option->values == 2 && !values[1] ? sv_fail(&why, SV_USAGE, "left needs right")
                           : !option->values && strcmp(values[0], "on")
                               ? sv_fail(&why, SV_USAGE, "%s takes on, not '%s'", key, values[0])
                               : option_apply(o, option, values, option->values, &why);
        if (status != SV_OK)
            return sv_fail(error, SV_FAILED, "%s, line %d: %s", path, source->entries[i].line, why.text);
    }
    return SV_OK;
}

sv_status replay_options(const settings_source *source, const char *path, const options *from, options *to,
                         sv_error *error) {
    *to = request_options(&(request){.demo = false}, from, false);
    const sv_status status = replay_apply(to, source, path, true, false, error);
    to->input.frames.loop |= to->input.demo || to->input.synthetic_width;
    return status;
}
