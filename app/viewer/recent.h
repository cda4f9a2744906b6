/* The inputs, and the settings, that the window has opened recently: the files recent and recent-settings in the folder
 * PLACES_STATE of places.h, the newest first, one a line, both names of a pair separated by a tab. Nothing but names is
 * kept: files with their whole paths, and addresses, unless a password is in them. */
#ifndef APP_VIEWER_RECENT_H
#define APP_VIEWER_RECENT_H

#include "stereo/stereo.h"

enum { RECENT_MOST = 10 };

typedef enum recent_list { RECENT_INPUTS, RECENT_SETTINGS } recent_list;

typedef struct recent {
    char *names[RECENT_MOST][2]; /* owned; the second is NULL if one input has both pictures */
    int count;
} recent;

/* Reads the list; without a file it is empty.
 * Lifetime: the caller frees it with recent_free. */
void recent_read(recent_list which, recent *recent);

/* Puts a name, or a pair of names, at the head of the list, and rewrites the file, whole or not at all. `right` may be
 * NULL. Names that cannot be kept, because of a password, a tab or a line feed, are left out.
 * Errors: SV_FAILED if the file cannot be written. */
sv_status recent_add(recent_list which, const char *left, const char *right, sv_error *error);

/* Writes all of them, newest first; the second is NULL where there is one. Returns how many there are.
 * Lifetime: the names stay those of `recent`. */
int recent_names(const recent *recent, char *names[RECENT_MOST][2]);

void recent_free(recent *recent); /* accepts {0} */

#endif
