/* Small pictures of both sides of an input that the user may open, made in a thread of its own.
 * Thread: one, for all functions. */
#ifndef APP_MEDIA_PREVIEW_H
#define APP_MEDIA_PREVIEW_H

#include "app/options/request.h"

enum { PREVIEW_WIDTH = 320 }; /* pixels, at most; and at most as many rows */

typedef struct preview_result {
    sv_image pictures[2]; /* SV_COLOUR8, dense: left and right; only the first if one picture of one stream does not
                           * show two views; no data where there is none */
    float aspect;         /* width by height of a view, also of one that is squeezed */
    char text[512];       /* what it is, or why there are no pictures */
} preview_result;

typedef struct preview preview;

/* Reads the first picture of each side that the request names. `from`: as for request_options. The thread calls `news`
 * when it is done.
 * Lifetime: the formats and controls of cameras that `from` names are those of the command line, which outlives
 * the thread; its other strings are not used. The caller closes the preview with preview_close. */
preview *preview_open(const request *request, const options *from, void (*news)(void));

/* What was read, NULL until then.
 * Lifetime: valid until preview_close. */
const preview_result *preview_get(preview *preview);

/* Does not wait for what is under way, but ends it soon. Accepts NULL. */
void preview_close(preview *preview);

#endif
