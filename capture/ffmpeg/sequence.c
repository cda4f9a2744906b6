/* Pictures in files: see sequence.h. */
#include "capture/ffmpeg/sequence.h"

#include "base/file_name.h"
#include "stereo/alloc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* The kinds of pictures by the ending of a name; those that one decoder reads have one kind. */
static const struct {
    const char *ending, *kind;
} endings[] = {{"png", "png"},  {"pgm", "pgm"}, {"ppm", "ppm"},  {"pnm", "pnm"},   {"jpg", "jpg"},
               {"jpeg", "jpg"}, {"bmp", "bmp"}, {"tif", "tiff"}, {"tiff", "tiff"}, {"webp", "webp"}};

static const char *base_of(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* The kind of a picture, NULL if the name is not that of one. */
static const char *kind_of(const char *file) {
    const char *dot = strrchr(base_of(file), '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcasecmp(dot + 1, endings[i].ending)) return endings[i].kind;
    return NULL;
}

static bool is_folder(const char *name) {
    struct stat status;
    return !stat(name, &status) && S_ISDIR(status.st_mode);
}

bool sequence_is_named(const char *name) {
    struct stat status;
    return stat(name, &status) ? strpbrk(name, "*?[") || file_is_numbered(name) : S_ISDIR(status.st_mode);
}

/* ---- Time stamps ------------------------------------------------------------------------------ */

/* The value of `count` digits, at most 19. */
static int64_t value_of(const char *digits, size_t count) {
    int64_t value = 0;
    for (size_t i = 0; i < count; i++) {
        const int digit = digits[i] - '0';
        if (value > (INT64_MAX - digit) / 10) return -1;
        value = 10 * value + digit;
    }
    return value;
}

int64_t sequence_stamp(const char *file) {
    const char *name = base_of(file), *dot = strrchr(name, '.');
    const size_t length = dot ? (size_t)(dot - name) : strlen(name), digits = strspn(name, "0123456789");
    /* Ten digits of seconds begin in 2001; 64 bits of nanoseconds end in 2262, within this last second. */
    const int64_t last = INT64_MAX / 1000000000;
    if (digits < 10 || name[0] == '0' || (digits != 19 && value_of(name, 10) >= last)) return -1;
    if (digits == length) {
        const int64_t unit = digits == 19 ? 1 : digits == 16 ? 1000 : digits == 13 ? 1000000 : 0;
        return unit ? value_of(name, digits) * unit : -1;
    }
    const size_t decimals = length - digits - 1;
    if (digits != 10 || name[10] != '.' || decimals < 1 || decimals > 9) return -1;
    if (strspn(name + 11, "0123456789") < decimals) return -1;
    int64_t fraction = value_of(name + 11, decimals);
    for (size_t i = decimals; i < 9; i++) fraction *= 10;
    return value_of(name, 10) * 1000000000 + fraction;
}

static int by_stamp(const void *a, const void *b) {
    const int64_t x = sequence_stamp(*(char *const *)a), y = sequence_stamp(*(char *const *)b);
    return (x > y) - (x < y);
}

/* The last number in a file's name, -1 if there is none. */
static int64_t number_of(const char *file) {
    const char *name = base_of(file), *end = strrchr(name, '.');
    if (!end) end = name + strlen(name);
    while (end > name && !isdigit((unsigned char)end[-1])) end--;
    const char *begin = end;
    while (begin > name && isdigit((unsigned char)begin[-1])) begin--;
    return begin < end ? value_of(begin, (size_t)(end - begin)) : -1;
}

/* Notes the numbers of the files if each has one and they ascend. */
static void note_numbers(sequence *s) {
    int64_t last = -1;
    s->numbers = sv_alloc((size_t)s->count, sizeof *s->numbers);
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t number = s->numbers[i] = number_of(s->files[i]);
        if (number <= last) {
            free(s->numbers);
            s->numbers = NULL;
            return;
        }
        last = number;
    }
}

static int by_name(const void *a, const void *b) { return strverscmp(*(char *const *)a, *(char *const *)b); }

/* Sorts the files, and notes their time stamps if they have them. */
static sv_status sort(sequence *s, const char *name, sv_error *error) {
    bool stamped = s->count > 1;
    for (int64_t i = 0; i < s->count && stamped; i++) stamped = sequence_stamp(s->files[i]) >= 0;
    qsort(s->files, (size_t)s->count, sizeof *s->files, stamped ? by_stamp : by_name);
    if (!stamped) {
        note_numbers(s);
        return SV_OK;
    }
    s->stamps = sv_alloc((size_t)s->count, sizeof *s->stamps);
    for (int64_t i = 0; i < s->count; i++) {
        s->stamps[i] = sequence_stamp(s->files[i]);
        if (i && s->stamps[i] == s->stamps[i - 1])
            return sv_fail(error, SV_FAILED, "%s: %s and %s have the same time stamp", name, s->files[i - 1],
                           s->files[i]);
    }
    return SV_OK;
}

/* ---- Files ------------------------------------------------------------------------------------ */

/* Appends "folder/file"; `folder` may be NULL. */
static void add(sequence *s, const char *folder, const char *file) {
    if (!(s->count & (s->count - 1))) /* a power of two: full */
        s->files = sv_realloc(s->files, (size_t)(s->count ? 2 * s->count : 1), sizeof *s->files);
    const bool ends = !folder || folder[strlen(folder) - 1] == '/';
    s->files[s->count++] = sv_asprintf("%s%s%s", folder ? folder : "", ends ? "" : "/", file);
}

/* Appends the pictures of a folder. */
static sv_status list_pictures(sequence *s, const char *name, sv_error *error) {
    DIR *folder = opendir(name);
    if (!folder) return sv_fail(error, SV_FAILED, "%s: this folder cannot be read: %s", name, strerror(errno));
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && kind_of(entry->d_name)) add(s, name, entry->d_name);
    closedir(folder);
    return SV_OK;
}

static sv_status list_folder(sequence *s, const char *name, sv_error *error) {
    char *data = sv_asprintf("%s/data", name);
    sv_status status = list_pictures(s, name, error);
    if (status == SV_OK && !s->count && is_folder(data)) status = list_pictures(s, data, error);
    free(data);
    if (status != SV_OK || s->count) return status;
    return sv_fail(error, SV_FAILED,
                   "%s: there are no pictures in this folder (.png, .pgm, .ppm, .jpg, ...); name a folder of pictures, "
                   "or a file",
                   name);
}

static sv_status list_pattern(sequence *s, const char *name, sv_error *error) {
    glob_t found = {0};
    glob(name, GLOB_NOSORT, NULL, &found);
    const bool one = found.gl_pathc == 1;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (!is_folder(found.gl_pathv[i]) && (one || kind_of(found.gl_pathv[i]))) add(s, NULL, found.gl_pathv[i]);
    const size_t fitting = found.gl_pathc;
    globfree(&found);
    if (s->count) return SV_OK;
    return fitting ? sv_fail(error, SV_FAILED,
                             "%s: %zu files match this pattern, but none is a picture; name one of them", name, fitting)
                   : sv_fail(error, SV_FAILED, "%s: no file matches this pattern", name);
}

/* Appends the files of a pattern with a number, from the smallest number to the first gap. */
static sv_status list_numbered(sequence *s, const char *pattern, sv_error *error) {
    char name[4096];
    size_t count, fitting = 0;
    char **names = file_find(pattern, &count);
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        const int64_t number = file_number(pattern, names[i]);
        /* There is only one way to write a number. */
        if (file_name(pattern, number, name, sizeof name, NULL) != SV_OK || strcmp(name, names[i])) continue;
        if (number < first) first = number;
        fitting++;
    }
    while ((size_t)s->count < fitting && file_name(pattern, first + s->count, name, sizeof name, NULL) == SV_OK &&
           !access(name, F_OK))
        add(s, NULL, name);
    s->numbers = sv_alloc((size_t)s->count, sizeof *s->numbers);
    for (int64_t i = 0; i < s->count; i++) s->numbers[i] = first + i;
    file_free_names(names, count);
    if (!fitting)
        return sv_fail(error, SV_FAILED, "%s: no file matches this pattern; check the folder and the digits", pattern);
    if ((size_t)s->count < fitting)
        sv_log(SV_LOG_WARNING,
               "%s: ends at number %" PRId64
               ", before a gap; pictures omitted after it: %zu; number the files without a "
               "gap",
               pattern, first + s->count - 1, fitting - (size_t)s->count);
    return SV_OK;
}

sv_status sequence_find(sequence *out, const char *name, sv_error *error) {
    *out = (sequence){0};
    if (!is_folder(name) && file_is_numbered(name)) return list_numbered(out, name, error);
    sv_status status = is_folder(name) ? list_folder(out, name, error) : list_pattern(out, name, error);
    if (status != SV_OK || out->count == 1) return status;
    for (int64_t i = 1; i < out->count; i++)
        if (strcmp(kind_of(out->files[i]), kind_of(out->files[0])))
            return sv_fail(error, SV_FAILED,
                           "%s: there are pictures of several kinds (%s, %s); name one kind, such as '%.*s*.%s'", name,
                           base_of(out->files[0]), base_of(out->files[i]),
                           (int)(base_of(out->files[0]) - out->files[0]), out->files[0], kind_of(out->files[0]));
    return sort(out, name, error);
}

sequence sequence_of_one(const char *name) {
    sequence s = {0};
    add(&s, NULL, name);
    return s;
}

/* ---- Times ------------------------------------------------------------------------------------ */

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
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
    for (int64_t i = 0; i < sequence->count; i++) free(sequence->files[i]);
    free(sequence->files);
    free(sequence->stamps);
    free(sequence->numbers);
    *sequence = (struct sequence){0};
}
