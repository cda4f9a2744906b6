/* Compares the numbers in the names of two sides: see numbers.h. */
#include "capture/numbers.h"

#include <inttypes.h>

/* The number of the first picture. False if numbers are missing between it and the last one. */
static bool begins_at(const source_info *info, int64_t *first) {
    const int64_t *numbers = info->numbers;
    *first = numbers ? numbers[0] : (int64_t)info->start;
    return !numbers || numbers[info->frames - 1] - numbers[0] == info->frames - 1;
}

void numbers_remark(const source *left, const source *right) {
    const source_info *l = &left->info, *r = &right->info;
    int64_t first[2];
    if (l->frames < 2 || r->frames < 2 || !l->numbers != !r->numbers) return;
    for (int64_t i = 1; l->numbers && i < l->frames && i < r->frames; i++) {
        if (l->numbers[i] - l->numbers[0] == r->numbers[i] - r->numbers[0]) continue;
        sv_log(SV_LOG_WARNING,
               "number %" PRId64 " of %s is paired with number %" PRId64
               " of %s, because a picture is missing on one side; remove its partner, too",
               l->numbers[i], left->name, r->numbers[i], right->name);
        return;
    }
    const bool left_whole = begins_at(l, &first[0]), right_whole = begins_at(r, &first[1]);
    if (left_whole && right_whole && first[0] != first[1])
        sv_log(SV_LOG_INFO,
               "pairing the first files of both sequences, numbers %" PRId64 " and %" PRId64 "; --offset %" PRId64
               " pairs equal numbers",
               first[0], first[1], first[0] - first[1]);
}
