/* Files of models, before the runtime sees them. */
#ifndef NET_ONNX_FILE_H
#define NET_ONNX_FILE_H

#include "stereo/stereo.h"

/* Reads a model of at most 2 GiB, and refuses what would make the runtime read other files or memory: weights in a file
 * of their own.
 * Errors: NULL, with file and cause.
 * Lifetime: the caller frees the result. */
char *net_read_model(const char *path, size_t *bytes, sv_error *error);

/* The check alone; `path` is for messages.
 * Errors: SV_FAILED. */
sv_status net_check_model(const char *path, const char *model, size_t bytes, sv_error *error);

#endif
