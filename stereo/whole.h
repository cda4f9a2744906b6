/* Reads files that are small enough to fit into memory as a whole. */
#ifndef STEREO_WHOLE_H
#define STEREO_WHOLE_H

#include <stddef.h>

/* Reads a file and puts a 0 after it. `size`: its bytes, without that 0.
 * Errors: NULL, with errno; EFBIG if the file has more than `most` bytes.
 * Lifetime: the caller frees the result. */
char *sv_read_whole(const char *path, size_t most, size_t *size);

#endif
