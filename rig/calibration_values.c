/* A calibration file as a list of keys and values. */
#include "rig/calibration_values.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void calibration_values_free(calibration_values *values) {
    free(values->values);
    free(values->texts);
    *values = (calibration_values){0};
}

sv_status calibration_add_key(calibration_values *values, const char *key, sv_error *error) {
    for (int i = 0; i < values->count; i++)
        if (!strcmp(values->values[i].key, key))
            return sv_fail(error, SV_FAILED, "%s: '%s' appears twice", values->path, key);
    if (values->count == CALIBRATION_MOST_KEYS || values->used == values->size)
        return sv_fail(error, SV_FAILED, "%s has more than %d keys; it is not a calibration", values->path,
                       CALIBRATION_MOST_KEYS);
    if (values->count % 64 == 0) {
        calibration_value *more = realloc(values->values, (size_t)(values->count + 64) * sizeof *more);
        if (!more) return sv_fail(error, SV_FAILED, "out of memory for %s", values->path);
        values->values = more;
    }
    calibration_value *value = &values->values[values->count++];
    snprintf(value->key, sizeof value->key, "%s", key);
    value->text = values->used;
    values->texts[values->used++] = '\0';
    return SV_OK;
}

sv_status calibration_add_text(calibration_values *values, const char *text, size_t length, sv_error *error) {
    const calibration_value *value = &values->values[values->count - 1];
    if (memchr(text, 0, length))
        return sv_fail(error, SV_FAILED, "%s: '%s' contains a zero byte", values->path, value->key);
    if (values->size - values->used < length + 1)
        return sv_fail(error, SV_FAILED,
                       "%s: '%s' repeats other parts of the file through aliases and becomes too large", values->path,
                       value->key);
    char *end = values->texts + values->used - 1;
    if (values->used - 1 > value->text) *end++ = ' ';
    memcpy(end, text, length);
    end[length] = '\0';
    values->used = (size_t)(end - values->texts) + length + 1;
    return SV_OK;
}

/* ---- Looking up ------------------------------------------------------------------------------- */

/* True if `key` is `name`, or `name` and ".data", apart from case and underscores. */
static bool is_named(const char *key, const char *name) {
    for (;; key++, name++) {
        key += strspn(key, "_");
        name += strspn(name, "_");
        if (!*name) return !*key || !strcmp(key, ".data");
        if (tolower((unsigned char)*key) != tolower((unsigned char)*name)) return false;
    }
}

const char *calibration_text(const calibration_values *values, const char *key) {
    for (int i = 0; i < values->count; i++)
        if (is_named(values->values[i].key, key)) return values->texts + values->values[i].text;
    return NULL;
}

sv_status calibration_numbers(const calibration_values *values, const char *key, int most, double *numbers, int *count,
                              sv_error *error) {
    static const char between[] = " \t\r\n,";
    const char *text = calibration_text(values, key);
    if (!text) return sv_fail(error, SV_FAILED, "%s has no '%s'", values->path, key);
    *count = 0;
    for (text += strspn(text, between); *text; text += strspn(text, between)) {
        char *end;
        const double number = strtod(text, &end);
        if (end == text || (*end && !strchr(between, *end)) || !isfinite(number)) {
            const size_t length = strcspn(text, between);
            return sv_fail(error, SV_FAILED, "%s: '%s' has '%.*s', which is not a finite number", values->path, key,
                           length < 24 ? (int)length : 24, text);
        }
        if (*count == most)
            return sv_fail(error, SV_FAILED, "%s: '%s' has more than %d number%s", values->path, key, most,
                           most == 1 ? "" : "s");
        numbers[(*count)++] = number;
        text = end;
    }
    return SV_OK;
}

sv_status calibration_exactly(const calibration_values *values, const char *key, int count, double *numbers,
                              sv_error *error) {
    int found;
    const sv_status status = calibration_numbers(values, key, count, numbers, &found, error);
    if (status != SV_OK || found == count) return status;
    return sv_fail(error, SV_FAILED, "%s: '%s' has %d number%s; it takes %d", values->path, key, found,
                   found == 1 ? "" : "s", count);
}
