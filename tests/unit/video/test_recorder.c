/* The recorder's own guarantees; e2e_record.sh tests recordings that the program makes. */
#include "video/recorder.h"

#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include <math.h>
#include <string.h>
#include <unistd.h>

static void release_nothing(void *opaque, uint8_t *data) {
    (void)opaque;
    (void)data;
}

static uint8_t memory[256], sent[sizeof memory - AV_INPUT_BUFFER_PADDING_SIZE];

/* Records `count` packets, each of them `sent`, of a source with 10 pictures a second, whose memory goes before the
 * file is written. `leads`: of each; their time stamps are 100 ms apart; the first 12 are written before the next
 * comes. NULL: all have the same time. */
static double record_with(const char *path, int count, const double *leads) {
    for (size_t i = 0; i < sizeof sent; i++) sent[i] = memory[i] = (uint8_t)(7 * i + 1);
    FILE *file = fopen(path, "wb");
    recorder *r;
    sv_error error = {""};
    assert_non_null(file);
    assert_int_equal(recorder_open(&r, file, path, &error), SV_OK);

    AVFormatContext *container = avformat_alloc_context();
    AVStream *stream = container ? avformat_new_stream(container, NULL) : NULL;
    AVPacket *packet = av_packet_alloc();
    assert_true(stream && packet);
    stream->codecpar->codec_type = AVMEDIA_TYPE_VIDEO;
    stream->codecpar->codec_id = AV_CODEC_ID_MJPEG;
    stream->codecpar->width = stream->codecpar->height = 16;
    stream->time_base = (AVRational){1, 1000};
    stream->avg_frame_rate = (AVRational){10, 1};
    packet->buf = av_buffer_create(memory, sizeof memory, release_nothing, NULL, 0);
    assert_non_null(packet->buf);
    packet->data = memory;
    packet->size = (int)sizeof sent;
    packet->flags = AV_PKT_FLAG_KEY;
    if (leads) recorder_release(r, 1, 0);
    for (int i = 0; i < count; i++) {
        while (i == 12 && recorder_count(r).written[0] < i) usleep(1000);
        packet->pts = packet->dts = leads ? 100 * i : 0;
        recorder_add(r, 0, stream, packet, leads ? leads[i] : 0);
    }
    av_packet_free(&packet);
    avformat_free_context(container);
    memset(memory, 0, sizeof memory); /* as where the driver's memory is used for something else */

    bool begun;
    recorder_counts counts;
    recorder_release(r, 1, 0);
    assert_int_equal(recorder_close(r, &begun, &counts, &error), SV_OK);
    assert_true(begun);
    assert_int_equal(counts.written[0], count);
    assert_int_equal(fclose(file), 0);
    return counts.seconds;
}

static void record(const char *path, int count) { record_with(path, count, NULL); }

/* A camera's packet is in memory that is freed when the camera is closed, even if references remain. */
TEST(packets_outlive_the_memory_of_the_source) {
    const char *path = scratch_path("copied.mkv");
    size_t size;
    record(path, 1);
    const char *written = scratch_read(path, &size);
    assert_non_null(memmem(written, size, sent, sizeof sent));
}

/* The time stamps do not show the rate: there is only one. */
TEST(rate_is_that_of_the_source) {
    AVFormatContext *container = NULL;
    const char *path = scratch_path("rate.mkv");
    record(path, 1);
    assert_int_equal(avformat_open_input(&container, path, NULL, NULL), 0);
    assert_int_equal(container->nb_streams, 1);
    assert_true(av_q2d(container->streams[0]->avg_frame_rate) == 10);
    avformat_close_input(&container);
}

/* As where a camera's clock stands still. */
TEST(pictures_of_one_time_follow_each_other) {
    AVFormatContext *container = NULL;
    AVPacket *packet = av_packet_alloc();
    const char *path = scratch_path("times.mkv");
    int64_t last = -1;
    int read = 0;
    record(path, 3);
    assert_int_equal(avformat_open_input(&container, path, NULL, NULL), 0);
    for (; av_read_frame(container, packet) == 0; read++) {
        assert_true(packet->pts > last);
        last = packet->pts;
        av_packet_unref(packet);
    }
    assert_int_equal(read, 3);
    av_packet_free(&packet);
    avformat_close_input(&container);
}

/* A stream whose first packets waited until it was open. What is found later of its delay is followed by a tenth of the
 * time that passes; at the end it jumps. */
TEST(pictures_keep_the_rhythm_of_their_stream) {
    static const double leads[] = {5.5, 5.4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 4.5, 4.5, 9};
    AVFormatContext *container = NULL;
    AVPacket *packet = av_packet_alloc();
    const char *path = scratch_path("rhythm.mkv");
    int read = 0;
    record_with(path, 15, leads);
    assert_int_equal(avformat_open_input(&container, path, NULL, NULL), 0);
    for (; av_read_frame(container, packet) == 0; read++) {
        assert_int_equal(packet->pts, read == 14 ? 5400 : 100 * read - (read > 11 ? 10 * (read - 11) : 0));
        av_packet_unref(packet);
    }
    assert_int_equal(read, 15);
    av_packet_free(&packet);
    avformat_close_input(&container);
}

TEST(length_is_that_of_corrected_times) {
    static const double leads[] = {5.5, 5.4, 5};
    assert_true(fabs(record_with(scratch_path("short.mkv"), 3, leads) - 0.2) < 1e-6);
}

FIXTURES(scratch_setup, scratch_teardown)
