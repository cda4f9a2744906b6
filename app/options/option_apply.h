/* What each option of the command line does. */
#ifndef APP_OPTIONS_OPTION_APPLY_H
#define APP_OPTIONS_OPTION_APPLY_H

#include "app/options/option_table.h"
#include "app/options/options.h"

/* Sets what an option asks for. Lifetime: the options borrow its `count` values.
 * Errors: SV_USAGE with the option and what it takes. */
sv_status option_apply(options *options, const option *option, char **values, int count, sv_error *error);

#endif
