/* Protects the files of a run from each other: see overwrite.h. */
#include "app/play/overwrite.h"

#include "base/file.h"
#include "base/file_name.h"
#include "base/inputs.h"
#include "base/places.h"
#include "capture/ffmpeg/sequence.h"
#include "stereo/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- What is read ----------------------------------------------------------------------------- */

static void add_pattern(const char *pattern, const char *reader) {
    size_t count;
    if (file_check_pattern(pattern, NULL) != SV_OK) return; /* opening it gives the error */
    char **names = file_find(pattern, &count);
    for (size_t i = 0; i < count; i++) inputs_add(names[i], reader);
    file_free_names(names, count);
}

/* The pictures of a folder; opening them reports what cannot be found. */
static void add_folder(const char *name, const char *reader) {
    sequence pictures;
    sequence_find(&pictures, name, NULL);
    for (int64_t i = 0; i < pictures.count; i++) inputs_add(pictures.files[i], reader);
    sequence_free(&pictures);
}

/* A video, a picture or a sequence, as source_open_file takes the name. */
static void add_source(const char *name, const char *reader) {
    if (access(name, F_OK) && file_is_numbered(name))
        add_pattern(name, reader);
    else if (sequence_is_named(name))
        add_folder(name, reader);
    else
        inputs_add(name, reader);
}

static void add_calibration(const char *files) {
    char names[2][PLACES_BYTES];
    const int count = places_of_calibration(files, names);
    for (int i = 0; i < count; i++) inputs_add(names[i], "--calibration");
}

void overwrite_add_inputs(const options *o) {
    char left[PLACES_BYTES], right[PLACES_BYTES];
    if (o->input.left) add_source(o->input.left, "-f");
    if (o->input.right) add_source(o->input.right, "-f");
    if (o->input.whole && places_find_sides(o->input.whole, left, right, sizeof left)) {
        add_source(left, "-s");
        add_source(right, "-s");
    } else if (o->input.whole) {
        add_source(o->input.whole, "-s");
    }
    if (o->input.demo && places_find_demo(left, right, sizeof left, NULL) == SV_OK) {
        inputs_add(left, "--demo");
        inputs_add(right, "--demo");
    }
    if (o->rig.calibration) add_calibration(o->rig.calibration);
    if (o->output.truth) add_pattern(o->output.truth, "--truth");
    if (o->settings && o->run.headless) inputs_add(o->settings, "--settings");
    if (o->display.keys_file) inputs_add(o->display.keys_file, "--keys");
}

static void add_list(const char *name, const pair_list *list) {
    inputs_add(name, "--list");
    for (int64_t i = 0; i < list->count; i++) {
        const listed_pair *pair = &list->pairs[i];
        add_source(pair->left, "the list");
        add_source(pair->right, "the list");
        if (pair->calibration) add_calibration(pair->calibration);
    }
}

/* ---- What is written -------------------------------------------------------------------------- */

typedef struct output {
    const char *what;  /* writes it: an option, or what comes with one */
    int line;          /* of the list; 0: not in it */
    bool pattern;      /* `name` may have a number */
    char *name, *path; /* as the user gave it; absolute, links followed; owned */
} output;

typedef struct outputs {
    output *each;
    size_t count;
} outputs;

/* The absolute path of a file that need not exist; the name itself if its folder does not. */
static char *resolve(const char *name) {
    char *path = realpath(name, NULL);
    if (path) return path;
    const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
    char *folder = sv_asprintf("%.*s.", (int)(file - name), name), *whole = realpath(folder, NULL);
    path = whole ? sv_asprintf("%s/%s", whole, file) : sv_strdup(name);
    free(folder);
    free(whole);
    return path;
}

/* Takes over the name. Devices and pipes lose nothing; check_place refuses a folder. */
static void add(outputs *all, const char *what, char *name, bool pattern, int line) {
    struct stat status;
    if (!stat(name, &status) && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        free(name);
        return;
    }
    all->each = sv_realloc(all->each, all->count + 1, sizeof *all->each);
    all->each[all->count++] = (output){what, line, pattern, name, resolve(name)};
}

/* The frames of one pattern, and with --resume the settings beside them. */
static void add_frames(outputs *all, const options *o, const char *pattern, int line) {
    add(all, "-o", sv_strdup(pattern), true, line);
    if (o->run.resume && file_is_numbered(pattern))
        add(all, "the settings of --resume", sv_asprintf("%s.yaml", pattern), false, line);
}

static outputs find_outputs(const options *o, const pair_list *list) {
    outputs all = {0};
    for (int i = 0; i < o->output.count; i++) add_frames(&all, o, o->output.files[i], 0);
    for (int64_t i = 0; list && i < list->count; i++) add_frames(&all, o, list->pairs[i].output, list->pairs[i].line);
    if (list && o->run.resume) add(&all, "the settings of --resume", sv_asprintf("%s.yaml", o->run.list), false, 0);
    if (o->output.stats) add(&all, "--stats", sv_strdup(o->output.stats), false, 0);
    if (o->output.record) {
        add(&all, "--record", sv_strdup(o->output.record), false, 0);
        add(&all, "the counts of --record", sv_asprintf("%s.json", o->output.record), false, 0);
    }
    for (int i = 0; i < o->rig.saved_count; i++) {
        char names[2][PLACES_BYTES];
        const int count = places_of_calibration(o->rig.saved[i], names);
        for (int k = 0; k < count; k++) add(&all, "--save-calibration", sv_strdup(names[k]), false, 0);
    }
    /* The window may save it. */
    if (o->settings && !o->run.headless) add(&all, "--settings", sv_strdup(o->settings), false, 0);
    return all;
}

/* ---- Comparing -------------------------------------------------------------------------------- */

static sv_status refuse_input(const output *out, const char *name, sv_error *error) {
    const input_file *input = inputs_find(name);
    if (!input) return SV_OK;
    return sv_fail(error, SV_USAGE, "%s %s would overwrite %s, which %s reads; choose another name",
                   out->line ? "the list's output" : out->what, out->name, input->name, input->reader);
}

/* Refuses an output that is read. */
static sv_status check_inputs(const output *out, sv_error *error) {
    if (!out->pattern) return refuse_input(out, out->name, error);
    size_t count;
    char **names = file_find(out->name, &count);
    sv_status status = SV_OK;
    for (size_t i = 0; i < count && status == SV_OK; i++) status = refuse_input(out, names[i], error);
    file_free_names(names, count);
    return status;
}

sv_status overwrite_check_place(const char *pattern, int64_t frame, sv_error *error) {
    char path[PLACES_BYTES];
    const sv_status status = file_name(pattern, frame, path, sizeof path, error);
    return status == SV_OK ? file_check_place(path, error) : status;
}

/* What is in a list is checked when it is its turn, and reported with its line. */
static sv_status check_place(const output *out, int64_t first_frame, sv_error *error) {
    if (out->line) return SV_OK;
    return out->pattern ? overwrite_check_place(out->name, first_frame, error) : file_check_place(out->name, error);
}

static const char *describe(const output *out, char *text, size_t size) {
    if (out->line)
        snprintf(text, size, "line %d of the list (%s)", out->line, out->name);
    else
        snprintf(text, size, "%s %s", out->what, out->name);
    return text;
}

static int by_path(const void *a, const void *b) {
    const output *first = a, *second = b;
    const int order = strcmp(first->path, second->path);
    return order ? order : first->line - second->line;
}

static sv_status check_each_other(outputs *all, sv_error *error) {
    char texts[2][1024];
    if (all->count) qsort(all->each, all->count, sizeof *all->each, by_path);
    for (size_t i = 1; i < all->count; i++)
        if (!strcmp(all->each[i - 1].path, all->each[i].path))
            return sv_fail(error, SV_USAGE, "%s and %s would write the same file; choose another name for one",
                           describe(&all->each[i - 1], texts[0], sizeof texts[0]),
                           describe(&all->each[i], texts[1], sizeof texts[1]));
    return SV_OK;
}

sv_status overwrite_check(const options *o, const pair_list *list, sv_error *error) {
    overwrite_add_inputs(o);
    if (list) add_list(o->run.list, list);
    outputs all = find_outputs(o, list);
    sv_status status = SV_OK;
    for (size_t i = 0; i < all.count && status == SV_OK; i++) {
        status = check_inputs(&all.each[i], error);
        if (status == SV_OK) status = check_place(&all.each[i], o->input.frames.first, error);
    }
    if (status == SV_OK) status = check_each_other(&all, error);
    for (size_t i = 0; i < all.count; i++) {
        free(all.each[i].name);
        free(all.each[i].path);
    }
    free(all.each);
    return status;
}
