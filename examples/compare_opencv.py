#!/usr/bin/python3
"""OpenCV's StereoBM and StereoSGBM beside stereoview, on your own rectified pictures.

    compare_opencv.py LEFT RIGHT [--disparities MIN:MAX] [--truth FILE.pfm]

Prints for each matcher the share of pixels with a disparity; of those with one in both maps, the share that agree
within a pixel; the time of the fastest of three runs on one thread; and, with --truth, the share of pixels that are
wrong by more than two pixels or have no disparity. The parameters are those that OPENCV.md sets beside each other.
Needs python3-opencv and python3-stereoview.
"""
import argparse
import time

import cv2
import numpy as np

import stereoview


def of_opencv(matcher):
    """OpenCV's 16ths of a pixel, below the smallest disparity where there is none, as pixels and infinity."""
    def match(left, right):
        fixed = matcher.compute(left, right)
        return np.where(fixed < 16 * matcher.getMinDisparity(), np.inf, fixed / np.float32(16)).astype(np.float32)
    return match


def contenders(low, high):
    count = -(-(high - low + 1) // 16) * 16  # OpenCV searches multiples of 16
    bm = cv2.StereoBM_create(count, 11)
    bm.setMinDisparity(low)
    bm.setTextureThreshold(0)
    bm.setUniquenessRatio(0)
    sgbm = [cv2.StereoSGBM_create(low, count, 5, P1=8 * 25, P2=32 * 25, disp12MaxDiff=1, mode=mode)
            for mode in (cv2.STEREO_SGBM_MODE_HH4, cv2.STEREO_SGBM_MODE_HH)]
    ours = {"speckle_size": "off", "disparities": (low, high), "threads": 1, "backend": "cpu"}
    sgm = {"method": "sgm", "left_right_check": 1, "holes": "off", **ours}
    return [
        ("OpenCV StereoBM 11x11", of_opencv(bm),
         "ssd, rho 5", stereoview.Matcher("ssd", rho=5, left_right_check="off", median="off", **ours).match),
        ("OpenCV SGBM 5x5, HH4", of_opencv(sgbm[0]), "sgm", stereoview.Matcher(**sgm).match),
        ("OpenCV SGBM 5x5, HH", of_opencv(sgbm[1]), "sgm", stereoview.Matcher(**sgm).match),
    ]


def timed(match, left, right):
    times = []
    for _ in range(3):
        start = time.perf_counter()
        disparity = match(left, right)
        times.append(1e3 * (time.perf_counter() - start))
    return disparity, min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("left")
    parser.add_argument("right")
    parser.add_argument("--disparities", default="0:63")
    parser.add_argument("--truth")
    options = parser.parse_args()
    left, right = (cv2.imread(name, cv2.IMREAD_GRAYSCALE) for name in (options.left, options.right))
    if left is None or right is None:
        parser.error(f"cannot read {options.left if left is None else options.right}")
    truth = cv2.imread(options.truth, cv2.IMREAD_UNCHANGED) if options.truth else None
    cv2.setNumThreads(1)
    print(f"{'':24}{'density':>9}{'agree':>9}{'ms':>9}" + ("" if truth is None else f"{'bad2':>9}"))
    for name, theirs, our_name, ours in contenders(*map(int, options.disparities.split(":"))):
        maps = [timed(match, left, right) for match in (theirs, ours)]
        both = np.isfinite(maps[0][0]) & np.isfinite(maps[1][0])
        agree = 100 * np.mean(abs(maps[0][0][both] - maps[1][0][both]) <= 1) if both.any() else np.nan
        for who, (disparity, ms) in zip((name, our_name), maps):
            row = f"{who:24}{100 * np.isfinite(disparity).mean():8.1f}%{agree:8.1f}%{ms:9.1f}"
            print(row if truth is None else f"{row}{stereoview.score(disparity, truth).bad2:8.1f}%")


if __name__ == "__main__":
    main()
