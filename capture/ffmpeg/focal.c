/* The focal length that a file names: see focal.h. */
#include "capture/ffmpeg/focal.h"

#include <stdlib.h>

double focal_of_tags(const AVDictionary *tags) {
    static const char *const names[] = {"FocalLengthIn35mmFilm",
                                        "com.apple.quicktime.camera.focal_length.35mm_equivalent"};
    const double least = 5, most = 2000;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const AVDictionaryEntry *tag = av_dict_get(tags, names[i], NULL, 0);
        const double focal = tag ? strtod(tag->value, NULL) : 0;
        if (focal >= least && focal <= most) return focal;
    }
    return 0;
}
