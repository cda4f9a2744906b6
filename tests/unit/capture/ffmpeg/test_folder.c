/* Folders and patterns of pictures: their order, and the times that their names stand for. */
#include "capture/ffmpeg/sequence.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(stamps_are_read_from_names) {
    static const struct {
        const char *name;
        int64_t nanoseconds;
    } cases[] = {
        {"1403715273262142976.png", 1403715273262142976}, /* EuRoC */
        {"cam0/1403715273262142.png", 1403715273262142000},
        {"1403715273262.pgm", 1403715273262000000},
        {"1305031102.175304.png", 1305031102175304000}, /* TUM */
        {"1305031102.2.png", 1305031102200000000},
        {"1305031102.123456789.png", 1305031102123456789},
        {"9223372036854775807.png", INT64_MAX},
        {"9223372036854775808.png", -1},
        {"9223372036854776.png", -1},
        {"9999999999999.png", -1},
        {"9999999999.5.png", -1},
        {"9223372035.999999999.png", 9223372035999999999},
        {"1305031102.png", -1},
        {"0403715273262142976.png", -1},
        {"000042.png", -1},
        {"140371527326214297.png", -1},
        {"1305031102.1234567890.png", -1},
        {"1305031102.12a.png", -1},
        {"left_1403715273262142976.png", -1},
        {"left.png", -1},
        {"", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (sequence_stamp(cases[i].name) != cases[i].nanoseconds) fail_msg("%s", cases[i].name);
}

/* Makes a folder of its own in the scratch folder. */
static const char *make_folder(const char *name) {
    const char *path = scratch_path(name);
    assert_int_equal(mkdir(path, 0700), 0);
    return path;
}

TEST(numbers_in_names_are_compared_as_numbers) {
    const char *folder = make_folder("numbers");
    write_flat("numbers/a10.pgm", 16, 8, 100);
    write_flat("numbers/a9.pgm", 16, 8, 90);
    write_flat("numbers/b1.pgm", 16, 8, 110);
    write_flat("numbers/.a1.pgm", 16, 8, 1);
    scratch_write_text("numbers/a1.txt", "no picture");
    char pattern[512];
    snprintf(pattern, sizeof pattern, "%s/a*.pgm", folder);
    for (int i = 0; i < 2; i++) {
        source *source = open_file(i ? pattern : folder);
        assert_true(source->info.pictures);
        assert_int_equal(source->info.frames, i ? 2 : 3);
        for (int k = 0; k < (i ? 2 : 3); k++) {
            frame *frame = read_frame(source);
            assert_int_equal(frame->index, k);
            assert_true(frame->time == k);
            assert_int_equal(grey_at(frame, 0, 0), 90 + 10 * k);
            frame_release(frame);
        }
        assert_int_equal(read_to_end(source), 0);
        source_close(source);
    }
}

/* The last numbers, if they ascend: those of names that repeat them, or have none, say nothing. */
TEST(numbers_in_names_are_noted) {
    static const struct {
        const char *names[3];
        int64_t numbers[3];
        bool noted;
    } cases[] = {
        {{"f/l_2.pgm", "f/l_10.pgm", "f/l_11.pgm"}, {2, 10, 11}, true},
        {{"f/cam0_008.pgm", "f/cam0_009.pgm", "f/cam0_100_left.pgm"}, {8, 9, 100}, true},
        {{"f/000000_10.pgm", "f/000000_11.pgm", "f/000001_10.pgm"}, {0}, false},
        {{"f/cam0_a.pgm", "f/cam0_b.pgm", "f/cam0_c.pgm"}, {0}, false},
        {{"f/a.pgm", "f/b.pgm", "f/c.pgm"}, {0}, false},
        {{"f/1.pgm", "f/2.pgm", "f/99999999999999999999.pgm"}, {0}, false},
    };
    make_folder("f");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int k = 0; k < 3; k++) scratch_write_text(cases[i].names[k], "");
        sequence found;
        sv_error error = {""};
        assert_int_equal(sequence_find(&found, scratch_path("f"), &error), SV_OK);
        assert_int_equal(found.count, 3);
        assert_int_equal(found.numbers != NULL, cases[i].noted);
        for (int k = 0; k < 3 && found.numbers; k++) assert_int_equal(found.numbers[k], cases[i].numbers[k]);
        sequence_free(&found);
        for (int k = 0; k < 3; k++) assert_int_equal(unlink(scratch_path(cases[i].names[k])), 0);
    }
}

static frame *sought(source *source, double seconds) {
    sv_error error;
    assert_int_equal(source_seek(source, seconds, &error), SV_OK);
    return read_frame(source);
}

/* A time that was computed from others, as --offset does, is rounded: it still finds its own picture. */
TEST(a_rounded_time_finds_its_picture) {
    int64_t stamps[] = {1403715273262142976, 1403715273312143104, 1403715273362142976};
    const sequence sequence = {.stamps = stamps, .count = 3};
    for (int64_t i = 0; i < 3; i++) {
        const double time = sequence_time(&sequence, i);
        assert_int_equal(sequence_at(&sequence, time + 1e-7), i);
        assert_int_equal(sequence_at(&sequence, time - 1e-7), i);
        assert_int_equal(sequence_at(&sequence, time + 1e-3), i + 1);
    }
}

TEST(names_of_time_stamps_give_times) {
    /* 20 a second; the second is missing and the fourth is early. */
    static const int64_t stamps[] = {1403715273262142976, 1403715273362142976, 1403715273412142976, 1403715273442142976,
                                     1403715273492143104};
    enum { COUNT = sizeof stamps / sizeof *stamps };
    const char *folder = make_folder("stamps");
    for (int i = 0; i < COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "stamps/%lld.pgm", (long long)stamps[i]);
        write_flat(name, 16, 8, 10 * i);
    }
    source *source = open_file(folder);
    const source_info *info = &source->info;
    assert_false(info->pictures);
    assert_true(info->seekable);
    assert_int_equal(info->frames, COUNT);
    assert_true(fabs(info->rate - 20) < 1e-4);
    assert_true(fabs(info->duration - 0.28) < 1e-4);
    assert_true(fabs(info->start - 1403715273.262142976) < 1e-6);
    assert_string_equal(info->clock, SOURCE_WALL_CLOCK);
    for (int i = 0; i < COUNT; i++) {
        frame *frame = read_frame(source);
        assert_int_equal(frame->index, i);
        assert_true(fabs(frame->time - 1e-9 * (double)(stamps[i] - stamps[0])) < 1e-9);
        assert_int_equal(grey_at(frame, 0, 0), 10 * i);
        frame_release(frame);
    }
    assert_int_equal(read_to_end(source), 0);
    static const struct {
        double seconds;
        int index;
    } seeks[] = {{0.18, 3}, {0.16, 3}, {0.11, 2}, {0.1, 1}, {0.05, 1}, {0, 0}, {-1, 0}};
    for (size_t i = 0; i < sizeof seeks / sizeof *seeks; i++) {
        frame *frame = sought(source, seeks[i].seconds);
        assert_int_equal(frame->index, seeks[i].index);
        frame_release(frame);
    }
    double seconds;
    sv_error error;
    assert_int_equal(source_seek_frame(source, 3, &seconds, &error), SV_OK);
    assert_true(fabs(seconds - 0.18) < 1e-6);
    frame *frame = read_frame(source);
    assert_int_equal(frame->index, 3);
    frame_release(frame);
    assert_int_equal(source_seek_frame(source, 100, &seconds, &error), SV_OK);
    assert_true(seconds > 0.25);
    assert_int_equal(read_to_end(source), 0);
    source_close(source);
}

TEST(a_file_is_what_its_name_says) {
    write_flat("left[1].pgm", 16, 8, 70);
    assert_false(sequence_is_named(scratch_path("left[1].pgm")));
    write_flat("only_one.pgm", 16, 8, 80);
    source *source = open_file(scratch_path("only_*.pgm"));
    assert_true(source->info.pictures);
    assert_int_equal(source->info.frames, 1);
    assert_string_equal(strrchr(source->name, '/'), "/only_one.pgm");
    source_close(source);
}

FIXTURES(scratch_setup, scratch_teardown)
