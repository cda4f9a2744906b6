/* Finds options that contradict each other or lack another one, before anything is opened. */
#include "app/options/options_check.h"

#include "base/file_name.h"
#include "map/export.h"
#include "rig/board_print.h"

static sv_status check_resume(const options *o, sv_error *error) {
    if (!o->run.resume) return SV_OK;
    bool numbered = o->output.count > 0 || o->run.list;
    for (int i = 0; i < o->output.count; i++) numbered = numbered && file_is_numbered(o->output.files[i]);
    if (!numbered) return sv_fail(error, SV_USAGE, "--resume is for numbered files, such as -o map_%%06d.png");
    if (o->input.cameras.names[0])
        return sv_fail(error, SV_USAGE, "--resume is for files: cameras do not send a picture again");
    if (o->output.truth || o->match.compare || o->run.benchmark)
        return sv_fail(error, SV_USAGE, "--resume skips finished frames, so %s would not count them",
                       o->output.truth    ? "--truth"
                       : o->match.compare ? "--compare"
                                          : "--benchmark");
    return SV_OK;
}

/* --board does nothing else. */
static sv_status check_print(const options *o, int sources, sv_error *error) {
    if (o->output.count != 1 || !board_print_takes(o->output.files[0]))
        return sv_fail(error, SV_USAGE, "--board needs one file to print to: -o board.pdf");
    if (sources || o->rig.calibrate || o->rig.align || o->rig.calibration || o->rig.saved_count)
        return sv_fail(error, SV_USAGE, "--board prints a board and can be combined with -o and --paper only");
    return SV_OK;
}

/* What cannot be combined with --list, --shard and --device all. */
static sv_status check_many(const options *o, int sources, sv_error *error) {
    const char *many = o->run.list ? "--list" : o->run.share.count ? "--shard" : "--device all";
    if (!o->run.list && !o->run.share.count && !o->match.all_devices) return SV_OK;
    if (o->rig.calibrate || o->rig.align)
        return sv_fail(error, SV_USAGE,
                       "%s is for runs that match and cannot be combined with %s; save a calibration first", many,
                       o->rig.calibrate ? "--calibrate" : "--align");
    if (!o->run.headless)
        return sv_fail(error, SV_USAGE, "%s is for runs that match without a window: add --headless", many);
    if (o->input.cameras.names[0]) return sv_fail(error, SV_USAGE, "%s is for files, not for cameras", many);
    if (o->output.truth || o->match.compare || o->output.record)
        return sv_fail(error, SV_USAGE, "%s cannot be combined with --truth, --compare or --record", many);
    if (o->run.benchmark && (o->run.list || o->run.share.count))
        return sv_fail(error, SV_USAGE, "%s cannot be combined with --benchmark", many);
    for (int i = 0; !o->run.list && i < o->output.count; i++)
        if (!file_is_numbered(o->output.files[i]) || export_is_video(o->output.files[i]))
            return sv_fail(error, SV_USAGE, "%s: each part would write %s; name numbered files (map_%%06d.pfm)", many,
                           o->output.files[i]);
    if (!o->run.list) return SV_OK;
    if (sources || o->output.count)
        return sv_fail(error, SV_USAGE, "--list names the pictures and the outputs: leave out %s",
                       sources ? "the other source" : "-o");
    return SV_OK;
}

static sv_status check_input(const options *o, int sources, sv_error *error) {
    const input_options *in = &o->input;
    const cameras_options *cameras = &in->cameras;
    if (sources > 1) return sv_fail(error, SV_USAGE, "use only one of -f, -s, -c, --demo and --synthetic");
    if (!cameras->names[0] && (cameras->both.width || cameras->both.rate > 0 || cameras->both.pixel_format))
        return sv_fail(error, SV_USAGE, "--size, --rate and --pixel-format are for cameras (-c)");
    if (!cameras->names[0] && (cameras->control_counts[0] || cameras->control_counts[1] || cameras->equal))
        return sv_fail(error, SV_USAGE, "--control is for cameras (-c)");
    if (!cameras->names[1] && (cameras->one_sided || cameras->equal))
        return sv_fail(error, SV_USAGE, "--control %s is for two cameras",
                       cameras->equal ? "equal" : "left:NAME=VALUE or right:NAME=VALUE");
    if (in->layout_given && !in->whole && (!cameras->names[0] || cameras->names[1]))
        return sv_fail(error, SV_USAGE, "--layout is for both pictures in one stream (-s, or -c with one camera)");
    if (in->offset.given && cameras->names[0])
        return sv_fail(error, SV_USAGE, "--offset is for two files (-f): the pictures of cameras are simultaneous");
    return SV_OK;
}

static sv_status check_rig(const options *o, sv_error *error) {
    const rig_options *rig = &o->rig;
    const output_options *output = &o->output;
    const bool headless = o->run.headless, benchmark = o->run.benchmark;
    if (!rig->calibration && !rig->align && !rig->calibrate && rig->rectify_alpha >= 0)
        return sv_fail(error, SV_USAGE, "--rectify-alpha needs --calibration, --align or --calibrate");
    if (!rig->calibration && rig->unit) return sv_fail(error, SV_USAGE, "--unit needs --calibration");
    if (rig->align && rig->calibrate)
        return sv_fail(error, SV_USAGE, "--align and --calibrate cannot be combined; use one of them");
    if ((rig->fov > 0 || rig->baseline > 0) && (rig->calibration || rig->calibrate))
        return sv_fail(error, SV_USAGE, "%s is for cameras without a calibration and cannot be combined with %s",
                       rig->fov > 0 ? "--fov" : "--baseline", rig->calibration ? "--calibration" : "--calibrate");
    if (rig->fov > 0 && !(rig->baseline > 0) && !rig->align)
        return sv_fail(error, SV_USAGE, "--fov needs --baseline, with which it gives depth in metres, or --align");
    if ((rig->calibrate || rig->align) && rig->calibration)
        return sv_fail(error, SV_USAGE,
                       "--calibrate and --align find a calibration and cannot be combined with --calibration");
    if (rig->align && o->match.compare && !headless)
        return sv_fail(
            error, SV_USAGE,
            "--align takes a while in the window and cannot be combined with --compare; press 'a' once it is done");
    if (rig->align && benchmark && !headless)
        return sv_fail(error, SV_USAGE,
                       "--align would slow down what --benchmark measures; with --headless it runs first");
    if (rig->calibrate && (output->count || output->truth || output->stats || benchmark || o->match.compare))
        return sv_fail(error, SV_USAGE,
                       "--calibrate matches nothing: use it with --save-calibration, not with -o, --truth, --stats, "
                       "--benchmark or --compare");
    if (rig->saved_count && headless && !rig->calibrate && !rig->align)
        return sv_fail(error, SV_USAGE,
                       "--save-calibration needs --calibrate or --align, which find the calibration to save");
    if (rig->lens && !rig->calibrate) return sv_fail(error, SV_USAGE, "--lens needs --calibrate");
    return SV_OK;
}

/* What a run writes and shows. */
static sv_status check_output(const options *o, sv_error *error) {
    const output_options *output = &o->output;
    const bool headless = o->run.headless, benchmark = o->run.benchmark;
    const bool metres = o->rig.calibration || o->rig.baseline > 0;
    for (int i = 0; i < output->count && !metres; i++)
        if (export_is_depth(output->files[i]))
            return sv_fail(error, SV_USAGE,
                           "'%s' is for depth in metres, which needs --calibration, or --baseline and --fov",
                           output->files[i]);
    if (!headless && output->count) return sv_fail(error, SV_USAGE, "-o needs --headless");
    if (headless && o->run.of_window) return sv_fail(error, SV_USAGE, "--%s is for the window", o->run.of_window);
    if (o->display.draw_rate > 0 && !benchmark) return sv_fail(error, SV_USAGE, "--draw-rate needs --benchmark");
    if (output->record && !headless && !input_is_named(&o->input))
        return sv_fail(error, SV_USAGE, "--record needs a source: cameras (-c) or live streams");
    if (o->match.compare && benchmark)
        return sv_fail(error, SV_USAGE, "--benchmark measures one set of parameters; --compare shows the times of two");
    if (output->truth_scale > 0 && !output->truth) return sv_fail(error, SV_USAGE, "--truth-scale needs --truth");
    if (headless && o->input.frames.loop)
        return sv_fail(error, SV_USAGE, "--loop is for the window; --headless would never end");
    const space_limits *limits = &o->display.view.limits;
    if (limits->farthest > 0 && limits->nearest >= limits->farthest)
        return sv_fail(error, SV_USAGE, "--min-depth %g is not below --max-depth %g", limits->nearest,
                       limits->farthest);
    return SV_OK;
}

static sv_status check_together(const options *o, sv_error *error) {
    const input_options *in = &o->input;
    const int sources = (in->left != NULL) + (in->whole != NULL) + (in->cameras.names[0] != NULL) + in->demo +
                        (in->synthetic_width > 0);
    if (o->rig.print) return check_print(o, sources, error);
    for (int i = 0; i < o->output.count; i++)
        if (board_print_takes(o->output.files[i]))
            return sv_fail(error, SV_USAGE, "'%s' is for a printed board, which --board names", o->output.files[i]);
    if (check_many(o, sources, error) != SV_OK) return SV_USAGE;
    if (!sources && !o->run.list && (o->run.headless || o->run.benchmark || o->rig.calibrate || o->rig.align))
        return options_refuse_nothing(error);
    if (check_input(o, sources, error) != SV_OK || check_rig(o, error) != SV_OK || check_output(o, error) != SV_OK ||
        check_resume(o, error) != SV_OK)
        return SV_USAGE;
    return sv_check_params(&o->match.params, error);
}

sv_status options_check(const options *o, sv_error *error) {
    return o->help || o->version || o->list_cameras ? SV_OK : check_together(o, error);
}

sv_status options_refuse_plain_names(const options *o, sv_status status, sv_error *error) {
    for (int i = 0; i < o->output.count; i++)
        if (!file_is_numbered(o->output.files[i]) && !export_is_video(o->output.files[i]))
            return sv_fail(error, status,
                           "%s can hold one frame, and there are more; put a number into the file name "
                           "(map_%%06d.pfm), or take one with --frames 0:1",
                           o->output.files[i]);
    return SV_OK;
}
