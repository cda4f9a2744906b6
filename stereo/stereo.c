/* The contract's own code: the parameter table, the one place where arguments are checked, and the
 * table of backends. */
#include "rig.h"
#include "sgm.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Errors and messages ---------------------------------------------------------------------- */

sv_status sv_fail(sv_error *error, sv_status status, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

static void log_to_stderr(sv_level level, const char *line) {
    if (level < SV_LOG_DEBUG) fprintf(stderr, "stereoview: %s\n", line);
}

static void (*log_handler)(sv_level level, const char *line) = log_to_stderr;

void sv_set_log(void (*handler)(sv_level level, const char *line)) { log_handler = handler ? handler : log_to_stderr; }

void sv_log(sv_level level, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    log_handler(level, line);
}

double sv_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Names ------------------------------------------------------------------------------------ */

size_t sv_pixel_size(sv_format format) { return format == SV_COLOUR8 || format == SV_FLOAT32 ? 4 : 1; }

const char *sv_reason_name(int reason) {
    static const char *const names[SV_REASON_COUNT] = {
        "valid", "filled", "border", "no texture", "poor match", "ambiguous", "left-right conflict", "speckle",
    };
    return reason >= 0 && reason < SV_REASON_COUNT ? names[reason] : "?";
}

static const char *const method_names[SV_METHOD_COUNT] = {"ssd", "ncc", "zncc", "gfd", "sgm"};

const char *sv_method_name(int method) { return method >= 0 && method < SV_METHOD_COUNT ? method_names[method] : "?"; }

int sv_method_of(const char *name) {
    for (int i = 0; i < SV_METHOD_COUNT; i++)
        if (!strcmp(name, method_names[i])) return i;
    return -1;
}

const char *sv_stage_name(int stage) {
    static const char *const names[SV_STAGE_COUNT] = {"upload", "rectify", "match", "refine", "download"};
    return stage >= 0 && stage < SV_STAGE_COUNT ? names[stage] : "?";
}

/* ---- Parameters ------------------------------------------------------------------------------- */

#define EVERY(value)                                                                                                   \
    { value, value, value, value, value }
#define OF(method)  (1u << (method))
#define ALL_METHODS ((1u << SV_METHOD_COUNT) - 1)
#define AT(field)   offsetof(sv_params, field)

const sv_parameter sv_parameters[] = {
    {.name = "rho",
     .symbol = "rho",
     .unit = "pixels",
     .help = "radius of the window; it is 2 rho + 1 pixels wide",
     .kind = SV_INTEGER,
     .offset = AT(rho),
     .min = 0,
     .max = SV_MAX_RADIUS,
     .initial = {5, 3, 4, 1, 0},
     .methods = ALL_METHODS & ~OF(SV_SGM)},
    {.name = "rho-y",
     .symbol = "rho y",
     .unit = "pixels",
     .help = "vertical radius of the window",
     .kind = SV_INTEGER,
     .offset = AT(rho_y),
     .min = -1,
     .max = SV_MAX_RADIUS,
     .initial = EVERY(-1),
     .min_word = "same",
     .methods = ALL_METHODS & ~(OF(SV_GFD) | OF(SV_SGM))},
    {.name = "min-disparity",
     .symbol = "d min",
     .unit = "pixels",
     .help = "smallest disparity that is tried",
     .kind = SV_INTEGER,
     .offset = AT(min_disparity),
     .min = SV_MIN_DISPARITY,
     .max = SV_MAX_DISPARITY,
     .initial = EVERY(0),
     .methods = ALL_METHODS},
    {.name = "max-disparity",
     .symbol = "d max",
     .unit = "pixels",
     .help = "largest disparity that is tried",
     .kind = SV_INTEGER,
     .offset = AT(max_disparity),
     .min = SV_MIN_DISPARITY,
     .max = SV_MAX_DISPARITY,
     .initial = {63, 63, 64, 63, 63},
     .methods = ALL_METHODS},
    {.name = "step",
     .unit = "pixels",
     .help = "distance between the disparities that are tried",
     .kind = SV_CHOICE,
     .offset = AT(steps),
     .min = 1,
     .max = 4,
     .initial = EVERY(1),
     .choices = {"1", "1/2", "1/4"},
     .choice_values = {1, 2, 4},
     .methods = OF(SV_SSD)},
    {.name = "max-cost",
     .unit = "grey^2",
     .help = "mean squared difference above which a match is poor",
     .kind = SV_REAL,
     .offset = AT(max_cost),
     .min = 0,
     .max = 65025,
     .initial = EVERY(0),
     .min_word = "off",
     .methods = OF(SV_SSD)},
    {.name = "tau",
     .symbol = "tau",
     .unit = "pixels",
     .help = "how far from its neighbours' disparities a row searches",
     .kind = SV_INTEGER,
     .offset = AT(tau),
     .min = 0,
     .max = 16,
     .initial = EVERY(1),
     .methods = OF(SV_NCC)},
    {.name = "reseed",
     .unit = "rows",
     .help = "every that many rows one is searched over the full range",
     .kind = SV_INTEGER,
     .offset = AT(reseed),
     .min = 0,
     .max = 4096,
     .initial = {0, 16, 0, 0, 0},
     .min_word = "off",
     .methods = OF(SV_NCC)},
    {.name = "min-correlation",
     .help = "correlation below which a match is poor",
     .kind = SV_REAL,
     .offset = AT(min_correlation),
     .min = -1,
     .max = 1,
     .initial = EVERY(-1),
     .min_word = "off",
     .methods = OF(SV_NCC) | OF(SV_ZNCC)},
    {.name = "alpha",
     .symbol = "alpha",
     .help = "weight of colour against gradient",
     .kind = SV_REAL,
     .offset = AT(alpha),
     .min = 0,
     .max = 1,
     .initial = EVERY(0.09375),
     .methods = OF(SV_GFD)},
    {.name = "lambda",
     .symbol = "lambda",
     .unit = "grey levels",
     .help = "cost of a change of disparity by one pixel",
     .kind = SV_REAL,
     .offset = AT(lambda),
     .min = 0,
     .max = 100,
     .initial = EVERY(3),
     .methods = OF(SV_GFD)},
    {.name = "aggregate",
     .unit = "pixels",
     .help = "radius of the box that costs are averaged over",
     .kind = SV_INTEGER,
     .offset = AT(aggregate),
     .min = 0,
     .max = 15,
     .initial = EVERY(1),
     .min_word = "off",
     .methods = OF(SV_GFD)},
    {.name = "census",
     .unit = "pixels",
     .help = "width of the square whose corners and middles are compared",
     .kind = SV_CHOICE,
     .offset = AT(census),
     .min = 3,
     .max = 7,
     .initial = EVERY(5),
     .choices = {"3", "5", "7"},
     .choice_values = {3, 5, 7},
     .methods = OF(SV_SGM)},
    {.name = "paths",
     .help = "directions that costs are summed along",
     .kind = SV_CHOICE,
     .offset = AT(paths),
     .min = 4,
     .max = 8,
     .initial = EVERY(4),
     .choices = {"4", "8"},
     .choice_values = {4, 8},
     .methods = OF(SV_SGM)},
    {.name = "p1",
     .symbol = "P1",
     .help = "cost of a change of disparity by one pixel",
     .kind = SV_INTEGER,
     .offset = AT(p1),
     .min = 0,
     .max = SV_SGM_MAX_PENALTY - 1,
     .initial = EVERY(6),
     .methods = OF(SV_SGM)},
    {.name = "p2",
     .symbol = "P2",
     .help = "cost of a larger change, less at edges of the picture",
     .kind = SV_INTEGER,
     .offset = AT(p2),
     .min = 1,
     .max = SV_SGM_MAX_PENALTY,
     .initial = EVERY(38),
     .methods = OF(SV_SGM)},
    {.name = "pyramid",
     .unit = "levels",
     .help = "levels, each of half the size, the coarser for the nearer",
     .kind = SV_INTEGER,
     .offset = AT(pyramid),
     .min = 1,
     .max = 6,
     .initial = EVERY(1),
     .min_word = "off",
     .methods = OF(SV_SSD) | OF(SV_ZNCC)},
    {.name = "subpixel",
     .help = "refine the disparity by a curve through three costs",
     .kind = SV_SWITCH,
     .offset = AT(subpixel),
     .min = 0,
     .max = 1,
     .initial = {1, 1, 1, 0, 1},
     .methods = ALL_METHODS},
    {.name = "uniqueness",
     .unit = "percent",
     .help = "how much worse the second best match must be",
     .kind = SV_INTEGER,
     .offset = AT(uniqueness),
     .min = 0,
     .max = 100,
     .initial = EVERY(0),
     .min_word = "off",
     .methods = ALL_METHODS},
    {.name = "left-right-check",
     .unit = "pixels",
     .help = "how far the left and the right map may disagree",
     .kind = SV_INTEGER,
     .offset = AT(left_right_check),
     .min = -1,
     .max = 64,
     .initial = {2, 1, 2, 1, 2},
     .min_word = "off",
     .methods = ALL_METHODS},
    {.name = "speckle-size",
     .unit = "pixels",
     .help = "patches of at most this area are removed",
     .kind = SV_INTEGER,
     .offset = AT(speckle_size),
     .min = 0,
     .max = 100000,
     .initial = {100, 100, 100, 0, 50},
     .min_word = "off",
     .methods = ALL_METHODS},
    {.name = "speckle-range",
     .unit = "pixels",
     .help = "how far neighbours in one patch may differ",
     .kind = SV_REAL,
     .offset = AT(speckle_range),
     .min = 0,
     .max = 64,
     .initial = {1, 1, 1, 1, 2},
     .methods = ALL_METHODS},
    {.name = "holes",
     .unit = "pixels",
     .help = "valid pixels of 5x5 that fill a hole if they agree",
     .kind = SV_INTEGER,
     .offset = AT(holes),
     .min = 0,
     .max = 24,
     .initial = {0, 0, 0, 0, 10},
     .min_word = "off",
     .methods = ALL_METHODS},
    {.name = "fill",
     .help = "where pixels without a disparity take one from",
     .kind = SV_CHOICE,
     .offset = AT(fill),
     .min = 0,
     .max = 2,
     .initial = {SV_FILL_NONE, SV_FILL_NONE, SV_FILL_CROSS, SV_FILL_NONE, SV_FILL_NONE},
     .choices = {"none", "row", "cross"},
     .choice_values = {0, 1, 2},
     .methods = ALL_METHODS},
    {.name = "median",
     .unit = "pixels",
     .help = "width of the median filter",
     .kind = SV_CHOICE,
     .offset = AT(median),
     .min = 0,
     .max = 5,
     .initial = {5, 5, 5, 0, 3},
     .choices = {"off", "3", "5"},
     .choice_values = {0, 3, 5},
     .methods = ALL_METHODS},
    {.name = "weighted-median",
     .unit = "pixels",
     .help = "radius of the median that the left picture weighs",
     .kind = SV_INTEGER,
     .offset = AT(weighted_median),
     .min = 0,
     .max = 7,
     .initial = {0, 0, 2, 5, 0},
     .min_word = "off",
     .methods = ALL_METHODS},
    {.name = "average",
     .unit = "pixels",
     .help = "width of the moving average",
     .kind = SV_CHOICE,
     .offset = AT(average),
     .min = 0,
     .max = 9,
     .initial = EVERY(0),
     .choices = {"off", "3", "5", "7", "9"},
     .choice_values = {0, 3, 5, 7, 9},
     .methods = ALL_METHODS},
    {.name = "row-shift",
     .unit = "rows",
     .help = "how far the right picture is moved up",
     .kind = SV_INTEGER,
     .offset = AT(row_shift),
     .min = -64,
     .max = 64,
     .initial = EVERY(0),
     .methods = ALL_METHODS},
};
const int sv_parameter_count = sizeof sv_parameters / sizeof *sv_parameters;

const sv_parameter *sv_find_parameter(const char *name) {
    for (int i = 0; i < sv_parameter_count; i++)
        if (!strcmp(name, sv_parameters[i].name)) return &sv_parameters[i];
    return NULL;
}

double sv_get(const sv_params *params, const sv_parameter *parameter) {
    const void *field = (const char *)params + parameter->offset;
    return parameter->kind == SV_REAL ? (double)*(const float *)field : (double)*(const int *)field;
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
    /* A value between two choices becomes the smaller one. */
    while (parameter->kind == SV_CHOICE && choice_of(parameter, whole) < 0) whole--;
    *(int *)field = whole;
}

void sv_set(sv_params *params, const sv_parameter *parameter, double value) {
    assign(params, parameter, value);
    params->chosen |= 1u << (parameter - sv_parameters);
}

void sv_reset(sv_params *params, const sv_parameter *parameter) {
    assign(params, parameter, parameter->initial[params->method]);
    params->chosen &= ~(1u << (parameter - sv_parameters));
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
    return sv_fail(error, SV_USAGE, "--%s cannot be '%s'; it takes %s", p->name, text, range);
}

sv_status sv_parse(sv_params *params, const sv_parameter *parameter, const char *text, sv_error *error) {
    double value;
    if (parameter->min_word && !strcmp(text, parameter->min_word)) {
        value = parameter->min;
    } else if (parameter->kind == SV_SWITCH && (!strcmp(text, "on") || !strcmp(text, "off"))) {
        value = !strcmp(text, "on");
    } else if (parameter->kind == SV_CHOICE) {
        int i = 0;
        while (i < SV_MAX_CHOICES && parameter->choices[i] && strcmp(text, parameter->choices[i])) i++;
        if (i == SV_MAX_CHOICES || !parameter->choices[i]) {
            /* "0" is as good as "off". */
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
        return sv_fail(error, SV_USAGE, "--disparities takes MIN:MAX, such as 0:63, not '%s'", text);
    memcpy(first, text, (size_t)(colon - text));
    first[colon - text] = 0;
    if (!parse_number(first, &low) || !parse_number(colon + 1, &high) || low != floor(low) || high != floor(high))
        return sv_fail(error, SV_USAGE, "--disparities takes two whole numbers MIN:MAX, such as 0:63, not '%s'", text);
    if (low < SV_MIN_DISPARITY || high > SV_MAX_DISPARITY || low > high || high - low >= SV_MAX_DISPARITIES)
        return sv_fail(error, SV_USAGE,
                       "--disparities %s is out of range: MIN is at least %d, MAX at most %d and not below MIN, "
                       "and there are at most %d of them",
                       text, SV_MIN_DISPARITY, SV_MAX_DISPARITY, SV_MAX_DISPARITIES);
    sv_set(params, sv_find_parameter("min-disparity"), low);
    sv_set(params, sv_find_parameter("max-disparity"), high);
    return SV_OK;
}

char *sv_print(const sv_params *params, const sv_parameter *parameter, char *text, size_t size) {
    double value = sv_get(params, parameter);
    if (parameter->min_word && value == parameter->min)
        snprintf(text, size, "%s", parameter->min_word);
    else if (parameter->kind == SV_SWITCH)
        snprintf(text, size, "%s", value != 0 ? "on" : "off");
    else if (parameter->kind == SV_CHOICE)
        snprintf(text, size, "%s", parameter->choices[choice_of(parameter, (int)value)]);
    else
        snprintf(text, size, "%.7g", value);
    return text;
}

sv_params sv_default_params(sv_method method) {
    sv_params params = {.method = method};
    for (int i = 0; i < sv_parameter_count; i++) sv_reset(&params, &sv_parameters[i]);
    return params;
}

sv_params sv_with_method(sv_params params, sv_method method) {
    params.method = method;
    for (int i = 0; i < sv_parameter_count; i++)
        if (!(params.chosen >> i & 1)) sv_reset(&params, &sv_parameters[i]);
    return params;
}

sv_status sv_check_params(const sv_params *params, sv_error *error) {
    if (params->method < 0 || params->method >= SV_METHOD_COUNT)
        return sv_fail(error, SV_USAGE, "there is no method number %d", params->method);
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        double value = sv_get(params, p);
        if (!(value >= p->min && value <= p->max) || (p->kind == SV_CHOICE && choice_of(p, (int)value) < 0))
            return sv_fail(error, SV_USAGE, "%s is %g, which is not in its range of %g to %g", p->name, value, p->min,
                           p->max);
    }
    if (params->max_disparity < params->min_disparity)
        return sv_fail(error, SV_USAGE, "the largest disparity (%d) is below the smallest (%d)", params->max_disparity,
                       params->min_disparity);
    if (params->max_disparity - params->min_disparity >= SV_MAX_DISPARITIES)
        return sv_fail(error, SV_USAGE, "disparities %d:%d are more than %d", params->min_disparity,
                       params->max_disparity, SV_MAX_DISPARITIES);
    return SV_OK;
}

/* ---- Backends --------------------------------------------------------------------------------- */

const sv_backend *const sv_backends[] = {&sv_cuda, &sv_cpu, NULL};

sv_status sv_find_backend(const char *name, const sv_backend **backend, sv_error *error) {
    char device[128];
    const bool any = !strcmp(name, "auto");
    sv_error why = {""};
    for (int i = 0; sv_backends[i]; i++) {
        if (!any && strcmp(name, sv_backends[i]->name)) continue;
        sv_status status = sv_backends[i]->probe(device, sizeof device, &why);
        if (status == SV_OK) {
            /* A build without CUDA said so when it was made. */
            if (why.text[0])
                sv_log(SV_CUDA ? SV_LOG_INFO : SV_LOG_DEBUG, "running on the %s backend: %s", sv_backends[i]->name,
                       why.text);
            *backend = sv_backends[i];
            return SV_OK;
        }
        if (!any) return sv_fail(error, status, "the %s backend cannot run: %s", name, why.text);
    }
    if (!any) return sv_fail(error, SV_USAGE, "there is no backend '%s'; there are auto, cuda and cpu", name);
    return sv_fail(error, SV_NO_DEVICE, "no backend can run: %s", why.text);
}

/* ---- Matchers --------------------------------------------------------------------------------- */

struct sv_matcher {
    const sv_backend *backend;
    int width, height;
    int in_flight;
    void *context;
};

enum { MAX_SIDE = 16384 };

sv_status sv_matcher_create(const sv_backend *backend, const sv_matcher_options *options, sv_matcher **matcher,
                            sv_error *error) {
    *matcher = NULL;
    if (options->width < 1 || options->height < 1 || options->width > MAX_SIDE || options->height > MAX_SIDE)
        return sv_fail(error, SV_USAGE, "pictures of %d x %d pixels cannot be matched; a side is 1 to %d",
                       options->width, options->height, MAX_SIDE);
    const sv_rectification *r = options->rectification;
    if (r && (r->width != options->width || r->height != options->height))
        return sv_fail(error, SV_USAGE, "the rectification is for %d x %d pixels, the matcher for %d x %d", r->width,
                       r->height, options->width, options->height);
    if (options->threads < 0 || options->threads > 1024)
        return sv_fail(error, SV_USAGE, "%d threads cannot be used; 0 stands for one a core", options->threads);
    sv_matcher *m = calloc(1, sizeof *m);
    if (!m) return sv_fail(error, SV_FAILED, "out of memory for a matcher");
    *m = (sv_matcher){.backend = backend, .width = options->width, .height = options->height};
    sv_status status = backend->create(options, &m->context, error);
    if (status != SV_OK) {
        free(m);
        return status;
    }
    *matcher = m;
    return SV_OK;
}

static sv_status check_image(const char *what, const sv_image *image, sv_format format, const sv_matcher *m,
                             sv_error *error) {
    const size_t pixel = sv_pixel_size(format);
    if (!image->data) return sv_fail(error, SV_USAGE, "the %s has no memory", what);
    if (image->format != format) return sv_fail(error, SV_USAGE, "the %s has the wrong pixel format", what);
    if (image->width != m->width || image->height != m->height)
        return sv_fail(error, SV_USAGE, "the %s is %d x %d pixels, the matcher was made for %d x %d", what,
                       image->width, image->height, m->width, m->height);
    if (image->stride < (size_t)m->width * pixel || image->stride % pixel)
        return sv_fail(error, SV_USAGE, "the %s has a stride of %zu bytes, which does not fit %d pixels of %zu", what,
                       image->stride, m->width, pixel);
    return SV_OK;
}

sv_status sv_submit(sv_matcher *m, const sv_pair *pair, const sv_params *params, const sv_output *output,
                    sv_error *error) {
    sv_status status = sv_check_params(params, error);
    if (status == SV_OK) status = check_image("left picture", &pair->left, SV_GREY8, m, error);
    if (status == SV_OK) status = check_image("right picture", &pair->right, SV_GREY8, m, error);
    if (status == SV_OK) status = check_image("disparity map", &output->disparity, SV_FLOAT32, m, error);
    if (status == SV_OK) status = check_image("reason map", &output->reason, SV_REASON8, m, error);
    if (status != SV_OK) return status;
    if (pair->left_colour.data || pair->right_colour.data) {
        status = check_image("left colour picture", &pair->left_colour, SV_COLOUR8, m, error);
        if (status == SV_OK) status = check_image("right colour picture", &pair->right_colour, SV_COLOUR8, m, error);
        if (status != SV_OK) return status;
    }
    if (pair->left.memory != SV_HOST || pair->right.memory != SV_HOST || pair->left_colour.memory != SV_HOST ||
        pair->right_colour.memory != SV_HOST)
        return sv_fail(error, SV_USAGE, "the pictures must be in host memory");
    if (output->disparity.memory != output->reason.memory)
        return sv_fail(error, SV_USAGE, "the disparity map and the reason map must be in the same memory");
    if (output->disparity.memory == SV_DEVICE && !m->backend->share_map)
        return sv_fail(error, SV_USAGE, "the %s backend cannot write to device memory", m->backend->name);
    if (m->in_flight == SV_IN_FLIGHT)
        return sv_fail(error, SV_USAGE, "%d pairs are under way already; wait for one first", SV_IN_FLIGHT);
    status = m->backend->submit(m->context, pair, params, output, error);
    if (status == SV_OK) m->in_flight++;
    return status;
}

sv_status sv_wait(sv_matcher *m, sv_times *times, sv_error *error) {
    sv_times unused;
    if (!m->in_flight) return sv_fail(error, SV_USAGE, "no pair is under way");
    m->in_flight--;
    return m->backend->wait(m->context, times ? times : &unused, error);
}

int sv_at_once(const sv_matcher *m) { return m->backend->at_once; }

void sv_matcher_destroy(sv_matcher *m) {
    if (!m) return;
    m->backend->destroy(m->context);
    free(m);
}
