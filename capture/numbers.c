/* Compares the numbers in the names of two sides: see numbers.h. */
#include "capture/numbers.h"

#include <inttypes.h>

/* True if no number is missing between the first and the last. */
static bool is_whole(const source_info *info) {
    return info->numbers[info->frames - 1] - info->numbers[0] == info->frames - 1;
}

void numbers_remark(const source *left, const source *right) {
    const source_info *l = &left->info, *r = &right->info;
    if (l->frames < 2 || r->frames < 2 || !l->numbers || !r->numbers) return;
    for (int64_t i = 1; i < l->frames && i < r->frames; i++) {
        if (l->numbers[i] - l->numbers[0] == r->numbers[i] - r->numbers[0]) continue;
        sv_log(SV_LOG_WARNING,
               "number %" PRId64 " of %s is paired with number %" PRId64
               " of %s, because a picture is missing on one side; remove its partner, too",
               l->numbers[i], left->name, r->numbers[i], right->name);
        return;
    }
    const int64_t left_first = l->numbers[0], right_first = r->numbers[0];
    if (is_whole(l) && is_whole(r) && left_first != right_first)
        sv_log(SV_LOG_INFO,
               "pairing the first files of both sequences, numbers %" PRId64 " and %" PRId64 "; --offset %" PRId64
               " pairs equal numbers",
               left_first, right_first, left_first - right_first);
}
