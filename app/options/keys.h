/* The file of keys, by which the user changes those of the window: lines such as "snapshot: F5", each an action by its
 * name in input_bindings and its keys as in input_keys. Actions that it does not name keep their keys. */
#ifndef APP_OPTIONS_KEYS_H
#define APP_OPTIONS_KEYS_H

#include "render/window/input.h"

/* Reads the file `named` or, if it is NULL, the user's keys.yaml in the folder PLACES_CONFIG of places.h, if there is
 * one.
 * Errors: SV_FAILED, with file, line and action, if the file cannot be read, names an unknown action or key, or gives
 * two actions the same key; `keys` are then as before. */
sv_status keys_read(const char *named, input_keys *keys, sv_error *error);

#endif
