/* Numbered pictures: see sequence.h. */
#include "capture/sequence.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pattern taken apart. The number is written by us, never by printf with the user's text as its format. */
typedef struct parts {
    const char *percent, *end; /* of the conversion */
    int width;                 /* digits, at least */
    char pad;                  /* '0' or ' ' */
} parts;

static const char *base_of(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static bool take_apart(const char *name, parts *out) {
    *out = (parts){.width = 1, .pad = ' '};
    for (const char *p = base_of(name); *p; p++) {
        if (*p != '%') continue;
        const char *q = p + 1;
        if (*q == '0') out->pad = *q++;
        int width = 0;
        while (*q >= '0' && *q <= '9' && width < 100) width = 10 * width + (*q++ - '0');
        if (*q != 'd' || width >= 100) continue; /* a plain per cent sign */
        if (out->percent) return false;
        out->percent = p;
        out->end = q + 1;
        out->width = width > 1 ? width : 1;
        p = q;
    }
    return out->percent != NULL;
}

bool sequence_is_pattern(const char *name) {
    parts parts;
    return take_apart(name, &parts);
}

static char *write_name(const char *pattern, int64_t number) {
    parts parts;
    char *name = NULL;
    if (!take_apart(pattern, &parts)) return strdup(pattern);
    int before = (int)(parts.percent - pattern);
    int length = parts.pad == '0'
                     ? asprintf(&name, "%.*s%0*" PRId64 "%s", before, pattern, parts.width, number, parts.end)
                     : asprintf(&name, "%.*s%*" PRId64 "%s", before, pattern, parts.width, number, parts.end);
    return length < 0 ? NULL : name;
}

/* The number in a file's name, -1 if the pattern would not write just this name. */
static int64_t number_of(const char *pattern, const char *file) {
    parts parts;
    const char *base = base_of(pattern);
    take_apart(pattern, &parts);
    size_t before = parts.percent - base;
    if (strncmp(file, base, before) != 0) return -1;
    errno = 0;
    char *end;
    int64_t number = strtoll(file + before, &end, 10);
    if (errno != 0 || number < 0 || end == file + before) return -1;
    char *again = write_name(base, number);
    bool same = again && strcmp(again, file) == 0;
    free(again);
    return same ? number : -1;
}

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The numbers in the folder, sorted; the caller frees them. */
static sv_status list_numbers(const char *folder, const char *pattern, int64_t **numbers, size_t *count,
                              sv_error *error) {
    *numbers = NULL;
    *count = 0;
    DIR *directory = opendir(folder);
    if (!directory)
        return sv_fail(error, SV_FAILED, "%s: cannot look for pictures in %s: %s", pattern, folder, strerror(errno));
    size_t room = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        int64_t number = number_of(pattern, entry->d_name);
        if (number < 0) continue;
        if (*count == room) {
            room = room ? 2 * room : 64;
            int64_t *more = realloc(*numbers, room * sizeof **numbers);
            if (!more) {
                closedir(directory);
                free(*numbers);
                return sv_fail(error, SV_FAILED, "%s: no memory left to list its pictures", pattern);
            }
            *numbers = more;
        }
        (*numbers)[(*count)++] = number;
    }
    closedir(directory);
    if (*count > 0) qsort(*numbers, *count, sizeof **numbers, compare);
    return SV_OK;
}

sv_status sequence_find(sequence *out, const char *pattern, sv_error *error) {
    *out = (sequence){.numbered = true};
    size_t length = base_of(pattern) - pattern;
    char *folder = length > 0 ? strndup(pattern, length) : strdup(".");
    out->pattern = strdup(pattern);
    if (!folder || !out->pattern) {
        free(folder);
        sequence_free(out);
        return sv_fail(error, SV_FAILED, "%s: no memory left", pattern);
    }
    int64_t *numbers;
    size_t count, run = 1;
    sv_status status = list_numbers(folder, pattern, &numbers, &count, error);
    if (status == SV_OK && count == 0)
        status = sv_fail(error, SV_FAILED, "%s: no file in %s fits this pattern; check the folder and the digits",
                         pattern, folder);
    free(folder);
    if (status != SV_OK) {
        sequence_free(out);
        return status;
    }
    while (run < count && numbers[run] == numbers[run - 1] + 1) run++;
    out->first = numbers[0];
    out->count = (int64_t)run;
    if (run < count)
        sv_log(SV_LOG_WARNING,
               "%s: ends at number %" PRId64 ", before a gap; %zu pictures from %" PRId64 " on are left out", pattern,
               numbers[run - 1], count - run, numbers[run]);
    free(numbers);
    return SV_OK;
}

char *sequence_file(const sequence *sequence, int64_t index) {
    return sequence->numbered ? write_name(sequence->pattern, sequence->first + index) : strdup(sequence->pattern);
}

void sequence_free(sequence *sequence) {
    free(sequence->pattern);
    sequence->pattern = NULL;
}
