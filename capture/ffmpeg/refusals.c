/* Counts the memory that the system refuses: see refusals.h. */
#include "capture/ffmpeg/refusals.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_uint count;

unsigned refusals_count(void) { return atomic_load(&count); }

/* These take the place of the C library's functions for the whole process, because the dynamic linker finds them first,
 * and call them. They must not be hidden from libraries. */
#if REFUSALS_COUNTED
__attribute__((visibility("default"))) int posix_memalign(void **out, size_t alignment, size_t size) {
    typedef int function(void **out, size_t alignment, size_t size);
    static _Atomic(function *) next;
    if (!atomic_load(&next)) atomic_store(&next, (function *)dlsym(RTLD_NEXT, "posix_memalign"));
    const int result = atomic_load(&next)(out, alignment, size);
    if (result == ENOMEM) atomic_fetch_add(&count, 1);
    return result;
}

__attribute__((visibility("default"))) void *realloc(void *old, size_t size) {
    typedef void *function(void *old, size_t size);
    static _Atomic(function *) next;
    if (!atomic_load(&next)) atomic_store(&next, (function *)dlsym(RTLD_NEXT, "realloc"));
    void *memory = atomic_load(&next)(old, size);
    if (!memory && size > 0) atomic_fetch_add(&count, 1);
    return memory;
}
#endif
