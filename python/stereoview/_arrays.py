"""Arrays as pictures of the library, without a copy where their memory allows it: NumPy's, those with the CUDA array
interface, and those with DLPack."""
import ctypes
import os

import numpy as np

from ._library import ffi, lib

ffi.cdef("""
typedef struct { int32_t device_type, device_id; } DLDevice;
typedef struct { uint8_t code, bits; uint16_t lanes; } DLDataType;
typedef struct { void *data; DLDevice device; int32_t ndim; DLDataType dtype; int64_t *shape, *strides;
                 uint64_t byte_offset; } DLTensor;
""")

_KINDS = {lib.SV_GREY8: ("u1", 2), lib.SV_COLOUR8: ("u1", 3), lib.SV_FLOAT32: ("f4", 2), lib.SV_REASON8: ("u1", 2)}
_DLPACK_CUDA = 2  # kDLCUDA, the type of device
LEGACY_STREAM = 1  # CUDA's name for the default stream

_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Picture:
    """An sv_image and what keeps its memory alive. `stream`: the one in whose order a device array may be read, or None
    if it names none."""

    def __init__(self, pointer, strides, shape, kind, memory, owner, stream=None):
        self.image = ffi.new("sv_image *", {"data": ffi.cast("void *", pointer), "stride": strides[0],
                                            "width": shape[1], "height": shape[0], "format": kind, "memory": memory})
        self.shape = tuple(shape[:2])
        self.owner = owner
        self.stream = stream

    @property
    def on_device(self):
        return self.image.memory == lib.SV_DEVICE


def _dense_rows(strides, shape, item):
    """True if the pixels of a row are adjacent, and rows follow each other in memory."""
    pixel = item * (shape[2] if len(shape) == 3 else 1)
    inner = [item] if len(shape) == 3 else []
    return list(strides[1:]) == [pixel, *inner] and strides[0] >= shape[1] * pixel and strides[0] % pixel == 0


def _refuse(name, typestr, shape, kind):
    wanted, dimensions = _KINDS[kind]
    if np.dtype(typestr) != np.dtype(wanted):  # the order of the bytes, too
        what = np.dtype(wanted).name
        scale = "scale them to 0..255 and " if wanted == "u1" else ""
        raise TypeError(f"{name}: the elements are '{typestr}', not '{what}'; {scale}convert them with astype('{what}')")
    if 0 in shape:
        raise ValueError(f"{name}: the shape is {tuple(shape)}, which has no pixels")
    if len(shape) != dimensions or (dimensions == 3 and shape[2] not in (3, 4)):
        grey = "; convert it to grey" if kind == lib.SV_GREY8 and len(shape) == 3 and shape[2] in (3, 4) else ""
        wanted = "(height, width, 3)" if dimensions == 3 else "(height, width)"
        raise ValueError(f"{name}: the shape is {tuple(shape)}, not {wanted}{grey}")


def _refuse_mask(name):
    raise ValueError(f"{name}: the array has a mask, but every pixel counts; fill in what it hides, with filled()")


def _on_device(name, pointer, typestr, shape, strides, kind, owner, stream):
    _refuse(name, typestr, shape, kind)
    item = np.dtype(typestr).itemsize
    if strides is None:
        strides = [item * int(np.prod(shape[i + 1:])) for i in range(len(shape))]
    if not _dense_rows(strides, shape, item) or (kind == lib.SV_COLOUR8 and shape[2] != 4):
        raise ValueError(f"{name}: an array in device memory must have dense rows, and colours four channels")
    return Picture(pointer, strides, shape, kind, lib.SV_DEVICE, owner, stream)


def _of_interface(name, array, kind, written):
    described = array.__cuda_array_interface__
    if written and described["data"][1]:
        raise ValueError(f"{name}: the array is read-only")
    if described.get("mask") is not None:
        _refuse_mask(name)
    return _on_device(name, described["data"][0], described["typestr"], described["shape"], described.get("strides"), kind,
                      array, described.get("stream"))


def _of_capsule(name, array, kind, device, stream):
    there = array.__dlpack_device__()[1]
    if there != device:
        raise ValueError(f"{name}: it is on CUDA device {there}, but the matcher is on device {device}")
    capsule = array.__dlpack__(stream=stream)  # whose destructor frees what it holds
    tensor = ffi.cast("DLTensor *", _capsule_pointer(capsule, b"dltensor"))
    item, axes = tensor.dtype.bits // 8, range(tensor.ndim)
    return _on_device(name, int(ffi.cast("uintptr_t", tensor.data)) + tensor.byte_offset,
                      {0: "i", 1: "u", 2: "f"}.get(tensor.dtype.code, "V") + str(item), [tensor.shape[i] for i in axes],
                      [item * tensor.strides[i] for i in axes] if tensor.strides else None, kind, (array, capsule), stream)


def _of_host(name, array, kind, written):
    if array is None:
        raise TypeError(f"{name}: it is None, not an array; OpenCV's imread returns None for a file that it cannot read")
    if isinstance(array, (str, os.PathLike)):
        raise TypeError(f"{name}: {str(array)!r} is a file's name, not an array; read the file first, for example with "
                        "OpenCV's imread")
    if not isinstance(array, np.ndarray):
        if hasattr(array, "__dlpack__"):
            array = np.from_dlpack(array)
        else:  # what is to be written must not be a copy
            array = np.asarray(memoryview(array) if written else array)
    if isinstance(array, np.ma.MaskedArray):
        _refuse_mask(name)
    _refuse(name, array.dtype.str, array.shape, kind)
    if kind == lib.SV_COLOUR8 and array.shape[2] == 3 and not written:
        array = np.dstack([array, np.full(array.shape[:2], 255, np.uint8)])
    if not array.flags.c_contiguous and not _dense_rows(array.strides, array.shape, array.itemsize):
        if written:
            raise ValueError(f"{name}: an array to be written must have dense rows")
        array = np.ascontiguousarray(array)
    if written and not array.flags.writeable:
        raise ValueError(f"{name}: the array is read-only")
    # NumPy gives an array of one row any stride.
    strides = (array.nbytes // len(array),) if array.flags.c_contiguous else array.strides
    return Picture(array.ctypes.data, strides, array.shape, kind, lib.SV_HOST, array)


def picture_of(name, array, kind, written=False, device=0, stream=None):
    """The picture of an array; `name`: for messages. An array in device memory must be on that CUDA device, and is
    ordered with that stream if its interface permits."""
    if hasattr(array, "__cuda_array_interface__"):
        return _of_interface(name, array, kind, written)
    if hasattr(array, "__dlpack_device__") and array.__dlpack_device__()[0] == _DLPACK_CUDA:
        return _of_capsule(name, array, kind, device, stream or LEGACY_STREAM)
    return _of_host(name, array, kind, written)


def new_device_array(like, dtype):
    """An array in device memory, of the library and the shape of `like`."""
    library = type(like).__module__.partition(".")[0]
    if library == "torch":
        import torch
        return torch.empty(tuple(like.shape), dtype=getattr(torch, dtype), device=like.device)
    if library == "cupy":
        import cupy
        return cupy.empty(like.shape, dtype)
    raise TypeError(f"results in device memory can be made for CuPy and PyTorch; for {library} pass them as out=")
