/* The buffers that maps go through on their way from the matcher to the view. */
#include "app/play/slots.h"

#include "app/play/maps.h"

/* Makes the view's buffer of a slot of memory that the backend writes into. */
static sv_status share(slots *s, int device, int slot, sv_error *error) {
    sv_shared *shared = &s->shared[slot];
    sv_status status = s->backend->share(device, view_buffer_size(s->view), shared, error);
    if (status != SV_OK) return status;
    s->maps[slot] = maps_in(shared->memory, view_reason_offset(s->view), view_confidence_offset(s->view), s->width,
                            s->height, SV_DEVICE);
    return view_import(s->view, s->first + slot, shared->file, shared->bytes, error);
}

/* Gives the view its own buffers again. */
static void unshare(slots *s) {
    for (int i = 0; i < SV_OUTPUTS; i++) {
        if (!s->shared[i].memory) continue;
        view_release(s->view, s->first + i);
        s->backend->unshare(&s->shared[i]);
        s->maps[i] = (sv_output){0};
    }
}

sv_status slots_create(slots *s, const sv_backend *backend, int device, view *view, int first, int width, int height,
                       sv_error *error) {
    sv_error why = {""};
    *s = (slots){.backend = backend, .view = view, .first = first, .width = width, .height = height};
    s->interop = backend->share != NULL;
    for (int i = 0; i < SV_OUTPUTS && s->interop; i++) s->interop = share(s, device, i, &why) == SV_OK;
    if (s->interop) return SV_OK;
    if (backend->share)
        sv_log(first ? SV_LOG_DEBUG : SV_LOG_INFO,
               "%s cannot write into OpenGL's buffers here (%s); maps are copied through host memory instead",
               backend->name, why.text);
    unshare(s);
    sv_status status = SV_OK;
    for (int i = 0; i < SV_OUTPUTS && status == SV_OK; i++)
        status = maps_alloc(backend, width, height, true, &s->maps[i], error);
    if (status != SV_OK) slots_destroy(s);
    return status;
}

sv_output slots_lend(slots *s, int slot) {
    view_finish(s->view, s->first + slot);
    return s->maps[slot];
}

sv_status slots_show(slots *s, int slot, bool has_confidence, sv_error *error) {
    const sv_output *maps = &s->maps[slot];
    sv_status status =
        s->interop ? SV_OK : view_write(s->view, s->first + slot, &maps->disparity, &maps->reason, error);
    if (status == SV_OK && has_confidence && !s->interop)
        status = view_write_confidence(s->view, s->first + slot, &maps->confidence, error);
    if (status == SV_OK) view_show(s->view, s->first + slot);
    if (status == SV_OK && has_confidence) view_show_confidence(s->view, s->first + slot);
    return status;
}

void slots_destroy(slots *s) {
    unshare(s);
    for (int i = 0; i < SV_OUTPUTS && !s->interop; i++) maps_free(s->backend, &s->maps[i]);
    *s = (slots){0};
}
