/* Files opened with FFmpeg's demuxers: see container.h. */
#include "capture/ffmpeg/container.h"

#include <errno.h>
#include <libavcodec/version.h>
#include <libavutil/avstring.h>
#include <libavutil/display.h>
#include <libavutil/stereo3d.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void log_from_ffmpeg(void *context, int level, const char *format, va_list arguments) {
    (void)context;
    if (level > AV_LOG_WARNING) return;
    char line[512];
    vsnprintf(line, sizeof line, format, arguments);
    line[strcspn(line, "\n")] = '\0';
    /* FFmpeg ends the program after AV_LOG_PANIC. */
    sv_log(level == AV_LOG_PANIC ? SV_LOG_ERROR : SV_LOG_DEBUG, "ffmpeg: %s", line);
}

static void set_callback(void) { av_log_set_callback(log_from_ffmpeg); }

void container_take_over_log(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_callback);
}

const char *container_reason_in(int result, char text[AV_ERROR_MAX_STRING_SIZE]) {
    if (result == AVERROR_EXIT) return "no answer in time; check that it is running, or wait longer with --timeout";
    if (result == AVERROR(EIO)) return "reading failed, or the connection broke";
    if (result == AVERROR(EPERM)) return "FFmpeg gives no reason"; /* the -1 of its older demuxers, too */
    return av_make_error_string(text, AV_ERROR_MAX_STRING_SIZE, result);
}

/* Refuses folders, pipes and missing files with a clear message, before FFmpeg fails on them in its own way. */
static sv_status check_file(const char *name, sv_error *error) {
    struct stat status;
    if (stat(name, &status) != 0) {
        if (strstr(name, "://"))
            return sv_fail(error, SV_FAILED, "%s: there is no such file, and URLs of this kind are not supported",
                           name);
        return sv_fail(error, SV_FAILED, "%s: cannot be opened: %s; check %s", name, strerror(errno),
                       errno == EACCES ? "the permissions of its folder" : "the name");
    }
    if (S_ISDIR(status.st_mode))
        return sv_fail(error, SV_FAILED, "%s: is a folder, not a file; name a file in it", name);
    if (!S_ISREG(status.st_mode))
        return sv_fail(error, SV_FAILED, "%s: is a device or a pipe, not a file; write it to a file first", name);
    if (status.st_size == 0) return sv_fail(error, SV_FAILED, "%s: the file is empty; copy or record it again", name);
    return SV_OK;
}

enum { START_BYTES = 7 };

/* The format of a file with this beginning if it is Netpbm or HLS, otherwise NULL. FFmpeg's own probe requires a
 * newline where Netpbm allows any white space, and, from 6.1 on, the ending of HLS. */
static const AVInputFormat *find_by_start(const uint8_t start[START_BYTES]) {
    static const char *const formats[] = {"pbm_pipe", "pgm_pipe", "ppm_pipe", "pbm_pipe",
                                          "pgm_pipe", "ppm_pipe", "pam_pipe"}; /* P1 to P7 */
    if (memcmp(start, "#EXTM3U", START_BYTES) == 0) return av_find_input_format("hls");
    if (start[0] != 'P' || start[1] < '1' || start[1] > '7' || !av_isspace(start[2])) return NULL;
    return av_find_input_format(formats[start[1] - '1']);
}

/* True if files of this format refer to other files or addresses, which are opened along with them. */
static bool is_playlist(const AVInputFormat *format) {
    return av_match_name(format->name,
                         "hls,dash,concat,imf,sdp,rtsp,webm_dash_manifest,avisynth,vapoursynth,vobsub,mlv") != 0;
}

/* A JPEG picture is also the beginning of a video of such pictures; only the name distinguishes them. */
static const AVInputFormat *find_by_name(const AVInputFormat *found, const char *name) {
    const bool video = strcmp(found->name, "jpeg_pipe") == 0 && av_match_ext(name, "mjpeg,mjpg");
    return video ? av_find_input_format("mjpeg") : found;
}

/* Detects the format by the content, except for the above: by name, text would become a video of text. */
static int probe(const char *url, const AVIOInterruptCB *interrupt, const AVInputFormat **format) {
    AVIOContext *io = NULL;
    int result = avio_open2(&io, url, AVIO_FLAG_READ, interrupt, NULL);
    if (result < 0) return result;
    uint8_t start[START_BYTES];
    const bool found = avio_read(io, start, START_BYTES) == START_BYTES && (*format = find_by_start(start));
    if (!found) {
        avio_seek(io, 0, SEEK_SET);
        result = av_probe_input_buffer2(io, format, "", NULL, 0, 0);
        if (result >= 0) *format = find_by_name(*format, url);
    }
    avio_closep(&io);
    return result;
}

/* True if the index of a file was read at its end, from a server where nothing can be read twice. */
static bool is_past_its_pictures(const AVFormatContext *container) {
    AVIOContext *io = container->pb;
    return strncmp(container->iformat->name, "mov", 3) == 0 && !(io->seekable & AVIO_SEEKABLE_NORMAL) &&
           avio_size(io) > 0 && avio_tell(io) >= avio_size(io);
}

sv_status container_open(AVFormatContext **out, const char *name, const char *protocols, AVIOInterruptCB interrupt,
                         sv_error *error) {
    container_take_over_log();
    sv_status status = protocols ? SV_OK : check_file(name, error);
    if (status != SV_OK) return status;

    const AVInputFormat *format = NULL;
    AVDictionary *options = NULL;
    AVFormatContext *container = avformat_alloc_context();
    char *url = av_asprintf("%s%s", protocols ? "" : "file:", name); /* safe for names with colons */
    int result = url && container ? av_dict_set(&options, "protocol_whitelist", protocols ? protocols : "file", 0)
                                  : AVERROR(ENOMEM);
    /* A connection that breaks off is opened again where it broke off, after pauses of up to a second. */
    if (result >= 0 && protocols) result = av_dict_set(&options, "reconnect", "1", 0);
    if (result >= 0 && protocols) result = av_dict_set(&options, "reconnect_delay_max", "2", 0);
    if (result >= 0 && !protocols) result = probe(url, &interrupt, &format);
    if (result >= 0 && format && is_playlist(format)) {
        status = sv_fail(error, SV_FAILED,
                         "%s: is a playlist (%s), which names other files; name the video itself, or make one file of "
                         "it: ffmpeg -i LIST -c copy NEW.mkv",
                         name, format->name);
        result = AVERROR(EPERM);
    }
    if (result >= 0) {
        container->interrupt_callback = interrupt;
        result = avformat_open_input(&container, url, format, &options);
    }
    av_free(url);
    av_dict_free(&options);
    if (result >= 0 && protocols && is_past_its_pictures(container)) {
        avformat_close_input(&container);
        return sv_fail(
            error, SV_FAILED,
            "%s: the index of this file is at its end, and the server does not send parts of files; download "
            "it, or move its index: ffmpeg -i FILE -c copy -movflags +faststart NEW",
            name);
    }
    if (result >= 0) {
        *out = container;
        return SV_OK;
    }
    avformat_free_context(container);
    if (status != SV_OK) return status;
    if (!format && result == AVERROR_INVALIDDATA)
        return sv_fail(error, SV_FAILED, "%s: is not a video or picture; FFmpeg does not know its format", name);
    if (protocols) return sv_fail(error, SV_FAILED, "%s: cannot be read: %s", name, container_reason(result));
    if (!format && (result == AVERROR(EACCES) || result == AVERROR(EPERM))) /* probe has not even opened it */
        return sv_fail(error, SV_FAILED, "%s: cannot be read: %s; change its permissions", name, av_err2str(result));
    if (result == AVERROR(EMFILE) || result == AVERROR(ENFILE))
        return sv_fail(error, SV_FAILED, "%s: cannot be read: %s; ulimit -n raises the limit", name,
                       av_err2str(result));
    return sv_fail(error, SV_FAILED,
                   "%s: cannot be read%s%s: %s; it may be damaged or cut short: copy or record it again", name,
                   format ? " as " : "", format ? format->name : "", container_reason(result));
}

bool container_is_picture(const AVFormatContext *container) {
    const char *name = container->iformat->name;
    size_t length = strlen(name);
    return strcmp(name, "image2") == 0 || (length > 5 && strcmp(name + length - 5, "_pipe") == 0);
}

static bool is_track(const AVStream *stream) {
    return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC);
}

int container_count_tracks(const AVFormatContext *container) {
    int count = 0;
    for (unsigned i = 0; i < container->nb_streams; i++) count += is_track(container->streams[i]);
    return count;
}

/* The stream of a track, -1 if there is none. */
static int find_track(const AVFormatContext *container, int track) {
    for (unsigned i = 0; i < container->nb_streams; i++)
        if (is_track(container->streams[i]) && !--track) return (int)i;
    return -1;
}

sv_status container_find_video(AVFormatContext *container, const char *name, int track, int *stream, sv_error *error) {
    int result = avformat_find_stream_info(container, NULL);
    if (result < 0)
        return sv_fail(error, SV_FAILED, "%s: its streams cannot be read: %s", name, container_reason(result));
    const bool pair = track && container_count_tracks(container) == 2;
    *stream = pair ? find_track(container, track) : av_find_best_stream(container, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (*stream < 0 || container->streams[*stream]->disposition & AV_DISPOSITION_ATTACHED_PIC)
        return sv_fail(error, SV_FAILED, "%s: there is no video in this file (%s)", name, container->iformat->name);
    for (unsigned i = 0; i < container->nb_streams; i++)
        container->streams[i]->discard = (int)i == *stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    /* AVI stores decoding times, and MPEG program streams omit time stamps. These codecs show a reference picture when
     * the next one is decoded, so FFmpeg can fill them in. */
    const enum AVCodecID codec = container->streams[*stream]->codecpar->codec_id;
    if (codec == AV_CODEC_ID_MPEG1VIDEO || codec == AV_CODEC_ID_MPEG2VIDEO || codec == AV_CODEC_ID_MPEG4)
        container->flags |= AVFMT_FLAG_GENPTS;
    return SV_OK;
}

int container_read(AVFormatContext *container, int stream, AVPacket *packet) {
    int result;
    do {
        av_packet_unref(packet);
        result = av_read_frame(container, packet);
    } while (result >= 0 && (packet->stream_index != stream || packet->size == 0));
    return result;
}

bool container_may_halve_pictures(const AVFormatContext *container, const AVStream *stream) {
    const AVCodecParameters *codec = stream->codecpar;
    const char *name = container->iformat->name;
    return codec->codec_id == AV_CODEC_ID_H264 && codec->field_order > AV_FIELD_PROGRESSIVE &&
           strncmp(name, "mov", 3) != 0 && strncmp(name, "matroska", 8) != 0;
}

/* The index lacks the pictures before the first key frame that is needed, and marks others that are not shown. */
int64_t container_count_left_out(const AVFormatContext *container, AVStream *stream) {
    int64_t shown = 0;
    if (strncmp(container->iformat->name, "mov", 3) != 0) return 0;
    for (int i = 0; i < avformat_index_get_entries_count(stream); i++)
        shown += !(avformat_index_get_entry(stream, i)->flags & AVINDEX_DISCARD_FRAME);
    return shown > 0 && stream->nb_frames > shown ? stream->nb_frames - shown : 0;
}

/* The stream's side data of a kind, of at least `least` bytes; NULL: there are none. */
static const void *side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t least) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
    const AVPacketSideData *data =
        av_packet_side_data_get(stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    return data && data->size >= least ? data->data : NULL;
#else
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, type, &size);
    return size >= least ? data : NULL;
#endif
}

source_views container_views(const AVStream *stream, bool *right_first) {
    const AVStereo3D *stereo = side_data(stream, AV_PKT_DATA_STEREO3D, sizeof *stereo);
    *right_first = stereo && stereo->flags & AV_STEREO3D_FLAG_INVERT;
    if (!stereo) return SOURCE_VIEWS_UNKNOWN;
    return stereo->type == AV_STEREO3D_SIDEBYSIDE  ? SOURCE_VIEWS_BESIDE
           : stereo->type == AV_STEREO3D_TOPBOTTOM ? SOURCE_VIEWS_ABOVE
                                                   : SOURCE_VIEWS_UNKNOWN;
}

void container_warn_of_rotation(const AVStream *stream, const char *name) {
    const int32_t *matrix = side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof *matrix);
    double angle = matrix ? av_display_rotation_get(matrix) : 0;
    if (isfinite(angle) && fabs(angle) >= 1)
        sv_log(SV_LOG_WARNING, "%s: asks for a rotation by %.0f degrees, which is ignored", name, angle);
}
