/* The program's log: lines on standard error; the latest one is kept for the window. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "stereo/stereo.h"

/* Makes text that contains names of files or addresses safe to display, in place: control characters (C0, DEL and C1)
 * and invalid UTF-8 become '?', passwords in addresses "***" (scheme://user:password@host, ?password=...).
 * Thread: any. */
void log_clean(char *text);

/* Installs the handler of sv_log and starts the thread that writes its lines, up to the level `most`, each in one write
 * of "stereoview: warning: ...". Repetitions of a line are counted and reported before the next different one. If 256
 * KB wait and nothing was read for two seconds, lines are left out and counted.
 * Thread: one, before others log. */
void log_start(sv_level most);

/* Shows the progress of a run in a last line, which log lines push down and a call at least half a second later
 * replaces; NULL removes it. Only on a terminal, and not with -q. Returns when that is written, or after two seconds in
 * which nothing was read. */
void log_progress(const char *line);

/* Reports pending repetitions and returns when all is written, or after two seconds in which nothing was read. Call it
 * before the program ends; what other threads log later may be lost.
 * Thread: any. */
void log_flush(void);

/* Logs at SV_LOG_INFO that `file` was written, and keeps its name with the line. */
void log_wrote(const char *file, const char *format, ...) SV_PRINTF(2, 3);

/* Copies the latest line that is not SV_LOG_DEBUG, and the file that log_wrote named with it, or "". Returns the number
 * of such lines so far.
 * Thread: any. */
unsigned log_latest(sv_level *level, char *line, size_t size, char *file, size_t file_size);

#endif
