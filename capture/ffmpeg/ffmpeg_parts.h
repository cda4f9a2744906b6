/* What the files that read videos and pictures through FFmpeg share; no other file includes it. See source.h for what a
 * source promises, and ffmpeg_numbers.c for how its pictures get their numbers. */
#ifndef CAPTURE_FFMPEG_FFMPEG_PARTS_H
#define CAPTURE_FFMPEG_FFMPEG_PARTS_H

#include "capture/ffmpeg/container.h"
#include "capture/ffmpeg/damage.h"
#include "capture/ffmpeg/decoder.h"
#include "capture/ffmpeg/sequence.h"
#include "capture/ffmpeg/timeline.h"
#include "capture/source.h"

enum { FFMPEG_AHEAD = 8 }; /* pictures that may be decoded ahead, to see whether a time stamp is right */
_Static_assert(FFMPEG_AHEAD + 1 <= DECODER_HELD, "a decoder has room for the pictures that are in use");

/* A decoded picture. */
typedef struct decoded_picture {
    AVFrame *picture;
    int64_t losses; /* pictures that the source had lost when this one came out of the decoder */
} decoded_picture;

/* The pictures that are decoded already, in the order in which they are shown: ffmpeg_decode.c. */
typedef struct look_ahead {
    decoded_picture pictures[FFMPEG_AHEAD]; /* those after self->decoded */
    int count;
    sv_status status; /* what ended decoding ahead, with its error; SV_OK: nothing */
    sv_error error;
} look_ahead;

/* The container of a video: ffmpeg_demux.c. */
typedef struct demuxer {
    const char *protocols;      /* of an address; NULL: it is a file */
    double timeout;             /* seconds, of an address */
    double deadline;            /* of what FFmpeg is doing now, by sv_seconds */
    AVFormatContext *container; /* NULL for pictures */
    int stream;                 /* in the container */
} demuxer;

/* Which number each picture of a video has: ffmpeg_numbers.c. */
typedef struct numbering {
    timeline timeline;        /* in ticks */
    bool feeding;             /* packets that are read fill the timeline */
    int64_t packets_seen;     /* how many packets from the beginning of the file on are in the timeline */
    int64_t first_dts;        /* of the first packet; AV_NOPTS_VALUE if it has none */
    int64_t first_stamp;      /* of the first packet that is shown; AV_NOPTS_VALUE before */
    int64_t last_dts;         /* of the last packet in the timeline; AV_NOPTS_VALUE if it has none */
    AVFormatContext *scanned; /* the scanner's container; NULL before it is needed */
} numbering;

/* When the pictures of a video are shown: ffmpeg_times.c. */
typedef struct timing {
    double last;         /* of the previous picture, seconds; -INFINITY if there is none */
    double last_stamped; /* the time that its stamp gave it; NAN if it has none */
    double before_gap;   /* `last` at the last gap in the time stamps; INFINITY before */
    int since_gap;       /* pictures with times of their own since then */
    double shift;        /* added to time stamps that have begun again, seconds */
    bool reported_unfit;
} timing;

typedef struct file_source {
    source base;
    source_options options;
    demuxer demuxer;
    sequence pictures;    /* count is 0 for a video */
    int64_t next_picture; /* the next one to send to the decoder */

    AVCodecContext *codec;
    AVPacket *packet;
    AVFrame *decoded;
    look_ahead ahead;
    losses losses;
    int64_t read; /* pictures decoded since the file was opened or rewound */
    bool started; /* a picture from which decoding can begin has arrived */
    bool ended;

    AVRational tick; /* of the time stamps, seconds */
    int64_t origin;  /* the time stamp of time 0, ticks; AV_NOPTS_VALUE if the first picture has none */
    bool untimed;    /* there are no time stamps, or those of decoding: the file's nominal rate gives the times */
    numbering numbers;
    timing times;

    double time;        /* of self->decoded, seconds */
    int64_t index;      /* of self->decoded */
    bool damaged;       /* self->decoded is */
    bool mistimed;      /* and as in a frame */
    int64_t next_index; /* of the picture after it; -1 after a seek */
    int64_t made_to;    /* the number after that of the picture that became a frame last */
    picture_maker maker;
    frame *pending; /* decoded when the file was opened or by a seek, and not yet returned */
    bool reported_broken, reported_counting;
} file_source;

/* ---- ffmpeg_demux.c --------------------------------------------------------------------------- */

/* Opens the container `name`, whose protocols and time limit are those of the source.
 * Errors: SV_FAILED.
 * Lifetime: the caller closes it with avformat_close_input. */
sv_status ffmpeg_open_container(file_source *self, AVFormatContext **out, const char *name, sv_error *error);

/* Opens the source's file once more.
 * Errors: SV_FAILED, also if its video is another stream than before.
 * Lifetime: the caller closes it with avformat_close_input, also after an error. */
sv_status ffmpeg_open_again(file_source *self, AVFormatContext **out, sv_error *error);

/* Reads the file from its beginning again.
 * Errors: those of ffmpeg_open_again. */
sv_status ffmpeg_rewind(file_source *self, sv_error *error);

/* ---- ffmpeg_packets.c ------------------------------------------------------------------------- */

/* Reads the next packet of the video, or picture of the sequence, into self->packet. Broken places are skipped and
 * counted.
 * Errors: SV_END at the end or after an interruption; SV_FAILED if the file cannot be read. */
sv_status ffmpeg_read_packet(file_source *self, sv_error *error);

/* Counts a broken place in `name`, and warns of the first one. */
void ffmpeg_note_broken(file_source *self, const char *name, const char *reason);

/* ---- ffmpeg_decode.c -------------------------------------------------------------------------- */

/* Decodes the next picture into self->decoded. Broken pictures are skipped and counted.
 * Errors: SV_END at the end or after an interruption; SV_FAILED if the file cannot be read. */
sv_status ffmpeg_decode(file_source *self, sv_error *error);

/* Decodes picture n after self->decoded, n from 0, unless it was; NULL if there is none, or n is FFMPEG_AHEAD.
 * ffmpeg_decode returns what ended the decoding in its turn. */
const AVFrame *ffmpeg_look_ahead(file_source *self, int n);

/* Drops the pictures that were decoded ahead. */
void ffmpeg_forget_ahead(file_source *self);

/* ---- ffmpeg_numbers.c ------------------------------------------------------------------------- */

/* Puts the next packet of `container`, counted from the beginning of the file, into the timeline. */
void ffmpeg_note_packet(file_source *self, const AVFormatContext *container, const AVPacket *packet);

/* True if the timeline gives the numbers of pictures. */
bool ffmpeg_is_numbered(const file_source *self);

/* A picture's position in the timeline, not counting the pictures that would be shown before time 0. */
int64_t ffmpeg_number_of(const file_source *self, int64_t stamp);

/* Notes how many frames there are once all packets have been seen. */
void ffmpeg_note_count(file_source *self);

/* Fills the timeline until no further packet can be shown before `stamp`, in ticks, or before picture `number`.
 * Errors: SV_END after an interruption; SV_FAILED if the file cannot be read. */
sv_status ffmpeg_scan_to_stamp(file_source *self, int64_t stamp, sv_error *error);
sv_status ffmpeg_scan_to_number(file_source *self, int64_t number, sv_error *error);

/* ---- ffmpeg_times.c --------------------------------------------------------------------------- */

/* The time stamp of a picture, in ticks; AV_NOPTS_VALUE if it has none. */
int64_t ffmpeg_stamp_of(const AVFrame *picture);

/* Time stamps that are at most this much later than others, in seconds, stand still: muxers add a tick to equal ones.
 */
double ffmpeg_least_step(const file_source *self);

/* Determines self->time, which is always later than that of the picture before it: by time stamps where these fit their
 * neighbours, by counting between them. False if the time is doubtful. */
bool ffmpeg_determine_time(file_source *self);

/* The next picture does not follow the last one. */
void ffmpeg_restart_times(file_source *self);

/* ---- ffmpeg_frames.c -------------------------------------------------------------------------- */

/* The time stamp of time 0, given the first picture, self->decoded: that of the first packet, even if its picture is
 * broken, or of a picture that is shown before it, as in live streams that were cut. */
int64_t ffmpeg_find_origin(const file_source *self);

/* Determines the time and the number of self->decoded, and whether it is damaged or mistimed.
 * Errors: those of ffmpeg_scan_to_stamp. */
sv_status ffmpeg_stamp(file_source *self, sv_error *error);

/* ffmpeg_decode and ffmpeg_stamp. */
sv_status ffmpeg_decode_and_stamp(file_source *self, sv_error *error);

/* Makes a frame from self->decoded, which ffmpeg_stamp has stamped, and empties self->decoded. `start`: when decoding
 * it began, by sv_seconds.
 * Errors: SV_FAILED if the size of the pictures changes or memory runs out; the source is then at its end.
 * Lifetime: the caller releases the frame. */
sv_status ffmpeg_make_frame(file_source *self, double start, frame **out, sv_error *error);

/* ---- ffmpeg_seek.c ---------------------------------------------------------------------------- */

/* The operations of a source. */
sv_status ffmpeg_seek(source *base, double seconds, sv_error *error);
sv_status ffmpeg_seek_frame(source *base, int64_t index, double *seconds, sv_error *error);

#endif
