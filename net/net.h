/* Learned stereo models: ONNX files, run by ONNX Runtime on the CPU or on a card. A backend opens one for a matcher,
 * and the method `net` runs it.
 *
 * Source: the format is ONNX (onnx.proto, IR version 3 or later); what models expect differs, see conventions.h. */
#ifndef NET_NET_H
#define NET_NET_H

#include "net/place.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct net_model net_model;

/* Reads a model and its sidecar, and prepares to run it in `place`, which is copied. Takes up to seconds. Models of the
 * same file in the same place share what the runtime makes of it.
 * Errors: SV_FAILED, with the file and the cause, or without ONNX Runtime.
 * Thread: one at a time for each model.
 * Lifetime: the caller closes it. */
sv_status net_open(const char *path, const net_place *place, net_model **model, sv_error *error);
void net_close(net_model *model); /* accepts NULL */

/* True if the model has a confidence. */
bool net_judges(const net_model *model);

/* The parameters with the range of all whole disparities, so that the left-right check and the confidence work as for
 * other methods, whose parameters stay as they are. */
sv_params net_params(const sv_params *params);

/* How long a run took, in seconds: to fill the model's inputs, to run it, and to take its maps. On a card, how long it
 * took to start each. */
typedef struct net_times {
    double fill, run, take;
} net_times;

/* Runs the model on a pair, in the memory of its place, and takes the maps of the left picture or, mirrored, of the
 * right one, in which disparities have the same sign. The first run checks the sign and the scale of the map and logs a
 * warning if they are wrong. The confidence is written only if net_judges.
 * Errors: SV_FAILED; SV_CANCELLED within the next operator of the graph after a request (`cancel` may be NULL). */
sv_status net_run(net_model *model, const sv_pair *pair, bool mirrored, const sv_cancel *cancel, const net_maps *maps,
                  net_times *times, sv_error *error);

#ifdef __cplusplus
}
#endif

#endif
