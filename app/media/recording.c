/* Recordings of what the sources send. */
#include "app/media/recording.h"

#include "base/file.h"
#include "base/file_name.h"
#include "base/log.h"
#include "base/places.h"
#include "capture/ffmpeg/container.h"
#include "stereo/alloc.h"
#include "video/recorder.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>

struct recording {
    pthread_mutex_t lock; /* guards `recorder` from the sources' threads; only the main thread changes it */
    recorder *recorder;   /* NULL: off */
    file_writer file;
    char *path;
    int tracks;
    bool released;
    double free, asked; /* bytes that its disk has left, 0: unknown; when that was asked, by sv_seconds */
    bool failed;        /* the last one, with this error: */
    sv_error error;
    /* Of the one that was completed last. */
    bool kept, cut;
    recorder_counts counts;
    /* The thread that completes a recording that the user has ended: the disk may be slow, and the window does not
     * wait. Until it is joined, it owns the file, the path and the following. */
    bool completing;
    pthread_t thread;
    recorder *ended;
    atomic_bool completed;
    sv_status status;
    sv_error why;
};

recording *recording_create(void) {
    recording *r = sv_alloc(1, sizeof *r);
    pthread_mutex_init(&r->lock, NULL);
    return r;
}

void recording_destroy(recording *r) {
    sv_error error;
    if (!r) return;
    if (recording_end(r, &error) != SV_OK) sv_log(SV_LOG_ERROR, "%s", error.text);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

void recording_tap(void *of, int side, const struct AVStream *stream, const struct AVPacket *packet, double lead) {
    recording *r = of;
    pthread_mutex_lock(&r->lock);
    if (r->recorder) recorder_add(r->recorder, side, stream, packet, lead);
    pthread_mutex_unlock(&r->lock);
}

sv_status recording_start(recording *r, const char *path, const input_options *input, sv_error *error) {
    recorder *recorder;
    if (r->completing) return sv_fail(error, SV_FAILED, "%s is still being completed", r->path);
    const size_t length = strlen(path);
    if (length < 4 || strcasecmp(path + length - 4, ".mkv"))
        return sv_fail(error, SV_USAGE, "cannot record to '%s': a recording is Matroska, so its name must end in .mkv",
                       path);
    if (input->synthetic_width)
        return sv_fail(error, SV_USAGE, "the synthetic scene cannot be recorded: it sends no packets");
    container_take_over_log();
    r->path = sv_strdup(path);
    r->failed = false;
    sv_status status = file_create_lasting(&r->file, path, error);
    if (status == SV_OK) status = recorder_open(&recorder, r->file.stream, path, error);
    if (status == SV_OK) {
        r->released = false;
        pthread_mutex_lock(&r->lock);
        r->recorder = recorder;
        pthread_mutex_unlock(&r->lock);
        return SV_OK;
    }
    file_discard(&r->file);
    free(r->path);
    r->path = NULL;
    return status;
}

void recording_release(recording *r, pairing *pairing) {
    if (!r->recorder) return;
    r->released = true;
    r->tracks = pairing_info(pairing)->half ? 1 : 2;
    recorder_release(r->recorder, r->tracks, -pairing_offset(pairing));
}

static sv_status write_counts(const recording *r, const recorder_counts *c, bool failed, sv_error *error) {
    char path[PLACES_BYTES];
    file_writer writer;
    snprintf(path, sizeof path, "%s.json", r->path);
    sv_status status = file_create(&writer, path, error);
    if (status != SV_OK) return status;
    fprintf(writer.stream, "{\"complete\": %s, \"seconds\": %.3f", failed ? "false" : "true", c->seconds);
    for (int i = 0; i < r->tracks; i++)
        fprintf(writer.stream, ", \"%s\": {\"packets\": %" PRId64 ", \"dropped\": %" PRId64 "}",
                r->tracks == 1 ? "both"
                : i            ? "right"
                               : "left",
                c->written[i], c->dropped[i]);
    fprintf(writer.stream, "}\n");
    return file_commit(&writer, error);
}

/* Completes what the recorder has written. */
static sv_status complete(recording *r, sv_error *error) {
    bool begun;
    sv_error later;
    sv_status status = recorder_close(r->ended, &begun, &r->counts, error);
    if (!r->released) status = SV_OK; /* the run failed earlier, and that is reported */
    if (status != SV_OK && begun) {
        later = *error;
        sv_fail(error, SV_FAILED, "the recording %s ends early: %s", r->path, later.text);
    }
    const bool failed = status != SV_OK;
    const sv_status kept = !begun ? SV_OK : file_keep(&r->file, failed, failed ? &later : error);
    if (!begun) file_discard(&r->file);
    if (failed && kept != SV_OK) *error = later; /* the file that this message calls kept is not */
    if (status == SV_OK) status = kept;
    r->kept = begun && kept == SV_OK;
    r->cut = failed;
    if (r->kept) {
        const sv_status counted = write_counts(r, &r->counts, failed, failed ? &later : error);
        if (status == SV_OK) status = counted;
    }
    return status;
}

static void *run(void *of) {
    recording *r = of;
    r->status = complete(r, &r->why);
    atomic_store(&r->completed, true);
    return NULL;
}

/* Turns it off, without waiting for the disk. */
static void begin_to_complete(recording *r) {
    pthread_mutex_lock(&r->lock);
    r->ended = r->recorder;
    r->recorder = NULL;
    pthread_mutex_unlock(&r->lock);
    atomic_store(&r->completed, false);
    r->completing = true;
    sv_thread_start(&r->thread, run, r);
}

/* Waits for the thread, and logs what has been recorded. */
static sv_status join(recording *r, sv_error *error) {
    const recorder_counts *c = &r->counts;
    pthread_join(r->thread, NULL);
    r->completing = false;
    if (r->kept)
        log_wrote(r->path, "recorded %s: %.1f s, %" PRId64 " packets, %" PRId64 " dropped%s", r->path, c->seconds,
                  c->written[0] + c->written[1], c->dropped[0] + c->dropped[1],
                  r->cut ? "; it ends where writing failed" : "");
    free(r->path);
    r->path = NULL;
    if (r->status != SV_OK) *error = r->why;
    return r->status;
}

sv_status recording_end(recording *r, sv_error *error) {
    if (r->recorder) begin_to_complete(r);
    if (r->completing) return join(r, error);
    const bool failed = r->failed;
    r->failed = false;
    if (failed) *error = r->error;
    return failed ? SV_FAILED : SV_OK;
}

bool recording_has_failed(recording *r) { return r->recorder && recorder_failed(r->recorder, NULL); }

/* Asks the disk now and then. */
static void follow_free(recording *r) {
    struct statvfs disk;
    const double now = sv_seconds();
    if (r->asked > 0 && now - r->asked < 5) return;
    r->asked = now;
    r->free = fstatvfs(fileno(r->file.stream), &disk) ? 0 : (double)disk.f_bavail * (double)disk.f_frsize;
}

const char *recording_describe(recording *r, char *text, size_t size) {
    sv_error error;
    if (r->completing && !atomic_load(&r->completed)) {
        snprintf(text, size, "completing %s", r->path);
        return text;
    }
    if (r->completing && join(r, &error) != SV_OK) sv_log(SV_LOG_ERROR, "%s", error.text);
    if (!r->recorder) return NULL;
    if (recorder_failed(r->recorder, NULL)) {
        begin_to_complete(r);
        r->failed = join(r, &r->error) != SV_OK;
        return NULL;
    }
    const recorder_counts c = recorder_count(r->recorder);
    const int64_t dropped = c.dropped[0] + c.dropped[1];
    snprintf(text, size, "recording %s, %.0f s, %.1f MB", r->path, c.seconds, 1e-6 * (double)c.bytes);
    const size_t length = strlen(text);
    follow_free(r);
    if (r->free > 0) snprintf(text + length, size - length, ", %.1f GB free", 1e-9 * r->free);
    if (dropped)
        snprintf(text + strlen(text), size - strlen(text),
                 ", %" PRId64 " packets dropped: the disk is too slow, or they are damaged", dropped);
    return text;
}

void recording_toggle(recording *r, const char *folder, const input_options *input, pairing *pairing) {
    static const char *const endings[] = {".mkv", ".mkv.json", NULL};
    char name[64], path[PLACES_BYTES];
    sv_error error;
    if (r->recorder) {
        begin_to_complete(r);
        return;
    }
    if (!pairing_info(pairing)->live) {
        sv_log(SV_LOG_INFO, "only cameras and live streams can be recorded in the window: %s",
               input->synthetic_width ? "the synthetic scene sends no packets" : "these are files already");
        return;
    }
    const time_t now = time(NULL);
    struct tm local;
    strftime(name, sizeof name, "stereoview_%Y-%m-%d_%H-%M-%S", localtime_r(&now, &local));
    sv_status status = file_find_free(folder, name, endings, path, sizeof path - sizeof ".mkv", &error);
    if (status == SV_OK) status = recording_start(r, strcat(path, *endings), input, &error);
    if (status != SV_OK)
        sv_log(SV_LOG_ERROR, "cannot start recording: %s", error.text);
    else
        recording_release(r, pairing);
}
