/* The settings file: its keys and their values. */
#include "app/options/settings.h"

#include "base/file.h"
#include "base/keyvalue.h"
#include "stereo/alloc.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A file as it is read. */
typedef struct document {
    const char *path;
    settings_source settings, source; /* owned */
} document;

/* The keys of the source. */
static const char *const source_keys[] = {
    "version",     "left",          "right",  "side-by-side", "stream-layout", "swap", "demo", "synthetic", "offset",
    "calibration", "rectify-alpha", "frames", "damaged",      "compare",       "unit", "rows", "fov",       "baseline"};

static bool is_source_key(const char *name) {
    for (size_t i = 0; i < sizeof source_keys / sizeof *source_keys; i++)
        if (!strcmp(name, source_keys[i])) return true;
    return false;
}

/* The ends of the disparities are one key. */
static bool is_end_of_disparities(const char *name) {
    return !strcmp(name, "min-disparity") || !strcmp(name, "max-disparity");
}

/* ---- The source ------------------------------------------------------------------------------- */

void settings_add_source(settings_source *source, const char *key, const char *format, ...) {
    char *value;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&value, format, arguments) < 0) value = NULL;
    va_end(arguments);
    source->entries = sv_realloc(source->entries, (size_t)source->count + 1, sizeof *source->entries);
    source->entries[source->count].key = sv_strdup(key);
    source->entries[source->count].value = sv_must(value);
    source->entries[source->count++].line = 0;
}

const char *settings_source_value(const settings_source *source, const char *key) {
    for (int i = 0; i < source->count; i++)
        if (!strcmp(source->entries[i].key, key)) return source->entries[i].value;
    return NULL;
}

void settings_free_source(settings_source *source) {
    for (int i = 0; i < source->count; i++) {
        free(source->entries[i].key);
        free(source->entries[i].value);
    }
    free(source->entries);
    *source = (settings_source){0};
}

/* ---- The views -------------------------------------------------------------------------------- */

/* A key of the views. The type is that of its member: an INT or a BOOL has a word for each value, a FLOAT or a DOUBLE a
 * range. */
typedef struct view_key {
    const char *name;
    enum { INT, BOOL, FLOAT, DOUBLE, OWN } type;
    size_t place;                   /* in view_settings */
    const char *(*word)(int value); /* "?" beyond the last */
    double min, max;
    sv_status (*parse)(const char *text, view_settings *view, sv_error *error); /* OWN, as the next */
    void (*print)(FILE *stream, const view_settings *view);
} view_key;

/* The shortest text that reads back as the same float. */
static char *print_real(float value, char *text, size_t size) {
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, size, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) break;
    }
    return text;
}

/* Lists the words: "turbo, grey or heat". */
static const char *list_words(const char *(*word)(int value), char *text, size_t size) {
    *text = 0;
    for (int i = 0; strcmp(word(i), "?"); i++) {
        const size_t used = strlen(text);
        const char *between = !i ? "" : strcmp(word(i + 1), "?") ? ", " : " or ";
        snprintf(text + used, size - used, "%s%s", between, word(i));
    }
    return text;
}

static const char *switch_name(int on) { return on == 0 ? "off" : on == 1 ? "on" : "?"; }
static const char *unit_name(int metres) { return metres == 0 ? "pixels" : metres == 1 ? "metres" : "?"; }

sv_status settings_parse_views(const char *text, view_settings *view, sv_error *error) {
    char copy[SV_VALUE_BYTES], *rest = copy, known[256];
    snprintf(copy, sizeof copy, "%s", text);
    for (int i = 0; rest; i++) {
        const char *name = strsep(&rest, ",");
        const int kind = view_kind_of(name + strspn(name, " "));
        if (kind < 0 || i == VIEW_MOST)
            return sv_fail(error, SV_USAGE, "view cannot be '%s'; it takes up to %d, separated by commas, of %s", text,
                           VIEW_MOST, list_words(view_kind_name, known, sizeof known));
        view->kinds[i] = kind;
    }
    return SV_OK;
}

static void print_views(FILE *stream, const view_settings *view) {
    for (int i = 0; i < VIEW_MOST; i++) fprintf(stream, "%s%s", i ? ", " : "", view_kind_name(view->kinds[i]));
}

static sv_status parse_colour_range(const char *text, view_settings *view, sv_error *error) {
    for (int i = 0; i < VIEW_RANGE_COUNT; i++) {
        if (i == VIEW_RANGE_FIXED || strcmp(text, view_range_name(i))) continue;
        view->range = i;
        return SV_OK;
    }
    char *colon, *end = "";
    const float min = strtof(text, &colon), max = *colon == ':' ? strtof(colon + 1, &end) : 0;
    if (colon == text || *colon != ':' || end == colon + 1 || *end || colour_check_range(min, max, NULL) != SV_OK)
        return sv_fail(error, SV_USAGE,
                       "colour-range cannot be '%s'; it takes searched, automatic, or MIN:MAX in pixels, such as 0:63",
                       text);
    view->range = VIEW_RANGE_FIXED;
    view->colour.min = min;
    view->colour.max = max;
    return SV_OK;
}

static void print_colour_range(FILE *stream, const view_settings *view) {
    char min[32], max[32];
    if (view->range == VIEW_RANGE_FIXED)
        fprintf(stream, "%s:%s", print_real(view->colour.min, min, sizeof min),
                print_real(view->colour.max, max, sizeof max));
    else
        fputs(view_range_name(view->range), stream);
}

static sv_status parse_empty_colour(const char *text, view_settings *view, sv_error *error) {
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return sv_fail(error, SV_USAGE, "empty-colour cannot be '%s'; it takes red, green and blue as \"#202020\"",
                       text);
    const unsigned long rgb = strtoul(text + 1, NULL, 16);
    for (int i = 0; i < 3; i++) view->colour.empty[i] = (uint8_t)(rgb >> (16 - 8 * i));
    return SV_OK;
}

static void print_empty_colour(FILE *stream, const view_settings *view) {
    const uint8_t *rgb = view->colour.empty;
    fprintf(stream, "\"#%02x%02x%02x\"", rgb[0], rgb[1], rgb[2]);
}

#define WORDS(key, kind, member, words)                                                                                \
    { .name = key, .type = kind, .place = offsetof(view_settings, member), .word = words }
#define NUMBER(key, kind, member, least, most)                                                                         \
    { .name = key, .type = kind, .place = offsetof(view_settings, member), .min = least, .max = most }

/* In the order in which they are written. */
static const view_key view_keys[] = {
    WORDS("layout", INT, layout, view_layout_name),
    {.name = "view", .type = OWN, .parse = settings_parse_views, .print = print_views},
    WORDS("colours", INT, colour.map, colour_map_name),
    {.name = "colour-range", .type = OWN, .parse = parse_colour_range, .print = print_colour_range},
    {.name = "empty-colour", .type = OWN, .parse = parse_empty_colour, .print = print_empty_colour},
    WORDS("show-reasons", BOOL, colour.show_reasons, switch_name),
    WORDS("show-legend", BOOL, legend, switch_name),
    WORDS("legend", BOOL, metres, unit_name),
    WORDS("cloud-colours", INT, cloud.colours, cloud_colours_name),
    NUMBER("cloud-point-size", FLOAT, cloud.size, CLOUD_MIN_SIZE, CLOUD_MAX_SIZE),
    WORDS("cloud-grid", BOOL, cloud.grid, switch_name),
    WORDS("cloud-edges", BOOL, cloud.edges, switch_name),
    NUMBER("min-depth", DOUBLE, limits.nearest, SPACE_LEAST_LIMIT, SPACE_MOST_LIMIT),
    NUMBER("max-depth", DOUBLE, limits.farthest, SPACE_LEAST_LIMIT, SPACE_MOST_LIMIT),
};

static const view_key *find_view_key(const char *name) {
    for (size_t i = 0; i < sizeof view_keys / sizeof *view_keys; i++)
        if (!strcmp(name, view_keys[i].name)) return &view_keys[i];
    return NULL;
}

static sv_status parse_view_key(const view_key *key, const char *text, view_settings *view, sv_error *error) {
    void *place = (char *)view + key->place;
    char known[256], *end;
    if (key->type == OWN) return key->parse(text, view, error);
    if (key->word) {
        int value = 0;
        while (strcmp(key->word(value), text) && strcmp(key->word(value), "?")) value++;
        if (!strcmp(key->word(value), "?"))
            return sv_fail(error, SV_USAGE, "%s cannot be '%s'; it takes %s", key->name, text,
                           list_words(key->word, known, sizeof known));
        if (key->type == BOOL)
            *(bool *)place = value;
        else
            *(int *)place = value;
        return SV_OK;
    }
    const double value = strtod(text, &end);
    if (*end || end == text || !(value >= key->min && value <= key->max))
        return sv_fail(error, SV_USAGE, "%s cannot be '%s'; it takes a number from %g to %g", key->name, text, key->min,
                       key->max);
    if (key->type == FLOAT)
        *(float *)place = (float)value;
    else
        *(double *)place = value;
    return SV_OK;
}

static void print_view_key(FILE *stream, const view_key *key, const view_settings *view) {
    const void *place = (const char *)view + key->place;
    if (key->type == DOUBLE && !(*(const double *)place > 0)) return;
    fprintf(stream, "%s: ", key->name);
    switch (key->type) {
    case INT: fputs(key->word(*(const int *)place), stream); break;
    case BOOL: fputs(key->word(*(const bool *)place), stream); break;
    case FLOAT: fprintf(stream, "%.9g", (double)*(const float *)place); break;
    case DOUBLE: fprintf(stream, "%.17g", *(const double *)place); break;
    case OWN: key->print(stream, view);
    }
    putc('\n', stream);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

static bool is_key(const char *name) {
    return !strcmp(name, "method") || !strcmp(name, "disparities") || find_view_key(name) ||
           (sv_find_parameter(name) && !is_end_of_disparities(name));
}

sv_status settings_parse_range(const char *text, sv_params *params, sv_error *error) {
    if (strcmp(text, "auto")) return sv_parse_disparities(params, text, error);
    sv_choose_range(params, false);
    return SV_OK;
}

static sv_status parse_value(const struct settings_entry *e, sv_params *params, view_settings *view, sv_error *error) {
    const view_key *key = find_view_key(e->key);
    if (key) return parse_view_key(key, e->value, view, error);
    if (!strcmp(e->key, "disparities")) return settings_parse_range(e->value, params, error);
    if (strcmp(e->key, "method")) return sv_parse(params, sv_find_parameter(e->key), e->value, error);
    if (sv_method_of(e->value) >= 0) return SV_OK; /* settings_read has begun with it */
    return sv_fail(error, SV_USAGE, "there is no method '%s'", e->value);
}

static sv_status take_line(void *to, const char *key, const char *value, int line, sv_error *error) {
    document *d = to;
    const bool of_source = is_source_key(key);
    settings_source *list = of_source ? &d->source : &d->settings;
    if (!of_source && !is_key(key)) return sv_fail(error, SV_FAILED, "there is no setting '%.60s'", key);
    if (of_source ? !*value : strlen(value) >= SV_VALUE_BYTES)
        return sv_fail(error, SV_FAILED, "the value of %s cannot be '%.60s'", key, value);
    settings_add_source(list, key, "%s", value);
    list->entries[list->count - 1].line = line;
    return SV_OK;
}

/* Changes what the entries of the document name. */
static sv_status take_values(const document *d, sv_params *params, view_settings *view, sv_error *error) {
    sv_params p = *params;
    view_settings v = view ? *view : view_default();
    const char *method = settings_source_value(&d->settings, "method");
    if (method && sv_method_of(method) >= 0) p = sv_with_method(p, (sv_method)sv_method_of(method));
    for (int i = 0; i < d->settings.count; i++) {
        const struct settings_entry *e = &d->settings.entries[i];
        sv_error why;
        if (parse_value(e, &p, &v, &why) == SV_OK) continue;
        return sv_fail(error, SV_FAILED, "%s, line %d: %s", d->path, e->line, why.text);
    }
    /* The file names every parameter; those at their default stay free to follow the method. */
    const sv_params defaults = sv_default_params((sv_method)p.method);
    const bool range = sv_range_is_chosen(&p);
    for (int i = 0; i < sv_parameter_count; i++)
        if (sv_get(&p, &sv_parameters[i]) == sv_get(&defaults, &sv_parameters[i])) sv_reset(&p, &sv_parameters[i]);
    if (range) sv_choose_range(&p, true); /* also that of the default: it is not to be looked for */
    *params = p;
    if (view) *view = v;
    return SV_OK;
}

sv_status settings_read(const char *path, sv_params *params, view_settings *view, settings_source *source,
                        sv_error *error) {
    document d = {.path = path};
    sv_status status = keyvalue_read(path, "the settings", "rho: 5", take_line, &d, error);
    if (status == SV_OK) status = take_values(&d, params, view, error);
    if (status == SV_OK && source)
        *source = d.source;
    else
        settings_free_source(&d.source);
    settings_free_source(&d.settings);
    return status;
}

static sv_status look_at_key(void *to, const char *key, const char *value, int line, sv_error *error) {
    (void)value;
    (void)line;
    *(bool *)to = is_key(key) || is_source_key(key);
    return sv_fail(error, SV_FAILED, "the first line is enough");
}

bool settings_has_some(const char *path) {
    bool some = false;
    sv_error error;
    keyvalue_read(path, "the settings", "rho: 5", look_at_key, &some, &error);
    return some;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

char *settings_print_value(const sv_params *params, const sv_parameter *p, char *text, size_t size) {
    const double value = sv_get(params, p);
    if (p->kind == SV_REAL && !(p->min_word && value == p->min)) return print_real((float)value, text, size);
    sv_print(params, p, text, size);
    /* Settings may be read from another folder. */
    char *whole = p->kind == SV_FILE && value > 0 ? realpath(text, NULL) : NULL;
    if (whole && strlen(whole) < size) strcpy(text, whole);
    free(whole);
    return text;
}

/* As a YAML scalar in double quotes. */
static void print_quoted(FILE *stream, const char *text) {
    putc('"', stream);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') putc('\\', stream);
        if (c < 0x20 || c == 0x7f)
            fprintf(stream, "\\x%02x", c);
        else
            putc(c, stream);
    }
    putc('"', stream);
}

void settings_print(FILE *stream, const sv_params *params, const view_settings *view, const settings_source *source) {
    fprintf(stream, "# Settings of stereoview, read with --settings; 'stereoview --help' explains them.\n");
    for (int i = 0; source && i < source->count; i++) {
        fprintf(stream, "%s: ", source->entries[i].key);
        print_quoted(stream, source->entries[i].value);
        fprintf(stream, "\n%s", i + 1 == source->count ? "\n" : "");
    }
    fprintf(stream, "method: %s\n", sv_method_name(params->method));
    if (sv_range_is_chosen(params))
        fprintf(stream, "disparities: %d:%d\n", params->min_disparity, params->max_disparity);
    else
        fprintf(stream, "disparities: auto\n");
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        char value[SV_VALUE_BYTES];
        if (is_end_of_disparities(p->name)) continue;
        settings_print_value(params, p, value, sizeof value);
        fprintf(stream, "%s: ", p->name);
        if (p->kind == SV_FILE)
            print_quoted(stream, value);
        else
            fputs(value, stream);
        putc('\n', stream);
    }
    if (view) putc('\n', stream);
    for (size_t i = 0; view && i < sizeof view_keys / sizeof *view_keys; i++)
        print_view_key(stream, &view_keys[i], view);
}

sv_status settings_write(const char *path, const sv_params *params, const view_settings *view,
                         const settings_source *source, sv_error *error) {
    file_writer writer;
    sv_status status = sv_check_params(params, error);
    if (status == SV_OK) status = file_create(&writer, path, error);
    if (status != SV_OK) return status;
    settings_print(writer.stream, params, view, source);
    return file_commit(&writer, error);
}
