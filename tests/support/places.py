#!/usr/bin/env python3
"""Finds parts of the window that overlap or cut their text: places.py LOG [WHAT [PART]]

LOG is that of a run with -v, in which the panel writes where its parts are when they have come to rest (panel_places.h).
The newest whole list in it is checked: in each layer no two parts overlap by more than a pixel, but for those that are
in one place and so are one part; no text needs more room than its part has; and no part reaches beyond the window, or to
the side of it if it lies in a column that scrolls. PART must be
among them. Prints what is wrong, each after WHAT; the exit status is then 1.
"""
import re, sys

BEGINS = re.compile(r"layout: begins (\d+) (\d+)$")
PART = re.compile(r"layout: (\S+) \| (.*) at (-?\d+) (-?\d+) (-?\d+) (-?\d+) needs (\d+)$")
SCROLLS = {"panel", "list", "statistics", "table", "box"}  # their lower parts may be out of sight


def newest(lines):
    """The size of the window and the parts of the newest list that has ended: (layer, name, x, y, width, height, needs)."""
    found, size, parts = None, None, []
    for line in lines:
        line = line.rstrip("\n")
        begins, part = BEGINS.search(line), PART.search(line)
        if begins:
            size, parts = (int(begins[1]), int(begins[2])), []
        elif part:
            parts.append((part[1], part[2]) + tuple(int(part[i]) for i in range(3, 8)))
        elif line.endswith("layout: ends") and size:
            found = size, parts
    return found


def overlap(a, b):
    """How far two parts reach into each other, in pixels; 0 also if they are in one place."""
    if all(abs(a[i] - b[i]) <= 4 for i in range(2, 6)):
        return 0
    across = min(a[2] + a[4], b[2] + b[4]) - max(a[2], b[2])
    down = min(a[3] + a[5], b[3] + b[5]) - max(a[3], b[3])
    return min(across, down)


def faults_of(size, parts):
    for i, a in enumerate(parts):
        layer, name, x, y, width, height, needs = a
        if needs > width + 1:
            yield f"'{name}' ({layer}) needs {needs} points and has {width}"
        if x < -1 or x + width > size[0] + 1 or (layer not in SCROLLS and (y < -1 or y + height > size[1] + 1)):
            yield f"'{name}' ({layer}) at {x}, {y}, {width} x {height} is not in the window of {size[0]} x {size[1]}"
        for b in parts[:i]:
            if layer == b[0] and "edge" not in (name, b[1]) and overlap(a, b) > 1:
                yield f"'{b[1]}' and '{name}' ({layer}) overlap: {b[2:6]}, {a[2:6]}"


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        found = newest(log)
    if not found:
        sys.exit("the log has no list of parts")
    faults = sorted(set(faults_of(*found)))
    if len(sys.argv) > 3 and sys.argv[3] not in (part[1] for part in found[1]):
        faults.append(f"'{sys.argv[3]}' is not shown")
    for fault in faults:
        print(" ".join(sys.argv[2:3] + [fault]))
    print(f"{len(found[1])} parts")
    sys.exit(bool(faults))


main()
