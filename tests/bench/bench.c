/* Measures every method and stage on each available backend ('make bench'; see --help).
 *
 * The runs of a case alternate with those of what it is compared with, each on the next of several pairs of pictures,
 * so that all see the same load of the machine. Before that, its result is compared with the baseline's. Stage times
 * are the backend's own: on a GPU between events on the device, one pair at a time, so that the match stage is the time
 * with input and result on the device. Frames per second are measured by the clock with as many pairs in flight as
 * possible. */
#include "stereo/sort.h"
#include "tests/bench/bench_cases.h"
#include "tests/bench/bench_pictures.h"

#include <getopt.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of `contender.ms`: the stages and their sums. */
enum { FRAME = SV_STAGE_COUNT, ROWS }; /* FRAME: match and refine together */

typedef struct options {
    const char *sets, *backend, *write_to;
    int method, width, height; /* -1, 0: any */
    int threads, runs;
    double seconds; /* for one contender of one case */
    bool quick, pace, beside;
    char *parameters[2 * 64]; /* names and values in turn */
    int parameter_count;
    FILE *tsv;
} options;

/* One of those whose runs alternate. */
typedef struct contender {
    const char *name;
    const sv_backend *backend;
    const baseline *baseline; /* NULL: the backend itself */
    sv_params params;
    int threads;
    void *context;
    sv_matcher *matcher;
    sv_output outputs[SV_IN_FLIGHT];
    float *ms[ROWS]; /* of each run */
    int runs;
    int64_t number;    /* of the pair submitted last: each follows the one before */
    double spent;      /* seconds, in all runs */
    double per_second; /* frames, with several pairs in flight */
} contender;

typedef struct bench {
    options options;
    bench_pictures pictures;
    const sv_backend *backend;
    char device[128];
} bench;

/* ---- Contenders -------------------------------------------------------------------------------- */

static void free_contender(contender *c) {
    if (c->baseline) c->baseline->destroy(c->context);
    sv_matcher_destroy(c->matcher);
    for (int i = 0; i < SV_IN_FLIGHT; i++) {
        c->backend->free(c->outputs[i].disparity.data);
        c->backend->free(c->outputs[i].reason.data);
    }
    for (int row = 0; row < ROWS; row++) free(c->ms[row]);
    *c = (contender){.backend = c->backend};
}

/* If it fails, nothing is left to be freed. */
static sv_status make_contender(contender *c, int width, int height, int runs, sv_error *error) {
    const sv_matcher_options size = {.width = width, .height = height, .threads = c->threads};
    const size_t pixels = (size_t)width * (size_t)height;
    bool complete = true;
    for (int row = 0; row < ROWS; row++) {
        c->ms[row] = malloc(sizeof(float) * (size_t)runs);
        complete = complete && c->ms[row];
    }
    for (int i = 0; i < SV_IN_FLIGHT; i++) {
        sv_output *to = &c->outputs[i];
        to->disparity =
            (sv_image){c->backend->alloc(4 * pixels), 4 * (size_t)width, width, height, SV_FLOAT32, SV_HOST};
        to->reason = (sv_image){c->backend->alloc(pixels), (size_t)width, width, height, SV_REASON8, SV_HOST};
        complete = complete && to->disparity.data && to->reason.data;
    }
    sv_status status;
    if (!complete)
        status = sv_fail(error, SV_FAILED, "out of memory for the results of %d x %d pixels", width, height);
    else if (c->baseline)
        status = c->baseline->create(&c->params, &size, &c->context, error);
    else
        status = sv_matcher_create(c->backend, &size, &c->matcher, error);
    if (status != SV_OK) free_contender(c);
    return status;
}

static sv_status submit(contender *c, const sv_pair *pictures, int output, sv_error *error) {
    sv_pair pair = *pictures;
    pair.number = ++c->number;
    return sv_submit(c->matcher, &pair, &c->params, &c->outputs[output], error);
}

static sv_status run_once(contender *c, const sv_pair *pair, sv_times *times, sv_error *error) {
    const double start = sv_seconds();
    sv_status status;
    *times = (sv_times){0};
    if (c->baseline) {
        status = c->baseline->run(c->context, pair, NULL, &times->ms[SV_MATCH], error);
    } else {
        status = submit(c, pair, 0, error);
        if (status == SV_OK) status = sv_wait(c->matcher, times, error);
    }
    c->spent += sv_seconds() - start;
    return status;
}

/* Runs it on the next pair and keeps the times. */
static sv_status measure_once(contender *c, const bench_pictures *pictures, sv_error *error) {
    sv_times times;
    const sv_status status = run_once(c, &pictures->pairs[c->runs % pictures->count], &times, error);
    if (status != SV_OK) return status;
    for (int stage = 0; stage < SV_STAGE_COUNT; stage++) c->ms[stage][c->runs] = times.ms[stage];
    c->ms[FRAME][c->runs] = times.ms[SV_MATCH] + times.ms[SV_REFINE];
    c->runs++;
    return SV_OK;
}

/* Sets `per_second`. The CPU backend completes a pair while it is submitted, so for it the runs are enough. */
static sv_status measure_rate(contender *c, const bench_pictures *pictures, int runs, sv_error *error) {
    c->per_second = c->runs / c->spent;
    if (c->baseline || c->backend == &sv_cpu) return SV_OK;
    sv_status status = SV_OK;
    int submitted = 0, waited = 0;
    double start = sv_seconds();
    while (status == SV_OK && waited < runs) {
        if (submitted < runs && submitted - waited < SV_IN_FLIGHT) {
            status = submit(c, &pictures->pairs[submitted % pictures->count], submitted % SV_IN_FLIGHT, error);
            submitted++;
        } else if ((status = sv_wait(c->matcher, NULL, error)) == SV_OK) {
            waited++;
        }
    }
    c->per_second = runs / (sv_seconds() - start);
    return status;
}

/* Fails if our map and the baseline's differ in more pixels than its rounding explains. Parabolas and filters, which
 * baselines do not have, are left out. */
static sv_status compare(const contender *ours, const contender *theirs, const sv_pair *pair, sv_error *error) {
    const int width = pair->left.width, height = pair->left.height;
    const size_t pixels = (size_t)width * (size_t)height;
    sv_params params = ours->params;
    params.subpixel = params.speckle_size = params.fill = params.median = params.weighted_median = params.average = 0;
    float ms, *map = malloc(sizeof *map * pixels);
    if (!map) return sv_fail(error, SV_FAILED, "out of memory for a map of %d x %d pixels", width, height);
    sv_status status = theirs->baseline->run(theirs->context, pair, map, &ms, error);
    if (status == SV_OK) status = sv_submit(ours->matcher, pair, &params, &ours->outputs[0], error);
    if (status == SV_OK) status = sv_wait(ours->matcher, NULL, error);
    size_t compared = 0, different = 0;
    for (size_t i = 0; status == SV_OK && i < pixels; i++) {
        const float *own = ours->outputs[0].disparity.data;
        if (isnan(map[i])) continue;
        compared++;
        different += map[i] != own[i];
    }
    free(map);
    if (status == SV_OK && (!compared || (double)different > theirs->baseline->disagreement * (double)compared))
        status = sv_fail(error, SV_FAILED, "%s disagrees with the backend in %zu of %zu pixels; nothing was timed",
                         theirs->name, different, compared);
    return status;
}

/* Alternates between all of them until each has had its runs or its time, but at least five runs; one run is enough for
 * a very slow baseline. */
static sv_status take_turns(const bench *b, contender *contenders, int count, sv_error *error) {
    enum { LEAST = 5, WARM_UP = 3 };
    const options *o = &b->options;
    sv_times times;
    sv_status status = SV_OK;
    for (int i = 0; i < count; i++)
        for (int n = 0; status == SV_OK && n < WARM_UP && contenders[i].spent < o->seconds / 10; n++)
            status = run_once(&contenders[i], &b->pictures.pairs[n % b->pictures.count], &times, error);
    for (int i = 0; i < count; i++) contenders[i].spent = 0;
    for (bool more = true; more && status == SV_OK;) {
        more = false;
        for (int i = 0; i < count && status == SV_OK; i++) {
            contender *c = &contenders[i];
            const int least = c->baseline ? 1 : LEAST;
            if (c->runs >= o->runs || (c->runs >= least && c->spent >= o->seconds)) continue;
            status = measure_once(c, &b->pictures, error);
            more = true;
        }
    }
    for (int i = 0; i < count && status == SV_OK; i++)
        status = measure_rate(&contenders[i], &b->pictures, contenders[i].runs, error);
    return status;
}

/* ---- Figures ----------------------------------------------------------------------------------- */

/* The smallest value that `percent` of the runs do not exceed. */
static double percentile(const contender *c, int row, int percent) {
    float *sorted = malloc(sizeof *sorted * (size_t)c->runs);
    if (!sorted) return NAN;
    memcpy(sorted, c->ms[row], sizeof *sorted * (size_t)c->runs);
    sv_sort_floats(sorted, (size_t)c->runs);
    const int rank = (percent * c->runs + 99) / 100;
    const double value = (double)sorted[rank ? rank - 1 : 0];
    free(sorted);
    return value;
}

static int row_of(bench_span span) { return span == BENCH_MATCH ? SV_MATCH : span == BENCH_REFINE ? SV_REFINE : FRAME; }

/* Pixels times candidates, counted once for one map or two, over the median match time, in 10^9 per second. */
static double evaluations(const bench_case *k, const contender *c) {
    const double all = (double)k->width * k->height * sv_candidates(&c->params);
    return all / percentile(c, SV_MATCH, 50) / 1e6;
}

static const char tsv_head[] =
    "set\tname\tbackend\tdevice\tcontender\tmethod\twidth\theight\tmin\tmax\tsteps\trho\treseed\tmaps\t"
    "threads\truns\tupload_ms\tmatch_ms\tmatch_p95_ms\trefine_ms\trefine_p95_ms\tframe_ms\tframe_p95_ms\tdownload_ms\t"
    "frames_per_s\tgiga_evaluations_per_s\ttarget_ms\ttarget_of\ttarget_times\ttimes\tversion\n";

static void print_head(const bench *b) {
    printf("%s: %s\n", b->backend->name, b->device);
    printf("%-42s %-6s %9s %9s %12s %7s %5s %19s %19s %8s %8s %9s %8s\n", "case", "method", "size", "range", "by",
           "threads", "runs", "match ms (p95)", "refine ms (p95)", "upload", "download", "frames/s", "G eval/s");
    fflush(stdout);
}

static void print_contender(const bench *b, const bench_case *k, const contender *c, double times) {
    const sv_params *p = &c->params;
    const double match = percentile(c, SV_MATCH, 50), refine = percentile(c, SV_REFINE, 50);
    const double match_95 = percentile(c, SV_MATCH, 95), refine_95 = percentile(c, SV_REFINE, 95);
    const double upload = percentile(c, SV_UPLOAD, 50), download = percentile(c, SV_DOWNLOAD, 50);
    char size[16], range[16];
    snprintf(size, sizeof size, "%dx%d", k->width, k->height);
    snprintf(range, sizeof range, "%d:%d", p->min_disparity, p->max_disparity);
    printf("%-42s %-6s %9s %9s %12s %7d %5d %9.4f (%7.4f) %9.4f (%7.4f) %8.4f %8.4f %9.1f %8.2f\n", k->name,
           sv_method_name(p->method), size, range, c->name, c->threads, c->runs, match, match_95, refine, refine_95,
           upload, download, c->per_second, evaluations(k, c));
    fflush(stdout);
    if (!b->options.tsv) return;
    const bool ours = !c->baseline;
    const double target_ms = ours ? k->target_ms : 0;
    fprintf(b->options.tsv,
            "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t"
            "%.4f\t%.4f\t%.1f\t%.3f\t%g\t%s\t%g\t%.3f\t%s\n",
            k->set, k->name, c->backend->name, b->device, c->name, sv_method_name(p->method), k->width, k->height,
            p->min_disparity, p->max_disparity, p->steps, p->rho, p->reseed, p->left_right_check >= 0 ? 2 : 1,
            c->threads, c->runs, upload, match, match_95, refine, refine_95, percentile(c, FRAME, 50),
            percentile(c, FRAME, 95), download, c->per_second, evaluations(k, c), target_ms,
            ours ? bench_span_names[k->span] : "", times > 0 ? k->target_times : 0, times, SV_VERSION);
    fflush(b->options.tsv);
}

/* Prints the contenders, the first of which is ours, beside the targets. */
static void print_case(const bench *b, const bench_case *k, const contender *contenders, int count) {
    const int row = row_of(k->span);
    const double ms = percentile(&contenders[0], row, 50);
    const double times = count > 1 ? percentile(&contenders[1], FRAME, 50) / percentile(&contenders[0], FRAME, 50) : 0;
    for (int i = 0; i < count; i++) print_contender(b, k, &contenders[i], i ? 0 : times);
    if (k->target_ms > 0)
        printf("    %s: %.4f ms, target %g: %s\n", bench_span_names[k->span], ms, k->target_ms,
               ms <= k->target_ms ? "met" : "MISSED");
    if (count > 1) {
        printf("    %.2f times as fast as %s", times, contenders[1].name);
        if (k->target_times > 0)
            printf(", target %g: %s", k->target_times, times >= k->target_times ? "met" : "MISSED");
        printf("\n");
    }
}

/* ---- Cases ------------------------------------------------------------------------------------- */

static sv_status make_pictures(bench *b, const bench_case *k, sv_error *error) {
    return bench_pictures_make(&b->pictures, b->backend, k->width, k->height, k->params.min_disparity,
                               k->params.max_disparity, sv_methods[k->params.method].uses_colour, error);
}

static sv_status run_case(bench *b, const bench_case *k, sv_error *error) {
    const options *o = &b->options;
    const int threads = b->backend != &sv_cpu ? 0 : o->threads ? o->threads : omp_get_max_threads();
    contender contenders[2] = {{.name = "stereoview", .backend = b->backend, .params = k->params, .threads = threads},
                               {.name = k->baseline     ? k->baseline->name
                                        : k->one_thread ? "one thread"
                                                        : "without",
                                .backend = b->backend,
                                .baseline = k->baseline,
                                .params = k->params,
                                .threads = k->one_thread ? 1 : threads}};
    const int count = 1 + (k->baseline || k->one_thread || k->plain);
    if (k->plain) {
        const sv_params defaults = sv_default_params(k->params.method);
        contenders[1].params.temporal = defaults.temporal;
        contenders[1].params.min_confidence = defaults.min_confidence;
    }
    int made = 0;
    sv_status status = make_pictures(b, k, error);
    while (status == SV_OK && made < count) {
        status = make_contender(&contenders[made], k->width, k->height, o->runs, error);
        if (status == SV_OK) made++;
    }
    if (status == SV_OK && k->baseline && k->baseline->disagreement < 1)
        status = compare(&contenders[0], &contenders[1], &b->pictures.pairs[0], error);
    if (status == SV_OK) status = take_turns(b, contenders, count, error);
    if (status == SV_OK) print_case(b, k, contenders, count);
    while (made) free_contender(&contenders[--made]);
    return status;
}

/* For another program that alternates with this one: reads lines with a number from standard input, and for each makes
 * that many runs and prints a line with their milliseconds (match and refine). */
static sv_status keep_pace(bench *b, const bench_case *k, sv_error *error) {
    enum { MOST = 1000 };
    contender c = {.name = "stereoview", .backend = b->backend, .params = k->params, .threads = b->options.threads};
    sv_status status = make_pictures(b, k, error);
    if (status == SV_OK && b->options.write_to) status = bench_pictures_write(&b->pictures, b->options.write_to, error);
    if (status == SV_OK) status = make_contender(&c, k->width, k->height, MOST, error);
    if (status != SV_OK) return status;
    int runs;
    while (status == SV_OK && scanf("%d", &runs) == 1 && runs <= MOST) {
        c.runs = 0;
        while (status == SV_OK && c.runs < runs) status = measure_once(&c, &b->pictures, error);
        for (int i = 0; i < c.runs; i++) printf("%.4f%c", (double)c.ms[FRAME][i], i + 1 < c.runs ? ' ' : '\n');
        fflush(stdout);
    }
    free_contender(&c);
    return status;
}

static bool wanted(const options *o, const bench_case *k) {
    if (o->method >= 0 && k->params.method != o->method) return false;
    if (o->width && (k->width != o->width || k->height != o->height)) return false;
    return !o->quick || k->width <= 1920;
}

static sv_status run_set(bench *b, const char *set, sv_error *error) {
    int count;
    bench_case *cases = bench_cases_of(set, b->backend, &count, error);
    if (!cases) return SV_USAGE;
    sv_status status = SV_OK;
    for (int i = 0; status == SV_OK && i < count; i++)
        if (wanted(&b->options, &cases[i])) status = run_case(b, &cases[i], error);
    free(cases);
    return status;
}

/* The one case that the command line describes. */
static sv_status run_own(bench *b, sv_error *error) {
    const options *o = &b->options;
    bench_case k = {
        .set = "own", .name = "own", .width = o->width, .height = o->height, .span = BENCH_MATCH_AND_REFINE};
    k.params = sv_default_params((sv_method)(o->method < 0 ? SV_SSD : o->method));
    for (int i = 0; i < o->parameter_count; i++) {
        const char *name = o->parameters[2 * i], *value = o->parameters[2 * i + 1];
        const sv_status status = strcmp(name, "disparities")
                                     ? sv_parse(&k.params, sv_find_parameter(name), value, error)
                                     : sv_parse_disparities(&k.params, value, error);
        if (status != SV_OK) return status;
    }
    if (o->beside && !(k.baseline = bench_baseline_of(k.params.method, b->backend)))
        return sv_fail(error, SV_USAGE, "there is no baseline for %s on %s", sv_method_name(k.params.method),
                       b->backend->name);
    return o->pace ? keep_pace(b, &k, error) : run_case(b, &k, error);
}

static sv_status run_backend(bench *b, sv_error *error) {
    const options *o = &b->options;
    sv_status status = SV_OK;
    if (!o->pace) print_head(b);
    if (!o->sets && o->width) {
        status = run_own(b, error);
    } else {
        char sets[256], *rest = sets;
        snprintf(sets, sizeof sets, "%s", o->sets ? o->sets : "targets,sizes,steps,threads,loops");
        for (char *set; status == SV_OK && (set = strsep(&rest, ","));) status = run_set(b, set, error);
    }
    bench_pictures_free(&b->pictures);
    b->pictures = (bench_pictures){0};
    return status;
}

/* ---- The command line -------------------------------------------------------------------------- */

static const char help[] =
    "bench: how fast stereoview's methods are\n"
    "\n"
    "  --set NAME,...      sets of cases to measure: %s (default: all but scaling)\n"
    "  --backend NAME      %s (default: each that runs)\n"
    "  --method NAME       only this method\n"
    "  --size WxH          only this size; without --set, one case of the parameters that are given\n"
    "  --disparities A:B   the range of that case; every other parameter of stereoview --help works too\n"
    "  --beside            alternate with the baseline of that case, if there is one\n"
    "  --threads N         threads of the cpu backend (default: one per core)\n"
    "  --runs N            runs of each case (default 100)\n"
    "  --seconds S         end a case after this time, but not before 5 runs (default 3)\n"
    "  --quick             10 runs, half a second, sizes up to 1920x1080\n"
    "  --tsv FILE          also write the figures to this file\n"
    "  --pace              with --size: read numbers of runs from standard input and print their times\n"
    "  --write FOLDER      with --pace: write the pictures to this folder\n";

enum { PARAMETER = 1, SET, BACKEND, METHOD, SIZE, BESIDE, THREADS, RUNS, SECONDS, QUICK, TSV, PACE, WRITE, HELP };

static sv_status parse(int count, char **arguments, options *o, sv_error *error) {
    struct option table[64 + HELP] = {{"set", 1, NULL, SET},       {"backend", 1, NULL, BACKEND},
                                      {"method", 1, NULL, METHOD}, {"size", 1, NULL, SIZE},
                                      {"beside", 0, NULL, BESIDE}, {"threads", 1, NULL, THREADS},
                                      {"runs", 1, NULL, RUNS},     {"seconds", 1, NULL, SECONDS},
                                      {"quick", 0, NULL, QUICK},   {"tsv", 1, NULL, TSV},
                                      {"pace", 0, NULL, PACE},     {"write", 1, NULL, WRITE},
                                      {"help", 0, NULL, HELP},     {"disparities", 1, NULL, PARAMETER}};
    int entries = HELP, option, index;
    char backends[64];
    char rest;
    for (int i = 0; i < sv_parameter_count; i++)
        table[entries++] = (struct option){sv_parameters[i].name, 1, NULL, PARAMETER};
    while ((option = getopt_long(count, arguments, "", table, &index)) != -1) {
        switch (option) {
        case PARAMETER:
            if (o->parameter_count == 64) return sv_fail(error, SV_USAGE, "too many parameters");
            o->parameters[2 * o->parameter_count] = (char *)table[index].name;
            o->parameters[2 * o->parameter_count++ + 1] = optarg;
            break;
        case SET: o->sets = optarg; break;
        case BACKEND: o->backend = optarg; break;
        case METHOD:
            o->method = sv_method_of(optarg);
            if (o->method < 0) return sv_fail(error, SV_USAGE, "there is no method '%s'", optarg);
            break;
        case SIZE:
            if (sscanf(optarg, "%dx%d%c", &o->width, &o->height, &rest) != 2 || o->width < 1 || o->height < 1)
                return sv_fail(error, SV_USAGE, "--size takes WxH, such as 1242x375, not '%s'", optarg);
            break;
        case BESIDE: o->beside = true; break;
        case THREADS: o->threads = atoi(optarg); break;
        case RUNS: o->runs = atoi(optarg); break;
        case SECONDS: o->seconds = atof(optarg); break;
        case QUICK:
            o->quick = true;
            o->runs = 10;
            o->seconds = 0.5;
            break;
        case TSV:
            if (o->tsv) fclose(o->tsv);
            o->tsv = fopen(optarg, "w");
            if (!o->tsv) return sv_fail(error, SV_FAILED, "cannot write %s", optarg);
            fputs(tsv_head, o->tsv);
            break;
        case PACE: o->pace = true; break;
        case WRITE: o->write_to = optarg; break;
        case HELP: printf(help, bench_sets, sv_name_backends(backends, sizeof backends)); return SV_END;
        default: return sv_fail(error, SV_USAGE, "see --help");
        }
    }
    if (optind < count) return sv_fail(error, SV_USAGE, "'%s' is no option; see --help", arguments[optind]);
    if (o->runs < 1 || o->threads < 0 || (o->pace && (!o->width || o->sets)) || (o->write_to && !o->pace) ||
        (o->beside && (!o->width || o->sets || o->pace)))
        return sv_fail(error, SV_USAGE, "these options do not go together; see --help");
    return SV_OK;
}

static sv_status run(bench *b, sv_error *error) {
    bool any = false;
    for (const sv_backend *const *backend = sv_backends; *backend; backend++) {
        if (b->options.backend && strcmp(b->options.backend, (*backend)->name)) continue;
        sv_status status = (*backend)->probe(0, b->device, sizeof b->device, error);
        if (status != SV_OK && b->options.backend) return status;
        if (status != SV_OK) {
            printf("%s: not measured: %s\n", (*backend)->name, error->text);
            continue;
        }
        any = true;
        b->backend = *backend;
        status = run_backend(b, error);
        if (status != SV_OK) return status;
    }
    return any ? SV_OK : sv_fail(error, SV_USAGE, "there is no backend '%s'", b->options.backend);
}

int main(int count, char **arguments) {
    bench b = {.options = {.method = -1, .runs = 100, .seconds = 3}};
    sv_error error;
    sv_status status = parse(count, arguments, &b.options, &error);
    if (status == SV_OK) status = run(&b, &error);
    if (b.options.tsv && fclose(b.options.tsv) && status == SV_OK)
        status = sv_fail(&error, SV_FAILED, "cannot write all of the figures; is the disk full?");
    if (status == SV_END) status = SV_OK;
    if (status != SV_OK) fprintf(stderr, "bench: %s\n", error.text);
    return status;
}
