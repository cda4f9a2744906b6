/* The second set of parameters as text. */
#include "app/options/second_set.h"

#include "app/options/settings.h"
#include "stereo/quality.h"

#include <stdio.h>
#include <string.h>

/* Reads the first word: a method or a quality. */
static sv_status parse_word(const char *word, sv_params *b, sv_error *error) {
    const int method = sv_method_of(word), quality = sv_quality_of(word);
    const size_t length = strlen(word);
    if (length > 5 && !strcmp(word + length - 5, ".onnx")) {
        *b = sv_with_method(*b, SV_NET);
        return sv_parse(b, sv_find_parameter("model"), word, error);
    }
    if (method >= 0 && method != b->method) *b = sv_with_method(*b, (sv_method)method);
    if (quality >= 0) sv_set_quality(b, quality);
    if (method >= 0 || quality >= 0) return SV_OK;
    return sv_fail(
        error, SV_USAGE,
        "--compare takes a method, a quality or a model, and values: sgm, best, net.onnx, ncc,rho=3 or rho=5, "
        "not '%s'",
        word);
}

static sv_status parse_value(char *entry, sv_params *b, sv_error *error) {
    char *value = strchr(entry, '=');
    if (!value) return sv_fail(error, SV_USAGE, "--compare: '%s' needs a value, as in rho=3", entry);
    *value++ = 0;
    const sv_parameter *p = sv_find_parameter(entry);
    if (!strcmp(entry, "disparities") || (p && p->of_scene))
        return sv_fail(error, SV_USAGE, "--compare: %s belongs to the scene, so A and B share it; use --%s", entry,
                       entry);
    if (!p) return sv_fail(error, SV_USAGE, "--compare: there is no parameter '%s'; --help lists them", entry);
    if (!sv_uses(b->method, p))
        return sv_fail(error, SV_USAGE, "--compare: %s has no %s", sv_method_name(b->method), entry);
    sv_error why;
    if (sv_parse(b, p, value, &why) == SV_OK) return SV_OK;
    return sv_fail(error, SV_USAGE, "--compare: %s", why.text);
}

sv_status second_set_parse(const char *text, const sv_params *a, sv_params *b, sv_error *error) {
    char copy[SECOND_SET_BYTES], *rest = copy;
    sv_params made = *a;
    sv_status status = SV_OK;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return sv_fail(error, SV_USAGE, "--compare: the text has more than %d bytes", SECOND_SET_BYTES - 1);
    for (bool first = true; rest && status == SV_OK; first = false) {
        char *entry = strsep(&rest, ",");
        status = first && !strchr(entry, '=') ? parse_word(entry, &made, error) : parse_value(entry, &made, error);
    }
    if (status == SV_OK) status = sv_check_params(&made, error);
    if (status == SV_OK) *b = made;
    return status;
}

char *second_set_print(const sv_params *a, const sv_params *b, char *text, size_t size) {
    const sv_params from = a->method == b->method ? *a : sv_with_method(*a, (sv_method)b->method);
    snprintf(text, size, "%s", sv_method_name(b->method));
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        const size_t used = strlen(text);
        char value[SV_VALUE_BYTES];
        if (p->of_scene || !sv_uses(b->method, p) || sv_get(&from, p) == sv_get(b, p)) continue;
        snprintf(text + used, size - used, ",%s=%s", p->name, settings_print_value(b, p, value, sizeof value));
    }
    return text;
}
