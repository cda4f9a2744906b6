/* Converts FFmpeg's decoded pictures to frames: see picture.h.
 *
 * Grey is full-range luma of 8 bits. If the decoder's luma plane has this format, the frame borrows it. Limited range
 * and deeper samples are converted in one pass into another block, because the decoder still predicts from its planes.
 * Formats without luma (RGB, palettes, bitmaps) go through swscale. */
#include "capture/ffmpeg/picture.h"

#include "capture/ffmpeg/card.h"
#include "stereo/alloc.h"
#include "stereo/pixel.h"

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <stdlib.h>
#include <string.h>

/* Each plane begins at a multiple of this and is followed by as many bytes: decoders access whole vectors. */
enum { ALIGNMENT = 64 };

void picture_maker_create(picture_maker *maker, pool_memory memory, bool colour) {
    *maker = (picture_maker){.pool = pool_create(memory), .colour = colour, .table_key = -1};
}

void picture_maker_destroy(picture_maker *maker) {
    pool_close(maker->pool);
    free(maker->to_grey);
    sws_freeContext(maker->grey_scaler);
    sws_freeContext(maker->colour_scaler);
    *maker = (picture_maker){0};
}

/* Component 0 is luma, in whole samples of 8 to 16 bits. */
static bool has_luma(enum AVPixelFormat format) {
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(format);
    const uint64_t other = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                           AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
    return description && !(description->flags & other) && description->comp[0].depth >= 8 &&
           description->comp[0].depth <= 16 && format != AV_PIX_FMT_XYZ12LE && format != AV_PIX_FMT_XYZ12BE;
}

/* Video that does not state its range has limited range (16..235); grey pictures and the yuvj formats have full
 * range. */
static bool is_full_range(enum AVPixelFormat format, enum AVColorRange range) {
    switch (format) {
    case AV_PIX_FMT_YUVJ411P:
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUVJ440P:
    case AV_PIX_FMT_YUVJ444P: return true;
    default: break;
    }
    if (range == AVCOL_RANGE_UNSPECIFIED) return av_pix_fmt_desc_get(format)->nb_components <= 2;
    return range == AVCOL_RANGE_JPEG;
}

/* True if the luma plane can serve as grey without conversion. */
static bool luma_is_grey(enum AVPixelFormat format, enum AVColorRange range) {
    if (!has_luma(format) || !is_full_range(format, range)) return false;
    const AVComponentDescriptor *luma = &av_pix_fmt_desc_get(format)->comp[0];
    return luma->depth == 8 && luma->step == 1 && luma->offset == 0 && luma->shift == 0;
}

static void give_back(void *pool, uint8_t *data) { pool_give_back(pool, data); }

static int get_buffer(AVCodecContext *codec, AVFrame *picture, int flags) {
    picture_maker *maker = codec->opaque;
    if (picture->width > SV_MAX_SIDE || picture->height > SV_MAX_SIDE) {
        atomic_store(&maker->refused_width, picture->width);
        atomic_store(&maker->refused_height, picture->height);
        return AVERROR(EINVAL);
    }
    if (!(codec->codec->capabilities & AV_CODEC_CAP_DR1) || !luma_is_grey(picture->format, picture->color_range))
        return avcodec_default_get_buffer2(codec, picture, flags);

    int width = picture->width, height = picture->height, align[AV_NUM_DATA_POINTERS], lines[4];
    avcodec_align_dimensions2(codec, &width, &height, align);
    /* Widens the picture, by its lowest set bit, until the rows of every plane are aligned: their widths are fractions
     * of one another. */
    for (bool aligned = false; !aligned;) {
        int result = av_image_fill_linesizes(lines, picture->format, width);
        if (result < 0) return result;
        aligned = true;
        for (int i = 0; i < 4; i++) aligned = aligned && (align[i] == 0 || lines[i] % align[i] == 0);
        if (!aligned) width += width & -width;
    }
    ptrdiff_t strides[4] = {lines[0], lines[1], lines[2], lines[3]};
    size_t bytes[4], offset[4], total = 0;
    int result = av_image_fill_plane_sizes(bytes, picture->format, height, strides);
    if (result < 0) return result;
    for (int i = 0; i < 4; i++) {
        offset[i] = total;
        if (bytes[i] > 0) total += (bytes[i] + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    uint8_t *block = pool_take(maker->pool, total);
    picture->buf[0] = block ? av_buffer_create(block, total, give_back, maker->pool, 0) : NULL;
    if (!picture->buf[0]) {
        pool_give_back(maker->pool, block);
        return AVERROR(ENOMEM);
    }
    for (int i = 0; i < 4; i++) {
        picture->data[i] = bytes[i] > 0 ? block + offset[i] : NULL;
        picture->linesize[i] = lines[i];
    }
    picture->extended_data = picture->data;
    return 0;
}

int picture_get_buffer(AVCodecContext *codec, AVFrame *picture, int flags) {
    picture_maker *maker = codec->opaque;
    const int result = get_buffer(codec, picture, flags);
    /* Not every decoder sets the field itself. */
    if (result == AVERROR(ENOMEM)) atomic_store(&maker->out_of_memory, true);
    return result;
}

/* True if the luma plane lies in the pool, as picture_get_buffer put it there. */
static bool is_in_pool(const picture_maker *maker, const AVFrame *picture) {
    return picture->buf[0] && av_buffer_get_opaque(picture->buf[0]) == maker->pool && picture->linesize[0] > 0;
}

void picture_check_values(const AVFrame *picture, const char *name) {
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(picture->format);
    const AVComponentDescriptor luma = description->comp[0];
    if (!has_luma(picture->format) || luma.depth < 16) return;
    const int high = description->flags & AV_PIX_FMT_FLAG_BE ? 0 : 1, twelve_bits = 1 << 12;
    int largest = 0;
    for (int y = 0; y < picture->height; y++) {
        const uint8_t *row = picture->data[luma.plane] + (ptrdiff_t)y * picture->linesize[luma.plane] + luma.offset;
        for (int x = 0; x < picture->width; x++, row += luma.step) {
            const int value = row[high] << 8 | row[!high];
            if (value > largest) largest = value;
        }
    }
    if (largest && largest < twelve_bits)
        sv_log(
            SV_LOG_WARNING,
            "%s: its 16-bit values reach only %d of 65535, which leaves %d grey levels; if it holds fewer bits, scale "
            "them to 16",
            name, largest, (largest + 128) / 257 + 1);
}

/* Fills the table that maps luma of `depth` bits and of this range to 0..255, rounded. */
static bool make_table(picture_maker *maker, int depth, bool full_range) {
    int key = depth * 2 + full_range;
    if (maker->table_key == key) return true;
    int count = 1 << depth;
    uint8_t *table = realloc(maker->to_grey, count);
    if (!table) return false;
    for (int i = 0; i < count; i++) table[i] = (uint8_t)sv_grey_of_luma(i, depth, full_range);
    maker->to_grey = table;
    maker->table_key = key;
    return true;
}

static bool luma_to_grey(picture_maker *maker, const AVFrame *picture, sv_image grey) {
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(picture->format);
    AVComponentDescriptor luma = description->comp[0];
    if (!make_table(maker, luma.depth, is_full_range(picture->format, picture->color_range))) return false;
    const uint8_t *table = maker->to_grey;
    int mask = (1 << luma.depth) - 1, high = description->flags & AV_PIX_FMT_FLAG_BE ? 0 : 1;
    for (int y = 0; y < grey.height; y++) {
        const uint8_t *from = picture->data[luma.plane] + (ptrdiff_t)y * picture->linesize[luma.plane] + luma.offset;
        uint8_t *to = sv_row(&grey, y);
        if (luma.depth == 8)
            for (int x = 0; x < grey.width; x++) to[x] = table[from[x * luma.step]];
        else
            for (int x = 0; x < grey.width; x++, from += luma.step)
                to[x] = table[((from[high] << 8 | from[!high]) >> luma.shift) & mask];
    }
    return true;
}

/* Converts with swscale; `scaler` keeps the context from one picture to the next. */
static bool scale(struct SwsContext **scaler, const AVFrame *picture, sv_image to) {
    enum AVPixelFormat format = to.format == SV_GREY8 ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_RGB0;
    /* Exact, and so the same on every machine; a scale of one needs no filter. */
    const int flags = SWS_POINT | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP | SWS_FULL_CHR_H_INT | SWS_BITEXACT;
    *scaler = sws_getCachedContext(*scaler, to.width, to.height, picture->format, to.width, to.height, format, flags,
                                   NULL, NULL, NULL);
    if (!*scaler) return false;
    /* RGB gets equal matrices: between unlike ones, swscale would convert it, too. */
    const bool luma = has_luma(picture->format);
    const int *own = sws_getCoefficients(SWS_CS_ITU601);
    const int *matrix = luma ? sws_getCoefficients(picture->colorspace) : own;
    const bool full_range = !luma || is_full_range(picture->format, picture->color_range);
    sws_setColorspaceDetails(*scaler, matrix, full_range, own, 1, 0, 1 << 16, 1 << 16);
    uint8_t *data[4] = {to.data};
    int strides[4] = {(int)to.stride};
    return sws_scale(*scaler, (const uint8_t *const *)picture->data, picture->linesize, 0, to.height, data, strides) ==
           to.height;
}

/* SV_COLOUR8 has no transparency: the fourth byte is 255. */
static void make_opaque(sv_image colour) {
    for (int y = 0; y < colour.height; y++) {
        uint8_t *row = sv_row(&colour, y);
        for (int x = 0; x < colour.width; x++) row[4 * x + 3] = 255;
    }
}

/* The colour of a picture that has none. swscale takes several times as long, and misses some values by one. */
static void grey_to_colour(sv_image grey, sv_image colour) {
    for (int y = 0; y < grey.height; y++) {
        const uint8_t *from = sv_row(&grey, y);
        uint8_t *to = sv_row(&colour, y);
        for (int x = 0; x < grey.width; x++, to += 4) {
            to[0] = to[1] = to[2] = from[x];
            to[3] = 255;
        }
    }
}

static void free_picture(void *picture) {
    AVFrame *kept = picture;
    av_frame_free(&kept);
}

/* picture_to_frame for a picture on a card. The frame stays there unless it gets colour or the card is full. */
static sv_status fetch(picture_maker *maker, const AVFrame *picture, const char *name, frame **out, sv_error *error) {
    sv_error why;
    sv_status status;
    frame *frame =
        maker->colour ? NULL : frame_create_on_card(maker->pool, maker->card, picture->width, picture->height);
    if (!frame) { /* the host has room where the card has none */
        AVFrame *copy;
        status = card_copy(picture, &copy, &why);
        if (status != SV_OK) return sv_fail(error, status, "%s: %s", name, why.text);
        status = picture_to_frame(maker, copy, name, out, error);
        av_frame_free(&copy);
        return status;
    }
    const sv_luma luma = card_luma(picture);
    status = maker->card.backend->grey_of_luma(maker->card.number, &luma, &frame->grey, &why);
    if (status == SV_OK) {
        *out = frame;
        return SV_OK;
    }
    frame_release(frame);
    return sv_fail(error, status, "%s: %s", name, why.text);
}

sv_status picture_to_frame(picture_maker *maker, const AVFrame *picture, const char *name, frame **out,
                           sv_error *error) {
    if (card_has(picture)) return fetch(maker, picture, name, out, error);
    bool borrow = luma_is_grey(picture->format, picture->color_range) && is_in_pool(maker, picture);
    frame *frame = frame_create(maker->pool, picture->width, picture->height, !borrow, maker->colour);
    bool converted = true;
    if (!frame)
        return sv_fail(error, SV_FAILED, "%s: out of memory for a picture of %dx%d", name, picture->width,
                       picture->height);
    if (borrow) {
        AVFrame *kept = sv_must(av_frame_clone(picture));
        frame->owner = kept;
        frame->release_owner = free_picture;
        frame->grey = (sv_image){kept->data[0], kept->linesize[0], kept->width, kept->height, SV_GREY8, SV_HOST};
    } else {
        converted = has_luma(picture->format) ? luma_to_grey(maker, picture, frame->grey)
                                              : scale(&maker->grey_scaler, picture, frame->grey);
    }
    if (converted && maker->colour) {
        if (has_luma(picture->format) && av_pix_fmt_desc_get(picture->format)->nb_components <= 2) {
            grey_to_colour(frame->grey, frame->colour);
        } else {
            converted = scale(&maker->colour_scaler, picture, frame->colour);
            make_opaque(frame->colour);
        }
    }
    if (!converted) {
        const char *format = av_get_pix_fmt_name(picture->format);
        frame_release(frame);
        return sv_fail(error, SV_FAILED, "%s: its pixel format %s cannot be converted to grey; convert the file", name,
                       format ? format : "?");
    }
    *out = frame;
    return SV_OK;
}
