/* The configurations that the benchmark measures, by set. */
#ifndef TESTS_BENCH_BENCH_CASES_H
#define TESTS_BENCH_BENCH_CASES_H

#include "tests/bench/baseline/baseline.h"

/* The span of time that a target is for. */
typedef enum bench_span { BENCH_MATCH, BENCH_REFINE, BENCH_MATCH_AND_REFINE } bench_span;

extern const char *const bench_span_names[];

typedef struct bench_case {
    const char *set;
    char name[80];
    int width, height;
    sv_params params;
    double target_ms; /* of `span`, at most; 0: there is no target */
    bench_span span;

    /* What it is measured against in turns, if anything, and how many times as fast it should be (0: there is no
     * target). */
    const baseline *baseline;
    bool one_thread; /* the same with one thread */
    bool plain;      /* the same without the temporal filter and the confidence */
    double target_times;
} bench_case;

/* The names of the sets, as one line for --help. */
extern const char bench_sets[];

/* The cases of a set for a backend; NULL with a message if there is no such set or no memory. The caller frees them. */
bench_case *bench_cases_of(const char *set, const sv_backend *backend, int *count, sv_error *error);

/* The baseline that a method of the backend is measured against, or NULL. */
const baseline *bench_baseline_of(int method, const sv_backend *backend);

/* The method's defaults for a range, without refinement except the left-right check if `check` is set. */
sv_params bench_params(sv_method method, int min_disparity, int max_disparity, bool check);

#endif
