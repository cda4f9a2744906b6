#!/usr/bin/python3
"""Drops files onto a window, as a file manager does (XDND 5): tests/support/drop.py WINDOW FILE..."""
import ctypes
import pathlib
import sys

from x11 import CLIENT_MESSAGE, SELECTION_NOTIFY, SELECTION_REQUEST, Event, X, atom, display, events, window

onto = int(sys.argv[1])
text = "".join(pathlib.Path(name).absolute().as_uri() + "\r\n" for name in sys.argv[2:]).encode()
source = window()


def send(kind, *data):
    event = Event(CLIENT_MESSAGE, 0, 1, display.value, onto, atom(kind), 32, source, *data)
    X.XSendEvent(display, ctypes.c_ulong(onto), 0, ctypes.c_long(0), event)


X.XSetSelectionOwner(display, ctypes.c_ulong(atom("XdndSelection")), ctypes.c_ulong(source), ctypes.c_ulong(0))
send("XdndEnter", 5 << 24, atom("text/uri-list"), 0, 0)
send("XdndPosition", 0, 100 << 16 | 100, 0, atom("XdndActionCopy"))
send("XdndDrop", 0, 0, 0, 0)
for kind, event in events():
    if kind == SELECTION_REQUEST:
        requestor, selection, target, place, when = event[5:10]
        X.XChangeProperty(display, ctypes.c_ulong(requestor), ctypes.c_ulong(place), ctypes.c_ulong(target), 8, 0,
                          text, len(text))
        reply = Event(SELECTION_NOTIFY, 0, 1, display.value, requestor, selection, target, place, when)
        X.XSendEvent(display, ctypes.c_ulong(requestor), 0, ctypes.c_long(0), reply)
        X.XFlush(display)
    elif kind == CLIENT_MESSAGE and event[5] == atom("XdndFinished"):
        sys.exit(0)
sys.exit("the window did not take the files")
