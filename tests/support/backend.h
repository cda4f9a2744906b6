/* Which backend a test runs on, and how much of a test is run.
 *
 * SV_TEST_BACKEND=NAME: only cases of this backend; it is a failure if it has no device.
 * SV_TEST_CASES=PATTERN: only cases whose name matches the pattern (* and ?).
 * SV_TEST_QUICK=1: fewer and smaller cases, for sanitizers.
 * SV_TEST_SECONDS=N: a case that repeats itself stops after N seconds and says so. */
#ifndef TESTS_SUPPORT_BACKEND_H
#define TESTS_SUPPORT_BACKEND_H

#include "stereo/stereo.h"

/* Call it before cmocka runs a group: removes the cases that the environment does not select. */
void choose_cases(void);

/* The backend whose name is the test's state; skips the test if it has no device, unless SV_TEST_BACKEND names it. */
const sv_backend *backend_of(void **state);

/* True if SV_TEST_QUICK is set. */
int quick(void);

/* The condition of a case's loop: true if iteration `i`, from 0 on, of `count` is to be run. */
int goes_on(int i, int count);

#endif
