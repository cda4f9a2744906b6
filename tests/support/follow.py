#!/usr/bin/python3
"""Moves the mouse and waits until a window shows it: tests/support/follow.py WINDOW COUNT X Y W H AT_X AT_Y

The mouse goes to COUNT places within 100 x 80 pixels of the window from AT_X, AT_Y on; after each, something in the
rectangle of W x H at X, Y changes. Prints how long that took."""
import ctypes
import statistics
import sys
import time

X = ctypes.CDLL("libX11.so.6")
X.XOpenDisplay.restype = ctypes.c_void_p
X.XGetImage.restype = ctypes.POINTER(ctypes.c_int)
Z_PIXMAP, ALL_PLANES, DATA = 2, ctypes.c_ulong(0xffffffff), 16  # DATA: where an XImage has the address of its pixels

window, count, *place, at_x, at_y = map(int, sys.argv[1:])
window = ctypes.c_ulong(window)
display = ctypes.c_void_p(X.XOpenDisplay(None))
if not display:
    sys.exit("no display")


def seen():
    image = X.XGetImage(display, window, *place, ALL_PLANES, Z_PIXMAP)
    address = ctypes.c_void_p.from_address(ctypes.addressof(image.contents) + DATA).value
    pixels = ctypes.string_at(address, 4 * place[2] * place[3])
    X.XDestroyImage(image)
    return pixels


took = []
for i in range(count):
    before = seen()
    start = time.monotonic()
    X.XWarpPointer(display, ctypes.c_ulong(0), window, 0, 0, 0, 0, at_x + 37 * (i + 1) % 100, at_y + 29 * (i + 1) % 80)
    X.XFlush(display)
    while seen() == before:
        if time.monotonic() > start + 60:
            sys.exit(f"move {i} of the mouse is not seen")
        time.sleep(0.004)
    took.append(1e3 * (time.monotonic() - start))
print(f"median {statistics.median(took):.0f} ms, longest {max(took):.0f} ms")
