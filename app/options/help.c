/* --help: every table of the program in lines of at most 100 columns. */
#include "app/options/help.h"

#include "capture/live/network.h"

#include <string.h>

/* Prints a name in a column of `width` characters, and beside it, or below a longer name, the text in lines of at most
 * 100 columns. */
static void print_entry(FILE *stream, int width, const char *name, const char *text) {
    enum { COLUMNS = 100 };
    const int indent = width + 2;
    int column = fprintf(stream, "  %-*s", width, name);
    if (column > indent) column = COLUMNS;
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column + 1 + length > COLUMNS) column = fprintf(stream, "\n%*s", indent, "") - 1;
        column += fprintf(stream, " %.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    putc('\n', stream);
}

/* The keys of the window, with the names of their actions. */
static void print_keys(FILE *stream, const input_keys *keys) {
    for (int i = 0; i < input_binding_count; i++) {
        const input_binding *b = &input_bindings[i];
        fprintf(stream, "  %-20s  %-18s %s\n", keys->of[b->action], b->name, b->help);
    }
}

const char help_exit_status[] =
    "0 success, 1 the run failed, 2 the command line is wrong, 3 a device or display does\n"
    "not exist, or the backend or OpenCV is missing, 4 success except that some pictures were\n"
    "damaged or mistimed; 128 + the number of a signal that ended a run without a window (Ctrl-C: 130).";

const char *help_of_option(const option *option, char *text, size_t size) {
    char backends[64];
    const bool names = option->id == OPTION_BACKEND;
    snprintf(text, size, "%s%s%s", option->help, names ? ": auto (default), " : "",
             names ? sv_name_backends(backends, sizeof backends) : "");
    return text;
}

const char *help_of_quality(const sv_quality *q, char *text, size_t size) {
    snprintf(text, size, "%s: -m %s", q->help, sv_method_name(q->method));
    for (int k = 0; k < SV_QUALITY_SETTINGS && q->settings[k].parameter; k++)
        snprintf(text + strlen(text), size - strlen(text), " --%s %s", q->settings[k].parameter, q->settings[k].value);
    return text;
}

const char *help_of_value(const sv_parameter *parameter) {
    return parameter->kind == SV_INTEGER ? "N"
           : parameter->kind == SV_REAL  ? "X"
           : parameter->kind == SV_FILE  ? "FILE"
                                         : "WORD";
}

const char *help_of_parameter(const sv_description *d, char *text, size_t size) {
    snprintf(text, size, "%s%s%s%s%s: %s (default %s)", d->help, d->unit[0] ? ", " : "", d->unit,
             d->methods[0] ? "; " : "", d->methods, d->values, d->defaults);
    return text;
}

void help_print(FILE *stream, const input_keys *keys) {
    char help[HELP_BYTES];
    fprintf(stream,
            "stereoview %s: disparity maps from stereo cameras, videos and pictures in real time\n\n"
            "  stereoview left.mp4 right.mp4        two videos (as with -f)\n"
            "  stereoview left/ right/              two folders of pictures\n"
            "  stereoview l_%%06d.png 'r_*.png'      two sequences of pictures\n"
            "  stereoview both.mkv                  one video with both pictures side by side (as with -s)\n"
            "  stereoview -c /dev/video0 /dev/video2  two cameras\n"
            "  stereoview --demo                    the built-in pair of videos\n"
            "  stereoview                           the window asks what to open\n\n"
            "Options, as --name VALUE or --name=VALUE; after --, names only:\n",
            SV_VERSION);
    for (int i = 0; i < OPTION_COUNT; i++) {
        char left[64];
        const char letter[] = {option_table[i].letter ? '-' : ' ',
                               option_table[i].letter ? option_table[i].letter : ' ',
                               option_table[i].letter ? ',' : ' ', 0};
        snprintf(left, sizeof left, "%s --%s %s", letter, option_table[i].name, option_table[i].value_names);
        print_entry(stream, 28, left, help_of_option(&option_table[i], help, sizeof help));
    }
    fprintf(stream, "\nURLs, such as rtsp://host/path, can begin with: %s.\n", network_schemes(help, sizeof help));
    fprintf(stream,
            "\nCalibration files: OpenCV's YAML and XML, ROS camera_info (two files), Kalibr's camchain, EuRoC's\n"
            "sensor.yaml (two), KITTI, Middlebury, ETH3D and Karlsruhe's calib.txt, ZED's .conf.\n");
    fprintf(stream, "\nMethods:\n");
    for (int m = 0; m < SV_METHOD_COUNT; m++) {
        snprintf(help, sizeof help, "%s (%s)", sv_methods[m].help, sv_methods[m].paper);
        print_entry(stream, 6, sv_methods[m].name, help);
    }
    fprintf(stream, "\nQualities (--quality):\n");
    for (int i = 0; i < SV_QUALITY_COUNT; i++)
        print_entry(stream, 9, sv_qualities[i].name, help_of_quality(&sv_qualities[i], help, sizeof help));
    fprintf(stream, "\nParameters; the window's panel can change them while the program runs:\n");
    sv_description d;
    for (int i = 0; sv_describe_parameter(i, &d); i++) {
        char left[64];
        snprintf(left, sizeof left, "--%s %s", d.name, help_of_value(&sv_parameters[i]));
        print_entry(stream, 28, left, help_of_parameter(&d, help, sizeof help));
    }
    fprintf(stream, "\nKeys of the window, with the names of their actions, for --keys:\n");
    print_keys(stream, keys);
    fprintf(stream, "\nExit status: %s\n", help_exit_status);
}
