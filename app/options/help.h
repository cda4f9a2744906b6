/* The text of --help, and of its entries for the manual page. */
#ifndef APP_OPTIONS_HELP_H
#define APP_OPTIONS_HELP_H

#include "app/options/option_table.h"
#include "render/window/input.h"
#include "stereo/quality.h"

#include <stdio.h>

/* Prints the text of --help from the program's tables, with these keys of the window. The caller checks the stream. */
void help_print(FILE *stream, const input_keys *keys);

/* Writes the text for a row of a table into HELP_BYTES; returns `text`. */
enum { HELP_BYTES = 512 };
const char *help_of_option(const option *option, char *text, size_t size);
const char *help_of_quality(const sv_quality *quality, char *text, size_t size);
const char *help_of_parameter(const sv_description *parameter, char *text, size_t size);

/* The placeholder for its value: "N", "X" or "WORD". A static string. */
const char *help_of_value(const sv_parameter *parameter);

/* What each exit status means, in lines. */
extern const char help_exit_status[];

#endif
