#!/usr/bin/python3
"""OpenCV's StereoBM and StereoSGBM beside stereoview's cpu backend, in turns, on the same pictures.

    tests/bench/bench_opencv.py BENCH [--turns N] [--runs N] [--threads N,...] [--size WxH] [--tsv FILE]

BENCH is the program that 'make bench' builds. Disparities 0 to 63 are searched, with 1, 2, 4, ... threads, as many as
there are CPUs. The matchers take turns, so that load on the machine slows all of them alike, and all run on the same
CPUs: in each of --turns turns, each matches --runs pairs; HH, which is slow, one pair in three turns. SV_CPU=avx2 keeps
ours from AVX-512, and OPENCV_CPU_DISABLE=AVX512_SKX OpenCV. The figures are the medians of all runs and the ratios of these. Only matching is timed, and
neither the start of the process nor reading. Each row says which steps are done, and a ratio is given only if OpenCV
does the same ones as far as its options permit: StereoBM runs without its texture and uniqueness tests, but its
prefilter cannot be turned off, and neither can the sub-pixel parabola of both. Needs Debian's python3-opencv.
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
CPUS = sorted(os.sched_getaffinity(0))
DISPARITIES = 64
# Seconds; longer than idle OpenMP threads keep a core busy while they wait for more work.
REST = 0.03

PLAIN = ["--left-right-check", "off", "--speckle-size", "off", "--median", "off"]
BM, WAY, HH = "OpenCV StereoBM 11x11", "OpenCV SGBM 5x5, 3WAY", "OpenCV SGBM 5x5, HH"
CHECKED = "cost, paths, sub-pixel, check of both maps"
# name, work, which of OpenCV's matchers does the same, options of bench; the first one also writes the pictures
OURS = [
    ("ssd 11x11, left map", "left map, sub-pixel", BM, ["--method", "ssd", "--prefilter", "none", *PLAIN]),
    ("ssd 11x11, both maps", "both maps, sub-pixel, check", None,
     ["--method", "ssd", "--prefilter", "none", "--speckle-size", "off", "--median", "off"]),
    ("ssd, defaults", "all steps", None, ["--method", "ssd"]),
    ("ncc, defaults", "all steps", None, ["--method", "ncc"]),
    ("zncc, defaults", "all steps", None, ["--method", "zncc"]),
    # SGBM's 3x3 median is within it, so the median stays; it has 3 paths, and HH, its most accurate mode, 8.
    ("sgm", CHECKED + ", median", WAY,
     ["--method", "sgm", "--left-right-check", "1", "--speckle-size", "off", "--holes", "off"]),
    ("sgm, defaults", "all steps", None, ["--method", "sgm"]),
]


def own_cores(count):
    """`count` CPUs for as many threads, each of another core if there are enough: two threads on one core share its
    vector units, and whether they do must not differ from one contender to the next."""
    cores = {}
    for cpu in CPUS:
        with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", encoding="utf-8") as siblings:
            cores.setdefault(siblings.read(), cpu)
    return (list(cores.values()) if len(cores) >= count else CPUS)[:count]


class Ours:
    """A running bench that matches on request."""

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
        for i, (name, _, _, arguments) in enumerate(OURS):
            everyone[name] = Ours(program, size, threads, arguments, None if i else folder)
        everyone[OURS[0][0]].run(1)  # the pictures are written by then
        read = lambda side, i: cv2.imread(os.path.join(folder, f"{side}_{i}.pgm"), cv2.IMREAD_GRAYSCALE)
        pairs = [(read("left", i), read("right", i)) for i in range(len(os.listdir(folder)) // 2)]
    matcher = cv2.StereoBM_create(DISPARITIES, 11)
    matcher.setTextureThreshold(0)
    matcher.setUniquenessRatio(0)
    everyone[BM] = OpenCV(matcher, threads, pairs)
    for name, mode in ((WAY, cv2.STEREO_SGBM_MODE_SGBM_3WAY), (HH, cv2.STEREO_SGBM_MODE_HH)):
        matcher = cv2.StereoSGBM_create(0, DISPARITIES, 5, P1=8 * 25, P2=32 * 25, disp12MaxDiff=1, mode=mode)
        everyone[name] = OpenCV(matcher, threads, pairs)
    return everyone


def measure(options, size, threads):
    os.sched_setaffinity(0, own_cores(threads))  # the programs that are started inherit it
    everyone = contenders(options.program, size, threads)
    times = {name: [] for name in everyone}
    for turn in range(options.turns + 1):
        for name, contender in everyone.items():
            if name == HH and turn > 3:
                continue
            time.sleep(REST)
            measured = contender.run(1 if name == HH else options.runs)
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
    # OpenCV's TBB never starts more threads than the CPUs of its first measurement permit: the most come first.
    parser.add_argument("--threads", type=lambda text: sorted(map(int, text.split(",")), reverse=True),
                        default=[2**n for n in reversed(range(len(CPUS).bit_length()))])
    parser.add_argument("--size", type=lambda text: tuple(map(int, text.split("x"))))
    parser.add_argument("--tsv")
    options = parser.parse_args()
    lines = ["set\twidth\theight\tthreads\tcontender\twork\truns\tms\tp95_ms\tbeside\tratio\topencv\tinstructions"]
    work = {BM: "left map, sub-pixel", WAY: CHECKED + ", median", HH: CHECKED + ", median"}
    peers = {}
    for name, what, beside, _ in OURS:
        work[name], peers[name] = what, beside
    print(f"{'by':22} {'size':>9} {'threads':>7} {'runs':>5} {'ms':>9} {'p95':>9}  {'ratio':28} work")
    for size in [options.size] if options.size else SIZES:
        for threads in options.threads:
            times = measure(options, size, threads)
            middle = {name: statistics.median(t) for name, t in times.items()}
            for name, ms in middle.items():
                p95 = sorted(times[name])[-(-95 * len(times[name]) // 100) - 1]
                beside = peers.get(name) or ""
                ratio = ms / middle[beside] if beside else None
                shown = f"{ratio:.2f} of {beside}" if beside else ""
                print(f"{name:22} {size[0]:>4}x{size[1]:<4} {threads:7} {len(times[name]):5} {ms:9.2f} {p95:9.2f}  "
                      f"{shown:28} {work[name]}", flush=True)
                lines.append(f"opencv\t{size[0]}\t{size[1]}\t{threads}\t{name}\t{work[name]}\t{len(times[name])}\t"
                             f"{ms:.3f}\t{p95:.3f}\t{beside}\t{f'{ratio:.3f}' if beside else ''}\t{cv2.__version__}\t{os.environ.get('SV_CPU', '')}")
            if options.tsv:
                with open(options.tsv, "w", encoding="utf-8") as f:
                    f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
