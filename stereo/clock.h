/* Condition variables whose timed waits use the clock of sv_seconds. */
#ifndef STEREO_CLOCK_H
#define STEREO_CLOCK_H

#include <pthread.h>
#include <stdbool.h>

/* Lifetime: the caller destroys the condition with pthread_cond_destroy. */
void sv_condition_init(pthread_cond_t *condition);

/* Waits for a signal as pthread_cond_wait does, but no longer than until sv_seconds() is `at`. False once that time has
 * come. */
bool sv_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, double at);

#endif
