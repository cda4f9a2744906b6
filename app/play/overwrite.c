/* Protects files that are read from being overwritten: see overwrite.h. */
#include "app/play/overwrite.h"

#include "base/places.h"
#include "capture/ffmpeg/folder.h"

#include <glob.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file, whatever its name. */
typedef struct known {
    dev_t device;
    ino_t number;
    char *name;         /* one of its names; owned */
    const char *reader; /* the option that reads it */
} known;

typedef struct list {
    known *files;
    size_t count, room;
} list;

static void list_free(list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->files[i].name);
    free(list->files);
}

/* Adds the file if it is there. Devices and pipes lose nothing. */
static sv_status add_file(list *list, const char *name, const char *reader, sv_error *error) {
    struct stat status;
    if (stat(name, &status) || !S_ISREG(status.st_mode)) return SV_OK;
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 16;
        known *more = realloc(list->files, room * sizeof *more);
        if (!more) return sv_fail(error, SV_FAILED, "out of memory to compare the files of the run");
        list->files = more;
        list->room = room;
    }
    known *file = &list->files[list->count];
    *file = (known){status.st_dev, status.st_ino, strdup(name), reader};
    if (!file->name) return sv_fail(error, SV_FAILED, "out of memory to compare the files of the run");
    list->count++;
    return SV_OK;
}

/* ---- Patterns --------------------------------------------------------------------------------- */

static void put_escaped(FILE *stream, char c, const char *special) {
    if (strchr(special, c)) putc('\\', stream);
    putc(c, stream);
}

/* The end of the conversion (%d, %06d) that begins at `percent`, NULL if it is none. */
static const char *conversion_end(const char *percent) {
    const char *end = percent + 1 + strspn(percent + 1, "0123456789");
    return *percent == '%' && *end && strchr("diu", *end) ? end + 1 : NULL;
}

/* Two expressions of a pattern for file names: `wide` for glob, which finds more, and `exact` for regexec. Not all
 * readers take a conversion in a folder's name for one, so its own characters match it, too. */
static void translate(const char *pattern, FILE *wide, FILE *exact) {
    static const char of_glob[] = "*?[\\", of_regex[] = ".[\\()*+?{|^$";
    putc('^', exact);
    while (*pattern) {
        const char *end = conversion_end(pattern);
        if (end) {
            putc('*', wide);
            fprintf(exact, "( *[0-9]+|%.*s)", (int)(end - pattern), pattern);
            pattern = end;
        } else {
            put_escaped(wide, *pattern, of_glob);
            put_escaped(exact, *pattern, of_regex);
            pattern += pattern[0] == '%' && pattern[1] == '%' ? 2 : 1;
        }
    }
    putc('$', exact);
}

static sv_status add_matches(list *list, const char *wide, const char *exact, const char *reader, sv_error *error) {
    glob_t found = {0};
    regex_t fits;
    if (regcomp(&fits, exact, REG_EXTENDED | REG_NOSUB))
        return sv_fail(error, SV_FAILED, "out of memory to compare the files of the run");
    sv_status status = SV_OK;
    if (glob(wide, GLOB_NOSORT, NULL, &found) == GLOB_NOSPACE)
        status = sv_fail(error, SV_FAILED, "out of memory to compare the files of the run");
    for (size_t i = 0; i < found.gl_pathc && status == SV_OK; i++)
        if (!regexec(&fits, found.gl_pathv[i], 0, NULL, 0)) status = add_file(list, found.gl_pathv[i], reader, error);
    globfree(&found);
    regfree(&fits);
    return status;
}

/* Adds all files that match the pattern. */
static sv_status add_pattern(list *list, const char *pattern, const char *reader, sv_error *error) {
    char *wide = NULL, *exact = NULL;
    size_t wide_size, exact_size;
    FILE *to_wide = open_memstream(&wide, &wide_size), *to_exact = open_memstream(&exact, &exact_size);
    if (to_wide && to_exact) translate(pattern, to_wide, to_exact);
    bool failed = !to_wide || !to_exact;
    if (to_wide) failed |= fclose(to_wide) != 0;
    if (to_exact) failed |= fclose(to_exact) != 0;
    failed |= !wide || !exact; /* fclose may not tell */
    sv_status status = failed ? sv_fail(error, SV_FAILED, "out of memory to compare the files of the run")
                              : add_matches(list, wide, exact, reader, error);
    free(wide);
    free(exact);
    return status;
}

/* ---- What is read ----------------------------------------------------------------------------- */

/* The pictures of a folder or a pattern. Where they cannot be found, opening them says so. */
static sv_status add_folder(list *list, const char *name, const char *reader, sv_error *error) {
    sequence pictures;
    sv_status status = SV_OK;
    folder_find(&pictures, name, NULL);
    for (int64_t i = 0; i < pictures.count && status == SV_OK; i++)
        status = add_file(list, pictures.files[i], reader, error);
    sequence_free(&pictures);
    return status;
}

/* A video, a picture or a sequence, as source_open_file takes the name. */
static sv_status add_input(list *list, const char *name, const char *reader, sv_error *error) {
    if (access(name, F_OK) && sequence_is_pattern(name)) return add_pattern(list, name, reader, error);
    if (folder_is_named(name)) return add_folder(list, name, reader, error);
    return add_file(list, name, reader, error);
}

static sv_status add_calibration(list *list, const char *files, sv_error *error) {
    static const char option[] = "--calibration";
    const char *comma = access(files, F_OK) ? strchr(files, ',') : NULL;
    if (!comma) return add_file(list, files, option, error);
    char *first = strndup(files, (size_t)(comma - files));
    sv_status status = first ? add_file(list, first, option, error)
                             : sv_fail(error, SV_FAILED, "out of memory to compare the files of the run");
    if (status == SV_OK) status = add_file(list, comma + 1, option, error);
    free(first);
    return status;
}

/* `settings`: the settings file, too. */
static sv_status add_all(list *list, const options *o, bool settings, sv_error *error) {
    char left[PLACES_BYTES], right[PLACES_BYTES];
    sv_status status = SV_OK;
    if (o->left) status = add_input(list, o->left, "-f", error);
    if (status == SV_OK && o->right) status = add_input(list, o->right, "-f", error);
    if (status == SV_OK && o->whole && places_find_sides(o->whole, left, right, sizeof left)) {
        status = add_input(list, left, "-s", error);
        if (status == SV_OK) status = add_input(list, right, "-s", error);
    } else if (status == SV_OK && o->whole) {
        status = add_input(list, o->whole, "-s", error);
    }
    /* Where the demo is not found, opening it says so. */
    if (status == SV_OK && o->demo && places_find_demo(left, right, sizeof left, NULL) == SV_OK) {
        status = add_file(list, left, "--demo", error);
        if (status == SV_OK) status = add_file(list, right, "--demo", error);
    }
    if (status == SV_OK && o->calibration) status = add_calibration(list, o->calibration, error);
    if (status == SV_OK && o->truth) status = add_pattern(list, o->truth, "--truth", error);
    if (status == SV_OK && settings && o->settings) status = add_file(list, o->settings, "--settings", error);
    return status;
}

/* ---- Comparing -------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    const known *x = a, *y = b;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Compares the files that match the pattern with those that are read, which are sorted. */
static sv_status check_pattern(const list *read, const char *writer, const char *pattern, sv_error *error) {
    list written = {0};
    sv_status status = add_file(&written, pattern, writer, error);
    if (status == SV_OK) status = add_pattern(&written, pattern, writer, error);
    for (size_t i = 0; i < written.count && status == SV_OK; i++) {
        const known *same =
            read->count ? bsearch(&written.files[i], read->files, read->count, sizeof *read->files, compare) : NULL;
        if (same)
            status = sv_fail(error, SV_USAGE, "%s %s would overwrite %s, which %s reads; choose another name", writer,
                             pattern, same->name, same->reader);
    }
    list_free(&written);
    return status;
}

static void sort(list *list) {
    if (list->count) qsort(list->files, list->count, sizeof *list->files, compare);
}

sv_status overwrite_check_one(const options *o, const char *writer, const char *pattern, sv_error *error) {
    list read = {0};
    sv_status status = add_all(&read, o, pattern != o->settings, error);
    sort(&read);
    if (status == SV_OK) status = check_pattern(&read, writer, pattern, error);
    list_free(&read);
    return status;
}

/* ---- Lists ------------------------------------------------------------------------------------ */

static int compare_outputs(const void *a, const void *b) {
    const listed_pair *const *x = a, *const *y = b;
    const int order = strcmp((*x)->output, (*y)->output);
    return order ? order : (*x)->line - (*y)->line;
}

/* Refuses two lines with the same output. */
static sv_status check_outputs(const pair_list *pairs, sv_error *error) {
    const listed_pair **sorted = calloc((size_t)pairs->count, sizeof *sorted);
    if (!sorted) return sv_fail(error, SV_FAILED, "out of memory for the list");
    for (int64_t i = 0; i < pairs->count; i++) sorted[i] = &pairs->pairs[i];
    qsort(sorted, (size_t)pairs->count, sizeof *sorted, compare_outputs);
    sv_status status = SV_OK;
    for (int64_t i = 1; i < pairs->count && status == SV_OK; i++)
        if (!strcmp(sorted[i - 1]->output, sorted[i]->output))
            status = sv_fail(error, SV_USAGE, "lines %d and %d of the list have the same output, %s",
                             sorted[i - 1]->line, sorted[i]->line, sorted[i]->output);
    free(sorted);
    return status;
}

static sv_status add_pairs(list *list, const options *o, const pair_list *pairs, sv_error *error) {
    sv_status status = add_all(list, o, true, error);
    if (status == SV_OK) status = add_file(list, o->list, "--list", error);
    for (int64_t i = 0; i < pairs->count && status == SV_OK; i++) {
        const listed_pair *pair = &pairs->pairs[i];
        status = add_input(list, pair->left, "the list", error);
        if (status == SV_OK) status = add_input(list, pair->right, "the list", error);
        if (status == SV_OK && pair->calibration) status = add_calibration(list, pair->calibration, error);
    }
    return status;
}

sv_status overwrite_check_list(const options *o, const pair_list *pairs, sv_error *error) {
    list read = {0};
    sv_status status = check_outputs(pairs, error);
    if (status == SV_OK) status = add_pairs(&read, o, pairs, error);
    sort(&read);
    for (int64_t i = 0; i < pairs->count && status == SV_OK; i++)
        status = check_pattern(&read, "the list's output", pairs->pairs[i].output, error);
    if (status == SV_OK && o->stats) status = check_pattern(&read, "--stats", o->stats, error);
    list_free(&read);
    return status;
}

/* A recording has a second file beside it, see recording.h. */
static sv_status check_record(const options *o, sv_error *error) {
    char *counts;
    sv_status status = overwrite_check_one(o, "--record", o->record, error);
    if (status != SV_OK) return status;
    if (asprintf(&counts, "%s.json", o->record) < 0)
        return sv_fail(error, SV_FAILED, "out of memory to compare the files of the run");
    status = overwrite_check_one(o, "--record", counts, error);
    if (status == SV_OK && o->stats && !strcmp(o->stats, counts))
        status = sv_fail(error, SV_USAGE, "--stats %s: --record writes a file of that name; choose another", counts);
    free(counts);
    return status;
}

sv_status overwrite_check(const options *o, sv_error *error) {
    sv_status status = SV_OK;
    for (int i = 0; i < o->output_count && status == SV_OK; i++)
        status = overwrite_check_one(o, "-o", o->outputs[i], error);
    if (status == SV_OK && o->stats) status = overwrite_check_one(o, "--stats", o->stats, error);
    if (status == SV_OK && o->record) status = check_record(o, error);
    for (int i = 0; i < o->save_count && status == SV_OK; i++) {
        char names[2][PLACES_BYTES];
        const int count = places_of_calibration(o->save_calibration[i], names);
        for (int k = 0; k < count && status == SV_OK; k++)
            status = overwrite_check_one(o, "--save-calibration", names[k], error);
    }
    return status;
}

sv_status overwrite_find(const char *pattern, char *name, size_t size, sv_error *error) {
    list found = {0};
    sv_status status = add_pattern(&found, pattern, "", error);
    snprintf(name, size, "%s", status == SV_OK && found.count ? found.files[0].name : "");
    list_free(&found);
    return status;
}
