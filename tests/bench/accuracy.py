#!/usr/bin/python3
"""Scores every method at its defaults and writes the tables into BENCHMARKS.md ('make accuracy').

    tests/bench/accuracy.py PROGRAM MAKE_DEMO [--data FOLDER] [--backend NAME] [--page FILE] [--print]
    tests/bench/accuracy.py PROGRAM --means [--data FOLDER] [--backend NAME] [--gain G] [--gamma G] -- [OPTION...]

PROGRAM is stereoview; MAKE_DEMO is the generator of the demo, which also makes the demo's ground truth. The real
scenes are in FOLDER (default: ../shared/data): SCENES below lists them with the disparities that are searched, and
CONTRIBUTING.md says where they come from. If a scene is not there, its rows on the page stay unchanged, and so do
the means, which need all scenes. The program itself computes the scores (--truth). To score a region, the ground
truth is made unknown outside of it.

With --means it prints the means over the real scenes with the program's OPTIONs, such as '-m ssd --fill row'; --gain and
--gamma darken the right pictures first.
Needs Debian's python3-opencv and python3-numpy.
"""
import argparse
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
RUNS = [("Defaults", []), ("Defaults with `--fill row`", ["--fill", "row"])]
# The map as it is matched, which the confidence is judged on.
UNCHECKED = ["--left-right-check", "off", "--speckle-size", "off", "--holes", "off", "--fill", "none", "--median", "off",
             "--weighted-median", "off", "--average", "off"]
WRONG = 1.5  # pixels
DEMO_FRAMES = (0, 140, 35)  # first, end, step


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


def score(options, arguments, pictures, largest, truth, frames="0:1"):
    """The figures of one frame, by the name of their column."""
    command = [options.program, "--headless", "-q", "--backend", options.backend, "-d", f"0:{largest}", "--rows", "off",
               "-f", *pictures, "--frames", frames, "--truth", truth, *arguments]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}: {run.stderr.strip()}")
    header, row = run.stdout.splitlines()[:2]
    return dict(zip(header.split()[1:], map(float, row.split()[1:])))


def real_regions(options, folder):
    """Scene, region, pictures, largest disparity and file of the truth, for each region of the scenes that are there."""
    for scene, largest, file, scale, masks in SCENES:
        place = os.path.join(options.data, scene)
        if not os.path.isdir(place):
            print(f"{scene} is not in {options.data}: its rows stay as they are", file=sys.stderr)
            continue
        left, right = (glob.glob(os.path.join(place, side + ".p[ngp][gm]"))[0] for side in ("left", "right"))
        if (options.gain, options.gamma) != (1, 1):
            picture = options.gain * 255 * (cv2.imread(right, cv2.IMREAD_UNCHANGED) / 255) ** options.gamma
            right = os.path.join(folder, "right.png")
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
            path = os.path.join(folder, "truth.pfm")
            inside = cv2.imread(os.path.join(place, mask), cv2.IMREAD_GRAYSCALE) == 255 if mask else True
            write_pfm(path, np.where(inside, truth, np.inf))
            yield scene, region, [left, right], largest, path


def mean(rows):
    return {column: np.mean([row[column] for row in rows]) for column in rows[0]}


def print_means(options, folder):
    rows = {}
    for scene, region, *rest in real_regions(options, folder):
        rows[scene, region] = score(options, options.arguments, *rest)
    if len(rows) < sum(1 + len(masks) for *_, masks in SCENES):
        sys.exit("the means need all scenes")
    for region in ("all", "nonocc", "disc"):
        of = mean([row for (_, r), row in rows.items() if r == region])
        print(f"{region}: " + ", ".join(f"{c} {of[c]:.2f}" for c in ("density", "v1", "v2", "bad1", "bad2")))
    of = mean([row for (scene, _), row in rows.items() if scene.startswith("middlebury_v2/")])
    print(f"tsukuba, venus and cones, all regions: bad1 {of['bad1']:.2f}")


def score_all(options, arguments, folder):
    """{(scene, region): {method: figures}} in the order of the table."""
    table = {}

    def add(scene, region, *rest, **frame):
        table[scene, region] = {m: score(options, ["-m", m, *arguments], *rest, **frame) for m in options.methods}
        print(f"{scene} {region}", file=sys.stderr)

    demo = ["assets/demo_left.mp4", "assets/demo_right.mp4"]
    for frame in range(*DEMO_FRAMES):
        truth = os.path.join(folder, f"demo_{frame}.pfm")
        subprocess.run([options.make_demo, "--truth", truth, "--frames", f"{frame}:{frame + 1}"], check=True,
                       stdout=subprocess.DEVNULL)
        add(f"demo, frame {frame}", "all", demo, 63, truth, frames=f"{frame}:{frame + 1}")
    for scene, region, *rest in real_regions(options, folder):
        add(scene, region, *rest)
    for region in ("all", "nonocc", "disc"):
        scenes = [scene for scene, *_, masks in SCENES if region in ("all", *masks)]
        rows = [table[scene, region] for scene in scenes if (scene, region) in table]
        if len(rows) == len(scenes):
            table[f"mean of {len(rows)} real scenes", region] = {
                m: mean([row[m] for row in rows]) for m in options.methods}
    return table


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


def judge(options, method, pictures, largest, truth, folder):
    """The area of a method in one frame, over the pixels with a value and a truth."""
    stem = os.path.join(folder, "judged")
    subprocess.run([options.program, "--headless", "-q", "--backend", options.backend, "-m", method, "-d", f"0:{largest}",
                    "--rows", "off", "-f", *pictures, "--frames", "0:1", *UNCHECKED, "-o", stem + ".pfm", "-o", stem + ".confidence.png"],
                   check=True)
    disparity, true = read_pfm(stem + ".pfm"), read_pfm(truth)
    counts = np.isfinite(disparity) & np.isfinite(true)
    wrong = np.abs(disparity[counts] - true[counts]) > WRONG
    return area_of(cv2.imread(stem + ".confidence.png", cv2.IMREAD_UNCHANGED)[counts], wrong.astype(float))


def judge_all(options, folder):
    """{(scene, "all"): {method: area}}"""
    table = {}
    for scene, region, pictures, largest, truth in real_regions(options, folder):
        if region == "all":
            table[scene, region] = {m: judge(options, m, pictures, largest, truth, folder) for m in options.methods}
            print(f"{scene} confidence", file=sys.stderr)
    if len(table) == len(SCENES):
        table[f"mean of {len(table)} real scenes", "all"] = mean(list(table.values()))
    return table


def old_rows(head, page):
    found = re.search(re.escape(f"\n{head}\n\n") + r"(?:\|.*\n){2}((?:\|.*\n)*)", page)
    return found[1].splitlines() if found else []


def keep_rows(old, new):
    """The rows of `new`, and those of `old` that `new` does not have, at their places in `old`."""
    key = lambda line: tuple(line.split("|")[1:3])
    made = {key(line): line for line in new}
    return [made.pop(key(line), line) for line in old] + list(made.values())


def markdown(options, folder, page):
    """The tables, with the rows of `page` where a scene is not there."""
    lines = [f"Percent, `{options.backend}` backend. density: pixels with a value. v2: of those, wrong by more than 2 pixels. "
             "bad1, bad2: wrong by more than 1, 2 pixels, or without a value."]
    for title, arguments in RUNS:
        figures = ["bad1", "bad2"] if arguments else ["density", "v2"]
        head = f"{title}:"
        lines += ["", head, "", "| scene | region | " + " | ".join(f"{m} {' / '.join(figures)}" for m in options.methods) + " |",
                  "|---|---|" + "---|" * len(options.methods)]
        rows = []
        for (scene, region), row in score_all(options, arguments, folder).items():
            cells = (" / ".join(f"{row[m][f]:.2f}" for f in figures) for m in options.methods)
            rows.append(f"| {scene} | {region} | " + " | ".join(cells) + " |")
        lines += keep_rows(old_rows(head, page), rows)
    head = "Confidence: the area between the curves of sparsification, 0 for the ideal order and 1 for a random one:"
    rows = [f"| {scene} | {region} | " + " | ".join(f"{row[m]:.3f}" for m in options.methods) + " |"
            for (scene, region), row in judge_all(options, folder).items()]
    lines += ["", head, "", "| scene | region | " + " | ".join(options.methods) + " |",
              "|---|---|" + "---|" * len(options.methods), *keep_rows(old_rows(head, page), rows)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("make_demo", nargs="?")
    parser.add_argument("--data", default=DATA, help="the folder of the real scenes")
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("--page", default="BENCHMARKS.md", help="the file that has the tables")
    parser.add_argument("--print", action="store_true", help="print the tables instead of writing them")
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
    with open(options.page, encoding="utf-8") as f:
        page = f.read()
    with tempfile.TemporaryDirectory() as folder:
        text = markdown(options, folder, page)
    if options.print:
        print(text, end="")
        return
    begin, end = "<!-- accuracy: written by make accuracy -->\n", "<!-- accuracy ends -->"
    page, count = re.subn(re.escape(begin) + ".*?" + re.escape(end), lambda _: begin + text + end, page, flags=re.S)
    if count != 1:
        sys.exit(f"{options.page} has no place for the tables: it needs the lines\n" + begin + end)
    with open(options.page, "w", encoding="utf-8") as f:
        f.write(page)


if __name__ == "__main__":
    main()
