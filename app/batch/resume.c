/* --resume: continues an interrupted run of numbered files. */
#include "app/batch/resume.h"

#include "app/options/option_apply.h"
#include "app/options/replay.h"
#include "base/file.h"
#include "base/file_name.h"
#include "base/places.h"
#include "stereo/whole.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool resume_has(const options *o, int64_t frame) {
    for (int i = 0; i < o->output.count; i++) {
        char path[PLACES_BYTES];
        struct stat status;
        if (file_name(o->output.files[i], frame, path, sizeof path, NULL) != SV_OK || stat(path, &status)) return false;
    }
    return true;
}

int64_t resume_skip(const options *o, frame_range *range) {
    const int64_t first = range->first;
    while (o->run.resume && range->first < range->end && resume_has(o, range->first)) range->first++;
    return range->first - first;
}

/* The settings of this run, of all frames; in memory that the caller frees. */
static sv_status describe(const options *o, char **text, sv_error *error) {
    const replay_frames frames = {.end = INT64_MAX,
                                  .moved = o->input.offset.given,
                                  .pictures = !o->input.offset.in_ms,
                                  .offset =
                                      o->input.offset.in_ms ? 1e-3 * o->input.offset.value : o->input.offset.value};
    settings_source source;
    size_t size;
    *text = NULL;
    sv_status status = replay_describe(o, &frames, &source, error);
    FILE *stream = status == SV_OK ? open_memstream(text, &size) : NULL;
    if (stream) settings_print(stream, &o->match.params, &o->display.view, &source);
    if (status == SV_OK && (!stream || fclose(stream) || !*text))
        status = sv_fail(error, SV_FAILED, "out of memory for the settings");
    settings_free_source(&source);
    return status;
}

/* Names the first line in which the two texts differ. */
static sv_status refuse(const char *path, const char *then, const char *now, sv_error *error) {
    for (;;) {
        const int length = (int)strcspn(then, "\n"), other = (int)strcspn(now, "\n");
        if (length != other || strncmp(then, now, (size_t)length) || !then[length] || !now[other])
            return sv_fail(error, SV_FAILED,
                           "the existing files were made with other settings (%s has '%.*s', not '%.*s'); use the "
                           "same settings or another name, or remove them and that file",
                           path, length, then, other, now);
        then += length + 1;
        now += other + 1;
    }
}

/* Refuses a file whose origin is unknown, because there are no settings for `pattern`. */
static sv_status refuse_unknown(const char *found, const char *pattern, sv_error *error) {
    return sv_fail(error, SV_FAILED,
                   "--resume: %s exists, but no %s.yaml that says how it was made; remove it, or use another name",
                   found, pattern);
}

static sv_status path_of(const char *pattern, char *path, size_t size, sv_error *error) {
    if (snprintf(path, size, "%s.yaml", pattern) < (int)size) return SV_OK;
    return sv_fail(error, SV_FAILED, "the file name of '%s' is too long", pattern);
}

/* Compares the settings with those of the pattern's files; sets `known` if these have settings. */
static sv_status check(const char *pattern, const char *now, bool *known, sv_error *error) {
    enum { MOST = 1 << 20 };
    char path[PLACES_BYTES];
    size_t size;
    sv_status status = path_of(pattern, path, sizeof path, error);
    *known = false;
    if (status != SV_OK) return status;
    errno = 0;
    char *then = sv_read_whole(path, MOST, &size);
    *known = then != NULL;
    if (then)
        status = strcmp(then, now) ? refuse(path, then, now, error) : SV_OK;
    else if (errno != ENOENT)
        status = file_failed("read", path, error);
    free(then);
    return status;
}

static sv_status write_text(const char *pattern, const char *text, sv_error *error) {
    char path[PLACES_BYTES];
    file_writer writer;
    sv_status status = path_of(pattern, path, sizeof path, error);
    if (status == SV_OK) status = file_create(&writer, path, error);
    if (status != SV_OK) return status;
    fputs(text, writer.stream);
    return file_commit(&writer, error);
}

/* Takes --rows from the settings file of a pattern, if it exists. */
static sv_status take_rows(options *o, const char *pattern, sv_error *error) {
    char path[PLACES_BYTES];
    sv_params params = o->match.params;
    settings_source source;
    sv_status status = path_of(pattern, path, sizeof path, error);
    if (status != SV_OK || access(path, F_OK)) return status;
    status = settings_read(path, &params, NULL, &source, error);
    if (status != SV_OK) return status;
    char *rows[] = {(char *)settings_source_value(&source, "rows")};
    if (rows[0]) status = option_apply(o, option_find("--rows"), rows, 1, error);
    settings_free_source(&source);
    return status;
}

sv_status resume_rows(options *o, sv_error *error) {
    sv_status status = SV_OK;
    for (int i = 0; i < o->output.count && o->run.resume && o->rig.rows == ROWS_AUTO && status == SV_OK; i++)
        if (file_is_numbered(o->output.files[i])) status = take_rows(o, o->output.files[i], error);
    return status;
}

sv_status resume_begin(const options *of, const double rows[SV_ROW_TERMS], sv_error *error) {
    const options in_use = replay_with_rows(of, rows), *o = &in_use;
    char *now;
    sv_status status = describe(o, &now, error);
    for (int i = 0; i < o->output.count && status == SV_OK; i++) {
        size_t found = 0;
        char **names = NULL;
        bool known;
        if (!file_is_numbered(o->output.files[i])) continue;
        /* Before the settings are read: another part may start in the meantime, and it writes its settings first. */
        if (o->run.resume) names = file_find(o->output.files[i], &found);
        status = check(o->output.files[i], now, &known, error);
        if (status == SV_OK && !known && found) status = refuse_unknown(names[0], o->output.files[i], error);
        file_free_names(names, found);
    }
    for (int i = 0; i < o->output.count && status == SV_OK && o->run.resume; i++)
        status = write_text(o->output.files[i], now, error);
    free(now);
    return status;
}

sv_status resume_begin_list(const options *o, const pair_list *list, sv_error *error) {
    char *now;
    bool known;
    struct stat file;
    sv_status status = describe(o, &now, error);
    const char *found = NULL;
    for (int64_t i = 0; i < list->count && status == SV_OK && o->run.resume && !found; i++)
        if (!file_is_numbered(list->pairs[i].output) && !stat(list->pairs[i].output, &file))
            found = list->pairs[i].output;
    if (status == SV_OK) status = check(o->run.list, now, &known, error); /* afterwards, as above */
    if (status == SV_OK && found && !known) status = refuse_unknown(found, o->run.list, error);
    if (status == SV_OK && o->run.resume && !known) status = write_text(o->run.list, now, error);
    free(now);
    return status;
}
