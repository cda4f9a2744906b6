/* Where models run: what ONNX Runtime offers. */
#ifndef NET_PLACE_H
#define NET_PLACE_H

#include "net/ort.h"
#include "net/tensors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a model runs, and who converts pictures and maps there. On the CPU (`cuda` false), net/ does; on a card the
 * functions do, which get `of`, and what they start and the model itself run in `stream`. */
typedef struct net_place {
    int threads; /* of the CPU, 1 or more */
    bool cuda;
    int device;
    void *stream;  /* cudaStream_t */
    size_t memory; /* of the card that the runtime may take for the model, bytes */
    void *of;
    /* Makes room for the tensor of input `i`, until it is called for `i` again. */
    sv_status (*reserve)(void *of, int i, size_t bytes, void **tensor, sv_error *error);
    /* Fills the tensor, as net_fill does, without waiting. */
    sv_status (*fill)(void *of, const net_input *input, sv_error *error);
    /* Waits until all are filled: an operator that the runtime runs on the CPU reads them outside of the stream. */
    sv_status (*wait)(void *of, sv_error *error);
    /* Takes the maps, as net_take_maps does, without waiting. */
    sv_status (*take)(void *of, const net_output *output, sv_error *error);
    /* Copies a picture to host memory and waits. */
    sv_status (*fetch)(void *of, const sv_image *from, const sv_image *to, sv_error *error);
} net_place;

/* Whether ONNX Runtime can run models on CUDA devices. Its first call takes up to seconds.
 * Errors: SV_FAILED with the reason.
 * Thread: any. */
sv_status net_find_cuda(sv_error *error);

/* Makes the sessions of these options run there, which is a card.
 * Errors: SV_FAILED if the runtime cannot. */
sv_status net_put_on_card(const net_place *place, OrtSessionOptions *options, sv_error *error);

/* Writes what runs models ("ONNX Runtime 1.21.0 (CPU, CUDA)"), or why nothing does, in one line. Returns `text`. */
char *net_describe(char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
