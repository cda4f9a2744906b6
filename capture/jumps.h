/* Jumps of a file's clock: its time stamps jump forward although no picture is missing. Jumps are found while the file
 * is read, and removed from the times of its frames. */
#ifndef CAPTURE_JUMPS_H
#define CAPTURE_JUMPS_H

#include "capture/source.h"

enum { JUMPS_MOST = 32 }; /* of one file; further gaps are taken for lost pictures */

typedef struct jump {
    double time; /* the source's time of the first picture after the jump, seconds */
    double gap;  /* the size of the jump, seconds */
} jump;

/* What is known of one file. At the start `last` and `known` are -INFINITY and all else is 0. Times are in seconds and
 * without jumps. */
typedef struct jumps {
    double last;           /* the time of the previous frame, or of the last seek; -INFINITY at the start */
    bool sought;           /* `last` is from a seek */
    bool reported;         /* the log has named a gap that is no jump */
    double known;          /* all jumps up to this time are known: the file was read continuously from its start */
    jump list[JUMPS_MOST]; /* in order of their times */
    int count;
} jumps;

double jumps_sum(const jumps *jumps); /* of the sizes of all jumps, seconds */

/* Converts a time without jumps to the source's time, and back. */
double jumps_of_source(const jumps *jumps, double time);
double jumps_without(const jumps *jumps, double time);

/* Removes the jumps from the time of the next frame of `source`. A gap before it is a jump rather than a place where
 * pictures were lost if that makes the ends of both files of a pair agree better. `excess`: how much longer this file
 * is than the other one, seconds, without the known jumps; NAN if that is unknown, and then only long gaps are jumps.
 * The log names each jump that is found, and the first other gap that may be one. False if a seek has skipped a
 * possible jump before this frame: its size is known only after reading up to it. */
bool jumps_take_out(jumps *jumps, const source *source, frame *frame, double excess);

#endif
