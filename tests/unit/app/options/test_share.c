/* Parts of a run, and lists of pairs. */
#include "app/options/options.h"
#include "app/options/pair_list.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdio.h>

#include <string.h>

TEST(parts_are_read) {
    share share;
    sv_error error;
    assert_int_equal(share_parse(&share, "3/16", &error), SV_OK);
    assert_int_equal(share.number, 3);
    assert_int_equal(share.count, 16);
    static const char *const wrong[] = {"",     "3",     "0/4", "5/4", "-1/4",      "1/0",
                                        "1/4x", "1/4/2", "a/b", "/4",  "1/99999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(share_parse(&share, wrong[i], &error), SV_USAGE);
        assert_non_null(strstr(error.text, "--shard"));
    }
}

/* All parts together are the range, in order, without a gap; their lengths differ by at most one. */
TEST(parts_are_the_range) {
    for (int64_t length = 0; length < 40; length++)
        for (int count = 1; count < 12; count++) {
            int64_t next = 7;
            for (int number = 1; number <= count; number++) {
                int64_t first = 7, end = 7 + length;
                share_narrow(&(share){number, count}, &first, &end);
                if (length) assert_int_equal(first, next);
                assert_in_range(end - first, length / count, (length + count - 1) / count);
                next = end;
            }
            assert_int_equal(next, 7 + length);
        }
    int64_t first = 3, end = 9;
    share_narrow(&(share){0}, &first, &end);
    assert_true(first == 3 && end == 9);
}

TEST(a_list_is_read) {
    pair_list list;
    sv_error error;
    const char *path = scratch_write_text("pairs.tsv", "# left\tright\tout\n"
                                                       "a l.png\tb.png\tc.pfm\n"
                                                       "\r\n"
                                                       "d\te\tf\tg,h\r\n"
                                                       "i\tj\tk\t\n"
                                                       "l\tm\tn");
    assert_int_equal(pair_list_read(&list, path, &error), SV_OK);
    assert_int_equal(list.count, 4);
    assert_string_equal(list.pairs[0].left, "a l.png");
    assert_string_equal(list.pairs[0].right, "b.png");
    assert_string_equal(list.pairs[0].output, "c.pfm");
    assert_null(list.pairs[0].calibration);
    assert_string_equal(list.pairs[1].output, "f");
    assert_string_equal(list.pairs[1].calibration, "g,h");
    assert_null(list.pairs[2].calibration);
    assert_int_equal(list.pairs[2].line, 5);
    assert_string_equal(list.pairs[3].output, "n");
    pair_list_free(&list);
}

TEST(wrong_lists_are_refused) {
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "names no pair"},
        {"# nothing\n\n", "names no pair"},
        {"a\tb\tc\na\tb\n", "line 2: 2 fields"},
        {"a b c\n", "line 1: 1 field;"},
        {"a\tb\tc\td\te\n", "line 1: 5 fields"},
        {"a\t\tc\n", "line 1: field 2 is empty"},
    };
    pair_list list;
    sv_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(pair_list_read(&list, scratch_write_text("wrong.tsv", wrong[i].text), &error), SV_FAILED);
        assert_non_null(strstr(error.text, wrong[i].message));
        pair_list_free(&list);
    }
    assert_int_equal(pair_list_read(&list, scratch_path("none.tsv"), &error), SV_FAILED);
    pair_list_free(&list);
    /* Lines behind a 0 would be left out. */
    FILE *stream = fopen(scratch_path("zero.tsv"), "wb");
    assert_non_null(stream);
    fwrite("a\tb\tc\n\0\nd\te\tf\n", 1, 15, stream);
    fclose(stream);
    assert_int_equal(pair_list_read(&list, scratch_path("zero.tsv"), &error), SV_FAILED);
    assert_non_null(strstr(error.text, "zero bytes"));
    pair_list_free(&list);
}

FIXTURES(scratch_setup, scratch_teardown)
