/* Fuzzes the reader of lists of pairs: what is accepted has all its names, in the order of the lines. tests/fuzz/fuzz
 * runs it. */
#include "app/options/pair_list.h"
#include "tests/fuzz/fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    pair_list list;
    sv_error error = {""};
    const sv_status status = pair_list_read(&list, fuzz_file(data, size), &error);
    if (status == SV_OK) {
        require(list.count > 0 && (size_t)list.count <= size);
        for (int64_t i = 0, line = 0; i < list.count; i++) {
            const listed_pair *pair = &list.pairs[i];
            require(*pair->left && *pair->right && *pair->output && (!pair->calibration || *pair->calibration));
            require(pair->line > line);
            line = pair->line;
        }
    } else {
        require(status == SV_FAILED && *error.text);
    }
    pair_list_free(&list);
    return 0;
}
