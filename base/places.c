/* Where files lie. */
#include "base/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the demo pair lies, seen from the program: as built, and as installed. */
static const char *const demo_folders[] = {"/assets", "/../share/stereoview"};

sv_status places_find_demo(char *left, char *right, size_t size, sv_error *error) {
    char program[3072];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return sv_fail(error, SV_FAILED, "cannot find the folder of the program; name the files of the demo with -f");
    program[length] = 0;
    *strrchr(program, '/') = 0;
    for (size_t i = 0; i < sizeof demo_folders / sizeof *demo_folders; i++) {
        snprintf(left, size, "%s%s/demo_left.mp4", program, demo_folders[i]);
        snprintf(right, size, "%s%s/demo_right.mp4", program, demo_folders[i]);
        if (!access(left, R_OK) && !access(right, R_OK)) return SV_OK;
    }
    return sv_fail(error, SV_FAILED,
                   "the demo pair is neither in %s%s nor in %s%s; run the program that 'make' built, or "
                   "install it with 'make install'",
                   program, demo_folders[0], program, demo_folders[1]);
}

bool places_of_user(places_of which, const char *name, char *path, size_t size) {
    const bool state = which == PLACES_STATE;
    const char *folder = getenv(state ? "XDG_STATE_HOME" : "XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length;
    /* The specification ignores a relative path. */
    if (folder && folder[0] == '/')
        length = snprintf(path, size, "%s/stereoview/%s", folder, name);
    else if (home && home[0] == '/')
        length = snprintf(path, size, "%s/%s/stereoview/%s", home, state ? ".local/state" : ".config", name);
    else
        return false;
    return (size_t)length < size;
}

void places_make_folders(const char *path) {
    char folder[PLACES_BYTES];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        mkdir(folder, 0700);
    }
}

static bool is_folder(const char *name) {
    struct stat status;
    return !stat(name, &status) && S_ISDIR(status.st_mode);
}

bool places_find_sides(const char *folder, char *left, char *right, size_t size) {
    static const char *const sides[][2] = {
        {"left", "right"},
        {"cam0/data", "cam1/data"},
        {"mav0/cam0/data", "mav0/cam1/data"},
        {"cam0", "cam1"},
        {"image_00/data", "image_01/data"},
        {"image_02/data", "image_03/data"},
        {"image_0", "image_1"},
        {"image_2", "image_3"},
    };
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        snprintf(left, size, "%s/%s", folder, sides[i][0]);
        snprintf(right, size, "%s/%s", folder, sides[i][1]);
        if (is_folder(left) && is_folder(right)) return true;
    }
    return false;
}

bool places_is_device(const char *name) {
    static const char folder[] = "/dev/", *const others[] = {"/dev/shm/", "/dev/fd/", "/dev/stdin"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strncmp(name, others[i], strlen(others[i]))) return false;
    return !strncmp(name, folder, strlen(folder));
}

int places_of_calibration(const char *files, char names[2][PLACES_BYTES]) {
    const char *comma = access(files, F_OK) ? strchr(files, ',') : NULL;
    snprintf(names[0], sizeof names[0], "%.*s", comma ? (int)(comma - files) : (int)strlen(files), files);
    snprintf(names[1], sizeof names[1], "%s", comma ? comma + 1 : "");
    return comma ? 2 : 1;
}
