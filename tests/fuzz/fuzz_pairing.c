/* Fuzzes the pairing of two sources: an input is their kind, what is done with the pairing, and the time of each
 * frame after the one before. tests/fuzz/fuzz runs it. */
#include "capture/pair.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/script.h"

#include <math.h>

enum { FRAMES = 64, OPERATIONS = 4, HEAD = 4 + OPERATIONS };

/* `flags`: 1 fails at its end, 2 has no known length, 4 has pictures without times. `times`: room for those. */
static source *write_source(char *name, int flags, const uint8_t *steps, int count, double *times) {
    const bool pictures = flags & 4;
    times[0] = 0;
    for (int i = 1; i < count; i++) times[i] = pictures ? i : times[i - 1] + steps[i] / 100.0;
    script *self = script_write(name, times, count);
    require(self);
    source_info *info = &self->base.info;
    info->pictures = pictures;
    if (pictures) info->rate = 0;
    info->frames = flags & 2 ? -1 : count;
    info->duration = flags & 2 ? 0 : count / 10.0;
    self->fails = flags & 1;
    return &self->base;
}

/* Takes up to `most` pairs; each must lie within the tolerance, and after the one before. False at the end. */
static bool take(pairing *pairing, int most) {
    frame_pair pair;
    sv_error error = {""};
    const double offset = pairing_offset(pairing), tolerance = pairing_tolerance(pairing);
    int64_t left = -1, right = -1;
    for (int i = 0; i < most; i++) {
        const sv_status status = pairing_next(pairing, &pair, &error);
        if (status != SV_OK) {
            require(status == SV_END || (status == SV_FAILED && *error.text));
            return false;
        }
        require(pair.left->index > left && pair.right->index > right);
        const double late = pair.right->time - pair.left->time - offset; /* see pairing_tolerance */
        require(late >= -tolerance - 1e-6 && late <= tolerance + 0.00125 + 1e-6);
        left = pair.left->index;
        right = pair.right->index;
        frame_pair_release(&pair);
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sv_set_log(fuzz_ignore);
    if (size < HEAD + 2) return -1;
    char names[2][8] = {"left", "right"};
    const uint8_t *steps = data + HEAD;
    int count[2] = {(int)((size - HEAD) / 2), (int)((size - HEAD + 1) / 2)};
    for (int i = 0; i < 2; i++)
        if (count[i] > FRAMES) count[i] = FRAMES;
    double times[2][FRAMES];
    source *left = write_source(names[0], data[0] & 7, steps, count[0], times[0]);
    source *right =
        write_source(names[1], (data[0] & 4) | (data[0] >> 3 & 3), steps + (size - HEAD) / 2, count[1], times[1]);
    pairing *pairing;
    sv_error error = {""};
    if (pairing_open(&pairing, left, right, 1 + data[1] % 4, &error) == SV_OK) {
        if (data[0] & 32) pairing_set_offset(pairing, data[0] & 4 ? (int8_t)data[2] : (int8_t)data[2] / 100.0);
        if (data[0] & 64) pairing_set_tolerance(pairing, data[3] / 100.0);
        for (const uint8_t *o = data + 4; o < data + HEAD; o++) {
            sv_status status = SV_OK;
            if (*o & 1)
                take(pairing, *o >> 2);
            else if (*o & 2)
                status = pairing_seek_frame(pairing, *o >> 2, &error);
            else
                status = pairing_seek(pairing, (*o >> 2) / 10.0, &error);
            require(status == SV_OK || (status == SV_FAILED && *error.text));
        }
        require(!take(pairing, FRAMES + 1));
        const pairing_counts counts = pairing_count(pairing);
        require(counts.pairs >= 0 && counts.dropped_left >= 0 && counts.dropped_right >= 0);
        pairing_close(pairing);
    } else {
        require(*error.text);
    }
    require(scripts_open == 0);
    return 0;
}
