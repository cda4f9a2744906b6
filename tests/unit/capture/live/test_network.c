/* The pictures of a live stream: what their times are. The test sends it itself, over TCP, when it likes. */
#include "capture/live/network.h"
#include "stereo/clock.h"
#include "tests/support/reading.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <arpa/inet.h>
#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WIDTH = 16, HEIGHT = 16, PICTURES = 40 };
static const double interval = 0.05; /* between the pictures' time stamps, seconds */

/* A sender of raw pictures. Their grey is their number, which is their time stamp, too. */
typedef struct sender {
    int listener;
    pthread_t thread;
    double delays[PICTURES]; /* picture i is sent this much later than i * interval after the first, seconds */
} sender;

static void sleep_until(double at) {
    for (double now = sv_seconds(); now < at; now = sv_seconds()) usleep((useconds_t)(1e6 * (at - now)) + 1);
}

static void *send_all(void *argument) {
    const sender *self = argument;
    static const char header[] = "YUV4MPEG2 W16 H16 F20:1 Ip A1:1 Cmono\n", frame[] = "FRAME\n";
    char picture[WIDTH * HEIGHT];
    const int connection = accept(self->listener, NULL, NULL);
    double start = 0;
    bool sent = send(connection, header, sizeof header - 1, MSG_NOSIGNAL) > 0;
    for (int i = 0; i < PICTURES && sent; i++) {
        if (i == 0) start = sv_seconds();
        memset(picture, i, sizeof picture);
        sleep_until(start + i * interval + self->delays[i]);
        sent = send(connection, frame, sizeof frame - 1, MSG_NOSIGNAL) > 0 &&
               send(connection, picture, sizeof picture, MSG_NOSIGNAL) > 0;
    }
    close(connection);
    return NULL;
}

static source *receive(sender *sender) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    char name[64];
    source *source;
    sv_error error;
    sender->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(sender->listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(sender->listener, 1), 0);
    assert_int_equal(getsockname(sender->listener, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(pthread_create(&sender->thread, NULL, send_all, sender), 0);
    snprintf(name, sizeof name, "tcp://127.0.0.1:%d", ntohs(address.sin_port));
    if (source_open_network(&source, name, 20, &(source_options){0}, &error) != SV_OK) fail_msg("%s", error.text);
    assert_true(source->info.rate == 1 / interval);
    return source;
}

/* The next picture, and how far its time is ahead of its time stamp. The first picture may be missing: it served to
 * find out what is sent. */
static frame *next_picture(source *source, int *number, double *lead) {
    frame *frame = read_frame(source);
    *number = grey_at(frame, 0, 0);
    *lead = frame->time - *number * interval;
    return frame;
}

static void finish(sender *sender, source *source) {
    source_close(source);
    pthread_join(sender->thread, NULL);
    close(sender->listener);
}

/* The delays of the network do not show in the times: these follow the time stamps. Only a picture that came sooner
 * than all before it brings them forward, and they may run late by a thousandth. Other work on the machine delays
 * pictures, too. */
TEST(times_are_smooth) {
    sender sender = {0};
    for (int i = 0; i < PICTURES; i++) sender.delays[i] = i % 5 == 2 ? 0.12 : 0;
    source *source = receive(&sender);
    double lead = INFINITY, read = INFINITY;
    for (int number = 0; number < PICTURES - 1;) {
        double next;
        frame *frame = next_picture(source, &number, &next);
        const bool jump = frame->decoded - number * interval - lead > 0.9; /* a second late it is one */
        assert_true(frame->time <= frame->decoded);
        if (!jump && next - lead > 1.01e-3 * (frame->decoded - read) + 1e-4)
            fail_msg("picture %d: %.3g s later than it should be", number, next - lead);
        lead = next;
        read = frame->decoded;
        frame_release(frame);
    }
    finish(&sender, source);
}

/* By how much the times of pictures that keep coming late are moved in each second; INFINITY if too few came late. */
static double fading(void) {
    sender sender = {0};
    enum { SOON = 10 };
    for (int i = SOON; i < PICTURES; i++) sender.delays[i] = 0.4;
    source *source = receive(&sender);
    double moved = 0, passed = 0, lead = 0, read = 0;
    for (int number = 0; number < PICTURES - 1;) {
        double next;
        frame *frame = next_picture(source, &number, &next);
        if (number > SOON) { /* the steps between pictures that were late */
            moved += next - lead;
            passed += frame->decoded - read;
        }
        lead = next;
        read = frame->decoded;
        frame_release(frame);
    }
    finish(&sender, source);
    return passed > 1 ? moved / passed : INFINITY;
}

/* The stream's clock may go slower than ours: pictures that keep coming late have their times moved after them, by a
 * millisecond each second. Other work on the machine may delay the first pictures, too, or one by a second. */
TEST(what_came_soonest_fades) {
    double rate = 0;
    for (int tries = 0; tries < 5; tries++) {
        rate = fading();
        if (rate > 0.8e-3 && rate < 1.2e-3) return;
    }
    fail_msg("moved by %.3g s in a second", rate);
}

FIXTURES(reading_setup, scratch_teardown)
