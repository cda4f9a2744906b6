/* Sums and deviations of windows. */
#include "cpu/windows.h"
#include "stereo/pixel.h"

#include <string.h>

cpu_columns cpu_carve_columns(void *base, size_t *used, const cpu_job *job) {
    const size_t size = sizeof(uint32_t) * (size_t)(job->width + 2 * job->params->rho);
    cpu_columns columns;
    columns.sums = cpu_carve(base, used, size);
    columns.squares = cpu_carve(base, used, size);
    return columns;
}

void cpu_add_to_columns(const cpu_job *job, const sv_image *image, const cpu_columns *columns, int y) {
    const int width = job->width, rho = job->params->rho;
    const uint8_t *row = sv_row(image, sv_clamp(y, job->height));
    for (int i = 0; i < width + 2 * rho; i++) {
        const uint32_t value = row[sv_clamp(i - rho, width)];
        columns->sums[i] += value;
        columns->squares[i] += value * value;
    }
}

void cpu_measure_row(const cpu_job *job, const sv_image *image, const cpu_columns *columns, int y,
                     cpu_window *windows) {
    const int width = job->width, rho = job->params->rho, rho_y = sv_rho_y(job->params);
    const int pixels = (2 * rho + 1) * (2 * rho_y + 1);
    const uint8_t *enters = sv_row(image, sv_clamp(y + rho_y, job->height));
    const uint8_t *leaves = sv_row(image, sv_clamp(y - 1 - rho_y, job->height));
    uint32_t *sums = columns->sums, *squares = columns->squares;
    uint32_t sum = 0, square = 0; /* at most 63 * 63 * 255^2 */
    for (int i = 0; i < width + 2 * rho; i++) {
        const int column = sv_clamp(i - rho, width);
        const uint32_t enter = enters[column], leave = leaves[column];
        sums[i] += enter - leave;
        squares[i] += enter * enter - leave * leave;
        sum += sums[i];
        square += squares[i];
        const int x = i - 2 * rho;
        if (x < 0) continue;
        windows[x] = (cpu_window){(int32_t)sum, sv_inverse_deviation(pixels, (int)sum, square)};
        sum -= sums[x];
        square -= squares[x];
    }
}

void cpu_measure_band(const cpu_job *job, const sv_image *image, int band, int bands, void *memory,
                      cpu_window *windows) {
    const int begin = (int)((int64_t)job->height * band / bands), rho_y = sv_rho_y(job->params);
    const int end = (int)((int64_t)job->height * (band + 1) / bands);
    size_t used = 0;
    const cpu_columns columns = cpu_carve_columns(memory, &used, job);
    memset(memory, 0, used);
    for (int y = begin - 1 - rho_y; y < begin + rho_y; y++) cpu_add_to_columns(job, image, &columns, y);
    for (int y = begin; y < end; y++)
        cpu_measure_row(job, image, &columns, y, windows + (size_t)y * (size_t)job->width);
}
