/* The settings file: YAML with one key per parameter, named like its option. It may also name the source and the frames
 * that were matched, so that the file alone repeats a map. */
#ifndef APP_OPTIONS_SETTINGS_H
#define APP_OPTIONS_SETTINGS_H

#include "render/view/view_settings.h"

#include <stdio.h>

/* What a settings file says about the source, and "compare". Keys are the names of options, but for "left" and "right"
 * (--files), "stream-layout" (--layout) and "version" (of the program that wrote the file). Options without a value are
 * "on". */
typedef struct settings_source {
    struct settings_entry *entries; /* owned */
    int count;
} settings_source;

struct settings_entry {
    char *key, *value; /* owned */
    int line;          /* in the file, from 1 */
};

/* Adds an entry; the value is printed as by printf. */
void settings_add_source(settings_source *source, const char *key, const char *format, ...) SV_PRINTF(3, 4);

/* The value of a key, NULL if it is not there. */
const char *settings_source_value(const settings_source *source, const char *key);

void settings_free_source(settings_source *source); /* accepts {0} */

/* Reads "method: ncc", "rho: 3", "disparities: 0:63" and so on. Values that the file does not name stay; another method
 * first replaces the defaults of the old one by its own. view and source may be NULL: their keys are then ignored,
 * those of the view after a check. Errors: SV_FAILED, with file, line and key; nothing is changed then. Lifetime: the
 * caller frees the source with settings_free_source. */
sv_status settings_read(const char *path, sv_params *params, view_settings *view, settings_source *source,
                        sv_error *error);

/* True if the first line of the file is a setting. settings_read may still refuse it. */
bool settings_has_some(const char *path);

/* Writes all settings, exactly as settings_read returns them. view and source may be NULL.
 * Errors: SV_FAILED if the file cannot be written. */
sv_status settings_write(const char *path, const sv_params *params, const view_settings *view,
                         const settings_source *source, sv_error *error);

/* The same to a stream, which the caller checks for errors. */
void settings_print(FILE *stream, const sv_params *params, const view_settings *view, const settings_source *source);

/* Writes a parameter's value exactly, as sv_parse reads it. Returns `text`. */
char *settings_print_value(const sv_params *params, const sv_parameter *parameter, char *text, size_t size);

/* Reads a disparity range, "MIN:MAX" or "auto".
 * Errors: SV_USAGE. */
sv_status settings_parse_range(const char *text, sv_params *params, sv_error *error);

/* Reads what the first views show: "disparity, cloud". The others stay.
 * Errors: SV_USAGE; the message lists the kinds. */
sv_status settings_parse_views(const char *text, view_settings *view, sv_error *error);

#endif
