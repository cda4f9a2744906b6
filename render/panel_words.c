/* What the panel says in words. */
#include "render/panel.h"

#include <stdio.h>
#include <string.h>

void panel_describe_map(const panel_state *s, char *text, size_t size) {
    const sv_params *q = s->shown ? s->shown : &s->params;
    const sv_parameter *tau = sv_find_parameter("tau");
    char width[32] = "";
    if (tau->methods >> q->method & 1) snprintf(width, sizeof width, ", tau %d", q->tau);
    snprintf(text, size, "%.0f fps shown, %.1f matched     %s on %s     rho %d%s, disparities %d:%d px", s->shown_rate,
             s->matched_rate, sv_method_name(q->method), s->backend ? s->backend : "?", q->rho, width, q->min_disparity,
             q->max_disparity);
}
