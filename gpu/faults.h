/* Failures that tests provoke. test_gpu_frames is linked with files of gpu/ that are compiled with SV_FAULTS, where
 * gpu_fault is a variable of the test; everywhere else it is 0, and compilers remove what asks for it. */
#ifndef GPU_FAULTS_H
#define GPU_FAULTS_H

enum {
    GPU_FAULT_CAPTURE = 1, /* a call is captured that no graph can contain */
    GPU_FAULT_RESERVE,     /* a buffer would grow while kernels are captured */
    GPU_FAULT_STRIP        /* one of the strips of ncc_small.cu that wait for each other does not run */
};

#ifndef SV_FAULTS
static const int gpu_fault = 0;
#elif defined(__cplusplus)
extern "C" int gpu_fault;
#else
extern int gpu_fault;
#endif

#endif
