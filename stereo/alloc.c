/* Memory for small objects, and threads: see alloc.h. */
#include "stereo/alloc.h"

#include "stereo/stereo.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ends the program without any of its handlers, which may need memory, too. */
static _Noreturn void end(const char *message) {
    (void)!write(STDERR_FILENO, message, strlen(message));
    _exit(SV_FAILED);
}

void *sv_must(void *memory) {
    if (!memory) end("stereoview: error: out of memory\n");
    return memory;
}

void *sv_alloc(size_t count, size_t size) { return sv_must(calloc(count ? count : 1, size)); }

void *sv_realloc(void *old, size_t count, size_t size) { return sv_must(reallocarray(old, count ? count : 1, size)); }

char *sv_strdup(const char *text) { return sv_must(strdup(text)); }

char *sv_asprintf(const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) text = NULL;
    va_end(arguments);
    return sv_must(text);
}

void sv_thread_start(pthread_t *thread, void *(*run)(void *of), void *of) {
    if (pthread_create(thread, NULL, run, of)) end("stereoview: error: the system cannot start another thread\n");
}
