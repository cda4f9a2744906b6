/* Named sets of a method and its parameters, for those who want a map and not a method. */
#ifndef STEREO_QUALITY_H
#define STEREO_QUALITY_H

#include "stereo/stereo.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SV_QUALITY_COUNT = 3, SV_QUALITY_SETTINGS = 4 };

typedef struct sv_quality {
    const char *name; /* as the command line writes it */
    const char *help; /* one line */
    sv_method method;
    struct {
        const char *parameter, *value; /* as sv_parse reads them; NULL after the last */
    } settings[SV_QUALITY_SETTINGS];   /* the others are at the method's defaults */
} sv_quality;

extern const sv_quality sv_qualities[SV_QUALITY_COUNT];

int sv_quality_of(const char *name); /* -1 if there is none */

/* The name, for lists; "custom" for -1. */
const char *sv_quality_name(int quality);

/* Sets the method and every parameter that does not belong to the scene (sv_parameter.of_scene). What it sets does not
 * count as chosen, so that another method has its own defaults again. */
void sv_set_quality(sv_params *params, int quality);

/* True if both give the same maps: they have the same method, and the same values of all parameters that it uses. */
bool sv_match_alike(const sv_params *a, const sv_params *b);

/* The quality whose method and parameters these are; -1 if there is none. */
int sv_find_quality(const sv_params *params);

#ifdef __cplusplus
}
#endif

#endif
