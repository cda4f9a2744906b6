/* The text of --help. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include <stdio.h>

/* Prints it, from the tables that the program itself uses. The caller looks at the stream's errors. */
void help_print(FILE *stream);

#endif
