#!/usr/bin/python3
"""Compares rectification with OpenCV's: points to 0.05 pixel, pictures to one grey level at 99.9 % of their pixels.

    tests/support/rectify_opencv.py TEST_RECTIFY FOLDER

TEST_RECTIFY is the program of tests/unit/rig/test_rectify.c; FOLDER is an empty folder for its files. Prints the lines that
tests/run counts. A made-up calibration is always compared, and those of ../shared/data if they are there. This script
reads them with regular expressions of its own, so that the program's reader is checked as well. Needs Debian's
python3-opencv and python3-numpy.
"""
import glob
import os
import re
import subprocess
import sys

import cv2
import numpy as np

DATA = os.path.join("..", "shared", "data")
CALIB = os.path.join(DATA, "calib")
VERSION = tuple(int(n) for n in cv2.__version__.split(".")[:2])
POINTS = 21  # a side of the lattice of points that are compared
OUTSIDE = -(2**31)

MADE_UP = """%YAML:1.0
---
image_width: 320
image_height: 240
M1: !!opencv-matrix {{ rows: 3, cols: 3, dt: d, data: [ 260., 0., 158., 0., 259., 121., 0., 0., 1. ] }}
D1: !!opencv-matrix {{ rows: 1, cols: 5, dt: d, data: [ -0.27, 0.09, 0.0007, -0.0004, -0.01 ] }}
M2: !!opencv-matrix {{ rows: 3, cols: 3, dt: d, data: [ 262., 0., 163., 0., 261., 117., 0., 0., 1. ] }}
D2: !!opencv-matrix {{ rows: 1, cols: 8, dt: d, data: [ -0.1, 0.02, -0.0003, 0.0005, 0.01, 0.12, 0.03, 0.004 ] }}
R: !!opencv-matrix {{ rows: 3, cols: 3, dt: d, data: [ {} ] }}
T: !!opencv-matrix {{ rows: 3, cols: 1, dt: d, data: [ -0.12, 0.003, -0.002 ] }}
"""


class Camera:
    def __init__(self, matrix, distortion):
        self.matrix = matrix
        self.distortion = np.array(distortion)


class Rig:
    """`given`: R and P of each side, where the file has them."""

    def __init__(self, name, files, size, cameras, rotation=None, translation=None, given=None, wide=False, pictures=None):
        self.name, self.files, self.size, self.cameras = name, files, size, cameras
        self.rotation, self.translation, self.given, self.wide = rotation, translation, given, wide
        self.pictures = pictures


# ---- Reading calibration files ----


def numbers(text, key, after=""):
    """The numbers of the first list, or of the nested lists, behind `key`, itself behind `after`."""
    text = text[text.index(after) :]
    found = re.search(re.escape(key) + r":[^\[]*((\s*-?\s*\[[^\]]*\])+)", text)
    return np.array([float(n) for n in re.findall(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?", found.group(1), re.I)])


def square(four):
    fx, fy, cx, cy = four
    return np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]])


def read(path):
    with open(path) as file:
        return file.read()


def opencv_rig(name, size, left, right, *files):
    text = "".join(read(file) for file in files)
    cameras = [Camera(numbers(text, "M" + n).reshape(3, 3), numbers(text, "D" + n)[:12]) for n in "12"]
    pictures = [cv2.imread(path, cv2.IMREAD_GRAYSCALE) for path in (left, right)] if left else None
    return Rig(name, ",".join(files), size, cameras, numbers(text, "R").reshape(3, 3), numbers(text, "T"), pictures=pictures)


def ros_rig(name, size, *files):
    texts = [read(file) for file in files]
    cameras = [Camera(numbers(t, "data", "camera_matrix").reshape(3, 3), numbers(t, "data", "distortion_coeff")) for t in texts]
    given = [
        (numbers(t, "data", "rectification_matrix").reshape(3, 3), numbers(t, "data", "projection_matrix").reshape(3, 4))
        for t in texts
    ]
    return Rig(name, ",".join(files), size, cameras, given=given)


def kalibr_rig(name, size, file):
    text = read(file)
    cameras = [
        Camera(square(numbers(text, "intrinsics", cam)), numbers(text, "distortion_coeffs", cam)) for cam in ("cam0", "cam1")
    ]
    pose = numbers(text, "T_cn_cnm1", "cam1").reshape(4, 4)
    return Rig(name, file, size, cameras, pose[:3, :3], pose[:3, 3], wide=True)


def euroc_rig(name, size, folder):
    files = [os.path.join(folder, "cam%d_sensor.yaml" % i) for i in (0, 1)]
    texts = [read(file) for file in files]
    cameras = [Camera(square(numbers(t, "intrinsics")), numbers(t, "distortion_coefficients")) for t in texts]
    poses = [numbers(t, "data", "T_BS").reshape(4, 4) for t in texts]
    pose = np.linalg.inv(poses[1]) @ poses[0]
    pictures = [cv2.imread(sorted(glob.glob(os.path.join(folder, side, "*.png")))[0], 0) for side in ("left", "right")]
    return Rig(name, ",".join(files), size, cameras, pose[:3, :3], pose[:3, 3], pictures=pictures)


# ---- OpenCV's side ----


def rotations_and_frames(rig, alpha):
    """R and P of both sides; their frame is None where this release of OpenCV has another than ours."""
    if alpha < 0:
        return rig.given
    (left, right), size = rig.cameras, rig.size
    arguments = (left.matrix, left.distortion, right.matrix, right.distortion, size, rig.rotation, rig.translation)
    if rig.wide:
        r1, r2, p1, p2, _ = cv2.fisheye.stereoRectify(*arguments, flags=cv2.CALIB_ZERO_DISPARITY, balance=alpha)
        same = VERSION >= (4, 7)  # earlier ones mix up the axes of pixels that are not square
    else:
        r1, r2, p1, p2, _, _, _ = cv2.stereoRectify(*arguments, flags=cv2.CALIB_ZERO_DISPARITY, alpha=alpha)
        same = VERSION < (4, 7)  # later ones count the edges half a pixel further inside
    return [(r1, p1 if same else None), (r2, p2 if same else None)]


def rectified(points, camera, rotation, frame, wide):
    points = points.reshape(-1, 1, 2)
    if wide:
        return cv2.fisheye.undistortPoints(points, camera.matrix, camera.distortion, R=rotation, P=frame).reshape(-1, 2)
    # Its five steps alone are not enough in the corners.
    until = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 100, 1e-12)
    return cv2.undistortPointsIter(points, camera.matrix, camera.distortion, rotation, frame, until).reshape(-1, 2)


def remapped(picture, camera, rotation, frame, wide):
    """The picture, and where its pixels lie wholly inside of the one that came."""
    height, width = picture.shape
    make = cv2.fisheye.initUndistortRectifyMap if wide else cv2.initUndistortRectifyMap
    x, y = make(camera.matrix, camera.distortion, rotation, frame[:3, :3], (width, height), cv2.CV_32FC1)
    inside = (x >= 0) & (x <= width - 1) & (y >= 0) & (y <= height - 1)
    return cv2.remap(picture, x, y, cv2.INTER_LINEAR), inside


# ---- Comparing ----


def check(what, good, seen):
    print("ok - %s" % what if good else "not ok - %s: %s" % (what, seen), flush=True)
    return good


def noise(size):
    """A picture with detail of a few pixels."""
    picture = np.random.default_rng(1).integers(0, 256, size[::-1]).astype(np.uint8)
    return cv2.GaussianBlur(picture, (0, 0), 1.5)


def compare(rig, alpha, program, folder):
    width, height = rig.size
    name = "%s, %s" % (rig.name, "as the file says" if alpha < 0 else "alpha %g" % alpha)
    pictures = rig.pictures or [noise(rig.size), noise(rig.size)]
    lattice = np.array(
        [(x * (width - 1) / (POINTS - 1), y * (height - 1) / (POINTS - 1)) for y in range(POINTS) for x in range(POINTS)]
    )
    before, after = (os.path.join(folder, file) for file in ("before", "after"))
    with open(before, "wb") as file:
        for picture in pictures:
            file.write(picture.tobytes())
    text = "".join("%d %.17g %.17g\n" % (side, x, y) for side in (0, 1) for x, y in lattice)
    arguments = [program, rig.files, str(width), str(height), str(alpha), before, after]
    result = subprocess.run(arguments, input=text, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        return check(name, False, result.stdout.strip())
    lines = result.stdout.splitlines()
    frames = [square([float(n) for n in line.split()[1:]]) for line in lines[:2]]
    ours = np.array([[np.nan] * 2 if line == "none" else [float(n) for n in line.split()] for line in lines[2:]])
    with open(after, "rb") as file:
        data = file.read()
    good = True
    for side, (rotation, frame) in enumerate(rotations_and_frames(rig, alpha)):
        what = "%s, %s" % (name, ("left", "right")[side])
        camera = rig.cameras[side]
        if frame is None:
            print("skipped - %s: frame: OpenCV %s makes another; the rest is compared in ours" % (what, cv2.__version__))
            frame = np.hstack([frames[side], np.zeros((3, 1))])
        theirs = rectified(lattice, camera, rotation, frame, rig.wide)
        apart = np.abs(ours[side * len(lattice) :][: len(lattice)] - theirs).max(1)
        none = int(np.isnan(apart).sum())
        good &= check(
            "%s: points (largest difference %.1e pixel, %d of %d beyond the lens)" % (what, np.nanmax(apart), none, len(apart)),
            np.nanmax(apart) <= 0.05 and none <= 0.02 * len(apart),
            "more than 0.05 pixel, or too few points",
        )
        start = side * len(data) // 2
        picture = np.frombuffer(data, np.uint8, width * height, start).reshape(height, width)
        shown = np.frombuffer(data, np.int32, 2 * width * height, start + width * height)[::2].reshape(height, width) != OUTSIDE
        theirs, inside = remapped(pictures[side], camera, rotation, frame, rig.wide)
        both = shown & inside
        close = np.abs(picture.astype(int) - theirs)[both] <= 1
        good &= check(
            "%s: picture (%.3f %% within a grey level, %d pixels of theirs not shown)"
            % (what, 100 * close.mean(), (inside & ~shown).sum()),
            close.mean() >= 0.999 and (inside & ~shown).sum() <= 0.001 * inside.sum() and both.any(),
            "less than 99.9 %, or pixels are missing",
        )
    return good


def rigs(folder):
    """Each rig with the alphas that it is compared at."""
    rotation, _ = cv2.Rodrigues(np.array([0.01, -0.02, 0.015]))
    made_up = os.path.join(folder, "made_up.yml")
    with open(made_up, "w") as file:
        file.write(MADE_UP.format(", ".join("%.17g" % n for n in rotation.ravel())))
    yield opencv_rig("made up", (320, 240), None, None, made_up), (0, 0.5, 1)
    if not os.path.isdir(CALIB):
        print("skipped - real calibrations: %s is not there" % CALIB)
        return
    for name, size, left, right in (
        ("opencv_samples_left_right", (640, 480), "left01.jpg", "right01.jpg"),
        ("ximea_chessboard_25", (640, 512), "left01.jpg", "right01.jpg"),
    ):
        here = [os.path.join(CALIB, name, file) for file in (left, right, "intrinsics.yml", "extrinsics.yml")]
        yield opencv_rig(name, size, *here), (0, 1)
    yield euroc_rig("EuRoC", (752, 480), os.path.join(DATA, "seq_euroc_v101_micro")), (0, 1)
    for name, size in (("zed_SN1267", (1280, 720)), ("side_x_side_1280x960", (1280, 960))):
        here = [os.path.join(CALIB, "config_files", name, file) for file in ("left.yaml", "right.yaml")]
        yield ros_rig("ROS " + name, size, *here), (-1,)
    chain = os.path.join(CALIB, "config_files", "side_x_side_1280x960", "2022-12-15-16-50-41-camchain.yaml")
    yield kalibr_rig("Kalibr", (1280, 960), chain), (0, 0.5, 1)


def main():
    program, folder = sys.argv[1:]
    results = [compare(rig, alpha, os.path.abspath(program), folder) for rig, alphas in rigs(folder) for alpha in alphas]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
