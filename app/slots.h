/* The buffers that maps go through on their way from the matcher to the view: pixel buffers of the view
 * that the backend writes into, or host memory that is copied into them where it cannot.
 *
 * Main thread only, with the window's context current. */
#ifndef APP_SLOTS_H
#define APP_SLOTS_H

#include "render/view.h"
#include "stereo/stereo.h"

typedef struct slots {
    const sv_backend *backend;
    view *view;
    int width, height;
    bool interop; /* the backend writes into OpenGL's buffers */
    struct {
        void *shared;   /* by the backend, with interop */
        bool mapped;    /* it belongs to the backend now */
        sv_output maps; /* in device memory while mapped; without interop, in host memory */
    } each[SV_OUTPUTS];
} slots;

/* For maps of width x height pixels; `view` has SV_OUTPUTS slots and outlives this. Where the backend
 * cannot share them the log says so once. */
sv_status slots_create(slots *slots, const sv_backend *backend, view *view, int width, int height, sv_error *error);

/* Gets a slot ready to be written; `output` is where. One that was written and not shown stays where it is. */
sv_status slots_lend(slots *slots, int slot, sv_output *output, sv_error *error);

/* Makes a slot that has been lent and written the one that the view draws. */
sv_status slots_show(slots *slots, int slot, sv_error *error);

/* No slot may be written any more. {0} is fine. */
void slots_destroy(slots *slots);

#endif
