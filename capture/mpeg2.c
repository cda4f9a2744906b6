/* Whether reference pictures of MPEG-1 or MPEG-2 are missing: see mpeg2.h.
 *
 * A B-picture is decoded after the reference picture that is shown behind it, and reference pictures come in the order
 * in which they are shown. If that is not so, one is missing. A jump between two reference pictures alone shows
 * nothing: an encoder may leave out pictures. */
#include "capture/mpeg2.h"

#include <string.h>

enum { INTRA = 1, PREDICTED, BETWEEN }; /* picture_coding_type, table 6-12 */

static bool read_picture(mpeg2_order *self, int place, int type) {
    /* In the same group of pictures, and not the other field of the same picture. */
    const bool later = ((place - self->last) & 1023) - 1 < 511 && place != self->last;
    const bool gap = self->follows && place != self->last && (type == BETWEEN ? later : type == PREDICTED && !later);
    if (type == INTRA || type == PREDICTED) {
        self->last = place;
        self->follows = true;
    } else if (gap) {
        self->follows = false;
    }
    return gap;
}

bool mpeg2_is_gap(mpeg2_order *self, const AVPacket *packet) {
    static const uint8_t start[] = {0, 0, 1};
    enum { PICTURE = 0, GROUP = 0xb8, HEAD = 6 }; /* picture_start_code, group_start_code */
    const uint8_t *const end = packet->data + packet->size, *at = packet->data;
    bool gap = false;
    while (at && (at = memmem(at, (size_t)(end - at), start, sizeof start)) && end - at >= HEAD) {
        if (at[3] == GROUP) self->follows = false;
        if (at[3] == PICTURE) gap |= read_picture(self, at[4] << 2 | at[5] >> 6, at[5] >> 3 & 7);
        at += sizeof start;
    }
    return gap;
}

void mpeg2_restart(mpeg2_order *self) { self->follows = false; }
