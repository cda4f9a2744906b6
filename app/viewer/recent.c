/* What the window has opened recently: see recent.h. */
#include "app/viewer/recent.h"

#include "base/file.h"
#include "base/log.h"
#include "base/places.h"
#include "capture/live/network.h"
#include "stereo/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const files[] = {[RECENT_INPUTS] = "recent", [RECENT_SETTINGS] = "recent-settings"};

void recent_read(recent_list which, recent *recent) {
    char path[PLACES_BYTES], *line = NULL;
    size_t room = 0;
    *recent = (struct recent){.count = 0};
    FILE *file = places_of_user(PLACES_STATE, files[which], path, sizeof path) ? fopen(path, "r") : NULL;
    while (file && recent->count < RECENT_MOST && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = 0;
        char *tab = strchr(line, '\t');
        if (tab) *tab = 0;
        if (!*line) continue;
        char **names = recent->names[recent->count];
        names[0] = sv_strdup(line);
        names[1] = tab && tab[1] ? sv_strdup(tab + 1) : NULL;
        recent->count++;
    }
    free(line);
    if (file) fclose(file);
}

int recent_names(const recent *r, char *names[RECENT_MOST][2]) {
    memcpy(names, r->names, sizeof r->names);
    return r->count;
}

void recent_free(recent *recent) {
    for (int i = 0; i < recent->count; i++) {
        free(recent->names[i][0]);
        free(recent->names[i][1]);
    }
    *recent = (struct recent){.count = 0};
}

/* The name as it is kept, or NULL if it is not: a file's as an absolute path, because other runs start in other
 * folders. */
static char *kept_name(const char *name) {
    char safe[PLACES_BYTES], folder[PLACES_BYTES];
    snprintf(safe, sizeof safe, "%s", name);
    log_clean(safe);
    if (strcmp(safe, name)) return NULL; /* a password, or characters that no name should have */
    if (name[0] == '/' || (network_is_address(name) && access(name, F_OK))) return sv_strdup(name);
    return getcwd(folder, sizeof folder) ? sv_asprintf("%s/%s", folder, name) : NULL;
}

static bool is_same(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static sv_status write_list(recent_list which, const recent *old, char *const names[2], sv_error *error) {
    char path[PLACES_BYTES];
    file_writer writer;
    if (!places_of_user(PLACES_STATE, files[which], path, sizeof path))
        return sv_fail(error, SV_FAILED,
                       "neither XDG_STATE_HOME nor HOME names a folder for the lists of recent names");
    places_make_folders(path);
    const sv_status status = file_create(&writer, path, error);
    if (status != SV_OK) return status;
    fprintf(writer.stream, "%s%s%s\n", names[0], names[1] ? "\t" : "", names[1] ? names[1] : "");
    for (int i = 0, count = 1; i < old->count && count < RECENT_MOST; i++) {
        char *const *other = old->names[i];
        if (is_same(other[0], names[0]) && is_same(other[1], names[1])) continue;
        fprintf(writer.stream, "%s%s%s\n", other[0], other[1] ? "\t" : "", other[1] ? other[1] : "");
        count++;
    }
    return file_commit(&writer, error);
}

sv_status recent_add(recent_list which, const char *left, const char *right, sv_error *error) {
    char *names[2] = {kept_name(left), right ? kept_name(right) : NULL};
    sv_status status = SV_OK;
    if (names[0] && (names[1] || !right)) {
        recent old;
        recent_read(which, &old);
        status = write_list(which, &old, names, error);
        recent_free(&old);
    }
    free(names[0]);
    free(names[1]);
    return status;
}
