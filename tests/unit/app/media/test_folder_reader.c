/* Listing a folder in a thread. */
#include "app/media/folder_reader.h"
#include "stereo/clock.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int news_count;
static void news(void) { atomic_fetch_add(&news_count, 1); }

static const folder_list *wait_for(folder_reader *r) {
    const double until = sv_seconds() + PATIENCE;
    const folder_list *list = folder_reader_list(r);
    while (!list && sv_seconds() < until) {
        usleep(1000);
        list = folder_reader_list(r);
    }
    assert_non_null(list);
    return list;
}

TEST(folders_come_first_and_numbers_count) {
    static const char *const expected[] = {"a", "linked", "p2.png", "p10.png"};
    char folder[600];
    snprintf(folder, sizeof folder, "%s", scratch_path("some"));
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(mkdir(scratch_path("some/a"), 0700), 0);
    assert_int_equal(symlink("a", scratch_path("some/linked")), 0);
    scratch_write_text("some/p10.png", "");
    scratch_write_text("some/p2.png", "");
    scratch_write_text("some/.hidden", "");
    atomic_store(&news_count, 0);
    folder_reader *r = folder_reader_open(folder, news);
    const folder_list *list = wait_for(r);
    assert_int_equal(list->status, SV_OK);
    assert_int_equal(list->count, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(list->entries[i].name, expected[i]);
        assert_int_equal(list->entries[i].is_folder, i < 2);
    }
    assert_int_equal(atomic_load(&news_count), 1);
    folder_reader_close(r);
}

TEST(what_is_no_folder_says_so) {
    folder_reader *r = folder_reader_open(scratch_path("nothing"), news);
    const folder_list *list = wait_for(r);
    assert_int_equal(list->status, SV_FAILED);
    assert_non_null(strstr(list->error.text, "nothing: No such file"));
    assert_int_equal(list->count, 0);
    folder_reader_close(r);
}

/* Nobody waits for one that is closed before it is done. */
TEST(it_is_closed_at_any_time) {
    for (int i = 0; i < 50; i++) folder_reader_close(folder_reader_open("/usr/lib", news));
    folder_reader_close(NULL);
}

FIXTURES(scratch_setup, scratch_teardown)
