/* Snapshots: what the window shows, written in all forms by a thread of its own. The files of one begin with the same
 * stem, such as stereoview_000012, or stereoview_000012_2 if that is taken:
 *
 *   .view.png                the views as they are seen, with legend and names, without the cross of the mouse
 *   .color.png               the map in its colours, pixel by pixel
 *   .pfm, .png, .depth.png   as export_check describes them; .depth.png only where metres are known
 *   .ply                     the point cloud, in the colours of the left picture
 *   .left.png, .right.png    of a live source: the pictures, which nothing else keeps
 *   .calibration.yaml        the rig, if no file has it
 *   .yaml                    settings that match the same frame again
 *
 * The pictures also say in a text of one line what they were made with; maps are as -o writes them. All of the files
 * appear, or none is left. */
#ifndef APP_VIEWER_SNAPSHOT_H
#define APP_VIEWER_SNAPSHOT_H

#include "app/options/options.h"
#include "app/options/replay.h"
#include "capture/pair.h"
#include "render/view/view.h"
#include "stereo/rig.h"

/* What is to be written, and all that the files say of it, so that nothing may change it later. Owned: the pixels, the
 * maps and the references to the frames. Borrowed until snapshots_close: the strings of the options. */
typedef struct snapshot {
    sv_image seen;    /* SV_COLOUR8; data from malloc */
    sv_output maps;   /* from maps_alloc of sv_cpu */
    frame_pair pair;  /* that they were made of */
    sv_params params; /* by these */
    view_settings view;
    char inputs[1024]; /* their names, for people */
    replay_frames frames;
    options options;           /* which name the source and the calibration */
    bool live;                 /* the source cannot be read again */
    sv_rectification geometry; /* the rectification without its maps; {0}: not calibrated */
    bool has_rig;              /* no file has the rig: */
    sv_rig rig;
    char note[160]; /* where it comes from */
} snapshot;

/* Reads `seen` and `maps`: what has just been drawn in `area`, and map A (`which` 0) or B (1) of the view.
 * Errors: SV_FAILED when out of memory or if OpenGL fails; what it owns is freed by snapshot_free.
 * Thread: main, with the window's context current. */
sv_status snapshot_read(snapshot *snapshot, view *view, view_rect area, int which, sv_error *error);

/* Frees what it owns. Accepts {0}. */
void snapshot_free(snapshot *snapshot);

typedef struct snapshots snapshots;

/* Lifetime: the caller closes them with snapshots_close. */
snapshots *snapshots_open(void);

/* Hands over a snapshot. Its files are written soon, after those of earlier ones, and the log says so, or what went
 * wrong. False if too many wait; it is the caller's again then. */
bool snapshots_give(snapshots *snapshots, const snapshot *snapshot);

/* Writes what waits and frees the snapshots. Accepts NULL. */
void snapshots_close(snapshots *snapshots);

#endif
