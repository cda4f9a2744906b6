/* The file that changes the window's keys by lines such as "snapshot: F5": an action of input_bindings, and its keys.
 * Other actions keep theirs. */
#ifndef APP_OPTIONS_KEYS_H
#define APP_OPTIONS_KEYS_H

#include "render/window/input.h"

/* Reads the file `named` or, if it is NULL, keys.yaml in PLACES_CONFIG (places.h) if there is one.
 * Errors: SV_FAILED, with file, line and action, if the file cannot be read, names an unknown action or key, or gives
 * two actions the same key; `keys` are then as before. */
sv_status keys_read(const char *named, input_keys *keys, sv_error *error);

#endif
