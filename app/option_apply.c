/* The values of the options: as text on the command line or in a settings file, and checked one by one. */
#include "app/option_apply.h"

#include "app/export.h"
#include "app/file.h"
#include "app/presets.h"
#include "capture/source.h"
#include "rig/length.h"
#include "stereo/quality.h"

#include <errno.h>
#include <math.h>
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

/* Reads a number of frames, or of milliseconds if the unit follows. */
static sv_status parse_offset(options *o, const char *text, sv_error *error) {
    const double most = 1e6;
    char *end;
    o->moves = true;
    o->offset = strtod(text, &end);
    o->offset_in_ms = !strcmp(end, "ms");
    const bool whole = !*end && o->offset == (double)(int64_t)fmax(-most, fmin(o->offset, most));
    if (end != text && fabs(o->offset) <= most && (o->offset_in_ms || whole)) return SV_OK;
    return sv_fail(error, SV_USAGE,
                   "--offset takes whole frames (3, -1) or milliseconds (40ms), at most 1000000, not '%s'", text);
}

/* Reads "NAME=VALUE" with or without the side before it, or "equal". */
static sv_status parse_control(options *o, const char *text, sv_error *error) {
    static const char *const sides[2] = {"left:", "right:"};
    const char *setting = text;
    bool given[2] = {true, true};
    if (!strcmp(text, "equal")) {
        o->equal_controls = true;
        return SV_OK;
    }
    for (int i = 0; i < 2; i++)
        if (!strncmp(text, sides[i], strlen(sides[i]))) {
            given[!i] = false;
            setting = text + strlen(sides[i]);
            o->controls_of_side = true;
        }
    const char *equals = strchr(setting, '=');
    if (!equals || equals == setting || !equals[1])
        return sv_fail(error, SV_USAGE,
                       "--control takes NAME=VALUE, left:NAME=VALUE, right:NAME=VALUE or equal, not '%s'", text);
    for (int i = 0; i < 2; i++) {
        if (!given[i]) continue;
        if (o->control_counts[i] == OPTIONS_MAX_CONTROLS)
            return sv_fail(error, SV_USAGE, "--control is given more than %d times", OPTIONS_MAX_CONTROLS);
        o->controls[i][o->control_counts[i]++] = setting;
    }
    return SV_OK;
}

static sv_status parse_frames(options *o, const char *text, sv_error *error) {
    const char *colon = strchr(text, ':');
    o->frames.first = 0;
    o->frames.end = INT64_MAX;
    if (!colon || (colon != text && !parse_count(text, (size_t)(colon - text), &o->frames.first)) ||
        (colon[1] && !parse_count(colon + 1, strlen(colon + 1), &o->frames.end)) || o->frames.end <= o->frames.first)
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

static sv_status parse_device(options *o, const char *text, sv_error *error) {
    int64_t device = 0;
    o->all_devices = !strcmp(text, "all");
    if (!o->all_devices && (!parse_count(text, strlen(text), &device) || device > 1000))
        return sv_fail(error, SV_USAGE, "--device takes the number of a GPU, counted from 0, or all, not '%s'", text);
    o->device = (int)device;
    return SV_OK;
}

static sv_status parse_lens(options *o, const char *text, sv_error *error) {
    static const char *const names[] = {[BOARD_LENS_5] = "5", [BOARD_LENS_8] = "8", [BOARD_LENS_FISHEYE] = "fisheye"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        o->lens = (board_lens)i;
        if (!strcmp(text, names[i])) return SV_OK;
    }
    return sv_fail(error, SV_USAGE, "there is no lens '%s'; there are 5, 8 (coefficients) and fisheye", text);
}

static sv_status parse_quality(sv_params *params, const char *text, sv_error *error) {
    sv_error why;
    if (sv_quality_of(text) >= 0) return sv_params_set(params, "quality", text, error);
    const sv_status status = presets_apply(text, params, &why);
    if (status == SV_USAGE)
        return sv_fail(error, SV_USAGE,
                       "there is no quality '%s'; there are fast, balanced, best and the presets that the window saves",
                       text);
    return status == SV_OK ? SV_OK : sv_fail(error, status, "%s", why.text);
}

/* True if `text` is a number from `min` to `max`. */
static bool parse_number(const char *text, double min, double max, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && *value >= min && *value <= max;
}

/* The kinds of views, in a layout that has room for them. */
static sv_status parse_views(options *o, const char *text, sv_error *error) {
    int count = 1;
    for (const char *c = text; *c; c++) count += *c == ',';
    o->view.layout = count == 1 ? VIEW_ONE : count == 2 ? VIEW_OVER_UNDER : VIEW_FOUR;
    return settings_parse_views(text, &o->view, error);
}

/* Reads the devices of -c. Numbers, which other programs take for a size or for cameras, are refused. */
static sv_status parse_cameras(options *o, char **values, int count, sv_error *error) {
    int64_t numbers[2] = {0, 0};
    bool all = true;
    for (int i = 0; i < count; i++) all = all && parse_count(values[i], strlen(values[i]), &numbers[i]);
    if (all && count == 2 && numbers[0] >= 64 && numbers[1] >= 64)
        return sv_fail(error, SV_USAGE,
                       "-c takes cameras, not a size: name the devices, as in -c /dev/video0 /dev/video2 --size %sx%s",
                       values[0], values[1]);
    if (all)
        return sv_fail(error, SV_USAGE, "-c takes the names of devices: -c /dev/video%s%s%s", values[0],
                       count == 2 ? " /dev/video" : "", count == 2 ? values[1] : "");
    if (count == 2 && !strcmp(values[0], values[1]))
        return sv_fail(error, SV_USAGE, "-c names %s twice; a camera that sends both pictures is named once",
                       values[0]);
    o->cameras[0] = values[0];
    o->cameras[1] = count == 2 ? values[1] : NULL;
    return SV_OK;
}

sv_status option_refuse_space(sv_error *error) {
    return sv_fail(error, SV_USAGE,
                   "--calibration takes two files with a comma and no space between them: --calibration LEFT,RIGHT");
}

sv_status option_apply(options *o, const option *option, char **values, int value_count, sv_error *error) {
    int64_t count;
    double number;
    switch (option->id) {
    case OPTION_FILES:
        o->left = values[0];
        o->right = values[1];
        return SV_OK;
    case OPTION_SIDE_BY_SIDE:
        if (!strncmp(values[0], "/dev/", 5)) return parse_cameras(o, values, 1, error);
        o->whole = values[0];
        return SV_OK;
    case OPTION_LAYOUT:
        o->split.layout = split_layout_of(values[0]);
        o->splits = true;
        if ((int)o->split.layout < 0)
            return sv_fail(error, SV_USAGE,
                           "there is no layout '%s'; there are sbs, sbs-half, top-bottom, top-bottom-half", values[0]);
        return SV_OK;
    case OPTION_SWAP: o->split.swap = true; return SV_OK;
    case OPTION_DEMO: o->demo = true; return SV_OK;
    case OPTION_CAMERA: return parse_cameras(o, values, value_count, error);
    case OPTION_SIZE: return parse_size(option->name, values[0], &o->camera.width, &o->camera.height, error);
    case OPTION_RATE:
        if (!parse_number(values[0], 0.01, 1000, &o->camera.rate))
            return sv_fail(error, SV_USAGE, "--rate takes frames per second, 0.01 to 1000, not '%s'", values[0]);
        return SV_OK;
    case OPTION_PIXEL_FORMAT: o->camera.pixel_format = values[0]; return SV_OK;
    case OPTION_OFFSET: return parse_offset(o, values[0], error);
    case OPTION_PLAYLISTS: o->playlists = true; return SV_OK;
    case OPTION_TIMEOUT:
        if (!parse_number(values[0], 0.1, 3600, &o->timeout))
            return sv_fail(error, SV_USAGE, "--timeout takes seconds, 0.1 to 3600, not '%s'", values[0]);
        return SV_OK;
    case OPTION_TOLERANCE:
        if (!parse_number(values[0], 0.001, 10000, &number))
            return sv_fail(error, SV_USAGE, "--tolerance takes milliseconds, 0.001 to 10000, not '%s'", values[0]);
        o->tolerance = 1e-3 * number;
        return SV_OK;
    case OPTION_CONTROL: return parse_control(o, values[0], error);
    case OPTION_LIST_CAMERAS: o->list_cameras = true; return SV_OK;
    case OPTION_SYNTHETIC: return parse_size(option->name, values[0], &o->synthetic_width, &o->synthetic_height, error);
    case OPTION_CALIBRATION:
        o->calibration = values[0];
        return strstr(values[0], ", ") && access(values[0], F_OK) ? option_refuse_space(error) : SV_OK;
    case OPTION_UNIT:
        o->unit = values[0];
        if (length_unit(values[0], strlen(values[0])) > 0) return SV_OK;
        return sv_fail(error, SV_USAGE, "--unit takes mm, cm, m or in, not '%s'", values[0]);
    case OPTION_RECTIFY_ALPHA:
        if (!parse_number(values[0], 0, 1, &o->rectify_alpha))
            return sv_fail(error, SV_USAGE, "--rectify-alpha takes a number from 0 to 1, not '%s'", values[0]);
        return SV_OK;
    case OPTION_CALIBRATE: o->calibrate = values[0]; return board_parse(values[0], &o->board, error);
    case OPTION_ALIGN:
        o->align = true;
        o->align_lens = value_count > 0;
        return SV_OK;
    case OPTION_FOV:
        if (!parse_number(values[0], 5, 170, &o->fov))
            return sv_fail(error, SV_USAGE, "--fov takes degrees, 5 to 170, not '%s'", values[0]);
        return SV_OK;
    case OPTION_BASELINE:
        if (!length_parse(values[0], strlen(values[0]), &o->baseline))
            return sv_fail(error, SV_USAGE, "--baseline takes a length with its unit, such as 120mm, not '%s'",
                           values[0]);
        return SV_OK;
    case OPTION_BOARD: o->print = values[0]; return board_parse(values[0], &o->board, error);
    case OPTION_PAPER:
        o->paper = !strcmp(values[0], "letter") ? PAPER_LETTER : PAPER_A4;
        if (o->paper == PAPER_A4 && strcmp(values[0], "a4"))
            return sv_fail(error, SV_USAGE, "--paper takes a4 or letter, not '%s'", values[0]);
        return SV_OK;
    case OPTION_LENS: return parse_lens(o, values[0], error);
    case OPTION_SAVE_CALIBRATION:
        if (o->save_count == OPTIONS_MAX_SAVED)
            return sv_fail(error, SV_USAGE, "--save-calibration is given more than %d times", OPTIONS_MAX_SAVED);
        o->save_calibration[o->save_count++] = values[0];
        return SV_OK;
    case OPTION_QUALITY: return parse_quality(&o->params, values[0], error);
    case OPTION_METHOD:
    case OPTION_DISPARITIES: return sv_params_set(&o->params, option->name, values[0], error);
    case OPTION_COMPARE: o->compare = values[0]; return SV_OK;
    case OPTION_BACKEND: o->backend = values[0]; return SV_OK;
    case OPTION_DEVICE: return parse_device(o, values[0], error);
    case OPTION_THREADS:
        if (!parse_count(values[0], strlen(values[0]), &count) || count < 1 || count > SV_MAX_THREADS)
            return sv_fail(error, SV_USAGE, "--threads takes a number from 1 to %d, not '%s'", SV_MAX_THREADS,
                           values[0]);
        o->threads = (int)count;
        return SV_OK;
    case OPTION_SETTINGS: o->settings = values[0]; return SV_OK;
    case OPTION_KEYS:
        if (!o->of_window) o->of_window = "--keys";
        o->keys_file = values[0];
        return SV_OK;
    case OPTION_SNAPSHOTS: o->snapshots = values[0]; return SV_OK;
    case OPTION_HEADLESS: o->headless = true; return SV_OK;
    case OPTION_FRAMES: return parse_frames(o, values[0], error);
    case OPTION_LOOP: o->frames.loop = true; return SV_OK;
    case OPTION_DAMAGED:
        o->frames.skip_damaged = !strcmp(values[0], "skip");
        if (!o->frames.skip_damaged && strcmp(values[0], "keep"))
            return sv_fail(error, SV_USAGE, "--damaged takes keep or skip, not '%s'", values[0]);
        return SV_OK;
    case OPTION_RECORD: o->record = values[0]; return SV_OK;
    case OPTION_OUTPUT:
        if (o->output_count == OPTIONS_MAX_OUTPUTS)
            return sv_fail(error, SV_USAGE, "there are more than %d outputs (-o)", OPTIONS_MAX_OUTPUTS);
        o->outputs[o->output_count++] = values[0];
        return board_print_takes(values[0]) ? SV_OK : export_check(values[0], error);
    case OPTION_LIST: o->list = values[0]; return SV_OK;
    case OPTION_SHARD: return share_parse(&o->share, values[0], error);
    case OPTION_RESUME: o->resume = true; return SV_OK;
    case OPTION_TRUTH: o->truth = values[0]; return file_check_pattern(values[0], error);
    case OPTION_TRUTH_SCALE:
        if (!parse_number(values[0], 0.001, 65535, &o->truth_scale))
            return sv_fail(error, SV_USAGE, "--truth-scale takes grey levels per pixel, 0.001 to 65535, not '%s'",
                           values[0]);
        return SV_OK;
    case OPTION_STATS: o->stats = values[0]; return SV_OK;
    case OPTION_BENCHMARK: o->benchmark = true; return SV_OK;
    case OPTION_DRAW_RATE:
        o->of_window = "--draw-rate";
        if (parse_number(values[0], 1, 10000, &o->draw_rate)) return SV_OK;
        return sv_fail(error, SV_USAGE, "--draw-rate takes a number from 1 to 10000, not '%s'", values[0]);
    case OPTION_VIEW:
        if (!o->of_window) o->of_window = "--view";
        return parse_views(o, values[0], error);
    case OPTION_VERBOSE: o->log_level = SV_LOG_DEBUG; return SV_OK;
    case OPTION_QUIET: o->log_level = SV_LOG_ERROR; return SV_OK;
    case OPTION_VERSION: o->version = true; return SV_OK;
    case OPTION_HELP: o->help = true; return SV_OK;
    case OPTION_COUNT: break;
    }
    return SV_OK;
}
