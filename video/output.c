/* FFmpeg's output into a stream of the C library. */
#include "video/output.h"

#include "stereo/alloc.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { BUFFER_SIZE = 1 << 16 };

#if LIBAVFORMAT_VERSION_MAJOR < 61
#define OUTPUT_CONST
#else
#define OUTPUT_CONST const
#endif

static int write_bytes(void *of, OUTPUT_CONST uint8_t *bytes, int size) {
    FILE *stream = of;
    if (fwrite(bytes, 1, (size_t)size, stream) == (size_t)size) return size;
    return AVERROR(errno ? errno : EIO);
}

static int64_t seek(void *of, int64_t offset, int whence) {
    FILE *stream = of;
    struct stat status;
    if (whence == AVSEEK_SIZE)
        return fflush(stream) || fstat(fileno(stream), &status) ? AVERROR(errno) : status.st_size;
    if (fseeko(stream, offset, whence & ~AVSEEK_FORCE)) return AVERROR(errno);
    return ftello(stream);
}

sv_status output_open(AVFormatContext **out, FILE *stream, const char *format, const char *name, sv_error *error) {
    struct stat status;
    *out = NULL;
    if (avformat_alloc_output_context2(out, NULL, format, NULL) < 0 || !*out)
        return sv_fail(error, SV_FAILED, "cannot write %s: this FFmpeg has no muxer for %s", name, format);
    uint8_t *buffer = sv_must(av_malloc(BUFFER_SIZE));
    const bool seeks = !fstat(fileno(stream), &status) && S_ISREG(status.st_mode);
    (*out)->pb = sv_must(avio_alloc_context(buffer, BUFFER_SIZE, 1, stream, NULL, write_bytes, seeks ? seek : NULL));
    (*out)->pb->seekable = seeks ? AVIO_SEEKABLE_NORMAL : 0;
    return SV_OK;
}

sv_status output_failed(const AVFormatContext *muxer, const char *name, int result, sv_error *error) {
    char text[AV_ERROR_MAX_STRING_SIZE];
    if (muxer && muxer->pb && muxer->pb->error < 0) result = muxer->pb->error;
    const char *advice = result == AVERROR(ENOSPC) ? "; free some space or use another disk" : "";
    av_strerror(result, text, sizeof text);
    return sv_fail(error, SV_FAILED, "cannot write %s: %s%s", name, text, advice);
}

void output_close(AVFormatContext **muxer) {
    if (!*muxer) return;
    if ((*muxer)->pb) {
        av_freep(&(*muxer)->pb->buffer);
        avio_context_free(&(*muxer)->pb);
    }
    avformat_free_context(*muxer);
    *muxer = NULL;
}
