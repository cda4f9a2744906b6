/* The values of the options, from the command line or a settings file. */
#include "app/options/option_apply.h"

#include "app/options/qualities.h"
#include "base/file_name.h"
#include "base/places.h"
#include "capture/source.h"
#include "map/export.h"
#include "rig/length.h"
#include "stereo/quality.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True if the `length` characters of `text` are a non-negative whole number. */
static bool parse_count(const char *text, size_t length, int64_t *value) {
    char digits[20];
    if (!length || length >= sizeof digits || strspn(text, "0123456789") < length) return false;
    memcpy(digits, text, length);
    digits[length] = 0;
    errno = 0;
    *value = strtoll(digits, NULL, 10);
    return !errno;
}

/* True if `text` is a number from `min` to `max`. */
static bool parse_number(const char *text, double min, double max, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && *value >= min && *value <= max;
}

/* Reads a number of frames, or of milliseconds if the unit follows. */
static sv_status parse_offset(options *o, const char *text, sv_error *error) {
    const double most = 1e6;
    char *end;
    o->input.offset.given = true;
    o->input.offset.value = strtod(text, &end);
    o->input.offset.in_ms = !strcmp(end, "ms");
    const bool whole =
        !*end && o->input.offset.value == (double)(int64_t)fmax(-most, fmin(o->input.offset.value, most));
    if (end != text && fabs(o->input.offset.value) <= most && (o->input.offset.in_ms || whole)) return SV_OK;
    return sv_fail(error, SV_USAGE,
                   "--offset takes whole frames (3, -1) or milliseconds (40ms), at most 1000000, not '%s'", text);
}

/* Reads "NAME=VALUE" with or without the side before it, or "equal". */
static sv_status parse_control(options *o, const char *text, sv_error *error) {
    static const char *const sides[2] = {"left:", "right:"};
    const char *setting = text;
    bool given[2] = {true, true};
    if (!strcmp(text, "equal")) {
        o->input.cameras.equal = true;
        return SV_OK;
    }
    for (int i = 0; i < 2; i++)
        if (!strncmp(text, sides[i], strlen(sides[i]))) {
            given[!i] = false;
            setting = text + strlen(sides[i]);
            o->input.cameras.one_sided = true;
        }
    const char *equals = strchr(setting, '=');
    if (!equals || equals == setting || !equals[1])
        return sv_fail(error, SV_USAGE,
                       "--control takes NAME=VALUE, left:NAME=VALUE, right:NAME=VALUE or equal, not '%s'", text);
    for (int i = 0; i < 2; i++) {
        if (!given[i]) continue;
        if (o->input.cameras.control_counts[i] == OPTIONS_MAX_CONTROLS)
            return sv_fail(error, SV_USAGE, "--control is given more than %d times", OPTIONS_MAX_CONTROLS);
        o->input.cameras.controls[i][o->input.cameras.control_counts[i]++] = setting;
    }
    return SV_OK;
}

static sv_status parse_frames(options *o, const char *text, sv_error *error) {
    const char *colon = strchr(text, ':');
    o->input.frames.first = 0;
    o->input.frames.end = INT64_MAX;
    if (!colon || (colon != text && !parse_count(text, (size_t)(colon - text), &o->input.frames.first)) ||
        (colon[1] && !parse_count(colon + 1, strlen(colon + 1), &o->input.frames.end)) ||
        o->input.frames.end <= o->input.frames.first)
        return sv_fail(error, SV_USAGE, "--frames takes A:B with A below B, such as 0:100, 50: or :10, not '%s'", text);
    return SV_OK;
}

/* `option`: its name. */
static sv_status parse_size(const char *option, const char *text, int *width, int *height, sv_error *error) {
    const char *by = strchr(text, 'x');
    int64_t w, h;
    if (!by || !parse_count(text, (size_t)(by - text), &w) || !parse_count(by + 1, strlen(by + 1), &h) || w < 1 ||
        h < 1 || w > SV_MAX_SIDE || h > SV_MAX_SIDE)
        return sv_fail(error, SV_USAGE, "--%s takes WxH in pixels, such as 640x480, not '%s'", option, text);
    *width = (int)w;
    *height = (int)h;
    return SV_OK;
}

static sv_status parse_camera_size(options *o, const char *text, sv_error *error) {
    return parse_size("size", text, &o->input.cameras.both.width, &o->input.cameras.both.height, error);
}

static sv_status parse_synthetic(options *o, const char *text, sv_error *error) {
    return parse_size("synthetic", text, &o->input.synthetic_width, &o->input.synthetic_height, error);
}

static sv_status parse_device(options *o, const char *text, sv_error *error) {
    int64_t device = 0;
    o->match.all_devices = !strcmp(text, "all");
    if (!o->match.all_devices && (!parse_count(text, strlen(text), &device) || device > 1000))
        return sv_fail(error, SV_USAGE, "--device takes the number of a GPU, counted from 0, or all, not '%s'", text);
    o->match.device = (int)device;
    return SV_OK;
}

static sv_status parse_threads(options *o, const char *text, sv_error *error) {
    int64_t count;
    if (!parse_count(text, strlen(text), &count) || count < 1 || count > SV_MAX_THREADS)
        return sv_fail(error, SV_USAGE, "--threads takes a number from 1 to %d, not '%s'", SV_MAX_THREADS, text);
    o->match.threads = (int)count;
    return SV_OK;
}

static sv_status parse_tolerance(options *o, const char *text, sv_error *error) {
    double milliseconds;
    if (!parse_number(text, 0.001, 10000, &milliseconds))
        return sv_fail(error, SV_USAGE, "--tolerance takes milliseconds from 0.001 to 10000, not '%s'", text);
    o->input.tolerance = 1e-3 * milliseconds;
    return SV_OK;
}

static sv_status parse_method(options *o, const char *text, sv_error *error) {
    o->match.names_method = true;
    return sv_params_set(&o->match.params, "method", text, error);
}

static sv_status parse_disparities(options *o, const char *text, sv_error *error) {
    return settings_parse_range(text, &o->match.params, error);
}

static sv_status parse_quality(options *o, const char *text, sv_error *error) {
    sv_error why;
    o->match.names_method = true;
    if (sv_quality_of(text) >= 0) return sv_params_set(&o->match.params, "quality", text, error);
    const sv_status status = qualities_apply(text, &o->match.params, &why);
    if (status == SV_USAGE)
        return sv_fail(error, SV_USAGE,
                       "there is no quality '%s'; choose fast, balanced, best, or one of those that the window saved",
                       text);
    return status == SV_OK ? SV_OK : sv_fail(error, status, "%s", why.text);
}

/* The kinds of views, in a layout that has room for them. */
static sv_status parse_views(options *o, const char *text, sv_error *error) {
    int count = 1;
    for (const char *c = text; *c; c++) count += *c == ',';
    o->display.view.layout = count == 1 ? VIEW_ONE : count == 2 ? VIEW_TWO : VIEW_FOUR;
    return settings_parse_views(text, &o->display.view, error);
}

/* Reads the devices of -c. Numbers, which other programs take for cameras, are refused. */
static sv_status parse_cameras(options *o, char **values, int count, sv_error *error) {
    int64_t number;
    if (parse_count(values[0], strlen(values[0]), &number))
        return sv_fail(error, SV_USAGE, "-c takes the names of devices: -c /dev/video%s, not %s", values[0], values[0]);
    if (count == 2 && !strcmp(values[0], values[1]))
        return sv_fail(error, SV_USAGE, "-c names %s twice; a camera that sends both pictures is named once",
                       values[0]);
    o->input.cameras.names[0] = values[0];
    o->input.cameras.names[1] = count == 2 ? values[1] : NULL;
    return SV_OK;
}

static sv_status parse_side_by_side(options *o, const char *text, sv_error *error) {
    if (places_is_device(text)) return parse_cameras(o, (char *[]){(char *)text}, 1, error);
    o->input.whole = text;
    return SV_OK;
}

/* Reads "auto", "off" or six numbers with commas between. */
static sv_status parse_rows(options *o, const char *text, sv_error *error) {
    const double most = 100; /* pixels, of a term */
    const int word = option_word_of(OPTION_ROWS, text);
    const char *at = text;
    if (word >= 0) {
        o->rig.rows = (rows_choice)word;
        return SV_OK;
    }
    for (int i = 0; i < SV_ROW_TERMS; i++) {
        char *end;
        const double term = strtod(at, &end);
        if (end == at || *end != (i + 1 < SV_ROW_TERMS ? ',' : 0) || !(fabs(term) <= most))
            return sv_fail(error, SV_USAGE,
                           "--rows takes auto, off, or six numbers from -100 to 100, separated by commas, not '%s'",
                           text);
        o->rig.row_terms[i] = rig_round_rows(term);
        at = end + 1;
    }
    o->rig.rows = ROWS_GIVEN;
    return SV_OK;
}

static sv_status parse_calibrate(options *o, const char *text, sv_error *error) {
    o->rig.calibrate = text;
    return board_parse(text, &o->rig.board, error);
}

static sv_status parse_board(options *o, const char *text, sv_error *error) {
    o->rig.print = text;
    return board_parse(text, &o->rig.board, error);
}

static sv_status parse_baseline(options *o, const char *text, sv_error *error) {
    if (length_parse(text, strlen(text), &o->rig.baseline)) return SV_OK;
    return sv_fail(error, SV_USAGE, "--baseline takes a length with its unit, such as 120mm, not '%s'", text);
}

static sv_status parse_save_calibration(options *o, const char *text, sv_error *error) {
    if (o->rig.saved_count == OPTIONS_MAX_SAVED)
        return sv_fail(error, SV_USAGE, "--save-calibration is given more than %d times", OPTIONS_MAX_SAVED);
    o->rig.saved[o->rig.saved_count++] = text;
    return SV_OK;
}

static sv_status parse_output(options *o, const char *text, sv_error *error) {
    if (o->output.count == OPTIONS_MAX_OUTPUTS)
        return sv_fail(error, SV_USAGE, "there are more than %d outputs (-o)", OPTIONS_MAX_OUTPUTS);
    for (int i = 0; i < o->output.count; i++)
        if (!strcmp(o->output.files[i], text))
            return sv_fail(error, SV_USAGE, "-o %s is given twice; give each output a name of its own", text);
    o->output.files[o->output.count++] = text;
    return board_print_takes(text) ? SV_OK : export_check(text, error);
}

static sv_status parse_shard(options *o, const char *text, sv_error *error) {
    return share_parse(&o->run.share, text, error);
}

static sv_status parse_truth(options *o, const char *text, sv_error *error) {
    o->output.truth = text;
    return file_check_pattern(text, error);
}

static void set_layout(options *o, int word) {
    o->input.layout_given = word < SPLIT_LAYOUT_COUNT;
    o->input.split.layout = o->input.layout_given ? (split_layout)word : SPLIT_SIDE_BY_SIDE;
}

static void set_lens(options *o, int word) { o->rig.lens = (board_lens)word; }

static void set_paper(options *o, int word) { o->rig.paper = (paper)word; }

static void set_unit(options *o, int word) { o->rig.unit = option_word(OPTION_UNIT, word); }

static void set_decoder(options *o, int word) { o->input.on_card = word == 1; }

static void set_damaged(options *o, int word) { o->input.frames.skip_damaged = word == 1; }

/* What is done with the values of an option. */
typedef struct rule {
    enum { OWN_RULE, FLAG, TEXT, NUMBER, WORD, PARSED } kind;
    size_t place;                            /* in options, of a bool, a text or a double: FLAG, TEXT, NUMBER */
    double min, max;                         /* NUMBER */
    const char *unit;                        /* NUMBER: what it counts */
    void (*set)(options *options, int word); /* WORD: one of option_word */
    sv_status (*parse)(options *options, const char *text, sv_error *error); /* PARSED */
    bool of_window;                                                          /* has no effect without a window */
} rule;

/* The rules of options.def. */
#define OWN           .kind = OWN_RULE /* see apply_own */
#define SETS(member)  .kind = FLAG, .place = offsetof(options, member)
#define KEEPS(member) .kind = TEXT, .place = offsetof(options, member)
#define COUNTS(member, what, from, to)                                                                                 \
    .kind = NUMBER, .place = offsetof(options, member), .unit = what, .min = from, .max = to
#define CHOOSES(function) .kind = WORD, .set = function
#define PARSES(function)  .kind = PARSED, .parse = function
#define OF_WINDOW(other)  other, .of_window = true

static const rule rules[OPTION_COUNT] = {
#define OPTION(id, letter, name, values, value_names, help, rule) [OPTION_##id] = {rule},
#include "app/options/options.def"
};

/* Options with other than one value, and those that set the level of the log. */
static sv_status apply_own(options *o, const option *option, char **values, int count, sv_error *error) {
    switch (option->id) {
    case OPTION_FILES:
        o->input.left = values[0];
        o->input.right = values[1];
        return SV_OK;
    case OPTION_CAMERA: return parse_cameras(o, values, count, error);
    case OPTION_ALIGN:
        o->rig.align = true;
        o->rig.align_lens = count > 0;
        return SV_OK;
    case OPTION_SWAP:
        o->input.split.swap = !count || strcmp(values[0], "off") != 0;
        o->input.swap_given = true;
        return SV_OK;
    case OPTION_VERBOSE: o->log_level = SV_LOG_DEBUG; return SV_OK;
    case OPTION_QUIET: o->log_level = SV_LOG_ERROR; return SV_OK;
    default: return sv_fail(error, SV_FAILED, "--%s has no rule", option->name);
    }
}

sv_status option_apply(options *o, const option *option, char **values, int count, sv_error *error) {
    const rule *rule = &rules[option->id];
    void *place = (char *)o + rule->place;
    if (rule->of_window && !o->run.of_window) o->run.of_window = option->name;
    switch (rule->kind) {
    case OWN_RULE: break;
    case FLAG: *(bool *)place = true; return SV_OK;
    case TEXT: *(const char **)place = values[0]; return SV_OK;
    case NUMBER:
        if (parse_number(values[0], rule->min, rule->max, place)) return SV_OK;
        return sv_fail(error, SV_USAGE, "--%s takes %s from %g to %g, not '%s'", option->name, rule->unit, rule->min,
                       rule->max, values[0]);
    case WORD: {
        const int word = option_word_of(option->id, values[0]);
        if (word < 0) return option_refuse_word(option, values[0], error);
        rule->set(o, word);
        return SV_OK;
    }
    case PARSED: return rule->parse(o, values[0], error);
    }
    return apply_own(o, option, values, count, error);
}
