/* Short names of sources, for titles and messages. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>

/* Writes the names of both sources without their folders: "left.mp4 and right.mp4". If they would be the same, the last
 * folder is kept: "cam0/%06d.png and cam1/%06d.png". `right` may be NULL; addresses are cut like paths. */
void names_join(const char *left, const char *right, char *text, size_t size);

#endif
