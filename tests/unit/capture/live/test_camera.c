/* Cameras, with two webcams of the kernel's vivid driver, which can be made to fail. tests/long/check-cameras provides
 * them; elsewhere everything is skipped. */
#include "capture/live/camera.h"
#include "capture/live/v4l2.h"
#include "capture/pair.h"
#include "capture/split.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *devices[2]; /* left, right */

static const camera_options small = {.width = 320, .height = 180, .rate = 10, .pixel_format = "yuyv422"};

/* ---- The driver's switches -------------------------------------------------------------------- */

static int device_open(int side) {
    const int fd = open(devices[side], O_RDWR | O_NONBLOCK);
    if (fd < 0) fail_msg("%s cannot be opened", devices[side]);
    return fd;
}

/* Sets the control of that name, or presses it if it is a button. */
static void set_control_of(int fd, const char *name, int value) {
    struct v4l2_queryctrl control = {.id = V4L2_CTRL_FLAG_NEXT_CTRL};
    while (ioctl(fd, VIDIOC_QUERYCTRL, &control) == 0) {
        if (!strcmp((const char *)control.name, name)) {
            struct v4l2_control order = {.id = control.id, .value = value};
            if (ioctl(fd, VIDIOC_S_CTRL, &order) != 0) fail_msg("%s cannot be set", name);
            return;
        }
        control.id |= V4L2_CTRL_FLAG_NEXT_CTRL;
    }
    fail_msg("no control is called %s", name);
}

static void set_control(int side, const char *name, int value) {
    const int fd = device_open(side);
    set_control_of(fd, name, value);
    close(fd);
}

/* ---- Opening and reading ---------------------------------------------------------------------- */

static source *open_camera(int side, camera_options asked) {
    source *source;
    sv_error error;
    const source_options options = {.colour = true};
    if (source_open_camera(&source, devices[side], &asked, &options, &error) != SV_OK) fail_msg("%s", error.text);
    return source;
}

static pairing *current; /* the one that is open */

static void close_pair(void) {
    pairing_close(current);
    current = NULL;
}

/* Runs after each test, even a failed one, so that the next finds the cameras free. */
static int leave_in_order(void **state) {
    (void)state;
    close_pair();
    for (int side = 0; side < 2; side++) set_control(side, "Percentage of Dropped Buffers", 0);
    return 0;
}

static pairing *pair_sources(source *left, source *right) {
    sv_error error;
    if (pairing_open(&current, left, right, 4, &error) != SV_OK) fail_msg("%s", error.text);
    return current;
}

static pairing *open_pair(camera_options asked) {
    warnings = 0;
    source *left = open_camera(0, asked);
    return pair_sources(left, open_camera(1, asked));
}

/* The mean grey value of a narrow vertical strip at `x`, from 0 to 1, in the lower half of the picture, where the
 * driver writes no text. */
static double grey_of_strip(const frame *frame, double x) {
    const int left = (int)(x * frame->grey.width);
    double sum = 0;
    for (int y = frame->grey.height / 2; y < frame->grey.height; y++)
        for (int i = 0; i < 4; i++) sum += grey_at(frame, left + i, y);
    return sum / (4.0 * (frame->grey.height - frame->grey.height / 2));
}

/* Takes `count` pairs and checks what must hold for each. */
static void read_pairs(pairing *pairing, int count, int width, int height) {
    double last = 0;
    for (int i = 0; i < count; i++) {
        frame_pair pair;
        sv_error error;
        if (!pairing_wait(pairing, 20)) fail_msg("no pair %d within 20 s", i);
        assert_int_equal(pairing_next(pairing, &pair, &error), SV_OK);
        const frame *sides[] = {pair.left, pair.right};
        for (int side = 0; side < 2; side++) {
            const frame *frame = sides[side];
            assert_int_equal(frame->grey.width, width);
            assert_int_equal(frame->grey.height, height);
            assert_non_null(frame->colour.data);
            if (fabs(sv_seconds() - frame->time) > 5) fail_msg("a time stamp of another clock: %f", frame->time);
        }
        const double late = pair.right->time - pair.left->time; /* by 1.25 ms more than early, see pairing_tolerance */
        assert_true(fabs(late - 0.00125) <= pairing_tolerance(pairing));
        assert_true(pair.left->time > last);
        last = pair.left->time;
        frame_pair_release(&pair);
    }
}

/* Takes pairs until the trouble of that side is reported in these words. */
static void wait_for_trouble(pairing *pairing, int side, const char *words) {
    char text[512] = "";
    const double start = sv_seconds();
    while (!pairing_trouble(pairing, text, sizeof text) || !strstr(text, devices[side]) || !strstr(text, words)) {
        frame_pair pair = {0};
        if (sv_seconds() - start > 20) fail_msg("not '%s' within 20 s: '%s'", words, text);
        if (pairing_wait(pairing, 0.05)) assert_int_equal(pairing_next(pairing, &pair, NULL), SV_OK);
        frame_pair_release(&pair);
    }
}

static void expect_recovery(pairing *pairing) {
    char text[512];
    const double start = sv_seconds();
    while (pairing_trouble(pairing, text, sizeof text)) {
        if (sv_seconds() - start > 20) fail_msg("still in trouble after 20 s: %s", text);
        usleep(10000);
    }
    read_pairs(pairing, 5, 320, 180);
}

/* ---- Pictures --------------------------------------------------------------------------------- */

TEST_WITH(two_cameras_give_pairs, NULL, leave_in_order) {
    static const camera_options all[] = {{.width = 320, .height = 180, .rate = 10, .pixel_format = "yuyv422"},
                                         {.width = 640, .height = 360, .rate = 5, .pixel_format = "grey"},
                                         {.width = 320, .height = 180, .rate = 10, .pixel_format = "nv12"}};
    for (int i = 0; i < 3; i++) {
        pairing *pairing = open_pair(all[i]);
        const source_info *info = pairing_info(pairing);
        assert_true(info->live);
        assert_false(info->seekable);
        assert_true(info->rate == all[i].rate);
        assert_true(pairing_tolerance(pairing) == 0.5 / info->rate);
        read_pairs(pairing, 6, all[i].width, all[i].height);
        assert_in_range(1e6 * pairing_count(pairing).skew_mean, 0, 0.5e6 / info->rate);
        close_pair();
    }
}

/* The driver shows colour bars from white to black; their brightness is its choice. */
TEST_WITH(pictures_are_what_the_camera_sees, NULL, leave_in_order) {
    static const char *const formats[] = {"yuyv422", "grey", "rgb24"};
    double first[3];
    for (int i = 0; i < 3; i++) {
        frame *frame;
        source *camera =
            open_camera(0, (camera_options){.width = 320, .height = 180, .rate = 10, .pixel_format = formats[i]});
        assert_int_equal(source_read(camera, &frame, NULL), SV_OK);
        const double bars[3] = {grey_of_strip(frame, 0.05), grey_of_strip(frame, 0.43), grey_of_strip(frame, 0.95)};
        frame_release(frame);
        source_close(camera);
        if (i == 0) memcpy(first, bars, sizeof bars);
        if (!(bars[0] > bars[2] + 40 && bars[1] > bars[2] + 40 && bars[2] < 20 && fabs(bars[0] - first[0]) < 3))
            fail_msg("%s: white %.0f, green %.0f, black %.0f", formats[i], bars[0], bars[1], bars[2]);
    }
}

TEST_WITH(one_camera_gives_both_halves, NULL, leave_in_order) {
    source *halves[2];
    sv_error error;
    source *camera =
        open_camera(0, (camera_options){.width = 640, .height = 360, .rate = 5, .pixel_format = "yuyv422"});
    assert_int_equal(sources_split(camera, &(split_options){.layout = SPLIT_SIDE_BY_SIDE}, halves, &error), SV_OK);
    pairing *pairing = pair_sources(halves[0], halves[1]);
    read_pairs(pairing, 4, 320, 360);
    assert_true(pairing_count(pairing).skew_mean == 0);
    set_control(0, "Inject Fatal Streaming Error", 1);
    wait_for_trouble(pairing, 0, "");
    read_pairs(pairing, 4, 320, 360);
}

/* ---- Faults ----------------------------------------------------------------------------------- */

TEST_WITH(dropped_pictures_leave_others_without_partner, NULL, leave_in_order) {
    pairing *pairing = open_pair(small);
    for (int side = 0; side < 2; side++) set_control(side, "Percentage of Dropped Buffers", 20);
    read_pairs(pairing, 30, 320, 180);
    const pairing_counts counts = pairing_count(pairing);
    assert_true(counts.dropped_left > 0 && counts.dropped_right > 0);
}

TEST_WITH(broken_picture_is_counted, NULL, leave_in_order) {
    pairing *pairing = open_pair(small);
    read_pairs(pairing, 2, 320, 180);
    set_control(1, "Inject V4L2_BUF_FLAG_ERROR", 1);
    for (int i = 0; i < 20 && !pairing_count(pairing).broken; i++) read_pairs(pairing, 1, 320, 180);
    assert_int_equal(pairing_count(pairing).broken, 1);
    assert_has(last_warning, "broken picture");
}

TEST_WITH(disconnected_camera_comes_back, NULL, leave_in_order) {
    pairing *pairing = open_pair(small);
    read_pairs(pairing, 3, 320, 180);
    set_control(1, "Disconnect", 1);
    wait_for_trouble(pairing, 1, "gone");
    expect_recovery(pairing);
    assert_int_equal(warnings, 1);
}

/* The driver does not bring the device back while anyone has it open. */
TEST_WITH(camera_may_stay_away, NULL, leave_in_order) {
    char text[512];
    pairing *pairing = open_pair(small);
    read_pairs(pairing, 3, 320, 180);
    const int held = device_open(0);
    set_control_of(held, "Disconnect", 1);
    wait_for_trouble(pairing, 0, "gone");
    for (int i = 0; i < 25; i++) {
        usleep(100000);
        if (!pairing_trouble(pairing, text, sizeof text)) fail_msg("the trouble is over too soon");
    }
    close(held);
    expect_recovery(pairing);
}

/* After a second as a silent one, then as one that fails. */
TEST_WITH(stalled_camera_is_reported, NULL, leave_in_order) {
    pairing *pairing = open_pair(small);
    read_pairs(pairing, 3, 320, 180);
    set_control(1, "Percentage of Dropped Buffers", 100);
    wait_for_trouble(pairing, 1, "the last one is shown");
    wait_for_trouble(pairing, 1, "no picture for 1.5 s");
    set_control(1, "Percentage of Dropped Buffers", 0);
    expect_recovery(pairing);
    set_control(1, "Percentage of Dropped Buffers", 100);
    usleep(300000);
    const double start = sv_seconds();
    close_pair();
    assert_true(sv_seconds() - start < 1);
}

/* ---- Refusals --------------------------------------------------------------------------------- */

TEST(there_are_no_cameras) {
    print_message("no camera is named in SV_TEST_CAMERAS\n");
    skip();
}

FIXTURES(reading_setup, scratch_teardown)

int main(void) {
    static char names[128];
    const char *named = getenv("SV_TEST_CAMERAS"); /* "/dev/video0 /dev/video1" */
    if (named) {
        snprintf(names, sizeof names, "%s", named);
        devices[0] = strtok(names, " ");
        devices[1] = strtok(NULL, " ");
        cmocka_set_skip_filter("there_are_no_cameras");
    } else
        cmocka_set_test_filter("there_are_no_cameras");
    return run_all_tests();
}
