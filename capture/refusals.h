/* Tells whether the system refused memory to FFmpeg. Its decoders do not always say so: they treat the picture as
 * damaged and conceal the damage, or output the picture with something missing and no error at all. */
#ifndef CAPTURE_REFUSALS_H
#define CAPTURE_REFUSALS_H

/* How often posix_memalign and realloc, from which FFmpeg takes its memory, have failed in this process. Always 0 with
 * a sanitizer that brings its own.
 * Thread: any. */
unsigned refusals_count(void);

#endif
