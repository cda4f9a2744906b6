/* A folder of its own for each test that writes files. For cmocka: group setup and teardown, and short helpers, which
 * fail the test when they cannot do their work. */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <stddef.h>

int scratch_setup(void **state);    /* makes the folder */
int scratch_teardown(void **state); /* removes it and all that is in it */

/* The path of `name` in the folder; good until eight others were asked for. */
const char *scratch_path(const char *name);

/* Makes the file and returns its path, as above. */
const char *scratch_write(const char *name, const void *bytes, size_t size);
const char *scratch_write_text(const char *name, const char *text);

/* The file's bytes and a 0 after them; good until the next call. `size` may be NULL. */
const char *scratch_read(const char *path, size_t *size);

/* How many entries the folder has, hidden ones included. */
int scratch_count(void);

/* Skips the running test and says that the file or folder is not here. */
void skip_without(const char *path);

#endif
