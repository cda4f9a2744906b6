/* Compares every map of a run with that of the second set of parameters. */
#include "app/batch/comparer.h"

#include "app/media/media.h"
#include "app/options/second_set.h"
#include "base/file.h"
#include "base/log.h"
#include "map/score.h"
#include "map/truth.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const columns[COMPARER_COLUMNS] = {"both",   "over1",  "over2",  "only A", "only B",
                                                      "A ms",   "B ms",   "A dens", "B dens", "A bad1",
                                                      "B bad1", "A bad2", "B bad2", "A avg",  "B avg"};
enum { WITHOUT_TRUTH = 9 }; /* those before them do not need a truth */

static int count_columns(const comparer *c) { return c->truth ? COMPARER_COLUMNS : WITHOUT_TRUTH; }

/* `from`: parameters whose values are not repeated. */
static void name_set(const char *set, const sv_params *from, const sv_params *params) {
    char text[SECOND_SET_BYTES], value[SV_VALUE_BYTES];
    const sv_parameter *fill = sv_find_parameter("fill");
    printf("%s: %s", set, second_set_print(from, params, text, sizeof text));
    if (params->fill != SV_FILL_NONE && sv_uses(params->method, fill))
        printf(" (fill=%s fills what has no match)", sv_print(params, fill, value, sizeof value));
    printf("\n");
}

static void print_header(const comparer *c) {
    const sv_params defaults = sv_default_params((sv_method)c->first->method);
    name_set("A", &defaults, c->first);
    name_set("B", c->first, c->params);
    printf("%-16s", "frame");
    for (int i = 0; i < count_columns(c); i++) printf("%9s", columns[i]);
    printf("\n");
}

/* `values`: divided by `divisor`. */
static void print_row(const comparer *c, const char *name, const double *values, double divisor) {
    printf("%-16s", name);
    for (int i = 0; i < count_columns(c); i++) printf("%9.2f", values[i] / divisor);
    printf("\n");
}

/* Adds the errors of both maps to the row. */
static sv_status score_both(const comparer *c, int64_t index, const sv_output *a, double *row, sv_error *error) {
    sv_image truth;
    score of_a, of_b;
    sv_status status = truth_read(c->truth, index, c->truth_scale, &truth, error);
    if (status != SV_OK) return status;
    status = truth_check(c->truth, index, &a->disparity, &truth, error);
    if (status == SV_OK) status = sv_score_map(&a->disparity, &truth, &of_a, error);
    if (status == SV_OK) status = sv_score_map(&c->maps.disparity, &truth, &of_b, error);
    free(truth.data);
    if (status != SV_OK) return status;
    const double scores[] = {of_a.bad1, of_b.bad1, of_a.bad2, of_b.bad2, of_a.average, of_b.average};
    for (int i = WITHOUT_TRUTH; i < COMPARER_COLUMNS; i++) row[i] = scores[i - WITHOUT_TRUTH];
    return SV_OK;
}

sv_status comparer_lead(comparer *c, const frame_pair *pair, sv_times *times, sv_error *error) {
    const sv_pair pictures = media_pictures(pair);
    const sv_status status = sv_submit(c->matcher, &pictures, c->params, &c->maps, error);
    return status == SV_OK ? sv_wait(c->matcher, times, error) : status;
}

sv_status comparer_use(comparer *c, const frame_pair *pair, const sv_output *a, const sv_times *times,
                       sv_error *error) {
    const int64_t index = pair->left->index;
    sv_times times_of_b;
    comparison figures;
    char name[32];
    sv_status status = comparer_lead(c, pair, &times_of_b, error);
    if (status == SV_OK) space_limit_maps(&c->space, c->limits, &c->maps);
    if (status == SV_OK) status = compare_maps(&a->disparity, &c->maps.disparity, &figures, error);
    if (status != SV_OK) return status;
    const compare_shares s = compare_shares_of(&figures);
    double row[COMPARER_COLUMNS] = {s.both,
                                    s.over1,
                                    s.over2,
                                    s.only[0],
                                    s.only[1],
                                    compare_time(times),
                                    compare_time(&times_of_b),
                                    s.both + s.only[0],
                                    s.both + s.only[1]};
    if (c->truth) status = score_both(c, index, a, row, error);
    if (status != SV_OK) return status;
    log_progress(NULL); /* standard output may be the same terminal */
    if (!c->frames) print_header(c);
    snprintf(name, sizeof name, "%06" PRId64, index);
    print_row(c, name, row, 1);
    for (int i = 0; i < COMPARER_COLUMNS; i++) c->sums[i] += row[i];
    c->frames++;
    return fflush(stdout) ? file_failed("write", "standard output", error) : SV_OK;
}

void comparer_print_mean(const comparer *c) {
    char name[32];
    if (c->frames < 2) return;
    snprintf(name, sizeof name, "mean of %d", c->frames);
    print_row(c, name, c->sums, c->frames);
}
