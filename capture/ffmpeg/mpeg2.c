/* Whether reference pictures of MPEG-1 or MPEG-2 are missing: see mpeg2.h.
 *
 * A B-picture is decoded after the two reference pictures between which it is shown, reference pictures come in the
 * order in which they are shown, and a group begins with an I-picture. If that is not so, one is missing. A jump
 * between two reference pictures alone shows nothing: an encoder may leave out pictures. */
#include "capture/ffmpeg/mpeg2.h"

#include <string.h>

enum { INTRA = 1, PREDICTED, BETWEEN }; /* picture_coding_type, table 6-12 */

/* True if `place` is shown after `other`. */
static bool is_after(int place, int other) { return place != other && ((place - other) & 1023) < 512; }

static bool read_picture(mpeg2_order *self, int place, int type) {
    bool gap = self->begins && type != INTRA;
    if (type == BETWEEN && self->references > 0) gap |= is_after(place, self->last);
    if (type == BETWEEN && self->references > 1) gap |= is_after(self->before, place);
    if (type == PREDICTED && self->references > 0) gap |= is_after(self->last, place);
    if (type == BETWEEN && gap) {
        self->references = 0;
    } else if (type != BETWEEN && !(self->references > 0 && place == self->last)) { /* not its second field */
        self->references = type == INTRA || gap ? 1 : self->references < 2 ? self->references + 1 : 2;
        self->before = self->last;
        self->last = place;
    }
    self->begins = false;
    return gap;
}

bool mpeg2_is_gap(mpeg2_order *self, const AVPacket *packet) {
    static const uint8_t start[] = {0, 0, 1};
    enum { PICTURE = 0, GROUP = 0xb8, HEAD = 6 }; /* picture_start_code, group_start_code */
    const uint8_t *const end = packet->data + packet->size, *at = packet->data;
    bool gap = false;
    while (at && (at = memmem(at, (size_t)(end - at), start, sizeof start)) && end - at >= HEAD) {
        if (at[3] == GROUP) *self = (mpeg2_order){.begins = true};
        if (at[3] == PICTURE) gap |= read_picture(self, at[4] << 2 | at[5] >> 6, at[5] >> 3 & 7);
        at += sizeof start;
    }
    return gap;
}

void mpeg2_restart(mpeg2_order *self) { *self = (mpeg2_order){.references = 0}; }
