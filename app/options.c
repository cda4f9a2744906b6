/* The command line: one table of options, and one option for every parameter of sv_parameters. */
#include "app/options.h"

#include "app/export.h"
#include "app/file.h"
#include "app/places.h"
#include "app/spelling.h"
#include "capture/network.h"
#include "capture/source.h"
#include "render/input.h"
#include "rig/length.h"
#include "stereo/quality.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum option_id {
    FILES,
    SIDE_BY_SIDE,
    LAYOUT,
    SWAP,
    DEMO,
    CAMERA,
    SIZE,
    RATE,
    PIXEL_FORMAT,
    OFFSET,
    PLAYLISTS,
    TIMEOUT,
    TOLERANCE,
    LIST_CAMERAS,
    SYNTHETIC,
    CALIBRATION,
    RECTIFY_ALPHA,
    CALIBRATE,
    LENS,
    BOARD,
    PAPER,
    ALIGN,
    FOV,
    BASELINE,
    SAVE_CALIBRATION,
    METHOD,
    QUALITY,
    DISPARITIES,
    BACKEND,
    THREADS,
    SETTINGS,
    SNAPSHOTS,
    VIEW,
    HEADLESS,
    FRAMES,
    LOOP,
    DAMAGED,
    RECORD,
    OUTPUT,
    RESUME,
    TRUTH,
    TRUTH_SCALE,
    STATS,
    BENCHMARK,
    DRAW_RATE,
    VERBOSE,
    QUIET,
    VERSION,
    HELP
};

typedef struct option {
    char letter; /* 0: none */
    const char *name;
    enum option_id id;
    int values;
    const char *value_names;
    const char *help;
} option;

static const option table[] = {
    {'f', "files", FILES, 2, "LEFT RIGHT",
     "two videos, pictures, sequences (left_%06d.png, 'left_*.png'), folders of pictures or URLs"},
    {'s', "side-by-side", SIDE_BY_SIDE, 1, "SOURCE",
     "both pictures in one file, URL or camera (/dev/video0); or a folder that has a folder for each side"},
    {0, "layout", LAYOUT, 1, "NAME",
     "with -s, or -c with one camera: sbs (default), top-bottom; squeezed: sbs-half, top-bottom-half"},
    {0, "swap", SWAP, 0, "", "the right picture comes first: swap left and right"},
    {0, "demo", DEMO, 0, "", "the built-in pair of videos"},
    {'c', "camera", CAMERA, 1, "LEFT [RIGHT]",
     "two cameras (/dev/video0 /dev/video2), or one that sends both pictures"},
    {0, "size", SIZE, 1, "WxH", "cameras: picture size of each, pixels (default: as the camera is set)"},
    {0, "rate", RATE, 1, "FPS", "cameras: frames per second (default: as the camera is set)"},
    {0, "pixel-format", PIXEL_FORMAT, 1, "NAME", "cameras: yuyv422, mjpeg, h264, grey, ... (default: any)"},
    {0, "offset", OFFSET, 1, "N|Xms",
     "with -f: pair left frame n with right frame n + N, or the one X ms later (default: by time stamps)"},
    {0, "playlists", PLAYLISTS, 0, "",
     "also open files that refer to other files (HLS, DASH, ffconcat), but not to URLs"},
    {0, "timeout", TIMEOUT, 1, "S", "URLs: seconds without an answer until the source counts as failed (default 5)"},
    {0, "tolerance", TOLERANCE, 1, "MS", "live: largest time difference within a pair (default: half a frame)"},
    {0, "list-cameras", LIST_CAMERAS, 0, "", "print the cameras, their formats, sizes and rates"},
    {0, "synthetic", SYNTHETIC, 1, "WIDTHxHEIGHT",
     "the built-in scene rendered in that size; with --benchmark, from memory"},
    {0, "calibration", CALIBRATION, 1, "FILE[,FILE]",
     "calibration of the cameras: to rectify the pictures and compute depth"},
    {0, "rectify-alpha", RECTIFY_ALPHA, 1, "X",
     "0: no black borders, 1: everything that the cameras saw (default: as the file says, otherwise 0)"},
    {0, "calibrate", CALIBRATE, 1, "BOARD",
     "calibrate the cameras with pictures of a board: 9x6:25mm (inner corners), charuco:8x5:30mm, aprilgrid:6x6:88mm"},
    {0, "lens", LENS, 1, "NAME", "with --calibrate, the coefficients of a lens: 5 (default), 8 or fisheye"},
    {0, "board", BOARD, 1, "BOARD", "write a board to print at its true size, with -o board.pdf or -o board.svg"},
    {0, "paper", PAPER, 1, "NAME", "with --board: a4 (default) or letter"},
    {0, "align", ALIGN, 0, "[lens]",
     "estimate the rotation of the cameras without a board, from what both see; lens: also a radial coefficient of "
     "each "
     "lens"},
    {0, "fov", FOV, 1, "DEGREES", "with --align: the cameras' horizontal field of view (default 70)"},
    {0, "baseline", BASELINE, 1, "LENGTH",
     "with --align and --fov: distance between the cameras, such as 120mm, for depth in metres"},
    {0, "save-calibration", SAVE_CALIBRATION, 1, "FILE[,FILE]",
     "write what was found: one file in OpenCV's format, or ROS camera_info of the left and the right camera"},
    {'m', "method", METHOD, 1, "NAME", "the matching method, one of those below (default sgm)"},
    {0, "quality", QUALITY, 1, "NAME",
     "a preset of method and parameters: fast, balanced or best, see below; other options override it"},
    {'d', "disparities", DISPARITIES, 1, "MIN:MAX",
     "disparities that are searched, inclusive, pixels (default 0:63; zncc 0:64)"},
    {0, "backend", BACKEND, 1, "NAME", "where to compute"},
    {0, "threads", THREADS, 1, "N", "cpu: number of threads (default: one per core)"},
    {0, "settings", SETTINGS, 1, "FILE",
     "read parameters from this file; 'Save settings' in the window writes it; a snapshot's file names its source too"},
    {0, "snapshots", SNAPSHOTS, 1, "DIR", "where the window writes snapshots (s); default: the current folder"},
    {0, "view", VIEW, 1, "NAME[,NAME...]",
     "what the window shows, in one to four views: disparity, 'left picture', cloud, ... (default: disparity,left "
     "picture)"},
    {0, "headless", HEADLESS, 0, "", "run without a window: match the frames, write the results, exit"},
    {0, "frames", FRAMES, 1, "A:B", "only frames A to B - 1; either may be omitted"},
    {0, "damaged", DAMAGED, 1, "WORD", "frames with a damaged picture: keep their maps (default) or skip them"},
    {0, "loop", LOOP, 0, "", "play again from the beginning at the end"},
    {0, "record", RECORD, 1, "FILE.mkv",
     "write what cameras, live streams or (with --headless) videos send, a track for each side; -s FILE.mkv plays it "
     "back"},
    {'o', "output", OUTPUT, 1, "PATTERN",
     "with --headless, write each map: .pfm, .png (KITTI), .color.png; depth: .depth.pfm, .depth.png; points: .ply; "
     "all maps in one video: .mkv (KITTI's values, lossless), .mp4 (colours)"},
    {0, "resume", RESUME, 0, "",
     "with -o and numbered files: make the run resumable, and resume it if it was interrupted"},
    {0, "truth", TRUTH, 1, "PATTERN", "score each map against ground truth (.pfm, KITTI .png)"},
    {0, "truth-scale", TRUTH_SCALE, 1, "X",
     "the ground truth is PNG with X grey levels per pixel of disparity, 0 where unknown (Middlebury)"},
    {0, "stats", STATS, 1, "FILE.json", "write stage times, rates, dropped frames and latency"},
    {0, "benchmark", BENCHMARK, 0, "", "ignore time stamps, run as fast as possible, and print a table of stage times"},
    {0, "draw-rate", DRAW_RATE, 1, "N",
     "with --benchmark in a window: how often a second it draws at most (default 20)"},
    {'v', "verbose", VERBOSE, 0, "", "print more messages, including those of OpenGL"},
    {'q', "quiet", QUIET, 0, "", "print errors only"},
    {0, "version", VERSION, 0, "", "print the version"},
    {'h', "help", HELP, 0, "", "print this help"},
};
enum { OPTION_COUNT = sizeof table / sizeof *table };

static const option *find_option(const char *argument) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!strncmp(argument, "--", 2) ? !strcmp(argument + 2, table[i].name)
                                        : table[i].letter && argument[1] == table[i].letter && !argument[2])
            return &table[i];
    }
    return NULL;
}

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
    return (named){.option = name[0] == '-' ? find_option(name) : NULL,
                   .parameter = !strncmp(name, "--", 2) ? sv_find_parameter(name + 2) : NULL,
                   .attached = argument[length] ? argument + length + 1 : NULL};
}

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
        return sv_fail(error, SV_USAGE, "--%s takes WIDTHxHEIGHT in pixels, such as 640x480, not '%s'", option, text);
    *width = (int)w;
    *height = (int)h;
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

static sv_status parse_method(sv_params *params, const char *text, sv_error *error) {
    const int method = sv_method_of(text);
    if (method < 0) {
        char names[64] = "";
        for (int i = 0; i < SV_METHOD_COUNT; i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "", sv_method_name(i));
        return sv_fail(error, SV_USAGE, "there is no method '%s'; there are %s", text, names);
    }
    /* The parameters of a quality with this method stay. */
    if (params->method != method) *params = sv_with_method(*params, (sv_method)method);
    return SV_OK;
}

static sv_status parse_quality(sv_params *params, const char *text, sv_error *error) {
    const int quality = sv_quality_of(text);
    if (quality < 0) return sv_fail(error, SV_USAGE, "there is no quality '%s'; there are fast, balanced, best", text);
    sv_set_quality(params, quality);
    return SV_OK;
}

/* True if `text` is a number from `min` to `max`. */
static bool parse_number(const char *text, double min, double max, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && *value >= min && *value <= max;
}

/* How many of the `left` arguments after an option are its values. -c takes a second camera if one is named, and
 * --align "lens". */
static int count_values(const option *option, int left, char **values) {
    if (option->id == ALIGN) return left > 0 && !strcmp(values[0], "lens");
    return option->id == CAMERA && left > 1 && values[1][0] != '-' ? 2 : option->values;
}

/* True if a value is missing: the arguments end, or the next option is in its place. */
static bool lacks_values(int values, int left, char **given) {
    for (int i = 0; i < values; i++)
        if (i >= left || !strncmp(given[i], "--", 2) || (given[i][0] == '-' && find_option(given[i]))) return true;
    return false;
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

static sv_status refuse_space(sv_error *error) {
    return sv_fail(error, SV_USAGE,
                   "--calibration takes two files with a comma and no space between them: --calibration LEFT,RIGHT");
}

static bool ends_in_comma(const char *text) { return *text && text[strlen(text) - 1] == ','; }

static sv_status apply(options *o, const option *option, char **values, int value_count, sv_error *error) {
    int64_t count;
    double number;
    switch (option->id) {
    case FILES:
        o->left = values[0];
        o->right = values[1];
        return SV_OK;
    case SIDE_BY_SIDE:
        if (!strncmp(values[0], "/dev/", 5)) return parse_cameras(o, values, 1, error);
        o->whole = values[0];
        return SV_OK;
    case LAYOUT:
        o->split.layout = split_layout_of(values[0]);
        o->splits = true;
        if ((int)o->split.layout < 0)
            return sv_fail(error, SV_USAGE,
                           "there is no layout '%s'; there are sbs, sbs-half, top-bottom, top-bottom-half", values[0]);
        return SV_OK;
    case SWAP: o->split.swap = true; return SV_OK;
    case DEMO: o->demo = true; return SV_OK;
    case CAMERA: return parse_cameras(o, values, value_count, error);
    case SIZE: return parse_size(option->name, values[0], &o->camera.width, &o->camera.height, error);
    case RATE:
        if (!parse_number(values[0], 0.01, 1000, &o->camera.rate))
            return sv_fail(error, SV_USAGE, "--rate takes frames per second, 0.01 to 1000, not '%s'", values[0]);
        return SV_OK;
    case PIXEL_FORMAT: o->camera.pixel_format = values[0]; return SV_OK;
    case OFFSET: return parse_offset(o, values[0], error);
    case PLAYLISTS: o->playlists = true; return SV_OK;
    case TIMEOUT:
        if (!parse_number(values[0], 0.1, 3600, &o->timeout))
            return sv_fail(error, SV_USAGE, "--timeout takes seconds, 0.1 to 3600, not '%s'", values[0]);
        return SV_OK;
    case TOLERANCE:
        if (!parse_number(values[0], 0.001, 10000, &number))
            return sv_fail(error, SV_USAGE, "--tolerance takes milliseconds, 0.001 to 10000, not '%s'", values[0]);
        o->tolerance = 1e-3 * number;
        return SV_OK;
    case LIST_CAMERAS: o->list_cameras = true; return SV_OK;
    case SYNTHETIC: return parse_size(option->name, values[0], &o->synthetic_width, &o->synthetic_height, error);
    case CALIBRATION:
        o->calibration = values[0];
        return strstr(values[0], ", ") && access(values[0], F_OK) ? refuse_space(error) : SV_OK;
    case RECTIFY_ALPHA:
        if (!parse_number(values[0], 0, 1, &o->rectify_alpha))
            return sv_fail(error, SV_USAGE, "--rectify-alpha takes a number from 0 to 1, not '%s'", values[0]);
        return SV_OK;
    case CALIBRATE: o->calibrate = values[0]; return board_parse(values[0], &o->board, error);
    case ALIGN:
        o->align = true;
        o->align_lens = value_count > 0;
        return SV_OK;
    case FOV:
        if (!parse_number(values[0], 5, 170, &o->fov))
            return sv_fail(error, SV_USAGE, "--fov takes degrees, 5 to 170, not '%s'", values[0]);
        return SV_OK;
    case BASELINE:
        if (!length_parse(values[0], strlen(values[0]), &o->baseline))
            return sv_fail(error, SV_USAGE, "--baseline takes a length with its unit, such as 120mm, not '%s'",
                           values[0]);
        return SV_OK;
    case BOARD: o->print = values[0]; return board_parse(values[0], &o->board, error);
    case PAPER:
        o->paper = !strcmp(values[0], "letter") ? PAPER_LETTER : PAPER_A4;
        if (o->paper == PAPER_A4 && strcmp(values[0], "a4"))
            return sv_fail(error, SV_USAGE, "--paper takes a4 or letter, not '%s'", values[0]);
        return SV_OK;
    case LENS: return parse_lens(o, values[0], error);
    case SAVE_CALIBRATION:
        if (o->save_count == OPTIONS_MAX_SAVED)
            return sv_fail(error, SV_USAGE, "--save-calibration is given more than %d times", OPTIONS_MAX_SAVED);
        o->save_calibration[o->save_count++] = values[0];
        return SV_OK;
    case METHOD: return parse_method(&o->params, values[0], error);
    case QUALITY: return parse_quality(&o->params, values[0], error);
    case DISPARITIES: return sv_parse_disparities(&o->params, values[0], error);
    case BACKEND: o->backend = values[0]; return SV_OK;
    case THREADS:
        if (!parse_count(values[0], strlen(values[0]), &count) || count < 1 || count > 1024)
            return sv_fail(error, SV_USAGE, "--threads takes a number from 1 to 1024, not '%s'", values[0]);
        o->threads = (int)count;
        return SV_OK;
    case SETTINGS: o->settings = values[0]; return SV_OK;
    case SNAPSHOTS: o->snapshots = values[0]; return SV_OK;
    case HEADLESS: o->headless = true; return SV_OK;
    case FRAMES: return parse_frames(o, values[0], error);
    case LOOP: o->frames.loop = true; return SV_OK;
    case DAMAGED:
        o->frames.skip_damaged = !strcmp(values[0], "skip");
        if (!o->frames.skip_damaged && strcmp(values[0], "keep"))
            return sv_fail(error, SV_USAGE, "--damaged takes keep or skip, not '%s'", values[0]);
        return SV_OK;
    case RECORD: o->record = values[0]; return SV_OK;
    case OUTPUT:
        if (o->output_count == OPTIONS_MAX_OUTPUTS)
            return sv_fail(error, SV_USAGE, "there are more than %d outputs (-o)", OPTIONS_MAX_OUTPUTS);
        o->outputs[o->output_count++] = values[0];
        return board_print_takes(values[0]) ? SV_OK : export_check(values[0], error);
    case RESUME: o->resume = true; return SV_OK;
    case TRUTH: o->truth = values[0]; return file_check_pattern(values[0], error);
    case TRUTH_SCALE:
        if (!parse_number(values[0], 0.001, 65535, &o->truth_scale))
            return sv_fail(error, SV_USAGE, "--truth-scale takes grey levels per pixel, 0.001 to 65535, not '%s'",
                           values[0]);
        return SV_OK;
    case STATS: o->stats = values[0]; return SV_OK;
    case BENCHMARK: o->benchmark = true; return SV_OK;
    case DRAW_RATE:
        o->of_window = "--draw-rate";
        if (parse_number(values[0], 1, 10000, &o->draw_rate)) return SV_OK;
        return sv_fail(error, SV_USAGE, "--draw-rate takes a number from 1 to 10000, not '%s'", values[0]);
    case VIEW:
        if (!o->of_window) o->of_window = "--view";
        return parse_views(o, values[0], error);
    case VERBOSE: o->log_level = SV_LOG_DEBUG; return SV_OK;
    case QUIET: o->log_level = SV_LOG_ERROR; return SV_OK;
    case VERSION: o->version = true; return SV_OK;
    case HELP: o->help = true; return SV_OK;
    }
    return SV_OK;
}

/* ---- Unknown options -------------------------------------------------------------------------- */

/* The option or parameter that was probably meant by `typed` (without dashes), NULL if there is none. */
static const char *nearest(const char *typed) {
    const char *best = NULL;
    int least = INT_MAX;
    for (int i = 0; i < OPTION_COUNT + sv_parameter_count; i++) {
        const char *name = i < OPTION_COUNT ? table[i].name : sv_parameters[i - OPTION_COUNT].name;
        const int wrong = spelling_unlikeness(typed, name);
        if (wrong < least) {
            least = wrong;
            best = name;
        }
    }
    return best;
}

/* Notes argv[i], which belongs to no option, as the name of a source. */
static sv_status add_name(options *o, char **argv, int i, sv_error *error) {
    if (i > 2 && !strcmp(argv[i - 2], "--calibration") && (argv[i][0] == ',' || ends_in_comma(argv[i - 1])))
        return refuse_space(error);
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
    if (o->left || o->whole || o->cameras[0])
        return sv_fail(error, SV_USAGE, "'%s' does not belong to an option, and -%c names what to open already",
                       o->names[0],
                       o->left    ? 'f'
                       : o->whole ? 's'
                                  : 'c');
    return apply(o, find_option(o->name_count == 1 ? "-s" : "-f"), o->names, o->name_count, error);
}

/* Refuses argv[i], which is no option. */
static sv_status refuse(char **argv, int i, sv_error *error) {
    const char *argument = argv[i];
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argument, "="), argument);
    const char *meant = nearest(name + strspn(name, "-"));
    if (meant) return sv_fail(error, SV_USAGE, "there is no option %s; did you mean --%s?", name, meant);
    return sv_fail(error, SV_USAGE, "there is no option %s; --help lists them", name);
}

/* ---- Reading the command line ------------------------------------------------------------------ */

/* The passes: the settings file, then the quality, then the method, because it decides the defaults of the others, then
 * all the rest. */
enum pass { FIND_SETTINGS, FIND_QUALITY, FIND_METHOD, ALL_THE_REST };

static sv_status read_pass(options *o, enum pass pass, int argc, char **argv, sv_error *error) {
    for (int i = 1; i < argc; i++) {
        named of = look_up(argv[i]);
        const option *option = of.option;
        const sv_parameter *parameter = of.parameter;
        char **given = of.attached ? &of.attached : argv + i + 1;
        const int left = of.attached ? *of.attached != 0 : argc - i - 1;
        if (!option && !parameter) {
            if (argv[i][0] == '-') return refuse(argv, i, error);
            if (pass == ALL_THE_REST && add_name(o, argv, i, error) != SV_OK) return SV_USAGE;
            continue;
        }
        const int values = option ? count_values(option, left, given) : 1;
        if (of.attached && values != 1)
            return sv_fail(error, SV_USAGE, "--%s takes %s%s, not '%s'", option->name,
                           values ? "its values as separate arguments: " : "no value", option->value_names, argv[i]);
        if (!of.attached ? lacks_values(values, left, given) : left < 1) {
            if (parameter) return sv_fail(error, SV_USAGE, "%s needs a value: %s", argv[i], parameter->help);
            return sv_fail(error, SV_USAGE, "%s needs %s: %s", argv[i], option->value_names, option->help);
        }
        sv_status status = SV_OK;
        if (parameter) {
            if (pass == ALL_THE_REST) status = sv_parse(&o->params, parameter, given[0], error);
            o->given |= 1u << (parameter - sv_parameters);
        } else {
            const enum pass turn = option->id == SETTINGS || option->id == HEADLESS ? FIND_SETTINGS
                                   : option->id == QUALITY                          ? FIND_QUALITY
                                   : option->id == METHOD                           ? FIND_METHOD
                                                                                    : ALL_THE_REST;
            if (pass == turn) status = apply(o, option, given, values, error);
        }
        if (status != SV_OK) return status;
        i += of.attached ? 0 : values;
    }
    return SV_OK;
}

bool options_have_source(const options *o) {
    return o->left || o->whole || o->cameras[0] || o->demo || o->synthetic_width > 0;
}

/* The same before the names without an option have been taken as sources. */
static bool names_source(const options *o) { return o->name_count || options_have_source(o); }

/* Applies what the settings file says of the source, unless the command line names one itself. */
static sv_status take_source(options *o, int argc, char **argv, sv_error *error) {
    options asked = *o;
    settings_source *source = &o->in_settings;
    /* Mistakes are told of when the command line is read in earnest. */
    if (read_pass(&asked, ALL_THE_REST, argc, argv, NULL) == SV_OK && names_source(&asked)) return SV_OK;
    for (int i = 0; i < source->count; i++) {
        const char *key = source->entries[i].key;
        char argument[64], *values[] = {source->entries[i].value, NULL};
        sv_error why;
        if (!strcmp(key, "version") || !strcmp(key, "right")) continue;
        const char *name = !strcmp(key, "left") ? "files" : !strcmp(key, "stream-layout") ? "layout" : key;
        snprintf(argument, sizeof argument, "--%s", name);
        const option *option = find_option(argument);
        if (option->values == 2) values[1] = (char *)settings_source_value(source, "right");
        sv_status status = option->values == 2 && !values[1] ? sv_fail(&why, SV_USAGE, "left needs right")
                           : !option->values && strcmp(values[0], "on")
                               ? sv_fail(&why, SV_USAGE, "%s takes on, not '%s'", key, values[0])
                               : apply(o, option, values, option->values, &why);
        if (status != SV_OK)
            return sv_fail(error, SV_FAILED, "%s, line %d: %s", o->settings, source->entries[i].line, why.text);
    }
    return SV_OK;
}

sv_status options_refuse_nothing(sv_error *error) {
    return sv_fail(error, SV_USAGE,
                   "nothing to show: name two files or folders (LEFT RIGHT), one with both pictures (-s FILE), cameras "
                   "(-c LEFT RIGHT) or --demo");
}

static sv_status check_resume(const options *o, sv_error *error) {
    if (!o->resume) return SV_OK;
    bool numbered = o->output_count > 0;
    for (int i = 0; i < o->output_count; i++) numbered = numbered && file_is_numbered(o->outputs[i]);
    if (!numbered) return sv_fail(error, SV_USAGE, "--resume is for numbered files, such as -o map_%%06d.png");
    if (o->cameras[0]) return sv_fail(error, SV_USAGE, "--resume is for files: cameras do not send a picture again");
    if (o->truth || o->benchmark)
        return sv_fail(error, SV_USAGE, "--resume leaves frames out, so %s would not count them",
                       o->truth ? "--truth" : "--benchmark");
    return SV_OK;
}

bool options_have_tracks(const options *o) {
    const char *name = o->whole ? o->whole : o->left && o->right && !strcmp(o->left, o->right) ? o->left : NULL;
    return name && !access(name, F_OK) && !(o->whole && o->splits && o->split.layout) && source_is_pair(name);
}

bool options_have_two_streams(const options *o) {
    return o->cameras[0] ? o->cameras[1] != NULL : options_have_two_files(o);
}

bool options_have_two_files(const options *o) {
    char left[4096], right[4096];
    return o->left || o->demo || options_have_tracks(o) ||
           (o->whole && places_find_sides(o->whole, left, right, sizeof left));
}

/* --board does nothing else. */
static sv_status check_print(const options *o, int sources, sv_error *error) {
    if (o->output_count != 1 || !board_print_takes(o->outputs[0]))
        return sv_fail(error, SV_USAGE, "--board needs one file to print to: -o board.pdf or -o board.svg");
    if (sources || o->calibrate || o->align || o->calibration || o->save_count)
        return sv_fail(error, SV_USAGE, "--board prints a board and goes with -o and --paper only");
    return SV_OK;
}

static sv_status check_together(const options *o, sv_error *error) {
    if (o->help || o->version || o->list_cameras) return SV_OK;
    const int sources =
        (o->left != NULL) + (o->whole != NULL) + (o->cameras[0] != NULL) + o->demo + (o->synthetic_width > 0);
    if (o->print) return check_print(o, sources, error);
    for (int i = 0; i < o->output_count; i++)
        if (board_print_takes(o->outputs[i]))
            return sv_fail(error, SV_USAGE, "'%s' is for a printed board, which --board names", o->outputs[i]);
    if (!sources && (o->headless || o->benchmark || o->calibrate || o->align)) return options_refuse_nothing(error);
    if (sources > 1) return sv_fail(error, SV_USAGE, "-f, -s, -c, --demo and --synthetic exclude each other");
    if (!o->cameras[0] && (o->camera.width || o->camera.rate > 0 || o->camera.pixel_format))
        return sv_fail(error, SV_USAGE, "--size, --rate and --pixel-format are for cameras (-c)");
    if (o->splits && !o->whole && (!o->cameras[0] || o->cameras[1]))
        return sv_fail(error, SV_USAGE, "--layout is for both pictures in one stream (-s, or -c with one camera)");
    if (o->moves && (o->cameras[0] || (o->whole && !options_have_two_files(o))))
        return sv_fail(error, SV_USAGE, "--offset is for two files (-f): the pictures of %s are simultaneous",
                       o->whole ? "one stream" : "cameras");
    if (!o->calibration && o->rectify_alpha >= 0)
        return sv_fail(error, SV_USAGE, "--rectify-alpha needs --calibration");
    for (int i = 0; i < o->output_count && !o->calibration; i++)
        if (export_is_depth(o->outputs[i]))
            return sv_fail(error, SV_USAGE, "'%s' is for depth in metres, which needs --calibration", o->outputs[i]);
    if (!o->headless && o->output_count) return sv_fail(error, SV_USAGE, "-o needs --headless");
    if (o->align && o->calibrate) return sv_fail(error, SV_USAGE, "--align and --calibrate exclude each other");
    if ((o->fov > 0 || o->baseline > 0) && !o->align)
        return sv_fail(error, SV_USAGE, "%s needs --align", o->fov > 0 ? "--fov" : "--baseline");
    if (o->baseline > 0 && !(o->fov > 0))
        return sv_fail(error, SV_USAGE, "--baseline needs --fov too: depth in metres follows from both");
    if ((o->calibrate || o->align) &&
        (o->output_count || o->truth || o->stats || o->calibration || o->benchmark || o->frames.loop))
        return sv_fail(
            error, SV_USAGE,
            "--calibrate and --align match nothing: they go with --save-calibration, not with -o, --truth, --stats, "
            "--calibration, --benchmark or --loop");
    if (o->save_count && !o->calibrate && !o->align)
        return sv_fail(error, SV_USAGE,
                       "--save-calibration needs --calibrate or --align, which find what is to be saved");
    if (o->lens && !o->calibrate) return sv_fail(error, SV_USAGE, "--lens needs --calibrate");
    if (o->headless && o->of_window) return sv_fail(error, SV_USAGE, "%s is for the window", o->of_window);
    if (!o->benchmark && o->of_window && !strcmp(o->of_window, "--draw-rate"))
        return sv_fail(error, SV_USAGE, "--draw-rate needs --benchmark");
    if (o->record && !o->headless && !names_source(o))
        return sv_fail(error, SV_USAGE, "--record needs a source: cameras (-c) or live streams");
    if (o->truth_scale > 0 && !o->truth) return sv_fail(error, SV_USAGE, "--truth-scale needs --truth");
    if (o->headless && o->frames.loop)
        return sv_fail(error, SV_USAGE, "--loop is for the window; --headless would never end");
    if (check_resume(o, error) != SV_OK) return SV_USAGE;
    return sv_check_params(&o->params, error);
}

/* Checks that the output files can be written. */
static sv_status check_files(const options *o, sv_error *error) {
    char path[4096];
    if (o->help || o->version || o->list_cameras) return SV_OK;
    sv_status status = o->stats ? file_check_place(o->stats, error) : SV_OK;
    if (status == SV_OK && o->record) status = file_check_place(o->record, error);
    for (int i = 0; i < o->output_count && status == SV_OK; i++) {
        status = file_name(o->outputs[i], o->frames.first, path, sizeof path, error);
        if (status == SV_OK) status = file_check_place(path, error);
    }
    for (int i = 0; i < o->save_count && status == SV_OK; i++) {
        char names[2][PLACES_BYTES];
        const int count = places_of_calibration(o->save_calibration[i], names);
        for (int k = 0; k < count && status == SV_OK; k++) status = file_check_place(names[k], error);
        if (status == SV_OK && count == 2 && !strcmp(names[0], names[1]))
            return sv_fail(error, SV_USAGE, "--save-calibration %s names one file twice", o->save_calibration[i]);
    }
    return status;
}

/* True if the settings file does not exist yet; the window may create it. */
static bool settings_are_new(const options *o) { return o->settings && !o->headless && access(o->settings, F_OK); }

sv_status options_read(options *o, int argc, char **argv, sv_error *error) {
    *o = (options){
        .log_level = SV_LOG_INFO,
        .params = sv_default_params(SV_DEFAULT_METHOD),
        .view = view_default(),
        .backend = "auto",
        .frames.end = INT64_MAX,
        .rectify_alpha = -1,
        .timeout = 5,
        /* No screen holds a benchmark's drawing back, and to change from CUDA to OpenGL and back costs a busy GPU a
         * millisecond and a half: this is to stay below a twentieth of its time. */
        .draw_rate = 20,
    };
    o->view.layout = VIEW_OVER_UNDER;
    sv_status status = read_pass(o, FIND_SETTINGS, argc, argv, error);
    if (status == SV_OK && o->settings && !settings_are_new(o))
        status = settings_read(o->settings, &o->params, &o->view, &o->in_settings, error);
    if (status == SV_OK) status = take_source(o, argc, argv, error);
    if (status == SV_OK) status = read_pass(o, FIND_QUALITY, argc, argv, error);
    if (status == SV_OK) status = read_pass(o, FIND_METHOD, argc, argv, error);
    if (status == SV_OK) status = read_pass(o, ALL_THE_REST, argc, argv, error);
    if (status == SV_OK) status = take_names(o, error);
    if (status == SV_OK) status = check_together(o, error);
    if (status == SV_OK) status = check_files(o, error);
    if ((o->demo || o->synthetic_width) && !o->headless && !o->benchmark) o->frames.loop = true;
    return status;
}

void options_free(options *o) { settings_free_source(&o->in_settings); }

/* The methods that use a parameter: "ssd, zncc". */
static void list_methods(const sv_parameter *p, char *text, size_t size) {
    text[0] = 0;
    for (int m = 0; m < SV_METHOD_COUNT; m++)
        if (p->methods >> m & 1)
            snprintf(text + strlen(text), size - strlen(text), "%s%s", text[0] ? ", " : "", sv_method_name(m));
}

/* Names the parameters that the command line gives and the method does not use. */
static void remark_unused(const options *o) {
    const int method = o->params.method;
    char unused[256] = "";
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        if (!(o->given >> i & 1) || p->methods >> method & 1) continue;
        char methods[64];
        list_methods(p, methods, sizeof methods);
        snprintf(unused + strlen(unused), sizeof unused - strlen(unused), "%s--%s (of %s)", unused[0] ? ", " : "",
                 p->name, methods);
    }
    /* In the window, a key selects another method. */
    if (unused[0])
        sv_log(o->headless ? SV_LOG_WARNING : SV_LOG_INFO, "%s does not use %s", sv_method_name(method), unused);
}

void options_remark(const options *o) {
    if (settings_are_new(o))
        sv_log(SV_LOG_INFO, "there is no %s yet; 'Save settings' in the window will write it", o->settings);
    remark_unused(o);
}

/* The default of a parameter, followed by those of methods with a different one. */
static void describe_defaults(const sv_parameter *p, char *defaults, size_t size) {
    int first = -1;
    defaults[0] = 0;
    for (int m = 0; m < SV_METHOD_COUNT; m++) {
        const sv_params params = sv_default_params((sv_method)m);
        char value[32], *end = defaults + strlen(defaults);
        if (!(p->methods >> m & 1)) continue;
        sv_print(&params, p, value, sizeof value);
        if (first < 0)
            snprintf(defaults, size, "%s", value);
        else if (p->initial[m] != p->initial[first])
            snprintf(end, size - (size_t)(end - defaults), ", %s %s", sv_method_name(m), value);
        if (first < 0) first = m;
    }
}

/* Prints a name in a column of `width` characters, and beside it, or below a longer name, the text in lines of at most
 * 100 columns. */
static void print_entry(FILE *stream, int width, const char *name, const char *text) {
    enum { COLUMNS = 100 };
    const int indent = width + 2;
    int column = fprintf(stream, "  %-*s", width, name);
    if (column > indent) column = COLUMNS;
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column + 1 + length > COLUMNS) column = fprintf(stream, "\n%*s", indent, "") - 1;
        column += fprintf(stream, " %.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putc('\n', stream);
}

/* The keys of the window, in two columns that are read downwards. */
static void print_keys(FILE *stream) {
    const input_binding *shown[64];
    int count = 0;
    for (int i = 0; i < input_binding_count && count < 64; i++)
        if (input_bindings[i].help) shown[count++] = &input_bindings[i];
    const int rows = (count + 1) / 2;
    for (int i = 0; i < rows; i++) {
        const input_binding *other = i + rows < count ? shown[i + rows] : NULL;
        fprintf(stream, "  %-9s %-38s", shown[i]->label, shown[i]->help);
        if (other) fprintf(stream, " %-10s %s", other->label, other->help);
        putc('\n', stream);
    }
}

void options_print_help(FILE *stream) {
    char backends[64];
    fprintf(stream,
            "stereoview %s: disparity maps from stereo cameras, videos and pictures in real time\n\n"
            "  stereoview left.mp4 right.mp4        two videos (as with -f)\n"
            "  stereoview left/ right/              two folders of pictures\n"
            "  stereoview l_%%06d.png 'r_*.png'      two sequences of pictures\n"
            "  stereoview both.mkv                  one video with both pictures side by side (as with -s)\n"
            "  stereoview -c /dev/video0 /dev/video2  two cameras\n"
            "  stereoview --demo                    the built-in pair of videos\n"
            "  stereoview                           the window asks what to open\n\n"
            "Options, as --name VALUE or --name=VALUE:\n",
            STEREOVIEW_VERSION);
    for (int i = 0; i < OPTION_COUNT; i++) {
        char left[64], help[320];
        const char letter[] = {table[i].letter ? '-' : ' ', table[i].letter ? table[i].letter : ' ',
                               table[i].letter ? ',' : ' ', 0};
        snprintf(left, sizeof left, "%s --%s %s", letter, table[i].name, table[i].value_names);
        const bool names = table[i].id == BACKEND;
        snprintf(help, sizeof help, "%s%s%s", table[i].help, names ? ": auto (default), " : "",
                 names ? sv_name_backends(backends, sizeof backends) : "");
        print_entry(stream, 28, left, help);
    }
    fprintf(stream, "\nURLs, such as rtsp://host/path, can begin with: %s.\n", network_schemes());
    fprintf(stream,
            "\nCalibration files: OpenCV's YAML and XML, ROS camera_info (two files), Kalibr's camchain, EuRoC's\n"
            "sensor.yaml (two), KITTI, Middlebury and ETH3D's calib.txt, ZED's .conf.\n");
    fprintf(stream, "\nMethods:\n");
    for (int m = 0; m < SV_METHOD_COUNT; m++) {
        char help[320];
        snprintf(help, sizeof help, "%s (%s)", sv_methods[m].help, sv_methods[m].paper);
        print_entry(stream, 6, sv_methods[m].name, help);
    }
    fprintf(stream, "\nQualities (--quality):\n");
    for (int i = 0; i < SV_QUALITY_COUNT; i++) {
        const sv_quality *q = &sv_qualities[i];
        char help[320];
        snprintf(help, sizeof help, "%s: -m %s", q->help, sv_method_name(q->method));
        for (int k = 0; k < SV_QUALITY_SETTINGS && q->settings[k].parameter; k++)
            snprintf(help + strlen(help), sizeof help - strlen(help), " --%s %s", q->settings[k].parameter,
                     q->settings[k].value);
        print_entry(stream, 9, q->name, help);
    }
    fprintf(stream, "\nParameters, which the panel of the window can change while the program runs:\n");
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        char values[96], methods[64], defaults[64], left[64], help[512];
        sv_print_range(p, values, sizeof values);
        describe_defaults(p, defaults, sizeof defaults);
        list_methods(p, methods, sizeof methods);
        const bool of_all = p->methods == (1u << SV_METHOD_COUNT) - 1;
        snprintf(left, sizeof left, "--%s %s", p->name,
                 p->kind == SV_INTEGER ? "N"
                 : p->kind == SV_REAL  ? "X"
                                       : "WORD");
        snprintf(help, sizeof help, "%s%s%s%s%s: %s (default %s)", p->help, p->unit ? ", " : "", p->unit ? p->unit : "",
                 of_all ? "" : "; ", of_all ? "" : methods, values, defaults);
        print_entry(stream, 28, left, help);
    }
    fprintf(stream, "\nKeys of the window:\n");
    print_keys(stream);
    fprintf(stream,
            "\nExit status: 0 success, 1 the run failed, 2 the command line is wrong, 3 a device or display does\n"
            "not exist or the backend cannot run, 4 success except that some pictures were damaged; 128 + the\n"
            "number of a signal that ended a run without a window (Ctrl-C: 130).\n");
}
