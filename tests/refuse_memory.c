/* A library to preload that makes one allocation fail: with REFUSE=N the N-th since main began, in any thread and
 * library; it prints on standard error who requested it. Earlier allocations are outside the program's control: CUDA's
 * runtime, which is linked into it, crashes if one fails. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <glob.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long left; /* requests until the one that fails; 0: none does */
static __thread int spared;

typedef int main_function(int count, char **arguments, char **environment);
typedef int start_function(main_function *main, int count, char **arguments, void (*init)(void), void (*fini)(void),
                           void (*unload)(void), void *stack);
static main_function *program;

/* The file of the function that requests memory. The program's own posix_memalign and realloc only forward requests. */
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

static int start(int count, char **arguments, char **environment) {
    const char *number = getenv("REFUSE");
    if (number) atomic_store(&left, atol(number));
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

static int refused(void) {
    if (spared || atomic_load(&left) <= 0 || atomic_fetch_sub(&left, 1) != 1) return 0;
    char message[512] = "refuse_memory: refused to ";
    strncat(message, name_asker(), 400);
    strcat(message, "\n");
    if (write(STDERR_FILENO, message, strlen(message)) < 0) _exit(99); /* nobody would know */
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return refused() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refused() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return refused() ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return refused() ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return refused() ? NULL : __libc_memalign(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    void *memory = refused() ? NULL : __libc_memalign(alignment, size);
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
