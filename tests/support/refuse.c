/* A library to preload that refuses what the system may refuse. REFUSED is "memory", "threads" or "files": allocations,
 * new threads, files to open. REFUSE=N refuses the N-th request since main began, in any thread and library; REFUSE=N+
 * all that follow, too. It prints on standard error who asked for the N-th. With INSTEAD=SIGNAL the program gets that
 * signal at the request, which is granted. Requests before main, and those after the program's own handlers at exit,
 * are outside the program's control: CUDA's runtime, which is linked into it, crashes if an allocation fails, and
 * OpenCV allocates when it is unloaded. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

typedef enum { MEMORY, THREADS, FILES } kind;
static kind wanted;
static long number;  /* of the request that is refused; 0: none is */
static bool onwards; /* all later ones, too */
static int instead;  /* a signal, 0: refuse */
static bool counts, begun;
static atomic_long requests;
static __thread int spared;

typedef int main_function(int count, char **arguments, char **environment);
typedef int start_function(main_function *main, int count, char **arguments, void (*init)(void), void (*fini)(void),
                           void (*unload)(void), void *stack);
static main_function *program;

/* The file of the function that asks. The program's own posix_memalign and realloc only forward requests. */
static const char *name_asker(void) {
    void *stack[8];
    Dl_info here, there;
    const int depth = backtrace(stack, 8);
    for (int i = 0; i < depth; i++) {
        if (!dladdr(stack[0], &here) || !dladdr(stack[i], &there) || here.dli_fbase == there.dli_fbase) continue;
        const char *name = there.dli_sname ? there.dli_sname : "";
        if (strcmp(name, "posix_memalign") != 0 && strcmp(name, "realloc") != 0) return there.dli_fname;
    }
    return "?";
}

static void end(void) { begun = false; }

static int start(int count, char **arguments, char **environment) {
    atexit(end); /* handlers run in reverse order */
    const char *refuse = getenv("REFUSE"), *refused = getenv("REFUSED");
    wanted = MEMORY;
    if (refused && !strcmp(refused, "threads")) wanted = THREADS;
    if (refused && !strcmp(refused, "files")) wanted = FILES;
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
    name_asker(); /* the first time, this asks for memory */
    return real(start, count, arguments, init, fini, unload, stack);
}

/* Whether this request is to be refused. Sets errno to `why` then. */
static bool refused(kind what, int why) {
    if (!begun || what != wanted || spared) return false;
    const long request = atomic_fetch_add(&requests, 1) + 1;
    if (number <= 0 || request < number || (request > number && !onwards)) return false;
    if (instead) {
        kill(getpid(), instead);
        return false;
    }
    if (request == number) {
        char message[512] = "refused to ";
        strncat(message, name_asker(), 400);
        strcat(message, "\n");
        if (write(STDERR_FILENO, message, strlen(message)) < 0) _exit(99); /* nobody would know */
    }
    errno = why;
    return true;
}

__attribute__((destructor)) static void print_count(void) {
    if (counts) fprintf(stderr, "requests: %ld\n", atomic_load(&requests));
}

/* ---- Memory ----------------------------------------------------------------------------------- */

static bool no_memory(void) { return refused(MEMORY, ENOMEM); }

void *malloc(size_t size) { return no_memory() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return no_memory() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return no_memory() ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return no_memory() ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return no_memory() ? NULL : __libc_memalign(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    void *memory = no_memory() ? NULL : __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *out = memory;
    return 0;
}

/* The C library's own allocations are exempt, because version 2.36 frees memory twice if one of them fails. */
int glob(const char *pattern, int flags, int (*failed)(const char *path, int number), glob_t *found) {
    int (*const real)(const char *, int, int (*)(const char *, int), glob_t *) = dlsym(RTLD_NEXT, "glob");
    spared = 1;
    const int result = real(pattern, flags, failed, found);
    spared = 0;
    return result;
}

/* ---- Threads ---------------------------------------------------------------------------------- */

/* Mesa's software renderer waits for ever for threads that it did not get. */
static bool asked_by_mesa(void) {
    const char *name = name_asker();
    return strstr(name, "swrast_dri") || strstr(name, "libgallium");
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *of) {
    int (*const real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        dlsym(RTLD_NEXT, "pthread_create");
    if (wanted == THREADS && !asked_by_mesa() && refused(THREADS, EAGAIN)) return EAGAIN;
    return real(thread, attributes, run, of);
}

/* ---- Files ------------------------------------------------------------------------------------ */

static bool no_file(void) { return refused(FILES, EMFILE); }

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
