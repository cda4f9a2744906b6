/* The options of the command line, which options.def lists, and the words that some take as values. */
#ifndef APP_OPTIONS_OPTION_TABLE_H
#define APP_OPTIONS_OPTION_TABLE_H

#include "stereo/stereo.h"

typedef enum option_id {
#define OPTION(id, ...) OPTION_##id,
#include "app/options/options.def"
    OPTION_COUNT /* how many there are */
} option_id;

typedef struct option {
    option_id id;
    char letter;             /* 0: none */
    const char *name;        /* without dashes */
    int values;              /* how many arguments follow; -c and --align may have one more */
    const char *value_names; /* in --help and messages; "" without values */
    const char *help;
} option;

extern const option option_table[OPTION_COUNT]; /* in the order of --help */

/* The option that an argument names, such as "-f" or "--files"; NULL if there is none. */
const option *option_find(const char *argument);

/* Word `i` of those that the option takes, from 0 on, also for the shells' completion; NULL after the last. */
const char *option_word(option_id id, int i);

/* The number of that word, -1 if there is none. */
int option_word_of(option_id id, const char *text);

/* The error for a value that is none of the words.
 * Errors: SV_USAGE. */
sv_status option_refuse_word(const option *option, const char *text, sv_error *error);

#endif
