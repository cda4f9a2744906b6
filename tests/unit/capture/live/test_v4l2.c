/* What is asked of cameras and set in them, with two devices that answer as drivers do: their ioctls are answered here,
 * because few machines have cameras. test_camera.c has those of the kernel's vivid driver. */
#include "app/viewer/viewer_controls.h"
#include "capture/live/controls.h"
#include "capture/live/v4l2.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* ---- The driver ------------------------------------------------------------------------------- */

/* Character devices that everybody may open, as those of cameras are. */
static const char *const names[2] = {"/dev/null", "/dev/zero"};

enum { CONTROLS = 8, FORMATS = 4, SIZES = 3, ENTRIES = 3 };

typedef struct control {
    unsigned id;
    int type;
    const char *name;
    int min, max, step, initial, value, flags;
    const char *entries[ENTRIES + 1]; /* of a menu, from `min` on; "" where there is none */
    int after_auto;                   /* the value that it returns to when automatic exposure ends; 0: none */
} control;

typedef struct format {
    uint32_t code;
    unsigned sizes[SIZES][2], rates[SIZES]; /* width, height; frames a second */
} format;

static struct camera {
    bool captures;
    control controls[CONTROLS]; /* by ascending id; those that are not there have 0 */
    format formats[FORMATS];
} cameras[2];

static int interrupted; /* so many calls are cut short by a signal */

static control *find_control(struct camera *c, unsigned id) {
    const bool next = id & V4L2_CTRL_FLAG_NEXT_CTRL;
    id &= ~(unsigned)V4L2_CTRL_FLAG_NEXT_CTRL;
    for (int i = 0; i < CONTROLS; i++) {
        control *each = &c->controls[i];
        if (each->id && (next ? each->id > id : each->id == id)) return each;
    }
    return NULL;
}

static int query_capability(struct camera *c, struct v4l2_capability *to) {
    const unsigned own = V4L2_CAP_STREAMING | (c->captures ? V4L2_CAP_VIDEO_CAPTURE : V4L2_CAP_META_CAPTURE);
    /* The device for metadata says what the other device of the camera can do, too. */
    *to = (struct v4l2_capability){.capabilities = own | V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_DEVICE_CAPS,
                                   .device_caps = own};
    return 0;
}

static int query_control(struct camera *c, struct v4l2_queryctrl *q) {
    const control *found = find_control(c, q->id);
    if (!found) return EINVAL;
    *q = (struct v4l2_queryctrl){.id = found->id,
                                 .type = (unsigned)found->type,
                                 .minimum = found->min,
                                 .maximum = found->max,
                                 .step = found->step,
                                 .default_value = found->initial,
                                 .flags = (unsigned)found->flags};
    snprintf((char *)q->name, sizeof q->name, "%s", found->name);
    return 0;
}

static int query_menu(struct camera *c, struct v4l2_querymenu *m) {
    const control *found = find_control(c, m->id);
    const int entry = found ? (int)m->index - found->min : -1;
    if (entry < 0 || entry >= ENTRIES || !found->entries[entry] || !*found->entries[entry]) return EINVAL;
    if (found->type == V4L2_CTRL_TYPE_INTEGER_MENU)
        m->value = atoi(found->entries[entry]);
    else
        snprintf((char *)m->name, sizeof m->name, "%s", found->entries[entry]);
    return 0;
}

static int set_value(struct camera *c, const struct v4l2_control *to) {
    control *found = find_control(c, to->id);
    if (!found || found->flags & V4L2_CTRL_FLAG_READ_ONLY) return EINVAL;
    found->value = found->step > 1 ? to->value / found->step * found->step : to->value;
    for (int i = 0; to->id == V4L2_CID_EXPOSURE_AUTO && i < CONTROLS; i++)
        if (c->controls[i].after_auto) c->controls[i].value = c->controls[i].after_auto;
    return 0;
}

static int get_value(struct camera *c, struct v4l2_control *to) {
    const control *found = find_control(c, to->id);
    if (!found) return EINVAL;
    to->value = found->value;
    return 0;
}

static const format *find_format(const struct camera *c, uint32_t code) {
    for (int i = 0; i < FORMATS; i++)
        if (c->formats[i].code == code) return &c->formats[i];
    return NULL;
}

static int name_format(const struct camera *c, struct v4l2_fmtdesc *f) {
    if (f->index >= FORMATS || !c->formats[f->index].code) return EINVAL;
    f->pixelformat = c->formats[f->index].code;
    return 0;
}

static int name_size(const struct camera *c, struct v4l2_frmsizeenum *s) {
    const format *f = find_format(c, s->pixel_format);
    if (!f || s->index >= SIZES || !f->sizes[s->index][0]) return EINVAL;
    s->type = V4L2_FRMSIZE_TYPE_DISCRETE;
    s->discrete = (struct v4l2_frmsize_discrete){f->sizes[s->index][0], f->sizes[s->index][1]};
    return 0;
}

/* Each size has its rate, and half of it. */
static int name_rate(const struct camera *c, struct v4l2_frmivalenum *r) {
    const format *f = find_format(c, r->pixel_format);
    for (int i = 0; f && i < SIZES && r->index < 2; i++)
        if (f->sizes[i][0] == r->width && f->sizes[i][1] == r->height) {
            r->type = V4L2_FRMIVAL_TYPE_DISCRETE;
            r->discrete = r->index ? (struct v4l2_fract){1, f->rates[i]} : (struct v4l2_fract){2, f->rates[i]};
            return 0;
        }
    return EINVAL;
}

static int answer(struct camera *c, unsigned long request, void *to) {
    switch (request) {
    case VIDIOC_QUERYCAP: return query_capability(c, to);
    case VIDIOC_QUERYCTRL: return query_control(c, to);
    case VIDIOC_QUERYMENU: return query_menu(c, to);
    case VIDIOC_G_CTRL: return get_value(c, to);
    case VIDIOC_S_CTRL: return set_value(c, to);
    case VIDIOC_ENUM_FMT: return name_format(c, to);
    case VIDIOC_ENUM_FRAMESIZES: return name_size(c, to);
    case VIDIOC_ENUM_FRAMEINTERVALS: return name_rate(c, to);
    default: return ENOTTY;
    }
}

/* In place of libc's. */
int ioctl(int fd, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    struct stat status;
    if (fstat(fd, &status) || !S_ISCHR(status.st_mode) || major(status.st_rdev) != 1)
        return (int)syscall(SYS_ioctl, fd, request, argument);
    errno = interrupted > 0 ? EINTR : answer(&cameras[minor(status.st_rdev) == 5], request, argument);
    interrupted -= interrupted > 0;
    return errno ? -1 : 0;
}

/* Both are new. */
static void plug_in(void) {
    static const struct camera as_made = {
        .captures = true,
        .controls = {{V4L2_CID_BRIGHTNESS, V4L2_CTRL_TYPE_INTEGER, "Brightness", -64, 64, 1, 0, .value = 10},
                     {V4L2_CID_AUTO_WHITE_BALANCE, V4L2_CTRL_TYPE_BOOLEAN, "White Balance, Automatic", 0, 1, 1, 1,
                      .value = 1},
                     {V4L2_CID_GAIN, V4L2_CTRL_TYPE_INTEGER, "Gain", 0, 100, 4, 0, .value = 40},
                     {V4L2_CID_POWER_LINE_FREQUENCY, V4L2_CTRL_TYPE_MENU, "Power Line Frequency", 0, 2, 1, 1, 1,
                      .entries = {"Disabled", "50 Hz", "60 Hz"}},
                     {V4L2_CID_WHITE_BALANCE_TEMPERATURE, V4L2_CTRL_TYPE_INTEGER, "White Balance Temperature", 2800,
                      6500, 1, 4600, 4600, .flags = V4L2_CTRL_FLAG_INACTIVE},
                     {V4L2_CID_EXPOSURE_AUTO, V4L2_CTRL_TYPE_MENU, "Auto Exposure", 1, 3,
                      1, 3, 3, .entries = {"Manual Mode", "", "Aperture Priority Mode"}},
                     {V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CTRL_TYPE_INTEGER, "Exposure (Absolute)", 1, 5000, 1, 157, 157,
                      .after_auto = 3},
                     {V4L2_CID_PRIVACY, V4L2_CTRL_TYPE_BOOLEAN, "Privacy", 0, 1,
                      1, 0, 0, .flags = V4L2_CTRL_FLAG_READ_ONLY}},
        .formats = {{V4L2_PIX_FMT_YUYV, {{640, 480}, {1280, 720}}, {30, 10}},
                    {V4L2_PIX_FMT_SBGGR8, {{1920, 1080}}, {60}}, /* which nothing here can use */
                    {V4L2_PIX_FMT_MJPEG, {{640, 480}, {1280, 720}, {1920, 1080}}, {30, 30, 30}},
                    {V4L2_PIX_FMT_Y16, {{640, 400}}, {120}}}};
    cameras[0] = cameras[1] = as_made;
    cameras[1].controls[2].value = 8;
    warnings = 0;
    *last_warning = *last_note = 0;
}

static int value_of(int side, unsigned id) { return find_control(&cameras[side], id)->value; }

/* ---- Controls --------------------------------------------------------------------------------- */

static void expect_set(const char *setting, unsigned id, int value) {
    sv_error error;
    plug_in();
    if (controls_set(names[0], setting, &error) != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(value_of(0, id), value);
    assert_int_equal(warnings, 0);
}

static void expect_refused(const char *setting, sv_status status, const char *why) {
    sv_error error;
    plug_in();
    const struct camera before = cameras[0];
    assert_int_equal(controls_set(names[0], setting, &error), status);
    assert_has(error.text, names[0]);
    assert_has(error.text, why);
    assert_memory_equal(&before, &cameras[0], sizeof before);
}

TEST(controls_take_numbers_switches_and_names) {
    expect_set("brightness=-64", V4L2_CID_BRIGHTNESS, -64);
    expect_set("brightness=64", V4L2_CID_BRIGHTNESS, 64);
    expect_set("white_balance_automatic=off", V4L2_CID_AUTO_WHITE_BALANCE, 0);
    expect_set("white_balance_automatic=on", V4L2_CID_AUTO_WHITE_BALANCE, 1);
    expect_set("power_line_frequency=60_hz", V4L2_CID_POWER_LINE_FREQUENCY, 2);
    expect_set("power_line_frequency=0", V4L2_CID_POWER_LINE_FREQUENCY, 0);
    expect_set("auto_exposure=manual_mode", V4L2_CID_EXPOSURE_AUTO, 1);
    expect_set("exposure_absolute=5000", V4L2_CID_EXPOSURE_ABSOLUTE, 5000);
    interrupted = 3;
    expect_set("gain=20", V4L2_CID_GAIN, 20);
}

TEST(what_cannot_be_set_is_refused) {
    expect_refused("brightness=65", SV_USAGE, "brightness takes -64 to 64, not '65'");
    expect_refused("brightness=-65", SV_USAGE, "not '-65'");
    expect_refused("brightness=1x", SV_USAGE, "not '1x'");
    expect_refused("brightness=on", SV_USAGE, "not 'on'");
    expect_refused("white_balance_automatic=auto", SV_USAGE, "takes 0 to 1, or on and off, not 'auto'");
    expect_refused("power_line_frequency=70_hz", SV_USAGE, "or a name that --list-cameras shows, not '70_hz'");
    expect_refused("bright=1", SV_USAGE, "no control 'bright'");
    expect_refused("privacy=1", SV_USAGE, "privacy can be read, but not set");
    expect_refused("white_balance_temperature=3000", SV_FAILED, "is set automatically");
}

TEST(value_that_the_camera_replaces_is_reported) {
    sv_error error;
    plug_in();
    assert_int_equal(controls_set(names[0], "gain=42", &error), SV_OK);
    assert_int_equal(value_of(0, V4L2_CID_GAIN), 40);
    assert_int_equal(warnings, 1);
    assert_has(last_warning, "set gain to 40 instead of 42");
}

TEST(controls_are_listed) {
    static const char *const lines[] = {
        "  control brightness: -64 to 64, is 10, default 0\n",
        "  control white_balance_automatic: 0 to 1, is 1, default 1\n",
        "  control gain: 0 to 100, in steps of 4, is 40, default 0\n",
        "  control power_line_frequency: 0 (disabled), 1 (50_hz), 2 (60_hz), is 1, default 1\n",
        "  control white_balance_temperature: 2800 to 6500, is 4600, default 4600, is set automatically\n",
        "  control auto_exposure: 1 (manual_mode), 3 (aperture_priority_mode), is 3, default 3\n",
        "  control exposure_absolute: 1 to 5000, is 157, default 157\n",
        "  control privacy: 0 to 1, is 0, default 0, cannot be set\n",
    };
    char expected[2048] = "", *text;
    size_t size;
    FILE *device = fopen(names[0], "r"), *list = open_memstream(&text, &size);
    assert_true(device && list);
    plug_in();
    controls_print(list, fileno(device));
    fclose(list);
    fclose(device);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) strcat(expected, lines[i]);
    assert_string_equal(text, expected);
    free(text);
}

/* What the panel of the window changes is set in the cameras that it means. */
TEST(the_window_sets_one_camera_or_both) {
    static const int expected[3][2] = {{20, 20}, {20, 8}, {40, 20}};
    const options o = {.input.cameras.names = {names[0], names[1]}};
    for (int side = 0; side < 3; side++) {
        panel_controls panel;
        viewer_controls v;
        plug_in();
        viewer_controls_begin(&v, &o, &panel);
        assert_true(panel.has_cameras && panel.has_two);
        viewer_controls_update(&v);
        assert_int_equal(panel.count, 0); /* it is not shown */
        panel.shown = true;
        panel.side = side;
        viewer_controls_update(&v);
        assert_int_equal(panel.count, CONTROLS);
        assert_string_equal(panel.each[2].name, "gain");
        assert_int_equal(panel.each[2].value, side == 2 ? 8 : 40);
        panel.changed = 2;
        panel.wanted = 20;
        viewer_controls_act(&v, INPUT_CAMERA_CONTROL);
        for (int i = 0; i < 2; i++) assert_int_equal(value_of(i, V4L2_CID_GAIN), expected[side][i]);
    }
}

/* ---- Equal cameras ---------------------------------------------------------------------------- */

/* The exposure is that from before automatic exposure ended, which changes it. */
TEST(cameras_become_equal) {
    sv_error error;
    plug_in();
    cameras[1].controls[6].value = 900;
    if (controls_make_equal(names[0], names[1], &error) != SV_OK) fail_msg("%s", error.text);
    for (int side = 0; side < 2; side++) {
        assert_int_equal(value_of(side, V4L2_CID_EXPOSURE_AUTO), V4L2_EXPOSURE_MANUAL);
        assert_int_equal(value_of(side, V4L2_CID_AUTO_WHITE_BALANCE), 0);
        assert_int_equal(value_of(side, V4L2_CID_EXPOSURE_ABSOLUTE), 157);
        assert_int_equal(value_of(side, V4L2_CID_GAIN), 40);
        assert_int_equal(value_of(side, V4L2_CID_WHITE_BALANCE_TEMPERATURE), 4600);
        assert_int_equal(value_of(side, V4L2_CID_BRIGHTNESS), 10);
    }
    assert_int_equal(warnings, 0);
    assert_has(last_note, "have equal values: exposure_absolute 157, gain 40, white_balance_temperature 4600");
}

TEST(what_does_not_become_equal_is_reported) {
    sv_error error;
    plug_in();
    cameras[1].controls[2].step = 7; /* which has no 40 */
    if (controls_make_equal(names[0], names[1], &error) != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(warnings, 1);
    assert_has(last_warning, "gain of /dev/null and /dev/zero cannot be made equal");
    plug_in();
    cameras[1].controls[6].flags = V4L2_CTRL_FLAG_DISABLED;
    if (controls_make_equal(names[0], names[1], &error) != SV_OK) fail_msg("%s", error.text);
    assert_has(last_warning, "exposure_absolute of /dev/null and /dev/zero cannot be made equal");
    plug_in();
    memset(cameras[1].controls, 0, sizeof cameras[1].controls);
    assert_int_equal(controls_make_equal(names[0], names[1], &error), SV_FAILED);
    assert_has(error.text, "have no exposure, gain, white balance or focus in common");
    assert_int_equal(controls_make_equal(names[0], scratch_path("none"), &error), SV_FAILED);
    assert_has(error.text, "cannot set its controls");
}

/* ---- Formats ---------------------------------------------------------------------------------- */

TEST(fastest_format_has_the_size) {
    plug_in();
    assert_string_equal(v4l2_fastest_format(names[0], 640, 480, 30), "yuyv422"); /* the first of equals */
    assert_string_equal(v4l2_fastest_format(names[0], 1280, 720, 10), "yuyv422");
    assert_string_equal(v4l2_fastest_format(names[0], 1280, 720, 11), "mjpeg");
    assert_string_equal(v4l2_fastest_format(names[0], 1920, 1080, 60), "mjpeg");
    assert_string_equal(v4l2_fastest_format(names[0], 640, 400, 30), "grey16");
    assert_null(v4l2_fastest_format(names[0], 800, 600, 30));
}

TEST(devices_are_checked) {
    sv_error error;
    plug_in();
    assert_int_equal(v4l2_check(names[0], NULL, &error), SV_OK);
    assert_int_equal(v4l2_check(names[0], "mjpeg", &error), SV_OK);
    assert_int_equal(v4l2_check(names[0], "gray16le", &error), SV_OK); /* FFmpeg's name */
    assert_int_equal(v4l2_check(names[0], "nv12", &error), SV_USAGE);
    assert_has(error.text, "no pixel format 'nv12'; --list-cameras");
    cameras[0].captures = false;
    assert_int_equal(v4l2_check(names[0], NULL, &error), SV_NO_DEVICE);
    assert_has(error.text, "is not a camera that sends pictures");
    assert_int_equal(v4l2_check(scratch_write_text("file", "x"), NULL, &error), SV_NO_DEVICE);
    assert_has(error.text, "files are opened with -f or -s");
    assert_int_equal(v4l2_check(scratch_path("none"), NULL, &error), SV_NO_DEVICE);
    assert_has(error.text, "no such device");
}

FIXTURES(reading_setup, scratch_teardown)
