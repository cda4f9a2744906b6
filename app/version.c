/* See version.h. */
#include "app/version.h"

#include "capture/ffmpeg/card.h"
#include "net/place.h"
#include "rig/board.h"
#include "stereo/stereo.h"

/* glew.h comes before glfw3.h. */
#include <GL/glew.h>

#include <GLFW/glfw3.h>
#include <expat.h>
#include <libavcodec/avcodec.h>
#include <libavdevice/avdevice.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <png.h>
#include <yaml.h>

static void print_backends(FILE *stream) {
    fprintf(stream, "Backends:\n");
    for (int i = 0; sv_backends[i]; i++) {
        char device[128] = "";
        sv_error error = {""};
        int number = 0;
        do {
            const sv_status status = sv_backends[i]->probe(number, device, sizeof device, &error);
            fprintf(stream, "  %-5s %s%s\n", sv_backends[i]->name,
                    status == SV_OK ? "" : "not here: ", status == SV_OK ? device : error.text);
        } while (++number < sv_backends[i]->count());
    }
    char codecs[256];
    if (SV_CUDA)
        fprintf(stream, "Code for the compute capabilities: %s\nDecoders by FFmpeg for --decoder cuda: %s\n",
                SV_CUDA_ARCHS, card_name_codecs(codecs, sizeof codecs));
}

static void print_version(FILE *stream, const char *name, unsigned version) {
    fprintf(stream, ", %s %u.%u.%u", name, AV_VERSION_MAJOR(version), AV_VERSION_MINOR(version),
            AV_VERSION_MICRO(version));
}

void version_print(FILE *stream) {
    fprintf(stream, "stereoview %s\n", SV_VERSION);
    print_backends(stream);
    fprintf(stream, "Methods:");
    for (int m = 0; m < SV_METHOD_COUNT; m++)
        if (!sv_methods[m].runs_model) fprintf(stream, "%s %s", m ? "," : "", sv_method_name(m));
    fprintf(stream, "\nLibraries: FFmpeg %s", av_version_info());
    print_version(stream, "libavformat", avformat_version());
    print_version(stream, "libavcodec", avcodec_version());
    print_version(stream, "libavdevice", avdevice_version());
    print_version(stream, "libswscale", swscale_version());
    print_version(stream, "libavutil", avutil_version());
    const XML_Expat_Version expat = XML_ExpatVersionInfo();
    fprintf(stream, ", GLFW %s, GLEW %s, libpng %s, libyaml %s, Expat %d.%d.%d, ", glfwGetVersionString(),
            (const char *)glewGetString(GLEW_VERSION), png_get_libpng_ver(NULL), yaml_get_version_string(), expat.major,
            expat.minor, expat.micro);
    const char *opencv = board_opencv();
    fprintf(stream, opencv ? "OpenCV %s\n" : "no OpenCV\n", opencv);
    char models[512];
    fprintf(stream, "Models, by the method net: %s\n", net_describe(models, sizeof models));
}
