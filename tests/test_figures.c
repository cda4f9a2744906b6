/* What the statistics say of the session: the memory of its matcher. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "app/viewer/figures.h"

static void memory_is_described(void **state) {
    (void)state;
    char text[80];
    const sv_footprint cpu = {.host = 88400000}, gpu = {.host = 7600000, .device = 512300000};
    assert_string_equal(figures_describe_memory(&cpu, text, sizeof text), "88 MB in main memory");
    assert_string_equal(figures_describe_memory(&gpu, text, sizeof text), "512 MB on the GPU, 8 MB in main memory");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_described)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
