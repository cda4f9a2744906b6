/* What is shown over the picture in one line. */
#include "app/viewer/viewer_notice.h"

#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double shown_for = 4; /* seconds */

void viewer_notice_toggle_list(viewer_notice *n) { n->list->shown = !n->list->shown; }

bool viewer_notice_close_list(viewer_notice *n) {
    const bool shown = n->list->shown;
    n->list->shown = false;
    return shown;
}

void viewer_notice_set(viewer_notice *n, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(n->text, sizeof n->text, format, arguments);
    va_end(arguments);
    n->until = sv_seconds() + shown_for;
    n->is_error = false;
}

const char *viewer_notice_own_keys(const viewer_notice *n, input_action action) { return n->keys->of[action]; }

const char *viewer_notice_keys(const viewer_notice *n, input_action action) {
    const char *keys = n->keys->of[action];
    return *keys ? keys : "a button";
}

void viewer_notice_follow_log(viewer_notice *n) {
    sv_level level;
    char line[512], file[1024], words[sizeof n->text];
    const unsigned lines = log_latest(&level, line, sizeof line, file, sizeof file);
    if (lines != n->lines && level <= SV_LOG_INFO) {
        viewer_notice_set(n, "%s", messages_in_words(line, words, sizeof words));
        n->is_error = level == SV_LOG_ERROR;
        messages_add(&n->messages, n->list, words, file, level);
    }
    n->lines = lines;
}

void viewer_notice_skip_log(viewer_notice *n) {
    sv_level level;
    char line[512], file[1024], words[sizeof n->text];
    n->lines = log_latest(&level, line, sizeof line, file, sizeof file);
    messages_add(&n->messages, n->list, messages_in_words(line, words, sizeof words), file, level);
}

void viewer_notice_show(const viewer_notice *n, panel_message *m) {
    m->text = sv_seconds() < n->until ? n->text : NULL;
    m->is_error = n->is_error;
}

/* For tests, which cannot read a picture. */
static void log_change(viewer_notice *n, const char *text) {
    if (!strcmp(text, n->logged)) return;
    snprintf(n->logged, sizeof n->logged, "%s", text);
    if (*text)
        sv_log(SV_LOG_DEBUG, "message: %s", text);
    else
        sv_log(SV_LOG_DEBUG, "message ends");
}

void viewer_notice_choose(viewer_notice *n, pairing *pairing, player_state *player, const char *waits,
                          const char *recorded, panel_message *m) {
    const bool trouble = pairing_trouble(pairing, n->trouble, sizeof n->trouble);
    const bool noticed = sv_seconds() < n->until;
    log_clean(n->trouble);
    log_clean(player->error.text);
    m->text = player->failed           ? player->error.text
              : trouble                ? n->trouble
              : noticed && n->is_error ? n->text
              : waits                  ? waits
              : noticed                ? n->text
                                       : recorded;
    m->is_error = player->failed || trouble || (m->text == n->text && n->is_error);
    log_change(n, m->text ? m->text : "");
}
