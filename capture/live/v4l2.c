/* Queries Video4Linux devices: see v4l2.h. The ioctls are those of linux/videodev2.h. */
#include "capture/live/v4l2.h"

#include "capture/live/controls.h"

#include <errno.h>
#include <glob.h>
#include <linux/videodev2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The pixel formats that both FFmpeg's v4l2 demuxer and our frames support. */
typedef struct pixel_format {
    uint32_t code;
    const char *name;
    const char *ffmpeg; /* NULL: the same */
} pixel_format;

static const pixel_format formats[] = {
    {V4L2_PIX_FMT_YUYV, "yuyv422", NULL},     {V4L2_PIX_FMT_UYVY, "uyvy422", NULL},
    {V4L2_PIX_FMT_MJPEG, "mjpeg", NULL},      {V4L2_PIX_FMT_JPEG, "mjpeg", NULL},
    {V4L2_PIX_FMT_H264, "h264", NULL},        {V4L2_PIX_FMT_GREY, "grey", "gray"},
    {V4L2_PIX_FMT_Y16, "grey16", "gray16le"}, {V4L2_PIX_FMT_NV12, "nv12", NULL},
    {V4L2_PIX_FMT_YUV420, "yuv420p", NULL},   {V4L2_PIX_FMT_YUV422P, "yuv422p", NULL},
    {V4L2_PIX_FMT_YUV411P, "yuv411p", NULL},  {V4L2_PIX_FMT_RGB24, "rgb24", NULL},
    {V4L2_PIX_FMT_BGR24, "bgr24", NULL},
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

const char *v4l2_ffmpeg_name(const char *name) {
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (!strcmp(formats[i].name, name) && formats[i].ffmpeg) return formats[i].ffmpeg;
    return name;
}

/* NULL for an unsupported format. */
static const char *name_of(uint32_t code) {
    for (int i = 0; i < FORMAT_COUNT; i++)
        if (formats[i].code == code) return formats[i].name;
    return NULL;
}

sv_status v4l2_fail(const char *device, int number, sv_error *error) {
    switch (number) {
    case ENOENT:
    case ENXIO:
        return sv_fail(error, SV_NO_DEVICE, "%s: there is no such device; --list-cameras lists the cameras", device);
    case ENODEV: return sv_fail(error, SV_NO_DEVICE, "%s: the camera is disconnected; plug it in again", device);
    case EACCES:
    case EPERM:
        return sv_fail(error, SV_FAILED,
                       "%s: no permission to use it; join the group 'video' (sudo usermod -aG video $USER) and log in "
                       "again",
                       device);
    case ENOSPC:
        return sv_fail(error, SV_FAILED,
                       "%s: its USB bus has too little bandwidth for both cameras; plug it into a port on another "
                       "bus, or ask for less (--pixel-format mjpeg, --size, --rate)",
                       device);
    case EBUSY:
        return sv_fail(error, SV_FAILED, "%s: another program uses the camera; close that program first", device);
    default:
        return sv_fail(error, SV_FAILED, "%s: the camera cannot be read: %s; plug it in again", device,
                       strerror(number));
    }
}

/* ---- One device ------------------------------------------------------------------------------- */

/* True if it captures video; many cameras register a second device for metadata. */
static bool is_camera(int fd, struct v4l2_capability *capability) {
    if (!controls_ask(fd, VIDIOC_QUERYCAP, capability)) return false;
    const uint32_t all = capability->capabilities;
    const uint32_t own = all & V4L2_CAP_DEVICE_CAPS ? capability->device_caps : all;
    return own & V4L2_CAP_VIDEO_CAPTURE && own & V4L2_CAP_STREAMING;
}

static bool get_format(int fd, unsigned index, struct v4l2_fmtdesc *format) {
    *format = (struct v4l2_fmtdesc){.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
    return controls_ask(fd, VIDIOC_ENUM_FMT, format);
}

static bool get_size(int fd, uint32_t code, unsigned index, struct v4l2_frmsizeenum *size) {
    *size = (struct v4l2_frmsizeenum){.index = index, .pixel_format = code};
    /* Sizes that are not discrete are one range, at index 0. */
    return controls_ask(fd, VIDIOC_ENUM_FRAMESIZES, size) && (index == 0 || size->type == V4L2_FRMSIZE_TYPE_DISCRETE);
}

static void print_size(const struct v4l2_frmsizeenum *size, char *text, size_t bytes) {
    if (size->type == V4L2_FRMSIZE_TYPE_DISCRETE)
        snprintf(text, bytes, "%ux%u", size->discrete.width, size->discrete.height);
    else
        snprintf(text, bytes, "%ux%u to %ux%u", size->stepwise.min_width, size->stepwise.min_height,
                 size->stepwise.max_width, size->stepwise.max_height);
}

static bool is_called(uint32_t code, const char *pixel_format) {
    const char *name = name_of(code);
    return name && !strcmp(v4l2_ffmpeg_name(name), v4l2_ffmpeg_name(pixel_format));
}

static sv_status check_format(int fd, const char *device, const char *pixel_format, sv_error *error) {
    struct v4l2_fmtdesc format;
    for (unsigned i = 0; get_format(fd, i, &format); i++)
        if (is_called(format.pixelformat, pixel_format)) return SV_OK;
    return sv_fail(error, SV_USAGE, "%s: the camera has no pixel format '%s'; --list-cameras lists what it has", device,
                   pixel_format);
}

sv_status v4l2_check(const char *device, const char *pixel_format, sv_error *error) {
    struct stat status;
    struct v4l2_capability capability;
    if (stat(device, &status) == 0 && !S_ISCHR(status.st_mode))
        return sv_fail(error, SV_NO_DEVICE, "%s: is not a camera; files are opened with -f or -s", device);
    int fd = controls_open(device);
    if (fd < 0 && errno == EBUSY) return SV_OK;
    if (fd < 0) return v4l2_fail(device, errno, error);
    sv_status result = SV_OK;
    if (!is_camera(fd, &capability))
        result = sv_fail(error, SV_NO_DEVICE,
                         "%s: is not a camera that sends pictures; --list-cameras lists the cameras", device);
    else if (pixel_format)
        result = check_format(fd, device, pixel_format, error);
    close(fd);
    return result;
}

static double rate_of(struct v4l2_fract interval) {
    return interval.numerator ? (double)interval.denominator / interval.numerator : 0;
}

/* Frames a second, at most; 0 if the camera does not have this size in this format. */
static double fastest_rate(int fd, uint32_t code, int width, int height) {
    struct v4l2_frmivalenum each = {.pixel_format = code, .width = (uint32_t)width, .height = (uint32_t)height};
    double fastest = 0;
    for (; controls_ask(fd, VIDIOC_ENUM_FRAMEINTERVALS, &each); each.index++) {
        if (each.type != V4L2_FRMIVAL_TYPE_DISCRETE) return rate_of(each.stepwise.min);
        if (rate_of(each.discrete) > fastest) fastest = rate_of(each.discrete);
    }
    return fastest;
}

const char *v4l2_fastest_format(const char *device, int width, int height, double rate) {
    struct v4l2_fmtdesc format;
    const char *name = NULL;
    double best = 0;
    int fd = controls_open(device);
    for (unsigned i = 0; fd >= 0 && get_format(fd, i, &format); i++) {
        double fastest = fastest_rate(fd, format.pixelformat, width, height);
        if (fastest > rate) fastest = rate;
        if (!name_of(format.pixelformat) || fastest <= best) continue;
        best = fastest;
        name = name_of(format.pixelformat);
    }
    if (fd >= 0) close(fd);
    return name;
}

/* ---- The list --------------------------------------------------------------------------------- */

static void print_rates(FILE *stream, int fd, uint32_t code, const struct v4l2_frmsizeenum *size) {
    if (size->type != V4L2_FRMSIZE_TYPE_DISCRETE) return;
    struct v4l2_frmivalenum each = {
        .pixel_format = code, .width = size->discrete.width, .height = size->discrete.height};
    for (; controls_ask(fd, VIDIOC_ENUM_FRAMEINTERVALS, &each); each.index++) {
        if (each.type != V4L2_FRMIVAL_TYPE_DISCRETE) {
            fprintf(stream, " %.4g to %.4g", rate_of(each.stepwise.max), rate_of(each.stepwise.min));
            each.index = 1;
            break;
        }
        fprintf(stream, " %.4g", rate_of(each.discrete));
    }
    if (each.index) fprintf(stream, " fps");
}

static void print_camera(FILE *stream, int fd, const char *device, const struct v4l2_capability *capability) {
    struct v4l2_fmtdesc format;
    fprintf(stream, "%s: %s (%s)\n", device, (const char *)capability->card, (const char *)capability->bus_info);
    for (unsigned i = 0; get_format(fd, i, &format); i++) {
        struct v4l2_frmsizeenum size;
        const char *name = name_of(format.pixelformat);
        if (!name) {
            fprintf(stream, "  (%s: cannot be used)\n", (const char *)format.description);
            continue;
        }
        fprintf(stream, "  %s\n", name);
        for (unsigned j = 0; get_size(fd, format.pixelformat, j, &size); j++) {
            char text[64];
            print_size(&size, text, sizeof text);
            fprintf(stream, "    %-10s", text);
            print_rates(stream, fd, format.pixelformat, &size);
            fprintf(stream, "\n");
        }
    }
    controls_print(stream, fd);
}

/* The devices that may be cameras, by number: "video?" comes before "video??". */
static void find_devices(glob_t *found) {
    glob("/dev/video?", 0, NULL, found);
    glob("/dev/video??", GLOB_APPEND, NULL, found);
}

int v4l2_find(char (*devices)[16], int most) {
    glob_t found;
    int cameras = 0;
    find_devices(&found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct v4l2_capability capability;
        const int fd = controls_open(found.gl_pathv[i]);
        if (fd >= 0 && is_camera(fd, &capability) && cameras++ < most)
            snprintf(devices[cameras - 1], sizeof *devices, "%s", found.gl_pathv[i]);
        if (fd >= 0) close(fd);
    }
    globfree(&found);
    return cameras;
}

sv_status v4l2_list(FILE *stream, sv_error *error) {
    glob_t found;
    int cameras = 0, refused = 0;
    find_devices(&found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct v4l2_capability capability;
        const int fd = controls_open(found.gl_pathv[i]);
        if (fd >= 0 && is_camera(fd, &capability)) {
            print_camera(stream, fd, found.gl_pathv[i], &capability);
            cameras++;
        } else if (fd < 0 && (errno == EACCES || errno == EPERM)) {
            refused++;
            sv_error why;
            v4l2_fail(found.gl_pathv[i], errno, &why);
            sv_log(SV_LOG_WARNING, "%s", why.text);
        }
        if (fd >= 0) close(fd);
    }
    globfree(&found);
    if (cameras) return SV_OK;
    return sv_fail(error, SV_NO_DEVICE,
                   refused ? "there is no permission to use any of the cameras"
                           : "there is no camera (/dev/video*); is it plugged in, and its driver loaded?");
}
