/* The settings file: YAML with one key per parameter, named like its option. It may also name the source and the frames
 * that were matched, so that the file alone repeats a map. */
#ifndef APP_OPTIONS_SETTINGS_H
#define APP_OPTIONS_SETTINGS_H

#include "render/view/view_settings.h"

#include <stdio.h>

/* What a settings file says about the source: its keys, each the name of an option, but for "left" and "right", which
 * are the names of --files, "stream-layout", which is --layout, and "version", of the program that wrote the file.
 * Options without a value are "on". "compare" is here, too, because its text may have any length. */
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

/* Reads "method: ncc", "rho: 3", "disparities: 0:63" and so on. Keys that are not in the file keep their values. If the
 * file names another method, parameters that still have the old method's default take the new method's default first.
 * view and source may be NULL: the keys of the view are then checked and ignored, those of the source ignored.
 * Errors: SV_FAILED, with file, line and key; nothing is changed then.
 * Lifetime: the caller frees the source with settings_free_source. */
sv_status settings_read(const char *path, sv_params *params, view_settings *view, settings_source *source,
                        sv_error *error);

/* True if the first line of the file is a setting. It may still be refused by settings_read. */
bool settings_has_some(const char *path);

/* Writes all settings, such that settings_read gives exactly the same values. The file is replaced completely or not at
 * all. view and source may be NULL.
 * Errors: SV_FAILED if the file cannot be written. */
sv_status settings_write(const char *path, const sv_params *params, const view_settings *view,
                         const settings_source *source, sv_error *error);

/* The same to a stream, which the caller checks for errors. */
void settings_print(FILE *stream, const sv_params *params, const view_settings *view, const settings_source *source);

/* Writes a parameter's value as sv_parse reads it, with all of its digits. Returns `text`. */
char *settings_print_value(const sv_params *params, const sv_parameter *parameter, char *text, size_t size);

/* Reads a range of disparities, "MIN:MAX" or "auto", which is found in the pictures.
 * Errors: SV_USAGE. */
sv_status settings_parse_range(const char *text, sv_params *params, sv_error *error);

/* Reads what the first views show: "disparity, cloud". The others stay.
 * Errors: SV_USAGE; the message says which kinds there are. */
sv_status settings_parse_views(const char *text, view_settings *view, sv_error *error);

#endif
