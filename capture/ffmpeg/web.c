/* A file on a web server: see web.h. FFmpeg's own "reconnect" has no limit: its pauses start over with every byte. */
#include "capture/ffmpeg/web.h"

#include "stereo/stereo.h"

#include <inttypes.h>
#include <libavutil/error.h>
#include <libavutil/mem.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BUFFER = 32768,
    ENOUGH = 65536, /* bytes: a connection that brought this many, or half of what was missing, was worthwhile */
    MOST = 6,       /* connections in a row that were not */
    FIRST_PAUSE = 62500000, /* nanoseconds, after the first of them: 4 seconds for all */
};

typedef struct web_file {
    AVIOContext *connection; /* NULL after one that broke off */
    char *address, *protocols;
    AVIOInterruptCB interrupt;
    int64_t position; /* of the next byte to be read */
    int64_t size;     /* of the file as announced; negative: unknown */
    int64_t begin;    /* where reading began: at the start of a connection, or after a seek */
    int64_t brought;  /* bytes read since a connection broke off */
    int useless;      /* connections that brought too little, since the last that brought enough */
    bool parts;       /* the server sends parts of the file */
} web_file;

/* Opens the connection at self->position. */
static int connect_there(web_file *self) {
    AVDictionary *options = NULL;
    int result = av_dict_set(&options, "protocol_whitelist", self->protocols, 0);
    if (result >= 0 && self->position > 0) result = av_dict_set_int(&options, "offset", self->position, 0);
    if (result >= 0) result = avio_open2(&self->connection, self->address, AVIO_FLAG_READ, &self->interrupt, &options);
    av_dict_free(&options);
    self->begin = self->position;
    self->brought = 0;
    return result;
}

/* Waits before the next connection. */
static int pause_before_next(const web_file *self) {
    const struct timespec nap = {.tv_nsec = FIRST_PAUSE / 4}; /* the delay at which an interruption is noticed */
    for (int naps = 4 << (self->useless - 1); naps > 0; naps--) {
        if (self->interrupt.callback && self->interrupt.callback(self->interrupt.opaque)) return AVERROR_EXIT;
        nanosleep(&nap, NULL);
    }
    return 0;
}

/* Connects again after a connection broke off. */
static int take_up(web_file *self) {
    const bool enough = self->brought >= ENOUGH || 2 * self->brought >= self->size - self->begin;
    avio_closep(&self->connection);
    if (enough)
        self->useless = 0;
    else if (self->useless == MOST)
        return AVERROR(EIO);
    else
        self->useless++;
    sv_log(SV_LOG_DEBUG, "%s: the connection broke at byte %" PRId64 " and is reopened", self->address, self->position);
    const int result = self->useless > 0 ? pause_before_next(self) : 0;
    return result < 0 ? result : connect_there(self);
}

static int web_read(void *opaque, uint8_t *out, int size) {
    web_file *self = opaque;
    for (;;) {
        int result = self->connection ? avio_read_partial(self->connection, out, size) : AVERROR(EIO);
        if (result > 0) {
            self->position += result;
            self->brought += result;
            return result;
        }
        if (self->size >= 0 && self->position >= self->size) return AVERROR_EOF;
        if (result == 0) result = AVERROR_EOF;
        if (!self->parts || result == AVERROR_EXIT || result == AVERROR(ENOMEM)) return result;
        do {
            result = take_up(self);
            if (result == AVERROR_EXIT || result == AVERROR(ENOMEM)) return result;
        } while (result < 0 && self->useless < MOST);
        if (result < 0) return AVERROR(EIO);
    }
}

static int64_t web_seek(void *opaque, int64_t offset, int whence) {
    web_file *self = opaque;
    if (whence == AVSEEK_SIZE) return self->size >= 0 ? self->size : AVERROR(ENOSYS);
    if (self->connection) {
        const int64_t there = avio_seek(self->connection, offset, whence);
        return there < 0 ? there : (self->position = self->begin = there);
    }
    /* Reading has failed at one position; at another it may not. */
    if (whence != SEEK_SET) return AVERROR(EIO);
    self->position = offset;
    const int result = connect_there(self);
    return result < 0 ? result : offset;
}

static void destroy(web_file *self) {
    if (!self) return;
    avio_closep(&self->connection);
    free(self->address);
    free(self->protocols);
    free(self);
}

int web_open(AVIOContext **out, const char *address, const char *protocols, AVIOInterruptCB interrupt) {
    web_file *self = calloc(1, sizeof *self);
    uint8_t *buffer = av_malloc(BUFFER);
    AVIOContext *io = NULL;
    int result = AVERROR(ENOMEM);
    if (self) {
        *self = (web_file){.address = strdup(address), .protocols = strdup(protocols), .interrupt = interrupt};
        if (buffer && self->address && self->protocols) result = connect_there(self);
    }
    if (result >= 0) {
        self->size = avio_size(self->connection);
        self->parts = self->size >= 0 && self->connection->seekable & AVIO_SEEKABLE_NORMAL;
        io = avio_alloc_context(buffer, BUFFER, 0, self, web_read, NULL, web_seek);
        if (!io) result = AVERROR(ENOMEM);
    }
    if (result < 0) {
        av_free(buffer);
        destroy(self);
        return result;
    }
    io->seekable = self->connection->seekable;
    *out = io;
    return 0;
}

void web_close(AVIOContext **io) {
    if (!*io) return;
    destroy((*io)->opaque);
    av_freep(&(*io)->buffer);
    avio_context_free(io);
}
