/* File names with a frame number in them, and names for new files. */
#include "base/file_name.h"

#include "base/file.h"
#include "stereo/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Expands the pattern into `name`, cut to `size`. Returns its whole length, or -1 if it is no pattern. */
static int expand(const char *pattern, int64_t frame, char *name, size_t size, int *conversions) {
    size_t length = 0;
    *conversions = 0;
    while (*pattern) {
        char piece[104] = {*pattern++, 0};
        if (piece[0] == '%' && *pattern == '%') {
            pattern++;
        } else if (piece[0] == '%') {
            const bool zeros = *pattern == '0';
            int width = 0;
            for (int digits = 0; digits < 2 && isdigit((unsigned char)*pattern); digits++)
                width = width * 10 + *pattern++ - '0';
            if (!*pattern || !strchr("diu", *pattern++) || ++*conversions > 1) return -1;
            snprintf(piece, sizeof piece, zeros ? "%0*" PRId64 : "%*" PRId64, width, frame);
        }
        if (length < size) snprintf(name + length, size - length, "%s", piece);
        length += strlen(piece);
    }
    return length > INT32_MAX ? INT32_MAX : (int)length;
}

sv_status file_check_pattern(const char *pattern, sv_error *error) {
    int conversions;
    if (!*pattern) return sv_fail(error, SV_USAGE, "a file name cannot be empty");
    if (expand(pattern, 0, NULL, 0, &conversions) < 0)
        return sv_fail(error, SV_USAGE,
                       "'%s' is not a pattern for file names: it may have one %%d or %%06d for the frame number, and a "
                       "percent sign is written %%%%",
                       pattern);
    return SV_OK;
}

bool file_is_numbered(const char *pattern) {
    int conversions;
    return expand(pattern, 0, NULL, 0, &conversions) >= 0 && conversions == 1;
}

sv_status file_name(const char *pattern, int64_t frame, char *name, size_t size, sv_error *error) {
    int conversions;
    sv_status status = file_check_pattern(pattern, error);
    if (status == SV_OK && expand(pattern, frame, name, size, &conversions) >= (int)size)
        status = sv_fail(error, SV_FAILED, "the file name of '%s' for frame %" PRId64 " is too long", pattern, frame);
    return status;
}

/* ---- Names that match ------------------------------------------------------------------------- */

/* Copies the text in front of the next conversion, with %% as %; returns where it ends in the pattern. */
static const char *copy_literal(const char *pattern, char *to) {
    while (*pattern && (pattern[0] != '%' || pattern[1] == '%')) {
        pattern += pattern[0] == '%';
        *to++ = *pattern++;
    }
    *to = 0;
    return pattern;
}

/* A pattern in parts: the text in front of its number and behind it, with %% as %. `after` is NULL without a number. */
typedef struct parts {
    char *before, *after; /* owned */
} parts;

static parts split(const char *pattern) {
    const size_t size = strlen(pattern) + 1;
    parts of = {.before = sv_alloc(size, 1)};
    const char *number = copy_literal(pattern, of.before);
    if (!*number) return of;
    of.after = sv_alloc(size, 1);
    copy_literal(number + strcspn(number, "diu") + 1, of.after);
    return of;
}

/* True if the name has these parts with any number of digits in between. */
static bool fits(const parts *of, const char *name) {
    if (!of->after) return !strcmp(of->before, name);
    const size_t before = strlen(of->before), after = strlen(of->after), length = strlen(name);
    return length > before + after && !strncmp(name, of->before, before) &&
           before + strspn(name + before, " 0123456789") >= length - after && !strcmp(name + length - after, of->after);
}

/* Copies a name so that glob takes each of its characters literally; returns the end. */
static char *escape(const char *name, char *to) {
    for (; *name; *to++ = *name++)
        if (strchr("*?[\\", *name)) *to++ = '\\';
    *to = 0;
    return to;
}

char **file_find(const char *pattern, size_t *count) {
    parts of = split(pattern);
    char *wide = sv_alloc(2 * strlen(pattern) + 2, 1), *end = escape(of.before, wide), **names = NULL;
    if (of.after) {
        *end++ = '*';
        escape(of.after, end);
    }
    glob_t found = {0};
    *count = 0;
    if (!glob(wide, GLOB_NOSORT, NULL, &found)) names = sv_alloc(found.gl_pathc, sizeof *names);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (fits(&of, found.gl_pathv[i])) names[(*count)++] = sv_strdup(found.gl_pathv[i]);
    globfree(&found);
    free(wide);
    free(of.before);
    free(of.after);
    return names;
}

int64_t file_number(const char *pattern, const char *name) {
    parts of = split(pattern);
    const int64_t number = strtoll(name + strlen(of.before), NULL, 10);
    free(of.before);
    free(of.after);
    return number;
}

void file_free_names(char **names, size_t count) {
    for (size_t i = 0; i < count; i++) free(names[i]);
    free(names);
}

static bool is_taken(const char *path, const char *const *endings) {
    bool taken = false;
    for (; *endings && !taken; endings++) {
        char *file = sv_asprintf("%s%s", path, *endings);
        taken = !access(file, F_OK);
        free(file);
    }
    return taken;
}

sv_status file_find_free(const char *folder, const char *name, const char *const *endings, char *path, size_t size,
                         sv_error *error) {
    if (folder && mkdir(folder, 0777) && errno != EEXIST) return file_failed("make the folder", folder, error);
    for (int i = 1;; i++) {
        char number[16] = "";
        if (i > 1) snprintf(number, sizeof number, "_%d", i);
        const int length = snprintf(path, size, "%s%s%s%s", folder ? folder : "", folder ? "/" : "", name, number);
        if (length >= (int)size) return sv_fail(error, SV_FAILED, "the name of the folder %s is too long", folder);
        if (!is_taken(path, endings)) return SV_OK;
    }
}
