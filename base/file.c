/* Files that appear whole or not at all. */
#include "base/file.h"

#include "base/inputs.h"
#include "base/stop.h"
#include "stereo/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The length of the folder in a path, with its slash. */
static int folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

/* A name beside the path that no running program uses; one that was killed may have left it. Short, because the path's
 * own may have the greatest length. */
static char *temporary_name(const char *path) {
    static atomic_uint serial;
    return sv_asprintf("%.*s.stereoview-%ld-%u.tmp", folder_length(path), path, (long)getpid(),
                       atomic_fetch_add(&serial, 1));
}

/* Opens a new file that is to last: PATH.part, or PATH.2.part where an earlier run has left that, and so on. */
static int open_part(file_writer *writer, mode_t mode) {
    int descriptor = -1;
    for (int n = 1; descriptor < 0 && (n == 1 || errno == EEXIST); n++) {
        free(writer->temporary);
        writer->temporary = n == 1 ? sv_asprintf("%s.part", writer->path) : sv_asprintf("%s.%d.part", writer->path, n);
        descriptor = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    }
    return descriptor;
}

/* Opens a new file in the folder of writer->path: without a name, so that it vanishes if the program is killed, or,
 * where the file system requires one, with a temporary name. */
static int open_temporary(file_writer *writer, mode_t mode) {
    char *folder = sv_asprintf("%.*s", folder_length(writer->path), writer->path);
    int descriptor = open(*folder ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    free(folder);
    if (descriptor >= 0 && !access("/proc/self/fd", X_OK)) return descriptor; /* file_keep needs it */
    if (descriptor >= 0) close(descriptor);
    if (descriptor < 0 && errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return -1;
    do {
        free(writer->temporary);
        writer->temporary = temporary_name(writer->path);
        descriptor = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    } while (descriptor < 0 && errno == EEXIST);
    return descriptor;
}

/* Frees the writer's memory; the stream is closed already. */
static void forget(file_writer *writer) {
    free(writer->path);
    free(writer->temporary);
    *writer = (file_writer){0};
}

/* Opens a device or a pipe. Waits for the reader of a pipe until the program is requested to end. */
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

static sv_status create(file_writer *writer, const char *path, bool lasting, sv_error *error) {
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
        writer->path = sv_strdup(path);
        writer->in_place = true;
        descriptor = open_in_place(path, S_ISFIFO(there.st_mode));
    } else {
        writer->path = exists ? realpath(path, NULL) : sv_strdup(path);
        /* rename() would replace even a file without permission to write it. */
        const bool may = writer->path && (!exists || access(path, W_OK) == 0);
        descriptor = !may ? -1 : lasting ? open_part(writer, 0666) : open_temporary(writer, 0666);
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

sv_status file_create(file_writer *writer, const char *path, sv_error *error) {
    return create(writer, path, false, error);
}

sv_status file_create_lasting(file_writer *writer, const char *path, sv_error *error) {
    return create(writer, path, true, error);
}

/* Gives a file without a name a temporary one. */
static bool name_temporarily(file_writer *writer) {
    char *nameless = sv_asprintf("/proc/self/fd/%d", fileno(writer->stream));
    int failed;
    do {
        free(writer->temporary);
        writer->temporary = temporary_name(writer->path);
        failed = linkat(AT_FDCWD, nameless, AT_FDCWD, writer->temporary, AT_SYMLINK_FOLLOW);
    } while (failed && errno == EEXIST);
    free(nameless);
    return !failed;
}

sv_status file_keep(file_writer *writer, bool cut_off, sv_error *error) {
    int failed = 0;
    if (ferror(writer->stream) || fflush(writer->stream)) failed = errno ? errno : EIO;
    if (cut_off) failed = 0;
    if (!failed && !writer->in_place && !writer->temporary && !name_temporarily(writer)) failed = errno;
    if (fclose(writer->stream) && !failed && !cut_off) failed = errno;
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
