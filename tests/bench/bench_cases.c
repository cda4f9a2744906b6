/* The benchmark's configurations: see bench_cases.h. */
#include "tests/bench/bench_cases.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char bench_sets[] = "targets, sizes, windows, ranges, steps, extras, threads, loops, peers, scaling";

const char *const bench_span_names[] = {
    [BENCH_MATCH] = "match", [BENCH_REFINE] = "refine", [BENCH_MATCH_AND_REFINE] = "match and refine"};

enum { MOST_CASES = 256 };

static const struct size {
    int width, height, far; /* `far`: the larger of the ranges tried */
} sizes[] = {{640, 480, 127}, {1242, 375, 127}, {1920, 1080, 127}, {3840, 2160, 255}};
enum { SIZE_COUNT = sizeof sizes / sizeof *sizes };

typedef struct list {
    bench_case *cases;
    int count;
    const char *set;
} list;

const baseline *bench_baseline_of(int method, const sv_backend *backend) {
    static const baseline *const all[] = {
        &loops_ssd,
        &loops_ncc,
        &loops_zncc,
#if SV_CUDA
        &ssd_2008,
        &ncc_row_launches,
#endif
        NULL
    };
    int i = 0;
    while (all[i] && (all[i]->method != method || all[i]->backend != backend)) i++;
    return all[i];
}

sv_params bench_params(sv_method method, int min_disparity, int max_disparity, bool check) {
    sv_params params = sv_default_params(method);
    params.min_disparity = min_disparity;
    params.max_disparity = max_disparity;
    params.prefilter = SV_PREFILTER_NONE;
    params.speckle_size = params.median = params.weighted_median = params.average = 0;
    params.fill = SV_FILL_NONE;
    if (!check) params.left_right_check = -1;
    return params;
}

/* A new case, to be completed; when the list is full, the last one is overwritten. */
SV_PRINTF(5, 6)
static bench_case *add(list *list, int width, int height, sv_params params, const char *name, ...) {
    if (list->count < MOST_CASES) list->count++;
    bench_case *c = &list->cases[list->count - 1];
    *c = (bench_case){.set = list->set, .width = width, .height = height, .params = params};
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(c->name, sizeof c->name, name, arguments);
    va_end(arguments);
    return c;
}

static void aim(bench_case *c, double ms, bench_span span) {
    c->target_ms = ms;
    c->span = span;
}

/* ---- Targets ---------------------------------------------------------------------------------- */

#if SV_CUDA
static void targets_of_cuda(list *list) {
    bench_case *c = add(list, 1242, 375, bench_params(SV_SSD, 0, 70, false), "ssd 11x11, left map");
    aim(c, 0.025, BENCH_MATCH);
    c->baseline = &ssd_2008;
    c->target_times = 20;
    c = add(list, 640, 480, bench_params(SV_SSD, 0, 50, false), "ssd 11x11, left map");
    aim(c, 0.04, BENCH_MATCH);
    c->baseline = &device_copy;
    aim(add(list, 1920, 1080, bench_params(SV_SSD, 0, 127, false), "ssd 11x11, left map"), 0.25, BENCH_MATCH);
    aim(add(list, 3840, 2160, bench_params(SV_SSD, 0, 255, false), "ssd 11x11, left map"), 2, BENCH_MATCH);
    sv_params quarter = bench_params(SV_SSD, 0, 70, false);
    quarter.steps = 4;
    aim(add(list, 1242, 375, quarter, "ssd 11x11, left map, steps of 1/4"), 1, BENCH_MATCH);

    sv_params paper = bench_params(SV_NCC, 0, 70, true), bands = paper;
    paper.reseed = 0;
    c = add(list, 1242, 375, paper, "ncc 7x7, both maps, check, reseed 0");
    aim(c, 0.35, BENCH_MATCH_AND_REFINE);
    c->baseline = &ncc_row_launches;
    c->target_times = 20;
    aim(add(list, 1242, 375, bands, "ncc 7x7, both maps, check, reseed 16"), 0.12, BENCH_MATCH_AND_REFINE);
    aim(add(list, 1920, 1080, paper, "ncc 7x7, both maps, check, reseed 0"), 0.9, BENCH_MATCH_AND_REFINE);

    sv_params report = bench_params(SV_ZNCC, 0, 64, true);
    report.fill = SV_FILL_CROSS;
    report.average = 5;
    aim(add(list, 735, 504, report, "zncc 9x9, both maps, check, fill, average"), 0.2, BENCH_MATCH_AND_REFINE);

    sv_params gfd = sv_default_params(SV_GFD);
    gfd.max_disparity = 31;
    aim(add(list, 320, 240, gfd, "gfd, whole chain"), 0.5, BENCH_MATCH_AND_REFINE);
    gfd.max_disparity = 70;
    aim(add(list, 1242, 375, gfd, "gfd, whole chain"), 1, BENCH_MATCH_AND_REFINE);

    /* Matching, and the steps after it; 0: no target. */
    static const double match[SIZE_COUNT] = {0, 0.20, 0.80, 5}, refine[SIZE_COUNT] = {0, 0.0215, 0.061, 0};
    for (int i = 0; i < SIZE_COUNT; i++) {
        sv_params sgm = sv_default_params(SV_SGM);
        sgm.max_disparity = sizes[i].far;
        aim(add(list, sizes[i].width, sizes[i].height, sgm, "sgm, matching"), match[i], BENCH_MATCH);
        aim(add(list, sizes[i].width, sizes[i].height, sgm, "sgm, refinement"), refine[i], BENCH_REFINE);
    }
}
#endif

#if SV_CUDA && defined SV_PEERS
/* Other programs' matchers beside ours with as many steps as they have. */
static void add_peers(list *list) {
    static const struct size block[] = {{1242, 375, 63}, {1920, 1080, 127}},
                             global[] = {{640, 480, 127}, {1242, 375, 127}, {1920, 1080, 127}, {3840, 2160, 63}};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++)
        add(list, block[i].width, block[i].height, bench_params(SV_SSD, 0, block[i].far, false), "ssd 11x11, left map")
            ->baseline = &opencv_bm;
    sv_params wide = bench_params(SV_SSD, 0, 63, false), sgm = sv_default_params(SV_SGM);
    wide.rho = 8;
    add(list, 1242, 375, wide, "ssd 17x17, left map")->baseline = &cuda_sample;
    sgm.speckle_size = sgm.holes = 0;
    for (size_t i = 0; i < sizeof global / sizeof *global; i++) {
        sgm.max_disparity = global[i].far;
        add(list, global[i].width, global[i].height, sgm, "sgm, check, median")->baseline = &opencv_sgm;
    }
}
#endif

static void targets_of_cpu(list *list) {
    aim(add(list, 1242, 375, bench_params(SV_NCC, 0, 70, true), "ncc 7x7, both maps, check, reseed 16"), 25,
        BENCH_MATCH_AND_REFINE);
    aim(add(list, 735, 504, bench_params(SV_ZNCC, 0, 64, true), "zncc 9x9, both maps"), 150, BENCH_MATCH);
}

static void add_targets(list *list, const sv_backend *backend) {
    if (backend == &sv_cpu) targets_of_cpu(list);
#if SV_CUDA
    if (backend == &sv_cuda) targets_of_cuda(list);
#endif
}

/* ---- The other sets -------------------------------------------------------------------------------- */

/* Every method at its defaults, with a larger range, and with a smaller and a larger window. */
static void add_sizes(list *list) {
    static const int radii[SV_METHOD_COUNT][2] = {
        [SV_SSD] = {2, 10}, [SV_NCC] = {2, 5}, [SV_ZNCC] = {2, 7}, [SV_GFD] = {0, 3}};
    for (int i = 0; i < SIZE_COUNT; i++) {
        const int width = sizes[i].width, height = sizes[i].height;
        for (int method = 0; method < SV_NET; method++) {
            sv_params params = sv_default_params((sv_method)method);
            params.max_disparity = 63;
            add(list, width, height, params, "defaults");
            /* gfd needs 4 to 10 bytes for every candidate of every pixel. */
            if (method == SV_GFD && width > 1920) continue;
            for (int j = 0; j < 2 && radii[method][1]; j++) { /* sgm has no window */
                params.rho = radii[method][j];
                add(list, width, height, params, "defaults, radius %d", params.rho);
            }
            params.rho = sv_default_params((sv_method)method).rho;
            params.max_disparity = sizes[i].far;
            add(list, width, height, params, "defaults, larger range");
        }
    }
}

/* The time of a match should not depend on the size of the window. */
static void add_windows(list *list) {
    static const sv_method methods[] = {SV_SSD, SV_NCC, SV_ZNCC};
    static const int radii[] = {1, 3, 4, 5, 7, 8, 11, 15};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (size_t j = 0; j < sizeof radii / sizeof *radii; j++) {
            sv_params params = bench_params(methods[i], 0, 63, true);
            params.rho = radii[j];
            add(list, 1242, 375, params, "check, radius %d", params.rho);
        }
}

/* The time of a match should grow with the range alone, also beyond what one pass of a kernel takes. */
static void add_ranges(list *list) {
    static const int candidates[] = {64, 128, 192, 256, 257, 320, 384, 512, 768, 1024};
    for (int method = 0; method < SV_NET; method++)
        for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
            if (method == SV_GFD && candidates[i] > 256) continue; /* it keeps every candidate of every pixel */
            const sv_params params = bench_params((sv_method)method, 0, candidates[i] - 1, method != SV_GFD);
            add(list, 1242, 375, params, "check, %d candidates", candidates[i]);
        }
}

/* What the temporal filter and the confidence add, in turns with the same without them. */
static void add_extras(list *list) {
    for (int method = 0; method < SV_NET; method++) {
        sv_params params = sv_default_params((sv_method)method);
        params.max_disparity = 127;
        params.temporal = 5;
        add(list, 1242, 375, params, "temporal 5")->plain = true;
        params.temporal = sv_default_params((sv_method)method).temporal;
        params.min_confidence = 1;
        add(list, 1242, 375, params, "confidence")->plain = true;
    }
}

/* Each step of the refinement on its own after the left-right check, which leaves it something to do. */
static void add_steps(list *list) {
    const sv_params check = bench_params(SV_SSD, 0, 70, true);
    sv_params p = check;
    add(list, 1242, 375, p, "check");
    p.speckle_size = 100;
    add(list, 1242, 375, p, "check, speckles");
    p = check;
    p.fill = SV_FILL_ROW;
    add(list, 1242, 375, p, "check, fill row");
    p.fill = SV_FILL_CROSS;
    add(list, 1242, 375, p, "check, fill cross");
    p.fill = SV_FILL_SURFACE;
    add(list, 1242, 375, p, "check, fill surface");
    p = check;
    p.median = 3;
    add(list, 1242, 375, p, "check, median 3");
    p.median = 5;
    add(list, 1242, 375, p, "check, median 5");
    p = check;
    p.weighted_median = 2;
    add(list, 1242, 375, p, "check, weighted median 2");
    p.weighted_median = 5;
    add(list, 1242, 375, p, "check, weighted median 5");
    p = check;
    p.average = 5;
    add(list, 1242, 375, p, "check, average 5");
    p = check;
    p.temporal = 5;
    add(list, 1242, 375, p, "check, temporal 5");
}

static void add_threads(list *list) {
    for (int method = 0; method < SV_NET; method++) {
        sv_params params = sv_default_params((sv_method)method);
        params.max_disparity = 70;
        bench_case *c = add(list, 1242, 375, params, "defaults");
        c->one_thread = true;
        c->target_times = 1.7;
    }
}

/* Plain implementations beside the same map of ours. */
static void add_loops(list *list) {
    sv_params paper = bench_params(SV_NCC, 0, 70, true);
    paper.reseed = 0;
    add(list, 1242, 375, bench_params(SV_SSD, 0, 70, false), "ssd 11x11, left map")->baseline = &loops_ssd;
    add(list, 1242, 375, paper, "ncc 7x7, both maps, check, reseed 0")->baseline = &loops_ncc;
    add(list, 735, 504, bench_params(SV_ZNCC, 0, 64, true), "zncc 9x9, both maps, check")->baseline = &loops_zncc;
}

static void add_scaling(list *list) {
    static const struct size areas[] = {{320, 240, 0},   {640, 480, 0},   {960, 720, 0},  {1280, 960, 0},
                                        {1920, 1080, 0}, {2560, 1440, 0}, {3840, 2160, 0}};
    static const int ranges[] = {16, 32, 64, 96, 128, 192, 256};
    for (int method = 0; method < SV_NET; method++) {
        for (size_t i = 0; i < sizeof areas / sizeof *areas; i++)
            add(list, areas[i].width, areas[i].height, bench_params((sv_method)method, 0, 63, method != SV_GFD),
                "pixels");
        for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
            add(list, 1920, 1080, bench_params((sv_method)method, 0, ranges[i] - 1, method != SV_GFD), "disparities");
    }
}

bench_case *bench_cases_of(const char *set, const sv_backend *backend, int *count, sv_error *error) {
    list list = {calloc(MOST_CASES, sizeof(bench_case)), 0, set};
    if (!list.cases) {
        sv_fail(error, SV_FAILED, "out of memory for the benchmark's cases");
        return NULL;
    }
    const bool cpu = backend == &sv_cpu;
    if (!strcmp(set, "targets")) {
        add_targets(&list, backend);
    } else if (!strcmp(set, "sizes")) {
        add_sizes(&list);
    } else if (!strcmp(set, "windows")) {
        add_windows(&list);
    } else if (!strcmp(set, "ranges")) {
        add_ranges(&list);
    } else if (!strcmp(set, "extras")) {
        add_extras(&list);
    } else if (!strcmp(set, "steps")) {
        add_steps(&list);
    } else if (!strcmp(set, "scaling")) {
        add_scaling(&list);
    } else if (!strcmp(set, "threads")) {
        if (cpu) add_threads(&list);
    } else if (!strcmp(set, "loops")) {
        if (cpu) add_loops(&list);
    } else if (!strcmp(set, "peers")) {
#if SV_CUDA && defined SV_PEERS
        if (!cpu) add_peers(&list);
#endif
    } else {
        sv_fail(error, SV_USAGE, "there is no set '%s'; there are %s", set, bench_sets);
        free(list.cases);
        return NULL;
    }
    *count = list.count;
    return list.cases;
}
