/* What several parts of the program ask of the options. */
#include "app/options/options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool input_is_named(const input_options *o) {
    return o->left || o->whole || o->cameras.names[0] || o->demo || o->synthetic_width > 0;
}

bool input_is_files(const input_options *o) { return o->left || o->whole || o->demo; }

sv_status options_refuse_nothing(sv_error *error) {
    return sv_fail(error, SV_USAGE,
                   "nothing to show: name two files or folders (LEFT RIGHT), one with both pictures (-s FILE), cameras "
                   "(-c LEFT RIGHT) or --demo");
}

bool options_have_new_settings(const options *o) {
    return o->settings && !o->run.headless && access(o->settings, F_OK);
}

/* Logs the parameters that the command line sets but the method does not use. */
static void remark_unused(const options *o) {
    const int method = o->match.params.method;
    char unused[256] = "";
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        if (!(o->match.given >> i & 1) || sv_uses(method, p)) continue;
        char methods[64];
        sv_print_methods(p, methods, sizeof methods);
        snprintf(unused + strlen(unused), sizeof unused - strlen(unused), "%s--%s (of %s)", unused[0] ? ", " : "",
                 p->name, methods);
    }
    /* In the window, a key selects another method. */
    if (unused[0])
        sv_log(o->run.headless ? SV_LOG_WARNING : SV_LOG_INFO, "%s does not use %s", sv_method_name(method), unused);
}

void options_remark(const options *o) {
    if (options_have_new_settings(o))
        sv_log(SV_LOG_INFO, "%s does not exist yet; save it from 'Settings' in the window", o->settings);
    remark_unused(o);
}

void options_free(options *o) { settings_free_source(&o->in_settings); }

/* ---- Parts of a run ---------------------------------------------------------------------------- */

sv_status share_parse(share *s, const char *text, sv_error *error) {
    enum { MOST = 1000000 };
    char beyond;
    if (sscanf(text, "%7d/%7d%c", &s->number, &s->count, &beyond) == 2 && s->number >= 1 && s->number <= s->count &&
        s->count <= MOST)
        return SV_OK;
    return sv_fail(error, SV_USAGE, "--shard takes I/N, part I of N: 1/4, 2/4, 3/4 or 4/4, not '%s'", text);
}

void share_narrow(const share *s, int64_t *first, int64_t *end) {
    if (!s->count || *end <= *first) return;
    const int64_t begin = *first, whole = (*end - begin) / s->count, rest = (*end - begin) % s->count;
    /* The first `rest` parts have one item more. */
    const int64_t before = s->number - 1;
    *first = begin + before * whole + (before < rest ? before : rest);
    *end = *first + whole + (before < rest);
}
