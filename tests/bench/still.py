#!/usr/bin/python3
"""Measures how much the maps of a still scene change from frame to frame, with and without the temporal filter.

    tests/bench/still.py PROGRAM MAKE_DEMO [--data FOLDER] [--frames N] [--table FILE] [-- OPTION...]

Real scenes (see CONTRIBUTING.md) become N frames (12) whose two pictures have noise of their own, a standard deviation
of 3 grey levels, and a gain between 0.99 and 1.01. The demo moves and stays as it is; of it, the change of the error is
measured. Each is matched with '--temporal off' and '--temporal 5', and with the further OPTIONs. Of all pixels, in
percent: changes, those whose disparity moves by more than half a pixel from one frame to the next; blinks, those that
gain or lose it. density, v2 and rms (of the errors up to 2 pixels) are over the pixels with a truth. The maps of the
frames before are those of noise, too. Needs Debian's python3-opencv.
"""
import argparse
import glob
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import accuracy  # noqa: E402

STILL = ("middlebury_2014/Motorcycle_Q", "eth3d/playground", "kitti_2012/000070")
LOOKED_BACK = 4
COLUMNS = ["changes", "blinks", "density", "v2", "rms"]


def write_noise(pictures, folder, frames):
    """Returns the patterns of the names."""
    random = np.random.default_rng(1)
    for side, name in enumerate(pictures):
        picture = cv2.imread(name, cv2.IMREAD_UNCHANGED).astype(np.float32)
        for i in range(frames):
            noisy = picture * random.uniform(0.99, 1.01) + random.normal(0, 3, picture.shape)
            cv2.imwrite(os.path.join(folder, f"{'ab'[side]}_{i:02}.png"), np.clip(np.rint(noisy), 0, 255).astype(np.uint8))
    return [os.path.join(folder, side + "_%02d.png") for side in "ab"]


def measure(options, inputs, largest, truths, temporal, folder):
    """The figures of frames LOOKED_BACK.. by column. `truths`: one for all, or one for each."""
    end = LOOKED_BACK + options.frames
    subprocess.run([options.program, "--headless", "-q", "--threads", "1", *inputs, "-d", f"0:{largest}", "--rows", "off",
                    "--temporal", temporal, "--frames", f"{LOOKED_BACK}:{end}", "-o", os.path.join(folder, "map_%02d.pfm"),
                    *options.arguments], check=True)
    maps = [accuracy.read_pfm(os.path.join(folder, f"map_{i:02}.pfm")) for i in range(LOOKED_BACK, end)]
    moves = len(truths) > 1
    with np.errstate(invalid="ignore"):
        errors = [m - t for m, t in zip(maps, truths if moves else truths * len(maps))]
        judged = errors if moves else maps
        both = list(zip(judged, judged[1:]))
        changes = [np.mean(np.isfinite(b - a) & (np.abs(b - a) > 0.5)) for a, b in both]
        blinks = [np.mean(np.isfinite(a) != np.isfinite(b)) for a, b in both]
        known = [e[np.isfinite(truths[i if moves else 0])] for i, e in enumerate(errors)]
    values = np.abs(np.concatenate([k[np.isfinite(k)] for k in known]))
    right = values[values <= 2]
    return [100 * np.mean(changes), 100 * np.mean(blinks), 100 * len(values) / sum(map(len, known)),
            100 * np.mean(values > 2), np.sqrt(np.mean(right ** 2))]


def scenes_of(options, folder):
    """Name, inputs, largest disparity and truths of each."""
    frames = LOOKED_BACK + options.frames
    for scene, largest, file, scale, _ in accuracy.SCENES:
        place = os.path.join(options.data, scene)
        if scene in STILL and os.path.isdir(place):
            pictures = [glob.glob(os.path.join(place, side + ".p[ngp][gm]"))[0] for side in ("left", "right")]
            yield (scene, write_noise(pictures, folder, frames), largest,
                   [accuracy.read_truth(os.path.join(place, file), scale)])
    pattern = os.path.join(folder, "truth_%02d.pfm")
    subprocess.run([options.make_demo, "--truth", pattern, "--frames", f"{LOOKED_BACK}:{frames}"], check=True,
                   stdout=subprocess.DEVNULL)
    yield ("demo", ["--demo"], 63, [accuracy.read_pfm(pattern % i) for i in range(LOOKED_BACK, frames)])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("make_demo")
    parser.add_argument("--data", default=accuracy.DATA)
    parser.add_argument("--frames", type=int, default=12)
    parser.add_argument("--table", help="a file for the figures as tab-separated values")
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end])
    options.arguments = sys.argv[end + 1:]
    lines = ["\t".join(["scene", "temporal", *COLUMNS])]
    with tempfile.TemporaryDirectory() as folder:
        for scene, inputs, largest, truths in scenes_of(options, folder):
            for temporal in ("off", "5"):
                figures = measure(options, inputs, largest, truths, temporal, folder)
                lines.append("\t".join([scene, temporal, *(f"{figure:.3f}" for figure in figures)]))
                print(lines[-1], flush=True)
    if options.table:
        with open(options.table, "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
