/* What the statistics say of the session: the memory of its matcher. */
#include <string.h>

#include "app/viewer/figures.h"
#include "tests/support/test.h"

TEST(memory_is_described) {
    char text[80];
    const sv_footprint cpu = {.host = 88400000}, gpu = {.host = 7600000, .device = 512300000};
    assert_string_equal(figures_describe_memory(&cpu, text, sizeof text), "88 MB in main memory");
    assert_string_equal(figures_describe_memory(&gpu, text, sizeof text), "512 MB on the GPU, 8 MB in main memory");
}
