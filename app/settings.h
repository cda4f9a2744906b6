/* The settings file: YAML with one key per parameter, named like its option. */
#ifndef APP_SETTINGS_H
#define APP_SETTINGS_H

#include "render/view.h"

/* Reads "method: ncc", "rho: 3", "disparities: 0:63" and so on. Keys that are not in the file keep their values. If the
 * file names another method, parameters that still have the old method's default take the new method's default first.
 * view may be NULL: its keys are then checked and ignored.
 * Errors: SV_FAILED, with file, line and key; nothing is changed then. */
sv_status settings_read(const char *path, sv_params *params, view_settings *view, sv_error *error);

/* Writes all settings, such that settings_read gives exactly the same values. The file is replaced completely or not at
 * all.
 * Errors: SV_FAILED if the file cannot be written. */
sv_status settings_write(const char *path, const sv_params *params, const view_settings *view, sv_error *error);

#endif
