/* Lists a folder in a thread of its own. */
#include "app/media/folder_reader.h"

#include "base/places.h"
#include "stereo/alloc.h"
#include "stereo/worker.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct folder_reader {
    char *path;
    void (*news)(void);
    folder_list list;
    sv_worker worker;
    bool done; /* guarded by its lock: `list` is complete, and does not change any more */
};

static bool is_folder(const char *folder, const struct dirent *entry) {
    char path[PLACES_BYTES];
    struct stat status;
    if (entry->d_type != DT_UNKNOWN && entry->d_type != DT_LNK) return entry->d_type == DT_DIR;
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

static int by_name(const void *a, const void *b) {
    const folder_entry *first = a, *second = b;
    if (first->is_folder != second->is_folder) return first->is_folder ? -1 : 1;
    return strverscmp(first->name, second->name);
}

static void read_entries(folder_reader *r, DIR *folder) {
    folder_list *l = &r->list;
    int room = 0;
    for (const struct dirent *entry;
         l->count < FOLDER_MOST && !sv_worker_stops(&r->worker) && (entry = readdir(folder));) {
        if (*entry->d_name == '.') continue;
        if (l->count == room) {
            room = room ? 2 * room : 64;
            l->entries = sv_realloc(l->entries, (size_t)room, sizeof *l->entries);
        }
        l->entries[l->count++] =
            (folder_entry){.name = sv_strdup(entry->d_name), .is_folder = is_folder(r->path, entry)};
    }
    if (l->count) qsort(l->entries, (size_t)l->count, sizeof *l->entries, by_name);
}

static void *run(void *argument) {
    folder_reader *r = argument;
    DIR *folder = opendir(r->path);
    if (folder)
        read_entries(r, folder);
    else
        r->list.status = sv_fail(&r->list.error, SV_FAILED, "%s: %s", r->path, strerror(errno));
    if (folder) closedir(folder);
    pthread_mutex_lock(&r->worker.lock);
    r->done = true;
    if (!r->worker.stops) r->news();
    while (!r->worker.stops) pthread_cond_wait(&r->worker.changed, &r->worker.lock);
    pthread_mutex_unlock(&r->worker.lock);
    sv_worker_free(&r->worker);
    for (int i = 0; i < r->list.count; i++) free(r->list.entries[i].name);
    free(r->list.entries);
    free(r->path);
    free(r);
    return NULL;
}

folder_reader *folder_reader_open(const char *path, void (*news)(void)) {
    folder_reader *r = sv_alloc(1, sizeof *r);
    *r = (folder_reader){.path = sv_strdup(path), .news = news};
    sv_worker_start(&r->worker, run, r);
    return r;
}

const folder_list *folder_reader_list(folder_reader *r) {
    pthread_mutex_lock(&r->worker.lock);
    const bool done = r->done;
    pthread_mutex_unlock(&r->worker.lock);
    return done ? &r->list : NULL;
}

void folder_reader_close(folder_reader *r) {
    if (r) sv_worker_abandon(&r->worker);
}
