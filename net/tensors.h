/* Pictures as a model takes them, and its output as a map, in host memory. */
#ifndef NET_TENSORS_H
#define NET_TENSORS_H

#include "net/conventions.h"

/* Where the pair lies in the model's pictures. */
typedef struct net_frame {
    int pair_width, pair_height;
    int width, height;             /* of the model's pictures */
    int left, top;                 /* of the pair in them, */
    int inner_width, inner_height; /* and its size there */
} net_frame;

/* Errors: SV_FAILED if pictures of this size cannot be brought to that of the model. */
sv_status net_fit(const net_conventions *conventions, int width, int height, net_frame *frame, sv_error *error);

/* The shape of input `i` of the conventions, and how many bytes it takes. */
size_t net_shape(const net_graph *graph, const net_conventions *conventions, int i, const net_frame *frame,
                 int64_t shape[4]);

/* Fills the tensor of input `i`. `mirrored`: with the pair seen in a mirror, in which left and right change places.
 * Without colour, the grey pictures replace it. */
void net_fill(const net_graph *graph, const net_conventions *conventions, int i, const net_frame *frame,
              const sv_pair *pair, bool mirrored, int threads, void *tensor);

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

typedef struct net_planes {
    net_plane disparity, confidence, visible, hidden;
} net_planes;

/* Turns the output into the maps: SV_POOR_MATCH where it is not finite, or no disparity of any picture, and
 * SV_LEFT_RIGHT_CONFLICT where the model says that the pixel is hidden in the right picture. Between the values of an
 * output of another size a disparity is interpolated if they are within a pixel; otherwise it is the nearest. */
void net_take_maps(const net_conventions *conventions, const net_frame *frame, const net_planes *planes, bool mirrored,
                   int threads, const net_maps *maps);

/* Compares the left picture with the right one as the map says, and warns if another sign or scale fits much better. */
void net_check_signs(const char *path, const net_conventions *conventions, const net_frame *frame, const sv_pair *pair,
                     const sv_image *disparity);

#endif
