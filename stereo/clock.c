/* The monotonic clock, and timed waits that use it. */
#include "stereo/clock.h"
#include "stereo/stereo.h"

#include <math.h>
#include <time.h>

double sv_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void sv_condition_init(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

bool sv_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, double at) {
    const struct timespec until = {.tv_sec = (time_t)at, .tv_nsec = (long)(1e9 * (at - floor(at)))};
    return !pthread_cond_timedwait(condition, mutex, &until);
}
