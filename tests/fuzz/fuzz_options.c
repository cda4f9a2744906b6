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
        require(sv_check_params(&options.match.params, &error) == SV_OK);
        require(options.input.frames.first >= 0 && options.input.frames.first <= options.input.frames.end);
        require(isfinite(options.input.timeout) && options.input.timeout > 0);
        require(isfinite(options.input.offset.value) && isfinite(options.input.tolerance) &&
                options.input.tolerance >= 0);
        require(options.input.synthetic_width >= 0 && options.input.synthetic_width <= SV_MAX_SIDE);
        require(options.input.synthetic_height >= 0 && options.input.synthetic_height <= SV_MAX_SIDE);
        require(options.output.count >= 0 && options.output.count <= OPTIONS_MAX_OUTPUTS);
        require(options.rig.saved_count >= 0 && options.rig.saved_count <= OPTIONS_MAX_SAVED);
        require(options.match.threads >= 0 && options.match.device >= 0);
    } else {
        require((status == SV_USAGE || status == SV_FAILED) && *error.text);
    }
    options_free(&options);
    free(text);
    return 0;
}
