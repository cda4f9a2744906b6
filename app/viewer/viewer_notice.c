/* What is shown over the picture in one line. */
#include "app/viewer/viewer_notice.h"

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double shown_for = 4; /* seconds */

void viewer_notice_toggle_list(viewer_notice *n) { n->list->shown = !n->list->shown; }

bool viewer_notice_close_list(viewer_notice *n) {
    const bool shown = n->list->shown;
    n->list->shown = false;
    return shown;
}

void viewer_notice_set(viewer_notice *n, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(n->text, sizeof n->text, format, arguments);
    va_end(arguments);
    n->until = sv_seconds() + shown_for;
    n->is_error = false;
}

const char *viewer_notice_own_keys(const viewer_notice *n, input_action action) { return n->keys->of[action]; }

const char *viewer_notice_keys(const viewer_notice *n, input_action action) {
    const char *keys = n->keys->of[action];
    return *keys ? keys : "a button";
}

/* ---- The log ---------------------------------------------------------------------------------- */

/* What does in the window what an option does on the command line. */
static const struct {
    const char *option, *words;
} buttons[] = {
    {"--layout", "'Layout' in the panel changes it"},
    {"--swap", "'Swap sides' swaps them"},
    {"--calibration", "drop the file onto the window to use it later"},
    {"--settings", "'Load' in Settings reads them"},
    {"--align", "'Align' in the cell Rows aligns the cameras"},
    {"--row-shift", "the cell Rows shifts them"},
    {"--offset", "the keys o and O change it"},
    {"--scale", "the cell Speed makes it smaller"},
};

/* True if the part, of `length` bytes, names an option. */
static bool names_option(const char *part, size_t length) {
    for (size_t i = 0; i + 2 < length; i++)
        if ((!i || strchr(" ('", part[i - 1])) && part[i] == '-' &&
            (part[i + 1] == '-' || (part[i + 1] >= 'a' && part[i + 1] <= 'z' && strchr(" )", part[i + 2]))))
            return true;
    return length >= 3 && !strncmp(part + length - 3, "(-d", 3);
}

/* Appends a part, unless it names an option. */
static void append(char *text, size_t size, const char *part, size_t length) {
    const size_t used = strlen(text);
    if (names_option(part, length) || used + 1 >= size) return;
    snprintf(text + used, size - used, "%.*s", (int)length, part);
}

char *viewer_notice_words(const char *line, char *text, size_t size) {
    *text = 0;
    for (const char *at = line; *at;) {
        /* Parts begin at a parenthesis, a semicolon or a colon, and end before the next one. */
        size_t length = *at == '(' ? strcspn(at, ")") + 1 : 1 + strcspn(at + 1, "(;");
        if (length > strlen(at)) length = strlen(at);
        append(text, size, at, length);
        at += length;
    }
    size_t end = strlen(text);
    while (end && strchr(" ;,:", text[end - 1])) text[--end] = 0;
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
        if (!strstr(line, buttons[i].option)) continue;
        snprintf(text + end, size - end, "%s%s", end ? "; " : "", buttons[i].words);
        break;
    }
    if (!*text) snprintf(text, size, "%s", line);
    return text;
}

void viewer_notice_add(viewer_notice *n, const char *text, const char *file, sv_level level) {
    panel_messages *shown = n->list;
    char now[sizeof n->kept[0].time];
    const time_t seconds = time(NULL);
    struct tm day;
    strftime(now, sizeof now, "%H:%M:%S", localtime_r(&seconds, &day));
    if (!shown->count || strcmp(n->kept[n->newest].text, text)) n->newest = (n->newest + 1) % PANEL_MOST_MESSAGES;
    char *path = n->kept[n->newest].file;
    *path = 0;
    if (*file && *file != '/' && getcwd(path, sizeof n->kept[0].file)) strncat(path, "/", 2);
    strncat(path, file, sizeof n->kept[0].file - strlen(path) - 1);
    snprintf(n->kept[n->newest].text, sizeof n->kept[0].text, "%s", text);
    snprintf(n->kept[n->newest].time, sizeof now, "%s", now);
    panel_noted *line = &shown->lines[n->newest];
    if (!line->text) shown->count++;
    *line = (panel_noted){n->kept[n->newest].text, n->kept[n->newest].time, *path ? path : NULL, level};
    shown->newest = n->newest;
}

void viewer_notice_follow_log(viewer_notice *n) {
    sv_level level;
    char line[512], file[1024], words[sizeof n->text];
    const unsigned lines = log_latest(&level, line, sizeof line, file, sizeof file);
    if (lines != n->lines && level <= SV_LOG_INFO) {
        viewer_notice_set(n, "%s", viewer_notice_words(line, words, sizeof words));
        n->is_error = level == SV_LOG_ERROR;
        viewer_notice_add(n, words, file, level);
    }
    n->lines = lines;
}

void viewer_notice_skip_log(viewer_notice *n) {
    sv_level level;
    char line[512], file[1024], words[sizeof n->text];
    n->lines = log_latest(&level, line, sizeof line, file, sizeof file);
    viewer_notice_add(n, viewer_notice_words(line, words, sizeof words), file, level);
}

/* ---- What is shown ---------------------------------------------------------------------------- */

void viewer_notice_show(const viewer_notice *n, panel_message *m) {
    m->text = sv_seconds() < n->until ? n->text : NULL;
    m->is_error = n->is_error;
}

/* For tests, which cannot read a picture. */
static void log_change(viewer_notice *n, const char *text) {
    if (!strcmp(text, n->logged)) return;
    snprintf(n->logged, sizeof n->logged, "%s", text);
    if (*text)
        sv_log(SV_LOG_DEBUG, "message: %s", text);
    else
        sv_log(SV_LOG_DEBUG, "message ends");
}

void viewer_notice_choose(viewer_notice *n, pairing *pairing, player_state *player, const char *waits,
                          const char *recorded, panel_message *m) {
    const bool trouble = pairing_trouble(pairing, n->trouble, sizeof n->trouble);
    const bool noticed = sv_seconds() < n->until;
    log_clean(n->trouble);
    log_clean(player->error.text);
    m->text = player->failed           ? player->error.text
              : trouble                ? n->trouble
              : noticed && n->is_error ? n->text
              : waits                  ? waits
              : noticed                ? n->text
                                       : recorded;
    m->is_error = player->failed || trouble || (m->text == n->text && n->is_error);
    log_change(n, m->text ? m->text : "");
}
