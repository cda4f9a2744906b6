#!/usr/bin/env python3
"""Draws a board of about 250 x 175 mm, and prints how two pinhole cameras see it:

    board_recording.py board.pdf board.pgm    draws what the program printed with --board as a picture, and prints one
                                              of ffmpeg's filters for each camera

A filter makes a recording of that picture, with each of the poses below for two frames. The pictures are of
320 x 240 pixels; the focal length is 300 pixels, the baseline 60 mm. All poses together show the board near, far,
tilted to each side, and in most parts of both pictures. In the last one the right camera is late, and sees the first
pose."""
import math
import re
import sys

# Rotation about x, y, z in degrees; where the middle of the board is, in metres.
POSES = [(0, 0, 2, 0.03, 0, 0.32), (0, 30, 0, 0.03, 0, 0.42), (0, -30, 3, 0.03, 0, 0.42), (30, 0, 0, 0.03, 0, 0.42),
         (-30, 0, -3, 0.03, 0, 0.42), (8, 12, 5, 0.0, 0.05, 0.7), (9, -6, 0, -0.05, -0.085, 0.45),
         (-5, 9, 2, 0.11, -0.085, 0.45), (7, 7, -2, -0.05, 0.085, 0.45), (-8, -9, 0, 0.11, 0.085, 0.45),
         (4, -20, 3, 0.06, -0.02, 0.38)]
# The picture of the board is that of a camera, too, before it is reduced.
WIDTH, HEIGHT, FOCAL, REDUCED = 800, 600, 750, "320:240"
BASELINE = 0.06  # metres
PIXELS = 2.4  # of the picture of the board, for a millimetre
BELOW = 14  # millimetres that are printed below the board


def turn(pose):
    (sx, cx), (sy, cy), (sz, cz) = ((math.sin(math.radians(t)), math.cos(math.radians(t))) for t in pose[:3])
    return lambda x, y: tuple(
        a * x + b * y for a, b in (((cz * cy), (cz * sy * sx - sz * cx)), ((sz * cy), (sz * sy * sx + cz * cx)),
                                   (-sy, cy * sx)))


def corners(pose, side):
    """Where the camera sees the corners of the picture of the board: the upper ones, then the lower ones."""
    seen = []
    for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        at = turn(pose)(x * WIDTH / 2 / PIXELS / 1000, y * HEIGHT / 2 / PIXELS / 1000)
        at = [a + s for a, s in zip(at, (pose[3] - side * BASELINE, pose[4], pose[5]))]
        seen += [WIDTH / 2 + FOCAL * at[0] / at[2], HEIGHT / 2 + FOCAL * at[1] / at[2]]
    return seen


def covered(low, high, size):
    """The pixels of a row of `size` that the range touches, each with the part of it that is covered."""
    return [(i, min(high, i + 1) - max(low, i)) for i in range(max(0, math.floor(low)), min(size, math.ceil(high)))]


def draw(pdf, path):
    """The middle of the board becomes that of the picture."""
    text = open(pdf, encoding="latin-1").read()
    width, height = (float(v) * 25.4 / 72 for v in re.search(r"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", text).groups())
    shade = [[220.0] * WIDTH for _ in range(HEIGHT)]
    for rectangle in re.findall(r"^([\d.-]+) ([\d.-]+) ([\d.-]+) ([\d.-]+) re$", text, re.M):
        x, y, across, down = (PIXELS * float(v) for v in rectangle)
        y = PIXELS * height - y - down  # from the upper edge
        x += (WIDTH - PIXELS * width) / 2
        y += (HEIGHT - PIXELS * (height - BELOW)) / 2
        columns = covered(x, x + across, WIDTH)
        for row, part in covered(y, y + down, HEIGHT):
            for column, share in columns:
                shade[row][column] -= 195 * part * share
    with open(path, "wb") as f:
        f.write(b"P5 %d %d 255\n" % (WIDTH, HEIGHT) + b"".join(bytes(max(0, round(v)) for v in row) for row in shade))


def main():
    draw(*sys.argv[1:])
    for side in range(2):
        each = [corners(pose, side) for pose in POSES[:-1] + [POSES[0] if side else POSES[-1]]]
        values = ("+".join("%.4f*eq(trunc((on-1)/2)\\,%d)" % (v, i) for i, v in enumerate(vs)) for vs in zip(*each))
        names = ("x0", "y0", "x1", "y1", "x2", "y2", "x3", "y3")
        options = ":".join("%s='%s'" % (n, v) for n, v in zip(names, values))
        print("perspective=%s:interpolation=cubic:sense=destination:eval=frame,scale=%s:flags=area" % (options, REDUCED))


main()
