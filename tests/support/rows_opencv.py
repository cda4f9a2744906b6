#!/usr/bin/python3
"""How level the rows of pictures are, measured with OpenCV, and what a calibration file changes about it.

    tests/support/rows_opencv.py CALIBRATION LEFT RIGHT...

CALIBRATION is a file of --save-calibration, for the pairs of rectified pictures that follow. Corners of the left
pictures are found in the right ones, first by OpenCV's semi-global matching, then to parts of a pixel by Lucas and
Kanade's method, there and back. Prints the median of |y_right - y_left| before and after rectification. Needs Debian's
python3-opencv."""
import sys

import cv2
import numpy as np


def corners(left, right):
    pictures = [cv2.imread(name, cv2.IMREAD_GRAYSCALE) for name in (left, right)]
    there = cv2.goodFeaturesToTrack(pictures[0], 2000, 0.01, 8)
    columns, rows = np.rint(there[:, 0]).astype(int).T
    disparities = cv2.StereoSGBM_create(0, 128, 5, 200, 800, 1, 63, 10, 100, 2).compute(*pictures)[rows, columns] / 16
    there, disparities = there[disparities > 0], disparities[disparities > 0]
    guess = there - np.stack([disparities, 0 * disparities], 1)[:, None].astype(np.float32)
    how = dict(winSize=(15, 15), maxLevel=0, flags=cv2.OPTFLOW_USE_INITIAL_FLOW, criteria=(3, 50, 1e-3))
    found, seen, _ = cv2.calcOpticalFlowPyrLK(*pictures, there, guess, **how)
    back, seen_back, _ = cv2.calcOpticalFlowPyrLK(*pictures[::-1], found, there.copy(), **how)
    good = (seen[:, 0] == 1) & (seen_back[:, 0] == 1) & (np.abs(back - there).max(axis=(1, 2)) < 0.1)
    return there[good], found[good]


def main():
    file = cv2.FileStorage(sys.argv[1], cv2.FILE_STORAGE_READ)
    rows = []
    for left, right in zip(sys.argv[2::2], sys.argv[3::2]):
        pair = corners(left, right)
        level = [cv2.undistortPoints(points, *(file.getNode(n + side).mat() for n in "MD"),
                                     R=file.getNode("R" + side).mat(), P=file.getNode("P" + side).mat())
                 for points, side in zip(pair, "12")]
        rows.append([np.abs(p[1] - p[0])[:, 0, 1] for p in (pair, level)])
    print("%.3f %.3f" % tuple(np.median(np.concatenate(side)) for side in zip(*rows)))


main()
