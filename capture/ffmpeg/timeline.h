/* The presentation times of a video's pictures, which give the pictures their numbers. */
#ifndef CAPTURE_FFMPEG_TIMELINE_H
#define CAPTURE_FFMPEG_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

/* The maximum number of pictures that are decoded before one that is shown earlier; codecs allow at most 16. */
enum { TIMELINE_REORDER = 32 };

/* The time stamps of the pictures from the beginning of the file on, in ascending order. */
typedef struct timeline {
    int64_t *stamps;
    int64_t count, capacity;
    int64_t least;  /* stamps that are not farther apart than this do not identify pictures; set by the owner */
    bool irregular; /* time stamps are missing, equal, or decrease, so they do not identify the pictures */
    bool complete;  /* the file has no further pictures */
} timeline;

/* Adds the next picture in decoding order. The timeline becomes irregular if `stamp` cannot number it, and beyond 2^24
 * pictures (128 MiB). */
void timeline_add(timeline *timeline, int64_t stamp);

/* The number of pictures that are shown before `stamp`. */
int64_t timeline_find(const timeline *timeline, int64_t stamp);

/* True if a picture is shown exactly at that stamp. */
bool timeline_has(const timeline *timeline, int64_t stamp);

/* True if no picture that is still to be added can come before picture `number`. */
bool timeline_is_sure(const timeline *timeline, int64_t number);

void timeline_free(timeline *timeline);

#endif
