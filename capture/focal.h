/* The focal length that a file names in its tags. */
#ifndef CAPTURE_FOCAL_H
#define CAPTURE_FOCAL_H

#include <libavutil/dict.h>

/* The focal length as of 35 mm film, millimetres, that EXIF (FocalLengthIn35mmFilm) or Apple's QuickTime tags name; 0
 * if they name none that a lens has. `tags` may be NULL. */
double focal_of_tags(const AVDictionary *tags);

#endif
