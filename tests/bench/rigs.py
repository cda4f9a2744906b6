#!/usr/bin/python3
"""Measures alignment without a board and calibration with one, into benchmarks/rigs.tsv ('make rigs').

    tests/bench/rigs.py PROGRAM TEST [--data FOLDER] [--table FILE]

PROGRAM is stereoview; TEST is the built test_align_pictures, which aligns 50 rendered rigs. The pictures of boards, and
the sequences and pairs that are aligned, are in FOLDER (CONTRIBUTING.md; default: ../shared/data). The rows of pictures are
measured with OpenCV (tests/support/rows_opencv.py), not with what aligned them. Needs Debian's python3-opencv.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support", "rows_opencv.py")
BOARDS = [
    ("OpenCV's samples, 640x480", "9x6:25mm", ["-f", "opencv_samples_left_right/left[0-9]*.jpg", "opencv_samples_left_right/right[0-9]*.jpg"]),
    ("ximea, 640x512, `--swap`", "9x6:25mm", ["--swap", "-f", "ximea_chessboard_25/left*.jpg", "ximea_chessboard_25/right*.jpg"]),
    ("usb320, 320x240", "7x5:25mm", ["-f", "usb320_chessboard_14/left[0-9]*.jpg", "usb320_chessboard_14/right[0-9]*.jpg"]),
    ("StereoPi, 320x240, `-s`", "9x6:25mm", ["-s", "stereopi_sbs_640x240/scene_640x240_%d.png"]),
]
MIDDLEBURY = ["middlebury_v2/venus", "middlebury_v2/cones", "middlebury_2005/Reindeer", "middlebury_2006/Cloth3",
              "middlebury_2006/Aloe_full", "middlebury_2014/Motorcycle_Q"]


def run(*command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    if done.returncode:
        sys.exit(f"exit status {done.returncode} of {' '.join(command)}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout + done.stderr


def calibrate(program, folder, board, files):
    files = [os.path.join(folder, file) if "/" in file else file for file in files]
    with tempfile.TemporaryDirectory() as out:
        text = run(program, "--headless", *files, "--calibrate", board, "--save-calibration", os.path.join(out, "rig.yaml"))
    views, error = re.search(r"(\d+ of \d+) views count; reprojection error ([\d.]+)", text).groups()
    focal, baseline = (re.search(pattern + r" ([\d.]+) \+- ([\d.]+)", text).groups() for pattern in ("left camera: focal length", "baseline:"))
    return [views, error, f"{float(focal[0]):.1f} +- {float(focal[1]):.1f}", f"{float(baseline[0]):.2f} +- {float(baseline[1]):.2f}"]


def align(program, left, right):
    """How far the rows are apart, before and after: of all pairs of two folders, aligned as a sequence."""
    with tempfile.TemporaryDirectory() as out:
        rig = os.path.join(out, "rig.yaml")
        run(program, "--headless", "-f", left, right, "--align", "--save-calibration", rig)
        pictures = [sorted(glob.glob(os.path.join(name, "*"))) or [name] for name in (left, right)]
        return [float(figure) for figure in run(ROWS, rig, *(name for pair in zip(*pictures) for name in pair)).split()]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("test")
    parser.add_argument("--data", default=os.path.join("..", "shared", "data"))
    parser.add_argument("--table", help="a file for the figures as tab-separated values")
    options = parser.parse_args()
    place = lambda *parts: os.path.join(options.data, *parts)
    lines = [["rig", "case", "views", "error", "focal", "baseline", "before", "after"]]

    def add(*cells):
        lines.append(list(cells))
        print("\t".join(cells), flush=True)
    for name, board, files in BOARDS:
        add("board", f"{name}, `{board}`", *calibrate(options.program, place("calib"), board, files), "", "")
    for name, folder in (("KITTI raw", "seq_kitti_raw_2011_09_26_0001"), ("Karlsruhe", "seq_karlsruhe_2010_03_09_0023")):
        before, after = align(options.program, place(folder, "left"), place(folder, "right"))
        add("aligned", name, "", "", "", "", f"{before:.3f}", f"{after:.3f}")
    pairs = [align(options.program, *(glob.glob(place(scene, side + ".p[ngp][gm]"))[0] for side in ("left", "right"))) for scene in MIDDLEBURY]
    add("aligned", f"mean of {len(pairs)} Middlebury pairs", "", "", "", "", *(f"{sum(pair[i] for pair in pairs) / len(pairs):.3f}" for i in (0, 1)))
    median, most = re.search(r"rows are off by at most ([\d.]+), ([\d.]+) px", run(options.test, SV_TEST_LONG="1")).groups()
    add("aligned", "worst of 50 rigs (median; 95th percentile)", "", "", "", "", "", f"{median}; {most}")
    if options.table:
        with open(options.table, "w", encoding="utf-8") as f:
            f.writelines("\t".join(line) + "\n" for line in lines)


if __name__ == "__main__":
    main()
