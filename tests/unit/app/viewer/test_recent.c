/* The list of recent inputs, in a folder of the test's own. */
#include "app/viewer/recent.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void begin(const char *name) {
    char state[512];
    snprintf(state, sizeof state, "%s", scratch_path(name));
    assert_int_equal(setenv("XDG_STATE_HOME", state, 1), 0);
}

static void add(const char *left, const char *right) {
    sv_error error = {""};
    if (recent_add(RECENT_INPUTS, left, right, &error) != SV_OK) fail_msg("%s", error.text);
}

TEST(newest_is_first_and_none_is_there_twice) {
    recent list;
    begin("order");
    recent_read(RECENT_INPUTS, &list);
    assert_int_equal(list.count, 0);
    add("/a/left.mp4", "/a/right.mp4");
    add("/b/both.mkv", NULL);
    add("/a/left.mp4", "/a/other.mp4");
    add("/a/left.mp4", "/a/right.mp4");
    assert_string_equal(scratch_read(scratch_path("order/stereoview/recent"), NULL),
                        "/a/left.mp4\t/a/right.mp4\n/a/left.mp4\t/a/other.mp4\n/b/both.mkv\n");
    recent_read(RECENT_INPUTS, &list);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.names[1][0], "/a/left.mp4");
    assert_string_equal(list.names[1][1], "/a/other.mp4");
    assert_string_equal(list.names[2][0], "/b/both.mkv");
    assert_null(list.names[2][1]);
    recent_free(&list);
    struct stat folder;
    assert_int_equal(stat(scratch_path("order/stereoview"), &folder), 0);
    assert_int_equal(folder.st_mode & 0777, 0700);
}

TEST(ten_are_kept) {
    recent list;
    begin("ten");
    for (int i = 0; i < 13; i++) {
        char name[32];
        snprintf(name, sizeof name, "/%d.mkv", i);
        add(name, NULL);
    }
    recent_read(RECENT_INPUTS, &list);
    assert_int_equal(list.count, RECENT_MOST);
    assert_string_equal(list.names[0][0], "/12.mkv");
    assert_string_equal(list.names[9][0], "/3.mkv");
    recent_free(&list);
}

TEST(no_password_is_kept) {
    begin("secret");
    add("rtsp://me:secret@host/left", "rtsp://host/right");
    add("rtsp://host/left", "rtsp://me:secret@host/right");
    add("http://host/both.mp4?password=secret", NULL);
    add("/with\ttab", NULL);
    add("/with\nline", NULL);
    assert_int_not_equal(access(scratch_path("secret/stereoview/recent"), F_OK), 0);
    add("rtsp://host/left", "rtsp://host/right");
    assert_string_equal(scratch_read(scratch_path("secret/stereoview/recent"), NULL),
                        "rtsp://host/left\trtsp://host/right\n");
}

TEST(relative_names_get_their_folder) {
    char folder[512], expected[1200];
    begin("relative");
    assert_non_null(getcwd(folder, sizeof folder));
    add("left.mp4", "cam1/");
    snprintf(expected, sizeof expected, "%s/left.mp4\t%s/cam1/\n", folder, folder);
    assert_string_equal(scratch_read(scratch_path("relative/stereoview/recent"), NULL), expected);
}

TEST(a_list_that_cannot_be_written_is_reported) {
    sv_error error = {""};
    scratch_write_text("file", "");
    begin("file");
    assert_int_equal(recent_add(RECENT_INPUTS, "/a", NULL, &error), SV_FAILED);
    assert_non_null(strstr(error.text, "stereoview/recent"));
    setenv("XDG_STATE_HOME", "not/absolute", 1);
    setenv("HOME", "nor/this", 1);
    assert_int_equal(recent_add(RECENT_INPUTS, "/a", NULL, &error), SV_FAILED);
    assert_non_null(strstr(error.text, "XDG_STATE_HOME"));
}

FIXTURES(scratch_setup, scratch_teardown)
