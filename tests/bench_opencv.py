#!/usr/bin/python3
"""OpenCV's StereoBM and StereoSGBM beside stereoview's cpu backend, in turns, on the same pictures.

    tests/bench_opencv.py BENCH [--turns N] [--runs N] [--tsv FILE]

BENCH is the program that 'make bench' builds. Windows of 11 x 11, disparities 0 to 63, 1 and 2 threads. Everyone in
turn matches --runs pairs, --turns times over; the figures are medians of all runs and their ratios, so that load on the
machine falls on all alike. Only matching is timed: no process start, no reading. Needs Debian's python3-opencv.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import cv2

SIZES = [(1242, 375), (1920, 1080)]
THREADS = [1, 2]
DISPARITIES = 64
# Longer than idle OpenMP threads keep a core busy in wait of more work.
REST = 0.03

# name, options of bench; what is compared with StereoBM first
OURS = [
    ("ssd 11x11, left map",
     ["--method", "ssd", "--prefilter", "none", "--left-right-check", "off", "--speckle-size", "off", "--median", "off"]),
    ("ssd 11x11, both maps, check", ["--method", "ssd", "--prefilter", "none", "--speckle-size", "off", "--median", "off"]),
    ("ssd 11x11, defaults", ["--method", "ssd"]),
    ("ncc 7x7, defaults", ["--method", "ncc"]),
    ("zncc 9x9, defaults", ["--method", "zncc"]),
    # No speckle filter and no hole filling, as of StereoSGBM below.
    ("sgm, check, median", ["--method", "sgm", "--speckle-size", "off", "--holes", "off"]),
    ("sgm, defaults", ["--method", "sgm"]),
]


class Ours:
    """A running bench that matches when told to."""

    def __init__(self, program, size, threads, arguments, folder=None):
        command = [program, "--backend", "cpu", "--pace", "--size", "%dx%d" % size, "--threads", str(threads),
                   "--disparities", f"0:{DISPARITIES - 1}", *arguments]
        self.process = subprocess.Popen(command + (["--write", folder] if folder else []), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def run(self, runs):
        """Milliseconds of each run."""
        self.process.stdin.write(f"{runs}\n")
        self.process.stdin.flush()
        times = self.process.stdout.readline().split()
        if len(times) != runs:
            sys.exit("bench ended early")
        return [float(t) for t in times]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class OpenCV:
    def __init__(self, matcher, threads, pairs):
        self.matcher, self.threads, self.pairs, self.map = matcher, threads, pairs, None

    def run(self, runs):
        cv2.setNumThreads(self.threads)
        times = []
        for i in range(runs):
            left, right = self.pairs[i % len(self.pairs)]
            start = time.perf_counter()
            self.map = self.matcher.compute(left, right, self.map)
            times.append(1e3 * (time.perf_counter() - start))
        return times

    def close(self):
        pass


def contenders(program, size, threads):
    """{name: contender}, all on the same pictures."""
    with tempfile.TemporaryDirectory() as folder:
        everyone = {}
        for i, (name, arguments) in enumerate(OURS):
            everyone[name] = Ours(program, size, threads, arguments, None if i else folder)
        everyone[OURS[0][0]].run(1)  # the pictures are written by then
        read = lambda side, i: cv2.imread(os.path.join(folder, f"{side}_{i}.pgm"), cv2.IMREAD_GRAYSCALE)
        pairs = [(read("left", i), read("right", i)) for i in range(len(os.listdir(folder)) // 2)]
    everyone["OpenCV StereoBM 11x11"] = OpenCV(cv2.StereoBM_create(DISPARITIES, 11), threads, pairs)
    penalties = {"P1": 8 * 121, "P2": 32 * 121}
    for name, mode in (("OpenCV StereoSGBM 11x11", cv2.STEREO_SGBM_MODE_SGBM),
                       ("OpenCV StereoSGBM 11x11, 3 ways", cv2.STEREO_SGBM_MODE_SGBM_3WAY)):
        everyone[name] = OpenCV(cv2.StereoSGBM_create(0, DISPARITIES, 11, mode=mode, **penalties), threads, pairs)
    everyone["OpenCV StereoSGBM 5x5, 3 ways"] = OpenCV(
        cv2.StereoSGBM_create(0, DISPARITIES, 5, P1=8 * 25, P2=32 * 25, disp12MaxDiff=1,
                              mode=cv2.STEREO_SGBM_MODE_SGBM_3WAY), threads, pairs)
    return everyone


def measure(options, size, threads):
    everyone = contenders(options.program, size, threads)
    times = {name: [] for name in everyone}
    for turn in range(options.turns + 1):
        for name, contender in everyone.items():
            time.sleep(REST)
            measured = contender.run(options.runs)
            if turn:  # the first warms up
                times[name] += measured
    for contender in everyone.values():
        contender.close()
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--tsv")
    options = parser.parse_args()
    lines = ["set\twidth\theight\tthreads\tcontender\truns\tms\tp95_ms\tof_bm\tof_sgbm\topencv"]
    print(f"{'by':32} {'size':>9} {'threads':>7} {'runs':>5} {'ms':>9} {'p95':>9} {'of StereoBM':>11} {'of SGBM':>8}")
    for size in SIZES:
        for threads in THREADS:
            times = measure(options, size, threads)
            middle = {name: statistics.median(t) for name, t in times.items()}
            for name, ms in middle.items():
                p95 = sorted(times[name])[-(-95 * len(times[name]) // 100) - 1]
                of_bm, of_sgbm = ms / middle["OpenCV StereoBM 11x11"], ms / middle["OpenCV StereoSGBM 11x11"]
                print(f"{name:32} {size[0]:>4}x{size[1]:<4} {threads:7} {len(times[name]):5} {ms:9.2f} {p95:9.2f} "
                      f"{of_bm:11.2f} {of_sgbm:8.2f}", flush=True)
                lines.append(f"opencv\t{size[0]}\t{size[1]}\t{threads}\t{name}\t{len(times[name])}\t{ms:.3f}\t"
                             f"{p95:.3f}\t{of_bm:.3f}\t{of_sgbm:.3f}\t{cv2.__version__}")
    if options.tsv:
        with open(options.tsv, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
