/* Which options go together. */
#ifndef APP_OPTIONS_OPTIONS_CHECK_H
#define APP_OPTIONS_OPTIONS_CHECK_H

#include "app/options/options.h"

/* Checks that options can be combined, and that parameters are valid.
 * Errors: SV_USAGE with the options. */
sv_status options_check(const options *options, sv_error *error);

/* Refuses outputs that hold one frame, with that status. */
sv_status options_refuse_plain_names(const options *options, sv_status status, sv_error *error);

#endif
