/* Says what the window waits for. */
#include "app/waiting.h"

#include <stdio.h>
#include <string.h>

/* Seconds after which a match is worth telling of. */
static const double patience = 0.3;

/* Appends the parameters of `to` that differ from those of `from`: "rho 0, tau 3". */
static void list_changes(const sv_params *from, const sv_params *to, char *text, size_t size) {
    for (int i = 0; i < sv_parameter_count; i++) {
        const sv_parameter *p = &sv_parameters[i];
        const size_t used = strlen(text);
        char value[32];
        if (!(p->methods >> to->method & 1) || sv_get(from, p) == sv_get(to, p)) continue;
        snprintf(text + used, size - used, "%s%s %s", used ? ", " : "", p->name, sv_print(to, p, value, sizeof value));
    }
}

bool waiting_describe(const sv_params *shown, const player_state *player, double now, char *line, size_t size) {
    const double seconds = now - player->since;
    char changes[200] = "";
    if (player->failed || player->ended) return false;
    if (!shown && !player->matching) {
        snprintf(line, size, "waiting for the first pictures");
        return true;
    }
    if (!player->matching || (shown && seconds < patience)) return false;
    if (!shown || shown->method != player->params.method)
        snprintf(changes, sizeof changes, "%s", sv_method_name(player->params.method));
    else
        list_changes(shown, &player->params, changes, sizeof changes);
    if (!changes[0]) return false;
    snprintf(line, size, "matching%s: %s, %.1f s", shown ? "" : " the first pair", changes, seconds);
    return true;
}
