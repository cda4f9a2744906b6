/* The program's log: lines on standard error, and the latest of them for the window. */
#include "app/log.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */

static sv_level most_shown;

/* The last line on standard error, and how often it came again since. */
static sv_level shown_level;
static char shown[LINE_SIZE];
static unsigned repeats;

static sv_level latest_level;
static char latest[LINE_SIZE];
static unsigned latest_count;

/* One write, so that lines of several threads and programs do not mix. */
static void write_line(sv_level level, const char *line) {
    static const char *const kinds[] = {"error: ", "warning: ", "", "debug: "};
    char whole[LINE_SIZE + 64];
    const int length = snprintf(whole, sizeof whole, "stereoview: %s%s\n", kinds[level], line);
    if (write(STDERR_FILENO, whole, (size_t)length) < 0) return; /* there is nowhere to complain */
}

static void tell_repeats(void) {
    char line[64];
    if (!repeats) return;
    snprintf(line, sizeof line, "last message repeated %u time%s", repeats, repeats == 1 ? "" : "s");
    write_line(shown_level, line);
    repeats = 0;
}

static void handle(sv_level level, const char *line) {
    /* File names can hold anything; a terminal must not take it for a command. */
    char clean[LINE_SIZE];
    snprintf(clean, sizeof clean, "%s", line);
    for (char *c = clean; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';

    pthread_mutex_lock(&lock);
    if (level < SV_LOG_DEBUG) {
        latest_level = level;
        strcpy(latest, clean);
        latest_count++;
    }
    if (level <= most_shown) {
        if (level == shown_level && !strcmp(clean, shown)) {
            repeats++;
        } else {
            tell_repeats();
            write_line(level, clean);
            shown_level = level;
            strcpy(shown, clean);
        }
    }
    pthread_mutex_unlock(&lock);
}

void log_start(sv_level most) {
    most_shown = most;
    shown[0] = latest[0] = 0;
    repeats = latest_count = 0;
    sv_set_log(handle);
}

void log_stop(void) {
    sv_set_log(NULL);
    tell_repeats();
}

unsigned log_latest(sv_level *level, char *line, size_t size) {
    pthread_mutex_lock(&lock);
    *level = latest_level;
    snprintf(line, size, "%s", latest);
    const unsigned count = latest_count;
    pthread_mutex_unlock(&lock);
    return count;
}
