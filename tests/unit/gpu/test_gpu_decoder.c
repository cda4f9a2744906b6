/* Videos that the card decodes have the pictures, numbers and times of the CPU's decoder, byte for byte: from the
 * first frame to the last, after a seek, cropped from a larger coded size, and beside what is damaged. Skipped if there
 * is no device, unless SV_TEST_BACKEND is cuda. */
#include "capture/source.h"
#include "stereo/stereo.h"
#include "tests/support/backend.h"
#include "tests/support/clip.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <inttypes.h>
#include <string.h>

enum { CPU, CARD, DECODERS };

static const struct video {
    const char *name, *codec;
    enum AVPixelFormat format;
    enum AVColorRange range;
    int width, height, between;
} videos[] = {
    {"h264.mp4", "libx264", AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, 640, 480, 2},
    {"h264_full.mkv", "libx264", AV_PIX_FMT_YUV420P, AVCOL_RANGE_JPEG, 1242, 374, 0}, /* 1248x384 are coded */
    {"hevc.mp4", "libx265", AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, 1242, 374, 3},
    {"hevc_10.mkv", "libx265", AV_PIX_FMT_YUV420P10, AVCOL_RANGE_MPEG, 640, 480, 3},
    {"vp9.webm", "libvpx-vp9", AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, 640, 480, 0},
};
enum { VIDEOS = sizeof videos / sizeof *videos, GROUP = 12 };

/* A gradient that moves, in the samples' own width, with a corner of noise. */
static void paint(AVFrame *picture, int index) {
    uint32_t noise = 1 + (uint32_t)index;
    const bool deep = picture->format == AV_PIX_FMT_YUV420P10;
    for (int y = 0; y < picture->height; y++) {
        uint8_t *row = picture->data[0] + (ptrdiff_t)y * picture->linesize[0];
        for (int x = 0; x < picture->width; x++) {
            noise = noise * 1664525 + 1013904223;
            const bool noisy = x < picture->width / 3 && y > picture->height / 2;
            const int value = 64 + (x * 3 + y * 2 + index * 9) % 800 + (noisy ? (int)(noise >> 26) : 0);
            if (deep)
                ((uint16_t *)(void *)row)[x] = (uint16_t)value;
            else
                row[x] = (uint8_t)(value >> 2);
        }
    }
}

static const char *make(const struct video *v, int frames) {
    const char *path = scratch_path(v->name);
    const clip clip = {.codec = v->codec,
                       .format = v->format,
                       .range = v->range,
                       .width = v->width,
                       .height = v->height,
                       .rate = 25,
                       .frames = frames,
                       .between = v->between,
                       .group = GROUP,
                       .quality = 20};
    clip_write(path, &clip, paint);
    return path;
}

/* Opens the file with both decoders. */
static void open_both(const char *path, source *sources[DECODERS]) {
    for (int i = 0; i < DECODERS; i++) {
        source_options options = {.memory = {sv_cuda.alloc, sv_cuda.free}};
        if (i == CARD) options.card = (pool_card){&sv_cuda, 0};
        sv_error error;
        if (source_open_file(&sources[i], path, &options, &error) != SV_OK) fail_msg("%s", error.text);
        if (sources[i]->info.on_card != (i == CARD)) fail_msg("%s: the wrong decoder", path);
    }
}

static void close_both(source *sources[DECODERS]) {
    for (int i = 0; i < DECODERS; i++) source_close(sources[i]);
}

/* The first row in which the pictures differ, -1 if there is none. */
static int differing_row(const frame *a, const frame *b) {
    const sv_image *left = frame_grey(a), *right = frame_grey(b);
    assert_true(left->width == right->width && left->height == right->height);
    for (int y = 0; y < left->height; y++)
        if (memcmp(sv_row(left, y), sv_row(right, y), (size_t)left->width)) return y;
    return -1;
}

/* Reads both sources to their ends, and returns the number of frames. Those that the CPU's decoder doubts may differ.
 */
static int compare_rest(const char *path, source *sources[DECODERS], int *damaged) {
    for (int count = 0;; count++) {
        frame *frames[DECODERS];
        sv_status status[DECODERS];
        sv_error error;
        for (int i = 0; i < DECODERS; i++) status[i] = source_read(sources[i], &frames[i], &error);
        if (status[CPU] != status[CARD]) fail_msg("%s: frame %d is there for one decoder alone", path, count);
        if (status[CPU] != SV_OK) return count;
        assert_int_equal(frames[CARD]->grey.memory, SV_DEVICE);
        assert_int_equal(frames[CARD]->index, frames[CPU]->index);
        assert_near(frames[CARD]->time, frames[CPU]->time, 0);
        *damaged += frames[CPU]->damaged;
        const int row = frames[CPU]->damaged ? -1 : differing_row(frames[CPU], frames[CARD]);
        if (row >= 0) fail_msg("%s: frame %" PRId64 " differs from row %d on", path, frames[CPU]->index, row);
        for (int i = 0; i < DECODERS; i++) frame_release(frames[i]);
    }
}

TEST(pictures_are_those_of_the_cpu) {
    test_backend("cuda");
    const int frames = quick() ? 14 : 60;
    for (int v = 0; v < VIDEOS; v++) {
        const char *path = make(&videos[v], frames);
        source *sources[DECODERS];
        int damaged = 0;
        open_both(path, sources);
        assert_int_equal(compare_rest(path, sources, &damaged), frames);
        assert_int_equal(damaged, 0);
        for (int at = frames - 3; at >= 0; at -= 11) {
            double seconds[DECODERS];
            for (int i = 0; i < DECODERS; i++)
                assert_int_equal(source_seek_frame(sources[i], at, &seconds[i], NULL), SV_OK);
            assert_near(seconds[CARD], seconds[CPU], 0);
            assert_int_equal(compare_rest(path, sources, &damaged), frames - at);
        }
        close_both(sources);
    }
}

/* Pictures that a user keeps are not overwritten by those that follow. */
TEST(pictures_last_as_long_as_they_are_held) {
    enum { HELD = 12 };
    test_backend("cuda");
    source *sources[DECODERS];
    frame *held[DECODERS][HELD];
    open_both(make(&videos[0], HELD), sources);
    for (int i = 0; i < DECODERS; i++)
        for (int k = 0; k < HELD; k++) assert_int_equal(source_read(sources[i], &held[i][k], NULL), SV_OK);
    close_both(sources);
    for (int k = 0; k < HELD; k++) assert_int_equal(differing_row(held[CPU][k], held[CARD][k]), -1);
    for (int i = 0; i < DECODERS; i++)
        for (int k = 0; k < HELD; k++) frame_release(held[i][k]);
}

/* A transport stream from which packets are missing: all that the CPU's decoder does not doubt is the same, and so is
 * what follows the next key frame. */
TEST(damage_spoils_no_other_picture) {
    static const struct video broken = {"whole.ts", "libx264", AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, 640, 480, 0};
    enum { FRAMES = 4 * GROUP, PACKET = 188, LOST = 9 };
    test_backend("cuda");
    size_t size;
    const char *bytes = scratch_read(make(&broken, FRAMES), &size);
    const size_t cut = size / 3 / PACKET * PACKET, after = cut + LOST * PACKET;
    char *rest = (char *)bytes + cut;
    memmove(rest, bytes + after, size - after);
    const char *path = scratch_write("broken.ts", bytes, size - LOST * PACKET);
    source *sources[DECODERS];
    int damaged = 0;
    open_both(path, sources);
    const int frames = compare_rest(path, sources, &damaged);
    close_both(sources);
    assert_true(frames > FRAMES - GROUP && damaged > 0 && damaged <= 2 * GROUP);
}

/* What the card cannot decode, the CPU does: 4:2:2, and MPEG-4, whose decoders differ. */
TEST(other_videos_stay_on_the_cpu) {
    static const struct video others[] = {
        {"h264_422.mkv", "libx264", AV_PIX_FMT_YUV422P, AVCOL_RANGE_MPEG, 640, 480, 0},
        {"mpeg4.mp4", "mpeg4", AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, 640, 480, 0},
    };
    test_backend("cuda");
    for (int i = 0; i < 2; i++) {
        const source_options options = {.memory = {sv_cuda.alloc, sv_cuda.free}, .card = {&sv_cuda, 0}};
        source *source;
        frame *frame;
        sv_error error;
        if (source_open_file(&source, make(&others[i], 3), &options, &error) != SV_OK) fail_msg("%s", error.text);
        assert_false(source->info.on_card);
        assert_int_equal(source_read(source, &frame, &error), SV_OK);
        assert_int_equal(frame->grey.memory, SV_HOST);
        frame_release(frame);
        source_close(source);
    }
}

FIXTURES(scratch_setup, scratch_teardown)
