/* The messages of the window. */
#include "app/viewer/messages.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What does in the window what an option does on the command line. */
static const struct {
    const char *option, *words;
} buttons[] = {
    {"--layout", "'Layout' in the panel changes it"},
    {"--swap", "'Swap sides' exchanges them"},
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

char *messages_in_words(const char *line, char *text, size_t size) {
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

void messages_add(messages *m, panel_messages *shown, const char *text, const char *file, sv_level level) {
    char now[sizeof m->each[0].time];
    const time_t seconds = time(NULL);
    struct tm day;
    strftime(now, sizeof now, "%H:%M:%S", localtime_r(&seconds, &day));
    if (!shown->count || strcmp(m->each[m->newest].text, text)) m->newest = (m->newest + 1) % MESSAGES_MOST;
    char *path = m->each[m->newest].file;
    *path = 0;
    if (*file && *file != '/' && getcwd(path, sizeof m->each[0].file)) strncat(path, "/", 2);
    strncat(path, file, sizeof m->each[0].file - strlen(path) - 1);
    snprintf(m->each[m->newest].text, sizeof m->each[0].text, "%s", text);
    snprintf(m->each[m->newest].time, sizeof now, "%s", now);
    panel_noted *line = &shown->lines[m->newest];
    if (!line->text) shown->count++;
    *line = (panel_noted){m->each[m->newest].text, m->each[m->newest].time, *path ? path : NULL, level};
    shown->newest = m->newest;
}
