/* Named sets of a method and its parameters. */
#include "stereo/quality.h"

#include <string.h>

/* BENCHMARKS.md has the time and the errors of each. */
const sv_quality sv_qualities[SV_QUALITY_COUNT] = {
    {.name = "fast",
     .help = "the fastest of the three, at half the size",
     .method = SV_SGM,
     .settings = {{"scale", "1/2"}}},
    {.name = "balanced", .help = "the default", .method = SV_SGM},
    {.name = "best",
     .help = "the fewest errors, in a map without empty pixels; its refinement takes several times as long",
     .method = SV_SGM,
     .settings = {{"left-right-check", "1"}, {"fill", "surface"}, {"weighted-median", "4"}, {"p2", "30"}}},
};

int sv_quality_of(const char *name) {
    for (int i = 0; i < SV_QUALITY_COUNT; i++)
        if (!strcmp(name, sv_qualities[i].name)) return i;
    return -1;
}

const char *sv_quality_name(int quality) { return quality < 0 ? "custom" : sv_qualities[quality].name; }

void sv_set_quality(sv_params *params, int quality) {
    const sv_quality *q = &sv_qualities[quality];
    *params = sv_with_method(*params, q->method);
    for (int i = 0; i < sv_parameter_count; i++)
        if (!sv_parameters[i].of_scene) sv_reset(params, &sv_parameters[i]);
    const sv_params before = *params;
    for (int i = 0; i < SV_QUALITY_SETTINGS && q->settings[i].parameter; i++)
        sv_parse(params, sv_find_parameter(q->settings[i].parameter), q->settings[i].value, NULL);
    memcpy(params->chosen, before.chosen, sizeof params->chosen);
}

bool sv_match_alike(const sv_params *a, const sv_params *b) {
    if (a->method != b->method) return false;
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        if (sv_uses(a->method, p) && sv_get(a, p) != sv_get(b, p)) return false;
    }
    return true;
}

int sv_find_quality(const sv_params *params) {
    for (int i = 0; i < SV_QUALITY_COUNT; i++) {
        sv_params own = *params;
        sv_set_quality(&own, i);
        if (sv_match_alike(&own, params)) return i;
    }
    return -1;
}
