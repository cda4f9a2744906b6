/* Open models: what the runtime has made of a file, on the CPU or on a card. Matchers that run the same file in the
 * same place share it. */
#ifndef NET_SESSION_H
#define NET_SESSION_H

#include "net/place.h"

#include <stdatomic.h>

typedef struct net_session {
    OrtSession *session;
    const OrtMemoryInfo *memory; /* where its inputs and outputs are */
    net_graph graph;
    atomic_bool checked; /* the sign and the scale of its map */
} net_session;

/* Opens the model, or returns the one that is open; takes up to seconds.
 * Errors: SV_FAILED, with the file and the cause, or without ONNX Runtime.
 * Thread: any; several may run a session at once.
 * Lifetime: the caller returns it with net_close_session, which accepts NULL. */
sv_status net_open_session(const char *path, const net_place *place, net_session **session, sv_error *error);
void net_close_session(net_session *session);

#endif
