/* Fuzzes the reader of settings files: accepted values must be valid, and a refused file changes nothing.
 * tests/fuzz/fuzz runs it. */
#include "app/options/settings.h"
#include "tests/fuzz/fuzz_input.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const sv_params before = sv_default_params(SV_SSD);
    sv_params params = before;
    view_settings view = view_default();
    sv_error error = {""};
    const sv_status status = settings_read(fuzz_file(data, size), &params, &view, NULL, &error);
    if (status == SV_OK) {
        require(sv_check_params(&params, &error) == SV_OK);
        require(view.layout >= 0 && view.layout < VIEW_LAYOUT_COUNT && view.range >= 0 &&
                view.range < VIEW_RANGE_COUNT);
        require(view.colour.map >= 0 && view.colour.map < COLOUR_MAP_COUNT);
        require(isfinite(view.colour.min) && isfinite(view.colour.max));
    } else {
        require(status == SV_FAILED && *error.text);
        require(params.method == before.method);
        for (int i = 0; i < sv_parameter_count; i++)
            require(sv_get(&params, &sv_parameters[i]) == sv_get(&before, &sv_parameters[i]));
    }
    return 0;
}
