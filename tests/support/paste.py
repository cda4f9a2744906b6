#!/usr/bin/python3
"""Prints what a program has copied to the clipboard of X, as text: tests/support/paste.py"""
import ctypes
import sys

from x11 import SELECTION_NOTIFY, X, atom, display, events, window

text, place, own = (ctypes.c_ulong(number) for number in (atom("UTF8_STRING"), atom("PASTED"), window()))
X.XConvertSelection(display, ctypes.c_ulong(atom("CLIPBOARD")), text, place, own, ctypes.c_ulong(0))
for kind, _ in events():
    if kind == SELECTION_NOTIFY:
        of, count, left = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_ulong()
        size, value = ctypes.c_int(), ctypes.c_char_p()
        X.XGetWindowProperty(display, own, place, ctypes.c_long(0), ctypes.c_long(1 << 20), 0, text, ctypes.byref(of),
                             ctypes.byref(size), ctypes.byref(count), ctypes.byref(left), ctypes.byref(value))
        sys.stdout.write((value.value or b"").decode())
        sys.exit(0)
sys.exit("nothing is on the clipboard")
