/* See qualities.h. */
#include "app/options/qualities.h"

#include "app/options/settings.h"
#include "base/file.h"
#include "base/places.h"
#include "stereo/quality.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char folder[] = "qualities/", ending[] = ".yaml";

static sv_status check_name(const char *name, sv_error *error) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _+-.";
    if (sv_quality_of(name) >= 0)
        return sv_fail(error, SV_USAGE, "'%s' is a built-in quality; choose another name", name);
    const size_t length = strlen(name);
    if (length && length < QUALITIES_NAME_BYTES && !name[strspn(name, allowed)] && !strchr(" _+-.", *name) &&
        name[length - 1] != ' ')
        return SV_OK;
    return sv_fail(error, SV_USAGE,
                   "'%.60s' cannot name a quality; a name has up to %d letters, digits, spaces, '_', '+', '-' and '.', "
                   "and begins with a letter or a digit",
                   name, QUALITIES_NAME_BYTES - 1);
}

static bool path_of(const char *name, char *path, size_t size) {
    char file[sizeof folder + QUALITIES_NAME_BYTES + sizeof ending];
    snprintf(file, sizeof file, "%s%s%s", folder, name, *name ? ending : "");
    return places_of_user(PLACES_CONFIG, file, path, size);
}

/* Reads the quality, with defaults for everything that its file does not name. */
static sv_status read_one(const char *name, sv_params *params, sv_error *error) {
    char path[PLACES_BYTES];
    sv_status status = check_name(name, error);
    if (status != SV_OK) return status;
    *params = sv_default_params(SV_DEFAULT_METHOD);
    if (!path_of(name, path, sizeof path) || access(path, F_OK))
        return sv_fail(error, SV_USAGE, "there is no quality '%s'", name);
    return settings_read(path, params, NULL, NULL, error);
}

/* Reads the quality of the file into the next place. */
static void add(qualities *q, const char *file) {
    const size_t length = strlen(file), end = sizeof ending - 1;
    sv_error error;
    if (q->count == QUALITIES_MOST || file[0] == '.' || length <= end || strcmp(file + length - end, ending)) return;
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(length - end), file);
    if (read_one(name, &q->each[q->count].params, &error) != SV_OK) {
        sv_log(SV_LOG_WARNING, "skipping quality file: %s", error.text);
        return;
    }
    snprintf(q->each[q->count++].name, QUALITIES_NAME_BYTES, "%.*s", QUALITIES_NAME_BYTES - 1, name);
}

void qualities_read(qualities *q) {
    char path[PLACES_BYTES];
    struct dirent **files;
    q->count = 0;
    const int count = path_of("", path, sizeof path) ? scandir(path, &files, NULL, alphasort) : -1;
    for (int i = 0; i < count; i++) {
        add(q, files[i]->d_name);
        free(files[i]);
    }
    if (count >= 0) free(files);
}

int qualities_find(const qualities *q, const sv_params *params) {
    for (int i = 0; i < q->count; i++) {
        const sv_params own = sv_with_scene(q->each[i].params, params);
        if (sv_match_alike(&own, params)) return i;
    }
    return -1;
}

sv_status qualities_apply(const char *name, sv_params *params, sv_error *error) {
    sv_params own;
    const sv_status status = read_one(name, &own, error);
    if (status == SV_OK) *params = sv_with_scene(own, params);
    return status;
}

bool qualities_has(const char *name) {
    char path[PLACES_BYTES];
    return check_name(name, NULL) == SV_OK && path_of(name, path, sizeof path) && !access(path, F_OK);
}

sv_status qualities_save(const char *name, const sv_params *params, sv_error *error) {
    char path[PLACES_BYTES];
    qualities all;
    sv_status status = check_name(name, error);
    if (status != SV_OK) return status;
    if (!path_of(name, path, sizeof path))
        return sv_fail(error, SV_FAILED, "neither XDG_CONFIG_HOME nor HOME names a folder for qualities");
    qualities_read(&all);
    if (all.count == QUALITIES_MOST && !qualities_has(name))
        return sv_fail(error, SV_FAILED, "there are already %d qualities, the maximum; delete one", QUALITIES_MOST);
    places_make_folders(path);
    return settings_write(path, params, NULL, NULL, error);
}

sv_status qualities_delete(const char *name, sv_error *error) {
    char path[PLACES_BYTES];
    sv_status status = check_name(name, error);
    if (status != SV_OK) return status;
    if (!path_of(name, path, sizeof path) || unlink(path)) return file_failed("delete", path, error);
    return SV_OK;
}
