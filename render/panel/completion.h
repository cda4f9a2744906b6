/* Typing the name of a file: the folder that is listed for it, what is added to it, and what a choice makes of it. */
#ifndef RENDER_PANEL_COMPLETION_H
#define RENDER_PANEL_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>

/* Splits what is typed into the folder, which is written with its slash ("" for a name without one, "~/" becomes the
 * home folder), and the beginning of a name in it, which is returned. */
const char *completion_split(const char *typed, char *folder, size_t size);

/* True if a name begins as typed, in letters of either case. */
bool completion_fits(const char *name, const char *beginning);

/* Writes what all of the names have in common that begin as typed: for one name, all of it. Returns how many there are;
 * 0: `common` is "". */
int completion_common(const char *const *names, int count, const char *beginning, char *common, size_t size);

/* Writes the folder above, with its slash: "/a/b/" becomes "/a/", "a/" becomes "", "/" stays; "" and "../" get one more
 * "../". */
void completion_parent(const char *folder, char *parent, size_t size);

#endif
