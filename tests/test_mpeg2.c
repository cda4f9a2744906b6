/* Missing reference pictures of MPEG-1 and MPEG-2: capture/ffmpeg/mpeg2. A stream is written as letters. */
#include "capture/ffmpeg/mpeg2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Passes a stream, one picture a packet: "g" is the head of a group, for which the next picture makes a packet, and
 * "b11" a B-picture with temporal_reference 11. The result names the pictures at which there is a gap. */
static const char *gaps(const char *stream) {
    static char found[100];
    mpeg2_order order = {.references = 0};
    uint8_t data[20];
    int size = 0, place, used = 0;
    char type;
    *found = 0;
    for (; sscanf(stream, " %c%n", &type, &used) == 1; stream += used) {
        if (type == 'g') {
            memcpy(data, "\0\0\1\xb8\0\0\0\0", 8);
            size = 8;
            continue;
        }
        assert_int_equal(sscanf(stream, " %*c%d%n", &place, &used), 1);
        const int kind = type == 'i' ? 1 : type == 'p' ? 2 : 3;
        /* 6.2.3: 10 bits, 3 bits, and 16 more. */
        const uint8_t head[] = {0, 0, 1, 0, (uint8_t)(place >> 2), (uint8_t)(place << 6 | kind << 3), 0xff, 0xff};
        memcpy(data + size, head, sizeof head);
        size += (int)sizeof head;
        const AVPacket packet = {.data = data, .size = size};
        if (mpeg2_is_gap(&order, &packet)) snprintf(found + strlen(found), 10, "%c%d ", type, place);
        size = 0;
    }
    return found;
}

static void sound_streams_have_no_gap(void **state) {
    (void)state;
    assert_string_equal(gaps("g i0 p3 b1 b2 p6 b4 b5 g i2 b0 b1 p5 b3 b4 g i0 p1 p2 g i2 p5 b3 b4"), "");
    assert_string_equal(gaps("g i0 p0 p3 p3 b1 b1 b2 b2 g i2 p2 b0 b0 b1 b1 i5 i5"), ""); /* two fields each */
    assert_string_equal(gaps("i1020 b1018 p1023 b1021 b1022 p2 b0 b1 p5 i0 p3 b1"), "");  /* without groups */
    assert_string_equal(gaps("g i0 p4 p9 p500 b480"), "");                                /* pictures left out */
    assert_string_equal(gaps("g i0 b0 b0 p0 b0"), "");                                    /* not numbered */
    assert_string_equal(gaps("b4 b5 p9 b7"), "");                                         /* begins anywhere */
}

static void missing_references_are_gaps(void **state) {
    (void)state;
    assert_string_equal(gaps("g i0 p3 b1 b2 b4 b5 p9 b7 b8 g i2 b0 b1"), "b4 "); /* p6 */
    assert_string_equal(gaps("g i0 p3 b1 b2 p6 b4 b5 b0 b1 p5 b3 b4"), "b0 ");   /* g i2 */
    assert_string_equal(gaps("g i0 p1 p2 p1 p2"), "p1 ");                        /* g i0 */
    assert_string_equal(gaps("g i0 p3 b1 b2 g b0 b1 p5 b3 b4 g p1"), "b0 p1 ");  /* i2, i0 */
    assert_string_equal(gaps("g i1022 p1 b1023 b0 b2 b3"), "b2 ");               /* p4 */
}

static void short_packets_are_read_to_their_end(void **state) {
    (void)state;
    static const uint8_t whole[] = {0, 0, 1, 0, 2, 0x58, 0, 0, 1, 0xb8, 0};
    for (int size = 0; size <= (int)sizeof whole; size++) {
        uint8_t *exact = test_malloc((size_t)size); /* a sanitizer sees what is read after its end */
        memcpy(exact, whole, (size_t)size);
        mpeg2_order order = {.references = 1, .last = 8};
        const AVPacket packet = {.data = exact, .size = size};
        assert_int_equal(mpeg2_is_gap(&order, &packet), size >= 6);
        test_free(exact);
    }
}

static void nothing_follows_after_a_jump(void **state) {
    (void)state;
    mpeg2_order order = {.references = 1, .last = 3};
    uint8_t data[] = {0, 0, 1, 0, 2, 0x58, 0, 0};
    const AVPacket packet = {.data = data, .size = sizeof data};
    mpeg2_restart(&order);
    assert_false(mpeg2_is_gap(&order, &packet));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_streams_have_no_gap),
        cmocka_unit_test(missing_references_are_gaps),
        cmocka_unit_test(short_packets_are_read_to_their_end),
        cmocka_unit_test(nothing_follows_after_a_jump),
    };
    return cmocka_run_group_tests_name("mpeg2", tests, NULL, NULL);
}
