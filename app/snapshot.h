/* Snapshots: what the window shows, written in all forms by a thread of its own. The files of one begin with the same
 * stem, such as stereoview_000012, or stereoview_000012_2 if that is taken:
 *
 *   .view.png                the picture area as it is seen
 *   .color.png               the map in its colours, pixel by pixel
 *   .pfm, .png, .depth.png   as export_check describes them; .depth.png only where metres are known
 *   .ply                     the point cloud, in the colours of the left picture
 *   .left.png, .right.png    of a live source: the pictures, which nothing else keeps
 *   .calibration.yaml        the rig, if no file has it
 *   .yaml                    settings that match the same frame again
 *
 * The pictures also say in a text of one line what they were made with; maps are as -o writes them. All of the files
 * appear, or none is left. */
#ifndef APP_SNAPSHOT_H
#define APP_SNAPSHOT_H

#include "app/options.h"
#include "app/replay.h"
#include "capture/pair.h"
#include "stereo/rig.h"

/* What is to be written. Owned: the pixels, the maps and the references to the frames. */
typedef struct snapshot {
    sv_image seen;    /* SV_COLOUR8; data from malloc */
    sv_output maps;   /* from maps_alloc of sv_cpu */
    frame_pair pair;  /* that they were made of */
    sv_params params; /* by these */
    view_settings view;
    char inputs[256]; /* their names, for people */
    replay_frames frames;
} snapshot;

/* Frees what it owns. Accepts {0}. */
void snapshot_free(snapshot *snapshot);

typedef struct snapshots snapshots;

/* `options` and `rectification` (empty: not calibrated) are borrowed until snapshots_close. So are `rig`, which is
 * written too because no file has it, and `note`, on where it comes from; `rig` may be NULL. `live`: the source cannot
 * be read again.
 * Errors: SV_FAILED when out of memory or threads. */
sv_status snapshots_open(snapshots **out, const options *options, const sv_rectification *rectification,
                         const sv_rig *rig, const char *note, bool live, sv_error *error);

/* Hands over a snapshot. Its files are written soon, after those of earlier ones, and the log says so, or what went
 * wrong. False if too many wait; it is the caller's again then. */
bool snapshots_give(snapshots *snapshots, const snapshot *snapshot);

/* Writes what waits and frees the snapshots. Accepts NULL. */
void snapshots_close(snapshots *snapshots);

#endif
