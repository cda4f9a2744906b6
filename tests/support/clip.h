/* Small videos and pictures for tests, written with FFmpeg's built-in encoders, which every build has. */
#ifndef TESTS_SUPPORT_CLIP_H
#define TESTS_SUPPORT_CLIP_H

#include <libavutil/frame.h>
#include <stdbool.h>

typedef struct clip {
    const char *codec; /* FFmpeg's encoder: "ffv1" and "rawvideo" lose nothing */
    enum AVPixelFormat format;
    enum AVColorRange range;
    int width, height;       /* pixels */
    int rate, frames;        /* frames a second; how many */
    int missing;             /* the number of a frame that is left out, though its time passes; 0: none */
    int more_missing;        /* how many after it are left out, too */
    enum AVColorSpace space; /* AVCOL_SPC_RGB, which is 0: none is named */
    int between;             /* B-frames between two others, "mpeg4" */
    int late;                /* frame times that pass before the first frame */
    int group;               /* frames from one key frame to the next; 0: 10 */
    int quality;             /* FFmpeg's quantiser scale; x264 and x265: the CRF; 0: 2 */
    const char *muxing;      /* options of the muxer, "name=value:name=value"; NULL: none */
    int stall_at, stall;     /* packet `stall_at` is stamped `stall` frame times too late, and those after it stand
                              * still until their own time is later, as FFmpeg writes such packets */
} clip;

/* Writes the file, in the container that its ending selects; fails the test if that is not possible. `paint` fills in
 * picture number `index`, whose planes are initially 128. */
void clip_write(const char *path, const clip *clip, void (*paint)(AVFrame *picture, int index));

/* A painter: fills the first plane with 40 + 6 * index. */
void clip_paint_number(AVFrame *picture, int index);

/* The number of a picture that it painted, from the pixel in the middle. */
int clip_number(const uint8_t *grey, size_t stride, int width, int height, bool full_range);

/* A painter: writes the number as blocks of 16x16 pixels into the first plane, which lossy coding leaves readable, and
 * fills the rest with noise, so that pictures have a real size. At least 192x64 pixels, and 4096 pictures. */
void clip_paint_coded(AVFrame *picture, int index);

/* The number of a picture that it painted; -1 if the blocks are not readable. */
int clip_coded_number(const uint8_t *grey, size_t stride);

#endif
