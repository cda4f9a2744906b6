/* Opens the sources that the command line names. */
#ifndef APP_MEDIA_MEDIA_H
#define APP_MEDIA_MEDIA_H

#include "app/options/options.h"
#include "base/stats.h"
#include "capture/pair.h"
#include "stereo/rig.h"

/* Which sides need colour. May change while they are read; frames that are already decoded do not follow. */
typedef struct media_colour {
    atomic_bool left, right;
} media_colour;

/* Opens both sides and pairs them; stores in the options how one stream holds both (views_find). A benchmark repeats a
 * few frames of a rendered scene. `memory` allocates the frames.
 * Errors: SV_FAILED, SV_USAGE or SV_NO_DEVICE, with the name of the source.
 * Lifetime: the caller closes the pairing; `colour` must stay valid until then. */
sv_status media_open(options *options, pool_memory memory, const media_colour *colour, pairing **out, sv_error *error);

/* Opens the same sources once more, in addition to the pairing `open` and with its offset; media_open has completed
 * their options. Logs nothing that media_open has logged already.
 * Errors, lifetime: as media_open. */
sv_status media_open_again(const options *options, pool_memory memory, const media_colour *colour, pairing *open,
                           pairing **out, sv_error *error);

/* Opens a file, an address or a camera, whose pictures may hold one view or both.
 * Errors: as media_open.
 * Lifetime: the caller closes the source. */
sv_status media_open_one(const options *options, const char *name, const source_options *how, source **out,
                         sv_error *error);

/* How many frames there are from range->first on; INT64_MAX if that is not known. */
int64_t media_frames(const frame_range *range, const source_info *info);

/* Reads the next pair of the range; its time of decoding and the wait for it go into the statistics.
 * Errors: SV_END after the last pair; SV_FAILED when a side failed.
 * Lifetime: the caller releases the pair. */
sv_status media_next(pairing *pairing, const frame_range *range, stats *stats, frame_pair *pair, sv_error *error);

/* The time, by sv_seconds, at which a pair was captured: live, when it was taken; from a file, when it was decoded. */
double media_capture_time(const pairing *pairing, const frame_pair *pair);

/* The pictures of a pair for the matcher of the device that they may be on, with colour if both sides have it. Its
 * number is that of the left frame. */
sv_pair media_pictures(const frame_pair *pair);

/* The same in host memory. */
sv_pair media_host_pictures(const frame_pair *pair);

/* True if the pair lacks colour on a side that needs it. */
bool media_lacks_colour(const frame_pair *pair, const media_colour *colour);

/* Computes the rectification for --calibration or, without a file, of rectified pictures with --baseline (fov.h), and
 * logs it in one line. Without either, and with --align or --calibrate, it is empty.
 * Errors: SV_FAILED, also if depth is to be written and the file gives no metres; those of fov_check.
 * Lifetime: the caller frees the rectification. */
sv_status media_rectify(const options *options, const pairing *pairing, sv_rectification *rectification,
                        sv_error *error);

/* Returns the drops so far, with those of `others`, and, for live sources, the time difference within pairs; also
 * stores them in the statistics. */
pairing_counts media_count(stats *stats, pairing *pairing, const pairing_counts *others);

#endif
