/* What is dropped onto the window or typed into it, until it can be used: one video waits for the other side. */
#ifndef APP_MEDIA_DROP_H
#define APP_MEDIA_DROP_H

#include "app/options/request.h"

typedef struct drop {
    char waiting[1024];     /* a source whose other side is awaited; "": none */
    bool has_sources;       /* the names of `request` are complete: the caller opens them, and clears this */
    request request;        /* without a calibration */
    char calibration[2048]; /* as of --calibration; the caller uses and clears it */
    char settings[1024];    /* a settings file; the caller reads it, and clears this */
} drop;

/* Adds what was dropped together: text files (.yaml, .yml, .xml, .txt, .conf, .ini) whose first line is a setting are
 * settings, others calibrations of one rig or of two cameras; anything else is a source.
 *
 * A folder with a folder for each side (places_find_sides) and a video with two tracks are complete. Of two sources the
 * right one has "right" in its name; failing that, it is the later one in the alphabet if both were dropped together,
 * else the second one.
 * Errors: SV_USAGE for more than two sources or calibrations; nothing of the drop is taken then. */
sv_status drop_add(drop *drop, char *const *names, int count, sv_error *error);

/* What a name stands for. Reads the first line of a text file. */
typedef enum drop_kind { DROP_SOURCE, DROP_SETTINGS, DROP_CALIBRATION } drop_kind;
drop_kind drop_kind_of(const char *name);

/* Adds what was typed or chosen, one name or two. One text file is taken as if it were dropped; sources are complete,
 * in their order, with the rest of `asked`. Errors: SV_USAGE for a text file that is one of two names, or settings in
 * place of a calibration. */
sv_status drop_typed(drop *drop, const request *asked, sv_error *error);

#endif
