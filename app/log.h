/* The program's log: lines on standard error, and the latest of them for the window. */
#ifndef APP_LOG_H
#define APP_LOG_H

#include "stereo/stereo.h"

/* Makes text that holds names of files or addresses fit to be shown, in its place: control characters (C0, DEL and C1)
 * and bytes that are no UTF-8 become '?', passwords of addresses "***" (scheme://user:password@host, ?password=...). */
void log_clean(char *text);

/* Takes over sv_log. Lines above `most` in sv_level's order are left out of standard error: SV_LOG_ERROR for
 * -q, SV_LOG_INFO by default, SV_LOG_DEBUG for -v. Each line is one write of "stereoview: warning: ..."; the
 * same line again is counted, and told when another one comes. Call before any thread is started. */
void log_start(sv_level most);

/* Shows how far a run is, in a last line that the next call replaces and that lines of the log push on; NULL takes it
 * away. Only where standard error is a terminal, and not with -q. */
void log_progress(const char *line);

/* Tells how often the last line was repeated, if it was, and gives sv_log back. Call after all threads have ended. */
void log_stop(void);

/* Copies out the latest line that is not SV_LOG_DEBUG, for the window's message line. Returns how many such
 * lines there were, 0 if none, so that a change can be seen. Any thread. */
unsigned log_latest(sv_level *level, char *line, size_t size);

#endif
