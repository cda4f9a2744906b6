/* What the fuzzers share: their checks, and an input as a file in memory that has a name. */
#ifndef TESTS_FUZZ_FUZZ_INPUT_H
#define TESTS_FUZZ_FUZZ_INPUT_H

#include "stereo/stereo.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds) {
    if (!holds) abort();
}

static inline void fuzz_ignore(sv_level level, const char *line) { (void)level, (void)line; }

/* Writes the input to a file in memory, whose name is the result. Turns the log off. */
static inline const char *fuzz_file(const uint8_t *data, size_t size) {
    static int file;
    static char name[40];
    if (!file) {
        sv_set_log(fuzz_ignore);
        require((file = memfd_create("input", MFD_CLOEXEC)) > 0);
        snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    }
    require(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    return name;
}

#endif
