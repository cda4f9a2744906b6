#!/usr/bin/python3
"""Measures what the steps beside a match cost: probe, state of the rig, rows, temporal filter, confidence.

    PYTHONPATH=python LD_LIBRARY_PATH=build tests/bench/beside.py [--data FOLDER] [--runs N] [--table FILE]

For each scene (see CONTRIBUTING.md) all take turns, on one thread, N times (15); printed is the least processor time of
each, which other work of the machine disturbs little, in milliseconds, and its ratio to a match by sgm at its defaults
with all refinement. Needs Debian's python3-opencv and python3-cffi.
"""
import argparse
import glob
import os
import sys
import time

import cv2
import stereoview

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import accuracy  # noqa: E402

SCENES = ("middlebury_2014/Motorcycle_Q", "kitti_2012/000070")


def steps_of(pair, largest):
    """What is measured, by name; the first one is the match that the others are compared with."""
    def matcher(**parameters):
        return stereoview.Matcher("sgm", (0, largest), backend="cpu", threads=1, **parameters)
    plain, filters = matcher(), {n: matcher(temporal=n) for n in (2, 5, 8)}
    sure = matcher(min_confidence=1)
    steps = {"match": lambda: plain.match(*pair)}
    for n, filtering in filters.items():
        steps[f"match, temporal {n}"] = lambda filtering=filtering: filtering.match(*pair, follows=True)
    steps["match, confidence"] = lambda: sure.match(*pair)
    steps["range by a probe"] = lambda: stereoview.find_range([pair])
    steps["state of the rig"] = lambda: stereoview.check_pairs([pair], (0, largest))
    steps["rows"] = lambda: stereoview.measure_rows([pair], (0, largest))
    return steps


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--data", default=accuracy.DATA)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--table", help="a file for the figures as tab-separated values")
    options = parser.parse_args()
    lines = ["scene\tsize\tdisparities\tstep\tms\tratio"]
    for scene, largest, *_ in accuracy.SCENES:
        place = os.path.join(options.data, scene)
        if scene not in SCENES or not os.path.isdir(place):
            continue
        pair = [cv2.imread(glob.glob(os.path.join(place, side + ".p[ngp][gm]"))[0], cv2.IMREAD_GRAYSCALE)
                for side in ("left", "right")]
        steps, least = steps_of(pair, largest), {}
        for i in range(options.runs + 8):  # the first ones fill the filters
            for name, step in steps.items():
                began = time.process_time()
                step()
                if i >= 8:
                    least[name] = min(least.get(name, 1e9), 1e3 * (time.process_time() - began))
        for name, ms in least.items():
            lines.append(f"{scene}\t{pair[0].shape[1]}x{pair[0].shape[0]}\t0:{largest}\t{name}\t{ms:.2f}\t"
                         f"{ms / least['match']:.3f}")
            print(lines[-1], flush=True)
    if options.table:
        with open(options.table, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
