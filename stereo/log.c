/* Error messages and the log. */
#include "stereo/stereo.h"

#include <stdarg.h>
#include <stdio.h>

sv_status sv_fail(sv_error *error, sv_status status, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

static void log_to_stderr(sv_level level, const char *line) {
    if (level < SV_LOG_DEBUG) fprintf(stderr, "stereoview: %s\n", line);
}

static void (*log_handler)(sv_level level, const char *line) = log_to_stderr;

void sv_set_log(void (*handler)(sv_level level, const char *line)) { log_handler = handler ? handler : log_to_stderr; }

static _Thread_local bool logs_nothing;

void sv_log_nothing(bool on) { logs_nothing = on; }

void sv_log(sv_level level, const char *format, ...) {
    char line[1024];
    if (logs_nothing) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    log_handler(level, line);
}
