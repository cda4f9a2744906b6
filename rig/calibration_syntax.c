/* The syntaxes of calibration files: YAML (libyaml), XML (Expat), and lines of sections, keys and values. The parsers
 * take text of `size` bytes that is followed by a 0. */
#include "rig/calibration_values.h"

#include "stereo/whole.h"

#include <errno.h>
#include <expat.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MAX_BYTES = 1 << 20, MAX_DEPTH = 16 };

/* Writes GROUP.NAME into `path`. False if it is longer than any known key. */
static bool join(char path[CALIBRATION_KEY_BYTES], const char *group, const char *name) {
    const int length = snprintf(path, CALIBRATION_KEY_BYTES, "%s%s%s", group, *group ? "." : "", name);
    return length >= 0 && length < CALIBRATION_KEY_BYTES;
}

static bool too_deep(const calibration_values *values) {
    return calibration_fail(values, " is nested deeper than %d levels; it is not a calibration", MAX_DEPTH);
}

/* ---- YAML ------------------------------------------------------------------------------------- */

typedef struct yaml_walk {
    calibration_values *values;
    yaml_document_t document;
    size_t visits; /* nodes that may still be visited: aliases expand a short text into a long one */
} yaml_walk;

static bool visit(yaml_walk *walk, int depth) {
    if (!walk->visits--) return calibration_fail(walk->values, " repeats itself through aliases and becomes too large");
    return depth <= MAX_DEPTH || too_deep(walk->values);
}

/* Adds the numbers and words of a list, and of nested lists, to the last key; no format has groups in a list. */
static bool walk_list(yaml_walk *walk, int index, int depth) {
    const yaml_node_t *node = yaml_document_get_node(&walk->document, index);
    bool ok = visit(walk, depth);
    if (ok && node->type == YAML_SCALAR_NODE)
        return calibration_add_text(walk->values, (const char *)node->data.scalar.value, node->data.scalar.length);
    if (node->type == YAML_SEQUENCE_NODE)
        for (const yaml_node_item_t *i = node->data.sequence.items.start; ok && i < node->data.sequence.items.top; i++)
            ok = walk_list(walk, *i, depth + 1);
    return ok;
}

static bool walk_mapping(yaml_walk *walk, int index, const char *group, int depth) {
    const yaml_node_t *node = yaml_document_get_node(&walk->document, index);
    bool ok = true;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; ok && pair < node->data.mapping.pairs.top;
         pair++) {
        char path[CALIBRATION_KEY_BYTES];
        const yaml_node_t *key = yaml_document_get_node(&walk->document, pair->key);
        ok = visit(walk, depth);
        if (!ok || key->type != YAML_SCALAR_NODE || !join(path, group, (const char *)key->data.scalar.value)) continue;
        if (yaml_document_get_node(&walk->document, pair->value)->type == YAML_MAPPING_NODE)
            ok = walk_mapping(walk, pair->value, path, depth + 1);
        else
            ok = calibration_add_key(walk->values, path) && walk_list(walk, pair->value, depth + 1);
    }
    return ok;
}

/* True if brackets are nested deeply, those in words and comments included: libyaml takes minutes for a file of nothing
 * else. */
static bool has_deep_brackets(const char *text) {
    int depth = 0;
    for (; (text = strpbrk(text, "[]{}")) && depth <= 4 * MAX_DEPTH; text++)
        if (*text == '[' || *text == '{')
            depth++;
        else if (depth)
            depth--;
    return depth > 4 * MAX_DEPTH;
}

static bool parse_yaml(calibration_values *values, const char *text, size_t size) {
    yaml_parser_t parser;
    if (has_deep_brackets(text)) return too_deep(values);
    if (!yaml_parser_initialize(&parser)) return calibration_fail(values, ": out of memory");
    /* OpenCV's first line, %YAML:1.0, is not valid YAML and carries no information. */
    if (!strncmp(text, "%YAML", 5)) {
        const size_t line = strcspn(text, "\n");
        text += line;
        size -= line;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    yaml_walk walk = {.values = values, .visits = 2 * size};
    bool ok;
    if (!yaml_parser_load(&parser, &walk.document)) {
        ok = calibration_fail(values, ", line %d: this is not YAML: %s", (int)parser.problem_mark.line + 1,
                              parser.problem ? parser.problem : "it cannot be read");
    } else {
        const yaml_node_t *root = yaml_document_get_root_node(&walk.document);
        ok = root && root->type == YAML_MAPPING_NODE
                 ? walk_mapping(&walk, 1, "", 1)
                 : calibration_fail(values, " has no keys; it is not a calibration");
        yaml_document_delete(&walk.document);
    }
    yaml_parser_delete(&parser);
    return ok;
}

/* ---- XML -------------------------------------------------------------------------------------- */

/* An element between the root and the one that is being read. */
typedef struct xml_level {
    size_t length; /* of its key in `path` */
    bool is_group; /* has elements with names of their own, and no values */
    bool has_key;  /* its key has been added */
} xml_level;

typedef struct xml_walk {
    XML_Parser parser;
    calibration_values *values;
    xml_level levels[MAX_DEPTH + 1]; /* by depth; the root has depth 1 */
    int depth;
    int list;    /* depth of the "_" in which the walk is, whose elements have no names that matter; 0: in none */
    int skipped; /* depth of the element whose key is longer than any known one; 0: none */
    char path[CALIBRATION_KEY_BYTES];
    char *text; /* since the last tag; Expat passes it in pieces */
    size_t length;
    bool failed;
} xml_walk;

static void xml_result(xml_walk *walk, bool ok) {
    if (ok || walk->failed) return;
    walk->failed = true;
    XML_StopParser(walk->parser, XML_FALSE);
}

/* Adds the text, with the key before it if that is new, to the element of the depth `depth`. */
static void xml_add(xml_walk *walk, int depth) {
    if (!walk->levels[depth].has_key) xml_result(walk, calibration_add_key(walk->values, walk->path));
    walk->levels[depth].has_key = true;
    walk->text[walk->length] = '\0';
    if (!walk->failed && walk->text[strspn(walk->text, " \t\r\n")])
        xml_result(walk, calibration_add_text(walk->values, walk->text, walk->length));
    walk->length = 0;
}

static void xml_begin(void *user, const XML_Char *name, const XML_Char **attributes) {
    xml_walk *walk = user;
    xml_level *above = &walk->levels[walk->depth];
    (void)attributes;
    if (walk->failed) return;
    if (walk->depth++ == MAX_DEPTH) {
        xml_result(walk, too_deep(walk->values));
    } else if (walk->list) {
        xml_add(walk, walk->list - 1);
    } else if (!walk->skipped && walk->depth > 2 && !strcmp(name, "_")) { /* a member of one of OpenCV's lists */
        walk->list = walk->depth;
        xml_add(walk, walk->depth - 1);
    } else if (!walk->skipped && walk->depth > 1) {
        char group[CALIBRATION_KEY_BYTES];
        memcpy(group, walk->path, sizeof group);
        above->is_group = true;
        walk->length = 0;
        if (!join(walk->path, group, name)) walk->skipped = walk->depth;
        walk->levels[walk->depth] = (xml_level){.length = strlen(walk->path)};
    }
}

static void xml_end(void *user, const XML_Char *name) {
    xml_walk *walk = user;
    (void)name;
    if (walk->failed) return;
    if (walk->list) {
        xml_add(walk, walk->list - 1);
        if (walk->depth == walk->list) walk->list = 0;
    } else if (walk->depth > 1 && !walk->skipped && !walk->levels[walk->depth].is_group) {
        xml_add(walk, walk->depth);
    }
    if (walk->depth == walk->skipped) walk->skipped = 0;
    walk->depth--;
    walk->length = 0;
    if (!walk->list) walk->path[walk->levels[walk->depth].length] = '\0';
}

static void xml_text(void *user, const XML_Char *text, int length) {
    xml_walk *walk = user;
    memcpy(walk->text + walk->length, text, (size_t)length);
    walk->length += (size_t)length;
}

/* Entities, which may expand a short text into a long one, are declared in a document type alone. */
static void xml_document_type(void *user, const XML_Char *name, const XML_Char *system, const XML_Char *public,
                              int more) {
    xml_walk *walk = user;
    (void)name, (void)system, (void)public, (void)more;
    xml_result(walk,
               calibration_fail(walk->values, " has a document type (<!DOCTYPE); remove it, a calibration needs none"));
}

static bool parse_xml(calibration_values *values, const char *text, size_t size) {
    xml_walk walk = {.parser = XML_ParserCreate(NULL), .values = values};
    walk.text = malloc(2 * size + 1); /* of Latin-1, a byte may become two */
    if (!walk.parser || !walk.text) {
        walk.failed = !calibration_fail(values, ": out of memory");
    } else {
        XML_SetUserData(walk.parser, &walk);
        XML_SetElementHandler(walk.parser, xml_begin, xml_end);
        XML_SetCharacterDataHandler(walk.parser, xml_text);
        XML_SetStartDoctypeDeclHandler(walk.parser, xml_document_type);
        if (XML_Parse(walk.parser, text, (int)size, 1) != XML_STATUS_OK && !walk.failed)
            walk.failed =
                !calibration_fail(values, ", line %d: this is not XML: %s", (int)XML_GetCurrentLineNumber(walk.parser),
                                  XML_ErrorString(XML_GetErrorCode(walk.parser)));
    }
    free(walk.text);
    if (walk.parser) XML_ParserFree(walk.parser);
    return !walk.failed;
}

/* ---- Lines ------------------------------------------------------------------------------------ */

/* Strips blanks from both ends; `text` is written to. */
static char *trim(char *text) {
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length && strchr(" \t\r", text[length - 1])) length--;
    text[length] = '\0';
    return text;
}

/* [section] as in ZED's files; cam0=[fx 0 cx; 0 fy cy; 0 0 1] as in Middlebury's. */
static bool parse_line(calibration_values *values, char *line, int number, char section[CALIBRATION_KEY_BYTES]) {
    char path[CALIBRATION_KEY_BYTES];
    line = trim(line);
    if (!*line || *line == '#' || *line == ';') return true;
    char *end = strchr(line, ']'), *equals = strchr(line, '=');
    if (*line == '[' && end && !end[1]) {
        *end = '\0';
        if (!join(section, "", line + 1))
            return calibration_fail(values, ", line %d: the section's name is too long", number);
        return true;
    }
    if (!equals) return calibration_fail(values, ", line %d: expected 'key=value' or '[section]'", number);
    *equals = '\0';
    if (!join(path, section, trim(line))) return true;
    char *value = trim(equals + 1);
    for (char *c = value; *c; c++)
        if (strchr("[];", *c)) *c = ' ';
    return calibration_add_key(values, path) && calibration_add_text(values, value, strlen(value));
}

static bool parse_lines(calibration_values *values, const char *text) {
    char *copy = strdup(text), section[CALIBRATION_KEY_BYTES] = "";
    if (!copy) return calibration_fail(values, ": out of memory");
    bool ok = true;
    char *rest = copy;
    for (int number = 1; rest && ok; number++) ok = parse_line(values, strsep(&rest, "\n"), number, section);
    free(copy);
    return ok;
}

/* ---- Files ------------------------------------------------------------------------------------ */

/* The whole file and a 0 after it, in memory that the caller frees; NULL if it cannot be a calibration. */
static char *read_text(const calibration_values *values, size_t *size) {
    char *text = sv_read_whole(values->path, MAX_BYTES, size);
    if (!text && errno == EFBIG)
        calibration_fail(values, " is larger than 1 MiB; it is not a calibration");
    else if (!text)
        sv_fail(values->error, SV_FAILED, "cannot read the calibration %s: %s", values->path, strerror(errno));
    else if (*size && !memchr(text, 0, *size))
        return text;
    else
        calibration_fail(values, *size ? " is not a text file; it is not a calibration" : " is empty");
    free(text);
    return NULL;
}

/* "[section]" or "key = value" in the first line that is not a comment. */
static bool has_lines(const char *text) {
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text != '#' && *text != ';') break;
        text += strcspn(text, "\n");
    }
    return *text == '[' || text[strcspn(text, "=:\n")] == '=';
}

sv_status calibration_values_read(calibration_values *values, const char *path, sv_error *error) {
    *values = (calibration_values){.path = path, .error = error};
    size_t size;
    char *text = read_text(values, &size);
    if (!text) return SV_FAILED;
    /* Room for all values and the spaces between them; only what YAML repeats through aliases can need more. */
    values->size = 2 * size + CALIBRATION_MOST_KEYS;
    values->texts = malloc(values->size);
    const char *begin = text + (strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3);
    size -= (size_t)(begin - text);
    bool ok;
    if (!values->texts)
        ok = calibration_fail(values, ": out of memory");
    else if (begin[strspn(begin, " \t\r\n")] == '<')
        ok = parse_xml(values, begin, size);
    else if (has_lines(begin))
        ok = parse_lines(values, begin);
    else
        ok = parse_yaml(values, begin, size);
    free(text);
    if (!ok) calibration_values_free(values);
    return ok ? SV_OK : SV_FAILED;
}
