#!/usr/bin/python3
"""Asks a window to close, as its frame's button does (ICCCM, WM_DELETE_WINDOW): tests/support/close.py WINDOW"""
import ctypes
import sys

X = ctypes.CDLL("libX11.so.6")
Event = ctypes.c_long * 24  # an XEvent, whose members are longs or padded to one on 64-bit machines
X.XOpenDisplay.restype = ctypes.c_void_p
X.XInternAtom.restype = ctypes.c_ulong
CLIENT_MESSAGE = 33

window = int(sys.argv[1])
display = ctypes.c_void_p(X.XOpenDisplay(None))
if not display:
    sys.exit("no display")
protocols, close = (X.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
event = Event(CLIENT_MESSAGE, 0, 1, display.value, window, protocols, 32, close)
X.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(0), event)
X.XCloseDisplay(display)
