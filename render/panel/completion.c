/* Typing the name of a file: see completion.h. */
#include "render/panel/completion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *completion_split(const char *typed, char *folder, size_t size) {
    const char *slash = strrchr(typed, '/'), *home = getenv("HOME");
    const char *begins = slash ? slash + 1 : typed;
    const bool at_home = typed[0] == '~' && typed[1] == '/' && home;
    const char *rest = at_home ? typed + 1 : typed;
    snprintf(folder, size, "%s%.*s", at_home ? home : "", (int)(begins - rest), rest);
    return begins;
}

bool completion_fits(const char *name, const char *beginning) {
    return !strncasecmp(name, beginning, strlen(beginning));
}

int completion_common(const char *const *names, int count, const char *beginning, char *common, size_t size) {
    int fitting = 0;
    *common = 0;
    for (int i = 0; i < count; i++) {
        if (!completion_fits(names[i], beginning)) continue;
        if (!fitting++) snprintf(common, size, "%s", names[i]);
        size_t same = 0;
        while (common[same] && common[same] == names[i][same]) same++;
        while (same && ((unsigned char)names[i][same] & 0xc0) == 0x80) same--; /* no part of a character */
        common[same] = 0;
    }
    return fitting;
}

void completion_parent(const char *folder, char *parent, size_t size) {
    size_t length = strlen(folder);
    if (!strcmp(folder, "/")) {
        snprintf(parent, size, "/");
    } else if (!length || !strcmp(folder, "../") || (length > 3 && !strcmp(folder + length - 4, "/../"))) {
        snprintf(parent, size, "%s../", folder);
    } else {
        for (length--; length && folder[length - 1] != '/';) length--;
        snprintf(parent, size, "%.*s", (int)length, folder);
    }
}
