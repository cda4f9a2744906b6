/* Reads small files. */
#include "stereo/whole.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

char *sv_read_whole(const char *path, size_t most, size_t *size) {
    FILE *stream = fopen(path, "rbe");
    if (!stream) return NULL;
    char *text = malloc(most + 2);
    int failed = text ? 0 : ENOMEM;
    if (text) {
        errno = 0;
        *size = fread(text, 1, most + 1, stream);
        if (ferror(stream)) failed = errno ? errno : EIO;
        if (*size > most) failed = EFBIG;
        text[*size] = 0;
    }
    fclose(stream);
    if (!failed) return text;
    free(text);
    errno = failed;
    return NULL;
}
