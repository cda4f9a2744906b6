/* Files whose time stamps are wrong for a while, or that have lost data: each picture carries its own number in its
 * pixels, so these show which pictures of both sides are paired. A wrong pair may not be called sound. */
#include "capture/ffmpeg/timeline.h"
#include "capture/pair.h"
#include "tests/support/clip.h"
#include "tests/support/random.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <libavcodec/avcodec.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 100, RATE = 25 };

static const clip coded = {.format = AV_PIX_FMT_YUV420P,
                           .range = AVCOL_RANGE_MPEG,
                           .width = 256,
                           .height = 96,
                           .rate = RATE,
                           .frames = FRAMES,
                           .group = 24};

/* ---- Pairs ------------------------------------------------------------------------------------ */

typedef struct outcome {
    int pairs, sound; /* how many; those of two pictures that are not called damaged or mistimed are sound */
    int wrong;        /* sound pairs of two different pictures */
    int damaged;      /* pairs with a damaged picture */
    int last;         /* the number of the last left picture of a sound pair, -1 if there is none */
    char first[200];  /* describes the first wrong pair */
} outcome;

/* A picture of which too much is lost to read its number cannot show that a pair is wrong. */
static void judge(outcome *outcome, const frame_pair *pair) {
    const int left = clip_coded_number(pair->left->grey.data, pair->left->grey.stride);
    const int right = clip_coded_number(pair->right->grey.data, pair->right->grey.stride);
    outcome->pairs++;
    outcome->damaged += pair->left->damaged || pair->right->damaged;
    if (frame_is_doubtful(pair->left) || frame_is_doubtful(pair->right)) return;
    outcome->sound++;
    outcome->last = left;
    if (left == right || left < 0 || right < 0) return;
    if (!outcome->wrong++)
        snprintf(outcome->first, sizeof outcome->first,
                 "picture %d (frame %d, %.3f s) is paired with %d (frame %d, %.3f s)", left, (int)pair->left->index,
                 pair->left->time, right, (int)pair->right->index, pair->right->time);
}

/* Pairs both files as the program does, from frame `first` on. */
static outcome pair_files(const char *left, const char *right, int first) {
    outcome outcome = {.last = -1};
    pairing *pairing;
    sv_error error;
    source *const from_left = open_with(left, (source_options){.track = 0});
    source *const from_right = open_with(right, (source_options){.track = 0});
    if (pairing_open(&pairing, from_left, from_right, 4, &error) != SV_OK) fail_msg("%s", error.text);
    pairing_follow_clocks(pairing);
    if (first > 0 && pairing_seek_frame(pairing, first, &error) != SV_OK) fail_msg("%s", error.text);
    frame_pair pair;
    while (pairing_next(pairing, &pair, &error) == SV_OK) {
        judge(&outcome, &pair);
        frame_pair_release(&pair);
    }
    pairing_close(pairing);
    return outcome;
}

static void skip_without_encoder(const char *name) {
    if (avcodec_find_encoder_by_name(name)) return;
    print_message("this FFmpeg has no encoder %s\n", name);
    skip();
}

/* ---- Time stamps that stand still -------------------------------------------------------------- */

static void stamps_stand_still(const char *codec, const char *ending, int between) {
    static const int lengths[] = {2, 10, 60};
    skip_without_encoder(codec);
    clip clip = coded;
    char names[2][32];
    snprintf(names[0], sizeof names[0], "whole.%s", ending);
    snprintf(names[1], sizeof names[1], "stalls.%s", ending);
    clip.codec = codec;
    clip.between = between;
    clip_write(scratch_path(names[0]), &clip, clip_paint_coded);
    for (int i = 0; i < 6; i++) {
        const int swap = i % 2;
        clip.stall_at = 10;
        clip.stall = lengths[i / 2];
        if (!swap) clip_write(scratch_path(names[1]), &clip, clip_paint_coded);
        const outcome o = pair_files(scratch_path(names[swap]), scratch_path(names[!swap]), 0);
        if (o.wrong) fail_msg("%s, for %d frames: %s", names[1], clip.stall, o.first);
        assert_int_equal(o.last, FRAMES - 1);
        if (strcmp(ending, "ts")) assert_int_equal(o.damaged, 0);
        /* In a transport stream, the first gap looks like a loss that ends with the next key frame. */
        assert_in_range(o.sound, FRAMES - clip.stall - 4 - clip.group, FRAMES - 1);
        assert_int_equal(warnings, 1);
        assert_has(last_warning, "does not fit those around it");
        const int from = clip.group; /* a key frame, whose stamp stands still, too, if the stall is long */
        const outcome later = pair_files(scratch_path(names[swap]), scratch_path(names[!swap]), from);
        if (later.wrong) fail_msg("%s, for %d frames, from frame %d: %s", names[1], clip.stall, from, later.first);
        assert_int_equal(later.last, FRAMES - 1);
    }
}

/* A stamp that was not seen when the file was numbered, such as that of a repaired picture, numbers none. */
TEST(a_stamp_between_two_pictures_has_no_number) {
    timeline t = {.least = 1};
    for (int64_t i = 0; i < 3; i++) timeline_add(&t, 100 * i);
    for (int64_t i = 0; i < 3; i++) assert_true(timeline_has(&t, 100 * i));
    assert_false(timeline_has(&t, -1) || timeline_has(&t, 1) || timeline_has(&t, 150) || timeline_has(&t, 201));
    assert_int_equal(timeline_find(&t, 150), 2);
    timeline_free(&t);
}

TEST(stamps_of_matroska) { stamps_stand_still("mpeg2video", "mkv", 0); }

TEST(stamps_of_matroska_with_reordered_pictures) { stamps_stand_still("mpeg4", "mkv", 2); }

TEST(stamps_of_mp4) { stamps_stand_still("mpeg4", "mp4", 0); }

TEST(stamps_of_mp4_with_reordered_pictures) { stamps_stand_still("mpeg4", "mp4", 2); }

TEST(stamps_of_a_transport_stream) { stamps_stand_still("libx264", "ts", 2); }

/* Frames of AVI that are reordered have no time stamps, so they are counted from the beginning. */
TEST(jumps_need_time_stamps) {
    static const char *const names[] = {"reordered.avi", "reordered.mp4"};
    clip clip = coded;
    skip_without_encoder("libx264");
    clip.codec = "libx264";
    clip.between = 2;
    for (int i = 0; i < 2; i++) {
        clip_write(scratch_path(names[i]), &clip, clip_paint_coded);
        source *const source = open_with(scratch_path(names[i]), (source_options){.track = 0});
        assert_int_equal(source->info.jumps, i);
        source_close(source);
    }
}

/* ---- Seeking over a gap ------------------------------------------------------------------------ */

static atomic_int blocks; /* that the sources hold */

static void *take_block(size_t bytes) {
    atomic_fetch_add(&blocks, 1);
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give_block(void *memory) {
    atomic_fetch_sub(&blocks, memory != NULL);
    free(memory);
}

/* A seek decodes ahead at a gap, to see whether its time stamp is right, and frees all that it passes over. */
TEST(seek_over_a_gap_keeps_nothing) {
    clip clip = coded;
    sv_error error;
    double seconds;
    frame *frame;
    clip.codec = "mpeg4";
    clip.range = AVCOL_RANGE_JPEG; /* whose luma planes lie in the pool */
    clip.group = FRAMES;
    clip.missing = 20;
    clip.more_missing = 5;
    clip_write(scratch_path("gap.mkv"), &clip, clip_paint_coded);
    source *const gap = open_with(scratch_path("gap.mkv"), (source_options){.memory = {take_block, give_block}});
    assert_int_equal(source_seek_frame(gap, 60, &seconds, &error), SV_OK);
    assert_int_equal(source_read(gap, &frame, &error), SV_OK);
    assert_int_equal(frame->index, 60);
    assert_true(atomic_load(&blocks) > 0);
    frame_release(frame);
    source_close(gap);
    assert_int_equal(atomic_load(&blocks), 0);
}

/* The bytes of the file, which the caller frees. */
static char *read_bytes(const char *path, size_t *size) {
    const size_t most = 16 << 20;
    char *bytes = malloc(most);
    FILE *file = fopen(path, "rb");
    assert_non_null(bytes);
    assert_non_null(file);
    *size = fread(bytes, 1, most, file);
    fclose(file);
    assert_in_range(*size, 1, most - 1);
    return bytes;
}

/* ---- Times that are not comparable -------------------------------------------------------------- */

static void expect_all_pairs(const char *left, const char *right) {
    const outcome o = pair_files(scratch_path(left), scratch_path(right), 0);
    if (o.wrong) fail_msg("%s and %s: %s", left, right, o.first);
    assert_int_equal(o.sound, FRAMES);
    const outcome later = pair_files(scratch_path(left), scratch_path(right), FRAMES / 2);
    if (later.wrong) fail_msg("%s and %s, from the middle: %s", left, right, later.first);
    assert_int_equal(later.sound, FRAMES - FRAMES / 2);
}

/* FFmpeg takes raw video without a rate to have 25 frames a second. */
TEST(file_without_a_rate_is_paired_by_number) {
    clip clip = coded;
    clip.codec = "mjpeg";
    clip.rate = 30;
    clip_write(scratch_path("raw.mjpeg"), &clip, clip_paint_coded);
    clip_write(scratch_path("timed.mkv"), &clip, clip_paint_coded);
    expect_all_pairs("raw.mjpeg", "timed.mkv");
    assert_has(last_note, "by the time since each file's first picture");
    expect_all_pairs("timed.mkv", "raw.mjpeg");
    expect_all_pairs("raw.mjpeg", "raw.mjpeg");
}

/* With reordered pictures, an edit list lets the first one be shown at 0; without it, it is shown when the decoder has
 * enough of them. */
TEST(file_without_an_edit_list_is_not_late) {
    clip clip = coded;
    clip.codec = "mpeg4";
    clip.between = 2;
    clip_write(scratch_path("edit.mp4"), &clip, clip_paint_coded);
    clip.muxing = "use_editlist=0";
    clip_write(scratch_path("none.mp4"), &clip, clip_paint_coded);
    expect_all_pairs("edit.mp4", "none.mp4");
    expect_all_pairs("none.mp4", "edit.mp4");
    expect_all_pairs("none.mp4", "none.mp4");
}

/* ---- Lost packets of a transport stream --------------------------------------------------------- */

enum { TS_PACKET = 188 };

/* Writes `to`: the transport stream `bytes` without `count` packets from number `at` on. */
static void write_without(const char *to, const char *bytes, size_t size, int at, int count) {
    const size_t from = (size_t)at * TS_PACKET, end = from + (size_t)count * TS_PACKET;
    char *rest = malloc(size);
    assert_non_null(rest);
    memcpy(rest, bytes, from);
    memcpy(rest + from, bytes + end, size - end);
    scratch_write(to, rest, size - (end - from));
    free(rest);
}

/* Bursts of 1 to 60 packets that are lost at random places. A long run has 50 of each codec, at places of its own;
 * SEED=N repeats one. */
static void bursts(const char *codec, int quality) {
    const bool is_long = getenv("SV_TEST_LONG") != NULL;
    const uint32_t seed = getenv("SEED") ? (uint32_t)atoi(getenv("SEED")) : is_long ? (uint32_t)time(NULL) : 1;
    skip_without_encoder(codec);
    clip clip = coded;
    clip.codec = codec;
    clip.between = 2;
    clip.quality = quality;
    clip_write(scratch_path("whole.ts"), &clip, clip_paint_coded);
    size_t size;
    char *bytes = read_bytes(scratch_path("whole.ts"), &size);
    const int packets = (int)(size / TS_PACKET);
    int pairs = 0, sound = 0;
    seed_random(seed);
    print_message("%s: SEED=%u\n", codec, (unsigned)seed);
    for (int i = 0; i < (is_long ? 50 : 8); i++) {
        const int count = 1 + random_below(60), at = packets / 20 + random_below(packets * 9 / 10 - count);
        const int swap = random_below(2), first = i % 4 ? 0 : random_below(FRAMES - 10);
        write_without("burst.ts", bytes, size, at, count);
        const char *names[2] = {"whole.ts", "burst.ts"};
        const outcome o = pair_files(scratch_path(names[swap]), scratch_path(names[!swap]), first);
        if (o.wrong)
            fail_msg("%s, %s without packets %d to %d of %d, from frame %d: %s", codec, swap ? "left" : "right", at,
                     at + count - 1, packets, first, o.first);
        pairs += o.pairs;
        sound += o.sound;
    }
    free(bytes);
    assert_in_range(sound, pairs / 2, pairs - 1);
}

TEST(lost_packets_of_h264_shift_no_pair) { bursts("libx264", 28); }

TEST(lost_packets_of_hevc_shift_no_pair) { bursts("libx265", 28); }

TEST(lost_packets_of_mpeg2_shift_no_pair) { bursts("mpeg2video", 6); }

TEST(lost_packets_of_mpeg4_shift_no_pair) { bursts("mpeg4", 6); }

FIXTURES(reading_setup, scratch_teardown)
