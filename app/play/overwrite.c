/* Protects the files of a run from each other: see overwrite.h. */
#include "app/play/overwrite.h"

#include "base/file_name.h"
#include "base/inputs.h"
#include "base/places.h"
#include "capture/ffmpeg/folder.h"
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

/* The pictures of a folder. Where they cannot be found, opening them says so. */
static void add_folder(const char *name, const char *reader) {
    sequence pictures;
    folder_find(&pictures, name, NULL);
    for (int64_t i = 0; i < pictures.count; i++) inputs_add(pictures.files[i], reader);
    sequence_free(&pictures);
}

/* A video, a picture or a sequence, as source_open_file takes the name. */
static void add_source(const char *name, const char *reader) {
    if (access(name, F_OK) && sequence_is_pattern(name))
        add_pattern(name, reader);
    else if (folder_is_named(name))
        add_folder(name, reader);
    else
        inputs_add(name, reader);
}

/* One file, or two with a comma between. */
static void add_calibration(const char *files) {
    const char *comma = access(files, F_OK) ? strchr(files, ',') : NULL;
    char *first = sv_strdup(files);
    if (comma) {
        first[comma - files] = 0;
        inputs_add(comma + 1, "--calibration");
    }
    inputs_add(first, "--calibration");
    free(first);
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
    /* Where the demo is not found, opening it says so. */
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

/* A file that the run writes, or all files of a pattern. */
typedef struct output {
    const char *what; /* writes it: an option, or what comes with one */
    char *name;       /* as the user gave it; owned */
    int line;         /* of the list; 0: not in it */
    file_parts parts; /* absolute, links to folders followed, and those to files that exist */
} output;

typedef struct outputs {
    output *each;
    size_t count;
} outputs;

/* The absolute path of a file that need not exist; the name itself if its folder does not. `whole`: the name is not
 * just the beginning of one. */
static char *resolve(const char *name, bool whole) {
    char *path = whole ? realpath(name, NULL) : NULL;
    if (path) return path;
    const char *slash = strrchr(name, '/');
    char *folder = sv_strdup(slash ? name : ".");
    if (slash) folder[slash + 1 - name] = 0;
    path = realpath(folder, NULL);
    char *resolved = path ? sv_asprintf("%s/%s", path[1] ? path : "", slash ? slash + 1 : name) : sv_strdup(name);
    free(folder);
    free(path);
    return resolved;
}

/* Takes over the name. Devices and pipes lose nothing. */
static void add_output(outputs *all, const char *what, char *name, file_parts parts, int line) {
    struct stat status;
    if (!parts.after && !stat(parts.before, &status) && !S_ISREG(status.st_mode)) {
        file_free_parts(&parts);
        free(name);
        return;
    }
    char *resolved = resolve(parts.before, !parts.after);
    free(parts.before);
    parts.before = resolved;
    all->each[all->count++] = (output){what, name, line, parts};
}

static void add_file(outputs *all, const char *what, const char *name) {
    add_output(all, what, sv_strdup(name), (file_parts){sv_strdup(name), NULL}, 0);
}

/* The frames of one pattern, and with --resume the settings beside them. */
static void add_frames(outputs *all, const options *o, const char *pattern, int line) {
    add_output(all, "-o", sv_strdup(pattern), file_split(pattern), line);
    if (!o->run.resume || !file_is_numbered(pattern)) return;
    char *settings = sv_asprintf("%s.yaml", pattern);
    add_file(all, "the settings of --resume", settings);
    free(settings);
}

static outputs find_outputs(const options *o, const pair_list *list) {
    const size_t frames = (size_t)o->output.count + (list ? (size_t)list->count : 0);
    outputs all = {.each = sv_alloc(2 * frames + 2 * (size_t)o->rig.saved_count + 5, sizeof *all.each)};
    for (int i = 0; i < o->output.count; i++) add_frames(&all, o, o->output.files[i], 0);
    for (int64_t i = 0; list && i < list->count; i++) add_frames(&all, o, list->pairs[i].output, list->pairs[i].line);
    if (list && o->run.resume) {
        char *settings = sv_asprintf("%s.yaml", o->run.list);
        add_file(&all, "the settings of --resume", settings);
        free(settings);
    }
    if (o->output.stats) add_file(&all, "--stats", o->output.stats);
    if (o->output.record) {
        char *counts = sv_asprintf("%s.json", o->output.record);
        add_file(&all, "--record", o->output.record);
        add_file(&all, "the counts of --record", counts);
        free(counts);
    }
    for (int i = 0; i < o->rig.saved_count; i++) {
        char names[2][PLACES_BYTES];
        const int count = places_of_calibration(o->rig.saved[i], names);
        for (int k = 0; k < count; k++) add_file(&all, "--save-calibration", names[k]);
    }
    if (o->settings && !o->run.headless) add_file(&all, "--settings", o->settings); /* the window may save it */
    return all;
}

static void free_outputs(outputs *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->each[i].name);
        file_free_parts(&all->each[i].parts);
    }
    free(all->each);
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
    if (!out->parts.after) return refuse_input(out, out->parts.before, error);
    size_t count;
    char **names = file_find(out->name, &count);
    sv_status status = SV_OK;
    for (size_t i = 0; i < count && status == SV_OK; i++) status = refuse_input(out, names[i], error);
    file_free_names(names, count);
    return status;
}

static bool begins_with(const char *text, const char *beginning) {
    return !strncmp(text, beginning, strlen(beginning));
}

/* True if numbers can make the two texts equal that stand behind them. */
static bool may_end_alike(const char *a, const char *b) {
    const size_t of_a = strlen(a), of_b = strlen(b);
    if (of_a > of_b) return may_end_alike(b, a);
    const size_t more = of_b - of_a;
    return strspn(b, FILE_NUMBER) >= more && !strcmp(b + more, a);
}

/* True if both can be the same file; a->parts.before is the beginning of b's. */
static bool meet(const output *a, const output *b) {
    if (!b->parts.after) return file_fits(&a->parts, b->parts.before);
    if (!a->parts.after) return false;
    const char *more = b->parts.before + strlen(a->parts.before);
    return !more[strspn(more, FILE_NUMBER)] && may_end_alike(a->parts.after, b->parts.after);
}

static const char *describe(const output *out, char *text, size_t size) {
    if (out->line)
        snprintf(text, size, "line %d of the list (%s)", out->line, out->name);
    else
        snprintf(text, size, "%s %s", out->what, out->name);
    return text;
}

/* In the order of their names, so that those behind which others begin with them stand before these. */
static int compare(const void *a, const void *b) {
    return strcmp(((const output *)a)->parts.before, ((const output *)b)->parts.before);
}

/* Refuses two outputs that can be the same file. */
static sv_status check_each_other(outputs *all, sv_error *error) {
    char texts[2][1024];
    qsort(all->each, all->count, sizeof *all->each, compare);
    for (size_t i = 0; i < all->count; i++) {
        const output *a = &all->each[i], *b = a + 1;
        for (; b < all->each + all->count && begins_with(b->parts.before, a->parts.before); b++)
            if (meet(a, b))
                return sv_fail(error, SV_USAGE, "%s and %s would write the same file; choose another name for one",
                               describe(a, texts[0], sizeof texts[0]), describe(b, texts[1], sizeof texts[1]));
    }
    return SV_OK;
}

sv_status overwrite_check(const options *o, const pair_list *list, sv_error *error) {
    overwrite_add_inputs(o);
    if (list) add_list(o->run.list, list);
    outputs all = find_outputs(o, list);
    sv_status status = SV_OK;
    for (size_t i = 0; i < all.count && status == SV_OK; i++) status = check_inputs(&all.each[i], error);
    if (status == SV_OK) status = check_each_other(&all, error);
    free_outputs(&all);
    return status;
}
