/* The log on the terminal, and how names and addresses are printed: base/log. */
#include "base/log.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    log_flush();
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

TEST(levels_choose_what_is_logged) {
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

TEST(repeats_are_counted) {
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

TEST(log_is_one_line_without_control_characters) {
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
TEST(shown_names_are_clean) {
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

TEST(the_latest_message_is_kept) {
    sv_level level = SV_LOG_DEBUG;
    char line[8] = "?";
    capture_log(SV_LOG_ERROR);
    const unsigned before = log_latest(&level, line, sizeof line, NULL, 0);
    assert_string_equal(line, "");
    sv_log(SV_LOG_WARNING, "the file is lost");
    sv_log(SV_LOG_DEBUG, "noise");
    const unsigned after = log_latest(&level, line, sizeof line, NULL, 0);
    sv_log(SV_LOG_WARNING, "the file is lost");
    const unsigned repeated = log_latest(&level, line, sizeof line, NULL, 0);
    logged();
    assert_int_equal(before, 0);
    assert_int_equal(after, 1);
    assert_int_equal(repeated, 2);
    assert_int_equal(level, SV_LOG_WARNING);
    assert_string_equal(line, "the fil");
}

enum { MANY = 20000 };

static void *read_all(void *of) {
    const int *from = of;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    char part[4096];
    for (ssize_t got; (got = read(*from, part, sizeof part)) > 0;) fwrite(part, 1, (size_t)got, to);
    fclose(to);
    return text;
}

/* A terminal that is stopped, or a pager that shows its first page, stops nobody who logs. */
TEST(logging_waits_for_no_reader) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fcntl(ends[1], F_SETPIPE_SZ, 4096);
    kept_stderr = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    log_start(SV_LOG_INFO);
    alarm(120); /* ends this program if logging waits */
    for (int i = 0; i < MANY; i++) sv_log(SV_LOG_INFO, "%d of the lines that are longer than what a pipe holds", i);
    sv_level level;
    char line[16];
    assert_int_equal(log_latest(&level, line, sizeof line, NULL, 0), MANY);
    log_flush();
    alarm(0);

    /* Once they are read, nothing is missing but what is counted. */
    pthread_t reader;
    void *text;
    assert_int_equal(pthread_create(&reader, NULL, read_all, &ends[0]), 0);
    log_flush();
    sv_log(SV_LOG_INFO, "%d and last", MANY);
    log_flush();
    dup2(kept_stderr, STDERR_FILENO);
    close(kept_stderr);
    pthread_join(reader, &text);
    close(ends[0]);
    int next = 0, left_out = 0;
    for (const char *at = text; *at; at = strchr(at, '\n') + 1) {
        int number;
        if (sscanf(at, "stereoview: warning: messages dropped because standard error was not read: %d\n", &number))
            left_out = number, next += number;
        else if (sscanf(at, "stereoview: %d ", &number))
            assert_int_equal(number, next++);
    }
    assert_int_equal(next, MANY + 1);
    assert_in_range(left_out, 1, MANY);
    free(text);
}

static void *log_until_stopped(void *stops) {
    while (!atomic_load((atomic_bool *)stops)) sv_log(SV_LOG_INFO, "rtsp://me:secret@host");
    return NULL;
}

/* Threads that outlive the main thread's work may log to the end; ThreadSanitizer finds no race. */
TEST(threads_may_log_to_the_end) {
    pthread_t thread;
    atomic_bool stops = false;
    capture_log(SV_LOG_INFO);
    pthread_create(&thread, NULL, log_until_stopped, &stops);
    for (int i = 0; i < 100; i++) {
        sv_log(SV_LOG_INFO, "%d", i);
        log_flush();
    }
    atomic_store(&stops, true);
    pthread_join(thread, NULL);
    sv_log(SV_LOG_INFO, "rtsp://me:other@host");
    const char *text = logged();
    assert_has(text, "stereoview: rtsp://me:***@host\n");
    assert_null(strstr(text, "secret"));
    assert_null(strstr(text, "other"));
}

FIXTURES(scratch_setup, scratch_teardown)
