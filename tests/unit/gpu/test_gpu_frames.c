/* Frames on CUDA: pairs in flight, frames that become graphs, matchers in two threads, the release of memory, and
 * failures. Skipped if there is no device, unless SV_TEST_BACKEND is cuda. */
#include "tests/support/gpu.h"
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if SV_CUDA
#include <pthread.h>

#define SV_FAULTS
#include "gpu/faults.h"

/* Pairs overlap in flight, each with different parameters, some written to device memory and some to host memory. */
TEST(test_in_flight) {
    enum { PAIRS = 12, WIDTH = 200, HEIGHT = 60 };
    need_device();
    seed_random(4);
    sv_pair pairs[PAIRS];
    sv_params params[PAIRS];
    sv_output outputs[PAIRS], wants[PAIRS];
    sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT, 0);
    for (int i = 0; i < PAIRS; i++) {
        pairs[i] = new_pair(WIDTH, HEIGHT, i);
        fill_pair(&pairs[i], 255);
        params[i] = random_params(gpu_methods[random_below(GPU_METHODS)]);
        wants[i] = cpu_output(&pairs[i], &params[i]);
        outputs[i] = i % 3 ? new_device_output(WIDTH, HEIGHT, i) : new_host_output(WIDTH, HEIGHT);
    }
    for (int i = 0; i < PAIRS + SV_IN_FLIGHT; i++) {
        if (i >= SV_IN_FLIGHT) wait_for(matcher);
        if (i < PAIRS) submit_pair(matcher, &pairs[i], &params[i], &outputs[i]);
    }
    sv_matcher_destroy(matcher);
    for (int i = 0; i < PAIRS; i++) {
        if (i % 3) {
            check_output(&outputs[i], &wants[i], &params[i]);
            free_device_output(&outputs[i]);
        } else {
            assert_memory_equal(outputs[i].disparity.data, wants[i].disparity.data, 4 * WIDTH * HEIGHT);
            assert_memory_equal(outputs[i].reason.data, wants[i].reason.data, WIDTH * HEIGHT);
            free_host_output(&outputs[i]);
        }
        free_host_output(&wants[i]);
        free_pair(&pairs[i]);
    }
}

/* Frames with equal parameters become graphs, one for each combination of pictures and output; frames with other
 * parameters and larger buffers come in between. */
TEST(test_frames_alike) {
    enum { WIDTH = 200, HEIGHT = 60, PAIRS = 3, OUTPUTS = 4 };
    static const struct {
        sv_method method;
        int max_disparity;
        bool whole_chain;
    } turns[] = {{SV_NCC, 30, false}, {SV_SSD, 90, true}, {SV_NCC, 30, false}, {SV_SSD, 300, true},
                 {SV_GFD, 20, false}, {SV_NCC, 90, true}, {SV_ZNCC, 31, true}, {SV_SGM, 31, false}};
    need_device();
    seed_random(8);
    sv_pair pairs[PAIRS];
    sv_output outputs[OUTPUTS], wants[PAIRS];
    sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT, 0);
    for (int i = 0; i < PAIRS; i++) {
        pairs[i] = new_pair(WIDTH, HEIGHT, i);
        fill_pair(&pairs[i], 255);
    }
    for (int i = 0; i < OUTPUTS; i++) outputs[i] = new_device_output(WIDTH, HEIGHT, i);
    /* Two frames as launches, four graphs, and some that find theirs. */
    const int frames = quick() ? 8 : 14;
    for (int turn = 0; goes_on(turn, (int)(sizeof turns / sizeof *turns)); turn++) {
        sv_params params = sv_default_params(turns[turn].method);
        params.max_disparity = turns[turn].max_disparity;
        if (turns[turn].whole_chain) use_whole_chain(&params);
        for (int i = 0; i < PAIRS; i++) wants[i] = cpu_output(&pairs[i], &params);
        for (int i = 0; i < frames + SV_IN_FLIGHT; i++) {
            if (i >= SV_IN_FLIGHT) {
                const int done = i - SV_IN_FLIGHT;
                wait_for(matcher);
                check_output(&outputs[done % OUTPUTS], &wants[done % PAIRS], &params);
            }
            if (i < frames) submit_pair(matcher, &pairs[i % PAIRS], &params, &outputs[i % OUTPUTS]);
        }
        for (int i = 0; i < PAIRS; i++) free_host_output(&wants[i]);
    }
    sv_matcher_destroy(matcher);
    for (int i = 0; i < OUTPUTS; i++) free_device_output(&outputs[i]);
    for (int i = 0; i < PAIRS; i++) free_pair(&pairs[i]);
}

/* Frames of a recording, with the temporal filter: those that were launched and those that became graphs are filtered
 * in their order, whichever output they have, as by the CPU; so are those after a gap. */
TEST(test_frames_that_follow) {
    enum { WIDTH = 200, HEIGHT = 60, PAIRS = 3, OUTPUTS = 4, FRAMES = 16, GAP = 9 };
    need_device();
    seed_random(11);
    sv_pair pairs[PAIRS];
    sv_output outputs[OUTPUTS], wants[FRAMES];
    sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT, 0), *cpu = new_matcher(&sv_cpu, WIDTH, HEIGHT, 0);
    for (int i = 0; i < PAIRS; i++) {
        pairs[i] = new_pair(WIDTH, HEIGHT, i);
        fill_pair(&pairs[i], 255);
        /* Mostly the same left picture. */
        for (int y = 0; i && y < HEIGHT - 10; y++) memcpy(sv_row(&pairs[i].left, y), sv_row(&pairs[0].left, y), WIDTH);
    }
    for (int i = 0; i < OUTPUTS; i++) outputs[i] = new_device_output(WIDTH, HEIGHT, i);
    sv_params params = sv_default_params(SV_SGM);
    for (params.temporal = SV_MAX_TEMPORAL; params.temporal > 1; params.temporal -= 3) {
        for (int i = 0; i < FRAMES; i++) {
            sv_pair pair = pairs[i % PAIRS];
            pair.number = i + 1 + (i >= GAP);
            wants[i] = new_host_output(WIDTH, HEIGHT);
            submit_pair(cpu, &pair, &params, &wants[i]);
            wait_for(cpu);
        }
        for (int i = 0; i < FRAMES + SV_IN_FLIGHT; i++) {
            if (i >= SV_IN_FLIGHT) {
                wait_for(matcher);
                check_output(&outputs[(i - SV_IN_FLIGHT) % OUTPUTS], &wants[i - SV_IN_FLIGHT], &params);
            }
            sv_pair pair = pairs[i % PAIRS];
            pair.number = i + 1 + (i >= GAP);
            if (i < FRAMES) submit_pair(matcher, &pair, &params, &outputs[i % OUTPUTS]);
        }
        for (int i = 0; i < FRAMES; i++) free_host_output(&wants[i]);
    }
    sv_matcher_destroy(matcher);
    sv_matcher_destroy(cpu);
    for (int i = 0; i < OUTPUTS; i++) free_device_output(&outputs[i]);
    for (int i = 0; i < PAIRS; i++) free_pair(&pairs[i]);
}

/* With two pairs in flight, the next one is uploaded and the one before downloaded while a pair is matched. The profile
 * of some of them is printed. */
TEST(test_overlap) {
    enum { WIDTH = 1242, HEIGHT = 375, FRAMES = 8, PAIRS = 100, SHOWN_FROM = 60, SHOWN_TO = 64 };
    need_device();
    if (quick()) {
        print_message("skipped: tools that watch the program change its times\n");
        skip();
    }
    seed_random(7);
    const sv_params params = sv_default_params(SV_NCC);
    sv_pair pairs[FRAMES];
    sv_output outputs[SV_IN_FLIGHT];
    sv_times times[PAIRS];
    sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT, 0);
    for (int i = 0; i < FRAMES; i++) {
        pairs[i] = new_pair(WIDTH, HEIGHT, 38);
        fill_pair(&pairs[i], 255);
    }
    for (int i = 0; i < SV_IN_FLIGHT; i++) {
        char *memory = sv_cuda.alloc((size_t)5 * WIDTH * HEIGHT);
        assert_non_null(memory);
        outputs[i] = (sv_output){.disparity = {memory, 4 * WIDTH, WIDTH, HEIGHT, SV_FLOAT32, SV_HOST},
                                 .reason = {memory + 4 * WIDTH * HEIGHT, WIDTH, WIDTH, HEIGHT, SV_REASON8, SV_HOST}};
    }
    for (int i = 0; i < PAIRS + SV_IN_FLIGHT; i++) {
        sv_error error;
        if (i >= SV_IN_FLIGHT && sv_wait(matcher, &times[i - SV_IN_FLIGHT], &error) != SV_OK)
            fail_msg("%s", error.text);
        if (i < PAIRS) submit_pair(matcher, &pairs[i % FRAMES], &params, &outputs[i % SV_IN_FLIGHT]);
    }
    int uploads = 0, downloads = 0;
    for (int i = PAIRS / 2; i < PAIRS - 1; i++) {
        const sv_times *t = &times[i], *next = &times[i + 1];
        const float kernels_end = t->begin[SV_REFINE] + t->ms[SV_REFINE];
        uploads += next->begin[SV_UPLOAD] < kernels_end;
        downloads += t->begin[SV_DOWNLOAD] + t->ms[SV_DOWNLOAD] > next->begin[SV_MATCH];
        assert_true(next->begin[SV_MATCH] >= kernels_end - 0.002f);
    }
    for (int i = SHOWN_FROM; i < SHOWN_TO; i++) {
        print_message("pair %d, us:", i);
        for (int stage = 0; stage < SV_STAGE_COUNT; stage++) {
            const double begin = 1e3 * ((double)times[i].begin[stage] - (double)times[SHOWN_FROM].begin[SV_UPLOAD]);
            if (times[i].ms[stage] > 0)
                print_message("  %s %.0f to %.0f", sv_stage_name(stage), begin,
                              begin + 1e3 * (double)times[i].ms[stage]);
        }
        print_message("\n");
    }
    print_message("of %d pairs, %d were uploaded and %d downloaded during the work on another\n", PAIRS / 2 - 1,
                  uploads, downloads);
    assert_true(uploads > PAIRS / 4);
    assert_true(downloads > PAIRS / 4);
    sv_matcher_destroy(matcher);
    for (int i = 0; i < FRAMES; i++) free_pair(&pairs[i]);
    for (int i = 0; i < SV_IN_FLIGHT; i++) sv_cuda.free(outputs[i].disparity.data);
}

/* One of two threads that match at the same time. Assertions may only fail in the main thread, so this one counts. */
typedef struct job {
    sv_pair pair;
    sv_params params;
    sv_output got, want;
    int rounds, failures;
    sv_error error;
} job;

static void *run_job(void *argument) {
    job *j = argument;
    const size_t pixels = (size_t)j->pair.left.width * (size_t)j->pair.left.height;
    for (int i = 0; i < j->rounds; i++) {
        sv_matcher *matcher = NULL;
        const sv_matcher_options options = {.width = j->pair.left.width, .height = j->pair.left.height};
        if (sv_matcher_create(&sv_cuda, &options, &matcher, &j->error) != SV_OK ||
            sv_submit(matcher, &j->pair, &j->params, &j->got, &j->error) != SV_OK ||
            sv_wait(matcher, NULL, &j->error) != SV_OK ||
            memcmp(j->got.disparity.data, j->want.disparity.data, 4 * pixels) != 0 ||
            memcmp(j->got.reason.data, j->want.reason.data, pixels) != 0)
            j->failures++;
        sv_matcher_destroy(matcher);
    }
    return NULL;
}

TEST(test_two_threads) {
    need_device();
    seed_random(5);
    job jobs[2] = {{.failures = 0}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        job *j = &jobs[i];
        j->pair = new_pair(321 + 40 * i, 97, 0);
        fill_pair(&j->pair, 255);
        j->params = sv_default_params(gpu_methods[i % GPU_METHODS]);
        j->want = cpu_output(&j->pair, &j->params);
        j->got = new_host_output(j->pair.left.width, j->pair.left.height);
        j->rounds = quick() ? 2 : 20;
    }
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        if (jobs[i].failures) fail_msg("%d of %d wrong; %s", jobs[i].failures, jobs[i].rounds, jobs[i].error.text);
        free_host_output(&jobs[i].want);
        free_host_output(&jobs[i].got);
        free_pair(&jobs[i].pair);
    }
}

/* One matcher with the same parameters, judged for some frames and not for others, as launches and as graphs. */
TEST(test_confidence_comes_and_goes) {
    enum { WIDTH = 200, HEIGHT = 60 };
    const int spell = quick() ? 3 : 6;
    need_device();
    seed_random(12);
    sv_pair pair = new_pair(WIDTH, HEIGHT, 3);
    sv_output judged = new_device_output(WIDTH, HEIGHT, 2);
    add_confidence(&judged, 7);
    fill_pair(&pair, 255);
    for (int i = 0; goes_on(i, 2 * GPU_METHODS); i++) {
        sv_params params = sv_default_params(gpu_methods[i % GPU_METHODS]);
        params.left_right_check = -1;
        params.scale = i < GPU_METHODS ? 1 : 2;
        sv_output want = cpu_output(&pair, &params);
        sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT, 0);
        for (int frame = 0; frame < 4 * spell; frame++) {
            sv_output output = judged;
            if (frame / spell % 2 == 0) output.confidence = (sv_image){0};
            submit_pair(matcher, &pair, &params, &output);
            wait_for(matcher);
            check_output(&output, &want, &params);
        }
        sv_matcher_destroy(matcher);
        free_host_output(&want);
    }
    free_device_output(&judged);
    free_pair(&pair);
}

static size_t free_memory(void) {
    size_t available, total;
    CUDA(cudaMemGetInfo(&available, &total));
    return available;
}

/* A matcher frees all the memory that it allocated, and allocates nothing while its parameters stay the same. */
TEST(test_memory) {
    enum { WIDTH = 640, HEIGHT = 480, MEBIBYTE = 1 << 20 };
    need_device();
    if (quick()) {
        print_message("skipped: tools that watch the program, and others at the same time, take memory too\n");
        skip();
    }
    seed_random(6);
    sv_pair pair = new_pair(WIDTH, HEIGHT, 0);
    sv_output output = new_host_output(WIDTH, HEIGHT);
    fill_pair(&pair, 255);
    size_t before = 0;
    for (int i = 0; i < 20; i++) {
        sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT, 0);
        size_t taken = 0;
        for (int j = 0; j < 2 * GPU_METHODS; j++) {
            sv_params params = sv_default_params(gpu_methods[j % GPU_METHODS]);
            use_whole_chain(&params);
            submit_pair(matcher, &pair, &params, &output);
            wait_for(matcher);
            if (j == GPU_METHODS - 1) taken = free_memory(); /* every method and both pairs have run */
        }
        assert_true(free_memory() + MEBIBYTE > taken);
        sv_matcher_destroy(matcher);
        /* The first round loads the kernels, which stay. One matcher has more than 10 MiB. */
        if (i == 0) before = free_memory();
        assert_true(free_memory() + MEBIBYTE > before);
    }
    free_host_output(&output);
    free_pair(&pair);
}

/* ---- Failures --------------------------------------------------------------------------------- */

int gpu_fault;

static int warnings;
static char warning[1024];

static void count_warnings(sv_level level, const char *line) {
    if (level > SV_LOG_WARNING) return;
    warnings++;
    snprintf(warning, sizeof warning, "%s", line);
}

/* If no graph can be built, frames are launched kernel by kernel: the maps are right, and one warning says why. A
 * buffer that would have to grow is such a case, and keeps its size. */
TEST(test_graphs_that_fail) {
    static const struct {
        int fault;
        const char *why;
    } faults[] = {
        {0, NULL}, {GPU_FAULT_CAPTURE, "cudaStreamEndCapture"}, {GPU_FAULT_RESERVE, "while kernels are captured"}};
    enum { WIDTH = 200, HEIGHT = 60, FRAMES = 7 };
    need_device();
    seed_random(9);
    sv_pair pair = new_pair(WIDTH, HEIGHT, 3);
    const sv_output output = new_device_output(WIDTH, HEIGHT, 0);
    fill_pair(&pair, 255);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (quick() && faults[i].fault == GPU_FAULT_CAPTURE) continue; /* memcheck would report the call that fails */
        sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT, 0);
        gpu_fault = faults[i].fault;
        warnings = 0;
        sv_set_log(count_warnings);
        for (int method = 0; method < GPU_METHODS; method++) {
            sv_params params = sv_default_params(gpu_methods[method]);
            use_whole_chain(&params);
            sv_output want = cpu_output(&pair, &params);
            for (int frame = 0; frame < FRAMES; frame++) {
                submit_pair(matcher, &pair, &params, &output);
                wait_for(matcher);
                check_output(&output, &want, &params);
            }
            free_host_output(&want);
        }
        sv_set_log(NULL);
        gpu_fault = 0;
        assert_int_equal(warnings, faults[i].why ? 1 : 0);
        if (faults[i].why && !strstr(warning, faults[i].why)) fail_msg("the warning is: %s", warning);
        sv_matcher_destroy(matcher);
    }
    free_device_output(&output);
    free_pair(&pair);
}

/* One capture that fails, as when another thread waits for the device, is tried again, without a warning. */
TEST(test_a_graph_that_fails_once) {
    enum { WIDTH = 200, HEIGHT = 60, FRAMES = 6, FAILS = SV_IN_FLIGHT };
    need_device();
    seed_random(12);
    sv_pair pair = new_pair(WIDTH, HEIGHT, 3);
    const sv_params params = sv_default_params(SV_SSD);
    const sv_output output = new_device_output(WIDTH, HEIGHT, 0);
    fill_pair(&pair, 255);
    sv_output want = cpu_output(&pair, &params);
    sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT, 0);
    warnings = 0;
    sv_set_log(count_warnings);
    for (int frame = 0; frame < FRAMES; frame++) {
        gpu_fault = frame == FAILS ? GPU_FAULT_RESERVE : 0;
        submit_pair(matcher, &pair, &params, &output);
        wait_for(matcher);
        check_output(&output, &want, &params);
    }
    sv_set_log(NULL);
    assert_int_equal(warnings, 0);
    sv_matcher_destroy(matcher);
    free_host_output(&want);
    free_device_output(&output);
    free_pair(&pair);
}

/* A part of ncc's fast path that never answers its neighbours: that pair soon fails, and the matcher continues to be
 * right with others. */
TEST(test_lost_strip) {
    enum { WIDTH = 700, HEIGHT = 97 };
    need_device();
    seed_random(10);
    sv_error error;
    sv_pair pair = new_pair(WIDTH, HEIGHT, 0);
    const sv_output output = new_device_output(WIDTH, HEIGHT, 0);
    fill_pair(&pair, 255);
    const sv_params whole = sv_default_params(SV_SSD);
    sv_params exchanging = sv_default_params(SV_NCC);
    exchanging.rho = 3;
    exchanging.reseed = 0;
    sv_output want = cpu_output(&pair, &whole);
    sv_matcher *matcher = new_matcher(&sv_cuda, WIDTH, HEIGHT, 0);
    gpu_fault = GPU_FAULT_STRIP;
    for (int round = 0; round < 3; round++) {
        submit_pair(matcher, &pair, &whole, &output);
        wait_for(matcher);
        check_output(&output, &want, &whole);
        submit_pair(matcher, &pair, &exchanging, &output);
        submit_pair(matcher, &pair, &whole, &output);
        error.text[0] = 0;
        assert_int_equal(sv_wait(matcher, NULL, &error), SV_FAILED);
        assert_non_null(strstr(error.text, "timed out waiting"));
        wait_for(matcher);
        check_output(&output, &want, &whole);
    }
    sv_matcher_destroy(matcher);
    gpu_fault = 0;
    compare(&pair, &exchanging, 0);
    free_host_output(&want);
    free_device_output(&output);
    free_pair(&pair);
}

#else

TEST(cuda_is_there) { need_device(); }

#endif
