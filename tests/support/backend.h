/* Which backend a test runs on, and how much of a test is run.
 *
 * SV_TEST_BACKEND=NAME: only cases of this backend; it is a failure if it has no device.
 * SV_TEST_QUICK=1: fewer and smaller cases, for sanitizers.
 * SV_TEST_SECONDS=N: a case that repeats itself stops after N seconds and says so. */
#ifndef TESTS_SUPPORT_BACKEND_H
#define TESTS_SUPPORT_BACKEND_H

#include "stereo/stereo.h"
#include "tests/support/test.h"

/* The backend of that name; skips the test if it has no device, unless SV_TEST_BACKEND names it. */
const sv_backend *test_backend(const char *name);

#define RUN_ON(name, backend)                                                                                          \
    static void name##_on_##backend(__attribute__((unused)) void **state) { name(test_backend(#backend)); }            \
    REGISTER(name##_on_##backend, #name " on " #backend, name##_on_##backend, NULL, NULL, NULL)

/* A test of the CPU backend, with an argument `const sv_backend *backend`. */
#define TEST_CPU(name)                                                                                                 \
    static void name(const sv_backend *);                                                                              \
    RUN_ON(name, cpu)                                                                                                  \
    static void name(const sv_backend *backend)

/* A test that runs once on each backend. */
#define TEST_BACKENDS(name)                                                                                            \
    static void name(const sv_backend *);                                                                              \
    RUN_ON(name, cpu)                                                                                                  \
    RUN_ON(name, cuda)                                                                                                 \
    static void name(const sv_backend *backend)

/* True if SV_TEST_QUICK is set. */
int quick(void);

/* The condition of a case's loop: true if iteration `i`, from 0 on, of `count` is to be run. */
int goes_on(int i, int count);

#endif
