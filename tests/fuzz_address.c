/* Fuzzes addresses, up to where a connection would be made: this program has no network. tests/fuzz runs it. */
#include "capture/network.h"
#include "tests/fuzz_input.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

/* These take the place of the C library's for all libraries of the program. */
int socket(int domain, int type, int protocol) {
    (void)domain, (void)type, (void)protocol;
    errno = EACCES;
    return -1;
}

int getaddrinfo(const char *restrict host, const char *restrict service, const struct addrinfo *restrict hints,
                struct addrinfo **restrict found) {
    (void)host, (void)service, (void)hints;
    *found = NULL;
    return EAI_FAIL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
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
