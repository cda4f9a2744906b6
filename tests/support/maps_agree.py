#!/usr/bin/python3
"""Reads the files of one map with OpenCV and plain Python, and checks that they hold the same disparities.

    tests/support/maps_agree.py STEM [FOCAL BASELINE CX CY]

STEM.pfm, STEM.png (KITTI), STEM.color.png and STEM.ply must exist, and with the four numbers also STEM.depth.png
(millimetres). STEM.confidence.png must exist if the points have a confidence. BASELINE is in metres, the other numbers
are in pixels."""
import sys

import cv2
import numpy as np


def read_pfm(path):
    with open(path, "rb") as stream:
        assert stream.readline() == b"Pf\n"
        width, height = map(int, stream.readline().split())
        assert float(stream.readline()) == -1
        return np.frombuffer(stream.read(), "<f4").reshape(height, width)[::-1]


def read_ply(path):
    with open(path, "rb") as stream:
        header = ""
        while not header.endswith("end_header\n"):
            header += stream.readline().decode()
        kinds = {"float": "<f4", "uchar": "u1"}
        columns = [line.split()[1:] for line in header.splitlines() if line.startswith("property")]
        points = np.frombuffer(stream.read(), [(name, kinds[kind]) for kind, name in columns])
    assert f"element vertex {len(points)}\n" in header
    return header, points


def main():
    stem = sys.argv[1]
    disparity = read_pfm(stem + ".pfm")
    known = np.isfinite(disparity)
    assert known.mean() > 0.3, f"only {known.mean():.0%} of the pixels have a value"
    assert np.array_equal(cv2.imread(stem + ".pfm", cv2.IMREAD_UNCHANGED)[known], disparity[known]), "OpenCV's PFM"

    kitti = cv2.imread(stem + ".png", cv2.IMREAD_UNCHANGED)
    assert kitti.dtype == np.uint16 and kitti.shape == disparity.shape
    held = known & (disparity * 256 >= 0.5)
    assert np.array_equal(kitti > 0, held), "the pixels with a value differ"
    assert np.abs(kitti[held] / 256 - disparity[held]).max() <= 0.5 / 256, "KITTI's PNG and the PFM differ"

    colour = cv2.imread(stem + ".color.png", cv2.IMREAD_UNCHANGED)
    assert colour.shape == disparity.shape + (3,) and colour.dtype == np.uint8
    # Pixels of one colour have nearly one disparity.
    _, which = np.unique(colour[known], axis=0, return_inverse=True)
    which = which.ravel()
    least, most = np.full(which.max() + 1, np.inf), np.full(which.max() + 1, -np.inf)
    np.minimum.at(least, which, disparity[known])
    np.maximum.at(most, which, disparity[known])
    assert len(least) > 5 and (most - least).max() < 1, "the colours and the PFM differ"

    calibrated = len(sys.argv) > 2
    height, width = disparity.shape
    focal, baseline, cx, cy = width / 2 / np.tan(np.pi / 6), 1, (width - 1) / 2, (height - 1) / 2
    if calibrated:
        focal, baseline, cx, cy = map(float, sys.argv[2:])
        depth = cv2.imread(stem + ".depth.png", cv2.IMREAD_UNCHANGED)
        millimetres = 1000 * focal * baseline / disparity[held]
        fits = millimetres < 65535
        error = np.abs(depth[held][fits] - millimetres[fits])
        assert depth.dtype == np.uint16 and (error <= 0.51 + 1e-4 * millimetres[fits]).all(), "depth and disparity"

    header, points = read_ply(stem + ".ply")
    assert ("metres" in header) == calibrated and ("assumed" in header) != calibrated, header
    ahead = known & (disparity > 0)
    assert len(points) == ahead.sum(), f"{len(points)} points of {ahead.sum()} pixels"
    y, x = np.nonzero(ahead)
    z = focal * baseline / disparity[ahead]
    for name, expected in (("z", z), ("x", (x - cx) / focal * z), ("y", (y - cy) / focal * z)):
        assert np.allclose(points[name], expected, rtol=1e-4, atol=1e-4 * z), f"{name} of the points and the PFM differ"
    grey = points["red"] * 0.299 + points["green"] * 0.587 + points["blue"] * 0.114
    assert grey.std() > 10, "the points have no colour"
    if "confidence" in points.dtype.names:
        confidence = cv2.imread(stem + ".confidence.png", cv2.IMREAD_UNCHANGED)
        assert confidence.dtype == np.uint8 and confidence.shape == disparity.shape
        assert np.array_equal(points["confidence"], confidence[ahead]), "the confidence of the points and the PNG differ"
        assert not confidence[~known].any(), "there is confidence where there is no disparity"
        assert confidence[known].std() > 5, "all matches are equally sure"


main()
