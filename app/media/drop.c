/* What is dropped onto the window, until it can be used. */
#include "app/media/drop.h"

#include "app/options/settings.h"
#include "base/places.h"
#include "capture/source.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

static bool is_text(const char *path) {
    static const char *const endings[] = {".yaml", ".yml", ".xml", ".txt", ".conf", ".ini"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcasecmp(dot, endings[i])) return true;
    return false;
}

drop_kind drop_kind_of(const char *name) {
    return !is_text(name) ? DROP_SOURCE : settings_has_some(name) ? DROP_SETTINGS : DROP_CALIBRATION;
}

/* True if the name stands for both sides: a folder with a subfolder for each, or a recording with two tracks. */
static bool has_both_sides(const char *name) {
    char left[PLACES_BYTES], right[PLACES_BYTES];
    struct stat status;
    if (places_find_sides(name, left, right, sizeof left)) return true;
    return !stat(name, &status) && S_ISREG(status.st_mode) && source_is_pair(name);
}

static bool says_right(const char *name) {
    const char *slash = strrchr(name, '/');
    return strcasestr(slash ? slash + 1 : name, "right") != NULL;
}

/* True if `first` is the right side of the two. `at_once`: both were dropped together, so their order means nothing. */
static bool is_right(const char *first, const char *second, bool at_once) {
    if (says_right(first) != says_right(second)) return says_right(first);
    return at_once && strverscmp(first, second) > 0;
}

static void take_sources(drop *in, const char *first, const char *second, bool at_once) {
    const bool swap = second && is_right(first, second, at_once);
    in->request = (request){.demo = false};
    snprintf(in->request.names[0], sizeof in->request.names[0], "%s", swap ? second : first);
    if (second) snprintf(in->request.names[1], sizeof in->request.names[1], "%s", swap ? first : second);
    in->has_sources = true;
    in->waiting[0] = 0;
}

sv_status drop_add(drop *in, char *const *names, int count, sv_error *error) {
    const char *of[3][2] = {{NULL}}; /* the first two of each kind */
    int counts[3] = {0};
    for (int i = 0; i < count; i++) {
        const drop_kind kind = drop_kind_of(names[i]);
        if (strlen(names[i]) >= sizeof in->waiting)
            return sv_fail(error, SV_USAGE, "the name of a file has %zu characters, at most %zu are supported",
                           strlen(names[i]), sizeof in->waiting - 1);
        if (counts[kind] < 2) of[kind][counts[kind]] = names[i];
        counts[kind]++;
    }
    const char *const *sources = of[DROP_SOURCE], *const *calibrations = of[DROP_CALIBRATION];
    const char *settings = of[DROP_SETTINGS][0];
    const int source_count = counts[DROP_SOURCE], calibration_count = counts[DROP_CALIBRATION];
    if (source_count > 2)
        return sv_fail(error, SV_USAGE,
                       "too many files were dropped: drop two, the left and the right one, or a folder");
    if (calibration_count > 2)
        return sv_fail(error, SV_USAGE, "too many calibration files were dropped: drop one, or one for each camera");
    if (settings) snprintf(in->settings, sizeof in->settings, "%s", settings);
    if (calibration_count == 2) {
        const bool swap = is_right(calibrations[0], calibrations[1], true);
        snprintf(in->calibration, sizeof in->calibration, "%s,%s", calibrations[swap], calibrations[!swap]);
    } else if (calibration_count) {
        snprintf(in->calibration, sizeof in->calibration, "%s", calibrations[0]);
    }
    if (source_count == 2) {
        take_sources(in, sources[0], sources[1], true);
    } else if (source_count && has_both_sides(sources[0])) {
        take_sources(in, sources[0], NULL, false);
    } else if (source_count && in->waiting[0]) {
        char first[sizeof in->waiting];
        memcpy(first, in->waiting, sizeof first);
        take_sources(in, first, sources[0], false);
    } else if (source_count) {
        snprintf(in->waiting, sizeof in->waiting, "%s", sources[0]);
    }
    return SV_OK;
}

static const char *word_of(drop_kind kind) { return kind == DROP_SETTINGS ? "settings file" : "calibration"; }

sv_status drop_typed(drop *in, const request *asked, sv_error *error) {
    char *left = (char *)asked->names[0]; /* which drop_add only reads */
    const bool both = *asked->names[1];
    for (int i = 0; i < 1 + both; i++) {
        const drop_kind kind = drop_kind_of(asked->names[i]);
        if (kind == DROP_SOURCE) continue;
        if (!both) return drop_add(in, &left, 1, error);
        return sv_fail(error, SV_USAGE, "%s is a %s, not a picture or a video", asked->names[i], word_of(kind));
    }
    if (*asked->calibration && drop_kind_of(asked->calibration) == DROP_SETTINGS)
        return sv_fail(error, SV_USAGE, "%s is a settings file, not a calibration; open it as \"left\"",
                       asked->calibration);
    in->request = *asked;
    in->has_sources = true;
    in->waiting[0] = 0;
    if (*asked->calibration) memcpy(in->calibration, asked->calibration, sizeof in->calibration);
    return SV_OK;
}
