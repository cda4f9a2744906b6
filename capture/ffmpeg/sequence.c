/* Numbered pictures: see sequence.h. */
#include "capture/ffmpeg/sequence.h"

#include "stereo/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *base_of(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* If an integer conversion begins at `percent`, returns its end and its width, else NULL. */
static const char *conversion_end(const char *percent, int *width, bool *zeros) {
    enum { MAX_WIDTH = 64 };
    const char *p = percent + 1;
    *width = 0;
    *zeros = *p == '0';
    while (*p >= '0' && *p <= '9' && *width <= MAX_WIDTH) *width = 10 * *width + (*p++ - '0');
    return (*p == 'd' || *p == 'i') && *width <= MAX_WIDTH ? p + 1 : NULL;
}

/* Finds the one conversion in the last part of `name`; false if there is none, or more. */
static bool find_conversion(const char *name, const char **begin, const char **end, int *width, bool *zeros) {
    *begin = NULL;
    for (const char *p = strchr(base_of(name), '%'); p; p = strchr(p, '%')) {
        int found_width;
        bool found_zeros;
        const char *found_end = conversion_end(p, &found_width, &found_zeros);
        if (found_end && *begin) return false;
        if (found_end) {
            *begin = p;
            *end = found_end;
            *width = found_width;
            *zeros = found_zeros;
        }
        p = found_end ? found_end : p[1] == '%' ? p + 2 : p + 1;
    }
    return *begin != NULL;
}

bool sequence_is_pattern(const char *name) {
    const char *begin, *end;
    int width;
    bool zeros;
    return find_conversion(name, &begin, &end, &width, &zeros);
}

/* A copy of the text in which %% is %. */
static char *copy_literal(const char *text, size_t length) {
    char *copy = sv_must(strndup(text, length)), *to = copy;
    for (const char *from = copy; *from; from += from[0] == '%' && from[1] == '%' ? 2 : 1) *to++ = *from;
    *to = '\0';
    return copy;
}

static char *write_name(const sequence *sequence, const char *before, int64_t number) {
    return sv_asprintf(sequence->zeros ? "%s%0*" PRId64 "%s" : "%s%*" PRId64 "%s", before, sequence->width, number,
                       sequence->after);
}

/* The number in a file's name, -1 if it is not one of the sequence's. */
static int64_t number_of(const sequence *sequence, const char *file) {
    const char *before = base_of(sequence->before);
    size_t length = strlen(before);
    if (strncmp(file, before, length) != 0) return -1;
    errno = 0;
    int64_t read = strtoll(file + length, NULL, 10);
    if (errno != 0 || read < 0) return -1;
    char *again = write_name(sequence, before, read); /* there is only one way to write a number */
    const bool same = strcmp(again, file) == 0;
    free(again);
    return same ? read : -1;
}

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The numbers in the folder, sorted; the caller frees them. */
static sv_status list_numbers(const sequence *sequence, const char *folder, const char *pattern, int64_t **numbers,
                              size_t *count, sv_error *error) {
    DIR *directory = opendir(folder);
    if (!directory)
        return sv_fail(error, SV_FAILED, "%s: cannot look for pictures in %s: %s", pattern, folder, strerror(errno));
    size_t room = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        const int64_t number = number_of(sequence, entry->d_name);
        if (number < 0) continue;
        if (*count == room) {
            room = room ? 2 * room : 64;
            *numbers = sv_realloc(*numbers, room, sizeof **numbers);
        }
        (*numbers)[(*count)++] = number;
    }
    closedir(directory);
    if (*count > 0) qsort(*numbers, *count, sizeof **numbers, compare);
    return SV_OK;
}

sv_status sequence_find(sequence *out, const char *pattern, sv_error *error) {
    *out = (sequence){.numbered = true};
    const char *begin, *end;
    if (!find_conversion(pattern, &begin, &end, &out->width, &out->zeros))
        return sv_fail(error, SV_USAGE, "%s: the pattern must contain exactly one number, such as %%06d", pattern);
    out->before = copy_literal(pattern, begin - pattern);
    out->after = copy_literal(end, strlen(end));
    char *folder = sv_strdup(out->before);
    folder[base_of(folder) - folder] = '\0';
    const char *where = *folder ? folder : "."; /* the folder to open, and its name in messages */
    int64_t *numbers = NULL;
    size_t count = 0, run = 1;
    sv_status status = list_numbers(out, where, pattern, &numbers, &count, error);
    if (status == SV_OK && count == 0)
        status = sv_fail(error, SV_FAILED, "%s: no file in %s matches this pattern; check the folder and the digits",
                         pattern, where);
    free(folder);
    if (status == SV_OK) {
        while (run < count && numbers[run] == numbers[run - 1] + 1) run++;
        out->first = numbers[0];
        out->count = (int64_t)run;
        if (run < count)
            sv_log(SV_LOG_WARNING,
                   "%s: ends at number %" PRId64 ", before a gap; %zu pictures from %" PRId64 " on are omitted; "
                   "number the files without a gap",
                   pattern, numbers[run - 1], count - run, numbers[run]);
    }
    free(numbers);
    return status;
}

sequence sequence_of_one(const char *name) { return (sequence){.before = sv_strdup(name), .count = 1}; }

char *sequence_file(const sequence *sequence, int64_t index) {
    if (sequence->files) return sv_strdup(sequence->files[index]);
    return sequence->numbered ? write_name(sequence, sequence->before, sequence->first + index)
                              : sv_strdup(sequence->before);
}

double sequence_rate(const sequence *sequence) {
    if (!sequence->stamps) return 0;
    const size_t count = (size_t)sequence->count - 1;
    int64_t *intervals = sv_alloc(count, sizeof *intervals);
    for (size_t i = 0; i < count; i++) intervals[i] = sequence->stamps[i + 1] - sequence->stamps[i];
    qsort(intervals, count, sizeof *intervals, compare);
    const double interval = (double)intervals[count / 2];
    free(intervals);
    return 1e9 / interval;
}

double sequence_time(const sequence *sequence, int64_t index) {
    if (!sequence->stamps) return (double)index;
    const int64_t last = sequence->count - 1, beyond = index > last ? index - last : 0;
    const double time = 1e-9 * (double)(sequence->stamps[index - beyond] - sequence->stamps[0]);
    return beyond ? time + (double)beyond / sequence_rate(sequence) : time;
}

int64_t sequence_at(const sequence *sequence, double seconds) {
    const double rounding = 1e-6; /* of a time that was computed from others, seconds */
    const double count = (double)sequence->count;
    if (!sequence->stamps) return (int64_t)fmin(ceil(fmax(seconds, 0)), count);
    int64_t from = 0, to = sequence->count;
    while (from < to) {
        const int64_t middle = from + (to - from) / 2;
        if (sequence_time(sequence, middle) < seconds - rounding)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

void sequence_free(sequence *sequence) {
    for (int64_t i = 0; sequence->files && i < sequence->count; i++) free(sequence->files[i]);
    free(sequence->files);
    free(sequence->stamps);
    free(sequence->numbers);
    free(sequence->before);
    free(sequence->after);
    sequence->before = sequence->after = NULL;
    sequence->files = NULL;
    sequence->stamps = sequence->numbers = NULL;
}
