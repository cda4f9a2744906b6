/* Where files lie: the demo's, the user's, the folders of both sides, and those of a calibration. */
#ifndef BASE_PLACES_H
#define BASE_PLACES_H

#include "stereo/stereo.h"

enum { PLACES_BYTES = 4096 }; /* room for the path of a file */

/* The names of the demo's two files, each into `size` bytes.
 * Errors: SV_FAILED if they do not exist. */
sv_status places_find_demo(char *left, char *right, size_t size, sv_error *error);

/* The user's two folders, by the XDG Base Directory Specification: what the user saved ($XDG_CONFIG_HOME/stereoview,
 * default ~/.config), and what the program remembers ($XDG_STATE_HOME/stereoview, default ~/.local/state). */
typedef enum places_of { PLACES_CONFIG, PLACES_STATE } places_of;

/* The path of a file in one of them; false if the environment names no folder for it. */
bool places_of_user(places_of which, const char *name, char *path, size_t size);

/* Makes the folders above a file, for this user alone. If that fails, creating the file fails, too. */
void places_make_folders(const char *path);

/* Finds the folders of both sides in a folder, by the names that data sets use: left and right, cam0 and cam1, image_0
 * and image_1, and the like. Each name is written into `size` bytes. False if there are none. */
bool places_find_sides(const char *folder, char *left, char *right, size_t size);

/* True if this can be the name of a camera: below /dev, but no file (/dev/shm) or pipe (/dev/stdin). */
bool places_is_device(const char *name);

/* The names in one --save-calibration: one, or two separated by a comma. Returns how many; each is copied into
 * names[i], cut to its size. */
int places_of_calibration(const char *files, char names[2][PLACES_BYTES]);

#endif
