/* The user's presets. */
#include "app/presets.h"

#include "app/file.h"
#include "app/places.h"
#include "app/settings.h"
#include "stereo/quality.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char folder[] = "presets/", ending[] = ".yaml";

/* Names that are files' names everywhere, and that people can tell apart. */
static sv_status check_name(const char *name, sv_error *error) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _+-.";
    if (sv_quality_of(name) >= 0)
        return sv_fail(error, SV_USAGE, "'%s' is a built-in preset; choose another name", name);
    const size_t length = strlen(name);
    if (length && length < PRESETS_NAME_BYTES && !name[strspn(name, allowed)] && !strchr(" _+-.", *name) &&
        name[length - 1] != ' ')
        return SV_OK;
    return sv_fail(error, SV_USAGE,
                   "'%.60s' cannot name a preset; a name has up to %d letters, digits, spaces, '_', '+', '-' and '.', "
                   "and begins with a letter or a digit",
                   name, PRESETS_NAME_BYTES - 1);
}

static bool path_of(const char *name, char *path, size_t size) {
    char file[sizeof folder + PRESETS_NAME_BYTES + sizeof ending];
    snprintf(file, sizeof file, "%s%s%s", folder, name, *name ? ending : "");
    return places_of_user(PLACES_CONFIG, file, path, size);
}

/* Reads the preset, with the defaults for all that its file does not name. */
static sv_status read_one(const char *name, sv_params *params, sv_error *error) {
    char path[PLACES_BYTES];
    sv_status status = check_name(name, error);
    if (status != SV_OK) return status;
    *params = sv_default_params(SV_DEFAULT_METHOD);
    if (!path_of(name, path, sizeof path) || access(path, F_OK))
        return sv_fail(error, SV_USAGE, "there is no preset '%s'", name);
    return settings_read(path, params, NULL, NULL, error);
}

/* Reads the preset of the file into the next place. */
static void add(presets *p, const char *file) {
    const size_t length = strlen(file), end = sizeof ending - 1;
    sv_error error;
    if (p->count == PRESETS_MOST || file[0] == '.' || length <= end || strcmp(file + length - end, ending)) return;
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(length - end), file);
    if (read_one(name, &p->each[p->count].params, &error) != SV_OK) {
        sv_log(SV_LOG_WARNING, "a preset is left out: %s", error.text);
        return;
    }
    snprintf(p->each[p->count++].name, PRESETS_NAME_BYTES, "%.*s", PRESETS_NAME_BYTES - 1, name);
}

void presets_read(presets *p) {
    char path[PLACES_BYTES];
    struct dirent **files;
    p->count = 0;
    const int count = path_of("", path, sizeof path) ? scandir(path, &files, NULL, alphasort) : -1;
    for (int i = 0; i < count; i++) {
        add(p, files[i]->d_name);
        free(files[i]);
    }
    if (count >= 0) free(files);
}

int presets_find(const presets *p, const sv_params *params) {
    for (int i = 0; i < p->count; i++) {
        const sv_params own = sv_with_scene(p->each[i].params, params);
        if (sv_match_alike(&own, params)) return i;
    }
    return -1;
}

sv_status presets_apply(const char *name, sv_params *params, sv_error *error) {
    sv_params own;
    const sv_status status = read_one(name, &own, error);
    if (status == SV_OK) *params = sv_with_scene(own, params);
    return status;
}

bool presets_has(const char *name) {
    char path[PLACES_BYTES];
    return check_name(name, NULL) == SV_OK && path_of(name, path, sizeof path) && !access(path, F_OK);
}

sv_status presets_save(const char *name, const sv_params *params, sv_error *error) {
    char path[PLACES_BYTES];
    presets all;
    sv_status status = check_name(name, error);
    if (status != SV_OK) return status;
    if (!path_of(name, path, sizeof path))
        return sv_fail(error, SV_FAILED, "neither XDG_CONFIG_HOME nor HOME names a folder for presets");
    presets_read(&all);
    if (all.count == PRESETS_MOST && !presets_has(name))
        return sv_fail(error, SV_FAILED, "there are %d presets already, and no room for more; delete one",
                       PRESETS_MOST);
    places_make_folders(path);
    return settings_write(path, params, NULL, NULL, error);
}

sv_status presets_delete(const char *name, sv_error *error) {
    char path[PLACES_BYTES];
    sv_status status = check_name(name, error);
    if (status != SV_OK) return status;
    if (!path_of(name, path, sizeof path) || unlink(path)) return file_failed("delete", path, error);
    return SV_OK;
}
