/* The focal length that a file names in its tags. */
#ifndef CAPTURE_FFMPEG_FOCAL_H
#define CAPTURE_FFMPEG_FOCAL_H

#include <libavutil/dict.h>

/* The 35 mm equivalent focal length, millimetres, from the tags of EXIF (FocalLengthIn35mmFilm) or of Apple's
 * QuickTime; 0 if there is none, or none that a lens can have. `tags` may be NULL. */
double focal_of_tags(const AVDictionary *tags);

#endif
