/* Learned models: the method net. The map of the right picture is that of the mirrored pair. */
#include "net/net.h"
#include "cpu/cpu.h"

#include <math.h>
#include <string.h>

void cpu_close_net(cpu_net *net) {
    net_close(net->model);
    *net = (cpu_net){0};
}

sv_status cpu_open_net(const cpu_job *job, sv_error *error) {
    cpu_net *net = job->net;
    if (!sv_methods[job->params->method].runs_model || (net->model && net->file == job->params->model)) return SV_OK;
    cpu_close_net(net);
    net->file = job->params->model;
    const net_place place = {.threads = job->threads};
    return net_open(sv_file_name(net->file), &place, &net->model, error);
}

bool cpu_net_judges(const cpu_job *job) {
    return sv_methods[job->params->method].runs_model && net_judges(job->net->model);
}

static void find_winners(const cpu_job *job, const sv_image *disparity, int16_t *winners) {
    const float least = (float)job->params->min_disparity, most = (float)job->params->max_disparity;
#pragma omp parallel for num_threads(job->threads)
    for (int y = 0; y < job->height; y++) {
        const float *row = sv_row(disparity, y);
        int16_t *to = winners + (size_t)y * (size_t)job->width;
        for (int x = 0; x < job->width; x++) {
            const float whole = floorf(row[x] + 0.5f);
            to[x] = (int16_t)(whole >= least && whole <= most ? whole - least : -1);
        }
    }
}

sv_status cpu_match_net(const cpu_job *job, sv_error *error) {
    const size_t row = sizeof(float) * (size_t)job->width;
    sv_image other = {NULL, row, job->width, job->height, SV_FLOAT32, SV_HOST};
    const bool counts = job->scratch->counts, wants_other = job->winner[1];
    if (wants_other || counts) other.data = cpu_reserve(job->scratch, row * (size_t)job->height, error);
    if (counts) return SV_OK; /* what the runtime takes is not known */
    if (wants_other && !other.data) return SV_FAILED;
    const sv_pair pair = {
        .left = *job->left, .right = *job->right, .left_colour = *job->left_colour, .right_colour = *job->right_colour};
    const net_maps maps = {*job->disparity, *job->reason, job->confidence ? *job->confidence : (sv_image){0}};
    net_times left, right = {0};
    sv_status status = net_run(job->net->model, &pair, false, job->cancel, &maps, &left, error);
    if (status == SV_OK) find_winners(job, job->disparity, job->winner[0]);
    const net_maps mirrored = {.disparity = other};
    if (status == SV_OK && wants_other)
        status = net_run(job->net->model, &pair, true, job->cancel, &mirrored, &right, error);
    if (status == SV_OK && wants_other) find_winners(job, &other, job->winner[1]);
    job->net->in = left.fill + right.fill;
    job->net->out = left.take + right.take;
    return status;
}
