/* The clock that all times are taken by. */
#ifndef APP_CLOCK_H
#define APP_CLOCK_H

#include <time.h>

/* Seconds of the monotonic clock, the one that frame.decoded is of. */
static inline double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
