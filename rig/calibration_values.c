/* A calibration file as a list of keys and values. */
#include "rig/calibration_values.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void calibration_values_free(calibration_values *values) {
    free(values->values);
    free(values->texts);
    *values = (calibration_values){0};
}

bool calibration_add_key(calibration_values *values, const char *key) {
    for (int i = 0; i < values->count; i++)
        if (!strcmp(values->values[i].key, key)) return calibration_fail(values, ": '%s' appears twice", key);
    if (values->count == CALIBRATION_MOST_KEYS || values->used == values->size)
        return calibration_fail(values, " has more than %d keys; it is not a calibration", CALIBRATION_MOST_KEYS);
    if (values->count % 64 == 0) {
        calibration_value *more = realloc(values->values, (size_t)(values->count + 64) * sizeof *more);
        if (!more) return calibration_fail(values, ": out of memory");
        values->values = more;
    }
    calibration_value *value = &values->values[values->count++];
    snprintf(value->key, sizeof value->key, "%s", key);
    value->text = values->used;
    values->texts[values->used++] = '\0';
    return true;
}

bool calibration_add_text(calibration_values *values, const char *text, size_t length) {
    const calibration_value *value = &values->values[values->count - 1];
    if (memchr(text, 0, length)) return calibration_fail(values, ": '%s' contains a zero byte", value->key);
    if (values->size - values->used < length + 1)
        return calibration_fail(values, ": '%s' repeats other parts of the file through aliases and becomes too large",
                                value->key);
    char *end = values->texts + values->used - 1;
    if (values->used - 1 > value->text) *end++ = ' ';
    memcpy(end, text, length);
    end[length] = '\0';
    values->used = (size_t)(end - values->texts) + length + 1;
    return true;
}

bool calibration_fail(const calibration_values *values, const char *format, ...) {
    char text[sizeof(sv_error)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sv_fail(values->error, SV_FAILED, "%s%s", values->path, text);
    return false;
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

const char *calibration_need(const calibration_values *values, const char *key) {
    const char *text = calibration_text(values, key);
    if (!text) calibration_fail(values, " has no '%s'", key);
    return text;
}

const char *calibration_key(char key[CALIBRATION_KEY_BYTES], const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(key, CALIBRATION_KEY_BYTES, format, arguments);
    va_end(arguments);
    return key;
}

bool calibration_numbers(const calibration_values *values, const char *key, int most, double *numbers, int *count) {
    static const char between[] = " \t\r\n,";
    const char *text = calibration_need(values, key);
    if (!text) return false;
    *count = 0;
    for (text += strspn(text, between); *text; text += strspn(text, between)) {
        char *end;
        const double number = sv_number(text, &end);
        if (end == text || (*end && !strchr(between, *end)) || !isfinite(number)) {
            const size_t length = strcspn(text, between);
            return calibration_fail(values, ": '%s' has '%.*s', which is not a finite number", key,
                                    length < 24 ? (int)length : 24, text);
        }
        if (*count == most)
            return calibration_fail(values, ": '%s' has more than %d number%s", key, most, most == 1 ? "" : "s");
        numbers[(*count)++] = number;
        text = end;
    }
    return true;
}

bool calibration_exactly(const calibration_values *values, const char *key, int count, double *numbers) {
    int found;
    if (!calibration_numbers(values, key, count, numbers, &found)) return false;
    return found == count ||
           calibration_fail(values, ": '%s' has %d number%s; it takes %d", key, found, found == 1 ? "" : "s", count);
}
