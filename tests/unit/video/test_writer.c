/* Videos of 16-bit grey: what is read back is what was written, at the times that were given. e2e_export.sh tests the
 * videos that the program makes. */
#include "capture/ffmpeg/container.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"
#include "video/writer.h"

#include <libavcodec/avcodec.h>
#include <stdlib.h>

enum { WIDTH = 7, HEIGHT = 5, PADDING = 3, PICTURES = 4 };

/* Differs from those around it, in the low byte, too. */
static uint16_t value_at(int x, int y, int picture) { return (uint16_t)(9973 * x + 4337 * y + 257 * picture); }

static void write_pictures(const char *path, const double times[PICTURES]) {
    uint16_t pixels[HEIGHT][WIDTH + PADDING];
    const sv_image picture = {pixels, sizeof *pixels, WIDTH, HEIGHT, SV_GREY8, SV_HOST};
    FILE *file = fopen(path, "wb");
    video_writer *writer;
    sv_error error;
    assert_non_null(file);
    assert_int_equal(video_open(&writer, file, path, VIDEO_GREY16, WIDTH, HEIGHT, 25, &error), SV_OK);
    for (int i = 0; i < PICTURES; i++) {
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH + PADDING; x++) pixels[y][x] = x < WIDTH ? value_at(x, y, i) : 0xdead;
        assert_int_equal(video_write(writer, &picture, times[i], &error), SV_OK);
    }
    assert_int_equal(video_finish(writer, &error), SV_OK);
    video_close(writer);
    assert_int_equal(fclose(file), 0);
}

/* Checks the pictures of the file, and that they are shown at `stamps`, milliseconds. */
static void check_pictures(const char *path, const int stamps[PICTURES]) {
    AVFormatContext *container;
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    sv_error error;
    int seen = 0;
    assert_int_equal(container_open(&container, path, NULL, (AVIOInterruptCB){0}, &error), SV_OK);
    AVCodecContext *codec = avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_FFV1));
    assert_true(avcodec_parameters_to_context(codec, container->streams[0]->codecpar) >= 0);
    codec->thread_count = 1; /* so that each picture comes at once */
    assert_int_equal(avcodec_open2(codec, NULL, NULL), 0);
    for (; av_read_frame(container, packet) >= 0; av_packet_unref(packet), seen++) {
        assert_true(seen < PICTURES);
        assert_int_equal(packet->pts, stamps[seen]);
        assert_int_equal(avcodec_send_packet(codec, packet), 0);
        assert_int_equal(avcodec_receive_frame(codec, frame), 0);
        assert_int_equal(frame->format, AV_PIX_FMT_GRAY16);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                assert_int_equal(((uint16_t *)(void *)(frame->data[0] + y * frame->linesize[0]))[x],
                                 value_at(x, y, seen));
    }
    assert_int_equal(seen, PICTURES);
    avcodec_free_context(&codec);
    avformat_close_input(&container);
    av_packet_free(&packet);
    av_frame_free(&frame);
}

TEST(values_and_times_come_back) {
    const char *path = scratch_path("times.mkv");
    write_pictures(path, (double[]){0.08, 0.12, 0.1604, 0.1996});
    check_pictures(path, (int[]){80, 120, 160, 200});
}

/* Matroska counts milliseconds, and no two pictures may have one time. */
TEST(pictures_closer_than_a_tick_follow_each_other) {
    const char *path = scratch_path("close.mkv");
    write_pictures(path, (double[]){0.08, 0.0802, 0.0804, 0.12});
    check_pictures(path, (int[]){80, 81, 82, 120});
}

FIXTURES(scratch_setup, scratch_teardown)
