/* What a unit test includes for cmocka. */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* needs those above */

/* Begins a test that does not use cmocka's state; otherwise write `static void name(void **state)`. */
#define TEST(name) static void name(__attribute__((unused)) void **state)

#endif
