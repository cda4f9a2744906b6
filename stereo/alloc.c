/* Memory for small objects: see alloc.h. */
#include "stereo/alloc.h"

#include "stereo/stereo.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ends the program without any of its handlers, which may need memory, too. */
static void *must(void *memory) {
    static const char message[] = "stereoview: error: out of memory\n";
    if (memory) return memory;
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    _exit(SV_FAILED);
}

void *sv_alloc(size_t count, size_t size) { return must(calloc(count ? count : 1, size)); }

char *sv_strdup(const char *text) { return must(strdup(text)); }

char *sv_asprintf(const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) text = NULL;
    va_end(arguments);
    return must(text);
}
