/* Two views in one stream: the pixels of each layout, the pairs, and seeks of both halves. */
#include "capture/pair.h"
#include "capture/split.h"
#include "tests/support/clip.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const source_options in_grey = {.colour = false}, in_colour = {.colour = true};

/* The grey value of pixel x, y of frame `index`: neighbours differ; full range, as in ffv1's gray. */
static int value_at(int x, int y, int index) { return (7 * x + 29 * y + 31 * index) % 256; }

static void paint_places(AVFrame *picture, int index) {
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++)
            picture->data[0][y * picture->linesize[0] + x] = (uint8_t)value_at(x, y, index);
}

/* Quarters of the frame: 40, 80 above 120, 160. */
static void paint_quarters(AVFrame *picture, int index) {
    (void)index;
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++)
            picture->data[0][y * picture->linesize[0] + x] =
                (uint8_t)(40 + (2 * x < picture->width ? 0 : 40) + (2 * y < picture->height ? 0 : 80));
}

static const char *write_places(int width, int height, int frames) {
    const char *path = scratch_path("places.mkv");
    clip_write(path,
               &(clip){.codec = "ffv1",
                       .format = AV_PIX_FMT_GRAY8,
                       .range = AVCOL_RANGE_JPEG,
                       .width = width,
                       .height = height,
                       .rate = 25,
                       .frames = frames},
               paint_places);
    return path;
}

static void open_split(const char *path, const source_options *how, split_layout layout, bool swap, source *halves[2]) {
    source *whole;
    sv_error error;
    if (source_open_file(&whole, path, how, &error) != SV_OK) fail_msg("%s", error.text);
    const split_options options = {.layout = layout, .swap = swap, .memory = how->memory};
    if (sources_split(whole, &options, halves, &error) != SV_OK) fail_msg("%s", error.text);
}

static int warnings;
static char warning[512]; /* the last */

static void count_warnings(sv_level level, const char *line) {
    if (level != SV_LOG_WARNING) return;
    snprintf(warning, sizeof warning, "%s", line);
    warnings++;
}

static void close_both(source *halves[2]) {
    source_close(halves[0]);
    source_close(halves[1]);
}

static frame *read_one(source *source) {
    frame *frame;
    sv_error error;
    if (source_read(source, &frame, &error) != SV_OK) fail_msg("%s: no frame: %s", source->name, error.text);
    return frame;
}

/* The next frame of a half is width x height pixels of frame `index` of the whole, from x, y on. */
static void expect_part(source *half, int x, int y, int width, int height, int index) {
    frame *frame = read_one(half);
    assert_int_equal(frame->index, index);
    assert_int_equal(half->info.width, width);
    assert_int_equal(half->info.height, height);
    assert_int_equal(frame->grey.width, width);
    assert_int_equal(frame->grey.height, height);
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++)
            if (((uint8_t *)sv_row(&frame->grey, j))[i] != value_at(x + i, y + j, index))
                fail_msg("%s: frame %d, pixel %d, %d", half->name, index, i, j);
    frame_release(frame);
}

TEST(test_full_layouts_are_parts_of_the_frame) {
    /* Odd sizes lose the middle column or row. */
    sv_set_log(count_warnings);
    for (int odd = 0; odd < 2; odd++) {
        const char *path = write_places(64 + odd, 48 + odd, 3);
        for (int swap = 0; swap < 2; swap++) {
            source *halves[2];
            warnings = 0;
            open_split(path, &in_grey, SPLIT_SIDE_BY_SIDE, swap, halves);
            assert_int_equal(warnings, odd);
            if (odd) assert_non_null(strstr(warning, "65x49 pixels, which two pictures side by side cannot share"));
            for (int i = 0; i < 3; i++) {
                expect_part(halves[swap], 0, 0, 32, 48 + odd, i);
                expect_part(halves[!swap], 32 + odd, 0, 32, 48 + odd, i);
            }
            close_both(halves);
            warnings = 0;
            open_split(path, &in_grey, SPLIT_TOP_BOTTOM, swap, halves);
            assert_int_equal(warnings, odd);
            if (odd) assert_non_null(strstr(warning, "the middle row is left out"));
            for (int i = 0; i < 3; i++) {
                expect_part(halves[swap], 0, 0, 64 + odd, 24, i);
                expect_part(halves[!swap], 0, 24 + odd, 64 + odd, 24, i);
            }
            close_both(halves);
        }
    }
    sv_set_log(NULL);
}

/* A picture that cannot be decoded is lost once, not once for each half. */
TEST(what_is_lost_counts_once) {
    enum { FRAMES = 6, BROKEN = 3 };
    static unsigned char bytes[1 << 16];
    size_t size;
    const char *path = scratch_path("whole.avi");
    clip_write(path,
               &(clip){.codec = "mjpeg",
                       .format = AV_PIX_FMT_YUVJ420P,
                       .range = AVCOL_RANGE_JPEG,
                       .width = 64,
                       .height = 48,
                       .rate = 25,
                       .frames = FRAMES},
               paint_quarters);
    const char *read = scratch_read(path, &size);
    assert_true(size <= sizeof bytes);
    memcpy(bytes, read, size);
    unsigned char *begin = bytes;
    for (int i = 0; i <= BROKEN; i++) begin = memmem(begin + 1, size - (size_t)(begin + 1 - bytes), "\xff\xd8\xff", 3);
    const unsigned char *end = memmem(begin, size - (size_t)(begin - bytes), "00dc", 4); /* the next chunk */
    memset(begin, 0, (size_t)(end - begin));
    source *halves[2];
    open_split(scratch_write("broken.avi", bytes, size), &in_grey, SPLIT_SIDE_BY_SIDE, false, halves);
    int lost[2] = {0, 0};
    for (int i = 0; i < FRAMES - 1; i++)
        for (int side = 0; side < 2; side++) {
            frame *frame = read_one(halves[side]);
            assert_int_equal(frame->index, i < BROKEN ? i : i + 1);
            lost[side] += frame->lost;
            frame_release(frame);
        }
    assert_int_equal(lost[0] + lost[1], 1);
    close_both(halves);
}

TEST(test_squeezed_layouts_are_brought_back) {
    const char *path = scratch_path("quarters.mkv");
    clip_write(path,
               &(clip){.codec = "ffv1",
                       .format = AV_PIX_FMT_GRAY8,
                       .range = AVCOL_RANGE_JPEG,
                       .width = 64,
                       .height = 48,
                       .rate = 25,
                       .frames = 1},
               paint_quarters);
    for (int beside = 0; beside < 2; beside++) {
        source *halves[2];
        open_split(path, &in_colour, beside ? SPLIT_SIDE_BY_SIDE_HALF : SPLIT_TOP_BOTTOM_HALF, false, halves);
        for (int side = 0; side < 2; side++) {
            frame *frame = read_one(halves[side]);
            assert_int_equal(halves[side]->info.width, 64);
            assert_int_equal(halves[side]->info.height, 48);
            assert_int_equal(frame->grey.width, 64);
            assert_int_equal(frame->grey.height, 48);
            /* Each half keeps its two quarters, which are blended where they adjoin. */
            for (int y = 0; y < 48; y++)
                for (int x = 0; x < 64; x++) {
                    const int along = beside ? y : x, size = beside ? 48 : 64;
                    if (abs(2 * along - size) <= 4) continue;
                    const int second = 2 * along > size;
                    const int expected = beside ? 40 + 40 * side + 80 * second : 40 + 80 * side + 40 * second;
                    const int grey = ((uint8_t *)sv_row(&frame->grey, y))[x];
                    const uint8_t *colour = (uint8_t *)sv_row(&frame->colour, y) + 4 * x;
                    if (abs(grey - expected) > 1 || abs(colour[0] - expected) > 2 || abs(colour[2] - expected) > 2)
                        fail_msg("pixel %d, %d: %d and %d, not %d", x, y, grey, colour[0], expected);
                }
            frame_release(frame);
        }
        close_both(halves);
    }
}

TEST(test_full_layouts_do_not_copy) {
    source *halves[2];
    open_split(write_places(64, 48, 1), &in_grey, SPLIT_SIDE_BY_SIDE, false, halves);
    frame *left = read_one(halves[0]), *right = read_one(halves[1]);
    assert_ptr_equal((uint8_t *)left->grey.data + 32, right->grey.data);
    close_both(halves);
    /* The memory is valid until the last of them is released. */
    frame_release(left);
    assert_int_equal(((uint8_t *)right->grey.data)[0], value_at(32, 0, 0));
    frame_release(right);
}

TEST(test_one_half_can_run_ahead) {
    source *halves[2];
    open_split(write_places(64, 48, 12), &in_grey, SPLIT_SIDE_BY_SIDE, false, halves);
    for (int i = 0; i < 12; i++) expect_part(halves[0], 0, 0, 32, 48, i);
    frame *frame;
    assert_int_equal(source_read(halves[0], &frame, NULL), SV_END);
    for (int i = 0; i < 12; i++) expect_part(halves[1], 32, 0, 32, 48, i);
    assert_int_equal(source_read(halves[1], &frame, NULL), SV_END);
    close_both(halves);
}

TEST(test_pairs_play_and_seek_without_a_loss) {
    enum { FRAMES = 20 };
    source *halves[2];
    sv_error error;
    pairing *pairing;
    frame_pair pair;
    open_split(write_places(64, 48, FRAMES), &in_grey, SPLIT_SIDE_BY_SIDE, false, halves);
    assert_int_equal(pairing_open(&pairing, halves[0], halves[1], 4, &error), SV_OK);
    for (int i = 0; i < FRAMES; i++) {
        if (pairing_next(pairing, &pair, &error) != SV_OK) fail_msg("frame %d: %s", i, error.text);
        assert_int_equal(pair.left->index, i);
        assert_int_equal(pair.right->index, i);
        frame_pair_release(&pair);
    }
    assert_int_equal(pairing_next(pairing, &pair, &error), SV_END);
    for (int i = 0; i < 100; i++) {
        const int index = i * 7 % FRAMES;
        if (pairing_seek(pairing, (index - 0.25) / 25, &error) != SV_OK) fail_msg("%s", error.text);
        for (int k = index; k < index + i % 4 && k < FRAMES; k++) {
            if (pairing_next(pairing, &pair, &error) != SV_OK) fail_msg("frame %d: %s", k, error.text);
            assert_int_equal(pair.left->index, k);
            assert_int_equal(pair.right->index, k);
            frame_pair_release(&pair);
        }
    }
    const pairing_counts counts = pairing_count(pairing);
    assert_int_equal(counts.dropped_left, 0);
    assert_int_equal(counts.dropped_right, 0);
    pairing_close(pairing);
}

FIXTURES(scratch_setup, scratch_teardown)
