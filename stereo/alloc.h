/* Memory for small objects whose size does not depend on the input. The program cannot do anything useful without it,
 * so it ends with a message if there is none: the caller has no error to pass on. Frames, volumes and files are
 * allocated with malloc, and so is everything in libstereoview, where an error must reach the caller. */
#ifndef STEREO_ALLOC_H
#define STEREO_ALLOC_H

#include <stddef.h>

/* As calloc, strdup and asprintf; they never return NULL.
 * Thread: any.
 * Lifetime: the caller frees the result with free. */
void *sv_alloc(size_t count, size_t size);
char *sv_strdup(const char *text);
__attribute__((format(printf, 1, 2))) char *sv_asprintf(const char *format, ...);

#endif
