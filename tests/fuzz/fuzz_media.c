/* Fuzzes the reading of videos and pictures: an input is a file that is opened, read, sought in and read again. FFmpeg
 * itself runs without sanitizers. tests/fuzz/fuzz runs it. */
#include "capture/source.h"
#include "tests/fuzz/fuzz_input.h"

#include <math.h>

static void read_some(source *source, int most) {
    int64_t last = -1;
    for (int i = 0; i < most; i++) {
        frame *frame = NULL;
        sv_error error = {""};
        const sv_status status = source_read(source, &frame, &error);
        if (status != SV_OK) {
            require(status == SV_END || (status == SV_FAILED && *error.text));
            return;
        }
        require(frame->grey.data && frame->grey.width >= 1 && frame->grey.width <= SV_MAX_SIDE);
        require(frame->grey.height >= 1 && frame->grey.height <= SV_MAX_SIDE);
        require(isfinite(frame->time) && frame->index > last);
        last = frame->index;
        /* The first and the last pixel can be read. */
        const volatile uint8_t *end = (const uint8_t *)sv_row(&frame->grey, frame->grey.height - 1);
        (void)(*(const volatile uint8_t *)frame->grey.data + end[frame->grey.width - 1]);
        frame_release(frame);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const source_options options = {.colour = size & 1};
    source *source;
    sv_error error = {""};
    const sv_status status = source_open_file(&source, fuzz_file(data, size), &options, &error);
    if (status != SV_OK) {
        require(status == SV_FAILED && *error.text);
        return 0;
    }
    require(source->info.width >= 1 && source->info.height >= 1 && isfinite(source->info.rate));
    read_some(source, 8);
    if (source_seek(source, source->info.pictures ? 0 : 0.1, &error) == SV_OK) read_some(source, 3);
    double seconds;
    if (source_seek_frame(source, 1, &seconds, &error) == SV_OK) read_some(source, 2);
    source_close(source);
    return 0;
}
