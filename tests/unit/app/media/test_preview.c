/* Small pictures of both sides of an input. */
#include "app/media/preview.h"

#include "stereo/clock.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void news(void) {}

/* A grey picture whose four quarters have these values, in the order of reading. */
static void paint(const char *name, int width, int height, const uint8_t values[4]) {
    char bytes[64 + 1024 * 64];
    const int head = snprintf(bytes, 64, "P5\n%d %d\n255\n", width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            bytes[head + y * width + x] = (char)values[2 * (y >= height / 2) + (x >= width / 2)];
    scratch_write(name, bytes, (size_t)(head + width * height));
}

static preview *made;

static const preview_result *show(const char *left, const char *right, int layout, bool swap) {
    static options from = {.input.frames.end = INT64_MAX, .match.threads = 1};
    request asked = {.layout = layout, .swap = swap, .order_given = true};
    snprintf(asked.names[0], sizeof asked.names[0], "%s", scratch_path(left));
    if (right) snprintf(asked.names[1], sizeof asked.names[1], "%s", scratch_path(right));
    preview_close(made);
    made = preview_open(&asked, &from, news);
    const double until = sv_seconds() + PATIENCE;
    while (!preview_get(made) && sv_seconds() < until) usleep(1000);
    assert_non_null(preview_get(made));
    return preview_get(made);
}

static void check(const sv_image *picture, int width, int height, int first, int last) {
    assert_non_null(picture->data);
    assert_int_equal(picture->width, width);
    assert_int_equal(picture->height, height);
    const uint8_t *pixels = picture->data, *end = pixels + 4 * (width * height - 1);
    for (int c = 0; c < 3; c++) assert_in_range(pixels[c], first - 1, first + 1);
    for (int c = 0; c < 3; c++) assert_in_range(end[c], last - 1, last + 1);
    assert_int_equal(pixels[3], 255);
}

/* A pixel is the mean of those that it stands for: here 3 x 3, and fewer at the edges. */
TEST(two_sides_are_shown_small) {
    paint("l.pgm", 700, 40, (const uint8_t[]){10, 10, 10, 50});
    paint("r.pgm", 700, 40, (const uint8_t[]){100, 100, 100, 200});
    const preview_result *shown = show("l.pgm", "r.pgm", 0, false);
    check(&shown->pictures[0], 234, 14, 10, 50);
    check(&shown->pictures[1], 234, 14, 100, 200);
    assert_true(shown->aspect == 17.5f);
    assert_non_null(strstr(shown->text, "700 x 40"));
    shown = show("l.pgm", "r.pgm", 0, true);
    check(&shown->pictures[0], 234, 14, 100, 200);
    check(&shown->pictures[1], 234, 14, 10, 50);
}

TEST(one_stream_is_split_as_chosen) {
    paint("both.pgm", 64, 32, (const uint8_t[]){10, 60, 110, 160});
    const preview_result *shown = show("both.pgm", NULL, 1 + SPLIT_SIDE_BY_SIDE, false);
    check(&shown->pictures[0], 32, 32, 10, 110);
    check(&shown->pictures[1], 32, 32, 60, 160);
    assert_true(shown->aspect == 1);
    shown = show("both.pgm", NULL, 1 + SPLIT_TOP_BOTTOM, true);
    check(&shown->pictures[0], 64, 16, 110, 160);
    check(&shown->pictures[1], 64, 16, 10, 60);
    assert_true(shown->aspect == 4);
    shown = show("both.pgm", NULL, 1 + SPLIT_SIDE_BY_SIDE_HALF, false);
    assert_true(shown->aspect == 2); /* that of the view, which is squeezed */
}

/* One that does not show two views is shown as it is. */
TEST(one_side_is_shown_alone) {
    paint("one.pgm", 64, 32, (const uint8_t[]){10, 10, 10, 10});
    const preview_result *shown = show("one.pgm", NULL, 0, false);
    check(&shown->pictures[0], 64, 32, 10, 10);
    assert_null(shown->pictures[1].data);
    assert_non_null(strstr(shown->text, "not two views"));
}

TEST(what_has_no_pictures_says_what_it_is) {
    scratch_write_text("s.yaml", "method: ssd\n");
    assert_non_null(strstr(show("s.yaml", NULL, 0, false)->text, "settings"));
    assert_non_null(strstr(show("gone.mkv", NULL, 0, false)->text, "gone.mkv: cannot be opened"));
    assert_null(preview_get(made)->pictures[0].data);
    preview_close(made);
    made = NULL;
}

FIXTURES(scratch_setup, scratch_teardown)
