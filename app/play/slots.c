/* The buffers that maps go through on their way from the matcher to the view. */
#include "app/play/slots.h"

#include "app/play/maps.h"

static void unregister(slots *s) {
    for (int i = 0; i < SV_OUTPUTS; i++) {
        if (s->each[i].shared) s->backend->share_unregister(s->each[i].shared);
        s->each[i].shared = NULL;
        s->each[i].mapped = false;
    }
}

sv_status slots_create(slots *s, const sv_backend *backend, int device, view *view, int first, int width, int height,
                       sv_error *error) {
    sv_error why = {""};
    *s = (slots){.backend = backend, .view = view, .first = first, .width = width, .height = height};
    s->interop = backend->share_register != NULL;
    for (int i = 0; i < SV_OUTPUTS && s->interop; i++)
        s->interop = backend->share_register(device, view_buffer(view, first + i), &s->each[i].shared, &why) == SV_OK;
    if (s->interop) return SV_OK;
    if (backend->share_register)
        sv_log(first ? SV_LOG_DEBUG : SV_LOG_INFO,
               "%s cannot write into OpenGL's buffers here (%s); maps are copied through host memory instead",
               backend->name, why.text);
    unregister(s);
    sv_status status = SV_OK;
    for (int i = 0; i < SV_OUTPUTS && status == SV_OK; i++)
        status = maps_alloc(backend, width, height, true, &s->each[i].maps, error);
    if (status != SV_OK) slots_destroy(s);
    return status;
}

sv_status slots_lend(slots *s, int slot, sv_output *output, sv_error *error) {
    sv_output *maps = &s->each[slot].maps;
    *output = *maps;
    if (!s->interop || s->each[slot].mapped) return SV_OK;
    void *memory;
    size_t bytes;
    sv_status status = s->backend->share_map(s->each[slot].shared, &memory, &bytes, error);
    if (status != SV_OK) return status;
    if (bytes < view_buffer_size(s->view))
        return sv_fail(error, SV_FAILED, "a shared pixel buffer has %zu bytes, not %zu", bytes,
                       view_buffer_size(s->view));
    s->each[slot].mapped = true;
    *output = *maps =
        maps_in(memory, view_reason_offset(s->view), view_confidence_offset(s->view), s->width, s->height, SV_DEVICE);
    return SV_OK;
}

sv_status slots_show(slots *s, int slot, bool has_confidence, sv_error *error) {
    const sv_output *maps = &s->each[slot].maps;
    sv_status status = s->interop ? s->backend->share_unmap(s->each[slot].shared, error)
                                  : view_write(s->view, s->first + slot, &maps->disparity, &maps->reason, error);
    if (status == SV_OK && has_confidence && !s->interop)
        status = view_write_confidence(s->view, s->first + slot, &maps->confidence, error);
    s->each[slot].mapped = false;
    if (status == SV_OK) view_show(s->view, s->first + slot);
    if (status == SV_OK && has_confidence) view_show_confidence(s->view, s->first + slot);
    return status;
}

void slots_destroy(slots *s) {
    unregister(s);
    for (int i = 0; i < SV_OUTPUTS && !s->interop; i++) maps_free(s->backend, &s->each[i].maps);
    *s = (slots){0};
}
