/* Which pictures are doubtful when packets are marked as damaged: those of these packets and of the ones that follow
 * them, and all that are decoded later, up to the next key picture. */
#include "capture/ffmpeg/container.h"
#include "capture/ffmpeg/damage.h"
#include "capture/ffmpeg/decoder.h"
#include "tests/support/clip.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <string.h>

enum { FRAMES = 24, GROUP = 8 };

/* A stream as it was judged; packets in decoding order. */
typedef struct judged {
    int64_t shown[FRAMES]; /* the time stamp of each packet's picture */
    bool key[FRAMES];      /* its picture is one */
    bool doubtful[FRAMES]; /* its picture was called that */
    int packets, pictures; /* how many */
} judged;

/* Pictures that are so much alike that the encoder makes none of them a key picture by itself. */
static void paint_little(AVFrame *picture, int index) { picture->data[0][index] = 200; }

static const char *write_clip(const char *codec, int between) {
    const char *path = scratch_path("clip.mkv");
    clip_write(path,
               &(clip){.codec = codec,
                       .format = strcmp(codec, "mjpeg") ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUVJ420P,
                       .range = strcmp(codec, "mjpeg") ? AVCOL_RANGE_MPEG : AVCOL_RANGE_JPEG,
                       .width = 64,
                       .height = 48,
                       .rate = 25,
                       .frames = FRAMES,
                       .group = GROUP,
                       .between = between},
               paint_little);
    return path;
}

static void take_pictures(judged *j, damage *damage, AVCodecContext *codec, AVFrame *picture) {
    while (avcodec_receive_frame(codec, picture) >= 0) {
        int i = 0;
        while (i < j->packets && j->shown[i] != picture->pts) i++;
        assert_true(i < j->packets);
        j->key[i] = decoder_is_key(codec, picture);
        j->doubtful[i] = damage_of_picture(damage, codec, picture);
        j->pictures++;
        av_frame_unref(picture);
    }
}

/* Decodes the file with packet `marked` marked as damaged. Before packet `restart`, unless that is 0, the source has
 * jumped. */
static judged judge(const char *path, int marked, int restart) {
    judged j = {.packets = 0};
    damage damage = {.places = 0};
    picture_maker maker;
    AVFormatContext *container;
    AVCodecContext *codec;
    AVPacket *packet = av_packet_alloc();
    AVFrame *picture = av_frame_alloc();
    int stream;
    sv_error error;
    assert_int_equal(container_open(&container, path, NULL, (AVIOInterruptCB){0}, &error), SV_OK);
    assert_int_equal(container_find_video(container, path, 0, &stream, &error), SV_OK);
    picture_maker_create(&maker, (pool_memory){0}, false);
    assert_int_equal(decoder_open(&codec, container->streams[stream]->codecpar, container->streams[stream]->time_base,
                                  &maker, true, path, &error),
                     SV_OK);
    for (; j.packets < FRAMES && av_read_frame(container, packet) >= 0; av_packet_unref(packet)) {
        if (restart && j.packets == restart) damage_restart(&damage);
        if (j.packets == marked) packet->flags |= AV_PKT_FLAG_CORRUPT;
        j.shown[j.packets++] = packet->pts;
        damage_of_packet(&damage, codec, packet);
        packet->flags &= ~AV_PKT_FLAG_CORRUPT; /* of which some decoders take notice, too */
        assert_int_equal(avcodec_send_packet(codec, packet), 0);
        take_pictures(&j, &damage, codec, picture);
    }
    assert_int_equal(avcodec_send_packet(codec, NULL), 0);
    take_pictures(&j, &damage, codec, picture);
    assert_int_equal(j.packets, FRAMES);
    assert_int_equal(j.pictures, FRAMES);
    avcodec_free_context(&codec);
    avformat_close_input(&container);
    picture_maker_destroy(&maker);
    av_packet_free(&packet);
    av_frame_free(&picture);
    return j;
}

/* `marked` and the packet after it are damaged: parsers mark a picture when they find its end in what comes next. */
static void check(const char *path, const char *codec, int marked) {
    const judged j = judge(path, marked, 0);
    const bool alone = !strcmp(codec, "mjpeg"); /* each picture is a key picture */
    int64_t clean = INT64_MAX;                  /* when the key picture is shown from which on all is well */
    for (int i = FRAMES - 1; i > marked + 1; i--)
        if (j.key[i]) clean = j.shown[i];
    for (int i = 0; i < FRAMES; i++) {
        const bool damaged = alone ? i == marked || i == marked + 1 : i >= marked && j.shown[i] < clean;
        if (j.doubtful[i] != damaged)
            fail_msg("%s, packet %d marked: the picture of packet %d is %s", codec, marked, i,
                     j.doubtful[i] ? "doubtful" : "not doubtful");
    }
}

TEST(damage_lasts_to_the_next_key_picture) {
    static const struct {
        const char *codec;
        int between;
    } cases[] = {{"mpeg4", 0}, {"mpeg4", 2}, {"mjpeg", 0}};
    for (int c = 0; c < 3; c++) {
        const char *path = write_clip(cases[c].codec, cases[c].between);
        const judged whole = judge(path, -1, 0);
        int keys = 0;
        for (int i = 0; i < FRAMES; i++) {
            assert_false(whole.doubtful[i]);
            keys += whole.key[i];
        }
        if (strcmp(cases[c].codec, "mjpeg"))
            assert_in_range(keys, FRAMES / GROUP, FRAMES / 2);
        else
            assert_int_equal(keys, FRAMES);
        for (int marked = 0; marked < FRAMES; marked++) check(path, cases[c].codec, marked);
    }
}

TEST(what_comes_after_a_jump_is_not_damaged) {
    const judged j = judge(write_clip("mpeg4", 0), GROUP + 1, GROUP + 2);
    for (int i = 0; i < FRAMES; i++) assert_int_equal(j.doubtful[i], i == GROUP + 1);
}

FIXTURES(scratch_setup, scratch_teardown)
