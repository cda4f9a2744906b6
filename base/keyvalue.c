/* Files that are lines of "key: value", read with libyaml. */
#include "base/keyvalue.h"

#include "base/file.h"
#include "stereo/whole.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MAX_BYTES = 1 << 20, MAX_LINES = 128, SHOWN = 96 };

typedef struct reader {
    const char *path, *example;
    keyvalue_take *take;
    void *to;
    struct {
        char *key; /* owned */
        int line;
    } seen[MAX_LINES]; /* the last one is that of the value to come, if `after_key` */
    int count;
    int documents;
    bool in_mapping, after_key;
} reader;

static sv_status add_key(reader *r, const char *key, size_t length, int line, sv_error *error) {
    if (strlen(key) != length)
        return sv_fail(error, SV_FAILED, "%s, line %d: a key cannot contain a zero byte", r->path, line);
    for (int i = 0; i < r->count; i++)
        if (!strcmp(key, r->seen[i].key))
            return sv_fail(error, SV_FAILED, "%s, line %d: %s appears twice, first in line %d", r->path, line, key,
                           r->seen[i].line);
    if (r->count == MAX_LINES) return sv_fail(error, SV_FAILED, "%s has more than %d keys", r->path, MAX_LINES);
    r->seen[r->count].key = strdup(key);
    if (!r->seen[r->count].key) return sv_fail(error, SV_FAILED, "out of memory for %s", r->path);
    r->seen[r->count++].line = line;
    return SV_OK;
}

static sv_status add_value(reader *r, const char *value, size_t length, sv_error *error) {
    const char *key = r->seen[r->count - 1].key;
    const int line = r->seen[r->count - 1].line;
    sv_error why;
    if (strlen(value) != length)
        return sv_fail(error, SV_FAILED, "%s, line %d: the value of %s cannot be '%.*s', followed by a zero byte",
                       r->path, line, key, SHOWN, value);
    if (r->take(r->to, key, value, line, &why) == SV_OK) return SV_OK;
    return sv_fail(error, SV_FAILED, "%s, line %d: %s", r->path, line, why.text);
}

static sv_status take_event(reader *r, const yaml_event_t *event, sv_error *error) {
    const int line = (int)event->start_mark.line + 1;
    const char *of = r->after_key ? r->seen[r->count - 1].key : "the file";
    const bool anchored = (event->type == YAML_SCALAR_EVENT && event->data.scalar.anchor) ||
                          (event->type == YAML_MAPPING_START_EVENT && event->data.mapping_start.anchor);
    if (anchored || event->type == YAML_ALIAS_EVENT)
        return sv_fail(
            error, SV_FAILED,
            "%s, line %d: %.*s uses an anchor or an alias (&, *); write the value itself, in quotes if it is "
            "one of these",
            r->path, line, SHOWN, of);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (r->documents++)
            return sv_fail(error, SV_FAILED, "%s, line %d: a second document begins; only one is allowed", r->path,
                           line);
        return SV_OK;
    case YAML_SCALAR_EVENT: {
        const char *text = (const char *)event->data.scalar.value;
        const size_t length = event->data.scalar.length;
        if (!r->in_mapping) break;
        r->after_key = !r->after_key;
        return r->after_key ? add_key(r, text, length, line, error) : add_value(r, text, length, error);
    }
    case YAML_MAPPING_START_EVENT:
        if (r->in_mapping) break;
        r->in_mapping = true;
        return SV_OK;
    case YAML_SEQUENCE_START_EVENT: break;
    default: return SV_OK;
    }
    if (!r->after_key)
        return sv_fail(error, SV_FAILED, "%s, line %d: expected lines of 'key: value', such as '%s'", r->path, line,
                       r->example);
    return sv_fail(error, SV_FAILED, "%s, line %d: %.*s takes one value, not a list or a group of keys", r->path, line,
                   SHOWN, of);
}

static sv_status parse(reader *r, const char *text, size_t size, sv_error *error) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return sv_fail(error, SV_FAILED, "out of memory for %s", r->path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    sv_status status = SV_OK;
    bool end = false;
    while (status == SV_OK && !end) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = sv_fail(error, SV_FAILED, "%s, line %d: this is not YAML: %s", r->path,
                             (int)parser.problem_mark.line + 1, parser.problem ? parser.problem : "it cannot be read");
            break;
        }
        end = event.type == YAML_STREAM_END_EVENT;
        status = take_event(r, &event, error);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return status;
}

sv_status keyvalue_read(const char *path, const char *what, const char *example, keyvalue_take *take, void *to,
                        sv_error *error) {
    size_t size;
    char verb[64], *text = sv_read_whole(path, MAX_BYTES, &size);
    snprintf(verb, sizeof verb, "read %s", what);
    if (!text && errno == EFBIG) return sv_fail(error, SV_FAILED, "%s is larger than 1 MiB; it is not %s", path, what);
    if (!text && errno == ENOMEM) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    if (!text) return file_failed(verb, path, error);
    reader r = {.path = path, .example = example, .take = take, .to = to};
    const sv_status status = parse(&r, text, size, error);
    for (int i = 0; i < r.count; i++) free(r.seen[i].key);
    free(text);
    return status;
}
