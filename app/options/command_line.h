/* Reads the command line. */
#ifndef APP_OPTIONS_COMMAND_LINE_H
#define APP_OPTIONS_COMMAND_LINE_H

#include "app/options/options.h"

/* Reads the command line and the settings file that it names. Options override the file, in any order.
 * Errors: SV_USAGE, with the option; SV_FAILED if the settings file is wrong.
 * Lifetime: `argv` must outlive the options; the caller frees what they own with options_free, also after an error. */
sv_status command_line_read(options *options, int argc, char **argv, sv_error *error);

#endif
