/* Device memory that OpenGL uses, too: CUDA makes it, and OpenGL imports it once. Nothing is passed to and fro for a
 * frame, which would cost a busy GPU a change between CUDA and OpenGL and back. */
#include <cuda.h>
#include <cuda_gl_interop.h>

#include "gpu/cuda.cuh"

/* The driver's functions for it. */
struct memory_calls {
    decltype(&cuMemGetAllocationGranularity) granularity;
    decltype(&cuMemCreate) create;
    decltype(&cuMemExportToShareableHandle) export_handle;
    decltype(&cuMemAddressReserve) reserve;
    decltype(&cuMemMap) map;
    decltype(&cuMemSetAccess) set_access;
    decltype(&cuMemRelease) release;
    decltype(&cuMemUnmap) unmap;
    decltype(&cuMemAddressFree) free_address;
};

template <typename type> static bool find(type *call, const char *name) {
    *call = (type)gpu_driver_call(name, 10020);
    return *call != NULL;
}

static bool find_calls(memory_calls *c) {
    return find(&c->granularity, "cuMemGetAllocationGranularity") && find(&c->create, "cuMemCreate") &&
           find(&c->export_handle, "cuMemExportToShareableHandle") && find(&c->reserve, "cuMemAddressReserve") &&
           find(&c->map, "cuMemMap") && find(&c->set_access, "cuMemSetAccess") && find(&c->release, "cuMemRelease") &&
           find(&c->unmap, "cuMemUnmap") && find(&c->free_address, "cuMemAddressFree");
}

/* True if the current OpenGL context runs on that device. */
static bool opengl_is_on(int device) {
    enum { MOST = 16 };
    unsigned count = 0;
    int devices[MOST];
    bool here = false;
    if (cudaGLGetDevices(&count, devices, MOST, cudaGLDeviceListAll) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    for (unsigned i = 0; i < count && i < MOST; i++) here |= devices[i] == device;
    return here;
}

/* Makes s->bytes of memory, rounded up. It lasts until it is unmapped. */
static CUresult make(const memory_calls *c, int device, sv_shared *s) {
    CUmemAllocationProp kind = {};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    kind.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    const CUmemAccessDesc access = {kind.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    size_t unit = 1;
    CUmemGenericAllocationHandle memory;
    CUdeviceptr at = 0;
    CUresult code = c->granularity(&unit, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    s->bytes = (s->bytes + unit - 1) / unit * unit;
    if (code == CUDA_SUCCESS) code = c->create(&memory, s->bytes, &kind, 0);
    if (code != CUDA_SUCCESS) return code;
    code = c->reserve(&at, s->bytes, 0, 0, 0);
    if (code == CUDA_SUCCESS) code = c->map(at, s->bytes, 0, memory, 0);
    if (code == CUDA_SUCCESS) {
        s->memory = (void *)at;
        code = c->set_access(at, s->bytes, &access, 1);
    } else if (at) {
        c->free_address(at, s->bytes);
    }
    if (code == CUDA_SUCCESS) code = c->export_handle(&s->file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    c->release(memory);
    return code;
}

sv_status gpu_share(int device, size_t bytes, sv_shared *shared, sv_error *error) {
    memory_calls calls;
    *shared = {NULL, bytes, -1};
    GPU_TRY(cudaSetDevice(device));
    if (!opengl_is_on(device))
        return sv_fail(error, SV_NO_DEVICE, "OpenGL does not run on the CUDA device, so they cannot share memory");
    const CUresult code = find_calls(&calls) ? make(&calls, device, shared) : CUDA_ERROR_NOT_SUPPORTED;
    if (code == CUDA_SUCCESS) return SV_OK;
    gpu_unshare(shared);
    return sv_fail(error, SV_FAILED, "the driver makes no memory that OpenGL can use (error %d)", (int)code);
}

void gpu_unshare(sv_shared *shared) {
    memory_calls calls;
    if (!shared->memory || !find_calls(&calls)) return;
    calls.unmap((CUdeviceptr)shared->memory, shared->bytes);
    calls.free_address((CUdeviceptr)shared->memory, shared->bytes);
    shared->memory = NULL;
}
