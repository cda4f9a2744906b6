/* Whether reference pictures of H.264 are missing: see h264.h.
 *
 * frame_num counts the reference pictures: a picture has that of the reference picture before it, or one more
 * (ITU-T H.264, 7.4.3), unless the sequence allows gaps. What is read of parameter sets and slice headers follows
 * 7.3.2.1.1, 7.3.2.2 and 7.3.3, whose order of the elements is that of the functions below. Nothing is concluded from
 * what cannot be read. */
#include "capture/ffmpeg/h264.h"

#include <string.h>

/* ---- Bits ------------------------------------------------------------------------------------- */

typedef struct bits {
    const uint8_t *at, *end;
    int left, zeros; /* bits left of `byte`; zero bytes before it */
    uint8_t byte;
    bool over; /* more was read than there is */
} bits;

static uint32_t read_bit(bits *b) {
    if (b->left == 0) {
        /* 7.3.1: a 3 after two zeros is there to avoid start codes. */
        if (b->zeros >= 2 && b->at < b->end && *b->at == 3) {
            b->at++;
            b->zeros = 0;
        }
        b->over |= b->at == b->end;
        if (b->over) return 0;
        b->byte = *b->at++;
        b->zeros = b->byte ? 0 : b->zeros + 1;
        b->left = 8;
    }
    return b->byte >> --b->left & 1;
}

static uint32_t read_bits(bits *b, int count) {
    uint32_t value = 0;
    while (count-- > 0) value = value << 1 | read_bit(b);
    return value;
}

/* 9.1: ue(v). */
static uint32_t read_number(bits *b) {
    int zeros = 0;
    while (!b->over && !read_bit(b)) zeros++;
    b->over |= zeros > 31;
    return b->over ? 0 : (1u << zeros) - 1 + read_bits(b, zeros);
}

/* Skips ue(v) or se(v), which have the same length. */
static void skip_numbers(bits *b, uint32_t count) {
    while (count-- > 0 && !b->over) read_number(b);
}

/* ---- Parameter sets --------------------------------------------------------------------------- */

static int32_t read_signed(bits *b) {
    const uint32_t value = read_number(b);
    return value & 1 ? (int32_t)(value / 2 + 1) : -(int32_t)(value / 2);
}

static void skip_scaling_list(bits *b, int size) {
    int last = 8;
    for (int i = 0, next = 8; i < size && next != 0 && !b->over; i++) {
        next = (last + read_signed(b)) & 255;
        if (next != 0) last = next;
    }
}

static void read_sequence(h264_numbers *self, bits *b) {
    static const uint8_t high_profiles[] = {100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135};
    h264_sequence sequence = {.known = true};
    const uint8_t profile = read_bits(b, 8);
    read_bits(b, 16);
    const uint32_t id = read_number(b);
    if (memchr(high_profiles, profile, sizeof high_profiles)) {
        const uint32_t chroma = read_number(b);
        if (chroma == 3) sequence.separate_planes = read_bit(b);
        sequence.grey = chroma == 0 || sequence.separate_planes;
        skip_numbers(b, 2);
        read_bit(b);
        const bool scaled = read_bit(b);
        for (int i = 0; scaled && i < (chroma == 3 ? 12 : 8); i++)
            if (read_bit(b)) skip_scaling_list(b, i < 6 ? 16 : 64);
    }
    const uint32_t number_bits = read_number(b) + 4, order_type = read_number(b);
    uint32_t order_bits = 0;
    if (order_type == 0) order_bits = read_number(b) + 4;
    if (order_type == 1) {
        sequence.delta_zero = read_bit(b);
        skip_numbers(b, 2);
        skip_numbers(b, read_number(b));
    }
    read_number(b);
    sequence.gaps_allowed = read_bit(b);
    skip_numbers(b, 2);
    sequence.frames_only = read_bit(b);
    if (b->over || id > 31 || number_bits > 16 || order_type > 2 || order_bits > 16) return;
    sequence.number_bits = (uint8_t)number_bits;
    sequence.order_type = (uint8_t)order_type;
    sequence.order_bits = (uint8_t)order_bits;
    self->sequences[id] = sequence;
}

static void read_picture(h264_numbers *self, bits *b) {
    h264_picture picture = {.known = true};
    const uint32_t id = read_number(b), sequence = read_number(b);
    read_bit(b);
    picture.order_present = read_bit(b);
    picture.known = read_number(b) == 0; /* slice groups, of the Baseline profile, would have to be read here */
    const uint32_t first = read_number(b) + 1, second = read_number(b) + 1;
    picture.weighted = read_bit(b);
    picture.weighted_b = (uint8_t)read_bits(b, 2);
    skip_numbers(b, 3);
    read_bits(b, 2);
    picture.redundant_present = read_bit(b);
    if (b->over || id > 255 || sequence > 31 || first > 32 || second > 32) return;
    picture.sequence = (uint8_t)sequence;
    picture.references[0] = (uint8_t)first;
    picture.references[1] = (uint8_t)second;
    self->pictures[id] = picture;
}

/* ---- Slices ----------------------------------------------------------------------------------- */

enum { SLICE = 1, PARTITION = 2, IDR_SLICE = 5, SEQUENCE = 7, PICTURE = 8 }; /* nal_unit_type, table 7-1 */
enum { P, B, I, SP, SI };                                                    /* slice_type, table 7-6 */

static void skip_weights(bits *b, bool grey, int lists, const uint32_t references[2]) {
    skip_numbers(b, grey ? 1 : 2);
    for (int list = 0; list < lists; list++)
        for (uint32_t i = 0; i < references[list] && !b->over; i++) {
            if (read_bit(b)) skip_numbers(b, 2);
            if (!grey && read_bit(b)) skip_numbers(b, 4);
        }
}

/* Reads what follows frame_num in the header of a slice of a reference picture that is not IDR. True if its
 * memory_management_control_operation 5 makes frame_num begin anew. */
static bool begins_anew(bits *b, const h264_sequence *sequence, const h264_picture *picture, uint32_t type) {
    const bool field = !sequence->frames_only && read_bit(b);
    if (field) read_bit(b);
    const bool second_order = picture->order_present && !field;
    if (sequence->order_type == 0) {
        read_bits(b, sequence->order_bits);
        if (second_order) skip_numbers(b, 1);
    }
    if (sequence->order_type == 1 && !sequence->delta_zero) skip_numbers(b, second_order ? 2 : 1);
    if (picture->redundant_present) read_number(b);
    if (type == B) read_bit(b);
    const int lists = type == B ? 2 : type == P || type == SP ? 1 : 0;
    uint32_t references[2] = {picture->references[0], picture->references[1]};
    if (lists > 0 && read_bit(b))
        for (int list = 0; list < lists; list++) references[list] = read_number(b) + 1;
    for (int list = 0; list < lists; list++)
        if (read_bit(b))
            while (!b->over && read_number(b) != 3) read_number(b);
    if (((type == P || type == SP) && picture->weighted) || (type == B && picture->weighted_b == 1))
        skip_weights(b, sequence->grey, lists, references);
    bool anew = false;
    if (read_bit(b))
        for (uint32_t operation = 1; operation != 0 && !b->over;) {
            operation = read_number(b);
            if (operation != 0 && operation != 5) skip_numbers(b, operation == 3 ? 2 : 1);
            anew |= operation == 5;
        }
    return anew;
}

static bool read_slice(h264_numbers *self, bits *b, int unit, bool is_reference) {
    read_number(b);
    const uint32_t type = read_number(b) % 5, id = read_number(b);
    const h264_picture *picture = &self->pictures[id < 256 ? id : 0];
    const h264_sequence *sequence = &self->sequences[picture->sequence];
    if (b->over || id > 255 || !picture->known || !sequence->known) {
        self->follows &= !is_reference;
        return false;
    }
    if (sequence->separate_planes) read_bits(b, 2);
    const uint32_t number = read_bits(b, sequence->number_bits), most = (1u << sequence->number_bits) - 1;
    const uint32_t expected = (self->reference + 1) & most;
    const bool gap = self->follows && !sequence->gaps_allowed && !b->over && unit != IDR_SLICE &&
                     number != self->reference && number != expected && number != self->last;
    self->last = number;
    if (is_reference) {
        const bool anew = unit == IDR_SLICE || begins_anew(b, sequence, picture, type);
        self->reference = anew ? 0 : number;
        self->follows = !b->over;
    } else if (gap) {
        self->reference = (number - 1) & most; /* 8.2.5.2 infers the missing ones up to this */
    }
    return gap;
}

/* ---- NAL units -------------------------------------------------------------------------------- */

static bool read_unit(h264_numbers *self, const uint8_t *data, size_t size) {
    if (size == 0) return false;
    const int unit = data[0] & 31, reference = data[0] >> 5 & 3;
    bits b = {.at = data + 1, .end = data + size};
    if (unit == SEQUENCE) read_sequence(self, &b);
    if (unit == PICTURE) read_picture(self, &b);
    return (unit == SLICE || unit == PARTITION || unit == IDR_SLICE) && read_slice(self, &b, unit, reference > 0);
}

/* Annex B. */
static bool read_separated(h264_numbers *self, const uint8_t *data, size_t size) {
    static const uint8_t start[] = {0, 0, 1};
    const uint8_t *const end = data + size, *at = memmem(data, size, start, sizeof start);
    bool gap = false;
    while (at) {
        at += sizeof start;
        const uint8_t *next = memmem(at, (size_t)(end - at), start, sizeof start);
        gap |= read_unit(self, at, (size_t)((next ? next : end) - at));
        at = next;
    }
    return gap;
}

/* Units of which each follows its length, a number of `length_bytes`. */
static const uint8_t *read_measured(h264_numbers *self, const uint8_t *data, const uint8_t *end, int length_bytes,
                                    int count, bool *gap) {
    while (count-- > 0 && end - data >= length_bytes) {
        uint32_t length = 0;
        for (int i = 0; i < length_bytes; i++) length = length << 8 | *data++;
        if (length > (size_t)(end - data)) return end;
        *gap |= read_unit(self, data, length);
        data += length;
    }
    return data;
}

void h264_begin(h264_numbers *self, const uint8_t *extra, int size) {
    /* ISO/IEC 14496-15, 5.2.4.1: AVCDecoderConfigurationRecord. Its version is 1; a start code begins with 0. */
    enum { HEAD = 5 };
    bool gap = false;
    if (size <= HEAD + 1 || extra[0] != 1) {
        if (size > 0) read_separated(self, extra, (size_t)size);
        return;
    }
    self->length_bytes = (extra[HEAD - 1] & 3) + 1;
    const uint8_t *const end = extra + size;
    const uint8_t *at = read_measured(self, extra + HEAD + 1, end, 2, extra[HEAD] & 31, &gap);
    if (at < end) read_measured(self, at + 1, end, 2, *at, &gap);
}

bool h264_is_gap(h264_numbers *self, const AVPacket *packet) {
    bool gap = false;
    size_t size;
    const uint8_t *extra = av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size);
    if (extra && size <= INT_MAX) h264_begin(self, extra, (int)size);
    if (self->length_bytes == 0) return read_separated(self, packet->data, (size_t)packet->size);
    read_measured(self, packet->data, packet->data + packet->size, self->length_bytes, INT_MAX, &gap);
    return gap;
}

void h264_restart(h264_numbers *self) { self->follows = false; }
