/* The list of tests and the main of every test program; see test.h. */
#include "tests/support/test.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200 };

static registered_test *first;
static CMFixtureFunction set_up, tear_down;

void register_test(registered_test *test) {
    registered_test **place = &first;
    while (*place && (*place)->line <= test->line) place = &(*place)->next;
    test->next = *place;
    *place = test;
}

void set_fixtures(CMFixtureFunction setup, CMFixtureFunction teardown) { set_up = setup, tear_down = teardown; }

int run_all_tests(void) {
    static struct CMUnitTest tests[MOST];
    const char *backend = getenv("SV_TEST_BACKEND"), *cases = getenv("SV_TEST_CASES");
    size_t count = 0;
    for (const registered_test *t = first; t; t = t->next) {
        if (count == MOST) abort();
        tests[count++] = t->test;
    }
    if (backend) cmocka_set_skip_filter(strcmp(backend, "cpu") ? "* on cpu" : "* on cuda");
    if (cases) cmocka_set_test_filter(cases);
    return _cmocka_run_group_tests(program_invocation_short_name, tests, count, set_up, tear_down);
}

void assert_near(double value, double expected, double most) {
    if (!(fabs(value - expected) <= most)) fail_msg("%.12g is not within %.6g of %.12g", value, most, expected);
}

__attribute__((weak)) int main(void) { return run_all_tests(); }
