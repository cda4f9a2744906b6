/* A device that fails while the window plays: matching continues on the CPU. The window's run is that of the program,
 * with a backend whose device fails on request. */
#include "app/media/recording.h"
#include "app/options/command_line.h"
#include "app/viewer/viewer.h"
#include "base/stop.h"
#include "tests/support/scratch.h"
#include "tests/support/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MATCHED_BEFORE = 3, MATCHED_AFTER = 8 };

/* ---- The device, of which matching fails ------------------------------------------------------- */

static atomic_int submitted;

static int count(void) { return 2; }

static sv_status probe_device(int device, char *name, size_t size, sv_error *error) {
    if (device != 1) return sv_fail(error, SV_NO_DEVICE, "only device 1 can match");
    if (size) name[0] = 0;
    return SV_OK;
}

/* It leaves the map as it is. */
static sv_status submit(void *context, const sv_pair *pair, const sv_params *params, int follows,
                        const sv_output *output, sv_error *error) {
    (void)context, (void)pair, (void)params, (void)follows, (void)output;
    if (atomic_fetch_add(&submitted, 1) >= MATCHED_BEFORE) return sv_fail(error, SV_FAILED, "the device was lost");
    return SV_OK;
}

static sv_status wait_for(void *context, sv_times *times, sv_error *error) {
    (void)context, (void)error;
    *times = (sv_times){.ms = {0}};
    return SV_OK;
}

/* ---- The run, in a process of its own, because it is ended by a signal ------------------------- */

static stats *figures;
static atomic_int warnings;

static void count_warnings(sv_level level, const char *line) {
    if (level <= SV_LOG_WARNING)
        atomic_fetch_add(&warnings, !!strstr(line, "the device was lost; matching continues on the CPU"));
    if (level <= SV_LOG_WARNING) fprintf(stderr, "%s\n", line);
}

/* Ends the program once the CPU has matched several pairs. */
static void *end_later(void *unused) {
    const struct timespec moment = {.tv_nsec = 10000000};
    while (!atomic_load(&warnings)) nanosleep(&moment, NULL);
    const int64_t before = stats_count(figures, STATS_MATCHED);
    while (stats_count(figures, STATS_MATCHED) < before + MATCHED_AFTER) nanosleep(&moment, NULL);
    kill(getpid(), SIGTERM);
    return unused;
}

static void give_up(int status) { _exit(status); }

/* Returns the exit status: 0 if all was as it should be, 77 without a display. */
static int run_window(const char *path) {
    sv_backend device = sv_cpu;
    device.name = "device";
    device.memory_of = "device";
    device.count = count;
    device.probe = probe_device;
    device.submit = submit;
    device.wait = wait_for;
    options options = {.log_level = SV_LOG_INFO};
    char *arguments[] = {"stereoview", "--synthetic", "96x64",    "-d", "0:15",
                         "--backend",  "cuda",        "--device", "1",  NULL};
    sv_error error = {""};
    pthread_t thread;
    signal(SIGSEGV, SIG_DFL); /* cmocka would go on with the next test, here too */
    alarm(PATIENCE);
    sv_set_log(count_warnings);
    figures = stats_create();
    stop_catch_signals(give_up);
    sv_status status = command_line_read(&options, 9, arguments, &error);
    options.input.recording = recording_create();
    if (status == SV_OK && (pthread_create(&thread, NULL, end_later, NULL) || pthread_detach(thread))) return 1;
    if (status == SV_OK) status = viewer_run(&options, &device, figures, &error);
    if (status != SV_OK) fprintf(stderr, "%s\n", error.text);
    if (status == SV_NO_DEVICE) return 77;
    if (status == SV_OK) status = stats_write(figures, path, &error);
    return status != SV_OK || atomic_load(&warnings) != 1;
}

TEST(the_cpu_goes_on_after_a_failed_match) {
    int status;
    const char *path = scratch_path("stats.json");
    fflush(NULL);
    const pid_t child = fork();
    if (!child) _exit(run_window(path));
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("there is no display\n");
        skip();
    }
    assert_int_equal(status, 0);
    assert_non_null(strstr(scratch_read(path, NULL), "\"backend\": \"cpu\""));
}

FIXTURES(scratch_setup, scratch_teardown)
