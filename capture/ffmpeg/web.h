/* A file on a web server, read through FFmpeg's protocols. Only capture/ffmpeg/container.c uses this. */
#ifndef CAPTURE_FFMPEG_WEB_H
#define CAPTURE_FFMPEG_WEB_H

#include <libavformat/avio.h>

/* Opens an address whose `protocols` (FFmpeg's names, separated by commas; copied) are allowed, and no others.
 *
 * A connection that breaks off before the end of the file is opened again where it broke off, if the server sends parts
 * of files. Connections that bring little are followed by pauses that double. After several such connections in a row,
 * reading fails with AVERROR(EIO), so that a server that announces more than it has is not asked forever; from then on
 * each seek connects once. `interrupt` ends any wait, with AVERROR_EXIT.
 *
 * Returns 0 or FFmpeg's error.
 * Lifetime: the caller closes it with web_close. */
int web_open(AVIOContext **out, const char *address, const char *protocols, AVIOInterruptCB interrupt);

/* Cleans up after web_open and sets `*io` to NULL. It may be NULL. */
void web_close(AVIOContext **io);

#endif
