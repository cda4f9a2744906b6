#!/usr/bin/python3
"""Searches for gfd's defaults, and compares its cost with others.

    tests/bench/search_gfd.py PROGRAM search [NAME=VALUE]...   changes one parameter after the other while that helps
    tests/bench/search_gfd.py PROGRAM windows                  compares the cost alone with others, by width of the window

PROGRAM is stereoview. `search` begins at the defaults, or at the values that are given. With one set of
parameters for all scenes of SEARCHED and windows of at least 3 x 3, it minimises the mean bad1, after filling by
rows, of the region that both pictures show. The cut-offs and the shape of the penalties are constants of
stereo/fourier.h; to try others, change them and build again.
`windows` takes the cheapest candidate at each pixel, without smoothing, aggregation or refinement: with a
lambda of 0 the path may go anywhere. Its ncc is the correlation of grey values whose mean is not subtracted,
which no method of the program uses.
The scenes are those of accuracy.py. Needs Debian's python3-opencv and python3-numpy.
"""
import glob
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np

from accuracy import DATA, SCENES, read_pfm, read_truth

SEARCHED = ["tsukuba", "venus", "cones", "Art_third", "Reindeer", "Cloth3", "Motorcycle_Q", "playground"]
# name: (start, factors to try; steps for whole numbers)
SEARCH = {"alpha": (0.09375, [0.5, 2]), "lambda": (3, [0.75, 1.33]), "rho": (1, [-1, 1]), "aggregate": (1, [-1, 1]),
          "weighted-median": (5, [-1, 1])}
WHOLE = ("rho", "aggregate", "weighted-median")
PLAIN = ["--subpixel", "off", "--uniqueness", "off", "--left-right-check", "off", "--speckle-size", "off", "--fill", "none",
         "--median", "off", "--weighted-median", "off", "--average", "off"]


def load(name):
    """Paths of the pictures, largest disparity, truth (+inf where unknown or hidden in the right picture)."""
    scene, largest, file, scale, masks = next(s for s in SCENES if s[0].endswith("/" + name))
    place = os.path.join(DATA, scene)
    pictures = [glob.glob(os.path.join(place, side + ".p[ngp][gm]"))[0] for side in ("left", "right")]
    truth = read_truth(os.path.join(place, file), scale)
    if "nonocc" in masks:
        truth[cv2.imread(os.path.join(place, masks["nonocc"]), cv2.IMREAD_GRAYSCALE) != 255] = np.inf
    return pictures, largest, truth


def bad1(disparity, truth):
    known = np.isfinite(truth)
    return 100 * np.mean(~(np.abs(disparity[known] - truth[known]) <= 1))


def run(program, scene, method, arguments):
    pictures, largest, truth = scene
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "map.pfm")
        subprocess.run([program, "--headless", "-q", "-f", *pictures, "-m", method, "-d", f"0:{largest}", "--rows", "off",
                        "-o", out, *arguments],
                       check=True, stdout=subprocess.DEVNULL)
        return bad1(read_pfm(out), truth)


def search(program, starts):
    scenes = [load(name) for name in SEARCHED]
    values = {name: start for name, (start, _) in SEARCH.items()}
    values.update((name, float(value)) for name, value in (s.split("=") for s in starts))

    def mean(trial):
        arguments = [word for name, value in trial.items() for word in (f"--{name}", f"{value:g}")]
        return np.mean([run(program, scene, "gfd", [*arguments, "--fill", "row"]) for scene in scenes])

    best = mean(values)
    print(f"{best:.3f}", values, flush=True)
    improved = True
    while improved:
        improved = False
        for name, (_, moves) in SEARCH.items():
            for move in moves:
                while True:
                    trial = dict(values)
                    trial[name] = trial[name] + move if name in WHOLE else trial[name] * move
                    if trial[name] < (name == "rho") or (name == "alpha" and trial[name] > 1):
                        break
                    found = mean(trial)
                    if found >= best - 0.005:
                        break
                    best, values, improved = found, trial, True
                    print(f"{best:.3f}", values, flush=True)


def ncc(scene, rho):
    """bad1 of the correlation of windows of grey values as they are."""
    pictures, largest, truth = scene
    left, right = (cv2.imread(p, cv2.IMREAD_GRAYSCALE).astype(np.float64) for p in pictures)
    size = (2 * rho + 1, 2 * rho + 1)
    total = lambda a: cv2.boxFilter(a, -1, size, normalize=False, borderType=cv2.BORDER_REPLICATE)
    energy = [total(a * a) for a in (left, right)]
    best, winner = np.full(left.shape, -1.0), np.full(left.shape, np.inf)
    for d in range(min(largest, left.shape[1] - 1) + 1):
        moved, moved_energy = (np.pad(a, ((0, 0), (d, 0)), mode="edge")[:, : a.shape[1]] for a in (right, energy[1]))
        score = total(left * moved) / np.sqrt(np.maximum(energy[0] * moved_energy, 1))
        score[:, :d] = -1
        better = score > best
        best[better], winner[better] = score[better], d
    return bad1(winner, truth)


def windows(program):
    print("| window | " + " | ".join(f"{s} {m}" for s in ("Art_third", "cones") for m in ("gfd", "zncc", "ncc", "ssd")) + " |")
    print("|---|" + "---|" * 8)
    for rho in range(1, 13):
        cells = []
        for name in ("Art_third", "cones"):
            scene, plain = load(name), [*PLAIN, "--rho", str(rho)]
            cells += [run(program, scene, "gfd", [*plain, "--lambda", "0", "--aggregate", "0"]),
                      run(program, scene, "zncc", plain), ncc(scene, rho), run(program, scene, "ssd", plain)]
        print(f"| {2 * rho + 1}x{2 * rho + 1} | " + " | ".join(f"{c:.1f}" for c in cells) + " |", flush=True)


def main():
    if len(sys.argv) < 3 or sys.argv[2] not in ("search", "windows"):
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    if sys.argv[2] == "search":
        search(program, sys.argv[3:])
    else:
        windows(program)


main()
