/* The controls of Video4Linux cameras: the ioctls of linux/videodev2.h and the numbers of linux/v4l2-controls.h. */
#include "capture/live/controls.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int controls_open(const char *device) { return open(device, O_RDWR | O_NONBLOCK | O_CLOEXEC); }

bool controls_ask(int fd, unsigned long request, void *argument) {
    int result;
    do result = ioctl(fd, request, argument);
    while (result < 0 && errno == EINTR);
    return result >= 0;
}

/* "White Balance, Auto" becomes "white_balance_auto". */
static void simplify(const char *from, char name[CONTROLS_NAME_BYTES]) {
    int length = 0;
    for (; *from && length < CONTROLS_NAME_BYTES - 1; from++) {
        if (isalnum((unsigned char)*from))
            name[length++] = (char)tolower((unsigned char)*from);
        else if (length && name[length - 1] != '_')
            name[length++] = '_';
    }
    while (length && name[length - 1] == '_') length--;
    name[length] = 0;
}

/* The next control after number `after` whose value is a plain number that can be read; false at the end. */
static bool next_control(int fd, unsigned after, struct v4l2_queryctrl *control) {
    for (;;) {
        *control = (struct v4l2_queryctrl){.id = after | V4L2_CTRL_FLAG_NEXT_CTRL};
        if (!controls_ask(fd, VIDIOC_QUERYCTRL, control)) return false;
        after = control->id;
        const bool plain = control->type == V4L2_CTRL_TYPE_INTEGER || control->type == V4L2_CTRL_TYPE_BOOLEAN ||
                           control->type == V4L2_CTRL_TYPE_MENU || control->type == V4L2_CTRL_TYPE_INTEGER_MENU;
        if (plain && !(control->flags & (V4L2_CTRL_FLAG_DISABLED | V4L2_CTRL_FLAG_WRITE_ONLY))) return true;
    }
}

static bool get(int fd, unsigned id, int *value) {
    struct v4l2_control control = {.id = id};
    if (!controls_ask(fd, VIDIOC_G_CTRL, &control)) return false;
    *value = control.value;
    return true;
}

static bool put(int fd, unsigned id, int value) {
    return controls_ask(fd, VIDIOC_S_CTRL, &(struct v4l2_control){.id = id, .value = value});
}

/* The name of an entry of a menu; false if there is none. */
static bool name_entry(int fd, const struct v4l2_queryctrl *c, int index, char name[CONTROLS_NAME_BYTES]) {
    struct v4l2_querymenu entry = {.id = c->id, .index = (unsigned)index};
    if (!controls_ask(fd, VIDIOC_QUERYMENU, &entry)) return false;
    if (c->type == V4L2_CTRL_TYPE_MENU)
        simplify((const char *)entry.name, name);
    else
        snprintf(name, CONTROLS_NAME_BYTES, "%lld", (long long)entry.value);
    return true;
}

void controls_print(FILE *stream, int fd) {
    struct v4l2_queryctrl c;
    char name[CONTROLS_NAME_BYTES];
    for (unsigned id = 0; next_control(fd, id, &c); id = c.id) {
        int value;
        if (!get(fd, c.id, &value)) continue;
        simplify((const char *)c.name, name);
        fprintf(stream, "  control %s: ", name);
        if (c.type == V4L2_CTRL_TYPE_MENU || c.type == V4L2_CTRL_TYPE_INTEGER_MENU) {
            for (int i = c.minimum; i <= c.maximum; i++)
                if (name_entry(fd, &c, i, name)) fprintf(stream, "%d (%s), ", i, name);
        } else {
            fprintf(stream, "%d to %d, ", c.minimum, c.maximum);
            if (c.step > 1) fprintf(stream, "in steps of %d, ", c.step);
        }
        fprintf(stream, "is %d, default %d%s%s\n", value, c.default_value,
                c.flags & V4L2_CTRL_FLAG_INACTIVE ? ", is set automatically" : "",
                c.flags & V4L2_CTRL_FLAG_READ_ONLY ? ", cannot be set" : "");
    }
}

int controls_list(const char *device, camera_control controls[CONTROLS_MOST]) {
    const int fd = controls_open(device);
    struct v4l2_queryctrl c;
    int count = 0;
    if (fd < 0) return 0;
    for (unsigned id = 0; count < CONTROLS_MOST && next_control(fd, id, &c); id = c.id) {
        camera_control *to = &controls[count];
        *to = (camera_control){.min = c.minimum, .max = c.maximum, .is_switch = c.type == V4L2_CTRL_TYPE_BOOLEAN};
        to->is_fixed = c.flags & (V4L2_CTRL_FLAG_INACTIVE | V4L2_CTRL_FLAG_READ_ONLY);
        if (!get(fd, c.id, &to->value)) continue;
        simplify((const char *)c.name, to->name);
        count++;
    }
    close(fd);
    return count;
}

/* ---- Setting ---------------------------------------------------------------------------------- */

static bool parse_value(int fd, const struct v4l2_queryctrl *c, const char *text, int *value) {
    char *end, name[CONTROLS_NAME_BYTES];
    const long number = strtol(text, &end, 10);
    *value = (int)number;
    if (end != text && !*end) return number >= c->minimum && number <= c->maximum;
    if (c->type == V4L2_CTRL_TYPE_BOOLEAN) {
        *value = !strcmp(text, "on");
        return *value || !strcmp(text, "off");
    }
    for (*value = c->minimum; c->type == V4L2_CTRL_TYPE_MENU && *value <= c->maximum; ++*value)
        if (name_entry(fd, c, *value, name) && !strcmp(name, text)) return true;
    return false;
}

static sv_status set(int fd, const char *device, const char *setting, sv_error *error) {
    const char *equals = strchr(setting, '=');
    struct v4l2_queryctrl c = {.id = 0};
    char wanted[CONTROLS_NAME_BYTES], name[CONTROLS_NAME_BYTES] = "";
    int value, now;
    snprintf(wanted, sizeof wanted, "%.*s", (int)(equals - setting), setting);
    bool found = false;
    while (!found && next_control(fd, c.id, &c)) {
        simplify((const char *)c.name, name);
        found = !strcmp(name, wanted);
    }
    if (!found)
        return sv_fail(error, SV_USAGE, "%s: the camera has no control '%s'; --list-cameras lists its controls", device,
                       wanted);
    if (c.flags & V4L2_CTRL_FLAG_READ_ONLY)
        return sv_fail(error, SV_USAGE, "%s: %s can be read, but not set", device, name);
    if (!parse_value(fd, &c, equals + 1, &value))
        return sv_fail(error, SV_USAGE, "%s: %s takes %d to %d%s, not '%s'", device, name, c.minimum, c.maximum,
                       c.type == V4L2_CTRL_TYPE_BOOLEAN ? ", or on and off"
                       : c.type == V4L2_CTRL_TYPE_MENU  ? ", or a name that --list-cameras shows"
                                                        : "",
                       equals + 1);
    if (c.flags & V4L2_CTRL_FLAG_INACTIVE)
        return sv_fail(error, SV_FAILED,
                       "%s: %s is set automatically; switch that off first, by the control that --list-cameras shows "
                       "for it",
                       device, name);
    if (!put(fd, c.id, value)) return sv_fail(error, SV_FAILED, "%s: cannot set %s: %s", device, name, strerror(errno));
    if (get(fd, c.id, &now) && now != value)
        sv_log(SV_LOG_WARNING, "%s: the camera set %s to %d instead of %d", device, name, now, value);
    return SV_OK;
}

/* -1 if that fails. */
static int open_device(const char *device, sv_error *error) {
    const int fd = controls_open(device);
    if (fd < 0) sv_fail(error, SV_FAILED, "%s: cannot set its controls: %s", device, strerror(errno));
    return fd;
}

sv_status controls_set(const char *device, const char *setting, sv_error *error) {
    const int fd = open_device(device, error);
    if (fd < 0) return SV_FAILED;
    const sv_status status = set(fd, device, setting, error);
    close(fd);
    return status;
}

/* ---- Making two cameras equal ----------------------------------------------------------------- */

static const struct {
    unsigned id;
    int off;
} automatic[] = {{V4L2_CID_EXPOSURE_AUTO, V4L2_EXPOSURE_MANUAL},
                 {V4L2_CID_AUTOGAIN, 0},
                 {V4L2_CID_AUTO_WHITE_BALANCE, 0},
                 {V4L2_CID_FOCUS_AUTO, 0}};
static const unsigned copied[] = {
    V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CID_EXPOSURE,     V4L2_CID_GAIN,          V4L2_CID_WHITE_BALANCE_TEMPERATURE,
    V4L2_CID_RED_BALANCE,       V4L2_CID_BLUE_BALANCE, V4L2_CID_FOCUS_ABSOLUTE};
enum { AUTOMATIC = sizeof automatic / sizeof *automatic, COPIED = sizeof copied / sizeof *copied };

/* True if the camera has the control, with its name. */
static bool has(int fd, unsigned id, char name[CONTROLS_NAME_BYTES]) {
    struct v4l2_queryctrl c = {.id = id};
    if (!controls_ask(fd, VIDIOC_QUERYCTRL, &c) || c.flags & V4L2_CTRL_FLAG_DISABLED) return false;
    simplify((const char *)c.name, name);
    return true;
}

/* Sets the control, and reads it back: drivers replace values that a camera does not support. */
static bool becomes(int fd, unsigned id, int value) {
    int now;
    return put(fd, id, value) && get(fd, id, &now) && now == value;
}

/* Gives the second camera the values of the first. `devices`: their names. */
static sv_status make_equal(const int fd[2], const char *const devices[2], sv_error *error) {
    char done[256] = "", name[CONTROLS_NAME_BYTES];
    int values[COPIED];
    bool known[COPIED];
    /* Read while automatic control is on: without it, a camera may return to values that were once set by hand. */
    for (int i = 0; i < COPIED; i++) known[i] = has(fd[0], copied[i], name) && get(fd[0], copied[i], &values[i]);
    for (int i = 0; i < AUTOMATIC; i++)
        for (int side = 0; side < 2; side++)
            if (has(fd[side], automatic[i].id, name) && !becomes(fd[side], automatic[i].id, automatic[i].off))
                sv_log(SV_LOG_WARNING, "%s: %s cannot be switched off", devices[side], name);
    for (int i = 0; i < COPIED; i++) {
        const bool other = has(fd[1], copied[i], name);
        if (!known[i] && !other) continue;
        if (known[i] && other && becomes(fd[0], copied[i], values[i]) && becomes(fd[1], copied[i], values[i])) {
            const size_t length = strlen(done);
            snprintf(done + length, sizeof done - length, "%s%s %d", length ? ", " : "", name, values[i]);
        } else {
            if (!other) has(fd[0], copied[i], name);
            sv_log(SV_LOG_WARNING, "%s of %s and %s cannot be made equal", name, devices[0], devices[1]);
        }
    }
    if (!*done)
        return sv_fail(error, SV_FAILED,
                       "%s and %s have no exposure, gain, white balance or focus in common that could be set equal",
                       devices[0], devices[1]);
    sv_log(SV_LOG_INFO, "%s and %s have equal values: %s", devices[0], devices[1], done);
    return SV_OK;
}

sv_status controls_make_equal(const char *from, const char *to, sv_error *error) {
    const char *const devices[2] = {from, to};
    int fd[2] = {open_device(from, error), -1};
    if (fd[0] >= 0) fd[1] = open_device(to, error);
    const sv_status status = fd[1] >= 0 ? make_equal(fd, devices, error) : SV_FAILED;
    for (int side = 0; side < 2; side++)
        if (fd[side] >= 0) close(fd[side]);
    return status;
}
