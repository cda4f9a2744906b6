/* How sure each match is (stereo/confidence.h): after matching, before refinement.
 *
 * The window's sums roll down the columns of a band of rows, and then along each row. */
#include "stereo/confidence.h"
#include "cpu/cpu.h"

#include <omp.h>
#include <string.h>

/* Of the winners in a column of the window, or in all of it. */
typedef struct winner_sums {
    int32_t n, sum, squares; /* squares: at most 81 * 4092^2, below 2^31 */
} winner_sums;

CPU_INLINE void add_row(winner_sums *restrict columns, const int16_t *restrict winners, int width, int sign) {
    for (int x = 0; x < width; x++) {
        const int32_t has = winners[x] >= 0 ? sign : 0, winner = winners[x];
        columns[x].n += has;
        columns[x].sum += has * winner;
        columns[x].squares += has * winner * winner;
    }
}

CPU_INLINE void add_column(winner_sums *window, const winner_sums *column, int sign) {
    window->n += sign * column->n;
    window->sum += sign * column->sum;
    window->squares += sign * column->squares;
}

/* Completes row `y` of the confidence, in which the method has left its evidence if it gives any. */
CPU_INLINE void judge_row(const cpu_job *job, const winner_sums *columns, int y) {
    const int width = job->width, steps = sv_steps(job->params), least = job->params->min_disparity * steps;
    const int most = sv_methods[job->params->method].gives_evidence ? SV_EVIDENCE : 0;
    const size_t row = (size_t)y * (size_t)width;
    const int16_t *left = job->winner[0] + row, *right = job->winner[1] + row;
    uint8_t *confidence = sv_row(job->confidence, y);
    winner_sums window = {0};
    for (int x = 0; x < SV_CONFIDENCE_RADIUS && x < width; x++) add_column(&window, &columns[x], 1);
    for (int x = 0; x < width; x++) {
        if (x + SV_CONFIDENCE_RADIUS < width) add_column(&window, &columns[x + SV_CONFIDENCE_RADIUS], 1);
        if (x > SV_CONFIDENCE_RADIUS) add_column(&window, &columns[x - SV_CONFIDENCE_RADIUS - 1], -1);
        const int match = sv_nearest_column(steps * x - (least + left[x]), steps);
        const int apart = sv_confidence_apart(left[x], right, match, width, steps);
        confidence[x] = (uint8_t)(left[x] < 0 ? 0
                                              : sv_confidence(most ? confidence[x] : 0, most, apart, window.n,
                                                              window.sum, window.squares, steps));
    }
}

static void judge_band(const cpu_job *job, winner_sums *columns, int begin, int end) {
    const int width = job->width, height = job->height;
    const int16_t *winners = job->winner[0];
    memset(columns, 0, sizeof *columns * (size_t)width);
    for (int y = begin - SV_CONFIDENCE_RADIUS; y < begin + SV_CONFIDENCE_RADIUS; y++)
        if (y >= 0 && y < height) add_row(columns, winners + (size_t)y * (size_t)width, width, 1);
    for (int y = begin; y < end; y++) {
        const int enter = y + SV_CONFIDENCE_RADIUS, leave = y - SV_CONFIDENCE_RADIUS - 1;
        if (enter < height) add_row(columns, winners + (size_t)enter * (size_t)width, width, 1);
        if (y > begin && leave >= 0) add_row(columns, winners + (size_t)leave * (size_t)width, width, -1);
        judge_row(job, columns, y);
    }
}

sv_image cpu_make_confidence(const cpu_job *job, cpu_buffer *buffer, sv_error *error) {
    const size_t width = (size_t)job->width;
    return (sv_image){
        cpu_reserve(buffer, width * (size_t)job->height, error), width, job->width, job->height, SV_GREY8, SV_HOST};
}

sv_status cpu_judge(const cpu_job *job, sv_error *error) {
    const size_t own = sizeof(winner_sums) * (size_t)job->width;
    char *memory = cpu_reserve(job->scratch, own * (size_t)job->threads, error);
    if (!memory) return SV_FAILED;
#pragma omp parallel num_threads(job->threads)
    {
        const int threads = omp_get_num_threads(), thread = omp_get_thread_num();
        judge_band(job, (winner_sums *)(void *)(memory + own * (size_t)thread),
                   (int)((int64_t)job->height * thread / threads),
                   (int)((int64_t)job->height * (thread + 1) / threads));
    }
    return SV_OK;
}

void cpu_withdraw(const cpu_job *job) {
#pragma omp parallel for num_threads(job->threads)
    for (int y = 0; y < job->height; y++) {
        const uint8_t *restrict reason = sv_row(job->reason, y);
        uint8_t *restrict confidence = sv_row(job->confidence, y);
        for (int x = 0; x < job->width; x++) confidence[x] = reason[x] == SV_VALID ? confidence[x] : 0;
    }
}
