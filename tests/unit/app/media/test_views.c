/* How one stream holds both views, as the program finds it; app/media/views: recordings of a made scene in each layout
 * and order, of one view only, dark at first, tagged, and what the user has given. */
#include "app/media/views.h"

#include "app/options/command_line.h"
#include "tests/support/clip.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "tests/support/texture.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 320, HEIGHT = 180, FAR = 4, NEAR = 20, FLOOR = 12 };

/* ---- The scene: as that of test_arrangement, of any size -------------------------------------- */

static int view_at(int x, int y, bool right) {
    const int floor = right ? FAR + FLOOR * y / HEIGHT : 0, near = right ? NEAR : 0;
    const bool board = x + near >= WIDTH / 3 && x + near < WIDTH / 2 && y >= HEIGHT / 3 && y < 2 * HEIGHT / 3;
    return board ? texture_grey(x + near, y, 2) / 2 : 80 + texture_grey(x + floor, y, 1) * 2 / 3;
}

/* How the next clip is painted. */
static struct {
    int layout; /* -1: one view */
    bool swap;
    int dark; /* how many frames show nothing */
} how;

static source_views tags; /* of the file, which has the right view first then */

static void paint(AVFrame *picture, int index) {
    const bool beside = how.layout >= 0 && split_is_beside((split_layout)how.layout);
    const bool above = how.layout >= 0 && !beside;
    const int width = beside ? picture->width / 2 : picture->width;
    const int height = above ? picture->height / 2 : picture->height;
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++) {
            const bool second = (beside && x >= width) || (above && y >= height);
            const int column = x % width * WIDTH / width, row = y % height * HEIGHT / height;
            picture->data[0][y * picture->linesize[0] + x] =
                (uint8_t)(index < how.dark ? 16 : view_at(column, row, how.layout >= 0 && second != how.swap));
        }
}

/* Writes `frames` frames in which the scene is as `how` says. */
static const char *write(int frames) {
    static const int sizes[][2] = {{2 * WIDTH, HEIGHT}, {WIDTH, HEIGHT}, {WIDTH, 2 * HEIGHT}, {WIDTH, HEIGHT}};
    const int *size = sizes[how.layout < 0 ? 1 : how.layout];
    const char *path = scratch_path("stream.mkv");
    clip_write(path,
               &(clip){.codec = "ffv1",
                       .format = AV_PIX_FMT_GRAY8,
                       .range = AVCOL_RANGE_JPEG,
                       .width = size[0],
                       .height = size[1],
                       .rate = 25,
                       .frames = frames},
               paint);
    return path;
}

/* ---- Looking at it ---------------------------------------------------------------------------- */

static char said[1024]; /* warnings and notes, each with a line's end */

static void keep_log(sv_level level, const char *line) {
    const size_t length = strlen(said);
    if (level <= SV_LOG_INFO) snprintf(said + length, sizeof said - length, "%s\n", line);
}

/* What is found with these further options; the first frame comes next. */
static input_options look(const char *path, const char *const *more) {
    char *arguments[16] = {"stereoview", "--headless", "--threads", "1", "-s", (char *)path};
    int count = 6;
    for (; *more; more++) arguments[count++] = (char *)*more;
    const source_options grey = {.colour = false};
    options o;
    sv_error error;
    source *whole;
    frame *first, *next;
    *said = 0;
    if (command_line_read(&o, count, arguments, &error) != SV_OK) fail_msg("%s", error.text);
    if (source_open_file(&whole, path, &grey, &error) != SV_OK) fail_msg("%s", error.text);
    whole->info.views = tags;
    whole->info.right_first = tags != SOURCE_VIEWS_UNKNOWN;
    sv_set_log(keep_log);
    if (views_find(&o, whole, &first, &error) != SV_OK) fail_msg("%s", error.text);
    sv_set_log(NULL);
    if (!first && source_read(whole, &first, &error) != SV_OK) fail_msg("%s", error.text);
    assert_int_equal(first->index, 0);
    frame_release(first);
    if (source_read(whole, &next, &error) == SV_OK) {
        assert_int_equal(next->index, 1);
        frame_release(next);
    }
    source_close(whole);
    const input_options found = o.input;
    options_free(&o);
    return found;
}
#define LOOK(path, ...)    look(path, (const char *const[]){__VA_ARGS__, NULL})
#define LOOK_PLAINLY(path) look(path, (const char *const[]){NULL})

TEST(every_layout_is_found_in_both_orders) {
    for (how.layout = 0; how.layout < SPLIT_LAYOUT_COUNT; how.layout++)
        for (int swap = 0; swap < 2; swap++) {
            char layout[64];
            how.swap = swap;
            const input_options in = LOOK_PLAINLY(write(6));
            assert_int_equal(in.split.layout, how.layout);
            assert_int_equal(in.split.swap, swap);
            assert_true(in.found.looked && in.found.layout_sure);
            assert_true(in.found.layout == how.layout && in.found.swapped == swap && in.found.share >= 75);
            assert_false(in.layout_given || in.swap_given);
            snprintf(layout, sizeof layout, "layout %s%s, found in", split_layout_name(how.layout),
                     swap ? ", the right view first" : "");
            if (!strstr(said, layout)) fail_msg("no '%s' in: %s", layout, said);
        }
    how.swap = false;
}

TEST(one_view_is_not_taken_for_two) {
    how.layout = -1;
    const input_options in = LOOK_PLAINLY(write(6));
    assert_int_equal(in.split.layout, SPLIT_SIDE_BY_SIDE);
    assert_false(in.split.swap || in.found.layout_sure);
    assert_non_null(strstr(said, "neither side by side nor one above the other"));
}

TEST(a_dark_beginning_does_not_decide) {
    how.layout = SPLIT_TOP_BOTTOM;
    how.swap = true;
    how.dark = 6;
    input_options in = LOOK_PLAINLY(write(10));
    assert_int_equal(in.split.layout, SPLIT_TOP_BOTTOM);
    assert_true(in.split.swap && in.found.layout_sure);
    how.dark = 10;
    in = LOOK_PLAINLY(write(10));
    assert_int_equal(in.split.layout, SPLIT_SIDE_BY_SIDE);
    assert_false(in.split.swap || in.found.layout_sure);
    assert_non_null(strstr(said, "no picture shows how it holds both views"));
    how.dark = 0;
    how.swap = false;
}

TEST(tags_decide_where_pictures_do_not) {
    how.layout = SPLIT_TOP_BOTTOM;
    how.dark = 6;
    tags = SOURCE_VIEWS_ABOVE;
    const char *path = write(6);
    input_options in = LOOK_PLAINLY(path);
    assert_int_equal(in.split.layout, SPLIT_TOP_BOTTOM);
    assert_true(in.split.swap && in.found.swapped && in.found.layout_sure);
    assert_non_null(strstr(said, "found in its tags"));
    assert_false(LOOK(path, "--swap", "off").split.swap);
    how.dark = 0;
    tags = SOURCE_VIEWS_BESIDE; /* of another file */
    in = LOOK_PLAINLY(write(6));
    assert_int_equal(in.split.layout, SPLIT_TOP_BOTTOM);
    assert_false(in.split.swap);
    tags = SOURCE_VIEWS_UNKNOWN;
}

TEST(what_the_user_gives_stays) {
    how.layout = SPLIT_TOP_BOTTOM;
    how.swap = true;
    const char *path = write(6);
    input_options in = LOOK(path, "--layout", "sbs");
    assert_int_equal(in.split.layout, SPLIT_SIDE_BY_SIDE);
    assert_false(in.split.swap || in.found.layout_sure);
    assert_non_null(strstr(said, "do not match for layout sbs; --layout top-bottom fits"));
    in = LOOK(path, "--swap", "off");
    assert_int_equal(in.split.layout, SPLIT_TOP_BOTTOM);
    assert_false(in.split.swap);
    how.swap = false;
    in = LOOK(write(6), "--swap");
    assert_true(in.split.swap);
    in = LOOK(path, "--layout", "auto");
    assert_int_equal(in.split.layout, SPLIT_TOP_BOTTOM);
    assert_false(in.layout_given);
}

/* Every part of a run looks at the same pictures. */
TEST(a_part_of_a_run_finds_what_the_whole_finds) {
    how.layout = SPLIT_SIDE_BY_SIDE;
    how.dark = 3;
    const char *path = write(9);
    const input_options whole = LOOK_PLAINLY(path), part = LOOK(path, "--shard", "1/3", "-o", "x_%d.pfm");
    assert_memory_equal(&part.found, &whole.found, sizeof whole.found);
    assert_true(whole.found.layout_sure);
    assert_false(LOOK(path, "--frames", "0:3").found.layout_sure);
    assert_true(LOOK(path, "--frames", "6:9").found.layout_sure);
    how.dark = 0;
}

TEST(a_screen_full_of_two_views_is_squeezed) {
    static const struct {
        int width, height;
        bool squeezed;
    } cases[] = {
        {1920, 1080, true},  {1280, 720, true},   {1920, 800, true},   {640, 480, true},    {3840, 2160, true},
        {2560, 720, false},  {3840, 1080, false}, {1280, 480, false},  {2560, 960, false},  {3200, 1200, false},
        {4416, 1242, false}, {1920, 2160, false}, {3840, 1920, false}, {900, 375, false},   {2484, 376, false},
        {1242, 750, false},  {1344, 744, false},  {1920, 960, false},  {5120, 2560, false}, {1504, 480, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (views_are_squeezed(cases[i].width, cases[i].height) != cases[i].squeezed)
            fail_msg("%dx%d", cases[i].width, cases[i].height);
}

FIXTURES(scratch_setup, scratch_teardown)
