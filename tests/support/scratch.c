/* See scratch.h. */
#include "tests/support/scratch.h"

#include "stereo/alloc.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

int scratch_setup(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/stereoview-test-XXXXXX", base ? base : P_tmpdir);
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    return remove(path);
}

int scratch_teardown(void **state) {
    (void)state;
    return nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

int scratch_count(void) {
    DIR *entries = opendir(folder);
    int count = 0;
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    if (entries) closedir(entries);
    return count;
}

const char *scratch_path(const char *name) {
    static char paths[8][600];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof *paths, "%s/%s", folder, name);
    return path;
}

const char *scratch_write(const char *name, const void *bytes, size_t size) {
    const char *path = scratch_path(name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
    return path;
}

const char *scratch_write_text(const char *name, const char *text) { return scratch_write(name, text, strlen(text)); }

const char *scratch_read(const char *path, size_t *size) {
    static char *bytes;
    FILE *stream = fopen(path, "rb");
    if (!stream) fail_msg("%s is not there", path);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    const size_t room = (size_t)ftell(stream);
    rewind(stream);
    bytes = sv_realloc(bytes, room + 1, 1);
    const size_t got = fread(bytes, 1, room, stream);
    fclose(stream);
    bytes[got] = 0;
    if (size) *size = got;
    return bytes;
}

void skip_without(const char *path) {
    print_message("%s is not here\n", path);
    skip();
}
