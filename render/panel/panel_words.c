/* What the panel says in words. */
#include "render/panel/panel_words.h"

#include "render/panel/panel_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *panel_theme_name(int theme) {
    static const char *const names[PANEL_THEME_COUNT] = {"dark", "light"};
    return theme >= 0 && theme < PANEL_THEME_COUNT ? names[theme] : "?";
}

void panel_describe_map(const panel_status *s, char *text, size_t size) {
    const sv_params *q = s->params;
    const bool searches = !sv_methods[q->method].runs_model;
    const double from = searches ? q->min_disparity : floorf(s->range[0]);
    const double to = searches ? q->max_disparity : ceilf(s->range[1]);
    char speed[48] = "", rates[96] = "";
    if (s->of_real_time >= 0.095)
        snprintf(speed, sizeof speed, " (%.2fx of real time)", s->of_real_time);
    else if (s->of_real_time > 0)
        snprintf(speed, sizeof speed, " (1/%.0f of real time)", 1 / s->of_real_time);
    if (!s->still)
        snprintf(rates, sizeof rates, "%.0f fps shown, %.1f matched%s     ", s->shown_rate, s->matched_rate, speed);
    else if (s->match_ms > 0 && !s->sets[0])
        snprintf(rates, sizeof rates, "matched in %.*f ms     ", s->match_ms < 10, s->match_ms);
    if (s->sets[0] && s->sets[1]) {
        snprintf(text, size, "%s%s     %s     disparities %.0f:%.0f px", rates, s->sets[0], s->sets[1], from, to);
        return;
    }
    snprintf(text, size, "%s%s on %s     disparities %.0f:%.0f px", rates, sv_method_name(q->method),
             s->backend ? s->backend : "?", from, to);
}

void panel_describe_values(const histogram *h, char *text, size_t size) {
    *text = 0;
    if (!h || h->pixels < 1) return;
    const double values = h->values > 0 ? h->values : 1;
    const int length = snprintf(text, size, "%.1f %% with a value", 100.0 * h->values / h->pixels);
    if (!h->unlimited)
        snprintf(text + length, size - (size_t)length, ", %.1f %% of them at %d px", 100 * h->largest / values,
                 h->min + h->count - 1);
}

const char *panel_unit_of_costs(int method) {
    return sv_methods[method].sums_squares ? " grey²" : sv_methods[method].correlates ? " correlation" : "";
}

/* The byte at which character `count` of the text begins; continuation bytes of UTF-8 begin none. */
static size_t place_of(const char *text, int count) {
    size_t at = 0;
    for (; text[at] && count > 0; count--)
        for (at++; ((unsigned char)text[at] & 0xc0) == 0x80;) at++;
    return at;
}

void panel_shorten(const char *text, int most, char *shown, size_t size) {
    static const char dots[] = "...";
    int characters = 0;
    for (const char *c = text; *c; c++) characters += ((unsigned char)*c & 0xc0) != 0x80;
    if (characters <= most) {
        snprintf(shown, size, "%s", text);
        return;
    }
    const int kept = most > 4 ? most - 3 : 1, begin = kept > 1 ? (kept - 1) / 3 : 1;
    snprintf(shown, size, "%.*s%s%s", (int)place_of(text, begin), text, dots,
             text + place_of(text, characters - (kept - begin)));
}

bool panel_spans_decades(const sv_parameter *p) { return p->min >= 0 && p->max > 1000; }

void panel_move_range(sv_params *params, int min, int max) {
    const int most = SV_MAX_DISPARITIES - 1;
    if (max - min > most && min != params->min_disparity) max = min + most;
    if (max - min > most) min = max - most;
    sv_set(params, sv_find_parameter("min-disparity"), min);
    sv_set(params, sv_find_parameter("max-disparity"), max);
}

void panel_describe_parameter(const sv_params *params, const sv_parameter *p, char *text, size_t size) {
    const sv_params defaults = sv_window_params((sv_method)params->method);
    const bool slides = p->kind == SV_INTEGER || p->kind == SV_REAL;
    char range[96], initial[32];
    snprintf(text, size, "%s\n%s%s%s\ndefault %s (right click)%s\n--%s", p->help,
             sv_print_range(p, range, sizeof range), p->unit ? " " : "", p->unit ? p->unit : "",
             sv_print(&defaults, p, initial, sizeof initial), slides ? "; Ctrl+click to type a value" : "", p->name);
}
