#!/usr/bin/python3
"""Measures how far right disparities of each method are off: the values of sv_method_traits.deviation.

    tests/bench/deviation.py PROGRAM [--data FOLDER]

For each scene whose truth is finer than half a pixel, and each method with sub-pixel values: the spread, 1.4826 times
the median deviation from the median, of the errors below a pixel, less that of the truth's own rounding, pixels. The
last row is the root mean square over the scenes. FOLDER is that of accuracy.py. Needs python3-opencv and
python3-numpy.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from accuracy import DATA, SCENES, methods_of, read_pfm, read_truth

COARSE = {"middlebury_v2/tsukuba"}  # multiples of a pixel, whatever the file can hold
RIGHT = 1  # pixels


def spread(program, method, folder, largest, truth, step, work):
    path = os.path.join(work, "map.pfm")
    subprocess.run([program, "--headless", "-q", "-m", method, "--subpixel", "on", "--fill", "none", "-d", f"0:{largest}",
                    "-f", os.path.join(folder, "left.png"), os.path.join(folder, "right.png"), "-o", path], check=True)
    with np.errstate(invalid="ignore"):
        errors = read_pfm(path) - truth
        errors = errors[np.isfinite(errors) & (np.abs(errors) < RIGHT)]
    measured = 1.4826 * np.median(np.abs(errors - np.median(errors)))
    return np.sqrt(max(0, measured**2 - step**2 / 12))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("--data", default=DATA)
    options = parser.parse_args()
    methods = [method for method in methods_of(options.program) if method != "net"]
    print(f"{'':28}" + "".join(f"{method:>8}" for method in methods))
    rows = []
    with tempfile.TemporaryDirectory() as work:
        for name, largest, truth, scale, _ in SCENES:
            step = 1 / scale if truth.endswith(".png") else 0
            folder = os.path.join(options.data, name)
            if name in COARSE or step >= 0.5 or truth == "gt_half.png" or not os.path.isdir(folder):
                continue
            known = read_truth(os.path.join(folder, truth), scale)
            rows.append([spread(options.program, m, folder, largest, known, step, work) for m in methods])
            print(f"{name:28}" + "".join(f"{value:8.3f}" for value in rows[-1]), flush=True)
    if rows:
        mean = np.sqrt(np.mean(np.square(rows), axis=0))
        print(f"{'root mean square':28}" + "".join(f"{value:8.3f}" for value in mean))


if __name__ == "__main__":
    main()
