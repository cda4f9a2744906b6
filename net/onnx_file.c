/* Reads model files, and parses just enough of them to refuse one that is not self-contained. An ONNX file is a
 * message of Protocol Buffers: fields of a number, a type and a value, some of which are messages again (onnx.proto).
 */
#include "net/onnx_file.h"

#include "stereo/whole.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Of messages in messages; the runtime's own limit. */
enum { MAX_DEPTH = 100 };

typedef enum message { MODEL, TRAINING, FUNCTION, GRAPH, NODE, ATTRIBUTE, SPARSE_TENSOR, TENSOR, NO_MESSAGE } message;

/* The fields that are messages with tensors in them. */
static const struct {
    message of;
    unsigned number;
    message is;
} fields[] = {
    {MODEL, 7, GRAPH},
    {MODEL, 20, TRAINING},
    {MODEL, 25, FUNCTION},
    {TRAINING, 1, GRAPH},
    {TRAINING, 2, GRAPH},
    {FUNCTION, 7, NODE},
    {GRAPH, 1, NODE},
    {GRAPH, 5, TENSOR},
    {GRAPH, 15, SPARSE_TENSOR},
    {NODE, 5, ATTRIBUTE},
    {ATTRIBUTE, 5, TENSOR},
    {ATTRIBUTE, 6, GRAPH},
    {ATTRIBUTE, 10, TENSOR},
    {ATTRIBUTE, 11, GRAPH},
    {ATTRIBUTE, 22, SPARSE_TENSOR},
    {ATTRIBUTE, 23, SPARSE_TENSOR},
    {SPARSE_TENSOR, 1, TENSOR},
    {SPARSE_TENSOR, 2, TENSOR},
};

/* Fields of a tensor: which other file has its values, and whether they are in one. */
enum { EXTERNAL_DATA = 13, DATA_LOCATION = 14 };

typedef struct walk {
    const unsigned char *at, *end;
    int graphs;
    bool external;
} walk;

static bool take_number(walk *w, uint64_t *number) {
    *number = 0;
    for (int shift = 0; shift < 64 && w->at < w->end; shift += 7) {
        const unsigned char byte = *w->at++;
        *number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return true;
    }
    return false;
}

static message kind_of(message of, uint64_t number) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].of == of && fields[i].number == number) return fields[i].is;
    return NO_MESSAGE;
}

/* Walks through the message that ends at w->end; false if it is broken. */
static bool walk_message(walk *w, message of, int depth) {
    enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };
    while (w->at < w->end) {
        uint64_t tag, value;
        if (!take_number(w, &tag) || tag > UINT32_MAX || depth > MAX_DEPTH) return false;
        const unsigned type = tag & 7;
        const message is = kind_of(of, tag >> 3);
        if (type == VARINT || type == BYTES) {
            if (!take_number(w, &value)) return false;
        } else {
            value = type == FIXED64 ? 8 : type == FIXED32 ? 4 : UINT64_MAX;
        }
        if (of == TENSOR && ((tag >> 3 == DATA_LOCATION && type == VARINT && value) || tag >> 3 == EXTERNAL_DATA))
            w->external = true;
        if (type == VARINT) continue;
        if (value > (uint64_t)(w->end - w->at)) return false;
        walk inside = {w->at, w->at + value, w->graphs + (is == GRAPH), w->external};
        if (type == BYTES && is != NO_MESSAGE) {
            if (!walk_message(&inside, is, depth + 1)) return false;
            w->graphs = inside.graphs;
            w->external = inside.external;
        }
        w->at += value;
    }
    return true;
}

sv_status net_check_model(const char *path, const char *model, size_t bytes, sv_error *error) {
    walk w = {(const unsigned char *)model, (const unsigned char *)model + bytes, 0, false};
    const bool whole = walk_message(&w, MODEL, 0);
    if (!whole || !w.graphs)
        return sv_fail(error, SV_FAILED, "%s is not an ONNX model, or it is damaged: %s", path,
                       whole ? "it has no graph" : "it ends in the middle of a field");
    if (w.external)
        return sv_fail(error, SV_FAILED,
                       "%s keeps its weights in another file, which is not read; merge them with Python's onnx: "
                       "onnx.save(onnx.load('IN.onnx'), 'OUT.onnx')",
                       path);
    return SV_OK;
}

char *net_read_model(const char *path, size_t *bytes, sv_error *error) {
    char *model = sv_read_whole(path, INT_MAX, bytes);
    if (!model && errno == EFBIG) sv_fail(error, SV_FAILED, "%s is larger than 2 GiB; no ONNX model is", path);
    if (!model && errno != EFBIG) sv_fail(error, SV_FAILED, "cannot read the model %s: %s", path, strerror(errno));
    if (model && net_check_model(path, model, *bytes, error) == SV_OK) return model;
    free(model);
    return NULL;
}
