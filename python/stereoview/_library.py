"""The C library through cffi's ABI mode, its errors as exceptions, and its log. The declarations are read from
stereoview.h, which lies beside this file; cffi releases the global interpreter lock during every call."""
import concurrent.futures
import logging
import os
import re
import threading
import typing

import cffi


def _declarations() -> str:
    """What cffi understands of the header: all but comments, the parts for C++, and preprocessor lines."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "stereoview.h")
    with open(path, encoding="utf-8") as header:
        text = re.sub(r"/\*.*?\*/", "", header.read(), flags=re.S)
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.S)
    return re.sub(r"^#.*\n", "", text, flags=re.M).replace("SV_API ", "")


# What the header declares is known only when it has been read.
ffi: typing.Any = cffi.FFI()
lib: typing.Any
ffi.cdef(_declarations())
try:
    lib = ffi.dlopen("libstereoview.so.1")
except OSError as error:
    raise ImportError("libstereoview.so.1 cannot be loaded: install libstereoview1, or run 'make install' and "
                      f"'ldconfig' in stereoview's source tree ({error})") from error


class StereoError(RuntimeError):
    """Something failed while it ran: a file, memory, or the device."""


class NoDeviceError(StereoError):
    """The backend cannot run here."""


def text_of(string) -> str:
    """The text of a C string in UTF-8."""
    return ffi.string(string).decode("utf-8", "replace")


def check(status: int, error) -> None:
    """Raises the exception for a status, with the message in `error`."""
    if status == lib.SV_OK:
        return
    kinds = {lib.SV_USAGE: ValueError, lib.SV_NO_DEVICE: NoDeviceError}
    raise kinds.get(status, StereoError)(text_of(error.text))


# In a process that was forked: the thread that forked, and one that calls the library for it.
_forked = 0
_caller: typing.Any = None


def _after_fork() -> None:
    """OpenMP's threads are not in the new process, but the thread that made them would wait for them for ever. Others
    make their own."""
    global _forked, _caller
    _forked = threading.get_ident()
    _caller = concurrent.futures.ThreadPoolExecutor(1)


os.register_at_fork(after_in_child=_after_fork)


def call(function, *arguments) -> None:
    """Calls a function that ends with `sv_error *error`."""
    error = ffi.new("sv_error *")
    if threading.get_ident() != _forked:
        check(function(*arguments, error), error)
        return
    done = _caller.submit(function, *arguments, error)
    try:
        check(done.result(), error)
    finally:
        concurrent.futures.wait([done])  # after Ctrl-C the arguments are still in use


_LEVELS = {lib.SV_LOG_ERROR: logging.ERROR, lib.SV_LOG_WARNING: logging.WARNING, lib.SV_LOG_INFO: logging.INFO,
           lib.SV_LOG_DEBUG: logging.DEBUG}


@ffi.callback("void(sv_level, const char *)")
def _log(level, line):
    logging.getLogger("stereoview").log(_LEVELS.get(level, logging.INFO), "%s", text_of(line))


lib.sv_set_log(_log)
