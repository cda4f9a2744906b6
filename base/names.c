/* Short names of sources, for titles and messages. */
#include "base/names.h"

#include <stdio.h>
#include <string.h>

/* The end of the path that has `parts` parts, or all of it. */
static const char *last_parts(const char *path, int parts) {
    const char *at = path + strlen(path);
    while (at > path && (at[-1] != '/' || --parts)) at--;
    return at;
}

void names_join(const char *left, const char *right, char *text, size_t size) {
    const char *names[2];
    for (int parts = 1; parts < 3; parts++) {
        names[0] = last_parts(left, parts);
        names[1] = right ? last_parts(right, parts) : "";
        if (strcmp(names[0], names[1])) break;
    }
    snprintf(text, size, "%s%s%s", names[0], right ? " and " : "", names[1]);
}
