/* A simulated source: empty frames at given times. */
#ifndef TESTS_SUPPORT_SCRIPT_H
#define TESTS_SUPPORT_SCRIPT_H

#include "capture/source.h"

#include <semaphore.h>

typedef struct script {
    source base; /* 8x4 pixels, 10 frames a second, seekable, unless its owner changes `info` */
    pool *pool;
    const double *times; /* seconds; borrowed */
    int count, next;
    bool fails;  /* at its end */
    bool blocks; /* at its end, until it is interrupted */
    sem_t interruption;
} script;

/* A source of `count` frames. `name` and `times` are borrowed until it is closed, with its base.
 * Errors: NULL, out of memory. */
script *script_write(char *name, const double *times, int count);

extern int scripts_open; /* that were written and not closed yet */

#endif
