/* What a model expects of its pictures, and what its output means: from its sidecar (MODEL.yaml next to the model), or
 * else guessed from its graph. docs/models.md lists the keys. */
#ifndef NET_CONVENTIONS_H
#define NET_CONVENTIONS_H

#include "stereo/stereo.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NET_MAX_TENSORS = 16, NET_MAX_DIMENSIONS = 6, NET_MAX_INPUTS = 4, NET_MAX_MULTIPLE = 256 };

/* An input or an output of the graph. */
typedef struct net_tensor {
    char name[96];
    int type;                          /* ORT_FLOAT, ... */
    int dimensions;                    /* may be above NET_MAX_DIMENSIONS */
    int64_t shape[NET_MAX_DIMENSIONS]; /* -1: any */
} net_tensor;

typedef struct net_graph {
    int input_count, output_count; /* of the graph; those beyond NET_MAX_TENSORS are not described */
    net_tensor inputs[NET_MAX_TENSORS], outputs[NET_MAX_TENSORS];
} net_graph;

/* What an input of the model shows. */
typedef enum net_picture { NET_BOTH, NET_LEFT, NET_RIGHT, NET_HALF_LEFT, NET_HALF_RIGHT } net_picture;

typedef enum net_channels { NET_RGB, NET_BGR, NET_GREY } net_channels;
typedef enum net_padding { NET_BOTTOM_RIGHT, NET_TOP_RIGHT, NET_CENTRE } net_padding;

typedef struct net_conventions {
    int input_count;
    int inputs[NET_MAX_INPUTS]; /* of the graph */
    net_picture shows[NET_MAX_INPUTS];
    bool nhwc; /* the channels of a pixel are adjacent; otherwise each channel is a plane */
    net_channels channels;
    bool raw;                        /* values are 0..255; otherwise (value / 255 - mean) / deviation, */
    float mean[3], deviation[3];     /* for red, green and blue, or for grey the first */
    int width, height;               /* of the model's pictures; 0: those of the pair */
    int multiple;                    /* the width and the height are multiples of it */
    bool resizes;                    /* a pair of another size is resized; otherwise it is padded */
    net_padding padding;             /* where */
    bool pads_with_zero;             /* otherwise with the nearest pixel */
    int output, channel;             /* the output of the graph that is the map; its channel */
    bool negative;                   /* the disparity is the negative of the output, */
    float scale;                     /* times this, in pixels of the model's pictures; */
    bool of_width;                   /* or times their width */
    int confidence, visible, hidden; /* outputs; -1: none. Confidences are 0..1; above 1/2 a pixel is visible, hidden */
} net_conventions;

/* Guesses the conventions, then reads the sidecar of `path`, if there is one, and logs both.
 * Errors: SV_FAILED for a graph that takes no pair or gives no map, and for a sidecar that cannot be read or does not
 * fit the graph. */
sv_status net_find_conventions(const char *path, const net_graph *graph, net_conventions *conventions, sv_error *error);

/* Writes them as the lines of a sidecar, with the given separator. Returns `text`. */
char *net_print_conventions(const net_graph *graph, const net_conventions *conventions, const char *separator,
                            char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
