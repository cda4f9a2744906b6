/* Lets OpenMP's threads wait for each other for microseconds instead of milliseconds, because drawing in software needs
 * the processor that they would keep busy.
 *
 * GCC's OpenMP reads OMP_WAIT_POLICY before main and has no function for it. But where it counts more threads than
 * processors, they sleep after a short spin. So a worker holds a second team: its threads do nothing and are only there
 * to be counted. */
#ifndef APP_VIEWER_SHORT_WAITS_H
#define APP_VIEWER_SHORT_WAITS_H

#include "stereo/worker.h"

typedef struct short_waits {
    bool on;
    sv_worker worker;
} short_waits;

/* Nothing if the user has set OMP_WAIT_POLICY.
 * Lifetime: `waits` must stay where it is until short_waits_end. */
void short_waits_begin(short_waits *waits);
void short_waits_end(short_waits *waits);

#endif
