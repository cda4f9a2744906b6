#!/usr/bin/python3
"""Prints what a program has copied to the clipboard of X, as text: tests/support/paste.py"""
import ctypes
import sys
import time

X = ctypes.CDLL("libX11.so.6")
Event = ctypes.c_long * 24  # an XEvent, whose members are longs or padded to one on 64-bit machines
for name in ("XOpenDisplay", "XCreateSimpleWindow", "XInternAtom", "XDefaultRootWindow"):
    getattr(X, name).restype = ctypes.c_void_p if name == "XOpenDisplay" else ctypes.c_ulong
SELECTION_NOTIFY = 31

display = ctypes.c_void_p(X.XOpenDisplay(None))
if not display:
    sys.exit("no display")
clipboard, text, place = (ctypes.c_ulong(X.XInternAtom(display, name, 0))
                          for name in (b"CLIPBOARD", b"UTF8_STRING", b"PASTED"))
window = ctypes.c_ulong(X.XCreateSimpleWindow(display, ctypes.c_ulong(X.XDefaultRootWindow(display)), 0, 0, 1, 1, 0,
                                              ctypes.c_ulong(0), ctypes.c_ulong(0)))
X.XConvertSelection(display, clipboard, text, place, window, ctypes.c_ulong(0))
X.XFlush(display)
until = time.monotonic() + 60
while time.monotonic() < until:
    if not X.XPending(display):
        time.sleep(0.02)
        continue
    event = Event()
    X.XNextEvent(display, event)
    if event[0] & 0xffffffff != SELECTION_NOTIFY:
        continue
    kind, count, left = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_ulong()
    size, value = ctypes.c_int(), ctypes.c_char_p()
    X.XGetWindowProperty(display, window, place, ctypes.c_long(0), ctypes.c_long(1 << 20), 0, text, ctypes.byref(kind),
                         ctypes.byref(size), ctypes.byref(count), ctypes.byref(left), ctypes.byref(value))
    sys.stdout.write((value.value or b"").decode())
    sys.exit(0)
sys.exit("nothing is on the clipboard")
