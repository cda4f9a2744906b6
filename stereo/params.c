/* The parameter table: names, defaults and ranges; values as text and back. */
#include "stereo/sgm.h"
#include "stereo/stereo.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(sv_params, field)

const sv_parameter sv_parameters[] = {
    {.name = "rho",
     .symbol = "rho",
     .unit = "pixels",
     .help = "radius of the window, whose width is 2 rho + 1",
     .kind = SV_INTEGER,
     .offset = AT(rho),
     .min = 0,
     .max = SV_MAX_RADIUS},
    {.name = "rho-y",
     .symbol = "rho y",
     .unit = "pixels",
     .help = "vertical radius of the window",
     .kind = SV_INTEGER,
     .offset = AT(rho_y),
     .min = -1,
     .max = SV_MAX_RADIUS,
     .initial = -1,
     .min_word = "same",
     .rare = true},
    {.name = "min-disparity",
     .symbol = "d min",
     .unit = "pixels",
     .help = "smallest disparity searched",
     .kind = SV_INTEGER,
     .offset = AT(min_disparity),
     .min = SV_MIN_DISPARITY,
     .max = SV_MAX_DISPARITY,
     .common = true,
     .of_scene = true},
    {.name = "max-disparity",
     .symbol = "d max",
     .unit = "pixels",
     .help = "largest disparity searched",
     .kind = SV_INTEGER,
     .offset = AT(max_disparity),
     .min = SV_MIN_DISPARITY,
     .max = SV_MAX_DISPARITY,
     .initial = 63,
     .common = true,
     .of_scene = true},
    {.name = "prefilter",
     .help = "compensate for different exposure of the two pictures",
     .kind = SV_CHOICE,
     .offset = AT(prefilter),
     .min = SV_PREFILTER_NONE,
     .max = SV_PREFILTER_EXPOSURE,
     .choices = {"none", "contrast", "exposure"},
     .choice_values = {SV_PREFILTER_NONE, SV_PREFILTER_CONTRAST, SV_PREFILTER_EXPOSURE}},
    {.name = "step",
     .unit = "pixels",
     .help = "distance between the disparities searched",
     .kind = SV_CHOICE,
     .offset = AT(steps),
     .min = 1,
     .max = 4,
     .initial = 1,
     .choices = {"1", "1/2", "1/4"},
     .choice_values = {1, 2, 4}},
    {.name = "max-cost",
     .unit = "grey^2",
     .help = "mean squared difference above which a match is poor",
     .kind = SV_REAL,
     .offset = AT(max_cost),
     .min = 0,
     .max = 65025,
     .min_word = "off",
     .rare = true},
    {.name = "tau",
     .symbol = "tau",
     .unit = "pixels",
     .help = "half-width of the search around the neighbours' disparities",
     .kind = SV_INTEGER,
     .offset = AT(tau),
     .min = 0,
     .max = 16,
     .initial = 1},
    {.name = "reseed",
     .unit = "rows",
     .help = "search every Nth row over the full range",
     .kind = SV_INTEGER,
     .offset = AT(reseed),
     .min = 0,
     .max = 4096,
     .min_word = "off"},
    {.name = "min-correlation",
     .help = "correlation below which a match is poor",
     .kind = SV_REAL,
     .offset = AT(min_correlation),
     .min = -1,
     .max = 1,
     .initial = -1,
     .min_word = "off",
     .rare = true},
    {.name = "alpha",
     .symbol = "alpha",
     .help = "weight of colour relative to gradient",
     .kind = SV_REAL,
     .offset = AT(alpha),
     .min = 0,
     .max = 1,
     .initial = 0.09375},
    {.name = "lambda",
     .symbol = "lambda",
     .unit = "grey levels",
     .help = "cost of a change of disparity by one pixel",
     .kind = SV_REAL,
     .offset = AT(lambda),
     .min = 0,
     .max = 100,
     .initial = 3},
    {.name = "aggregate",
     .unit = "pixels",
     .help = "radius of the box that costs are averaged over",
     .kind = SV_INTEGER,
     .offset = AT(aggregate),
     .min = 0,
     .max = 15,
     .initial = 1,
     .min_word = "off"},
    {.name = "census",
     .unit = "pixels",
     .help = "width of the square whose corners and edge midpoints are compared",
     .kind = SV_CHOICE,
     .offset = AT(census),
     .min = 3,
     .max = 7,
     .initial = 5,
     .choices = {"3", "5", "7"},
     .choice_values = {3, 5, 7}},
    {.name = "p1",
     .symbol = "P1",
     .help = "cost of a change of disparity by one pixel",
     .kind = SV_INTEGER,
     .offset = AT(p1),
     .min = 0,
     .max = SV_SGM_MAX_PENALTY - 1,
     .initial = 6},
    {.name = "p2",
     .symbol = "P2",
     .help = "cost of a larger change, reduced at edges of the picture",
     .kind = SV_INTEGER,
     .offset = AT(p2),
     .min = 1,
     .max = SV_SGM_MAX_PENALTY,
     .initial = 38,
     .above = "p1"},
    {.name = "subpixel",
     .help = "refine the disparity with a curve through three costs",
     .kind = SV_SWITCH,
     .offset = AT(subpixel),
     .min = 0,
     .max = 1,
     .initial = 1,
     .common = true},
    {.name = "uniqueness",
     .unit = "percent",
     .help = "how much worse the second best match must be",
     .kind = SV_INTEGER,
     .offset = AT(uniqueness),
     .min = 0,
     .max = 100,
     .min_word = "off",
     .common = true,
     .rare = true},
    {.name = "left-right-check",
     .unit = "pixels",
     .help = "largest difference between the left and the right map",
     .kind = SV_INTEGER,
     .offset = AT(left_right_check),
     .min = -1,
     .max = 64,
     .initial = 2,
     .min_word = "off",
     .common = true},
    {.name = "min-confidence",
     .help = "confidence below which a match is removed",
     .kind = SV_INTEGER,
     .offset = AT(min_confidence),
     .min = 0,
     .max = 255,
     .min_word = "off",
     .common = true,
     .rare = true},
    {.name = "speckle-size",
     .unit = "pixels",
     .help = "regions of at most this area are removed",
     .kind = SV_INTEGER,
     .offset = AT(speckle_size),
     .min = 0,
     .max = 100000,
     .initial = 100,
     .min_word = "off",
     .common = true},
    {.name = "speckle-range",
     .unit = "pixels",
     .help = "largest difference between neighbours in a region",
     .kind = SV_REAL,
     .offset = AT(speckle_range),
     .min = 0,
     .max = 64,
     .initial = 1,
     .common = true,
     .rare = true},
    {.name = "holes",
     .unit = "pixels",
     .help = "how many of the 5x5 pixels around a hole must agree to fill it",
     .kind = SV_INTEGER,
     .offset = AT(holes),
     .min = 0,
     .max = 24,
     .min_word = "off",
     .common = true,
     .rare = true},
    {.name = "hole-passes",
     .help = "how many times holes are filled, each time two pixels further in",
     .kind = SV_INTEGER,
     .offset = AT(hole_passes),
     .min = 1,
     .max = 16,
     .initial = 1,
     .common = true,
     .rare = true},
    {.name = "fill",
     .help = "neighbours that fill pixels without a disparity",
     .kind = SV_CHOICE,
     .offset = AT(fill),
     .min = 0,
     .max = 3,
     .choices = {"none", "row", "cross", "surface"},
     .choice_values = {0, 1, 2, 3},
     .common = true},
    {.name = "median",
     .unit = "pixels",
     .help = "width of the median filter",
     .kind = SV_CHOICE,
     .offset = AT(median),
     .min = 0,
     .max = 5,
     .initial = 5,
     .choices = {"off", "3", "5"},
     .choice_values = {0, 3, 5},
     .common = true},
    {.name = "weighted-median",
     .unit = "pixels",
     .help = "radius of the median weighted by the left picture",
     .kind = SV_INTEGER,
     .offset = AT(weighted_median),
     .min = 0,
     .max = 7,
     .min_word = "off",
     .common = true,
     .rare = true},
    {.name = "average",
     .unit = "pixels",
     .help = "width of the moving average",
     .kind = SV_CHOICE,
     .offset = AT(average),
     .min = 0,
     .max = 9,
     .choices = {"off", "3", "5", "7", "9"},
     .choice_values = {0, 3, 5, 7, 9},
     .common = true,
     .rare = true},
    {.name = "temporal",
     .unit = "frames",
     .help = "average still pixels over this many frames, the newest included; the window begins with 5",
     .kind = SV_INTEGER,
     .offset = AT(temporal),
     .min = 1,
     .max = SV_MAX_TEMPORAL,
     .initial = 1,
     .min_word = "off",
     .common = true,
     .of_scene = true},
    {.name = "scale",
     .help = "size at which pictures are matched; disparities stay in pixels of the full size",
     .kind = SV_CHOICE,
     .offset = AT(scale),
     .min = 1,
     .max = 4,
     .initial = 1,
     .choices = {"1", "1/2", "1/4"},
     .choice_values = {1, 2, 4},
     .common = true},
    {.name = "row-shift",
     .unit = "rows",
     .help = "how far the right picture is shifted up",
     .kind = SV_INTEGER,
     .offset = AT(row_shift),
     .min = -64,
     .max = 64,
     .common = true,
     .of_scene = true,
     .rare = true},
    {.name = "model",
     .help = "the learned model: an ONNX file; a .yaml file of the same name may state what it expects",
     .kind = SV_FILE,
     .offset = AT(model),
     .min = 0,
     .max = SV_MAX_FILES,
     .min_word = "none"},
};
const int sv_parameter_count = sizeof sv_parameters / sizeof *sv_parameters;
_Static_assert(sizeof sv_parameters / sizeof *sv_parameters <= 64, "sv_params.chosen has a bit for every parameter");

/* ---- Files ------------------------------------------------------------------------------------- */

static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;
static char *file_names[SV_MAX_FILES]; /* that of number n is file_names[n - 1]; none is ever freed */

int sv_file_number(const char *name) {
    int number = 0;
    pthread_mutex_lock(&names_lock);
    while (number < SV_MAX_FILES && file_names[number] && strcmp(file_names[number], name)) number++;
    if (number < SV_MAX_FILES && !file_names[number]) file_names[number] = strdup(name);
    const bool there = number < SV_MAX_FILES && file_names[number];
    pthread_mutex_unlock(&names_lock);
    return there ? number + 1 : -1;
}

const char *sv_file_name(int number) {
    if (number < 1 || number > SV_MAX_FILES) return NULL;
    pthread_mutex_lock(&names_lock);
    const char *name = file_names[number - 1];
    pthread_mutex_unlock(&names_lock);
    return name;
}

/* ---- Values ------------------------------------------------------------------------------------ */

const sv_parameter *sv_find_parameter(const char *name) {
    for (int i = 0; i < sv_parameter_count; i++)
        if (!strcmp(name, sv_parameters[i].name)) return &sv_parameters[i];
    return NULL;
}

double sv_get(const sv_params *params, const sv_parameter *parameter) {
    const void *field = (const char *)params + parameter->offset;
    return parameter->kind == SV_REAL ? (double)*(const float *)field : (double)*(const int *)field;
}

double sv_get_used(const sv_params *params, const sv_parameter *parameter) {
    const double value = sv_get(params, parameter);
    return parameter->above ? fmax(value, sv_get(params, sv_find_parameter(parameter->above)) + 1) : value;
}

static int choice_of(const sv_parameter *parameter, int value) {
    for (int i = 0; i < SV_MAX_CHOICES && parameter->choices[i]; i++)
        if (parameter->choice_values[i] == value) return i;
    return -1;
}

static void assign(sv_params *params, const sv_parameter *parameter, double value) {
    void *field = (char *)params + parameter->offset;
    value = value < parameter->min ? parameter->min : value > parameter->max ? parameter->max : value;
    if (parameter->kind == SV_REAL) {
        *(float *)field = (float)value;
        return;
    }
    int whole = (int)lround(value);
    if (parameter->kind == SV_FILE && !sv_file_name(whole)) whole = 0;
    /* A value between two choices becomes the smaller one. */
    while (parameter->kind == SV_CHOICE && choice_of(parameter, whole) < 0) whole--;
    *(int *)field = whole;
}

static void choose(sv_params *params, int i, bool chosen) {
    const uint32_t bit = UINT32_C(1) << i % 32, others = params->chosen[i / 32] & ~bit;
    params->chosen[i / 32] = chosen ? others | bit : others;
}

void sv_set(sv_params *params, const sv_parameter *parameter, double value) {
    assign(params, parameter, value);
    choose(params, (int)(parameter - sv_parameters), true);
}

static double default_of(int method, const sv_parameter *parameter) {
    const sv_method_traits *m = &sv_methods[method];
    for (int i = 0; i < SV_MAX_DEFAULTS && m->defaults[i].offset; i++)
        if (m->defaults[i].offset == parameter->offset) return m->defaults[i].value;
    return parameter->initial;
}

void sv_reset(sv_params *params, const sv_parameter *parameter) {
    assign(params, parameter, default_of(params->method, parameter));
    choose(params, (int)(parameter - sv_parameters), false);
}

/* True if `text` is nothing but a number. */
static bool parse_number(const char *text, double *value) {
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    return end != text && !*end && !errno && isfinite(*value);
}

static sv_status refuse_value(const sv_parameter *p, const char *text, sv_error *error) {
    char range[160];
    if (p->kind == SV_SWITCH) {
        snprintf(range, sizeof range, "on or off");
    } else if (p->kind == SV_FILE) {
        snprintf(range, sizeof range, "the name of a file, of at most %d bytes with its folders", SV_VALUE_BYTES - 1);
    } else if (p->kind == SV_CHOICE) {
        size_t used = (size_t)snprintf(range, sizeof range, "one of");
        for (int i = 0; i < SV_MAX_CHOICES && p->choices[i]; i++)
            used += (size_t)snprintf(range + used, sizeof range - used, "%s %s", i ? "," : "", p->choices[i]);
    } else if (p->min_word) {
        snprintf(range, sizeof range, "%s, or a%s number from %g to %g", p->min_word,
                 p->kind == SV_INTEGER ? " whole" : "", p->kind == SV_INTEGER ? p->min + 1 : p->min, p->max);
    } else {
        snprintf(range, sizeof range, "a%s number from %g to %g", p->kind == SV_INTEGER ? " whole" : "", p->min,
                 p->max);
    }
    return sv_fail(error, SV_USAGE, "%s cannot be '%.200s'; it takes %s", p->name, text, range);
}

sv_status sv_parse(sv_params *params, const sv_parameter *parameter, const char *text, sv_error *error) {
    double value;
    if (parameter->min_word && !strcmp(text, parameter->min_word)) {
        value = parameter->min;
    } else if (parameter->kind == SV_SWITCH && (!strcmp(text, "on") || !strcmp(text, "off"))) {
        value = !strcmp(text, "on");
    } else if (parameter->kind == SV_FILE) {
        value = *text && strlen(text) < SV_VALUE_BYTES ? sv_file_number(text) : -1;
        if (value < 0) return refuse_value(parameter, text, error);
    } else if (parameter->kind == SV_CHOICE) {
        int i = 0;
        while (i < SV_MAX_CHOICES && parameter->choices[i] && strcmp(text, parameter->choices[i])) i++;
        if (i == SV_MAX_CHOICES || !parameter->choices[i]) {
            /* "0" stands for the choice of that value: "off", or "none". */
            if (strcmp(text, "0") || choice_of(parameter, 0) < 0) return refuse_value(parameter, text, error);
            i = choice_of(parameter, 0);
        }
        value = parameter->choice_values[i];
    } else if (!parse_number(text, &value) || value < parameter->min || value > parameter->max ||
               (parameter->kind != SV_REAL && value != floor(value))) {
        return refuse_value(parameter, text, error);
    }
    sv_set(params, parameter, value);
    return SV_OK;
}

sv_status sv_parse_disparities(sv_params *params, const char *text, sv_error *error) {
    char first[32];
    const char *colon = strchr(text, ':');
    double low, high;
    if (!colon || (size_t)(colon - text) >= sizeof first)
        return sv_fail(error, SV_USAGE, "disparities takes MIN:MAX, such as 0:63, not '%s'", text);
    memcpy(first, text, (size_t)(colon - text));
    first[colon - text] = 0;
    if (!parse_number(first, &low) || !parse_number(colon + 1, &high) || low != floor(low) || high != floor(high))
        return sv_fail(error, SV_USAGE, "disparities takes two whole numbers MIN:MAX, such as 0:63, not '%s'", text);
    if (low < SV_MIN_DISPARITY || high > SV_MAX_DISPARITY || low > high || high - low >= SV_MAX_DISPARITIES)
        return sv_fail(error, SV_USAGE,
                       "disparities %s is out of range: MIN must be at least %d, MAX at most %d and not below MIN, "
                       "with at most %d disparities",
                       text, SV_MIN_DISPARITY, SV_MAX_DISPARITY, SV_MAX_DISPARITIES);
    sv_set(params, sv_find_parameter("min-disparity"), low);
    sv_set(params, sv_find_parameter("max-disparity"), high);
    return SV_OK;
}

bool sv_range_is_chosen(const sv_params *params) {
    return sv_is_chosen(params, (int)(sv_find_parameter("min-disparity") - sv_parameters)) ||
           sv_is_chosen(params, (int)(sv_find_parameter("max-disparity") - sv_parameters));
}

void sv_set_found_range(sv_params *params, int min_disparity, int max_disparity) {
    sv_choose_range(params, false);
    assign(params, sv_find_parameter("min-disparity"), min_disparity);
    assign(params, sv_find_parameter("max-disparity"), max_disparity);
}

void sv_choose_range(sv_params *params, bool chosen) {
    const sv_parameter *ends[] = {sv_find_parameter("min-disparity"), sv_find_parameter("max-disparity")};
    for (int i = 0; i < 2; i++) {
        if (chosen)
            sv_set(params, ends[i], sv_get(params, ends[i]));
        else
            sv_reset(params, ends[i]);
    }
}

char *sv_print(const sv_params *params, const sv_parameter *parameter, char *text, size_t size) {
    double value = sv_get(params, parameter);
    if (parameter->min_word && value == parameter->min)
        snprintf(text, size, "%s", parameter->min_word);
    else if (parameter->kind == SV_SWITCH)
        snprintf(text, size, "%s", value != 0 ? "on" : "off");
    else if (parameter->kind == SV_FILE)
        snprintf(text, size, "%s", sv_file_name((int)value));
    else if (parameter->kind == SV_CHOICE)
        snprintf(text, size, "%s", parameter->choices[choice_of(parameter, (int)value)]);
    else
        snprintf(text, size, "%.7g", value);
    return text;
}

char *sv_print_range(const sv_parameter *p, char *text, size_t size) {
    if (p->kind == SV_SWITCH) {
        snprintf(text, size, "on, off");
    } else if (p->kind == SV_FILE) {
        snprintf(text, size, "%s, a file", p->min_word);
    } else if (p->kind == SV_CHOICE) {
        text[0] = 0;
        for (int i = 0; i < SV_MAX_CHOICES && p->choices[i]; i++)
            snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? ", " : "", p->choices[i]);
    } else if (p->min_word) {
        snprintf(text, size, "%s, %g..%g", p->min_word, p->kind == SV_INTEGER ? p->min + 1 : p->min, p->max);
    } else {
        snprintf(text, size, "%g..%g", p->min, p->max);
    }
    return text;
}

char *sv_print_methods(const sv_parameter *p, char *text, size_t size) {
    text[0] = 0;
    for (int m = 0; m < SV_METHOD_COUNT; m++)
        if (sv_uses(m, p))
            snprintf(text + strlen(text), size - strlen(text), "%s%s", text[0] ? ", " : "", sv_method_name(m));
    return text;
}

sv_params sv_default_params(sv_method method) {
    sv_params params = {.method = method};
    for (int i = 0; i < sv_parameter_count; i++) sv_reset(&params, &sv_parameters[i]);
    return params;
}

sv_params sv_with_method(sv_params params, sv_method method) {
    const int before = params.method;
    params.method = method;
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        const bool found = p->of_scene && sv_get(&params, p) != default_of(before, p);
        if (!sv_is_chosen(&params, i) && !found) sv_reset(&params, p);
    }
    return params;
}

sv_params sv_with_scene(sv_params params, const sv_params *scene) {
    for (int i = 0; i < sv_parameter_count; i++) {
        if (!sv_parameters[i].of_scene) continue;
        assign(&params, &sv_parameters[i], sv_get(scene, &sv_parameters[i]));
        choose(&params, i, sv_is_chosen(scene, i));
    }
    return params;
}

/* Rounded down, for negative numbers too. */
static int divide(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

sv_params sv_scaled_params(sv_params params) {
    const int half = params.scale / 2;
    const int least = divide(params.min_disparity + half, params.scale);
    params.max_disparity = -divide(half - params.max_disparity, params.scale);
    params.min_disparity = least < params.max_disparity ? least : params.max_disparity;
    params.scale = 1;
    return params;
}

sv_status sv_check_params(const sv_params *params, sv_error *error) {
    if (params->method < 0 || params->method >= SV_METHOD_COUNT)
        return sv_fail(error, SV_USAGE, "there is no method number %d", params->method);
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        double value = sv_get(params, p);
        if (!(value >= p->min && value <= p->max) || (p->kind == SV_CHOICE && choice_of(p, (int)value) < 0) ||
            (p->kind == SV_FILE && value > 0 && !sv_file_name((int)value)))
            return sv_fail(error, SV_USAGE, "%s is %g, which is outside its range of %g to %g", p->name, value, p->min,
                           p->max);
    }
    if (params->max_disparity < params->min_disparity)
        return sv_fail(error, SV_USAGE, "the largest disparity (%d) is below the smallest (%d)", params->max_disparity,
                       params->min_disparity);
    if (params->max_disparity - params->min_disparity >= SV_MAX_DISPARITIES)
        return sv_fail(error, SV_USAGE, "the range %d:%d has more than %d disparities", params->min_disparity,
                       params->max_disparity, SV_MAX_DISPARITIES);
    return SV_OK;
}
