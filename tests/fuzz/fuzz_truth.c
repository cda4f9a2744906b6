/* Fuzzes the reader of true disparity maps: the last byte of an input is the scale. tests/fuzz/fuzz runs it. */
#include "map/truth.h"
#include "tests/fuzz/fuzz_input.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const double scale = size ? data[size - 1] % 16 : 0;
    sv_image truth;
    sv_error error = {""};
    const sv_status status = truth_read(fuzz_file(data, size), 0, scale, &truth, &error);
    if (status != SV_OK) {
        require(status == SV_FAILED && *error.text && !truth.data);
        return 0;
    }
    require(truth.width >= 1 && truth.width <= SV_MAX_SIDE && truth.height >= 1 && truth.height <= SV_MAX_SIDE);
    for (int y = 0; y < truth.height; y++)
        for (int x = 0; x < truth.width; x++) {
            const float value = ((const float *)sv_row(&truth, y))[x];
            require(isfinite(value) || value == INFINITY);
        }
    free(truth.data);
    return 0;
}
