/* --list: the pairs of a run, in a table. */
#include "app/options/pair_list.h"

#include "base/file.h"
#include "stereo/whole.h"

#include <stdlib.h>
#include <string.h>

/* Splits a line at its tabs; returns how many fields there are, of which at most `most` are stored. */
static int split(char *line, char **fields, int most) {
    int count = 0;
    for (char *field = strsep(&line, "\t"); field; field = strsep(&line, "\t"), count++)
        if (count < most) fields[count] = field;
    return count;
}

static sv_status add_line(pair_list *list, const char *path, char *text, int line, sv_error *error) {
    enum { LEFT, RIGHT, OUTPUT, CALIBRATION, FIELDS };
    char *fields[FIELDS] = {0};
    const size_t length = strlen(text);
    if (length && text[length - 1] == '\r') text[length - 1] = 0;
    if (!text[0] || text[0] == '#') return SV_OK;
    const int count = split(text, fields, FIELDS);
    if (count < CALIBRATION || count > FIELDS)
        return sv_fail(error, SV_FAILED,
                       "%s, line %d: %d field%s; a line is LEFT, RIGHT, OUTPUT and, if there is one, CALIBRATION, "
                       "separated by tabs",
                       path, line, count, count == 1 ? "" : "s");
    for (int i = LEFT; i <= OUTPUT; i++)
        if (!fields[i][0]) return sv_fail(error, SV_FAILED, "%s, line %d: field %d is empty", path, line, i + 1);
    list->pairs[list->count++] = (listed_pair){
        .left = fields[LEFT],
        .right = fields[RIGHT],
        .output = fields[OUTPUT],
        .calibration = fields[CALIBRATION] && fields[CALIBRATION][0] ? fields[CALIBRATION] : NULL,
        .line = line,
    };
    return SV_OK;
}

sv_status pair_list_read(pair_list *list, const char *path, sv_error *error) {
    const size_t most = (size_t)1 << 30;
    size_t size, lines = 1;
    *list = (pair_list){.text = sv_read_whole(path, most, &size)};
    if (!list->text) return file_failed("read", path, error);
    if (memchr(list->text, 0, size))
        return sv_fail(error, SV_FAILED, "%s is not a text file: it contains zero bytes", path);
    for (size_t i = 0; i < size; i++) lines += list->text[i] == '\n';
    list->pairs = calloc(lines, sizeof *list->pairs);
    if (!list->pairs) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    char *rest = list->text + (strncmp(list->text, "\xef\xbb\xbf", 3) ? 0 : 3); /* a byte order mark */
    sv_status status = SV_OK;
    for (int line = 1; rest && status == SV_OK; line++) {
        char *text = strsep(&rest, "\n");
        status = add_line(list, path, text, line, error);
    }
    if (status == SV_OK && !list->count) return sv_fail(error, SV_FAILED, "%s names no pair", path);
    return status;
}

void pair_list_free(pair_list *list) {
    free(list->pairs);
    free(list->text);
    *list = (pair_list){0};
}
