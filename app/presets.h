/* The user's presets: named sets of a method and its parameters, each a settings file NAME.yaml in the folder "presets"
 * of PLACES_CONFIG (places.h). As in the built-in ones (stereo/quality.h), what belongs to the scene is no part of
 * them. */
#ifndef APP_PRESETS_H
#define APP_PRESETS_H

#include "stereo/stereo.h"

enum { PRESETS_MOST = 24, PRESETS_NAME_BYTES = 41 };

typedef struct presets {
    struct {
        char name[PRESETS_NAME_BYTES];
        sv_params params;
    } each[PRESETS_MOST]; /* by name */
    int count;
} presets;

/* Reads them all. The log says which files cannot be used. */
void presets_read(presets *presets);

/* The preset that the parameters are those of; -1 if they are of none. */
int presets_find(const presets *presets, const sv_params *params);

/* Sets the method and all parameters but those of the scene as the preset of that name has them.
 * Errors: SV_USAGE if there is none, SV_FAILED if its file is wrong. */
sv_status presets_apply(const char *name, sv_params *params, sv_error *error);

/* True if a preset of that name is there already. */
bool presets_has(const char *name);

/* Saves the parameters as a preset; one of that name is replaced.
 * Errors: SV_USAGE for a name that no preset can have, SV_FAILED if the file cannot be written or there are too many.
 */
sv_status presets_save(const char *name, const sv_params *params, sv_error *error);

/* Errors: SV_FAILED if the file cannot be removed. */
sv_status presets_delete(const char *name, sv_error *error);

#endif
