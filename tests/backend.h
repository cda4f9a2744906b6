/* Which backend a test runs on, and how much of a test is run.
 *
 * SV_TEST_BACKEND=NAME: cases of other backends are left out, and it is a failure if this one has no device.
 * SV_TEST_CASES=PATTERN: only cases whose name fits, with * and ?.
 * SV_TEST_QUICK=1: fewer and smaller cases, for slow tools that watch the program.
 * SV_TEST_SECONDS=N: a case that does many things of a kind stops after so many seconds and says so. */
#ifndef TESTS_BACKEND_H
#define TESTS_BACKEND_H

#include "stereo/stereo.h"

/* Before cmocka runs a group: leaves out what is not asked for. */
void choose_cases(void);

/* The backend whose name is the test's state; skips the test if it has no device, unless SV_TEST_BACKEND names it. */
const sv_backend *backend_of(void **state);

/* True if SV_TEST_QUICK is set. */
int quick(void);

/* The condition of a case's loop: whether to do number `i`, from 0 on, of `count` things. */
int goes_on(int i, int count);

#endif
