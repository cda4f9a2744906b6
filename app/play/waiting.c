/* Reports what the window waits for. */
#include "app/play/waiting.h"

#include <stdio.h>
#include <string.h>

/* Seconds after which a match is worth mentioning. */
static const double worth_reporting = 0.3;

/* Appends the parameters of `to` that differ from those of `from`: "rho 0, tau 3". */
static void list_changes(const sv_params *from, const sv_params *to, char *text, size_t size) {
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        const size_t used = strlen(text);
        char value[SV_VALUE_BYTES];
        if (!sv_uses(to->method, p) || sv_get(from, p) == sv_get(to, p)) continue;
        snprintf(text + used, size - used, "%s%s %s", used ? ", " : "", p->name, sv_print(to, p, value, sizeof value));
    }
}

/* Describes how the parameters of a match differ from those of the map that is shown: the method, or the values. */
static void describe_changes(const sv_params *from, const sv_params *to, char *text, size_t size) {
    if (!from || from->method != to->method)
        snprintf(text, size, "%s", sv_method_name(to->method));
    else
        list_changes(from, to, text, size);
}

bool waiting_describe(const sv_params *shown, const sv_params *second, const player_state *player, double now,
                      char *line, size_t size) {
    const double seconds = now - player->since;
    char changes[200] = "", of_second[200] = "";
    if (player->failed || player->ended) return false;
    if (!shown && !player->matching) {
        snprintf(line, size, "waiting for the first pictures");
        return true;
    }
    if (!player->matching || (shown && seconds < worth_reporting)) return false;
    describe_changes(shown, &player->params, changes, sizeof changes);
    if (player->compares && shown) describe_changes(second, &player->second_params, of_second, sizeof of_second);
    if (!changes[0] && !of_second[0]) return false;
    snprintf(line, size, "matching%s: %s%s%s%s, %.1f s", shown ? "" : " the first pair", changes,
             changes[0] && of_second[0] ? ", " : "", of_second[0] ? "B " : "", of_second, seconds);
    return true;
}
