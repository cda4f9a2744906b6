/* Which backend a test runs on. */
#ifndef TESTS_BACKEND_H
#define TESTS_BACKEND_H

#include "stereo/stereo.h"

/* The backend whose name is the test's state; skips the test if it has no device, unless SV_TEST_BACKEND names it. */
const sv_backend *backend_of(void **state);

/* True if SV_TEST_QUICK is set. */
int quick(void);

#endif
