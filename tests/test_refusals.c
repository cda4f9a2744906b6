/* Memory that the system refuses: FFmpeg's own ends a source until it seeks, and the matcher's does not. */
#include "capture/ffmpeg/refusals.h"
#include "cpu/memory.h"
#include "tests/clip.h"
#include "tests/reading.h"
#include "tests/scratch.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const size_t too_much = SIZE_MAX / 4; /* bytes */

static void need_counts(void) {
    if (REFUSALS_COUNTED) return;
    print_message("a sanitizer's own memory takes the library's place\n");
    skip();
}

/* Both kinds of file, video and pictures: what FFmpeg was refused ends the source with an error, and a seek begins
 * anew. */
static void a_source_goes_on_after_a_seek(void **state) {
    (void)state;
    need_counts();
    const clip clip = {"mpeg4",      AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, .width = 64,
                       .height = 48, .rate = 10,         .frames = 8};
    clip_write(scratch_path("video.mp4"), &clip, clip_paint_number);
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "p_%d.pgm", i);
        write_flat(name, 16, 8, i);
    }
    static const char *const names[] = {"video.mp4", "p_%d.pgm"};
    for (int i = 0; i < 2; i++) {
        source *source = open_file(scratch_path(names[i]));
        frame *frame = read_frame(source);
        sv_error error = {""};
        void *memory;
        sv_status status;
        frame_release(frame);
        assert_int_equal(posix_memalign(&memory, 64, too_much), ENOMEM);
        while ((status = source_read(source, &frame, &error)) == SV_OK) frame_release(frame);
        assert_int_equal(status, SV_FAILED);
        assert_has(error.text, "out of memory");
        assert_int_equal(source_seek(source, 0, &error), SV_OK);
        frame = read_frame(source);
        assert_int_equal(frame->index, 0);
        frame_release(frame);
        assert_int_equal(read_to_end(source), i ? 3 : 7);
        source_close(source);
    }
}

static void the_matchers_memory_does_not_count(void **state) {
    (void)state;
    need_counts();
    const unsigned before = refusals_count();
    sv_error error = {""};
    cpu_buffer buffer = {0};
    assert_null(cpu_allocate(too_much));
    assert_null(cpu_allocate(SIZE_MAX));
    assert_null(cpu_reserve(&buffer, too_much, &error));
    assert_int_equal(refusals_count(), before);
    void *memory = cpu_allocate(100);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 64, 0);
    free(memory);
}

/* The flags of the mapping that contains `at`, as /proc/self/smaps shows them; empty if it does not. */
static void read_flags(const void *at, char *flags, size_t size) {
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    bool inside = false;
    flags[0] = 0;
    while (file && fgets(line, sizeof line, file)) {
        unsigned long begin, end;
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2) inside = (uintptr_t)at >= begin && (uintptr_t)at < end;
        if (inside && !strncmp(line, "VmFlags:", 8)) snprintf(flags, size, "%s", line);
    }
    if (file) fclose(file);
}

/* "hg" is the flag of memory that asked for huge pages. */
static void large_memory_asks_for_huge_pages(void **state) {
    (void)state;
    char small[512], large[512];
    FILE *setting = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (!setting) {
        print_message("this system has no huge pages\n");
        skip();
    }
    fclose(setting);
    char *memory = cpu_allocate((32 << 20) + 1), *little = cpu_allocate(100);
    assert_non_null(memory);
    assert_non_null(little);
    memory[32 << 20] = little[99] = 1;
    read_flags(memory, large, sizeof large);
    read_flags(little, small, sizeof small);
    free(memory);
    free(little);
    if (!large[0]) {
        print_message("this system does not show the flags of memory\n");
        skip();
    }
    assert_non_null(strstr(large, " hg"));
    assert_null(strstr(small, " hg"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_goes_on_after_a_seek),
        cmocka_unit_test(the_matchers_memory_does_not_count),
        cmocka_unit_test(large_memory_asks_for_huge_pages),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
