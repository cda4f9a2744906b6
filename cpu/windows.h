/* Sums and deviations of windows, shared by ncc and zncc: R. Fan and N. Dahnoun (2018), Eq. 4 to 7, rolling down the
 * rows. */
#ifndef CPU_WINDOWS_H
#define CPU_WINDOWS_H

#include "cpu/cpu.h"

/* The window around a pixel. */
typedef struct cpu_window {
    int32_t sum;
    float inverse; /* 1 / (n sigma), 0 if the window is flat */
} cpu_window;

/* Sums down the columns of a row's windows. */
typedef struct cpu_columns {
    uint32_t *sums, *squares; /* width + 2 rho: of the values and of their squares; initially zero */
} cpu_columns;

/* Takes the memory of the columns from a block, as cpu_carve does. */
cpu_columns cpu_carve_columns(void *base, size_t *used, const cpu_job *job);

/* Adds row `y`, clamped, to the columns. */
void cpu_add_to_columns(const cpu_job *job, const sv_image *image, const cpu_columns *columns, int y);

/* Moves the columns from the windows of row `y` - 1 down to those of row `y`, and computes `windows`, width. */
void cpu_measure_row(const cpu_job *job, const sv_image *image, const cpu_columns *columns, int y, cpu_window *windows);

/* Computes the rows of band `band` of `bands` of `windows`, height x width, with the columns in `memory`, which has the
 * size of cpu_carve_columns. */
void cpu_measure_band(const cpu_job *job, const sv_image *image, int band, int bands, void *memory,
                      cpu_window *windows);

#endif
