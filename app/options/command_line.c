/* Reads the command line in passes: some options decide the defaults of others, which may stand before them. */
#include "app/options/command_line.h"

#include "app/options/keys.h"
#include "app/options/option_apply.h"
#include "app/options/options_check.h"
#include "app/options/replay.h"
#include "app/options/second_set.h"

#include <string.h>

/* What an argument is: an option, a parameter, or neither. */
typedef struct named {
    const option *option;
    const sv_parameter *parameter;
    char *attached; /* the value after an equals sign, or NULL */
} named;

static named look_up(char *argument) {
    const size_t length = strcspn(argument, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, argument);
    return (named){.option = name[0] == '-' ? option_find(name) : NULL,
                   .parameter = !strncmp(name, "--", 2) ? sv_find_parameter(name + 2) : NULL,
                   .attached = argument[length] ? argument + length + 1 : NULL};
}

/* How many of the `left` arguments after an option are its values. */
static int count_values(const option *option, int left, char **values) {
    if (option->id == OPTION_ALIGN) return left > 0 && !strcmp(values[0], "lens");
    if (option->id == OPTION_SWAP) return left > 0 && !strcmp(values[0], "off");
    return option->id == OPTION_CAMERA && left > 1 && values[1][0] != '-' ? 2 : option->values;
}

/* True if a value is missing: the arguments end, or the next option is in its place. */
static bool lacks_values(int values, int left, char **given) {
    for (int i = 0; i < values; i++)
        if (i >= left || !strncmp(given[i], "--", 2) || (given[i][0] == '-' && option_find(given[i]))) return true;
    return false;
}

/* ---- Unknown options -------------------------------------------------------------------------- */

/* The first option or parameter that begins with `typed` (without dashes), NULL if there is none. */
static const char *complete(const char *typed) {
    enum { LEAST = 3 };
    const size_t length = strlen(typed);
    for (int i = 0; i < OPTION_COUNT + sv_parameter_count && length >= LEAST; i++) {
        const char *name = i < OPTION_COUNT ? option_table[i].name : sv_parameters[i - OPTION_COUNT].name;
        if (!strncmp(typed, name, length)) return name;
    }
    return NULL;
}

/* Notes argv[i], which does not belong to an option, as the name of a source. */
static sv_status add_name(options *o, char **argv, int i, sv_error *error) {
    if (o->name_count == 2)
        return sv_fail(error, SV_USAGE,
                       "'%s' is one name too many after '%s' and '%s'; for many pictures, name their folder, or a "
                       "pattern in quotes such as 'left_*.png'",
                       argv[i], o->names[0], o->names[1]);
    o->names[o->name_count++] = argv[i];
    return SV_OK;
}

/* One name without an option is that of -s, two are those of -f. */
static sv_status take_names(options *o, sv_error *error) {
    if (!o->name_count) return SV_OK;
    if (o->input.left || o->input.whole || o->input.cameras.names[0])
        return sv_fail(error, SV_USAGE, "'%s' does not belong to an option, and -%c already names what to open",
                       o->names[0],
                       o->input.left    ? 'f'
                       : o->input.whole ? 's'
                                        : 'c');
    return option_apply(o, option_find(o->name_count == 1 ? "-s" : "-f"), o->names, o->name_count, error);
}

/* Refuses argv[i], which is not an option. */
static sv_status refuse(char **argv, int i, sv_error *error) {
    const char *argument = argv[i];
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    const char *meant = complete(name + strspn(name, "-"));
    if (meant) return sv_fail(error, SV_USAGE, "there is no option %s; did you mean --%s?", name, meant);
    return sv_fail(error, SV_USAGE, "there is no option %s; --help lists them", name);
}

/* ---- Reading the command line ------------------------------------------------------------------ */

/* Makes a parameter's name, with which a message begins, that of an option. */
static sv_status refuse_value(const char *name, sv_status status, sv_error *error) {
    const sv_error why = error ? *error : (sv_error){""};
    return strncmp(why.text, name, strlen(name)) ? status : sv_fail(error, status, "--%s", why.text);
}

/* Each pass decides the defaults of the next. */
enum pass { FIND_SETTINGS, FIND_QUALITY, FIND_METHOD, ALL_THE_REST };

static sv_status read_pass(options *o, enum pass pass, int argc, char **argv, sv_error *error) {
    bool names = false; /* after --, which ends the options */
    for (int i = 1; i < argc; i++) {
        if (!names && !strcmp(argv[i], "--")) {
            names = true;
            continue;
        }
        named of = names ? (named){0} : look_up(argv[i]);
        const option *option = of.option;
        const sv_parameter *parameter = of.parameter;
        char **given = of.attached ? &of.attached : argv + i + 1;
        const int left = of.attached ? *of.attached != 0 : argc - i - 1;
        if (!option && !parameter) {
            if (!names && argv[i][0] == '-') return refuse(argv, i, error);
            if (pass == ALL_THE_REST && add_name(o, argv, i, error) != SV_OK) return SV_USAGE;
            continue;
        }
        const int values = option ? count_values(option, left, given) : 1;
        if (of.attached && values != 1)
            return sv_fail(error, SV_USAGE, "--%s takes %s%s, not '%s'", option->name,
                           values                 ? "its values as separate arguments: "
                           : *option->value_names ? "only "
                                                  : "no value",
                           option->value_names, argv[i]);
        if (!of.attached ? lacks_values(values, left, given) : left < 1) {
            if (parameter) return sv_fail(error, SV_USAGE, "%s needs a value: %s", argv[i], parameter->help);
            return sv_fail(error, SV_USAGE, "%s needs %s: %s", argv[i], option->value_names, option->help);
        }
        sv_status status = SV_OK;
        if (parameter) {
            if (pass == ALL_THE_REST) status = sv_parse(&o->match.params, parameter, given[0], error);
            o->match.given |= UINT64_C(1) << (parameter - sv_parameters);
        } else {
            const enum pass turn = option->id == OPTION_SETTINGS || option->id == OPTION_HEADLESS ? FIND_SETTINGS
                                   : option->id == OPTION_QUALITY                                 ? FIND_QUALITY
                                   : option->id == OPTION_METHOD                                  ? FIND_METHOD
                                                                                                  : ALL_THE_REST;
            if (pass == turn) status = option_apply(o, option, given, values, error);
        }
        if (status != SV_OK) return refuse_value(parameter ? parameter->name : option->name, status, error);
        i += of.attached ? 0 : values;
    }
    return SV_OK;
}

/* A model means the method that runs it, unless another is named. */
static void take_model(options *o) {
    const sv_parameter *model = sv_find_parameter("model");
    if (!o->match.params.model || !(o->match.given >> (model - sv_parameters) & 1) || o->match.names_method) return;
    o->match.params = sv_with_method(o->match.params, SV_NET);
}

/* True if a source is named, also before take_names. */
static bool names_source(const options *o) { return o->name_count || input_is_named(&o->input); }

/* Applies the source of the settings file, unless the command line names one, and its second set, which is for the
 * window. */
static sv_status take_source(options *o, int argc, char **argv, sv_error *error) {
    options asked = *o;
    /* The passes that follow report mistakes. */
    const bool named = read_pass(&asked, ALL_THE_REST, argc, argv, NULL) == SV_OK && names_source(&asked);
    const bool of_window = !asked.run.headless && !asked.run.benchmark && !asked.rig.calibrate && !asked.rig.align;
    return replay_apply(o, &o->in_settings, o->settings, !named, of_window, error);
}

/* A window that does not measure averages over frames, unless the user chose otherwise. */
static void still_maps(options *o) {
    const sv_parameter *p = sv_find_parameter("temporal");
    const bool chosen = (o->settings && !options_have_new_settings(o)) || o->match.given >> (p - sv_parameters) & 1;
    if (!o->run.headless && !o->run.benchmark && !chosen)
        o->match.params.temporal = sv_window_params(SV_DEFAULT_METHOD).temporal;
}

sv_status command_line_read(options *o, int argc, char **argv, sv_error *error) {
    *o = (options){
        .log_level = SV_LOG_INFO,
        .match.params = sv_default_params(SV_DEFAULT_METHOD),
        .display.keys = input_default_keys(),
        .display.view = view_default(),
        .match.backend = "auto",
        .input.frames.end = INT64_MAX,
        .rig.rectify_alpha = -1,
        .input.timeout = 5,
    };
    o->display.view.layout = VIEW_TWO;
    sv_status status = read_pass(o, FIND_SETTINGS, argc, argv, error);
    if (status == SV_OK && o->settings && !options_have_new_settings(o))
        status = settings_read(o->settings, &o->match.params, &o->display.view, &o->in_settings, error);
    if (status == SV_OK) status = take_source(o, argc, argv, error);
    for (enum pass pass = FIND_QUALITY; pass <= ALL_THE_REST && status == SV_OK; pass++)
        status = read_pass(o, pass, argc, argv, error);
    if (status == SV_OK) take_model(o);
    if (status == SV_OK) still_maps(o);
    if (status == SV_OK && o->match.compare)
        status = second_set_parse(o->match.compare, &o->match.params, &o->match.second, error);
    if (status == SV_OK) status = take_names(o, error);
    if (status == SV_OK) status = options_check(o, error);
    /* Runs without a window do not depend on the user's keys. */
    const bool has_window = !o->run.headless && !o->rig.print && !o->list_cameras && !o->version;
    if (status == SV_OK && (has_window || o->help)) status = keys_read(o->display.keys_file, &o->display.keys, error);
    /* Show help even if the key file is broken. */
    if (status == SV_FAILED && o->help) {
        sv_log(SV_LOG_WARNING, "%s", error->text);
        status = SV_OK;
    }
    if ((o->input.demo || o->input.synthetic_width || o->rig.calibrate) && !o->run.headless && !o->run.benchmark)
        o->input.frames.loop = true;
    return status;
}
