#!/usr/bin/python3
"""Drops files onto a window, as a file manager does (XDND 5): tests/support/drop.py WINDOW FILE..."""
import ctypes
import pathlib
import sys
import time

X = ctypes.CDLL("libX11.so.6")
Event = ctypes.c_long * 24  # an XEvent, whose members are longs or padded to one on 64-bit machines
for name in ("XOpenDisplay", "XCreateSimpleWindow", "XInternAtom", "XDefaultRootWindow"):
    getattr(X, name).restype = ctypes.c_void_p if name == "XOpenDisplay" else ctypes.c_ulong
CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31

window = int(sys.argv[1])
text = "".join(pathlib.Path(name).absolute().as_uri() + "\r\n" for name in sys.argv[2:]).encode()
display = ctypes.c_void_p(X.XOpenDisplay(None))
if not display:
    sys.exit("no display")


def atom(name):
    return X.XInternAtom(display, name.encode(), 0)


def send(kind, *data):
    event = Event(CLIENT_MESSAGE, 0, 1, display.value, window, atom(kind), 32, source, *data)
    X.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(0), event)


source = X.XCreateSimpleWindow(display, ctypes.c_ulong(X.XDefaultRootWindow(display)), 0, 0, 1, 1, 0,
                               ctypes.c_ulong(0), ctypes.c_ulong(0))
uris = atom("text/uri-list")
X.XSetSelectionOwner(display, ctypes.c_ulong(atom("XdndSelection")), ctypes.c_ulong(source), ctypes.c_ulong(0))
send("XdndEnter", 5 << 24, uris, 0, 0)
send("XdndPosition", 0, 100 << 16 | 100, 0, atom("XdndActionCopy"))
send("XdndDrop", 0, 0, 0, 0)
X.XFlush(display)
until = time.monotonic() + 60
while time.monotonic() < until:
    if not X.XPending(display):
        time.sleep(0.02)
        continue
    event = Event()
    X.XNextEvent(display, event)
    if event[0] & 0xffffffff == SELECTION_REQUEST:
        requestor, selection, target, place, when = event[5:10]
        X.XChangeProperty(display, ctypes.c_ulong(requestor), ctypes.c_ulong(place), ctypes.c_ulong(target), 8, 0,
                          text, len(text))
        reply = Event(SELECTION_NOTIFY, 0, 1, display.value, requestor, selection, target, place, when)
        X.XSendEvent(display, ctypes.c_ulong(requestor), 0, ctypes.c_long(0), reply)
        X.XFlush(display)
    elif event[0] & 0xffffffff == CLIENT_MESSAGE and event[5] == atom("XdndFinished"):
        sys.exit(0)
sys.exit("the window did not take the files")
