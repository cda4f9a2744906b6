/* The table of backends: the only file of this folder that knows them. */
#include "stereo/stereo.h"

#include <stdio.h>
#include <string.h>

const sv_backend *const sv_backends[] = {&sv_cuda, &sv_cpu, NULL};

char *sv_name_backends(char *text, size_t size) {
    text[0] = 0;
    for (int i = 0; sv_backends[i]; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", !i ? "" : sv_backends[i + 1] ? ", " : " or ", sv_backends[i]->name);
    }
    return text;
}

sv_status sv_find_backend(const char *name, int device, const sv_backend **backend, sv_error *error) {
    char text[128];
    const bool any = !strcmp(name, "auto");
    sv_error why = {""};
    for (int i = 0; sv_backends[i]; i++) {
        if (!any && strcmp(name, sv_backends[i]->name)) continue;
        sv_status status = sv_backends[i]->probe(device, text, sizeof text, &why);
        if (status == SV_OK) {
            /* `make` has already reported a build without CUDA. */
            if (why.text[0])
                sv_log(SV_CUDA ? SV_LOG_INFO : SV_LOG_DEBUG, "running on the %s backend: %s", sv_backends[i]->name,
                       why.text);
            *backend = sv_backends[i];
            return SV_OK;
        }
        if (!any) return sv_fail(error, status, "the %s backend cannot run: %s", name, why.text);
    }
    if (!any)
        return sv_fail(error, SV_USAGE, "there is no backend '%s'; choose auto, %s", name,
                       sv_name_backends(text, sizeof text));
    return sv_fail(error, SV_NO_DEVICE, "no backend can run: %s", why.text);
}
