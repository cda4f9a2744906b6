/* See reading.h. */
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <stdio.h>

int warnings;
char last_warning[512], last_note[512];

static void count_warnings(sv_level level, const char *line) {
    if (level == SV_LOG_INFO) snprintf(last_note, sizeof last_note, "%s", line);
    if (level != SV_LOG_WARNING) return;
    snprintf(last_warning, sizeof last_warning, "%s", line);
    __atomic_add_fetch(&warnings, 1, __ATOMIC_RELAXED);
}

source *open_with(const char *name, source_options options) {
    sv_error error;
    source *source;
    warnings = 0;
    if (source_open_file(&source, name, &options, &error) != SV_OK) fail_msg("%s", error.text);
    return source;
}

source *open_file(const char *name) { return open_with(name, (source_options){.colour = true}); }

frame *read_frame(source *source) {
    frame *frame;
    sv_error error;
    sv_status status = source_read(source, &frame, &error);
    if (status == SV_END) fail_msg("%s: has ended", source->name);
    if (status != SV_OK) fail_msg("%s", error.text);
    return frame;
}

frame *read_first(const char *name) {
    source *source = open_file(name);
    frame *frame = read_frame(source);
    source_close(source);
    return frame;
}

int read_to_end(source *source) {
    frame *frame;
    sv_error error;
    int count = 0;
    sv_status status;
    for (; (status = source_read(source, &frame, &error)) == SV_OK; count++) frame_release(frame);
    if (status != SV_END) fail_msg("%s", error.text);
    return count;
}

const char *write_pnm(const char *name, int kind, int width, int height, int max, const void *samples, size_t size) {
    char bytes[20000];
    int header = snprintf(bytes, sizeof bytes, "P%d\n%d %d\n%d\n", kind, width, height, max);
    memcpy(bytes + header, samples, size);
    return scratch_write(name, bytes, header + size);
}

const char *write_flat(const char *name, int width, int height, int value) {
    uint8_t samples[4096];
    memset(samples, value, sizeof samples);
    return write_pnm(name, 5, width, height, 255, samples, width * height);
}

void watch_log(void) { sv_set_log(count_warnings); }

int reading_setup(void **state) {
    watch_log();
    return scratch_setup(state);
}
