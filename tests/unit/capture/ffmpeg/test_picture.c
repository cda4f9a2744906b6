/* Decoded pictures as grey and colour, against their definitions, and the pool that holds them. */
#include "capture/ffmpeg/picture.h"
#include "tests/support/clip.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <libavutil/pixdesc.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static const uint8_t *colour_at(const frame *frame, int x, int y) {
    return (uint8_t *)sv_row(&frame->colour, y) + 4 * x;
}

/* ---- Grey and colour -------------------------------------------------------------------------- */

TEST(grey_picture_of_8_bits_is_kept) {
    uint8_t samples[9 * 33];
    for (size_t i = 0; i < sizeof samples; i++) samples[i] = (uint8_t)(7 * i);
    source *source = open_file(write_pnm("a.pgm", 5, 33, 9, 255, samples, sizeof samples));
    assert_true(source->info.pictures);
    assert_int_equal(source->info.frames, 1);
    assert_int_equal(source->info.width, 33);
    assert_int_equal(source->info.height, 9);
    assert_string_equal(source->info.description, "pgm 33x9");
    frame *frame = read_frame(source);
    for (int y = 0; y < 9; y++)
        for (int x = 0; x < 33; x++) assert_int_equal(grey_at(frame, x, y), samples[33 * y + x]);
    assert_int_equal(read_to_end(source), 0);
    source_close(source);
    assert_int_equal(grey_at(frame, 1, 0), 7); /* it outlives its source */
    frame_release(frame);
}

TEST(grey_picture_of_16_bits_is_rounded) {
    uint8_t samples[2 * 64 * 64]; /* big-endian */
    for (int i = 0; i < 64 * 64; i++) {
        samples[2 * i] = (uint8_t)(i * 16 >> 8);
        samples[2 * i + 1] = (uint8_t)(i * 16 + 5);
    }
    source *source = open_file(write_pnm("deep.pgm", 5, 64, 64, 65535, samples, sizeof samples));
    frame *frame = read_frame(source);
    for (int i = 0; i < 64 * 64; i++) {
        int value = samples[2 * i] << 8 | samples[2 * i + 1];
        assert_int_equal(grey_at(frame, i % 64, i / 64), lround(value * 255.0 / 65535));
    }
    frame_release(frame);
    source_close(source);
}

TEST(colour_picture_becomes_luma) {
    uint8_t samples[3 * 32 * 32];
    for (int i = 0; i < 32 * 32; i++) {
        samples[3 * i] = (uint8_t)(i * 37);
        samples[3 * i + 1] = (uint8_t)(i * 101);
        samples[3 * i + 2] = (uint8_t)(i * 11);
    }
    memset(samples, 255, 3);
    memset(samples + 3, 0, 3);
    source *source = open_file(write_pnm("a.ppm", 6, 32, 32, 255, samples, sizeof samples));
    frame *frame = read_frame(source);
    for (int i = 0; i < 32 * 32; i++) {
        const uint8_t *rgb = samples + 3 * i, *colour = colour_at(frame, i % 32, i / 32);
        assert_memory_equal(colour, rgb, 3);
        assert_int_equal(colour[3], 255);
        /* ITU-R BT.601; swscale rounds twice */
        double luma = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
        if (fabs(grey_at(frame, i % 32, i / 32) - luma) > 1.01)
            fail_msg("%d %d %d: %d, not %g", rgb[0], rgb[1], rgb[2], grey_at(frame, i % 32, i / 32), luma);
    }
    assert_int_equal(grey_at(frame, 0, 0), 255);
    assert_int_equal(grey_at(frame, 1, 0), 0);
    frame_release(frame);
    source_close(source);
}

static uint8_t colour_of(int x, int y, int component) { return (uint8_t)((3 * x + component) * 37 + y * 101); }

static void paint_colours(AVFrame *picture, int index) {
    (void)index;
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++)
            for (int byte = 0; byte < 6; byte++) /* the same twice: 257 times the value */
                picture->data[0][y * picture->linesize[0] + 6 * x + byte] = colour_of(x, y, byte / 2);
}

/* A matrix leads from RGB to luma. Where the samples are RGB, the one that the file names converts nothing. */
TEST(colour_without_luma_has_no_matrix) {
    const clip clip = {"ffv1",    AV_PIX_FMT_RGB48LE, AVCOL_RANGE_UNSPECIFIED, .width = 32, .height = 8,
                       .rate = 1, .frames = 1,        .space = AVCOL_SPC_BT709};
    clip_write(scratch_path("a.mkv"), &clip, paint_colours);
    source *source = open_file(scratch_path("a.mkv"));
    frame *frame = read_frame(source);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 32; x++) {
            const uint8_t *colour = colour_at(frame, x, y);
            for (int c = 0; c < 3; c++) assert_in_range(colour[c] - colour_of(x, y, c) + 1, 0, 2);
            const double luma = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2];
            if (fabs(grey_at(frame, x, y) - luma) > 1.5) fail_msg("%d, not %g", grey_at(frame, x, y), luma);
        }
    frame_release(frame);
    source_close(source);
}

/* Luma runs through all values (deeper samples: from 0 to the largest). */
static void paint_ramp(AVFrame *picture, int index) {
    (void)index;
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(picture->format);
    AVComponentDescriptor luma = description->comp[0];
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++) {
            uint8_t *sample = picture->data[0] + y * picture->linesize[0] + x * luma.step + luma.offset;
            int value = (y * picture->width + x) * ((1 << luma.depth) - 1) / (picture->width * picture->height - 1);
            value <<= luma.shift;
            const int low = description->flags & AV_PIX_FMT_FLAG_BE ? 1 : 0;
            if (luma.depth == 8)
                sample[0] = (uint8_t)value;
            else
                sample[low] = (uint8_t)value, sample[!low] = (uint8_t)(value >> 8);
        }
}

enum { RAMP_WIDTH = 70, RAMP_HEIGHT = 62 };

/* Checks that the frame is the grey of a ramp in that format, with full or limited range. */
static void check_ramp(const frame *frame, enum AVPixelFormat format, bool full) {
    const int depth = av_pix_fmt_desc_get(format)->comp[0].depth, pixels = RAMP_WIDTH * RAMP_HEIGHT;
    const double unit = full ? ((1 << depth) - 1) / 255.0 : 1 << (depth - 8);
    const double black = full ? 0 : 16, range = full ? 255 : 219;
    for (int p = 0; p < pixels; p++) {
        const int sample = p * ((1 << depth) - 1) / (pixels - 1), got = grey_at(frame, p % RAMP_WIDTH, p / RAMP_WIDTH);
        const double value = fmin(fmax((sample / unit - black) * 255 / range, 0), 255);
        if (fabs(got - value) > 0.5 + 1e-9)
            fail_msg("%s, %s range: %d becomes %d, not %g", av_get_pix_fmt_name(format), full ? "full" : "limited",
                     sample, got, value);
    }
}

TEST(luma_becomes_grey_of_full_range) {
    const enum AVColorRange unknown = AVCOL_RANGE_UNSPECIFIED, limited = AVCOL_RANGE_MPEG, full = AVCOL_RANGE_JPEG;
    const struct {
        const char *codec, *file;
        enum AVPixelFormat format;
        enum AVColorRange range;
        bool full; /* what that must be read as */
    } cases[] = {
        {"ffv1", "v.mkv", AV_PIX_FMT_YUV420P, limited, false},
        {"ffv1", "v.mkv", AV_PIX_FMT_YUV420P, unknown, false},
        {"ffv1", "v.mkv", AV_PIX_FMT_YUV420P, full, true},
        {"ffv1", "v.mkv", AV_PIX_FMT_YUV444P, full, true},
        {"ffv1", "v.mkv", AV_PIX_FMT_YUVA420P, limited, false},
        {"ffv1", "v.mkv", AV_PIX_FMT_YUV420P10LE, limited, false},
        {"ffv1", "v.mkv", AV_PIX_FMT_YUV422P12LE, full, true},
        {"ffv1", "v.mkv", AV_PIX_FMT_GRAY8, unknown, true},
        {"ffv1", "v.mkv", AV_PIX_FMT_GRAY16LE, unknown, true},
        {"png", "v.png", AV_PIX_FMT_GRAY16BE, unknown, true},
        {"rawvideo", "v.nut", AV_PIX_FMT_YUV420P10BE, unknown, false},
        {"rawvideo", "v.nut", AV_PIX_FMT_YUYV422, unknown, false},
        {"rawvideo", "v.nut", AV_PIX_FMT_UYVY422, unknown, false},
        {"rawvideo", "v.nut", AV_PIX_FMT_NV12, unknown, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const clip clip = {cases[i].codec,        cases[i].format, cases[i].range, .width = RAMP_WIDTH,
                           .height = RAMP_HEIGHT, .rate = 25,      .frames = 1};
        const char *path = scratch_path(cases[i].file);
        clip_write(path, &clip, paint_ramp);
        source *source = open_with(path, (source_options){0});
        frame *frame = read_frame(source);
        assert_null(frame->colour.data);
        check_ramp(frame, cases[i].format, cases[i].full);
        frame_release(frame);
        source_close(source);
    }
}

/* In colour, a picture without colour is its grey three times, whatever came before it. */
TEST(grey_is_its_own_colour) {
    static const struct {
        enum AVPixelFormat format;
        enum AVColorRange range;
    } cases[] = {
        {AV_PIX_FMT_GRAY8, AVCOL_RANGE_UNSPECIFIED},    {AV_PIX_FMT_GRAY8, AVCOL_RANGE_MPEG},
        {AV_PIX_FMT_GRAY16LE, AVCOL_RANGE_UNSPECIFIED}, {AV_PIX_FMT_GRAY16BE, AVCOL_RANGE_MPEG},
        {AV_PIX_FMT_YA8, AVCOL_RANGE_UNSPECIFIED},
    };
    picture_maker maker;
    picture_maker_create(&maker, (pool_memory){0}, true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        frame *frame;
        AVFrame *picture = av_frame_alloc();
        picture->format = cases[i].format;
        picture->color_range = cases[i].range;
        picture->width = RAMP_WIDTH;
        picture->height = RAMP_HEIGHT;
        assert_int_equal(av_frame_get_buffer(picture, 0), 0);
        paint_ramp(picture, 0);
        assert_int_equal(picture_to_frame(&maker, picture, "grey", &frame, NULL), SV_OK);
        check_ramp(frame, cases[i].format, cases[i].range != AVCOL_RANGE_MPEG);
        for (int p = 0; p < RAMP_WIDTH * RAMP_HEIGHT; p++) {
            const int x = p % RAMP_WIDTH, y = p / RAMP_WIDTH;
            const uint8_t grey = (uint8_t)grey_at(frame, x, y);
            assert_memory_equal(colour_at(frame, x, y), ((uint8_t[]){grey, grey, grey, 255}), 4);
        }
        frame_release(frame);
        av_frame_free(&picture);
    }
    picture_maker_destroy(&maker);
}

/* Hardware decoders store 10 bits in the upper part of 16, for which FFmpeg has no encoder. */
TEST(shifted_luma_becomes_grey) {
    static const enum AVPixelFormat formats[] = {AV_PIX_FMT_P010LE, AV_PIX_FMT_P010BE, AV_PIX_FMT_P016LE};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        picture_maker maker;
        frame *frame;
        picture_maker_create(&maker, (pool_memory){0}, false);
        AVFrame *picture = av_frame_alloc();
        picture->format = formats[i];
        picture->width = RAMP_WIDTH;
        picture->height = RAMP_HEIGHT;
        assert_int_equal(av_frame_get_buffer(picture, 0), 0);
        paint_ramp(picture, 0);
        assert_int_equal(picture_to_frame(&maker, picture, "shifted", &frame, NULL), SV_OK);
        check_ramp(frame, formats[i], false);
        frame_release(frame);
        av_frame_free(&picture);
        picture_maker_destroy(&maker);
    }
}

/* ---- The pool --------------------------------------------------------------------------------- */

static struct {
    int count, live;
    char *block[64];
    size_t bytes[64];
    pthread_mutex_t mutex;                      /* decoders have threads of their own */
} taken = {.mutex = PTHREAD_MUTEX_INITIALIZER}; /* by sources whose memory is counted */

static void *take_counted(size_t bytes) {
    pthread_mutex_lock(&taken.mutex);
    char *block = taken.count < 64 ? malloc(bytes) : NULL; /* NULL fails the test that decodes */
    if (block) {
        taken.bytes[taken.count] = bytes;
        taken.block[taken.count++] = block;
        taken.live++;
    }
    pthread_mutex_unlock(&taken.mutex);
    return block;
}

static void free_counted(void *memory) {
    pthread_mutex_lock(&taken.mutex);
    taken.live--;
    pthread_mutex_unlock(&taken.mutex);
    free(memory);
}

static const source_options counted = {.memory = {take_counted, free_counted}};

TEST(memory_does_not_grow_with_frames) {
    /* A codec whose pictures are decoded one by one, so that the same number is in use every time. */
    const clip clip = {"mpeg2video", AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, .width = 64,
                       .height = 48, .rate = 25,         .frames = 30,     .between = 2};
    clip_write(scratch_path("p.mkv"), &clip, clip_paint_number);
    taken.count = taken.live = 0;
    source *source = open_with(scratch_path("p.mkv"), counted);
    for (int i = 0; i < 5; i++) frame_release(read_frame(source));
    int early = taken.count;
    assert_int_equal(read_to_end(source), 25);
    assert_int_equal(taken.count, early);
    source_close(source);
    assert_int_equal(taken.live, 0);
}

/* Released blocks are reused: of several the one that fits best; if none fits, the smallest is freed for the new one.
 */
TEST(blocks_are_taken_again) {
    pool *pool;
    taken.count = taken.live = 0;
    pool = pool_create(counted.memory);
    void *small = pool_take(pool, 1000), *middle = pool_take(pool, 2000), *large = pool_take(pool, 3000);
    assert_int_equal(taken.count, 3);
    void *const blocks[] = {middle, large, small}; /* sorted neither up nor down by size */
    for (int i = 0; i < 3; i++) pool_give_back(pool, blocks[i]);
    assert_ptr_equal(pool_take(pool, 1500), middle);
    assert_ptr_equal(pool_take(pool, 1000), small);
    assert_ptr_equal(pool_take(pool, 1), large);
    assert_int_equal(taken.count, 3);
    for (int i = 0; i < 3; i++) pool_give_back(pool, blocks[i]);
    void *huge = pool_take(pool, 9000); /* in place of the small one */
    assert_int_equal(taken.count, 4);
    assert_int_equal(taken.live, 3);
    assert_ptr_equal(pool_take(pool, 900), middle);
    assert_ptr_equal(pool_take(pool, 900), large);
    assert_int_equal(taken.count, 4);
    pool_give_back(pool, huge);
    pool_give_back(pool, large);
    pool_close(pool);
    assert_int_equal(taken.live, 1);
    pool_give_back(pool, middle); /* the last, which the pool waited for */
    assert_int_equal(taken.live, 0);
}

static struct {
    pool *pool;
    void *last; /* the block that is still in use */
} closing;

static void free_and_give_back_last(void *memory) {
    void *last = closing.last;
    closing.last = NULL;
    free(memory);
    pool_give_back(closing.pool, last);
}

static void *give_back_first(void *block) {
    pool_give_back(closing.pool, block);
    return NULL;
}

/* The last block may come back while the pool is being closed, and while another thread gives back the block before it.
 * AddressSanitizer judges the first, ThreadSanitizer the second. */
TEST(last_block_may_come_back_at_any_time) {
    closing.pool = pool_create((pool_memory){malloc, free_and_give_back_last});
    void *blocks[3];
    for (int i = 0; i < 3; i++) blocks[i] = pool_take(closing.pool, 100);
    for (int i = 0; i < 2; i++) pool_give_back(closing.pool, blocks[i]);
    closing.last = blocks[2];
    pool_close(closing.pool);
    assert_null(closing.last);

    closing.pool = pool_create((pool_memory){malloc, free});
    for (int i = 0; i < 2; i++) blocks[i] = pool_take(closing.pool, 100);
    pool_close(closing.pool);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, give_back_first, blocks[0]), 0);
    pool_give_back(closing.pool, blocks[1]);
    pthread_join(thread, NULL);
}

TEST(full_range_luma_is_not_copied) {
    const clip clip = {"ffv1",       AV_PIX_FMT_YUV420P, AVCOL_RANGE_JPEG, .width = 64,
                       .height = 48, .rate = 25,         .frames = 5};
    clip_write(scratch_path("z.mkv"), &clip, clip_paint_number);
    taken.count = taken.live = 0;
    source *source = open_with(scratch_path("z.mkv"), counted);
    frame *frame = read_frame(source);
    /* It is in the pool, in a block with space for the chroma: it is the decoder's own plane. */
    bool found = false;
    for (int i = 0; i < taken.count; i++) {
        char *block = taken.block[i], *data = frame->grey.data;
        found = found || (data >= block && data < block + taken.bytes[i] && taken.bytes[i] >= 64 * 48 * 3 / 2);
    }
    assert_true(found);
    assert_int_equal(grey_at(frame, 5, 5), 40);
    read_to_end(source);
    source_close(source);
    assert_int_equal(grey_at(frame, 5, 5), 40);
    assert_true(taken.live > 0);
    frame_release(frame);
    assert_int_equal(taken.live, 0);
}

FIXTURES(reading_setup, scratch_teardown)
