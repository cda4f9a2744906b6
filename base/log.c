/* The program's log: lines on standard error, and the latest of them for the window.
 *
 * A thread writes them, because nobody may be reading standard error, and callers may hold locks that the window and
 * the decoders wait for. */
#include "base/log.h"

#include "stereo/alloc.h"
#include "stereo/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 1024, WRITTEN_SIZE = 2 * LINE_SIZE + 64, QUEUE_SIZE = 256 * 1024 };

/* How long other threads wait while nothing is read, seconds. */
static const double longest_wait = 2;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that follows */
static pthread_cond_t changed;

/* Texts for standard error, each ended by a 0. The thread writes one queue while the other is filled. */
typedef struct queue {
    char texts[QUEUE_SIZE];
    size_t size;
} queue;

static queue queues[2], *filled = &queues[0];
static bool started;      /* the thread */
static bool writing;      /* it has not written all of its queue */
static double since;      /* when it began to write the present text, sv_seconds */
static unsigned left_out; /* lines left out for lack of space since the last report */

static sv_level most_shown;

/* The last line on standard error, and how often it has been repeated. */
static sv_level shown_level;
static char shown[LINE_SIZE];
static unsigned repeats;

static char progress[LINE_SIZE]; /* the line that shows progress; empty: none is shown */
static double progressed;        /* when it was shown, by sv_seconds */

static sv_level latest_level;
static char latest[LINE_SIZE];
static unsigned latest_count;
static char latest_file[1024];
static _Thread_local const char *file_of_line;

/* For a terminal: return to the beginning of the line and erase it. */
#define WIPE "\r\033[K"

/* One write for each text, so that lines of several programs do not mix. */
static void *write_texts(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!filled->size) pthread_cond_wait(&changed, &lock);
        const queue *full = filled;
        filled = full == &queues[0] ? &queues[1] : &queues[0];
        filled->size = 0;
        writing = true;
        for (const char *text = full->texts; text < full->texts + full->size; text += strlen(text) + 1) {
            since = sv_seconds();
            pthread_cond_broadcast(&changed);
            pthread_mutex_unlock(&lock);
            const ssize_t written = write(STDERR_FILENO, text, strlen(text));
            (void)written; /* there is nowhere to report a failure */
            pthread_mutex_lock(&lock);
        }
        writing = false;
        pthread_cond_broadcast(&changed);
    }
    return NULL;
}

/* Waits for the thread. False once nothing has been read since `from` for that long. */
static bool wait_for_thread(double from) {
    if (writing) return sv_condition_wait(&changed, &lock, fmax(since, from) + longest_wait);
    return !pthread_cond_wait(&changed, &lock);
}

static bool add_text(const char *text) {
    const size_t size = strlen(text) + 1;
    if (filled->size + size > QUEUE_SIZE) return false;
    memcpy(filled->texts + filled->size, text, size);
    filled->size += size;
    pthread_cond_broadcast(&changed);
    return true;
}

static bool add_line(sv_level level, const char *line) {
    static const char *const kinds[] = {"error: ", "warning: ", "", "debug: "};
    char whole[WRITTEN_SIZE];
    snprintf(whole, sizeof whole, "%sstereoview: %s%s\n%s", progress[0] ? WIPE : "", kinds[level], line, progress);
    return add_text(whole);
}

static void report_left_out(void) {
    char line[96];
    snprintf(line, sizeof line, "messages dropped because standard error was not read: %u", left_out);
    if (left_out && add_line(SV_LOG_WARNING, line)) left_out = 0;
}

static void report_repeats(void) {
    char line[64];
    if (!repeats) return;
    snprintf(line, sizeof line, "last message repeated %u time%s", repeats, repeats == 1 ? "" : "s");
    left_out += !add_line(shown_level, line);
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
        snprintf(latest_file, sizeof latest_file, "%s", file_of_line ? file_of_line : "");
        latest_count++;
    }
    if (level <= most_shown) {
        if (level == shown_level && !strcmp(clean, shown)) {
            repeats++;
        } else {
            while (filled->size + 3 * WRITTEN_SIZE > QUEUE_SIZE && wait_for_thread(0)) continue;
            report_left_out();
            report_repeats();
            left_out += !add_line(level, clean);
            shown_level = level;
            strcpy(shown, clean);
        }
    }
    pthread_mutex_unlock(&lock);
}

void log_start(sv_level most) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    most_shown = most;
    shown[0] = latest[0] = 0;
    repeats = latest_count = 0;
    if (!started) {
        sv_condition_init(&changed);
        started = true;
        sv_thread_start(&thread, write_texts, NULL);
        pthread_detach(thread);
    }
    pthread_mutex_unlock(&lock);
    sv_set_log(handle);
}

static void wait_until_written(void) {
    const double from = sv_seconds();
    while (started && (writing || filled->size) && wait_for_thread(from)) continue;
}

void log_progress(const char *line) {
    const double now = sv_seconds();
    pthread_mutex_lock(&lock);
    const bool changes = line ? !progress[0] || now - progressed >= 0.5 : progress[0];
    if (changes) progressed = now;
    if (changes && most_shown >= SV_LOG_INFO && isatty(STDERR_FILENO)) {
        char whole[LINE_SIZE + 8];
        snprintf(progress, sizeof progress, "%s", line ? line : "");
        snprintf(whole, sizeof whole, WIPE "%s", progress);
        add_text(whole);
        wait_until_written();
    }
    pthread_mutex_unlock(&lock);
}

void log_flush(void) {
    pthread_mutex_lock(&lock);
    wait_until_written();
    report_left_out();
    report_repeats();
    wait_until_written();
    pthread_mutex_unlock(&lock);
}

void log_wrote(const char *file, const char *format, ...) {
    char line[LINE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    file_of_line = file;
    sv_log(SV_LOG_INFO, "%s", line);
    file_of_line = NULL;
}

unsigned log_latest(sv_level *level, char *line, size_t size, char *file, size_t file_size) {
    pthread_mutex_lock(&lock);
    *level = latest_level;
    snprintf(line, size, "%s", latest);
    snprintf(file, file_size, "%s", latest_file);
    const unsigned count = latest_count;
    pthread_mutex_unlock(&lock);
    return count;
}
