/* The table of options, and the words that some take as values. */
#include "app/options/option_table.h"

#include "app/options/rig_options.h"
#include "capture/split.h"
#include "rig/board.h"
#include "rig/board_print.h"
#include "stereo/quality.h"

#include <stdio.h>
#include <string.h>

const option option_table[] = {
    {'f', "files", OPTION_FILES, 2, "LEFT RIGHT",
     "two videos, pictures, sequences (left_%06d.png, 'left_*.png'), folders of pictures or URLs"},
    {'s', "side-by-side", OPTION_SIDE_BY_SIDE, 1, "SOURCE",
     "both pictures in one file, URL or camera (/dev/video0); or a folder with a subfolder for each side"},
    {0, "layout", OPTION_LAYOUT, 1, "NAME",
     "with -s, or -c with one camera: how one picture holds both views: auto (default, found in the pictures), sbs, "
     "top-bottom; squeezed: sbs-half, top-bottom-half"},
    {0, "swap", OPTION_SWAP, 0, "[off]",
     "swap left and right; a calibration and --truth apply to the swapped pictures; off: never (default: swap if the "
     "pictures show that the right one comes first)"},
    {0, "demo", OPTION_DEMO, 0, "", "the built-in pair of videos"},
    {'c', "camera", OPTION_CAMERA, 1, "LEFT [RIGHT]",
     "two cameras (/dev/video0 /dev/video2), or one that sends both pictures"},
    {0, "size", OPTION_SIZE, 1, "WxH", "cameras: picture size of each, pixels (default: the camera's current one)"},
    {0, "rate", OPTION_RATE, 1, "FPS", "cameras: frames per second (default: the camera's current rate)"},
    {0, "pixel-format", OPTION_PIXEL_FORMAT, 1, "NAME", "cameras: yuyv422, mjpeg, h264, grey, ... (default: any)"},
    {0, "offset", OPTION_OFFSET, 1, "N|Xms",
     "with -f: pair left frame n with right frame n + N, or the one X ms later (default: by time stamps)"},
    {0, "timeout", OPTION_TIMEOUT, 1, "S",
     "URLs: seconds without an answer until the source counts as failed (default 5)"},
    {0, "tolerance", OPTION_TOLERANCE, 1, "MS", "live: largest time difference within a pair (default: half a frame)"},
    {0, "control", OPTION_CONTROL, 1, "NAME=VALUE",
     "cameras: set a control of both, or of one: left:gain=20; equal: lock exposure, gain, white balance and focus of "
     "both at the values of the left one"},
    {0, "list-cameras", OPTION_LIST_CAMERAS, 0, "", "print the cameras, their formats, sizes, rates and controls"},
    {0, "synthetic", OPTION_SYNTHETIC, 1, "WxH",
     "the built-in scene, rendered at that size; with --benchmark, from memory"},
    {0, "calibration", OPTION_CALIBRATION, 1, "FILE[,FILE]",
     "calibration of the cameras, to rectify the pictures and compute depth"},
    {0, "unit", OPTION_UNIT, 1, "NAME",
     "with --calibration: the unit of an OpenCV file that names none: mm, cm, m or in"},
    {0, "rectify-alpha", OPTION_RECTIFY_ALPHA, 1, "X",
     "0: no black borders; 1: all that the cameras saw (default: the file's value, otherwise 0)"},
    {0, "rows", OPTION_ROWS, 1, "auto|off|C0,...,C5",
     "auto (default): measure how far the right picture's rows are off, to a tenth of a pixel, and correct them where "
     "that helps; off: leave them; or the six terms of a correction, as in --stats and snapshots"},
    {0, "calibrate", OPTION_CALIBRATE, 1, "BOARD",
     "calibrate the cameras with pictures of a board: 9x6:25mm (inner corners), charuco:8x5:30mm, aprilgrid:6x6:88mm"},
    {0, "lens", OPTION_LENS, 1, "NAME", "with --calibrate, the lens model: 5 (default) or 8 coefficients, or fisheye"},
    {0, "board", OPTION_BOARD, 1, "BOARD", "write a board to print at its true size, with -o board.pdf"},
    {0, "paper", OPTION_PAPER, 1, "NAME", "with --board: a4 (default) or letter"},
    {0, "align", OPTION_ALIGN, 0, "[lens]",
     "align the cameras without a board, by what both see, during playback; with --headless, before matching; lens: "
     "also estimate a radial coefficient of each lens"},
    {0, "fov", OPTION_FOV, 1, "DEGREES",
     "with --align: the cameras' horizontal field of view (default: from the focal length in the files' tags, or 70)"},
    {0, "baseline", OPTION_BASELINE, 1, "LENGTH",
     "with --align: distance between the cameras, such as 120mm, for depth in metres"},
    {0, "save-calibration", OPTION_SAVE_CALIBRATION, 1, "FILE[,FILE]",
     "write the calibration: one file in OpenCV's format, or ROS camera_info of the left and the right camera"},
    {'m', "method", OPTION_METHOD, 1, "NAME", "the matching method, one of those below (default sgm)"},
    {0, "quality", OPTION_QUALITY, 1, "NAME",
     "a method with its parameters, by name: fast, balanced or best, see below, or one that you saved in the window; "
     "other options override it"},
    {'d', "disparities", OPTION_DISPARITIES, 1, "MIN:MAX|auto",
     "disparities to search, inclusive, pixels; auto (default, except with --benchmark): found in the pictures"},
    {0, "compare", OPTION_COMPARE, 1, "SET",
     "also match each pair with a second set of parameters: a method, a quality or a model, values, or both (zncc; "
     "best; net.onnx; ncc,rho=3; rho=5)"},
    {0, "backend", OPTION_BACKEND, 1, "NAME", "where to compute"},
    {0, "device", OPTION_DEVICE, 1, "N|all",
     "cuda: which GPU, counted from 0 (default: 0); all: each matches a part of the frames, with --headless"},
    {0, "decoder", OPTION_DECODER, 1, "NAME",
     "what decodes videos: cpu (default), or cuda: the GPU that matches, where it can; it misses most damage"},
    {0, "threads", OPTION_THREADS, 1, "N", "cpu: number of threads (default: one per core)"},
    {0, "settings", OPTION_SETTINGS, 1, "FILE",
     "read parameters that 'Settings' in the window saved; the file of a snapshot also names its source"},
    {0, "snapshots", OPTION_SNAPSHOTS, 1, "DIR", "the folder for the window's snapshots (default: the current one)"},
    {0, "keys", OPTION_KEYS, 1, "FILE",
     "change the window's keys by lines such as 'snapshot: F5' (default: ~/.config/stereoview/keys.yaml)"},
    {0, "view", OPTION_VIEW, 1, "NAME[,NAME...]",
     "what the window shows, in one to four views: disparity, 'left picture', cloud, ... (default: disparity,left "
     "picture)"},
    {0, "min-depth", OPTION_MIN_DEPTH, 1, "Z",
     "remove pixels nearer than Z, from views, files and scores; metres, or baselines without a "
     "calibration in metres"},
    {0, "max-depth", OPTION_MAX_DEPTH, 1, "Z", "the same for pixels farther away than Z"},
    {0, "headless", OPTION_HEADLESS, 0, "", "run without a window: match the frames, write the results, exit"},
    {0, "frames", OPTION_FRAMES, 1, "A:B", "only frames A to B - 1; either may be omitted"},
    {0, "damaged", OPTION_DAMAGED, 1, "WORD", "frames with a damaged picture: keep (default) their maps, or skip them"},
    {0, "loop", OPTION_LOOP, 0, "", "repeat from the beginning"},
    {0, "record", OPTION_RECORD, 1, "FILE.mkv",
     "record what cameras, live streams or (with --headless) videos send, one track per side; -s FILE.mkv plays it "
     "back"},
    {'o', "output", OPTION_OUTPUT, 1, "PATTERN",
     "with --headless, write each map: .pfm, .png (KITTI), .color.png; .confidence.png; depth: .depth.pfm, .depth.png; "
     "points: .ply; all maps in one video: .mkv (KITTI's values, lossless), .mp4 (colours)"},
    {0, "list", OPTION_LIST, 1, "FILE.tsv",
     "with --headless, match the pairs of a table: LEFT, RIGHT, OUTPUT and, optionally, CALIBRATION, separated by "
     "tabs"},
    {0, "shard", OPTION_SHARD, 1, "I/N",
     "with --headless, match only part I of N of the frames or the list, so that several machines share the work"},
    {0, "resume", OPTION_RESUME, 0, "",
     "with -o and numbered files: continue this run if it was interrupted, and make it resumable"},
    {0, "truth", OPTION_TRUTH, 1, "PATTERN", "score each map against ground truth (.pfm, KITTI .png)"},
    {0, "truth-scale", OPTION_TRUTH_SCALE, 1, "X",
     "the ground truth is PNG with X grey levels per pixel of disparity, 0 where unknown (Middlebury)"},
    {0, "stats", OPTION_STATS, 1, "FILE.json", "write stage times, rates, dropped frames and latency to this file"},
    {0, "benchmark", OPTION_BENCHMARK, 0, "",
     "ignore time stamps, run as fast as possible, and print a table of stage times"},
    {0, "draw-rate", OPTION_DRAW_RATE, 1, "N",
     "with --benchmark in a window: draw at most this many frames per second (default 20)"},
    {'v', "verbose", OPTION_VERBOSE, 0, "", "print more messages, including those of OpenGL"},
    {'q', "quiet", OPTION_QUIET, 0, "", "print errors only"},
    {0, "version", OPTION_VERSION, 0, "",
     "print the version, the backends that can run here, the methods and the libraries"},
    {'h', "help", OPTION_HELP, 0, "", "print this help"},
};
_Static_assert(sizeof option_table / sizeof *option_table == OPTION_COUNT, "option_table has a row for each option");

const option *option_find(const char *argument) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!strncmp(argument, "--", 2)
                ? !strcmp(argument + 2, option_table[i].name)
                : option_table[i].letter && argument[1] == option_table[i].letter && !argument[2])
            return &option_table[i];
    }
    return NULL;
}

static const char *const lens_words[] = {
    [BOARD_LENS_5] = "5", [BOARD_LENS_8] = "8", [BOARD_LENS_FISHEYE] = "fisheye", NULL};
static const char *const paper_words[] = {[PAPER_A4] = "a4", [PAPER_LETTER] = "letter", NULL};
static const char *const rows_words[] = {[ROWS_AUTO] = "auto", [ROWS_OFF] = "off", NULL};
static const char *const decoder_words[] = {"cpu", "cuda", NULL};
static const char *const damaged_words[] = {"keep", "skip", NULL};
static const char *const unit_words[] = {"mm", "cm", "m", "in", NULL};

const char *option_word(option_id id, int i) {
    switch (id) {
    case OPTION_LAYOUT: return i < SPLIT_LAYOUT_COUNT ? split_layout_name(i) : i == SPLIT_LAYOUT_COUNT ? "auto" : NULL;
    case OPTION_UNIT: return unit_words[i];
    case OPTION_LENS: return lens_words[i];
    case OPTION_PAPER: return paper_words[i];
    case OPTION_ROWS: return rows_words[i];
    case OPTION_METHOD: return i < SV_METHOD_COUNT ? sv_method_name(i) : NULL;
    case OPTION_QUALITY: return i < SV_QUALITY_COUNT ? sv_quality_name(i) : NULL;
    case OPTION_BACKEND: return !i ? "auto" : sv_backends[i - 1] ? sv_backends[i - 1]->name : NULL;
    case OPTION_DECODER: return decoder_words[i];
    case OPTION_DAMAGED: return damaged_words[i];
    default: return NULL;
    }
}

int option_word_of(option_id id, const char *text) {
    for (int i = 0; option_word(id, i); i++)
        if (!strcmp(text, option_word(id, i))) return i;
    return -1;
}

sv_status option_refuse_word(const option *option, const char *text, sv_error *error) {
    const option_id id = option->id;
    char words[128] = "";
    for (int i = 0; option_word(id, i); i++) {
        const char *between = !i ? "" : option_word(id, i + 1) ? ", " : " or ";
        const size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s%s", between, option_word(id, i));
    }
    return sv_fail(error, SV_USAGE, "--%s takes %s, not '%s'", option->name, words, text);
}
