/* --shard: a part of a run. */
#include "app/options/share.h"

#include <stdio.h>

sv_status share_parse(share *s, const char *text, sv_error *error) {
    enum { MOST = 1000000 };
    char beyond;
    if (sscanf(text, "%7d/%7d%c", &s->number, &s->count, &beyond) == 2 && s->number >= 1 && s->number <= s->count &&
        s->count <= MOST)
        return SV_OK;
    return sv_fail(error, SV_USAGE, "--shard takes I/N, part I of N: 1/4, 2/4, 3/4 or 4/4, not '%s'", text);
}

void share_narrow(const share *s, int64_t *first, int64_t *end) {
    if (!s->count || *end <= *first) return;
    const int64_t begin = *first, whole = (*end - begin) / s->count, rest = (*end - begin) % s->count;
    /* The first `rest` parts have one item more. */
    const int64_t before = s->number - 1;
    *first = begin + before * whole + (before < rest ? before : rest);
    *end = *first + whole + (before < rest);
}
