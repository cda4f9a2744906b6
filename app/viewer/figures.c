/* The figures of a session over the last seconds. */
#include "app/viewer/figures.h"

#include <stdio.h>

void figures_add(figures *f, figure which, double now, double value) {
    f->known[which] = true;
    trace_add(&f->traces[which], now, value);
}

void figures_count(figures *f, figure which, double now, long long total) {
    const long long more = total - f->totals[which];
    if (more <= 0) return;
    figures_add(f, which, now, (double)more);
    f->totals[which] = total;
}

void figures_describe(const figures *f, double now, panel_figures *s) {
    static const char *const names[FIGURE_COUNT] = {
        [FIGURE_CAPTURED] = "captured",
        [FIGURE_MATCHED] = "matched",
        [FIGURE_SHOWN] = "shown",
        [FIGURE_DECODE] = "decode",
        [FIGURE_DRAW] = "draw",
        [FIGURE_LATENCY] = "latency",
        [FIGURE_SKEW] = "skew",
        [FIGURE_LEFT_ALONE] = "no right partner",
        [FIGURE_RIGHT_ALONE] = "no left partner",
        [FIGURE_LATE] = "late",
        [FIGURE_BROKEN] = "broken",
    };
    s->now = now;
    s->count = 0;
    for (int i = 0; i < FIGURE_COUNT; i++) {
        if (!f->known[i]) continue;
        s->figures[s->count++] = (panel_figure){
            .name = names[i] ? names[i] : sv_stage_name(i - FIGURE_UPLOAD),
            .unit = i <= FIGURE_SHOWN       ? "/s"
                    : i < FIGURE_LEFT_ALONE ? "ms"
                                            : "",
            .trace = &f->traces[i],
            .counts = i >= FIGURE_LEFT_ALONE,
            .total = f->totals[i],
        };
    }
}

char *figures_describe_memory(const sv_footprint *memory, char *text, size_t size) {
    const double mega = 1e6, host = (double)memory->host / mega, device = (double)memory->device / mega;
    if (memory->device)
        snprintf(text, size, "%.0f MB on the GPU, %.0f MB in main memory", device, host);
    else
        snprintf(text, size, "%.0f MB in main memory", host);
    return text;
}
