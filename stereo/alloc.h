/* Memory for small objects, and threads, without which the program ends with a message. Frames, maps, volumes and the
 * contents of files are allocated with malloc, and so is everything in libstereoview, where an error must reach the
 * caller. */
#ifndef STEREO_ALLOC_H
#define STEREO_ALLOC_H

#include <pthread.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As calloc, reallocarray, strdup and asprintf; they never return NULL.
 * Thread: any.
 * Lifetime: the caller frees the result with free. */
void *sv_alloc(size_t count, size_t size);
void *sv_realloc(void *old, size_t count, size_t size);
char *sv_strdup(const char *text);
__attribute__((format(printf, 1, 2))) char *sv_asprintf(const char *format, ...);

/* Returns what another library has allocated, and ends the program if that is NULL.
 * Thread: any. */
void *sv_must(void *memory);

/* As pthread_create without attributes; it never fails.
 * Thread: any. */
void sv_thread_start(pthread_t *thread, void *(*run)(void *of), void *of);

#ifdef __cplusplus
}
#endif

#endif
