/* When each picture of a video is shown: what gives a picture its number. */
#ifndef CAPTURE_TIMELINE_H
#define CAPTURE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

/* Pictures that may be decoded before one that is shown earlier: more than any codec allows, which is 16. */
enum { TIMELINE_REORDER = 32 };

/* The time stamps of the pictures from the beginning of the file on, in ascending order. */
typedef struct timeline {
    int64_t *stamps;
    int64_t count, capacity;
    bool irregular; /* time stamps are missing, equal, or go back: they do not tell which picture is which */
    bool complete;  /* the file has no further pictures */
} timeline;

/* Adds the next picture in decoding order. Where `stamp` cannot number it the timeline becomes irregular, and so it
 * does beyond 2^24 pictures, which bounds its memory to 128 MiB. False when there is no memory left. */
bool timeline_add(timeline *timeline, int64_t stamp);

/* How many pictures are shown before `stamp`. */
int64_t timeline_find(const timeline *timeline, int64_t stamp);

/* Whether a picture is shown at just that stamp. */
bool timeline_has(const timeline *timeline, int64_t stamp);

/* Whether pictures that are still to be added can no longer come before picture `number`. */
bool timeline_is_sure(const timeline *timeline, int64_t number);

void timeline_free(timeline *timeline);

#endif
