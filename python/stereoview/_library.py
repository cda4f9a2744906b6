"""The C library through cffi's ABI mode, its errors as exceptions, and its log. The declarations are read from
stereoview.h, which lies beside this file; cffi releases the global interpreter lock during every call."""
import logging
import os
import queue
import re
import threading
import typing

import cffi


_here = os.path.dirname(os.path.abspath(__file__))


def _declarations() -> str:
    """What cffi understands of the header: all but comments, the parts for C++, and preprocessor lines."""
    path = os.path.join(_here, "stereoview.h")
    if not os.path.exists(path):  # a link in the source tree
        raise ImportError(f"there is no {path}; copy stereo/stereoview.h of the source tree there, or install the package "
                          "from that tree: pip install ./python")
    with open(path, encoding="utf-8") as header:
        text = re.sub(r"/\*.*?\*/", "", header.read(), flags=re.S)
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.S)
    return re.sub(r"^#.*\n", "", text, flags=re.M).replace("SV_API ", "")


# What the header declares is known only when it has been read.
ffi: typing.Any = cffi.FFI()
lib: typing.Any
ffi.cdef(_declarations())
_own = os.path.join(_here, "libstereoview.so.2")  # in a wheel
try:
    lib = ffi.dlopen(_own if os.path.exists(_own) else "libstereoview.so.2")
except OSError as error:
    raise ImportError("libstereoview.so.2 cannot be loaded: install a wheel with pip, or Debian's libstereoview2, or, in the "
                      "source tree, run 'make library' and copy build/libstereoview.so.2 to python/stereoview "
                      f"({error})") from error


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


class _Caller:
    """A thread that calls functions for one other thread, which waits for them, and sees Ctrl-C meanwhile."""

    def __init__(self) -> None:
        self._asked: typing.Any = queue.SimpleQueue()
        self._done: typing.Any = queue.SimpleQueue()
        self._thread: typing.Any = None

    def __call__(self, function, *arguments):
        if not self._thread:
            self._thread = threading.Thread(target=self._serve, name="stereoview", daemon=True)
            self._thread.start()
        mine, number = object(), None
        self._asked.put((mine, function, arguments))
        while number is not mine:  # of a call that Ctrl-C left, there is a result too
            number, result, error = self._done.get()
        if error:
            raise error
        return result

    def _serve(self):
        while True:
            self._serve_one()  # which keeps nothing of it

    def _serve_one(self):
        number, function, arguments = self._asked.get()
        result = error = None
        try:
            result = function(*arguments)
        except Exception as raised:
            error = raised
        self._done.put((number, result, error))


# For the main thread; and in a process that was forked, for the thread that forked, too, whose number is _forked.
_caller = _Caller()
_forked = 0


def _after_fork() -> None:
    """OpenMP's threads are not in the new process, but the thread that made them would wait for them for ever. Others
    make their own."""
    global _forked, _caller
    _forked = threading.get_ident()
    _caller = _Caller()


os.register_at_fork(after_in_child=_after_fork)


def call(function, *arguments, cancel=None) -> None:
    """Calls a function that ends with `sv_error *error`. Ctrl-C asks `cancel`, an sv_cancel, to end it."""
    error = ffi.new("sv_error *")
    me, main = threading.get_ident(), threading.main_thread()
    stops = cancel is not None and me == main.ident and main.is_alive()  # it is not while the interpreter ends
    if not stops and me != _forked:
        check(function(*arguments, error), error)
        return
    try:
        status = _caller(function, *arguments, error)
    except BaseException:
        if cancel is not None:
            lib.sv_cancel_ask(cancel, True)
        _caller(int)  # comes after the function, which still uses its arguments
        if cancel is not None:
            lib.sv_cancel_ask(cancel, False)
        raise
    check(status, error)


_LEVELS = {lib.SV_LOG_ERROR: logging.ERROR, lib.SV_LOG_WARNING: logging.WARNING, lib.SV_LOG_INFO: logging.INFO,
           lib.SV_LOG_DEBUG: logging.DEBUG}


@ffi.callback("void(sv_level, const char *)")
def _log(level, line):
    logging.getLogger("stereoview").log(_LEVELS.get(level, logging.INFO), "%s", text_of(line))


lib.sv_set_log(_log)
