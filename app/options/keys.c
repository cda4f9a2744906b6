/* The file of keys. */
#include "app/options/keys.h"

#include "base/keyvalue.h"
#include "base/places.h"

#include <unistd.h>

typedef struct changes {
    input_keys keys;
    int lines[INPUT_ACTION_COUNT]; /* of each action in the file; 0: it is not there */
} changes;

static sv_status take(void *to, const char *name, const char *value, int line, sv_error *error) {
    changes *c = to;
    sv_error why;
    const input_binding *binding = input_find(name);
    if (!binding) return sv_fail(error, SV_FAILED, "there is no action '%.60s'; --help lists them with the keys", name);
    c->lines[binding->action] = line;
    if (input_set_keys(&c->keys, binding->action, value, &why) == SV_OK) return SV_OK;
    return sv_fail(error, SV_FAILED, "%s: %s", name, why.text);
}

sv_status keys_read(const char *named, input_keys *keys, sv_error *error) {
    char own[PLACES_BYTES], key[INPUT_KEYS_BYTES];
    changes c = {.keys = *keys};
    if (!named && (!places_of_user(PLACES_CONFIG, "keys.yaml", own, sizeof own) || access(own, F_OK))) return SV_OK;
    const char *path = named ? named : own;
    const sv_status status = keyvalue_read(path, "the keys", "snapshot: F5", take, &c, error);
    if (status != SV_OK) return status;
    for (int i = 0; i < input_binding_count; i++) {
        const input_binding *b = &input_bindings[i];
        const input_binding *other =
            c.lines[b->action] ? input_find_conflict(&c.keys, b->action, key, sizeof key) : NULL;
        if (other)
            return sv_fail(error, SV_FAILED,
                           "%s, line %d: %s: '%s' is already the key of %s; give that action another key, or none",
                           path, c.lines[b->action], b->name, key, other->name);
    }
    *keys = c.keys;
    return SV_OK;
}
