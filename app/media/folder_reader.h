/* Lists a folder in a thread of its own, because one on a network may take long to answer.
 * Thread: one, for all functions. */
#ifndef APP_MEDIA_FOLDER_READER_H
#define APP_MEDIA_FOLDER_READER_H

#include "stereo/stereo.h"

typedef struct folder_entry {
    char *name; /* without the folder */
    bool is_folder;
} folder_entry;

/* What a folder holds: folders first, each in the order of numbers and letters, without hidden files. */
typedef struct folder_list {
    folder_entry *entries;
    int count;
    sv_status status; /* SV_OK, or SV_FAILED if the folder cannot be read, with */
    sv_error error;   /* the reason */
} folder_list;

enum { FOLDER_MOST = 20000 }; /* entries that are listed; further ones are left out */

typedef struct folder_reader folder_reader;

/* Begins to read a folder. The thread calls `news` when it has.
 * Lifetime: the caller closes it with folder_reader_close. */
folder_reader *folder_reader_open(const char *path, void (*news)(void));

/* What the folder holds, NULL until it has been read.
 * Lifetime: valid until folder_reader_close. */
const folder_list *folder_reader_list(folder_reader *reader);

/* Does not wait for a read that is under way. Accepts NULL. */
void folder_reader_close(folder_reader *reader);

#endif
