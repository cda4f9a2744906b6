/* The methods and parameters as text, for those that use them by name: programs with the library, and --help. */
#include "stereo/quality.h"
#include "stereo/stereo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *sv_version(void) { return SV_VERSION; }

const char *sv_backend_name(const sv_backend *backend) { return backend->name; }

/* ---- Values ----------------------------------------------------------------------------------- */

sv_params *sv_params_new(void) {
    sv_params *params = malloc(sizeof *params);
    if (params) *params = sv_default_params(SV_DEFAULT_METHOD);
    return params;
}

void sv_params_free(sv_params *params) { free(params); }

static sv_status refuse_name(const char *name, sv_error *error) {
    char names[sizeof error->text] = "method, quality, disparities";
    for (int i = 0; i < sv_parameter_count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), ", %s", sv_parameters[i].name);
    return sv_fail(error, SV_USAGE, "there is no parameter '%.40s'; there are %s", name, names);
}

static sv_status set_method(sv_params *params, const char *name, sv_error *error) {
    const int method = sv_method_of(name);
    if (method < 0) {
        char names[64] = "";
        for (int i = 0; i < SV_METHOD_COUNT; i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", sv_method_name(i));
        return sv_fail(error, SV_USAGE, "there is no method '%s'; there are %s", name, names);
    }
    /* Setting the same method again changes nothing, so the parameters of a quality stay. */
    if (params->method != method) *params = sv_with_method(*params, (sv_method)method);
    return SV_OK;
}

sv_status sv_params_set(sv_params *params, const char *name, const char *value, sv_error *error) {
    const sv_parameter *parameter = sv_find_parameter(name);
    if (parameter) return sv_parse(params, parameter, value, error);
    if (!strcmp(name, "method")) return set_method(params, value, error);
    if (!strcmp(name, "disparities")) return sv_parse_disparities(params, value, error);
    if (strcmp(name, "quality")) return refuse_name(name, error);
    const int quality = sv_quality_of(value);
    if (quality < 0) return sv_fail(error, SV_USAGE, "there is no quality '%s'; choose fast, balanced or best", value);
    sv_set_quality(params, quality);
    return SV_OK;
}

sv_status sv_params_get(const sv_params *params, const char *name, char *value, size_t size, sv_error *error) {
    const sv_parameter *parameter = sv_find_parameter(name);
    if (parameter)
        sv_print(params, parameter, value, size);
    else if (!strcmp(name, "method"))
        snprintf(value, size, "%s", sv_method_name(params->method));
    else if (!strcmp(name, "quality"))
        snprintf(value, size, "%s", sv_quality_name(sv_find_quality(params)));
    else if (!strcmp(name, "disparities"))
        snprintf(value, size, "%d:%d", params->min_disparity, params->max_disparity);
    else
        return refuse_name(name, error);
    return SV_OK;
}

/* ---- Descriptions ----------------------------------------------------------------------------- */

/* The default of a parameter, followed by those of methods with a different one. */
static void describe_defaults(const sv_parameter *p, char *defaults, size_t size) {
    double usual = 0;
    defaults[0] = 0;
    for (int m = 0; m < SV_METHOD_COUNT; m++) {
        const sv_params params = sv_default_params((sv_method)m);
        const double of_method = sv_get(&params, p);
        char value[SV_VALUE_BYTES], *end = defaults + strlen(defaults);
        if (!sv_uses(m, p)) continue;
        sv_print(&params, p, value, sizeof value);
        if (!defaults[0]) {
            snprintf(defaults, size, "%.*s", (int)size - 1, value);
            usual = of_method;
        } else if (of_method != usual) {
            snprintf(end, size - (size_t)(end - defaults), ", %s %s", sv_method_name(m), value);
        }
    }
}

bool sv_describe_parameter(int number, sv_description *d) {
    if (number < 0 || number >= sv_parameter_count) return false;
    const sv_parameter *p = &sv_parameters[number];
    *d = (sv_description){.name = p->name, .help = p->help, .unit = p->unit ? p->unit : ""};
    sv_print_range(p, d->values, sizeof d->values);
    describe_defaults(p, d->defaults, sizeof d->defaults);
    if (!p->common) sv_print_methods(p, d->methods, sizeof d->methods);
    return true;
}

bool sv_describe_method(int number, sv_description *d) {
    if (number < 0 || number >= SV_METHOD_COUNT) return false;
    const sv_method_traits *m = &sv_methods[number];
    *d = (sv_description){.name = m->name, .help = m->help, .unit = m->paper};
    return true;
}
