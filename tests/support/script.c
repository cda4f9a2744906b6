/* A simulated source: empty frames at given times. */
#include "tests/support/script.h"

#include <stdlib.h>

int scripts_open;

static sv_status script_read(source *base, frame **out, sv_error *error) {
    script *self = (script *)base;
    if (self->next == self->count) {
        if (self->blocks) sem_wait(&self->interruption);
        return self->fails ? sv_fail(error, SV_FAILED, "%s: made to fail", base->name) : SV_END;
    }
    *out = frame_create(self->pool, base->info.width, base->info.height, true, false);
    if (!*out) return sv_fail(error, SV_FAILED, "%s: out of memory", base->name);
    (*out)->index = self->next;
    (*out)->time = self->times[self->next++];
    return SV_OK;
}

static sv_status script_seek(source *base, double seconds, sv_error *error) {
    (void)error;
    script *self = (script *)base;
    for (self->next = 0; self->next < self->count && self->times[self->next] < seconds;) self->next++;
    return SV_OK;
}

static void script_interrupt(source *base) { sem_post(&((script *)base)->interruption); }

static void script_close(source *base) {
    script *self = (script *)base;
    pool_close(self->pool);
    sem_destroy(&self->interruption);
    free(self);
    scripts_open--;
}

script *script_write(char *name, const double *times, int count) {
    static const source_operations operations = {script_read, script_seek, NULL, script_interrupt, script_close};
    script *self = calloc(1, sizeof *self);
    self->pool = pool_create((pool_memory){0});
    self->base = (source){.operations = &operations,
                          .info = {.width = 8, .height = 4, .rate = 10, .frames = count, .seekable = true},
                          .name = name};
    self->times = times;
    self->count = count;
    sem_init(&self->interruption, 0, 0);
    scripts_open++;
    return self;
}
