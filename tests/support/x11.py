"""What programs of X need that have no toolkit: a display, a window of their own, and its events, by Xlib."""
import ctypes
import sys
import time

X = ctypes.CDLL("libX11.so.6")
Event = ctypes.c_long * 24  # an XEvent, whose members are longs or padded to one on 64-bit machines
for name in ("XOpenDisplay", "XCreateSimpleWindow", "XInternAtom", "XDefaultRootWindow"):
    getattr(X, name).restype = ctypes.c_void_p if name == "XOpenDisplay" else ctypes.c_ulong
SELECTION_REQUEST, SELECTION_NOTIFY, CLIENT_MESSAGE = 30, 31, 33

display = ctypes.c_void_p(X.XOpenDisplay(None))
if not display:
    sys.exit("no display")


def atom(name):
    return X.XInternAtom(display, name.encode(), 0)


def window():
    """A window that is not shown."""
    root = ctypes.c_ulong(X.XDefaultRootWindow(display))
    return X.XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, ctypes.c_ulong(0), ctypes.c_ulong(0))


def events():
    """The events of the next minute, each with its type."""
    X.XFlush(display)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if not X.XPending(display):
            time.sleep(0.02)
            continue
        event = Event()
        X.XNextEvent(display, event)
        yield event[0] & 0xffffffff, event
