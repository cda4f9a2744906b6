/* The parameter table: names, defaults and ranges; values as text and back. */
#include "stereo/sgm.h"
#include "stereo/stereo.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row: the option, the field of sv_params, the kind, the smallest, the largest and the default value, the help; then
 * the other members of sv_parameter. */
#define ROW(name_, field, kind_, min_, max_, initial_, help_, ...)                                                     \
    {                                                                                                                  \
        .name = name_, .offset = offsetof(sv_params, field), .kind = kind_, .min = min_, .max = max_,                  \
        .initial = initial_, .help = help_, __VA_ARGS__                                                                \
    }

const sv_parameter sv_parameters[] = {
    ROW("rho", rho, SV_INTEGER, 0, SV_MAX_RADIUS, 0, "radius of the window, whose width is 2 rho + 1",
        .unit = "pixels"),
    ROW("rho-y", rho_y, SV_INTEGER, -1, SV_MAX_RADIUS, -1, "vertical radius of the window", .unit = "pixels",
        .min_word = "same", .rare = true),
    ROW("min-disparity", min_disparity, SV_INTEGER, SV_MIN_DISPARITY, SV_MAX_DISPARITY, 0,
        "smallest disparity searched", .unit = "pixels", .common = true, .of_scene = true),
    ROW("max-disparity", max_disparity, SV_INTEGER, SV_MIN_DISPARITY, SV_MAX_DISPARITY, 63,
        "largest disparity searched", .unit = "pixels", .common = true, .of_scene = true),
    ROW("prefilter", prefilter, SV_CHOICE, SV_PREFILTER_NONE, SV_PREFILTER_EXPOSURE, 0,
        "compensate for different exposures of the two pictures", .choices = {"none", "contrast", "exposure"},
        .choice_values = {SV_PREFILTER_NONE, SV_PREFILTER_CONTRAST, SV_PREFILTER_EXPOSURE}),
    ROW("step", steps, SV_CHOICE, 1, 4, 1, "distance between the disparities searched", .unit = "pixels",
        .choices = {"1", "1/2", "1/4"}, .choice_values = {1, 2, 4}),
    ROW("max-cost", max_cost, SV_REAL, 0, 65025, 0, "mean squared difference above which a match is poor",
        .unit = "grey^2", .min_word = "off", .rare = true),
    ROW("tau", tau, SV_INTEGER, 0, 16, 1, "half-width of the search around the neighbours' disparities",
        .unit = "pixels"),
    ROW("reseed", reseed, SV_INTEGER, 0, 4096, 0, "search every Nth row over the full range", .unit = "rows",
        .min_word = "off"),
    ROW("min-correlation", min_correlation, SV_REAL, -1, 1, -1, "correlation below which a match is poor",
        .min_word = "off", .rare = true),
    ROW("alpha", alpha, SV_REAL, 0, 1, 0.09375, "weight of colour relative to gradient"),
    ROW("lambda", lambda, SV_REAL, 0, 100, 3, "cost of a change of disparity by one pixel", .unit = "grey levels"),
    ROW("aggregate", aggregate, SV_INTEGER, 0, 15, 1, "radius of the box that costs are averaged over",
        .unit = "pixels", .min_word = "off"),
    ROW("census", census, SV_CHOICE, 3, 7, 5, "width of the square whose corners and edge midpoints are compared",
        .unit = "pixels", .choices = {"3", "5", "7"}, .choice_values = {3, 5, 7}),
    ROW("p1", p1, SV_INTEGER, 0, SV_SGM_MAX_PENALTY - 1, 6, "cost of a change of disparity by one pixel"),
    ROW("p2", p2, SV_INTEGER, 1, SV_SGM_MAX_PENALTY, 38, "cost of a larger change, reduced at edges of the picture",
        .above = "p1"),
    ROW("subpixel", subpixel, SV_SWITCH, 0, 1, 1, "refine the disparity with a curve through three costs",
        .common = true),
    ROW("uniqueness", uniqueness, SV_INTEGER, 0, 100, 0, "how much worse the second best match must be",
        .unit = "percent", .min_word = "off", .common = true, .rare = true),
    ROW("left-right-check", left_right_check, SV_INTEGER, -1, 64, 2,
        "largest difference between the left and the right map", .unit = "pixels", .min_word = "off", .common = true),
    ROW("min-confidence", min_confidence, SV_INTEGER, 0, 255, 0, "confidence below which a match is removed",
        .min_word = "off", .common = true, .rare = true),
    ROW("speckle-size", speckle_size, SV_INTEGER, 0, 100000, 100, "regions of at most this area are removed",
        .unit = "pixels", .min_word = "off", .common = true),
    ROW("speckle-range", speckle_range, SV_REAL, 0, 64, 1, "largest difference between neighbours in a region",
        .unit = "pixels", .common = true, .rare = true),
    ROW("holes", holes, SV_INTEGER, 0, 24, 0, "how many of the 5x5 pixels around a hole must agree to fill it",
        .unit = "pixels", .min_word = "off", .common = true, .rare = true),
    ROW("hole-passes", hole_passes, SV_INTEGER, 1, 16, 1,
        "how many times holes are filled, each time two pixels further in", .common = true, .rare = true),
    ROW("fill", fill, SV_CHOICE, 0, 3, 0, "neighbours that fill pixels without a disparity",
        .choices = {"none", "row", "cross", "surface"}, .choice_values = {0, 1, 2, 3}, .common = true),
    ROW("median", median, SV_CHOICE, 0, 5, 5, "width of the median filter", .unit = "pixels",
        .choices = {"off", "3", "5"}, .choice_values = {0, 3, 5}, .common = true),
    ROW("weighted-median", weighted_median, SV_INTEGER, 0, 7, 0, "radius of the median weighted by the left picture",
        .unit = "pixels", .min_word = "off", .common = true, .rare = true),
    ROW("average", average, SV_CHOICE, 0, 9, 0, "width of the moving average", .unit = "pixels",
        .choices = {"off", "3", "5", "7", "9"}, .choice_values = {0, 3, 5, 7, 9}, .common = true, .rare = true),
    ROW("temporal", temporal, SV_INTEGER, 1, SV_MAX_TEMPORAL, 1,
        "average still pixels over this many frames, the newest included; 5 in a window", .unit = "frames",
        .min_word = "off", .common = true, .of_scene = true),
    ROW("scale", scale, SV_CHOICE, 1, 4, 1, "size at which pictures are matched; disparities stay in full-size pixels",
        .choices = {"1", "1/2", "1/4"}, .choice_values = {1, 2, 4}, .common = true),
    ROW("row-shift", row_shift, SV_INTEGER, -64, 64, 0, "how far the right picture is shifted up", .unit = "rows",
        .common = true, .of_scene = true, .rare = true),
    ROW("model", model, SV_FILE, 0, SV_MAX_FILES, 0,
        "the learned model: an ONNX file; a .yaml file of the same name may state what it expects", .min_word = "none"),
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

static locale_t with_point(void) { return newlocale(LC_ALL_MASK, "C", (locale_t)0); } /* glibc allocates nothing */

double sv_number(const char *text, char **end) { return strtod_l(text, end, with_point()); }

/* True if `text` is nothing but a number. */
static bool parse_number(const char *text, double *value) {
    char *end;
    errno = 0;
    *value = sv_number(text, &end);
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
    const double value = sv_get(params, parameter);
    const locale_t before = uselocale(with_point());
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
    uselocale(before);
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

sv_params sv_window_params(sv_method method) {
    sv_params params = sv_default_params(method);
    params.temporal = 5;
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
