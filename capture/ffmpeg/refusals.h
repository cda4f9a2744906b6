/* Tells whether the system refused memory to FFmpeg. Its decoders do not always say so: they treat the picture as
 * damaged and conceal the damage, or output the picture with something missing and no error at all. */
#ifndef CAPTURE_FFMPEG_REFUSALS_H
#define CAPTURE_FFMPEG_REFUSALS_H

/* 0 with a sanitizer that brings its own allocator. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define REFUSALS_COUNTED 0
#elif !defined(__has_feature)
#define REFUSALS_COUNTED 1
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define REFUSALS_COUNTED 0
#else
#define REFUSALS_COUNTED 1
#endif

/* How often posix_memalign and realloc, from which FFmpeg takes its memory, have failed in this process; always 0 if
 * REFUSALS_COUNTED is 0.
 * Thread: any. */
unsigned refusals_count(void);

#endif
