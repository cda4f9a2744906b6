/* The log on the terminal, and how names and addresses are printed: app/log. */
#include "app/log.h"
#include "tests/reading.h"
#include "tests/scratch.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int kept_stderr;

/* Redirects standard error to a file until logged() returns what was written. */
static void capture_log(sv_level most) {
    fflush(stderr);
    kept_stderr = dup(STDERR_FILENO);
    const int file = open(scratch_path("log.txt"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    close(file);
    log_start(most);
}

static const char *logged(void) {
    log_stop();
    dup2(kept_stderr, STDERR_FILENO);
    close(kept_stderr);
    return scratch_read(scratch_path("log.txt"), NULL);
}

static void say_all(void) {
    sv_log(SV_LOG_ERROR, "e %d", 1);
    sv_log(SV_LOG_WARNING, "w");
    sv_log(SV_LOG_INFO, "i");
    sv_log(SV_LOG_DEBUG, "d");
}

static void levels_choose_what_is_logged(void **state) {
    (void)state;
    capture_log(SV_LOG_ERROR);
    say_all();
    assert_string_equal(logged(), "stereoview: error: e 1\n");
    capture_log(SV_LOG_INFO);
    say_all();
    assert_string_equal(logged(), "stereoview: error: e 1\nstereoview: warning: w\nstereoview: i\n");
    capture_log(SV_LOG_DEBUG);
    say_all();
    assert_has(logged(), "stereoview: i\nstereoview: debug: d\n");
}

static void repeats_are_counted(void **state) {
    (void)state;
    capture_log(SV_LOG_INFO);
    for (int i = 0; i < 5; i++) sv_log(SV_LOG_WARNING, "again");
    sv_log(SV_LOG_INFO, "again"); /* of another level, so another message */
    sv_log(SV_LOG_INFO, "other");
    sv_log(SV_LOG_INFO, "other");
    assert_string_equal(logged(), "stereoview: warning: again\n"
                                  "stereoview: warning: last message repeated 4 times\n"
                                  "stereoview: again\n"
                                  "stereoview: other\n"
                                  "stereoview: last message repeated 1 time\n");
}

static void log_is_one_line_without_control_characters(void **state) {
    (void)state;
    char text[3000];
    memset(text, 'x', sizeof text);
    memcpy(text, "a\nb\x1b[2Jc\xc3\xa9", 10);
    text[sizeof text - 1] = 0;
    capture_log(SV_LOG_INFO);
    sv_log(SV_LOG_INFO, "%s", text);
    const char *got = logged();
    assert_has(got, "stereoview: a?b?[2Jc\xc3\xa9xxx");
    assert_ptr_equal(strchr(got, '\n'), got + strlen(got) - 1);
    assert_in_range(strlen(got), 1000, 1100);
}

/* How names and addresses are printed. */
static void shown_names_are_clean(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"caf\xc3\xa9 \xc3\x80 \xe2\x82\xac \xf0\x9f\x8e\xa5.mp4",
         "caf\xc3\xa9 \xc3\x80 \xe2\x82\xac \xf0\x9f\x8e\xa5.mp4"},
        {"a\xc2\x9b"
         "2Jb\xc2\x80\xc2\xa0.mp4",
         "a?2Jb?\xc2\xa0.mp4"}, /* C1, coded: a terminal's CSI */
        {"a\x9b"
         "2J\x80\x9f.mp4",
         "a?2J??.mp4"}, /* and as plain bytes */
        {"cut \xe2\x82", "cut ??"},
        {"\x1b\x7f\n", "???"},
        {"rtsp://me:secret@host/a: no answer", "rtsp://me:***@host/a: no answer"},
        {"rtsp://me:se@cr:et@host:554/a", "rtsp://me:***@host:554/a"},
        {"rtsp://me@host/a and http://b:80/c@d", "rtsp://me@host/a and http://b:80/c@d"},
        {"http://u:p@a/ http://v:longer@b", "http://u:*@a/ http://v:***@b"},
        {"rtsp://host/a?user=me&password=secret&n=1: no", "rtsp://host/a?user=me&password=***&n=1: no"},
        {"password=5 in a text without an address", "password=5 in a text without an address"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s", cases[i][0]);
        log_clean(text);
        assert_string_equal(text, cases[i][1]);
        capture_log(SV_LOG_INFO);
        sv_log(SV_LOG_INFO, "%s", cases[i][0]);
        assert_has(logged(), cases[i][1]);
    }
}

static void the_latest_message_is_kept(void **state) {
    (void)state;
    sv_level level = SV_LOG_DEBUG;
    char line[8] = "?";
    capture_log(SV_LOG_ERROR);
    const unsigned before = log_latest(&level, line, sizeof line);
    assert_string_equal(line, "");
    sv_log(SV_LOG_WARNING, "the file is lost");
    sv_log(SV_LOG_DEBUG, "noise");
    const unsigned after = log_latest(&level, line, sizeof line);
    sv_log(SV_LOG_WARNING, "the file is lost");
    const unsigned repeated = log_latest(&level, line, sizeof line);
    logged();
    assert_int_equal(before, 0);
    assert_int_equal(after, 1);
    assert_int_equal(repeated, 2);
    assert_int_equal(level, SV_LOG_WARNING);
    assert_string_equal(line, "the fil");
}

static void *log_many(void *text) {
    for (int i = 0; i < 200; i++) sv_log(SV_LOG_INFO, "%s %d", (const char *)text, i);
    return NULL;
}

static void threads_log_whole_lines(void **state) {
    (void)state;
    static char names[4][4] = {"one", "two", "six", "ten"};
    pthread_t threads[4];
    capture_log(SV_LOG_INFO);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, log_many, names[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    int lines = 0;
    for (const char *line = logged(); *line; line = strchr(line, '\n') + 1, lines++)
        assert_memory_equal(line, "stereoview: ", 12);
    assert_int_equal(lines, 800);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_choose_what_is_logged),
        cmocka_unit_test(repeats_are_counted),
        cmocka_unit_test(log_is_one_line_without_control_characters),
        cmocka_unit_test(shown_names_are_clean),
        cmocka_unit_test(the_latest_message_is_kept),
        cmocka_unit_test(threads_log_whole_lines),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
