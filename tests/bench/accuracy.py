#!/usr/bin/python3
"""Scores every method, quality and fill into benchmarks/accuracy.tsv ('make accuracy').

    tests/bench/accuracy.py PROGRAM MAKE_DEMO [--data FOLDER] [--backend NAME] [--tsv FILE] [--run NAME,...] [--jobs N]
    tests/bench/accuracy.py PROGRAM --means [--data FOLDER] [--backend NAME] [--gain G] [--gamma G] -- [OPTION...]

PROGRAM is stereoview; MAKE_DEMO is the generator of the demo, which also makes the demo's ground truth. The real
scenes are in FOLDER (default: ../shared/data): SCENES below lists them with the disparities that are searched, and
CONTRIBUTING.md says where they come from. Rows of a scene that is not there, or of runs other than those named, stay
unchanged in the file. The program scores the whole map (--truth); the regions, in which the truth is made unknown outside,
are scored here, from the same map, after its score of the whole was found to be the program's.
benchmarks/README.md explains the columns.

With --means it prints the means over the real scenes with the program's OPTIONs, such as '-m ssd --fill row'; --gain and
--gamma darken the right pictures first.
Needs Debian's python3-opencv and python3-numpy.
"""
import argparse
import concurrent.futures
import csv
import functools
import glob
import os
import re
import subprocess
import sys
import tempfile

import cv2
import numpy as np

DATA = os.path.join("..", "shared", "data")
# folder, largest disparity, file of the ground truth, its grey levels per pixel of disparity, masks of regions
SCENES = [
    ("middlebury_v2/tsukuba", 15, "gt.png", 16, {"nonocc": "mask_nonocc.png", "disc": "mask_disc.png"}),
    ("middlebury_v2/venus", 31, "gt.png", 8, {"nonocc": "mask_nonocc.png", "disc": "mask_disc.png"}),
    ("middlebury_v2/cones", 63, "gt.png", 4, {"nonocc": "mask_nonocc.png", "disc": "mask_disc.png"}),
    ("middlebury_2005/Reindeer", 111, "gt.png", 2, {"nonocc": "mask_nonocc_derived.png"}),
    ("middlebury_2005/Art_third", 79, "gt.png", 1, {"nonocc": "mask_nonocc_derived.png"}),
    ("middlebury_2006/Cloth3", 95, "gt.png", 2, {"nonocc": "mask_nonocc_derived.png"}),
    ("middlebury_2006/Aloe_full", 223, "gt_half.png", 1, {}),
    ("middlebury_2014/Motorcycle_Q", 63, "gt.npz", 1, {}),
    ("eth3d/playground", 31, "gt.pfm", 1, {}),
    ("kitti_2012/000070", 127, "gt_occ.png", 256, {}),
]
COLUMNS = ["run", "what", "options", "gain", "gamma", "scene", "region", "density", "v1", "v2", "bad1", "bad2", "area"]
FIGURES = COLUMNS[7:12]
# The map as it is matched, which the confidence is judged on.
UNCHECKED = ["--left-right-check", "off", "--speckle-size", "off", "--holes", "off", "--fill", "none", "--median", "off",
             "--weighted-median", "off", "--average", "off"]
WRONG = 1.5  # pixels
DEMO_FRAMES = (0, 140, 35)  # first, end, step
PLAIN = ["--speckle-size", "off", "--median", "off", "--weighted-median", "off"]
# OpenCV's modes at the parameters of its documentation and of its sample stereo_match, with blocks of B pixels.
OPENCV = {"SGBM HH, B 3": (3, cv2.STEREO_SGBM_MODE_HH), "SGBM HH, B 5": (5, cv2.STEREO_SGBM_MODE_HH),
          "SGBM 3WAY, B 5": (5, cv2.STEREO_SGBM_MODE_SGBM_3WAY)}


def read_pfm(path):
    with open(path, "rb") as f:
        f.readline()
        width, height = map(int, f.readline().split())
        order = "<f4" if float(f.readline()) < 0 else ">f4"
        return np.flipud(np.frombuffer(f.read(4 * width * height), order).reshape(height, width)).astype(np.float32)


def write_pfm(path, truth):
    with open(path, "wb") as f:
        f.write(b"Pf\n%d %d\n-1.0\n" % (truth.shape[1], truth.shape[0]))
        f.write(np.flipud(truth).astype("<f4").tobytes())


def read_truth(path, scale):
    """float32, pixels, +inf where unknown."""
    if path.endswith(".pfm"):
        return read_pfm(path)
    if path.endswith(".npz"):
        return np.load(path)["arr_0"].astype(np.float32)
    raw = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    raw = raw[:, :, 0] if raw.ndim == 3 else raw
    truth = raw.astype(np.float32) / scale
    truth[raw == 0] = np.inf
    return truth


def methods_of(program):
    """The names of all methods, in the order of --version."""
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    return re.search("^Methods: (.*)$", version, re.M)[1].split(", ")


def runs_of(methods):
    """(run, what, options of the program, gain and gamma of the right picture) of everything that is scored."""
    runs = []

    def add(run, what, *arguments, gain=1, gamma=1):
        runs.append((run, what, list(arguments), gain, gamma))

    for name, arguments in (("defaults", []), ("fill row", ["--fill", "row"]), ("fill surface", ["--fill", "surface"]),
                            ("rows auto", ["--rows", "auto"]), ("confidence", UNCHECKED)):
        for method in methods:
            add(name, method, "-m", method, *arguments)
    for quality in ("fast", "balanced", "best"):
        for fill in (None, "row", "surface", "cross"):
            add("qualities", f"{quality}, {fill}" if fill else quality, "--quality", quality, *(["--fill", fill] if fill else []))
    add("qualities", "sgm, scale 1/4", "-m", "sgm", "--scale", "1/4")
    for what, arguments in (("sgm", ["-m", "sgm"]), ("ssd", ["-m", "ssd"]), ("gfd", ["-m", "gfd"]),
                            ("gfd, no prefilter", ["-m", "gfd", "--prefilter", "none"])):
        add("exposure", what, *arguments)
        add("exposure", what, *arguments, gain=0.6)
        add("exposure", what, *arguments, gamma=1.4)
    add("papers", "ssd", "-m", "ssd", "--prefilter", "none", "--left-right-check", "1", *PLAIN)
    add("papers", "ncc", "-m", "ncc", "--reseed", "off", *PLAIN)
    add("papers", "gfd", "-m", "gfd", "--prefilter", "none", "--fill", "row")
    for arguments in ([], ["--weighted-median", "3"],
                      *([["--weighted-median", m, "--left-right-check", c, "--holes", "off"]
                         for m, c in (("3", "1"), ("3", "0"), ("5", "0"))])):
        add("fill options", " ".join(arguments) or "none", "-m", "sgm", "--fill", "row", *arguments)
    for method in ("ssd", "ncc", "zncc"):
        for speckles, median, weighted in (("off", "off", "off"), ("off", "5", "off"), ("100", "5", "off"), ("100", "5", "3"),
                                           ("100", "5", "4")):
            add("steps", f"{method}, speckles {speckles}, median {median}, weighted {weighted}", "-m", method,
                "--left-right-check", "1", "--fill", "row", "--speckle-size", speckles, "--median", median,
                "--weighted-median", weighted)
    return runs


def score(options, arguments, pictures, largest, truth, frames="0:1"):
    """The figures of one frame, by the name of their column."""
    threads = ["--threads", "1"] if options.jobs > 1 else []
    command = [options.program, "--headless", "-q", "--backend", options.backend, *threads, "-d", f"0:{largest}", "--rows", "off",
               "-f", *pictures, "--frames", frames, "--truth", truth, *arguments]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: {run.stderr.strip()}")
    header, row = run.stdout.splitlines()[:2]
    return dict(zip(header.split()[1:], map(float, row.split()[1:])))


@functools.lru_cache
def real_regions(data, folder, gain, gamma):
    """Scene, region, pictures, largest disparity and file of the truth, for each region of the scenes that are there."""
    regions = []
    for scene, largest, file, scale, masks in SCENES:
        place = os.path.join(data, scene)
        if not os.path.isdir(place):
            print(f"{scene} is not in {data}: its rows stay as they are", file=sys.stderr)
            continue
        left, right = (glob.glob(os.path.join(place, side + ".p[ngp][gm]"))[0] for side in ("left", "right"))
        if (gain, gamma) != (1, 1):
            picture = gain * 255 * (cv2.imread(right, cv2.IMREAD_UNCHANGED) / 255) ** gamma
            right = os.path.join(folder, f"{scene.replace('/', '_')}_{gain:g}_{gamma:g}.png")
            cv2.imwrite(right, np.floor(picture + 0.5).clip(0, 255).astype(np.uint8))
        truth = read_truth(os.path.join(place, file), scale)
        height, width = cv2.imread(left, cv2.IMREAD_GRAYSCALE).shape
        if truth.shape != (height, width):  # at half size: the truth of every second pixel
            half, truth = truth, np.full((height, width), np.inf, np.float32)
            truth[::2, ::2] = half
        for region, mask in [("all", None), *masks.items()]:
            if mask and not os.path.exists(os.path.join(place, mask)):
                print(f"{scene} has no {mask}: its row stays as it is", file=sys.stderr)
                continue
            path = os.path.join(folder, f"{scene.replace('/', '_')}_{region}.pfm")
            inside = cv2.imread(os.path.join(place, mask), cv2.IMREAD_GRAYSCALE) == 255 if mask else True
            if not os.path.exists(path):
                write_pfm(path, np.where(inside, truth, np.inf))
            regions.append((scene, region, [left, right], largest, path))
    return regions


def mean(rows):
    return {column: np.mean([row[column] for row in rows]) for column in rows[0]}


def print_means(options, folder):
    rows = {}
    for scene, region, *rest in real_regions(options.data, folder, options.gain, options.gamma):
        rows[scene, region] = score(options, options.arguments, *rest)
    if len(rows) < sum(1 + len(masks) for *_, masks in SCENES):
        sys.exit("the means need all scenes")
    for region in ("all", "nonocc", "disc"):
        of = mean([row for (_, r), row in rows.items() if r == region])
        print(f"{region}: " + ", ".join(f"{c} {of[c]:.2f}" for c in ("density", "v1", "v2", "bad1", "bad2")))
    of = mean([row for (scene, _), row in rows.items() if scene.startswith("middlebury_v2/")])
    print(f"tsukuba, venus and cones, all regions: bad1 {of['bad1']:.2f}")


def demo_frames(options, folder):
    """Scene, region, arguments of score() for some frames of the demo."""
    for frame in range(*DEMO_FRAMES):
        truth = os.path.join(folder, f"demo_{frame}.pfm")
        if not os.path.exists(truth):
            subprocess.run([options.make_demo, "--truth", truth, "--frames", f"{frame}:{frame + 1}"], check=True,
                           stdout=subprocess.DEVNULL)
        pictures = ["assets/demo_left.mp4", "assets/demo_right.mp4"]
        yield f"demo, frame {frame}", "all", pictures, 63, truth, f"{frame}:{frame + 1}"


def score_map(disparity, true):
    """The program's figures for a map, which has a value where it is finite."""
    known = np.isfinite(true)
    disparity, true = disparity[known], true[known]
    value = np.isfinite(disparity)
    wrong = [~(np.abs(disparity - true) <= most) for most in (1, 2)]
    return {"density": 100 * value.mean(), **{f"v{n + 1}": 100 * wrong[n][value].mean() for n in (0, 1)},
            **{f"bad{n + 1}": 100 * wrong[n].mean() for n in (0, 1)}}


def score_regions(options, arguments, pictures, largest, truths, frames="0:1"):
    """{region: figures} of one frame; `truths`: {region: file}."""
    if len(truths) == 1:
        return {region: score(options, arguments, pictures, largest, truth, frames) for region, truth in truths.items()}
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "map.pfm")
        of_all = score(options, [*arguments, "-o", path], pictures, largest, truths["all"], frames)
        disparity = read_pfm(path)
    figures = {region: score_map(disparity, read_pfm(truth)) for region, truth in truths.items()}
    if any(abs(figures["all"][c] - of_all[c]) > 0.006 for c in FIGURES):
        sys.exit(f"{pictures[0]}, {' '.join(arguments)}: the program's scores are {of_all}, those here {figures['all']}")
    return {**figures, "all": of_all}


def score_opencv(pictures, largest, truths, block, mode):
    """{region: figures} of OpenCV's map."""
    left, right = (cv2.imread(name, cv2.IMREAD_GRAYSCALE) for name in pictures)
    matcher = cv2.StereoSGBM_create(0, (largest + 16) // 16 * 16, block, P1=8 * block**2, P2=32 * block**2, disp12MaxDiff=1,
                                    preFilterCap=63, uniquenessRatio=10, speckleWindowSize=100, speckleRange=32, mode=mode)
    disparity = matcher.compute(left, right) / 16
    return {region: score_map(np.where(disparity < 0, np.inf, disparity), read_pfm(truth)) for region, truth in truths.items()}


def area_of(confidence, wrong):
    """How far an order by confidence is from the ideal one, 0, as a share of a random order, 1: the area between the
    curves of the share of wrong pixels among the surest 100, 95, ... 5 %. Pixels of equal confidence share their
    errors."""
    kept = len(wrong) * np.arange(20, 0, -1) // 20

    def curve(errors):
        return np.cumsum(errors)[kept - 1] / kept

    counts = np.maximum(np.bincount(confidence, minlength=256), 1)
    of_confidence = np.bincount(confidence, wrong, 256) / counts
    ideal = curve(np.sort(wrong))
    return (curve(of_confidence[np.sort(confidence)[::-1]]) - ideal).sum() / (wrong.mean() - ideal).sum()


def judge(options, method, pictures, largest, truth):
    """The area of a method in one frame, over the pixels with a value and a truth."""
    stem = f"{truth}_{method}"
    subprocess.run([options.program, "--headless", "-q", "--backend", options.backend, "-m", method, "-d", f"0:{largest}",
                    "--rows", "off", "-f", *pictures, "--frames", "0:1", *UNCHECKED, "-o", stem + ".pfm", "-o", stem + ".confidence.png"],
                   check=True)
    disparity, true = read_pfm(stem + ".pfm"), read_pfm(truth)
    counts = np.isfinite(disparity) & np.isfinite(true)
    wrong = np.abs(disparity[counts] - true[counts]) > WRONG
    return area_of(cv2.imread(stem + ".confidence.png", cv2.IMREAD_UNCHANGED)[counts], wrong.astype(float))


def work_of(options, run, what, arguments, gain, gamma, folder):
    """Yields scene, and a function with its arguments that returns {region: figures}."""
    if run in ("defaults", "fill row"):
        for scene, region, *pictures, truth, frames in demo_frames(options, folder):
            yield scene, score_regions, options, arguments, *pictures, {region: truth}, frames
    scenes = {}
    for scene, region, pictures, largest, truth in real_regions(options.data, folder, gain, gamma):
        scenes.setdefault(scene, (pictures, largest, {}))[2][region] = truth
    for scene, (*pictures, truths) in scenes.items():
        if run == "opencv":
            yield scene, score_opencv, *pictures, truths, *OPENCV[what]
        elif run == "confidence":
            yield scene, lambda *a: {"all": {"area": judge(*a)}}, options, what, *pictures, truths["all"]
        else:
            yield scene, score_regions, options, arguments, *pictures, truths


def read(path):
    """{key: row} of a file that this program wrote."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as f:
        return {tuple(row[c] for c in COLUMNS if c not in FIGURES + ["area", "options"]): row
                for row in csv.DictReader(f, delimiter="\t")}


def write(path, rows, order):
    """In the order of the runs, and of the scenes in each; rows of no such run are left out."""
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.DictWriter(f, COLUMNS, restval="", delimiter="\t", lineterminator="\n")
        out.writeheader()
        for run in order:
            out.writerows(row for key, row in rows.items() if key[:4] == run)


def score_all(options, folder):
    runs = runs_of(options.methods) + [("opencv", what, [f"OpenCV {cv2.__version__}"], 1, 1) for what in OPENCV]
    rows = read(options.tsv)
    name = lambda run, what, _, gain, gamma: (run, what, f"{gain:g}", f"{gamma:g}")
    order = [name(*run) for run in runs]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        wanted = [run for run in runs if not options.run or run[0] in options.run.split(",")]
        works = [[(scene, pool.submit(*work)) for scene, *work in work_of(options, *run, folder)] for run in wanted]
        for run, work in zip(wanted, works):
            for scene, region, figures in ((scene, *item) for scene, future in work for item in future.result().items()):
                row = dict(zip(COLUMNS, (*name(*run)[:2], " ".join(run[2]), *name(*run)[2:], scene, region)))
                row |= {c: f"{figures[c]:.2f}" for c in FIGURES if c in figures}
                row |= {"area": f"{figures['area']:.3f}"} if "area" in figures else {}
                rows[(*name(*run), scene, region)] = row
            print(*run[:2], file=sys.stderr, sep=": ")
            write(options.tsv, rows, order)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("make_demo", nargs="?")
    parser.add_argument("--data", default=DATA, help="the folder of the real scenes")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--tsv", default="benchmarks/accuracy.tsv", help="the file of the figures")
    parser.add_argument("--run", help="measure these runs alone, such as 'defaults,opencv'")
    parser.add_argument("--jobs", type=int, default=1, help="programs that run at once")
    parser.add_argument("--means", action="store_true", help="print means over the real scenes")
    parser.add_argument("--gain", type=float, default=1, help="multiplies the grey values of the right pictures")
    parser.add_argument("--gamma", type=float, default=1, help="their exponent, as fractions of 255")
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end])
    options.arguments = sys.argv[end + 1:]
    if bool(options.make_demo) == options.means:
        parser.error("MAKE_DEMO or --means")
    if not options.means and (options.arguments or (options.gain, options.gamma) != (1, 1)):
        parser.error("--gain, --gamma and OPTION... need --means")
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    options.methods = methods_of(options.program)
    if options.means:
        with tempfile.TemporaryDirectory() as folder:
            print_means(options, folder)
        return
    with tempfile.TemporaryDirectory() as folder:
        score_all(options, folder)


if __name__ == "__main__":
    main()
