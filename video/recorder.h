/* Writes what sources send into a Matroska file with a track for each side: packets as they are, and uncompressed
 * pictures of cameras as lossless FFV1. A thread writes; packets that the disk cannot keep up with, and uncompressed
 * pictures that are broken, are dropped and counted. */
#ifndef VIDEO_RECORDER_H
#define VIDEO_RECORDER_H

#include "stereo/stereo.h"

#include <stdio.h>

struct AVStream;
struct AVPacket;

typedef struct recorder recorder;

typedef struct recorder_counts {
    int64_t written[2], dropped[2]; /* packets of each track; those before its first key frame do not count */
    int64_t bytes;                  /* of the file, approximately */
    double seconds;                 /* since the first packet */
} recorder_counts;

/* Begins a recording in `stream`. `name`: of the file, for messages.
 * Errors: SV_FAILED if this FFmpeg has no muxer for it.
 * Lifetime: `stream` must outlive the recorder, which the caller ends with recorder_close. */
sv_status recorder_open(recorder **out, FILE *stream, const char *name, sv_error *error);

/* Takes a packet, whose time is that of its time stamps plus `lead` seconds. Does not wait for the disk.
 * Thread: any. */
void recorder_add(recorder *recorder, int track, const struct AVStream *stream, const struct AVPacket *packet,
                  double lead);

/* Starts writing, once there is a second of packets; until then, they wait. `tracks`: 1 or 2. `shift`: to be added to
 * the times of the second track, seconds. */
void recorder_release(recorder *recorder, int tracks, double shift);

/* Thread: any, as is the next. */
recorder_counts recorder_count(recorder *recorder);

/* True, with the cause (NULL: not wanted), once writing has failed; nothing is written from then on. */
bool recorder_failed(recorder *recorder, sv_error *error);

/* Writes what is left, completes the file as far as it can be, and frees the recorder. `begun` receives whether there
 * is anything in the file, `counts` the final counts.
 * Errors: SV_FAILED if writing has failed, or if a track got no packet, so that nothing could be written. */
sv_status recorder_close(recorder *recorder, bool *begun, recorder_counts *counts, sv_error *error);

#endif
