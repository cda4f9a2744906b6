/* Finds options that contradict each other or lack another one, and files that cannot be written, before anything is
 * opened. */
#include "app/options/options_check.h"

#include "base/file.h"
#include "base/file_name.h"
#include "base/places.h"
#include "map/export.h"
#include "rig/board_print.h"

static sv_status check_resume(const options *o, sv_error *error) {
    if (!o->resume) return SV_OK;
    bool numbered = o->output_count > 0 || o->list;
    for (int i = 0; i < o->output_count; i++) numbered = numbered && file_is_numbered(o->outputs[i]);
    if (!numbered) return sv_fail(error, SV_USAGE, "--resume is for numbered files, such as -o map_%%06d.png");
    if (o->cameras[0]) return sv_fail(error, SV_USAGE, "--resume is for files: cameras do not send a picture again");
    if (o->truth || o->compare || o->benchmark)
        return sv_fail(error, SV_USAGE, "--resume skips finished frames, so %s would not count them",
                       o->truth     ? "--truth"
                       : o->compare ? "--compare"
                                    : "--benchmark");
    return SV_OK;
}

/* --board does nothing else. */
static sv_status check_print(const options *o, int sources, sv_error *error) {
    if (o->output_count != 1 || !board_print_takes(o->outputs[0]))
        return sv_fail(error, SV_USAGE, "--board needs one file to print to: -o board.pdf or -o board.svg");
    if (sources || o->calibrate || o->align || o->calibration || o->save_count)
        return sv_fail(error, SV_USAGE, "--board prints a board and can be combined with -o and --paper only");
    return SV_OK;
}

/* What cannot be combined with --list, --shard and --device all. */
static sv_status check_many(const options *o, int sources, sv_error *error) {
    const char *many = o->list ? "--list" : o->share.count ? "--shard" : "--device all";
    if (!o->list && !o->share.count && !o->all_devices) return SV_OK;
    if (o->calibrate || o->align)
        return sv_fail(error, SV_USAGE,
                       "%s is for runs that match and cannot be combined with %s; save a calibration first", many,
                       o->calibrate ? "--calibrate" : "--align");
    if (!o->headless)
        return sv_fail(error, SV_USAGE, "%s is for runs that match without a window: add --headless", many);
    if (o->cameras[0] && !o->all_devices) return sv_fail(error, SV_USAGE, "%s is for files, not for cameras", many);
    if (!o->all_devices && (o->truth || o->benchmark || o->record))
        return sv_fail(error, SV_USAGE, "%s cannot be combined with --truth, --benchmark or --record", many);
    if (o->compare) return sv_fail(error, SV_USAGE, "%s cannot be combined with --compare", many);
    for (int i = 0; o->share.count && !o->list && i < o->output_count; i++)
        if (!file_is_numbered(o->outputs[i]))
            return sv_fail(error, SV_USAGE,
                           "--shard: each part would write %s; put a number into the file name (map_%%06d.pfm)",
                           o->outputs[i]);
    if (!o->list) return SV_OK;
    if (sources || o->output_count)
        return sv_fail(error, SV_USAGE, "--list names the pictures and the outputs: leave out %s",
                       sources ? "the other source" : "-o");
    return SV_OK;
}

static sv_status check_together(const options *o, sv_error *error) {
    const int sources =
        (o->left != NULL) + (o->whole != NULL) + (o->cameras[0] != NULL) + o->demo + (o->synthetic_width > 0);
    if (o->print) return check_print(o, sources, error);
    for (int i = 0; i < o->output_count; i++)
        if (board_print_takes(o->outputs[i]))
            return sv_fail(error, SV_USAGE, "'%s' is for a printed board, which --board names", o->outputs[i]);
    if (check_many(o, sources, error) != SV_OK) return SV_USAGE;
    if (!sources && !o->list && (o->headless || o->benchmark || o->calibrate || o->align))
        return options_refuse_nothing(error);
    if (sources > 1) return sv_fail(error, SV_USAGE, "-f, -s, -c, --demo and --synthetic exclude each other");
    if (!o->cameras[0] && (o->camera.width || o->camera.rate > 0 || o->camera.pixel_format))
        return sv_fail(error, SV_USAGE, "--size, --rate and --pixel-format are for cameras (-c)");
    if (!o->cameras[0] && (o->control_counts[0] || o->control_counts[1] || o->equal_controls))
        return sv_fail(error, SV_USAGE, "--control is for cameras (-c)");
    if (!o->cameras[1] && (o->controls_of_side || o->equal_controls))
        return sv_fail(error, SV_USAGE, "--control %s is for two cameras",
                       o->equal_controls ? "equal" : "left:NAME=VALUE or right:NAME=VALUE");
    if (o->splits && !o->whole && (!o->cameras[0] || o->cameras[1]))
        return sv_fail(error, SV_USAGE, "--layout is for both pictures in one stream (-s, or -c with one camera)");
    if (o->moves && o->cameras[0])
        return sv_fail(error, SV_USAGE, "--offset is for two files (-f): the pictures of cameras are simultaneous");
    if (!o->calibration && !o->align && !o->calibrate && o->rectify_alpha >= 0)
        return sv_fail(error, SV_USAGE, "--rectify-alpha needs --calibration, --align or --calibrate");
    if (!o->calibration && o->unit) return sv_fail(error, SV_USAGE, "--unit needs --calibration");
    const bool metres = o->calibration || (o->align && o->baseline > 0);
    for (int i = 0; i < o->output_count && !metres; i++)
        if (export_is_depth(o->outputs[i]))
            return sv_fail(error, SV_USAGE,
                           "'%s' is for depth in metres, which needs --calibration, or --align with --baseline",
                           o->outputs[i]);
    if (!o->headless && o->output_count) return sv_fail(error, SV_USAGE, "-o needs --headless");
    if (o->align && o->calibrate) return sv_fail(error, SV_USAGE, "--align and --calibrate exclude each other");
    if ((o->fov > 0 || o->baseline > 0) && !o->align)
        return sv_fail(error, SV_USAGE, "%s needs --align", o->fov > 0 ? "--fov" : "--baseline");
    if ((o->calibrate || o->align) && o->calibration)
        return sv_fail(error, SV_USAGE,
                       "--calibrate and --align find a calibration and cannot be combined with --calibration");
    if (o->align && o->compare)
        return sv_fail(error, SV_USAGE,
                       "--align and --compare exclude each other; save the calibration, and compare with it");
    if (o->align && o->benchmark && !o->headless)
        return sv_fail(error, SV_USAGE,
                       "--align would slow down what --benchmark measures; with --headless it runs first");
    if (o->calibrate && (o->output_count || o->truth || o->stats || o->benchmark || o->compare))
        return sv_fail(error, SV_USAGE,
                       "--calibrate matches nothing: use it with --save-calibration, not with -o, --truth, --stats, "
                       "--benchmark or --compare");
    if (o->save_count && o->headless && !o->calibrate && !o->align)
        return sv_fail(error, SV_USAGE,
                       "--save-calibration needs --calibrate or --align, which find the calibration to save");
    if (o->lens && !o->calibrate) return sv_fail(error, SV_USAGE, "--lens needs --calibrate");
    if (o->headless && o->of_window) return sv_fail(error, SV_USAGE, "--%s is for the window", o->of_window);
    if (o->draw_rate > 0 && !o->benchmark) return sv_fail(error, SV_USAGE, "--draw-rate needs --benchmark");
    if (o->record && !o->headless && !options_have_source(o))
        return sv_fail(error, SV_USAGE, "--record needs a source: cameras (-c) or live streams");
    if (o->compare && o->benchmark)
        return sv_fail(error, SV_USAGE, "--benchmark measures one set of parameters; --compare shows the times of two");
    if (o->truth_scale > 0 && !o->truth) return sv_fail(error, SV_USAGE, "--truth-scale needs --truth");
    if (o->headless && o->frames.loop)
        return sv_fail(error, SV_USAGE, "--loop is for the window; --headless would never end");
    if (check_resume(o, error) != SV_OK) return SV_USAGE;
    return sv_check_params(&o->params, error);
}

/* Checks that the output files can be written. */
static sv_status check_files(const options *o, sv_error *error) {
    char path[PLACES_BYTES];
    sv_status status = o->stats ? file_check_place(o->stats, error) : SV_OK;
    if (status == SV_OK && o->record) status = file_check_place(o->record, error);
    for (int i = 0; i < o->output_count && status == SV_OK; i++) {
        status = file_name(o->outputs[i], o->frames.first, path, sizeof path, error);
        if (status == SV_OK) status = file_check_place(path, error);
    }
    if (status == SV_OK && o->calibrate && o->headless && !o->save_count)
        status = file_check_place("stereoview_rig.yaml", error);
    for (int i = 0; i < o->save_count && status == SV_OK; i++) {
        char names[2][PLACES_BYTES];
        const int count = places_of_calibration(o->save_calibration[i], names);
        for (int k = 0; k < count && status == SV_OK; k++) status = file_check_place(names[k], error);
    }
    return status;
}

sv_status options_check(const options *o, sv_error *error) {
    if (o->help || o->version || o->list_cameras) return SV_OK;
    const sv_status status = check_together(o, error);
    return status == SV_OK ? check_files(o, error) : status;
}
