/* A library to preload that counts what the program asks the system for. REFUSED is "threads" or "files": new threads,
 * files to open. REFUSE=N refuses the N-th file since main began, in any thread and library; REFUSE=N+ all that follow,
 * too. It prints "refused" on standard error then. With INSTEAD=SIGNAL the program gets that signal at the N-th
 * request, which is granted; threads are never refused. Requests before main, and those after the program's own
 * handlers at exit, do not count. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool threads; /* are counted, not files */
static long number;  /* of the request that is refused; 0: none is */
static bool onwards; /* all later ones, too */
static int instead;  /* a signal, 0: refuse */
static bool counts, begun;
static atomic_long requests;

typedef int main_function(int count, char **arguments, char **environment);
typedef int start_function(main_function *main, int count, char **arguments, void (*init)(void), void (*fini)(void),
                           void (*unload)(void), void *stack);
static main_function *program;

static void end(void) { begun = false; }

static int start(int count, char **arguments, char **environment) {
    atexit(end); /* handlers run in reverse order */
    const char *refuse = getenv("REFUSE"), *refused = getenv("REFUSED");
    threads = refused && !strcmp(refused, "threads");
    onwards = refuse && strchr(refuse, '+');
    number = refuse ? atol(refuse) : 0;
    counts = refuse && !strcmp(refuse, "0");
    instead = getenv("INSTEAD") ? atoi(getenv("INSTEAD")) : 0;
    begun = true;
    return program(count, arguments, environment);
}

/* What calls main. */
start_function __libc_start_main;
int __libc_start_main(main_function *main, int count, char **arguments, void (*init)(void), void (*fini)(void),
                      void (*unload)(void), void *stack) {
    start_function *const real = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    return real(start, count, arguments, init, fini, unload, stack);
}

/* Whether this request is to be refused. */
static bool refused(void) {
    if (!begun) return false;
    const long request = atomic_fetch_add(&requests, 1) + 1;
    if (number <= 0 || request < number || (request > number && !onwards)) return false;
    if (instead) {
        kill(getpid(), instead);
        return false;
    }
    if (request == number && write(STDERR_FILENO, "refused\n", 8) < 0) _exit(99); /* nobody would know */
    return true;
}

__attribute__((destructor)) static void print_count(void) {
    if (counts) fprintf(stderr, "requests: %ld\n", atomic_load(&requests));
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *of) {
    int (*const real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        dlsym(RTLD_NEXT, "pthread_create");
    if (threads) refused();
    return real(thread, attributes, run, of);
}

/* ---- Files ------------------------------------------------------------------------------------ */

static bool no_file(void) {
    if (threads || !refused()) return false;
    errno = EMFILE;
    return true;
}

/* The C library passes the mode on where there is none, too. */
static int open_at(int folder, const char *path, int flags, va_list more) {
    static int (*real)(int, const char *, int, ...);
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;
    if (!real) real = dlsym(RTLD_NEXT, "openat64");
    return no_file() ? -1 : real(folder, path, flags, mode);
}

#define OPENS(name, arguments, last, folder)                                                                           \
    int name arguments;                                                                                                \
    int name arguments {                                                                                               \
        va_list more;                                                                                                  \
        va_start(more, last);                                                                                          \
        const int descriptor = open_at(folder, path, flags, more);                                                     \
        va_end(more);                                                                                                  \
        return descriptor;                                                                                             \
    }
OPENS(open, (const char *path, int flags, ...), flags, AT_FDCWD)
OPENS(open64, (const char *path, int flags, ...), flags, AT_FDCWD)
OPENS(openat, (int folder, const char *path, int flags, ...), flags, folder)
OPENS(openat64, (int folder, const char *path, int flags, ...), flags, folder)

static FILE *open_stream(const char *path, const char *mode) {
    FILE *(*const real)(const char *, const char *) = dlsym(RTLD_NEXT, "fopen64");
    return no_file() ? NULL : real(path, mode);
}
FILE *fopen(const char *path, const char *mode) { return open_stream(path, mode); }
FILE *fopen64(const char *path, const char *mode) { return open_stream(path, mode); }

DIR *opendir(const char *path) {
    DIR *(*const real)(const char *) = dlsym(RTLD_NEXT, "opendir");
    return no_file() ? NULL : real(path);
}
