/* What a unit test includes: cmocka, and tests that register themselves. A program is one file of tests, each written
 * as
 *
 *     TEST(name) {
 *         assert_true(...);
 *     }
 *
 * They run in the order of the file; test.c has main. SV_TEST_CASES=PATTERN runs only those whose name matches the
 * pattern (* and ?). What depends on a backend is in backend.h. */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* needs those above */

typedef struct registered_test {
    struct CMUnitTest test;
    int line; /* where it is in the file */
    struct registered_test *next;
} registered_test;

void register_test(registered_test *test);

/* Runs all registered tests; returns main's exit status. For a program with a main of its own. */
int run_all_tests(void);

/* Set-up and tear-down of the whole program, cmocka's fixtures; either may be NULL. */
void set_fixtures(CMFixtureFunction setup, CMFixtureFunction teardown);

/* Names must be unique in the program. */
#define REGISTER(name, ...)                                                                                            \
    __attribute__((constructor)) static void register_##name(void) {                                                   \
        static registered_test test = {.test = {__VA_ARGS__}, .line = __LINE__};                                       \
        register_test(&test);                                                                                          \
    }

/* A test with set-up and tear-down of its own. */
#define TEST_WITH(name, setup, teardown)                                                                               \
    static void name(void **);                                                                                         \
    REGISTER(name, #name, name, setup, teardown, NULL)                                                                 \
    static void name(__attribute__((unused)) void **state)

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* At the end of the file: what is done before the first test and after the last one. */
#define FIXTURES(setup, teardown)                                                                                      \
    __attribute__((constructor)) static void register_fixtures(void) { set_fixtures(setup, teardown); }

/* Seconds after which a test gives up what it waits for. A busy machine takes long. */
enum { PATIENCE = 300 };

void assert_near(double value, double expected, double most); /* |value - expected| <= most */

#endif
