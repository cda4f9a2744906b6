/* See backend.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/backend.h"

#include <stdlib.h>
#include <string.h>

const sv_backend *backend_of(void **state) {
    const char *name = *state, *wanted = getenv("SV_TEST_BACKEND");
    const sv_backend *backend;
    sv_error error;
    const sv_status status = sv_find_backend(name, &backend, &error);
    if (status == SV_NO_DEVICE && !(wanted && !strcmp(wanted, name))) {
        print_message("%s\n", error.text);
        skip();
    }
    if (status != SV_OK) fail_msg("%s", error.text);
    return backend;
}

int quick(void) { return getenv("SV_TEST_QUICK") != NULL; }
