/* The user's own qualities besides the built-in ones (stereo/quality.h): each a settings file NAME.yaml in the folder
 * "qualities" of PLACES_CONFIG (places.h), without what belongs to the scene. */
#ifndef APP_OPTIONS_QUALITIES_H
#define APP_OPTIONS_QUALITIES_H

#include "stereo/stereo.h"

enum { QUALITIES_MOST = 24, QUALITIES_NAME_BYTES = 41 };

typedef struct qualities {
    struct {
        char name[QUALITIES_NAME_BYTES];
        sv_params params;
    } each[QUALITIES_MOST]; /* by name */
    int count;
} qualities;

/* Reads them all; logs which files it skips. */
void qualities_read(qualities *qualities);

/* The quality whose parameters these are; -1 if there is none. */
int qualities_find(const qualities *qualities, const sv_params *params);

/* Sets the method and all parameters but those of the scene.
 * Errors: SV_USAGE if there is none, SV_FAILED if its file is wrong. */
sv_status qualities_apply(const char *name, sv_params *params, sv_error *error);

/* True if a quality of that name exists. */
bool qualities_has(const char *name);

/* Saves the parameters as a quality, replacing one of that name.
 * Errors: SV_USAGE for a name that no quality can have, SV_FAILED if the file cannot be written or there are too many.
 */
sv_status qualities_save(const char *name, const sv_params *params, sv_error *error);

/* Errors: SV_FAILED if the file cannot be removed. */
sv_status qualities_delete(const char *name, sv_error *error);

#endif
