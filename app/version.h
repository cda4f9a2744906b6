/* The text of --version. */
#ifndef APP_VERSION_H
#define APP_VERSION_H

#include <stdio.h>

/* Prints the version, the backends and whether they can run here, the methods, and the libraries that are used. */
void version_print(FILE *stream);

#endif
