/* The source in a settings file: from and to options. */
#include "app/options/replay.h"

#include "app/options/option_apply.h"
#include "app/options/request.h"
#include "base/places.h"
#include "capture/live/network.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds a file by its absolute path, or an address as it is. */
static void add_name(settings_source *source, const char *key, const char *folder, const char *name) {
    if (name[0] == '/' || (network_is_address(name) && access(name, F_OK)))
        settings_add_source(source, key, "%s", name);
    else
        settings_add_source(source, key, "%s/%s", folder, name);
}

/* One file or, with a comma between, two. */
static void add_calibration(settings_source *source, const char *folder, const char *files) {
    char names[2][PLACES_BYTES];
    const bool two = places_of_calibration(files, names) == 2;
    const char *const before[2] = {names[0][0] == '/' ? "" : folder, names[1][0] == '/' ? "" : folder};
    settings_add_source(source, "calibration", "%s%s%s%s%s%s%s", before[0], *before[0] ? "/" : "", names[0],
                        two ? "," : "", two ? before[1] : "", two && *before[1] ? "/" : "", names[1]);
}

static void add_source(settings_source *source, const char *folder, const input_options *input) {
    if (input->demo) settings_add_source(source, "demo", "on");
    if (input->synthetic_width)
        settings_add_source(source, "synthetic", "%dx%d", input->synthetic_width, input->synthetic_height);
    if (input->left) add_name(source, "left", folder, input->left);
    if (input->right) add_name(source, "right", folder, input->right);
    if (input->whole) add_name(source, "side-by-side", folder, input->whole);
    if (input->layout_given || (input->whole && input->found.looked))
        settings_add_source(source, "stream-layout", "%s", split_layout_name(input->split.layout));
    if (input->swap_given || input->split.swap)
        settings_add_source(source, "swap", "%s", input->split.swap ? "on" : "off");
    if (input->frames.skip_damaged) settings_add_source(source, "damaged", "skip");
}

static void add_frames(settings_source *source, const replay_frames *f) {
    if (f->moved && f->pictures) settings_add_source(source, "offset", "%.0f", f->offset);
    if (f->moved && !f->pictures) settings_add_source(source, "offset", "%.9gms", 1e3 * f->offset);
    if (f->end == INT64_MAX)
        settings_add_source(source, "frames", "%" PRId64 ":", f->first);
    else
        settings_add_source(source, "frames", "%" PRId64 ":%" PRId64, f->first, f->end);
}

/* What --rows is, unless it is auto. */
static void add_rows(settings_source *source, const rig_options *rig) {
    const double *t = rig->row_terms;
    if (rig->rows == ROWS_OFF) settings_add_source(source, "rows", "off");
    if (rig->rows == ROWS_GIVEN)
        settings_add_source(source, "rows", "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", t[0], t[1], t[2], t[3], t[4], t[5]);
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
    char *folder = getcwd(NULL, 0);
    *source = (settings_source){0};
    if (!folder) return sv_fail(error, SV_FAILED, "the current folder has been removed, so files have no full names");
    settings_add_source(source, "version", "%s", SV_VERSION);
    add_source(source, folder, &o->input);
    add_frames(source, frames);
    if (o->rig.calibration) {
        add_calibration(source, folder, o->rig.calibration);
        if (o->rig.unit) settings_add_source(source, "unit", "%s", o->rig.unit);
        if (o->rig.rectify_alpha >= 0) settings_add_source(source, "rectify-alpha", "%.9g", o->rig.rectify_alpha);
    } else if (o->rig.baseline > 0 && !o->rig.align && !o->rig.calibrate) {
        if (o->rig.fov > 0) settings_add_source(source, "fov", "%.9g", o->rig.fov);
        settings_add_source(source, "baseline", "%.9gm", o->rig.baseline);
    }
    add_rows(source, &o->rig);
    free(folder);
    return SV_OK;
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
                           : option->id == OPTION_SWAP && !strcmp(values[0], "off")
                               ? option_apply(o, option, values, 1, &why)
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
