/* The settings file: YAML with one key for each parameter, named as the option is. */
#ifndef APP_SETTINGS_H
#define APP_SETTINGS_H

#include "render/view.h"

/* Reads "method: ncc", "rho: 3", "disparities: 0:63" and so on. Keys that are not in the file keep their value; if it
 * names another method, parameters that still have the old one's default take the new one's first.
 * SV_FAILED with file, line and key if anything is wrong with it; nothing is changed then.
 * view may be NULL: its keys are then checked and left alone. */
sv_status settings_read(const char *path, sv_params *params, view_settings *view, sv_error *error);

/* Writes all of them, such that settings_read gives the very same values. The file is replaced whole or not at all. */
sv_status settings_write(const char *path, const sv_params *params, const view_settings *view, sv_error *error);

#endif
