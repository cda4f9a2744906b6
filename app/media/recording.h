/* Records what the sources send, into a file that has a temporary name until it is complete. Next to it, FILE.json
 * counts the packets of each side that were written and dropped. */
#ifndef APP_MEDIA_RECORDING_H
#define APP_MEDIA_RECORDING_H

#include "app/options/input_options.h"
#include "capture/pair.h"

typedef struct recording recording;

/* Creates one that is off: what recording_tap gets is ignored. */
recording *recording_create(void);

/* Ends it if it is on, and frees it. Accepts NULL. */
void recording_destroy(recording *recording);

/* Records what the sources of `input` send from now on, each side from a picture that can be decoded alone.
 * Errors: SV_USAGE for pictures, which are files already; SV_FAILED if the file cannot be written. */
sv_status recording_start(recording *recording, const char *path, const input_options *input, sv_error *error);

/* Starts writing; until then, packets wait. `pairing`: of those sources. */
void recording_release(recording *recording, pairing *pairing);

/* True once writing has failed; nothing is recorded from then on. */
bool recording_has_failed(recording *recording);

/* Completes the file, if it is on, also after a failure, and logs what it holds.
 * Errors: SV_FAILED, with the cause, also that of a recording that recording_describe has ended. */
sv_status recording_end(recording *recording, sv_error *error);

/* Starts or ends one on the user's request, and logs it. A thread completes the file; until it has, no other recording
 * can begin. A new file is named after the time, in `folder`, which is created (NULL: the current one). Only live
 * sources of `pairing` are recorded. */
void recording_toggle(recording *recording, const char *folder, const input_options *input, pairing *pairing);

/* Writes one line for people: "recording x.mkv, 12 s, 3.4 MB, 120.3 GB free". NULL if it is off. If it has failed, this
 * ends it, and recording_end fails later. */
const char *recording_describe(recording *recording, char *text, size_t size);

/* For source_options, with the recording as `of`. */
struct AVStream;
struct AVPacket;
void recording_tap(void *recording, int side, const struct AVStream *stream, const struct AVPacket *packet,
                   double lead);

#endif
