/* The buffers that pass maps from the matcher to the view: pixel buffers of the view that the backend writes into or,
 * if it cannot, host memory that is copied into them.
 * Thread: main, with the window's context current. */
#ifndef APP_PLAY_SLOTS_H
#define APP_PLAY_SLOTS_H

#include "render/view/view.h"
#include "stereo/stereo.h"

typedef struct slots {
    const sv_backend *backend;
    view *view;
    int first; /* slot 0 is this one of the view */
    int width, height;
    bool interop;                 /* the backend writes into OpenGL's buffers */
    sv_shared shared[SV_OUTPUTS]; /* with interop: what they are made of */
    sv_output maps[SV_OUTPUTS];
} slots;

/* Creates the slots for maps of width x height pixels that a matcher on that device writes: those from `first` on of
 * `view`. If the backend cannot share them, this is logged.
 * Errors: SV_FAILED when out of memory or if the backend or OpenGL fails.
 * Lifetime: `view` must outlive the slots; the caller destroys them with slots_destroy. */
sv_status slots_create(slots *slots, const sv_backend *backend, int device, view *view, int first, int width,
                       int height, sv_error *error);

/* Where a slot is written to. Waits until OpenGL has read what was shown of it. */
sv_output slots_lend(slots *slots, int slot);

/* Makes the view draw a slot that was lent and written, with its confidence if it has one that was written.
 * Errors: SV_FAILED if OpenGL fails. */
sv_status slots_show(slots *slots, int slot, bool has_confidence, sv_error *error);

/* Frees the slots, none of which may be written any more. Accepts {0}, and those that slots_create has failed to
 * create. */
void slots_destroy(slots *slots);

#endif
