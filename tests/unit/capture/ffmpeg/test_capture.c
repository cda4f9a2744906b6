/* Files as sources: sequences, seeking, and damaged files. test_picture.c tests the conversion to grey, test_pairing.c
 * the pairs. */
#include "capture/ffmpeg/container.h"
#include "tests/support/clip.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Sequences -------------------------------------------------------------------------------- */

TEST(sequence_runs_to_the_first_gap) {
    static const int numbers[] = {7, 8, 9, 10, 12, 13};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char name[32];
        snprintf(name, sizeof name, "s_%03d.pgm", numbers[i]);
        write_flat(name, 16, 8, numbers[i]);
    }
    write_flat("s_1.pgm", 16, 8, 1); /* too few digits */
    write_flat("s_011.pgm.old", 16, 8, 1);
    source *source = open_file(scratch_path("s_%03d.pgm"));
    assert_int_equal(warnings, 1);
    assert_has(last_warning, "ends at number 10");
    assert_true(source->info.pictures);
    assert_int_equal(source->info.frames, 4);
    for (int i = 0; i < 4; i++) {
        frame *frame = read_frame(source);
        assert_int_equal(frame->index, i);
        assert_true(frame->time == i);
        assert_int_equal(grey_at(frame, 0, 0), 7 + i);
        frame_release(frame);
    }
    assert_int_equal(read_to_end(source), 0);
    sv_error error;
    assert_int_equal(source_seek(source, 2, &error), SV_OK);
    frame *frame = read_frame(source);
    assert_int_equal(frame->index, 2);
    assert_int_equal(grey_at(frame, 0, 0), 9);
    frame_release(frame);
    assert_int_equal(source_seek(source, 100, &error), SV_OK);
    assert_int_equal(read_to_end(source), 0);
    source_close(source);
}

TEST(names_may_have_odd_characters) {
    static const char *const names[] = {"a:b.pgm", "http:x.pgm", "50%.pgm", "n%03d.pgm", "sp ace'\"&.pgm", "-f"};
    int here = open(".", O_RDONLY);
    assert_int_equal(chdir(scratch_path("")), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        write_flat(names[i], 16, 8, (int)i);
        source *source = open_file(names[i]);
        assert_int_equal(source->info.frames, 1);
        frame *frame = read_frame(source);
        assert_int_equal(grey_at(frame, 0, 0), i);
        frame_release(frame);
        source_close(source);
    }
    write_flat("q%_5.pgm", 16, 8, 1);
    source *source = open_file("q%%_%d.pgm");
    assert_int_equal(source->info.frames, 1);
    source_close(source);
    assert_int_equal(fchdir(here), 0);
    close(here);
}

TEST(broken_picture_leaves_a_hole) {
    for (int i = 0; i < 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "h%d.pgm", i);
        if (i == 2 || i == 3)
            scratch_write_text(name, "P5\n16 8\n255\n");
        else
            write_flat(name, 16, 8, i);
    }
    source *source = open_file(scratch_path("h%d.pgm"));
    for (int i = 0; i < 5; i++) {
        if (i == 2 || i == 3) continue;
        frame *frame = read_frame(source);
        assert_int_equal(frame->index, i);
        assert_int_equal(grey_at(frame, 0, 0), i);
        frame_release(frame);
    }
    assert_int_equal(read_to_end(source), 0);
    assert_int_equal(warnings, 1);
    assert_has(last_warning, "h2.pgm");
    source_close(source);
}

/* Matroska does not say how many frames there are. */
TEST(frames_are_counted_at_the_end) {
    const clip clip = {.codec = "ffv1", .format = AV_PIX_FMT_GRAY8, .width = 32, .height = 16, .rate = 10, .frames = 7};
    const char *path = scratch_path("counted.mkv");
    clip_write(path, &clip, clip_paint_number);
    source *source = open_file(path);
    assert_int_equal(source->info.frames, -1);
    assert_int_equal(atomic_load(&source->counted), 0);
    assert_int_equal(read_to_end(source), 7);
    assert_int_equal(atomic_load(&source->counted), 7);
    source_close(source);
}

/* ---- Errors ----------------------------------------------------------------------------------- */

static void expect_failure(const char *name, const char *reason) {
    sv_error error = {""};
    source *source;
    source_options options = {0};
    if (source_open_file(&source, name, &options, &error) != SV_FAILED) fail_msg("%s can be opened", name);
    assert_has(error.text, name);
    assert_has(error.text, reason);
}

static void cut(const char *from, const char *to, double share) {
    size_t size;
    const char *bytes = scratch_read(from, &size);
    scratch_write(to, bytes, (size_t)((double)size * share));
}

TEST(wrong_files_are_named_with_the_reason) {
    expect_failure(scratch_path("missing.mp4"), "No such file");
    expect_failure(scratch_path("missing_%d.png"), "no file matches this pattern");
    expect_failure("no/such/folder/%d.png", "no file matches this pattern");
    expect_failure("http://127.0.0.1/a.mp4", "URLs of this kind are not supported");
    expect_failure(scratch_write("empty.mp4", "", 0), "empty");
    expect_failure(scratch_write_text("notes.txt", "Just a few words.\nNo picture at all.\n"),
                   "not a video or picture");
    expect_failure(scratch_write_text("named.png", "Just a few words.\n"), "not a video or picture");
    char folder[600];
    snprintf(folder, sizeof folder, "%s", scratch_path(""));
    expect_failure(folder, "several kinds");
    assert_int_equal(mkfifo(scratch_path("fifo"), 0600), 0);
    expect_failure(scratch_path("fifo"), "a pipe");

    char wave[44 + 800] = "RIFF\x44\x03\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data\x20\x03\0";
    expect_failure(scratch_write("sound.wav", wave, sizeof wave), "no video in this file");

    const clip clip = {"mpeg4",      AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, .width = 64,
                       .height = 48, .rate = 25,         .frames = 10};
    clip_write(scratch_path("whole.mp4"), &clip, clip_paint_number);
    cut(scratch_path("whole.mp4"), "cut.mp4", 0.2); /* its index is at the end */
    expect_failure(scratch_path("cut.mp4"), "cut short");
    cut(scratch_path("whole.mp4"), "cut.mp4", 0.7); /* within the index */
    expect_failure(scratch_path("cut.mp4"), "cut short");
    /* A valid header followed by noise. */
    expect_failure(scratch_write_text("header.pgm", "P5\n16 8\n255\n"), "no picture");
    static char large[15 + 20000] = "P5\n20000 1\n255\n";
    expect_failure(scratch_write("large.pgm", large, sizeof large), "20000x1");
    /* A TIFF of 1x1 float32: a directory of entries of tag, type (short), count, value; the pixel is the header. */
    static const unsigned short entries[][2] = {{256, 1}, {257, 1}, {258, 32}, {259, 1}, {262, 1},
                                                {273, 0}, {277, 1}, {278, 1},  {279, 4}, {339, 3}};
    enum { ENTRIES = sizeof entries / sizeof *entries };
    unsigned short tiff[5 + 6 * ENTRIES + 2] = {0x4949, 42, 8, 0, ENTRIES};
    for (int i = 0; i < ENTRIES; i++) {
        const unsigned short entry[] = {entries[i][0], 3, 1, 0, entries[i][1], 0};
        memcpy(&tiff[5 + 6 * i], entry, sizeof entry);
    }
    expect_failure(scratch_write("float.tiff", tiff, sizeof tiff), "floating-point TIFF");
}

/* 12 bits in 16, and numbers whose white is not known. */
TEST(values_that_may_be_too_dark_are_reported) {
    static const struct {
        const char *name, *bytes, *warning;
    } pictures[] = {{"twelve.pgm", "P5 2 1 65535\n\x01\x02\x0f\xff", "reach only 4095 of 65535, which leaves 17 grey"},
                    {"sixteen.pgm", "P5 2 1 65535\n\x01\x02\x10\x01", NULL},
                    {"said.pgm", "P5 2 1 4095\n\x01\x02\x0f\xff", NULL}};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        warnings = 0;
        source *source = open_file(scratch_write_text(pictures[i].name, pictures[i].bytes));
        assert_int_equal(warnings, pictures[i].warning != NULL);
        if (pictures[i].warning) assert_has(last_warning, pictures[i].warning);
        source_close(source);
    }
}

TEST(file_that_vanishes_is_reported) {
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "v%d.pgm", i);
        write_flat(name, 16, 8, i);
    }
    source *source = open_file(scratch_path("v%d.pgm"));
    frame_release(read_frame(source));
    assert_int_equal(unlink(scratch_path("v1.pgm")), 0);
    frame *frame;
    sv_error error;
    assert_int_equal(source_read(source, &frame, &error), SV_FAILED);
    assert_has(error.text, "v1.pgm");
    source_close(source);

    const clip clip = {"ffv1",        AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, .width = 200,
                       .height = 150, .rate = 25,         .frames = 20};
    clip_write(scratch_path("shrinks.mkv"), &clip, clip_paint_number);
    source = open_with(scratch_path("shrinks.mkv"), (source_options){.colour = false});
    frame_release(read_frame(source));
    assert_int_equal(truncate(scratch_path("shrinks.mkv"), 100), 0);
    sv_status status;
    while ((status = source_read(source, &frame, &error)) == SV_OK) frame_release(frame);
    assert_int_equal(source_read(source, &frame, &error), SV_END);
    assert_int_equal(unlink(scratch_path("shrinks.mkv")), 0);
    if (source_seek(source, 0, &error) != SV_OK) assert_has(error.text, "shrinks.mkv");
    source_close(source);
}

TEST(truncated_video_plays) {
    const clip clip = {"mpeg4",      AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, .width = 64,
                       .height = 48, .rate = 10,         .frames = 30};
    clip_write(scratch_path("whole.mkv"), &clip, clip_paint_number);
    cut(scratch_path("whole.mkv"), "cut.mkv", 0.5);
    source *source = open_file(scratch_path("cut.mkv"));
    int count = read_to_end(source);
    assert_in_range(count, 2, 28);
    source_close(source);
}

TEST(broken_places_are_skipped) {
    const clip clip = {"mpeg4",      AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, .width = 64,
                       .height = 48, .rate = 10,         .frames = 30};
    clip_write(scratch_path("good.avi"), &clip, clip_paint_number);
    size_t size;
    char *bytes = (char *)scratch_read(scratch_path("good.avi"), &size);
    /* The stream's name stands in the header, before each picture and its length, and in the index. */
    int names = 0;
    for (size_t i = 0; i + 8 < size && memcmp(bytes + i, "idx1", 4); i++) {
        if (memcmp(bytes + i, "00dc", 4) || names++ % 4 != 2) continue;
        uint32_t length;
        memcpy(&length, bytes + i + 4, sizeof length);
        assert_true(i + 8 + length <= size);
        memset(bytes + i + 8, 0xff, length);
    }
    scratch_write("bad.avi", bytes, size);
    source *source = open_file(scratch_path("bad.avi"));
    for (int n = 0; n < 30; n++) {
        if (n % 4 == 1) continue;
        frame *frame = read_frame(source);
        assert_int_equal(frame->index, n);
        assert_int_equal(clip_number(frame->grey.data, frame->grey.stride, 64, 48, false), n);
        frame_release(frame);
    }
    assert_int_equal(read_to_end(source), 0);
    assert_int_equal(warnings, 1);
    assert_has(last_warning, "damaged data at frame 1 (");
    source_close(source);
    /* The same after a jump. */
    double seconds;
    sv_error error;
    source = open_file(scratch_path("bad.avi"));
    assert_int_equal(source_seek_frame(source, 12, &seconds, &error), SV_OK);
    read_to_end(source);
    assert_has(last_warning, "damaged data at frame 13 (");
    source_close(source);
    /* The first picture. */
    char *first = memmem(bytes, size, "00dc", 4);
    first = memmem(first + 4, size - (size_t)(first + 4 - bytes), "00dc", 4);
    memset(first + 8, 0xff, 64);
    source = open_file(scratch_write("bad.avi", bytes, size));
    assert_has(last_warning, "damaged data before the first picture (");
    source_close(source);
}

/* ---- Playing ---------------------------------------------------------------------------------- */

TEST(seek_is_exact) {
    static const struct {
        const char *file, *codec;
        enum AVPixelFormat format;
        bool full;
    } cases[] = {
        {"s.mp4", "mpeg4", AV_PIX_FMT_YUV420P, false},
        {"s.mkv", "mpeg4", AV_PIX_FMT_YUV420P, false},
        {"s.avi", "mjpeg", AV_PIX_FMT_YUVJ420P, true},
        {"j.mkv", "mjpeg", AV_PIX_FMT_YUVJ420P, true}, /* time stamps in milliseconds */
        {"s.m4v", "mpeg4", AV_PIX_FMT_YUV420P, false}, /* no index and no time stamps */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const clip clip = {cases[i].codec,
                           cases[i].format,
                           cases[i].full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG,
                           .width = 64,
                           .height = 48,
                           .rate = 30,
                           .frames = 30,
                           .between = i < 2 ? 2 : 0};
        clip_write(scratch_path(cases[i].file), &clip, clip_paint_number);
        source *source = open_file(scratch_path(cases[i].file));
        double rate = source->info.rate;
        if (i < 4) assert_true(fabs(rate - 30) < 0.01);
        for (int n = 0; n < 60; n++) {
            int index = n * 17 % 30;
            sv_error error;
            if (source_seek(source, index / rate, &error) != SV_OK) fail_msg("%s", error.text);
            for (int more = 0; more < 2 && index + more < 30; more++) {
                frame *frame = read_frame(source);
                if (frame->index != index + more)
                    fail_msg("%s: seek to %d gives %d", cases[i].file, index + more, (int)frame->index);
                assert_true(fabs(frame->time - (index + more) / rate) < 1.5e-3);
                assert_int_equal(clip_number(frame->grey.data, frame->grey.stride, 64, 48, cases[i].full),
                                 index + more);
                frame_release(frame);
            }
        }
        sv_error error;
        assert_int_equal(source_seek(source, 1e6, &error), SV_OK);
        assert_int_equal(read_to_end(source), 0);
        assert_int_equal(source_seek(source, -1, &error), SV_OK);
        assert_int_equal(read_to_end(source), 30);
        source_close(source);
    }
}

/* Two recordings, one behind the other: the time stamps begin again, and neither times nor numbers go back. */
TEST(times_do_not_go_backwards) {
    enum { FRAMES = 10 };
    const clip clip = {"mpeg2video", AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, .width = 64,
                       .height = 48, .rate = 25,         .frames = FRAMES};
    clip_write(scratch_path("once.ts"), &clip, clip_paint_number);
    size_t size;
    const char *once = scratch_read(scratch_path("once.ts"), &size);
    char *twice = malloc(2 * size);
    assert_non_null(twice);
    memcpy(twice, once, size);
    memcpy(twice + size, once, size);
    scratch_write("twice.ts", twice, 2 * size);
    free(twice);
    source *source = open_file(scratch_path("twice.ts"));
    double last = -1;
    for (int i = 0; i < 2 * FRAMES; i++) {
        frame *frame = read_frame(source);
        assert_int_equal(frame->index, i);
        assert_int_equal(clip_number(frame->grey.data, frame->grey.stride, 64, 48, false), i % FRAMES);
        if (frame->time < last + 0.039)
            fail_msg("frame %d is at %.3f s, the one before at %.3f s", i, frame->time, last);
        last = frame->time;
        frame_release(frame);
    }
    assert_int_equal(read_to_end(source), 0);
    source_close(source);
}

static const clip part = {"mpeg2video", AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, .width = 32,
                          .height = 32, .rate = 25,         .frames = 6};

/* FFmpeg looks for the subtitles of VobSub's index in a file beside it. */
TEST(file_beside_is_not_opened) {
    sv_error error;
    source *source;
    scratch_write_text("beside.sub", "no more than this");
    const char *index = scratch_write_text("beside.idx", "# VobSub index file, v7\nsize: 16x16\nid: en, index: 0\n"
                                                         "timestamp: 00:00:00:100, filepos: 000000000\n");
    assert_int_equal(source_open_file(&source, index, &(source_options){.colour = false}, &error), SV_FAILED);
    assert_has(error.text, "is a playlist (vobsub)");
}

/* What a file may refer to is limited by FFmpeg, too. */
TEST(file_reaches_files_alone) {
    clip_write(scratch_path("part.ts"), &part, clip_paint_number);

    AVFormatContext *container;
    sv_error error;
    assert_int_equal(container_open(&container, scratch_path("part.ts"), NULL, (AVIOInterruptCB){0}, &error), SV_OK);
    assert_string_equal(container->protocol_whitelist, "file");
    avformat_close_input(&container);
}

TEST(interrupted_source_ends) {
    write_flat("i1.pgm", 16, 8, 1);
    write_flat("i2.pgm", 16, 8, 1);
    source *source = open_file(scratch_path("i%d.pgm"));
    source_interrupt(source);
    frame *frame;
    sv_error error;
    assert_int_equal(source_read(source, &frame, &error), SV_END);
    source_close(source);
}

/* Every real clip, intact or damaged, plays to its end or is refused with a message that names it. */
TEST(real_clips_play_or_are_refused) {
    static const char *const folders[] = {"../shared/data/video", "../shared/data/video_derived_sbs"};
    int seen = 0;
    for (int i = 0; i < 2; i++) {
        DIR *directory = opendir(folders[i]);
        for (struct dirent *entry; directory && (entry = readdir(directory));) {
            if (entry->d_name[0] == '.') continue;
            char name[600];
            snprintf(name, sizeof name, "%s/%s", folders[i], entry->d_name);
            seen++;
            source *source;
            sv_error error;
            source_options options = {.colour = i == 0};
            if (source_open_file(&source, name, &options, &error) != SV_OK) {
                assert_has(error.text, name);
                continue;
            }
            frame *frame;
            double last = -1;
            int lost = 0; /* pictures that could not be decoded keep their numbers */
            for (int n = 0; n < 40 && source_read(source, &frame, &error) == SV_OK; n++) {
                lost += frame->lost;
                assert_true(frame->time > last);
                assert_in_range(frame->index, n, n + lost);
                last = frame->time;
                frame_release(frame);
            }
            source_close(source);
        }
        if (directory) closedir(directory);
    }
    if (seen == 0) skip_without("../shared/data");
}

FIXTURES(reading_setup, scratch_teardown)
