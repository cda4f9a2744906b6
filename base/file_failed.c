/* Says why a file cannot be read or written. */
#include "base/file.h"

#include <errno.h>
#include <string.h>

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
