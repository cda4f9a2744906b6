/* The kernels of a frame as a CUDA graph: one launch instead of twelve for the default parameters.
 *
 * A graph contains the arguments of its kernels, so there is one for each combination of a pair in flight and an
 * output. They are captured from the launches once frames have been matched with the same parameters: by then every
 * buffer has its size, and nothing is allocated. Kernels must therefore not depend on anything that the host changes
 * from frame to frame. On an H200 this adds 5 to 12 % to the frame rate of ssd and zncc, and 1 to 4 % to that of ncc.
 */
#include <string.h>

#include "gpu/cuda.cuh"
#include "gpu/faults.h"

void gpu_forget_graphs(gpu_graphs *graphs) {
    /* CUDA frees a graph that is still running once it has finished. */
    for (int i = 0; i < graphs->count; i++) cudaGraphExecDestroy(graphs->each[i].exec);
    *graphs = {};
}

static const gpu_graph *find(const gpu_graphs *graphs, const gpu_pair *pair, const sv_output *maps) {
    for (int i = 0; i < graphs->count; i++) {
        const gpu_graph *graph = &graphs->each[i];
        if (graph->pair == pair && !memcmp(&graph->maps, maps, sizeof *maps)) return graph;
    }
    return NULL;
}

/* Captures the launches of `work` as a graph, without running them. */
static sv_status capture(gpu_work *work, gpu_context *context, gpu_pair *pair, const sv_params *params,
                         const sv_output *maps, cudaGraphExec_t *exec, sv_error *error) {
    cudaGraph_t graph = NULL;
    /* Meanwhile other threads may make any call of CUDA. */
    GPU_TRY(cudaStreamBeginCapture(context->compute, cudaStreamCaptureModeThreadLocal));
    context->graphs.capturing = true;
    sv_status status = work(context, pair, params, maps, error);
    if (gpu_fault == GPU_FAULT_RESERVE && status == SV_OK)
        status = gpu_reserve(context->compute, &context->spare, context->spare.bytes + 1, error);
    if (gpu_fault == GPU_FAULT_CAPTURE) cudaStreamSynchronize(context->compute);
    context->graphs.capturing = false;
    const char *call = "cudaStreamEndCapture";
    cudaError_t code = cudaStreamEndCapture(context->compute, &graph);
    if (code == cudaSuccess && status == SV_OK) {
        call = "cudaGraphInstantiateWithFlags";
        code = cudaGraphInstantiateWithFlags(exec, graph, 0);
    }
    if (graph) cudaGraphDestroy(graph);
    if (status == SV_OK) return code == cudaSuccess ? SV_OK : gpu_fail(error, call, code);
    cudaGetLastError(); /* ending the capture has failed too, which must not be attributed to the next call */
    return status;
}

sv_status gpu_run(gpu_work *work, gpu_context *context, gpu_pair *pair, const sv_params *params, const sv_output *maps,
                  sv_error *error) {
    /* ALIKE: frames that run as launches first, and so allocate every buffer; one that fails does not count.
     * TRIES: a capture also fails when another thread waits for the whole device meanwhile, as a decoder does. */
    enum { ALIKE = SV_IN_FLIGHT, TRIES = 4 };
    gpu_graphs *graphs = &context->graphs;
    const bool judged = maps->confidence.data;
    if (memcmp(&graphs->params, params, sizeof *params) || graphs->coloured != pair->coloured ||
        graphs->judged != judged) {
        gpu_forget_graphs(graphs);
        graphs->params = *params;
        graphs->coloured = pair->coloured;
        graphs->judged = judged;
    }
    const gpu_graph *graph = find(graphs, pair, maps);
    if (!graph && context->failed_graphs < TRIES && graphs->frames >= ALIKE && graphs->count < GPU_GRAPHS) {
        gpu_graph *made = &graphs->each[graphs->count];
        sv_error why = {""};
        *made = {*maps, pair, NULL};
        if (capture(work, context, pair, params, maps, &made->exec, &why) == SV_OK) {
            graphs->count++;
            graph = made;
        } else if (++context->failed_graphs == TRIES) {
            sv_log(SV_LOG_WARNING,
                   "kernels are launched one by one, which is slower, since no CUDA graph can be made: %s", why.text);
        }
    }
    if (!graph) {
        GPU_PASS(work(context, pair, params, maps, error));
        if (graphs->frames < ALIKE) graphs->frames++;
        return SV_OK;
    }
    GPU_TRY(cudaGraphLaunch(graph->exec, context->compute));
    return SV_OK;
}
