/* The program's log: lines on standard error, and the latest of them for the window. */
#include "app/log.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */

static sv_level most_shown;

/* The last line on standard error, and how often it has been repeated. */
static sv_level shown_level;
static char shown[LINE_SIZE];
static unsigned repeats;

static char progress[LINE_SIZE]; /* the line that shows progress; empty: none is shown */

static sv_level latest_level;
static char latest[LINE_SIZE];
static unsigned latest_count;

/* For a terminal: return to the beginning of the line and erase it. */
#define WIPE "\r\033[K"

/* One write, so that lines of several threads and programs do not mix. */
static void write_line(sv_level level, const char *line) {
    static const char *const kinds[] = {"error: ", "warning: ", "", "debug: "};
    char whole[2 * LINE_SIZE + 64];
    const int length =
        snprintf(whole, sizeof whole, "%sstereoview: %s%s\n%s", progress[0] ? WIPE : "", kinds[level], line, progress);
    if (write(STDERR_FILENO, whole, (size_t)length) < 0) return; /* there is nowhere to report it */
}

static void tell_repeats(void) {
    char line[64];
    if (!repeats) return;
    snprintf(line, sizeof line, "last message repeated %u time%s", repeats, repeats == 1 ? "" : "s");
    write_line(shown_level, line);
    repeats = 0;
}

/* How many bytes the UTF-8 character at `text` has; 0 if it is none. */
static size_t utf8_length(const char *text) {
    const unsigned char first = (unsigned char)*text;
    const size_t length = first < 0x80                     ? 1
                          : first >= 0xc2 && first <= 0xdf ? 2
                          : (first & 0xf0) == 0xe0         ? 3
                          : first >= 0xf0 && first <= 0xf4 ? 4
                                                           : 0;
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
    return length;
}

/* A terminal takes these for commands. */
static bool is_control(const char *text, size_t length) {
    const unsigned char c = (unsigned char)*text;
    return length == 1 ? c < 0x20 || c == 0x7f : length == 2 && c == 0xc2 && (unsigned char)text[1] < 0xa0;
}

static void hide(char *secret, size_t length) {
    const size_t stars = length < 3 ? length : 3;
    memset(secret, '*', stars);
    memmove(secret + stars, secret + length, strlen(secret + length) + 1);
}

static void hide_passwords(char *text) {
    static const char *const keys[] = {"password=", "passwd=", "pwd=", "pass="};
    for (char *at = text; (at = strstr(at, "://"));) {
        at += 3;
        char *end = at + strcspn(at, "/?#"), *host = memrchr(at, '@', (size_t)(end - at));
        char *password = host ? memchr(at, ':', (size_t)(host - at)) : NULL;
        if (password) hide(password + 1, (size_t)(host - password - 1));
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            for (char *key = at; (key = strcasestr(key, keys[i]));) {
                key += strlen(keys[i]);
                hide(key, strcspn(key, "&# \t"));
            }
    }
}

void log_clean(char *text) {
    char *to = text;
    for (const char *from = text; *from;) {
        const size_t length = utf8_length(from);
        const bool plain = length > 0 && !is_control(from, length);
        for (size_t i = 0; plain && i < length; i++) to[i] = from[i];
        if (!plain) *to = '?';
        to += plain ? length : 1;
        from += length > 0 ? length : 1;
    }
    *to = 0;
    hide_passwords(text);
}

static void handle(sv_level level, const char *line) {
    char clean[LINE_SIZE];
    snprintf(clean, sizeof clean, "%s", line);
    log_clean(clean);

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

void log_progress(const char *line) {
    pthread_mutex_lock(&lock);
    if ((line || progress[0]) && most_shown >= SV_LOG_INFO && isatty(STDERR_FILENO)) {
        char whole[LINE_SIZE + 8];
        snprintf(progress, sizeof progress, "%s", line ? line : "");
        const int length = snprintf(whole, sizeof whole, WIPE "%s", progress);
        if (write(STDERR_FILENO, whole, (size_t)length) < 0) progress[0] = 0;
    }
    pthread_mutex_unlock(&lock);
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
