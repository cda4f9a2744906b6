/* The words that options take as values: their messages and the shells' completion follow them. */
#ifndef APP_OPTIONS_OPTION_WORDS_H
#define APP_OPTIONS_OPTION_WORDS_H

#include "app/options/option_table.h"
#include "stereo/stereo.h"

/* Word `i` of the option, from 0 on; NULL after the last, or if the option takes other values. */
const char *option_word(option_id id, int i);

/* The number of that word, -1 if there is none. */
int option_word_of(option_id id, const char *text);

/* The error for a value that is none of the words.
 * Errors: SV_USAGE. */
sv_status option_refuse_word(const option *option, const char *text, sv_error *error);

#endif
