/* See backend.h. */
#include "tests/support/backend.h"

#include <stdlib.h>
#include <string.h>

const sv_backend *test_backend(const char *name) {
    const char *wanted = getenv("SV_TEST_BACKEND");
    const sv_backend *backend;
    sv_error error;
    const sv_status status = sv_find_backend(name, 0, &backend, &error);
    if (status == SV_NO_DEVICE && !(wanted && !strcmp(wanted, name))) {
        print_message("%s\n", error.text);
        skip();
    }
    if (status != SV_OK) fail_msg("%s", error.text);
    return backend;
}

int quick(void) { return getenv("SV_TEST_QUICK") != NULL; }

int goes_on(int i, int count) {
    static double begin;
    const char *seconds = getenv("SV_TEST_SECONDS");
    if (i == 0) begin = sv_seconds();
    if (i >= count) return 0;
    if (i == 0 || !seconds || sv_seconds() - begin < atof(seconds)) return 1;
    print_message("stopped after %d of %d, since SV_TEST_SECONDS=%s\n", i, count, seconds);
    return 0;
}
