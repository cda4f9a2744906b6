/* What the command line names, opened. */
#ifndef APP_MEDIA_H
#define APP_MEDIA_H

#include "app/options.h"
#include "app/stats.h"
#include "capture/pair.h"
#include "stereo/rig.h"

/* Which sides are wanted in colour. May change while they are read; frames that are decoded ahead do not follow. */
typedef struct media_colour {
    atomic_bool left, right;
} media_colour;

/* The names of the demo's two files, each into `size` bytes. SV_FAILED if they are not there. */
sv_status media_find_demo(char *left, char *right, size_t size, sv_error *error);

/* Opens both sides and pairs them. `memory` is where frames are put; `colour` is borrowed until the pairing is closed,
 * which the caller does. Errors name the file. */
sv_status media_open(const options *options, pool_memory memory, const media_colour *colour, pairing **out,
                     sv_error *error);

/* The next pair that --frames names; its decoding and the wait for it go into the statistics. SV_END after
 * the last one. The caller releases it. */
sv_status media_next(pairing *pairing, const options *options, stats *stats, frame_pair *pair, sv_error *error);

/* When a pair was captured, by sv_seconds: live, when it was taken; from a file, when it was decoded. */
double media_capture_time(const pairing *pairing, const frame_pair *pair);

/* What of a pair goes into the matcher: colour if both sides have it. */
sv_pair media_pictures(const frame_pair *pair);

/* Whether a side is wanted in colour that this pair does not have. */
bool media_lacks_colour(const frame_pair *pair, const media_colour *colour);

/* Follows --calibration: one log line says what came of it. Empty without; the caller frees it. SV_FAILED also if depth
 * is to be written and the file gives no metres. */
sv_status media_rectify(const options *options, const pairing *pairing, sv_rectification *rectification,
                        sv_error *error);

/* The matcher for its pictures. `rectification`: of media_rectify; the matcher keeps it. */
sv_status media_create_matcher(const options *options, const sv_backend *backend, const pairing *pairing,
                               const sv_rectification *rectification, sv_matcher **matcher, sv_error *error);

/* What was dropped so far, by cause, and of live sources how far apart the pictures of a pair are: into the statistics
 * and returned. */
pairing_counts media_count(stats *stats, pairing *pairing);

/* Tells the statistics what is run, for these parameters. */
sv_status media_set_subject(stats *stats, const sv_backend *backend, const sv_params *params, const source_info *info,
                            sv_error *error);

#endif
