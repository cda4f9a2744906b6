/* Fuzzes addresses, up to where a connection would be made: this program has no network. tests/fuzz/fuzz runs it. */
#include "capture/live/network.h"
#include "tests/fuzz/fuzz_input.h"

#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

/* These take the place of the C library's for all libraries of the program, which is compiled with hidden symbols. */
#define EXPORTED __attribute__((visibility("default")))

EXPORTED int socket(int domain, int type, int protocol) {
    (void)domain, (void)type, (void)protocol;
    errno = EACCES;
    return -1;
}

EXPORTED int getaddrinfo(const char *restrict host, const char *restrict service, const struct addrinfo *restrict hints,
                         struct addrinfo **restrict found) {
    (void)host, (void)service, (void)hints;
    *found = NULL;
    return EAI_FAIL;
}

/* True if the libraries call the two functions above. */
static bool has_no_network(void) {
    return dlsym(RTLD_DEFAULT, "socket") == (void *)socket && dlsym(RTLD_DEFAULT, "getaddrinfo") == (void *)getaddrinfo;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    require(has_no_network());
    sv_set_log(fuzz_ignore);
    char *address = malloc(size + 1);
    require(address);
    if (size) memcpy(address, data, size);
    address[size] = 0;
    if (network_is_address(address)) {
        const source_options options = {.colour = false};
        source *source;
        sv_error error = {""};
        const sv_status status = source_open_network(&source, address, 0.01, &options, &error);
        require((status == SV_FAILED || status == SV_USAGE) && *error.text);
    }
    free(address);
    return 0;
}
