/* A temporary folder for tests that write files: group setup and teardown for cmocka, and helpers, whose errors fail
 * the test. */
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include <stddef.h>

int scratch_setup(void **state);    /* makes the folder */
int scratch_teardown(void **state); /* removes it and all that is in it */

/* The path of `name` in the folder; valid until eight more have been requested. */
const char *scratch_path(const char *name);

/* Writes the file and returns its path, as above. */
const char *scratch_write(const char *name, const void *bytes, size_t size);
const char *scratch_write_text(const char *name, const char *text);

/* The bytes of the file, followed by a 0; valid until the next call. `size` may be NULL. */
const char *scratch_read(const char *path, size_t *size);

/* The number of entries in the folder, including hidden ones. */
int scratch_count(void);

/* Skips the current test, with a message that the file or folder is missing. */
void skip_without(const char *path);

#endif
