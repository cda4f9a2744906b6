/* The settings file: its keys and their values. */
#include "app/options/settings.h"

#include "base/file.h"
#include "base/keyvalue.h"
#include "stereo/alloc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 64, MAX_TEXT = SV_VALUE_BYTES };

typedef struct entry {
    char key[MAX_TEXT], value[MAX_TEXT];
    int line;
} entry;

/* A file as it is read. */
typedef struct document {
    const char *path;
    entry entries[MAX_ENTRIES];
    int count;
    settings_source source; /* owned */
} document;

/* The keys that are no parameter's name. The ends of the disparities are one key. */
static const char *const other_keys[] = {"method",      "disparities",  "layout",        "view",
                                         "colours",     "colour-range", "empty-colour",  "show-reasons",
                                         "show-legend", "legend",       "cloud-colours", "cloud-point-size",
                                         "cloud-grid",  "cloud-edges",  "min-depth",     "max-depth"};
enum { OTHER_KEYS = sizeof other_keys / sizeof *other_keys };

/* The keys of the source. */
static const char *const source_keys[] = {"version", "left",      "right",  "side-by-side", "stream-layout", "swap",
                                          "demo",    "synthetic", "offset", "calibration",  "rectify-alpha", "frames",
                                          "damaged", "compare",   "unit",   "rows"};
enum { SOURCE_KEYS = sizeof source_keys / sizeof *source_keys };

static bool is_source_key(const char *name) {
    for (int i = 0; i < SOURCE_KEYS; i++)
        if (!strcmp(name, source_keys[i])) return true;
    return false;
}

static bool is_end_of_disparities(const char *name) {
    return !strcmp(name, "min-disparity") || !strcmp(name, "max-disparity");
}

/* Once a parameter of ssd and zncc, written into every file of theirs. What is left is what `pyramid: off` meant. */
static const char former_key[] = "pyramid";

static bool is_key(const char *name) {
    if (!strcmp(name, former_key)) return true;
    for (int i = 0; i < OTHER_KEYS; i++)
        if (!strcmp(name, other_keys[i])) return true;
    return sv_find_parameter(name) && !is_end_of_disparities(name);
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

/* ---- Values ----------------------------------------------------------------------------------- */

static sv_status parse_colours(const char *text, colour_settings *colours, sv_error *error) {
    const int map = colour_map_of(text);
    if (map >= 0) {
        colours->map = map;
        return SV_OK;
    }
    char known[128] = "";
    for (int i = 0; i < COLOUR_MAP_COUNT; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "", colour_map_name(i));
    return sv_fail(error, SV_USAGE, "colours cannot be '%s'; it takes one of %s", text, known);
}

static sv_status parse_colour_range(const char *text, view_settings *view, sv_error *error) {
    for (int i = 0; i < VIEW_RANGE_COUNT; i++) {
        if (i == VIEW_RANGE_FIXED || strcmp(text, view_range_name(i))) continue;
        view->range = i;
        return SV_OK;
    }
    char *end;
    const float min = strtof(text, &end);
    if (end != text && *end == ':') {
        const char *second = end + 1;
        const float max = strtof(second, &end);
        if (end != second && !*end && colour_check_range(min, max, NULL) == SV_OK) {
            view->range = VIEW_RANGE_FIXED;
            view->colour.min = min;
            view->colour.max = max;
            return SV_OK;
        }
    }
    return sv_fail(error, SV_USAGE,
                   "colour-range cannot be '%s'; it takes searched, automatic, or MIN:MAX in pixels, such as 0:63",
                   text);
}

/* Appends the name of a value to a list of those that are known. */
static void list(char *known, size_t size, const char *name) {
    snprintf(known + strlen(known), size - strlen(known), "%s%s", *known ? ", " : "", name);
}

static sv_status parse_layout(const char *text, view_settings *view, sv_error *error) {
    const int layout = view_layout_of(text);
    if (layout >= 0) {
        view->layout = layout;
        return SV_OK;
    }
    char known[128] = "";
    for (int i = 0; i < VIEW_LAYOUT_COUNT; i++) list(known, sizeof known, view_layout_name(i));
    return sv_fail(error, SV_USAGE, "layout cannot be '%s'; it takes one of %s", text, known);
}

sv_status settings_parse_views(const char *text, view_settings *view, sv_error *error) {
    char copy[MAX_TEXT], *rest = copy, known[256] = "";
    snprintf(copy, sizeof copy, "%s", text);
    for (int i = 0; rest; i++) {
        const char *name = strsep(&rest, ",");
        name += strspn(name, " ");
        const int kind = view_kind_of(name);
        if (kind >= 0 && i < VIEW_MOST) {
            view->kinds[i] = kind;
            continue;
        }
        for (int k = 0; k < VIEW_KIND_COUNT; k++) list(known, sizeof known, view_kind_name(k));
        return sv_fail(error, SV_USAGE, "view cannot be '%s'; it takes up to %d, separated by commas, of %s", text,
                       VIEW_MOST, known);
    }
    return SV_OK;
}

static sv_status parse_empty_colour(const char *text, colour_settings *colours, sv_error *error) {
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return sv_fail(error, SV_USAGE, "empty-colour cannot be '%s'; it takes red, green and blue as \"#202020\"",
                       text);
    const unsigned long rgb = strtoul(text + 1, NULL, 16);
    for (int i = 0; i < 3; i++) colours->empty[i] = (uint8_t)(rgb >> (16 - 8 * i));
    return SV_OK;
}

static sv_status parse_switch(const char *key, const char *text, bool *on, sv_error *error) {
    if (strcmp(text, "on") && strcmp(text, "off"))
        return sv_fail(error, SV_USAGE, "%s cannot be '%s'; it takes on or off", key, text);
    *on = !strcmp(text, "on");
    return SV_OK;
}

static sv_status parse_cloud_colours(const char *text, cloud_settings *cloud, sv_error *error) {
    for (int i = 0; i < CLOUD_COLOURS_COUNT; i++)
        if (!strcmp(text, cloud_colours_name(i))) {
            cloud->colours = i;
            return SV_OK;
        }
    return sv_fail(error, SV_USAGE, "cloud-colours cannot be '%s'; it takes %s or %s", text,
                   cloud_colours_name(CLOUD_PICTURE), cloud_colours_name(CLOUD_DEPTH));
}

static sv_status parse_point_size(const char *text, cloud_settings *cloud, sv_error *error) {
    char *end;
    const float size = strtof(text, &end);
    if (*end || end == text || !(size >= CLOUD_MIN_SIZE && size <= CLOUD_MAX_SIZE))
        return sv_fail(error, SV_USAGE, "cloud-point-size cannot be '%s'; it takes a number from %g to %g", text,
                       CLOUD_MIN_SIZE, CLOUD_MAX_SIZE);
    cloud->size = size;
    return SV_OK;
}

static sv_status parse_depth(const char *key, const char *text, double *depth, sv_error *error) {
    char *end;
    const double value = strtod(text, &end);
    if (*end || end == text || !(value >= SPACE_LEAST_LIMIT && value <= SPACE_MOST_LIMIT))
        return sv_fail(error, SV_USAGE, "%s cannot be '%s'; it takes a number from %g to %g", key, text,
                       SPACE_LEAST_LIMIT, SPACE_MOST_LIMIT);
    *depth = value;
    return SV_OK;
}

sv_status settings_parse_range(const char *text, sv_params *params, sv_error *error) {
    if (strcmp(text, "auto")) return sv_parse_disparities(params, text, error);
    sv_choose_range(params, false);
    return SV_OK;
}

static sv_status parse_value(const entry *e, sv_params *params, view_settings *view, sv_error *error) {
    colour_settings *colours = &view->colour;
    if (!strcmp(e->key, "method")) {
        if (sv_method_of(e->value) >= 0) return SV_OK; /* settings_read has begun with it */
        return sv_fail(error, SV_USAGE, "there is no method '%s'", e->value);
    }
    if (!strcmp(e->key, former_key)) {
        if (!strcmp(e->value, "off")) return SV_OK;
        return sv_fail(error, SV_USAGE, "pyramid cannot be '%s': the whole range is searched now; remove the line",
                       e->value);
    }
    if (!strcmp(e->key, "disparities")) return settings_parse_range(e->value, params, error);
    if (!strcmp(e->key, "colours")) return parse_colours(e->value, colours, error);
    if (!strcmp(e->key, "colour-range")) return parse_colour_range(e->value, view, error);
    if (!strcmp(e->key, "layout")) return parse_layout(e->value, view, error);
    if (!strcmp(e->key, "view")) return settings_parse_views(e->value, view, error);
    if (!strcmp(e->key, "empty-colour")) return parse_empty_colour(e->value, colours, error);
    if (!strcmp(e->key, "show-reasons")) return parse_switch(e->key, e->value, &colours->show_reasons, error);
    if (!strcmp(e->key, "show-legend")) return parse_switch(e->key, e->value, &view->legend, error);
    if (!strcmp(e->key, "legend")) {
        if (strcmp(e->value, "pixels") && strcmp(e->value, "metres"))
            return sv_fail(error, SV_USAGE, "legend cannot be '%s'; it takes pixels or metres", e->value);
        view->metres = !strcmp(e->value, "metres");
        return SV_OK;
    }
    if (!strcmp(e->key, "cloud-colours")) return parse_cloud_colours(e->value, &view->cloud, error);
    if (!strcmp(e->key, "cloud-point-size")) return parse_point_size(e->value, &view->cloud, error);
    if (!strcmp(e->key, "cloud-grid")) return parse_switch(e->key, e->value, &view->cloud.grid, error);
    if (!strcmp(e->key, "cloud-edges")) return parse_switch(e->key, e->value, &view->cloud.edges, error);
    if (!strcmp(e->key, "min-depth")) return parse_depth(e->key, e->value, &view->limits.nearest, error);
    if (!strcmp(e->key, "max-depth")) return parse_depth(e->key, e->value, &view->limits.farthest, error);
    return sv_parse(params, sv_find_parameter(e->key), e->value, error);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

static sv_status take_line(void *to, const char *key, const char *value, int line, sv_error *error) {
    document *d = to;
    if (is_source_key(key)) {
        if (!*value) return sv_fail(error, SV_FAILED, "the value of %s cannot be ''", key);
        settings_add_source(&d->source, key, "%s", value);
        d->source.entries[d->source.count - 1].line = line;
        return SV_OK;
    }
    if (strlen(key) >= MAX_TEXT || !is_key(key))
        return sv_fail(error, SV_FAILED, "there is no setting '%.*s'", MAX_TEXT, key);
    if (strlen(value) >= MAX_TEXT)
        return sv_fail(error, SV_FAILED, "the value of %s cannot be '%.*s'", key, MAX_TEXT, value);
    if (d->count == MAX_ENTRIES) return sv_fail(error, SV_FAILED, "there are too many settings");
    entry *e = &d->entries[d->count++];
    e->line = line;
    strcpy(e->key, key);
    strcpy(e->value, value);
    return SV_OK;
}

/* Changes what the entries of the document name. */
static sv_status take_values(const document *d, sv_params *params, view_settings *view, sv_error *error) {
    sv_params p = *params;
    view_settings v = view ? *view : view_default();
    for (int i = 0; i < d->count; i++)
        if (!strcmp(d->entries[i].key, "method") && sv_method_of(d->entries[i].value) >= 0)
            p = sv_with_method(p, (sv_method)sv_method_of(d->entries[i].value));
    for (int i = 0; i < d->count; i++) {
        sv_error why;
        if (parse_value(&d->entries[i], &p, &v, &why) == SV_OK) continue;
        return sv_fail(error, SV_FAILED, "%s, line %d: %s", d->path, d->entries[i].line, why.text);
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

/* The shortest text that reads back as the same float. */
static char *print_real(float value, char *text, size_t size) {
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, size, "%.*g", digits, (double)value);
        if (strtof(text, NULL) == value) break;
    }
    return text;
}

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

static void write_view(FILE *stream, const view_settings *view) {
    const colour_settings *colours = &view->colour;
    char min[32], max[32];
    fprintf(stream, "\nlayout: %s\n", view_layout_name(view->layout));
    for (int i = 0; i < VIEW_MOST; i++) fprintf(stream, "%s%s", i ? ", " : "view: ", view_kind_name(view->kinds[i]));
    fprintf(stream, "\n");
    fprintf(stream, "colours: %s\n", colour_map_name(colours->map));
    if (view->range == VIEW_RANGE_FIXED)
        fprintf(stream, "colour-range: %s:%s\n", print_real(colours->min, min, sizeof min),
                print_real(colours->max, max, sizeof max));
    else
        fprintf(stream, "colour-range: %s\n", view_range_name(view->range));
    fprintf(stream, "empty-colour: \"#%02x%02x%02x\"\n", colours->empty[0], colours->empty[1], colours->empty[2]);
    fprintf(stream, "show-reasons: %s\n", colours->show_reasons ? "on" : "off");
    fprintf(stream, "show-legend: %s\n", view->legend ? "on" : "off");
    fprintf(stream, "legend: %s\n", view->metres ? "metres" : "pixels");
    fprintf(stream, "cloud-colours: %s\n", cloud_colours_name(view->cloud.colours));
    fprintf(stream, "cloud-point-size: %.9g\n", view->cloud.size);
    fprintf(stream, "cloud-grid: %s\n", view->cloud.grid ? "on" : "off");
    fprintf(stream, "cloud-edges: %s\n", view->cloud.edges ? "on" : "off");
    if (view->limits.nearest > 0) fprintf(stream, "min-depth: %.17g\n", view->limits.nearest);
    if (view->limits.farthest > 0) fprintf(stream, "max-depth: %.17g\n", view->limits.farthest);
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
    if (view) write_view(stream, view);
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
