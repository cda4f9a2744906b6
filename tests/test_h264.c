/* Gaps in the numbers of H.264's pictures: capture/ffmpeg/h264. The streams are written here, from the syntax tables of
 * ITU-T H.264, 7.3, as far as the header of a slice. */
#include "capture/ffmpeg/h264.h"
#include "tests/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct writer {
    uint8_t bytes[400]; /* one bit each */
    int count;
} writer;

static void put(writer *w, int bits, uint32_t value) {
    for (int i = bits - 1; i >= 0; i--) w->bytes[w->count++] = value >> i & 1;
}

/* ue(v): as many zeros as value + 1 has bits after its first. */
static void put_number(writer *w, uint32_t value) {
    int bits = 1;
    while ((value + 1) >> bits) bits++;
    put(w, bits - 1, 0);
    put(w, bits, value + 1);
}

/* se(v): 1, -1, 2, -2 are 1, 2, 3, 4. */
static void put_signed(writer *w, int value) { put_number(w, (uint32_t)(value > 0 ? 2 * value - 1 : -2 * value)); }

typedef struct stream {
    h264_numbers numbers;
    bool measured; /* lengths, not start codes, separate the units */
    bool high, fields, gaps_allowed;
    int order_type;
    uint8_t data[1000];
    int size;
} stream;

enum { SLICE = 1, IDR_SLICE = 5, SEQUENCE = 7, PICTURE = 8 };

/* Appends a unit to the next packet. */
static void add_unit(stream *s, int unit, int reference, writer *w) {
    uint8_t raw[64], *const head = s->data + s->size;
    const int before = s->size;
    int size = 0, zeros = 0;
    put(w, 1, 1);
    while (w->count % 8) put(w, 1, 0);
    raw[size++] = (uint8_t)(reference << 5 | unit);
    for (int i = 0; i < w->count; i += 8) {
        uint8_t byte = 0;
        for (int bit = 0; bit < 8; bit++) byte = (uint8_t)(byte << 1 | w->bytes[i + bit]);
        raw[size++] = byte;
    }
    s->size += s->measured ? 2 : 3;
    for (int i = 0; i < size; i++) {
        if (zeros == 2 && raw[i] <= 3) {
            s->data[s->size++] = 3;
            zeros = 0;
        }
        s->data[s->size++] = raw[i];
        zeros = raw[i] ? 0 : zeros + 1;
    }
    const int length = s->size - before - 2;
    memcpy(head, s->measured ? (uint8_t[]){(uint8_t)(length >> 8), (uint8_t)length} : (uint8_t[]){0, 0, 1},
           s->measured ? 2 : 3);
    assert_true(s->size < (int)sizeof s->data - 100);
}

static void add_parameter_sets(stream *s) {
    writer w = {.count = 0};
    put(&w, 8, s->high ? 100 : 77);
    put(&w, 16, 30);
    put_number(&w, 3); /* of 32 */
    if (s->high) {
        put_number(&w, 1);
        put_number(&w, 0);
        put_number(&w, 0);
        put(&w, 2, 1); /* scaling lists, of which the second is given, and the third ends early */
        put(&w, 1, 0);
        put(&w, 1, 1);
        for (int i = 0; i < 16; i++) put_signed(&w, i % 3 - 1);
        put(&w, 1, 1);
        put_signed(&w, 2);
        put_signed(&w, -10);
        put(&w, 5, 0);
    }
    put_number(&w, 0); /* 4 bits: numbers are 0 to 15 */
    put_number(&w, (uint32_t)s->order_type);
    if (s->order_type == 0) put_number(&w, 12);
    if (s->order_type == 1) {
        put(&w, 1, 0);
        put_signed(&w, -2);
        put_signed(&w, 1);
        put_number(&w, 2);
        put_signed(&w, 4);
        put_signed(&w, -4);
    }
    put_number(&w, 4);
    put(&w, 1, s->gaps_allowed);
    put_number(&w, 3);
    put_number(&w, 2);
    put(&w, 1, !s->fields);
    put(&w, 3, 0);
    add_unit(s, SEQUENCE, 3, &w);
    w.count = 0;
    put_number(&w, 200);
    put_number(&w, 3);
    put(&w, 2, 1); /* CAVLC, second order number present */
    put_number(&w, 0);
    put_number(&w, 3);
    put_number(&w, 1);
    put(&w, 1, 1); /* weighted */
    put(&w, 2, 1);
    put_signed(&w, 0);
    put_signed(&w, 0);
    put_signed(&w, -2);
    put(&w, 3, 1); /* redundant pictures */
    add_unit(s, PICTURE, 3, &w);
}

typedef enum kind { IDR, I_PICTURE, P_PICTURE, B_PICTURE, UNUSED_B, ANEW } kind; /* ANEW: with operation 5 */

/* `field`: 0: a frame; 1: top; 2: bottom. */
static void add_slice(stream *s, kind kind, int number, int first, int field) {
    static const int types[] = {
        [IDR] = 7, [I_PICTURE] = 2, [P_PICTURE] = 5, [B_PICTURE] = 1, [UNUSED_B] = 6, [ANEW] = 0};
    const int type = types[kind] % 5;
    const bool frame = field == 0;
    writer w = {.count = 0};
    put_number(&w, (uint32_t)first);
    put_number(&w, (uint32_t)types[kind]);
    put_number(&w, 200);
    put(&w, 4, (uint32_t)number);
    if (s->fields) put(&w, 1, !frame);
    if (!frame) put(&w, 1, field == 2);
    if (kind == IDR) put_number(&w, 9);
    if (s->order_type == 0) put(&w, 16, 0);
    if (s->order_type == 0 && frame) put_signed(&w, 0);
    if (s->order_type == 1) put_signed(&w, 3);
    if (s->order_type == 1 && frame) put_signed(&w, -1);
    put_number(&w, 0);
    if (type == 1) put(&w, 1, 1);
    const int lists = type == 1 ? 2 : type == 0 ? 1 : 0;
    int references[2] = {4, 2};
    if (lists > 0) put(&w, 1, type == 0);
    if (type == 0) put_number(&w, 1), references[0] = 2;
    for (int list = 0; list < lists; list++) {
        put(&w, 1, list == 0);
        if (list > 0) continue;
        put_number(&w, 0);
        put_number(&w, 1);
        put_number(&w, 2);
        put_number(&w, 5);
        put_number(&w, 3);
    }
    if (lists > 0) {
        put_number(&w, 5);
        put_number(&w, 4);
    }
    for (int list = 0; list < lists; list++)
        for (int i = 0; i < references[list]; i++) {
            put(&w, 1, i == 0);
            if (i == 0) put_signed(&w, 31), put_signed(&w, -3);
            put(&w, 1, i == 1);
            for (int j = 0; i == 1 && j < 4; j++) put_signed(&w, j - 2);
        }
    if (kind == IDR) put(&w, 2, 0);
    if (kind == I_PICTURE || kind == P_PICTURE) put(&w, 1, 0);
    if (kind == B_PICTURE) {
        put(&w, 1, 1);
        put_number(&w, 1);
        put_number(&w, 5); /* here it is a number, and not the operation */
        put_number(&w, 3);
        put_number(&w, 5);
        put_number(&w, 5);
        put_number(&w, 0);
    }
    if (kind == ANEW) {
        put(&w, 1, 1);
        put_number(&w, 5);
        put_number(&w, 0);
    }
    put_signed(&w, 2);
    add_unit(s, kind == IDR ? IDR_SLICE : SLICE, kind == UNUSED_B ? 0 : 2, &w);
}

/* Ends the packet. */
static bool is_gap(stream *s) {
    const AVPacket packet = {.data = s->data, .size = s->size};
    s->size = 0;
    return h264_is_gap(&s->numbers, &packet);
}

/* A packet of one picture with two slices. */
static bool gap_at(stream *s, kind kind, int number) {
    add_slice(s, kind, number, 0, 0);
    add_slice(s, kind, number, 40, 0);
    return is_gap(s);
}

/* Begins a stream; with lengths, its parameter sets are its extra data. */
static void begin(stream *s) {
    memset(&s->numbers, 0, sizeof s->numbers);
    s->size = 0;
    if (!s->measured) {
        h264_begin(&s->numbers, NULL, 0);
        add_parameter_sets(s);
        return;
    }
    add_parameter_sets(s);
    const int first = s->data[0] << 8 | s->data[1];
    uint8_t extra[200] = {1, 100, 0, 30, 0xfd, 0xe1};
    memcpy(extra + 6, s->data, (size_t)first + 2);
    extra[6 + first + 2] = 1;
    memcpy(extra + 6 + first + 3, s->data + first + 2, (size_t)s->size - (size_t)first - 2);
    h264_begin(&s->numbers, extra, 6 + s->size + 1);
    s->size = 0;
}

/* Every kind of stream. */
static stream variant(int i) {
    return (stream){.measured = i & 1, .high = i & 2, .fields = i & 4, .order_type = i / 8 % 3};
}
enum { VARIANTS = 24 };

static void sound_streams_have_no_gap(void **state) {
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        stream s = variant(i);
        begin(&s);
        for (int round = 0; round < 2; round++) {
            assert_false(gap_at(&s, IDR, 0));
            for (int n = 1; n < 50; n++) {
                assert_false(gap_at(&s, n % 20 == 0 ? I_PICTURE : P_PICTURE, n % 16));
                if (n % 5 == 0) assert_false(gap_at(&s, B_PICTURE, ++n % 16));
                assert_false(gap_at(&s, UNUSED_B, (n + 1) % 16));
                assert_false(gap_at(&s, UNUSED_B, (n + 1) % 16));
            }
            add_parameter_sets(&s);
        }
    }
}

static void missing_references_are_gaps(void **state) {
    (void)state;
    for (int i = 0; i < VARIANTS; i++)
        for (int missing = 1; missing < 15; missing++)
            for (int last = 1; last < 40; last++) {
                stream s = variant(i);
                begin(&s);
                assert_false(gap_at(&s, IDR, 0));
                for (int n = 1; n <= last; n++) assert_false(gap_at(&s, P_PICTURE, n % 16));
                const int next = last + missing + 1;
                assert_true(gap_at(&s, last % 2 ? P_PICTURE : UNUSED_B, next % 16));
                assert_false(gap_at(&s, P_PICTURE, next % 16)); /* a gap is reported once */
                assert_false(gap_at(&s, P_PICTURE, (next + 1) % 16));
                assert_false(gap_at(&s, IDR, 0));
            }
}

static void gaps_may_be_allowed(void **state) {
    (void)state;
    stream s = {.gaps_allowed = true};
    begin(&s);
    assert_false(gap_at(&s, IDR, 0));
    assert_false(gap_at(&s, P_PICTURE, 4));
    assert_false(gap_at(&s, UNUSED_B, 9));
}

static void numbers_may_begin_anew(void **state) {
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        stream s = variant(i);
        begin(&s);
        assert_false(gap_at(&s, IDR, 0));
        for (int n = 1; n < 7; n++) assert_false(gap_at(&s, P_PICTURE, n));
        assert_false(gap_at(&s, ANEW, 7));
        assert_false(gap_at(&s, UNUSED_B, 1));
        assert_false(gap_at(&s, P_PICTURE, 1));
        assert_true(gap_at(&s, P_PICTURE, 8));
    }
}

static void fields_share_a_number(void **state) {
    (void)state;
    for (int together = 0; together < 2; together++) {
        stream s = {.fields = true};
        begin(&s);
        for (int n = 0; n < 40; n++) {
            add_slice(&s, n == 0 ? IDR : n % 9 == 0 ? I_PICTURE : P_PICTURE, n % 16, 0, 1);
            if (!together) assert_false(is_gap(&s));
            add_slice(&s, P_PICTURE, n % 16, 0, 2);
            assert_false(is_gap(&s));
            add_slice(&s, UNUSED_B, (n + 1) % 16, 0, 2);
            add_slice(&s, UNUSED_B, (n + 1) % 16, 0, 1);
            assert_false(is_gap(&s));
        }
        add_slice(&s, P_PICTURE, 42 % 16, 0, 1);
        assert_true(is_gap(&s));
    }
}

static void nothing_follows_from_what_is_unknown(void **state) {
    (void)state;
    stream s = {.order_type = 2};
    begin(&s);
    assert_false(gap_at(&s, P_PICTURE, 5)); /* the first packet has none before it */
    assert_false(gap_at(&s, P_PICTURE, 6));
    h264_restart(&s.numbers);
    assert_false(gap_at(&s, P_PICTURE, 11));
    assert_true(gap_at(&s, P_PICTURE, 14));
    memset(&s.numbers.pictures, 0, sizeof s.numbers.pictures);
    assert_false(gap_at(&s, P_PICTURE, 3));
    add_parameter_sets(&s);
    assert_false(gap_at(&s, P_PICTURE, 8)); /* that before it was not understood */
    assert_true(gap_at(&s, P_PICTURE, 11));
}

static void anything_can_be_read(void **state) {
    (void)state;
    for (int n = 0; n < 20000; n++) {
        stream s = variant(n % VARIANTS);
        begin(&s);
        add_parameter_sets(&s);
        for (int k = IDR; k <= ANEW; k++) add_slice(&s, (kind)k, k, 0, 0);
        for (int k = random_below(6); k >= 0; k--) s.data[random_below(s.size)] ^= (uint8_t)(1 << random_below(8));
        s.size = 1 + random_below(s.size);
        uint8_t *exact = test_malloc((size_t)s.size); /* a sanitizer sees what is read after its end */
        memcpy(exact, s.data, (size_t)s.size);
        const AVPacket packet = {.data = exact, .size = s.size};
        h264_is_gap(&s.numbers, &packet);
        h264_begin(&s.numbers, exact, s.size);
        test_free(exact);
        s.measured = false;
        s.numbers.length_bytes = 0;
        s.size = 0;
        add_parameter_sets(&s);
        assert_false(gap_at(&s, IDR, 0));
        assert_true(gap_at(&s, P_PICTURE, 3));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_streams_have_no_gap), cmocka_unit_test(missing_references_are_gaps),
        cmocka_unit_test(gaps_may_be_allowed),       cmocka_unit_test(numbers_may_begin_anew),
        cmocka_unit_test(fields_share_a_number),     cmocka_unit_test(nothing_follows_from_what_is_unknown),
        cmocka_unit_test(anything_can_be_read),
    };
    return cmocka_run_group_tests_name("h264", tests, NULL, NULL);
}
