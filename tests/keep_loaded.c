/* Keeps libraries loaded in test programs until they end. Mesa unloads its drivers earlier, and LeakSanitizer then
 * reports the memory that they still hold as leaks of an unknown library. */
#include <dlfcn.h>

int dlclose(void *library) {
    (void)library;
    return 0;
}
