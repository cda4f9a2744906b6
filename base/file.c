/* Files that appear whole or not at all. */
#include "base/file.h"

#include "base/inputs.h"
#include "base/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

sv_status file_failed(const char *verb, const char *path, sv_error *error) {
    const char *reason = strerror(errno), *advice = "";
    if (errno == ENOENT && !strcmp(verb, "write")) {
        reason = "its folder does not exist";
        advice = "; make it first";
    }
    if (errno == ENOSPC || errno == EDQUOT) advice = "; free some space or use another disk";
    if (errno == EACCES || errno == EPERM || errno == EROFS) advice = "; change its permissions or use another folder";
    if (errno == EMFILE || errno == ENFILE) advice = "; ulimit -n raises the limit";
    return sv_fail(error, SV_FAILED, "cannot %s %s: %s%s", verb, path, reason, advice);
}

/* The names of all temporary files. Whoever takes a name out may free it. */
enum { MOST_AT_ONCE = 16 };
static _Atomic(char *) temporaries[MOST_AT_ONCE];
static atomic_bool discarded; /* the program is ending: all are removed, and no new one may be made */
static atomic_int being_made; /* files that are just being made */

static bool exchange(char *name, char *other) {
    for (int i = 0; i < MOST_AT_ONCE; i++) {
        char *expected = name;
        if (atomic_compare_exchange_strong(&temporaries[i], &expected, other)) return true;
    }
    return false;
}

/* A file that is being made cannot be removed before it is there. A disk that does not answer is not waited for, nor is
 * the thread that a signal has interrupted while it made a file. */
static void wait_for_new_files(void) {
    const struct timespec nap = {.tv_nsec = 10000000};
    for (int naps = 0; naps < 200 && atomic_load(&being_made) > 0; naps++) nanosleep(&nap, NULL);
}

void file_discard_all(void) {
    atomic_store(&discarded, true);
    wait_for_new_files();
    for (int i = 0; i < MOST_AT_ONCE; i++) {
        const char *name = atomic_exchange(&temporaries[i], NULL);
        if (name) unlink(name);
    }
}

static void free_temporary(file_writer *writer) {
    if (writer->temporary && exchange(writer->temporary, NULL)) free(writer->temporary);
    writer->temporary = NULL;
}

/* Frees the writer's memory; the stream is closed already. */
static void forget(file_writer *writer) {
    free(writer->path);
    free_temporary(writer);
    *writer = (file_writer){0};
}

/* Makes a new file, unless the program is ending. Returns -1, with errno, otherwise. */
static int make_file(const char *name, mode_t mode) {
    int descriptor = -1;
    atomic_fetch_add(&being_made, 1); /* before the question, so that file_discard_all waits or this makes no file */
    if (atomic_load(&discarded))
        errno = EINTR;
    else
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    atomic_fetch_sub(&being_made, 1);
    return descriptor;
}

/* Opens a new file beside writer->path. Its name is short, because the path's own may have the greatest length. */
static int open_temporary(file_writer *writer, mode_t mode) {
    static atomic_uint serial;
    const char *slash = strrchr(writer->path, '/');
    const int folder = slash ? (int)(slash - writer->path) + 1 : 0;
    int descriptor;
    do { /* A name that exists was left by a process that was killed. */
        free_temporary(writer);
        if (asprintf(&writer->temporary, "%.*s.stereoview-%ld-%u.tmp", folder, writer->path, (long)getpid(),
                     atomic_fetch_add(&serial, 1)) < 0) {
            writer->temporary = NULL;
            errno = ENOMEM;
            return -1;
        }
        if (!exchange(NULL, writer->temporary)) {
            free(writer->temporary);
            writer->temporary = NULL;
            errno = EMFILE;
            return -1;
        }
        descriptor = make_file(writer->temporary, mode);
    } while (descriptor < 0 && errno == EEXIST);
    return descriptor;
}

/* Opens a device or a pipe. A pipe waits for its reader until the program is asked to end, and from then on blocks
 * nothing. */
static int open_in_place(const char *path, bool pipe) {
    const struct timespec nap = {.tv_nsec = 20000000};
    int descriptor;
    bool reported = false;
    while ((descriptor = open(path, O_WRONLY | O_CLOEXEC | (pipe ? O_NONBLOCK : 0))) < 0 && pipe && errno == ENXIO) {
        if (!reported) sv_log(SV_LOG_WARNING, "%s is a pipe that nobody reads: waiting for a reader", path);
        reported = true;
        if (stop_requested()) {
            errno = EINTR;
            break;
        }
        nanosleep(&nap, NULL);
    }
    if (descriptor >= 0 && pipe && !stop_requested()) fcntl(descriptor, F_SETFL, 0); /* its writes block again */
    return descriptor;
}

sv_status file_check_place(const char *path, sv_error *error) {
    if (!*path) return sv_fail(error, SV_FAILED, "cannot write a file whose name is empty");
    struct stat there;
    const bool exists = stat(path, &there) == 0;
    if (!exists && errno == ENOENT && strchr(path, '/')) {
        char *folder = strndup(path, (size_t)(strrchr(path, '/') - path) + 1);
        const bool missing = folder && stat(folder, &there) != 0;
        free(folder);
        errno = ENOENT;
        if (missing) return file_failed("write", path, error);
    }
    if (exists && S_ISDIR(there.st_mode))
        return sv_fail(error, SV_FAILED, "cannot write %s: it is a folder; name a file in it", path);
    return SV_OK;
}

sv_status file_create(file_writer *writer, const char *path, sv_error *error) {
    *writer = (file_writer){0};
    sv_status place = file_check_place(path, error);
    if (place != SV_OK) return place;
    const input_file *input = inputs_find(path);
    if (input)
        return sv_fail(error, SV_FAILED, "cannot write %s: it is %s, which %s reads; choose another name", path,
                       input->name, input->reader);
    struct stat there;
    const bool exists = stat(path, &there) == 0;
    int descriptor;
    if (exists && !S_ISREG(there.st_mode)) {
        writer->path = strdup(path);
        descriptor = writer->path ? open_in_place(path, S_ISFIFO(there.st_mode)) : -1;
    } else {
        writer->path = exists ? realpath(path, NULL) : strdup(path);
        /* rename() would replace even a file without permission to write it. */
        const bool may = writer->path && (!exists || access(path, W_OK) == 0);
        descriptor = may ? open_temporary(writer, 0666) : -1;
        if (descriptor >= 0 && exists) (void)!fchmod(descriptor, there.st_mode & 07777);
    }
    if (descriptor >= 0) writer->stream = fdopen(descriptor, "wb");
    if (writer->stream) return SV_OK;

    sv_status status = file_failed("write", path, error);
    if (descriptor >= 0) close(descriptor);
    if (descriptor >= 0 && writer->temporary) unlink(writer->temporary);
    forget(writer);
    return status;
}

sv_status file_keep(file_writer *writer, bool cut_off, sv_error *error) {
    int failed = 0;
    if (ferror(writer->stream) || fflush(writer->stream)) failed = errno ? errno : EIO;
    if (fclose(writer->stream) && !failed) failed = errno;
    if (cut_off) failed = 0;
    if (!failed && writer->temporary && rename(writer->temporary, writer->path)) failed = errno;
    sv_status status = SV_OK;
    if (failed) {
        errno = failed;
        status = file_failed("write", writer->path, error);
        if (writer->temporary) unlink(writer->temporary);
    }
    forget(writer);
    return status;
}

sv_status file_commit(file_writer *writer, sv_error *error) { return file_keep(writer, false, error); }

void file_discard(file_writer *writer) {
    if (!writer->stream) return;
    fclose(writer->stream);
    if (writer->temporary) unlink(writer->temporary);
    forget(writer);
}
