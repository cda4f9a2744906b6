/* Pictures as a model takes them, and its output as a map. elements.h converts single elements for every backend; the
 * loops here are those of the CPU. */
#ifndef NET_TENSORS_H
#define NET_TENSORS_H

#include "net/conventions.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the pair lies in the model's pictures. */
typedef struct net_frame {
    int pair_width, pair_height;
    int width, height;             /* of the model's pictures */
    int left, top;                 /* of the pair in them, */
    int inner_width, inner_height; /* and its size there */
} net_frame;

/* Errors: SV_FAILED if pictures of this size cannot be brought to that of the model. */
sv_status net_fit(const net_conventions *conventions, int width, int height, net_frame *frame, sv_error *error);

/* An input of the model, and what fills it. */
typedef struct net_input {
    net_conventions conventions;
    net_frame frame;
    net_picture shows;
    int type;                    /* ORT_FLOAT, ... */
    int width, height, channels; /* of the tensor */
    sv_image left, right;        /* of the pair: in colour if the model takes colour and there is any */
    bool mirrored;               /* filled with the mirrored pair, in which left and right change places */
    void *tensor;                /* its elements */
} net_input;

/* Describes input `i` of the conventions, without its memory, and its shape. Returns how many bytes it takes. */
size_t net_describe_input(const net_graph *graph, const net_conventions *conventions, int i, const net_frame *frame,
                          const sv_pair *pair, bool mirrored, net_input *input, int64_t shape[4]);

/* Fills the tensor from pictures in host memory. */
void net_fill(const net_input *input, int threads);

/* An output, height x width, as it lies in memory. */
typedef struct net_plane {
    const void *data; /* NULL: there is none */
    int type;         /* ORT_FLOAT or ORT_FLOAT16 */
    int width, height;
    size_t row, column; /* elements from one to the next */
} net_plane;

/* Finds the map in an output of that shape, `data` being its elements.
 * Errors: SV_FAILED if its size is not that of the frame, or of half, a quarter or an eighth of it. */
sv_status net_find_plane(const net_frame *frame, const void *data, int type, const int64_t *shape, int dimensions,
                         int channel, net_plane *plane, sv_error *error);

/* Where the result goes: the maps of a pair. */
typedef struct net_maps {
    sv_image disparity;  /* SV_FLOAT32 */
    sv_image reason;     /* SV_REASON8; without data: not wanted */
    sv_image confidence; /* SV_GREY8; without data: not wanted */
} net_maps;

/* The outputs of a run, and what becomes of them. */
typedef struct net_output {
    net_frame frame;
    net_plane disparity, confidence, visible, hidden;
    float unit;    /* pixels of the model's pictures for each unit of the disparity, with its sign */
    bool exact;    /* the map has a value for each pixel of the pair */
    bool mirrored; /* it is that of the mirrored pair */
    net_maps maps;
} net_output;

/* Turns the output into the maps, in host memory. */
void net_take_maps(const net_output *output, int threads);

/* Compares the left picture with the right one by the map, and warns if another sign or scale fits much better. */
void net_check_signs(const char *path, const net_conventions *conventions, const net_frame *frame, const sv_pair *pair,
                     const sv_image *disparity);

#ifdef __cplusplus
}
#endif

#endif
