/* Fuzzes the command line: an input is its arguments, one a line. tests/fuzz/fuzz runs it. */
#include "app/options/command_line.h"
#include "tests/fuzz/fuzz_input.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { MOST = 40 };
    static bool prepared;
    if (!prepared) {
        sv_set_log(fuzz_ignore);
        require(setenv("XDG_CONFIG_HOME", "/nonexistent", 1) == 0); /* the keys of whoever runs this do not matter */
        prepared = true;
    }
    char *text = malloc(size + 1), *rest = text, program[] = "stereoview", *argv[MOST + 1] = {program};
    require(text);
    if (size) memcpy(text, data, size);
    text[size] = 0;
    int argc = 1;
    while (rest && argc < MOST) argv[argc++] = strsep(&rest, "\n");
    options options;
    sv_error error = {""};
    const sv_status status = command_line_read(&options, argc, argv, &error);
    if (status == SV_OK) {
        require(sv_check_params(&options.params, &error) == SV_OK);
        require(options.frames.first >= 0 && options.frames.first <= options.frames.end);
        require(isfinite(options.timeout) && options.timeout > 0);
        require(isfinite(options.offset) && isfinite(options.tolerance) && options.tolerance >= 0);
        require(options.synthetic_width >= 0 && options.synthetic_width <= SV_MAX_SIDE);
        require(options.synthetic_height >= 0 && options.synthetic_height <= SV_MAX_SIDE);
        require(options.output_count >= 0 && options.output_count <= OPTIONS_MAX_OUTPUTS);
        require(options.save_count >= 0 && options.save_count <= OPTIONS_MAX_SAVED);
        require(options.threads >= 0 && options.device >= 0);
    } else {
        require((status == SV_USAGE || status == SV_FAILED) && *error.text);
    }
    options_free(&options);
    free(text);
    return 0;
}
