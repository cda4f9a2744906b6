/* Reads small files. */
#include "stereo/whole.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

char *sv_read_whole(const char *path, size_t most, size_t *size) {
    FILE *stream = fopen(path, "rbe");
    if (!stream) return NULL;
    char *text = NULL;
    size_t used = 0;
    int failed = 0;
    /* The buffer grows with what is read, up to one byte more than the limit: that byte shows that the file is too
     * large. */
    for (size_t room = 0; used == room && used <= most && !failed;) {
        room = room ? 2 * room : 4096;
        if (room > most) room = most + 1;
        char *more = realloc(text, room + 1);
        if (!more) {
            failed = ENOMEM;
            break;
        }
        text = more;
        errno = 0;
        used += fread(text + used, 1, room - used, stream);
        if (ferror(stream)) failed = errno ? errno : EIO;
    }
    fclose(stream);
    if (used > most) failed = EFBIG;
    if (!failed) {
        text[used] = 0;
        *size = used;
        return text;
    }
    free(text);
    errno = failed;
    return NULL;
}
