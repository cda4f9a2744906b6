/* The files that the run reads: see inputs.h. */
#include "base/inputs.h"

#include "stereo/alloc.h"

#include <pthread.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct known {
    dev_t device;
    ino_t number;
    input_file file;
    char name[];
} known;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *tree; /* of `known`, for tsearch; guarded by the lock */

static int compare(const void *a, const void *b) {
    const known *x = a, *y = b;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Fills in device and inode; false for anything but a file. */
static bool identify(const char *name, known *as) {
    struct stat status;
    if (stat(name, &status) || !S_ISREG(status.st_mode)) return false;
    as->device = status.st_dev;
    as->number = status.st_ino;
    return true;
}

void inputs_add(const char *name, const char *reader) {
    const size_t length = strlen(name) + 1;
    known *k = sv_alloc(1, sizeof *k + length);
    memcpy(k->name, name, length);
    k->file = (input_file){k->name, reader};
    bool added = false;
    if (identify(name, k)) {
        pthread_mutex_lock(&lock);
        known *const *there = tsearch(k, &tree, compare);
        pthread_mutex_unlock(&lock);
        added = there && *there == k;
    }
    if (!added) free(k);
}

const input_file *inputs_find(const char *name) {
    known key;
    if (!identify(name, &key)) return NULL;
    pthread_mutex_lock(&lock);
    known *const *found = tfind(&key, &tree, compare);
    const input_file *file = found ? &(*found)->file : NULL;
    pthread_mutex_unlock(&lock);
    return file;
}

void inputs_forget(void) {
    pthread_mutex_lock(&lock);
    tdestroy(tree, free);
    tree = NULL;
    pthread_mutex_unlock(&lock);
}
