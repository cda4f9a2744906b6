/* The filter that gives the right picture the exposure of the left one (stereo/exposure.h, --prefilter exposure). */
#include "stereo/exposure.h"
#include "cpu/cpu.h"

#include <string.h>

/* Counts how often each value occurs in byte `byte` of the pixels. */
static void count_values(const sv_image *picture, size_t byte, uint32_t counts[SV_LEVELS]) {
    const size_t size = sv_pixel_size(picture->format);
    memset(counts, 0, sizeof *counts * SV_LEVELS);
    for (int y = 0; y < picture->height; y++) {
        const uint8_t *row = (const uint8_t *)sv_row(picture, y) + byte;
        for (int x = 0; x < picture->width; x++) counts[row[(size_t)x * size]]++;
    }
}

sv_status cpu_expose(const cpu_job *job, sv_pair *pictures, cpu_buffer *buffer, sv_error *error) {
    const bool coloured = sv_methods[job->params->method].uses_colour && pictures->left_colour.data;
    const size_t width = (size_t)job->width, pixels = width * (size_t)job->height;
    uint8_t *memory = cpu_reserve(buffer, pixels * (coloured ? 5 : 1), error);
    if (!memory) return SV_FAILED;
    const sv_image grey = {memory, width, job->width, job->height, SV_GREY8, SV_HOST};
    const sv_image colour = {memory + pixels, 4 * width, job->width, job->height, SV_COLOUR8, SV_HOST};

    sv_logarithms logarithms;
    sv_make_logarithms(&logarithms);
    uint8_t tables[SV_CHANNELS][SV_LEVELS];
#pragma omp parallel for num_threads(job->threads)
    for (int c = 0; c < (coloured ? SV_CHANNELS : 1); c++) {
        uint32_t counts[SV_LEVELS];
        const size_t byte = c ? (size_t)c - 1 : 0;
        count_values(c ? &pictures->left_colour : &pictures->left, byte, counts);
        const sv_exposure left = sv_exposure_of(counts, &logarithms);
        count_values(c ? &pictures->right_colour : &pictures->right, byte, counts);
        const sv_exposure right = sv_exposure_of(counts, &logarithms);
        for (int i = 0; i < SV_LEVELS; i++) tables[c][i] = (uint8_t)sv_expose(i, right, left, &logarithms);
    }
#pragma omp parallel for num_threads(job->threads)
    for (int y = 0; y < job->height; y++) {
        const uint8_t *from = sv_row(&pictures->right, y);
        uint8_t *restrict to = sv_row(&grey, y);
        for (size_t x = 0; x < width; x++) to[x] = tables[0][from[x]];
        if (!coloured) continue;
        from = sv_row(&pictures->right_colour, y);
        to = sv_row(&colour, y);
        for (size_t i = 0; i < 4 * width; i++) to[i] = i % 4 < 3 ? tables[1 + i % 4][from[i]] : from[i];
    }
    pictures->right = grey;
    if (coloured) pictures->right_colour = colour;
    return SV_OK;
}
