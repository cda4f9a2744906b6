/* The table of options, and the words that some take as values. */
#include "app/options/option_table.h"

#include "app/options/rig_options.h"
#include "capture/split.h"
#include "rig/board.h"
#include "rig/board_print.h"
#include "stereo/quality.h"

#include <stdio.h>
#include <string.h>

const option option_table[] = {
#define OPTION(id, letter, name, values, value_names, help, rule)                                                      \
    {OPTION_##id, letter, name, values, value_names, help},
#include "app/options/options.def"
};

const option *option_find(const char *argument) {
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (!strncmp(argument, "--", 2)
                ? !strcmp(argument + 2, option_table[i].name)
                : option_table[i].letter && argument[1] == option_table[i].letter && !argument[2])
            return &option_table[i];
    }
    return NULL;
}

static const char *const lens_words[] = {
    [BOARD_LENS_5] = "5", [BOARD_LENS_8] = "8", [BOARD_LENS_FISHEYE] = "fisheye", NULL};
static const char *const paper_words[] = {[PAPER_A4] = "a4", [PAPER_LETTER] = "letter", NULL};
static const char *const rows_words[] = {[ROWS_AUTO] = "auto", [ROWS_OFF] = "off", NULL};
static const char *const decoder_words[] = {"cpu", "cuda", NULL};
static const char *const damaged_words[] = {"keep", "skip", NULL};
static const char *const unit_words[] = {"mm", "cm", "m", "in", NULL};

const char *option_word(option_id id, int i) {
    switch (id) {
    case OPTION_LAYOUT: return i < SPLIT_LAYOUT_COUNT ? split_layout_name(i) : i == SPLIT_LAYOUT_COUNT ? "auto" : NULL;
    case OPTION_UNIT: return unit_words[i];
    case OPTION_LENS: return lens_words[i];
    case OPTION_PAPER: return paper_words[i];
    case OPTION_ROWS: return rows_words[i];
    case OPTION_METHOD: return i < SV_METHOD_COUNT ? sv_method_name(i) : NULL;
    case OPTION_QUALITY: return i < SV_QUALITY_COUNT ? sv_quality_name(i) : NULL;
    case OPTION_BACKEND: return !i ? "auto" : sv_backends[i - 1] ? sv_backends[i - 1]->name : NULL;
    case OPTION_DECODER: return decoder_words[i];
    case OPTION_DAMAGED: return damaged_words[i];
    default: return NULL;
    }
}

int option_word_of(option_id id, const char *text) {
    for (int i = 0; option_word(id, i); i++)
        if (!strcmp(text, option_word(id, i))) return i;
    return -1;
}

sv_status option_refuse_word(const option *option, const char *text, sv_error *error) {
    const option_id id = option->id;
    char words[128] = "";
    for (int i = 0; option_word(id, i); i++) {
        const char *between = !i ? "" : option_word(id, i + 1) ? ", " : " or ";
        const size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s%s", between, option_word(id, i));
    }
    return sv_fail(error, SV_USAGE, "--%s takes %s, not '%s'", option->name, words, text);
}
