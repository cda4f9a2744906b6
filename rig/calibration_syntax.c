/* The syntaxes of calibration files: YAML (libyaml), XML (libxml2), and lines of sections, keys and values. The parsers
 * take text of `size` bytes that is followed by a 0. */
#include "rig/calibration_syntax.h"

#include "stereo/whole.h"

#include <errno.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MAX_BYTES = 1 << 20, MAX_DEPTH = 16 };

/* Writes GROUP.NAME into `path`. False if it is longer than any known key. */
static bool join(char path[CALIBRATION_KEY_BYTES], const char *group, const char *name) {
    const int length = snprintf(path, CALIBRATION_KEY_BYTES, "%s%s%s", group, *group ? "." : "", name);
    return length >= 0 && length < CALIBRATION_KEY_BYTES;
}

static sv_status too_deep(const calibration_values *values, sv_error *error) {
    return sv_fail(error, SV_FAILED, "%s is nested deeper than %d levels; it is not a calibration", values->path,
                   MAX_DEPTH);
}

/* ---- YAML ------------------------------------------------------------------------------------- */

typedef struct yaml_walk {
    calibration_values *values;
    yaml_document_t document;
    size_t visits; /* nodes that may still be visited: aliases expand a short text into a long one */
    sv_error *error;
} yaml_walk;

/* Adds the numbers and words of a list, and of nested lists, to the last key. */
static sv_status walk_list(yaml_walk *walk, int index, int depth) {
    const yaml_node_t *node = yaml_document_get_node(&walk->document, index);
    if (!walk->visits--)
        return sv_fail(walk->error, SV_FAILED, "%s repeats itself through aliases and becomes too large",
                       walk->values->path);
    if (depth > MAX_DEPTH) return too_deep(walk->values, walk->error);
    sv_status status = SV_OK;
    if (node->type == YAML_SCALAR_NODE)
        return calibration_add_text(walk->values, (const char *)node->data.scalar.value, node->data.scalar.length,
                                    walk->error);
    if (node->type == YAML_SEQUENCE_NODE)
        for (const yaml_node_item_t *i = node->data.sequence.items.start;
             i < node->data.sequence.items.top && status == SV_OK; i++)
            status = walk_list(walk, *i, depth + 1);
    return status; /* no format has groups in a list */
}

static sv_status walk_mapping(yaml_walk *walk, int index, const char *group, int depth) {
    const yaml_node_t *node = yaml_document_get_node(&walk->document, index);
    if (depth > MAX_DEPTH) return too_deep(walk->values, walk->error);
    sv_status status = SV_OK;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top && status == SV_OK; pair++) {
        char path[CALIBRATION_KEY_BYTES];
        if (!walk->visits--)
            return sv_fail(walk->error, SV_FAILED, "%s repeats itself through aliases and becomes too large",
                           walk->values->path);
        const yaml_node_t *key = yaml_document_get_node(&walk->document, pair->key);
        if (key->type != YAML_SCALAR_NODE || !join(path, group, (const char *)key->data.scalar.value)) continue;
        if (yaml_document_get_node(&walk->document, pair->value)->type == YAML_MAPPING_NODE) {
            status = walk_mapping(walk, pair->value, path, depth + 1);
        } else {
            status = calibration_add_key(walk->values, path, walk->error);
            if (status == SV_OK) status = walk_list(walk, pair->value, depth + 1);
        }
    }
    return status;
}

/* True if brackets are nested deeply; those in words and comments count too. The time that libyaml takes for a bracket
 * grows with the number that are open: a file of nothing else takes minutes. */
static bool has_deep_brackets(const char *text) {
    int depth = 0;
    for (; (text = strpbrk(text, "[]{}")) && depth <= 4 * MAX_DEPTH; text++)
        if (*text == '[' || *text == '{')
            depth++;
        else if (depth)
            depth--;
    return depth > 4 * MAX_DEPTH;
}

static sv_status parse_yaml(calibration_values *values, const char *text, size_t size, sv_error *error) {
    yaml_parser_t parser;
    if (has_deep_brackets(text)) return too_deep(values, error);
    if (!yaml_parser_initialize(&parser)) return sv_fail(error, SV_FAILED, "out of memory for %s", values->path);
    /* OpenCV's first line, %YAML:1.0, is not valid YAML and carries no information. */
    if (!strncmp(text, "%YAML", 5)) {
        const size_t line = strcspn(text, "\n");
        text += line;
        size -= line;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    yaml_walk walk = {.values = values, .visits = 2 * size, .error = error};
    sv_status status;
    if (!yaml_parser_load(&parser, &walk.document)) {
        status = sv_fail(error, SV_FAILED, "%s, line %d: this is not YAML: %s", values->path,
                         (int)parser.problem_mark.line + 1, parser.problem ? parser.problem : "it cannot be read");
    } else {
        const yaml_node_t *root = yaml_document_get_root_node(&walk.document);
        status = root && root->type == YAML_MAPPING_NODE
                     ? walk_mapping(&walk, 1, "", 1)
                     : sv_fail(error, SV_FAILED, "%s has no keys; it is not a calibration", values->path);
        yaml_document_delete(&walk.document);
    }
    yaml_parser_delete(&parser);
    return status;
}

/* ---- XML -------------------------------------------------------------------------------------- */

/* The members of OpenCV's lists are elements named "_". */
static bool is_group(const xmlNode *node) {
    for (const xmlNode *child = node->children; child; child = child->next)
        if (child->type == XML_ELEMENT_NODE && strcmp((const char *)child->name, "_")) return true;
    return false;
}

static sv_status add_content(calibration_values *values, const xmlNode *node, int depth, sv_error *error) {
    sv_status status = depth > MAX_DEPTH ? too_deep(values, error) : SV_OK;
    for (const xmlNode *child = node->children; child && status == SV_OK; child = child->next) {
        if (child->type == XML_TEXT_NODE || child->type == XML_CDATA_SECTION_NODE) {
            const char *text = (const char *)child->content;
            if (text[strspn(text, " \t\r\n")]) status = calibration_add_text(values, text, strlen(text), error);
        } else if (child->type == XML_ELEMENT_NODE) {
            status = add_content(values, child, depth + 1, error);
        }
    }
    return status;
}

static sv_status walk_elements(calibration_values *values, const xmlNode *node, const char *group, int depth,
                               sv_error *error) {
    sv_status status = depth > MAX_DEPTH ? too_deep(values, error) : SV_OK;
    for (const xmlNode *child = node->children; child && status == SV_OK; child = child->next) {
        char path[CALIBRATION_KEY_BYTES];
        if (child->type != XML_ELEMENT_NODE || !join(path, group, (const char *)child->name)) continue;
        if (is_group(child)) {
            status = walk_elements(values, child, path, depth + 1, error);
        } else {
            status = calibration_add_key(values, path, error);
            if (status == SV_OK) status = add_content(values, child, depth + 1, error);
        }
    }
    return status;
}

static sv_status parse_xml(calibration_values *values, const char *text, size_t size, sv_error *error) {
    xmlParserCtxt *parser = xmlNewParserCtxt();
    if (!parser) return sv_fail(error, SV_FAILED, "out of memory for %s", values->path);
    /* No network access and no entities: a calibration is contained in the file. */
    xmlDoc *document = xmlCtxtReadMemory(parser, text, (int)size, NULL, NULL,
                                         XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    sv_status status;
    if (!document) {
        const xmlError *problem = xmlCtxtGetLastError(parser);
        const char *message = problem && problem->message ? problem->message : "it cannot be read";
        status = sv_fail(error, SV_FAILED, "%s, line %d: this is not XML: %.*s", values->path,
                         problem ? problem->line : 1, (int)strcspn(message, "\n"), message);
    } else if (document->intSubset) {
        status = sv_fail(error, SV_FAILED, "%s has a document type (<!DOCTYPE); remove it, a calibration needs none",
                         values->path);
    } else {
        status = walk_elements(values, xmlDocGetRootElement(document), "", 1, error);
    }
    xmlFreeDoc(document);
    xmlFreeParserCtxt(parser);
    return status;
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
static sv_status parse_line(calibration_values *values, char *line, int number, char section[CALIBRATION_KEY_BYTES],
                            sv_error *error) {
    char path[CALIBRATION_KEY_BYTES];
    line = trim(line);
    if (!*line || *line == '#' || *line == ';') return SV_OK;
    char *end = strchr(line, ']'), *equals = strchr(line, '=');
    if (*line == '[' && end && !end[1]) {
        *end = '\0';
        if (!join(section, "", line + 1))
            return sv_fail(error, SV_FAILED, "%s, line %d: the section's name is too long", values->path, number);
        return SV_OK;
    }
    if (!equals)
        return sv_fail(error, SV_FAILED, "%s, line %d: expected 'key=value' or '[section]'", values->path, number);
    *equals = '\0';
    if (!join(path, section, trim(line))) return SV_OK;
    char *value = trim(equals + 1);
    for (char *c = value; *c; c++)
        if (strchr("[];", *c)) *c = ' ';
    const sv_status status = calibration_add_key(values, path, error);
    return status == SV_OK ? calibration_add_text(values, value, strlen(value), error) : status;
}

static sv_status parse_lines(calibration_values *values, const char *text, sv_error *error) {
    char *copy = strdup(text), section[CALIBRATION_KEY_BYTES] = "";
    if (!copy) return sv_fail(error, SV_FAILED, "out of memory for %s", values->path);
    sv_status status = SV_OK;
    char *rest = copy;
    for (int number = 1; rest && status == SV_OK; number++)
        status = parse_line(values, strsep(&rest, "\n"), number, section, error);
    free(copy);
    return status;
}

/* ---- Files ------------------------------------------------------------------------------------ */

/* The whole file and a 0 after it, in memory that the caller frees. */
static sv_status read_text(const char *path, char **text, size_t *size, sv_error *error) {
    *text = sv_read_whole(path, MAX_BYTES, size);
    if (!*text && errno == EFBIG)
        return sv_fail(error, SV_FAILED, "%s is larger than 1 MiB; it is not a calibration", path);
    if (!*text && errno == ENOMEM) return sv_fail(error, SV_FAILED, "out of memory for %s", path);
    if (!*text) return sv_fail(error, SV_FAILED, "cannot read the calibration %s: %s", path, strerror(errno));
    if (!*size) return sv_fail(error, SV_FAILED, "the calibration %s is empty", path);
    if (memchr(*text, 0, *size))
        return sv_fail(error, SV_FAILED, "%s is not a text file; it is not a calibration", path);
    return SV_OK;
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
    *values = (calibration_values){.path = path};
    char *text;
    size_t size = 0;
    sv_status status = read_text(path, &text, &size, error);
    if (status == SV_OK) {
        /* Room for all values and the spaces between them; only what YAML repeats through aliases can need more. */
        values->size = 2 * size + CALIBRATION_MOST_KEYS;
        values->texts = malloc(values->size);
        if (!values->texts) status = sv_fail(error, SV_FAILED, "out of memory for %s", path);
    }
    if (status == SV_OK) {
        const char *begin = text + (strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3);
        size -= (size_t)(begin - text);
        if (begin[strspn(begin, " \t\r\n")] == '<')
            status = parse_xml(values, begin, size, error);
        else if (has_lines(begin))
            status = parse_lines(values, begin, error);
        else
            status = parse_yaml(values, begin, size, error);
    }
    free(text);
    if (status != SV_OK) calibration_values_free(values);
    return status;
}
