"""The Python package on the program's own maps. BUILD is the folder of the program and of libstereoview.so.2, which
LD_LIBRARY_PATH names too; tests/e2e/e2e_python.sh sets both."""
import ctypes
import doctest
import gc
import inspect
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import stereoview

PROGRAM = os.path.join(os.environ["BUILD"], "stereoview")
HEIGHT, WIDTH, SHIFT = 61, 133, 9


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("stereoview")


def write_pgm(path, picture):
    with open(path, "wb") as f:
        f.write(b"P5 %d %d 255\n" % (picture.shape[1], picture.shape[0]) + picture.tobytes())


@pytest.fixture(scope="module")
def pair(folder):
    """Noise with a common part, of which the right picture shows other columns; both are files, too."""
    noise = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH + SHIFT), np.uint8)
    left, right = noise[:, :WIDTH].copy(), noise[:, SHIFT:].copy()
    left[20:40, 30:60] = 90
    write_pgm(folder / "left.pgm", left)
    write_pgm(folder / "right.pgm", right)
    return left, right


def program(folder, output, *arguments):
    """The bytes of the map that the program writes for the pair."""
    path = folder / output
    command = [PROGRAM, "-q", "--headless", "-f", str(folder / "left.pgm"), str(folder / "right.pgm"), "-o", str(path)]
    subprocess.run(command + list(arguments), check=True, stdin=subprocess.DEVNULL)
    return path.read_bytes()


def pfm_of(disparity):
    return b"Pf\n%d %d\n-1.0\n" % (disparity.shape[1], disparity.shape[0]) + disparity[::-1].astype("<f4").tobytes()


def methods():
    """The names of all methods, as --version lists them."""
    version = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout
    return re.search("^Methods: (.*)$", version, re.M)[1].split(", ")


@pytest.mark.parametrize("method", methods())
def test_maps_are_the_programs(folder, pair, method):
    got = stereoview.match(*pair, method=method, disparities=(0, 31))
    assert got.dtype == np.float32 and got.shape == (HEIGHT, WIDTH)
    assert pfm_of(got) == program(folder, "map.pfm", "-m", method, "-d", "0:31")
    assert np.mean(abs(got - SHIFT) < 0.2) > 0.3


def test_parameters_are_the_programs(folder, pair):
    got = stereoview.match(*pair, "sgm", (0, 40), p1=8, median="off", subpixel=False, speckle_range=1.5, scale="1/2")
    assert pfm_of(got) == program(folder, "map.pfm", "-m", "sgm", "-d", "0:40", "--p1", "8", "--median", "off",
                                  "--subpixel", "off", "--speckle-range", "1.5", "--scale", "1/2")
    got = stereoview.match(*pair, "gfd", (0, 20), lambda_=5)
    assert pfm_of(got) == program(folder, "map.pfm", "-m", "gfd", "-d", "0:20", "--lambda", "5")
    got = stereoview.match(*pair, quality="fast", disparities=(0, 20))
    assert pfm_of(got) == program(folder, "map.pfm", "--quality", "fast", "-d", "0:20")


def test_a_matcher_takes_any_size_and_memory(pair):
    left, right = pair
    matcher = stereoview.Matcher(disparities=(0, 31), backend="cpu")
    whole, reasons = matcher.match(left, right, reasons=True)
    assert np.array_equal(np.isinf(whole), ~np.isin(reasons, [stereoview.Reason.VALID, stereoview.Reason.FILLED]))
    part = matcher.match(left[5:45, 10:110], right[5:45, 10:110])  # rows with gaps between them
    assert np.array_equal(part, matcher.match(left[5:45, 10:110].copy(), right[5:45, 10:110].copy()))
    assert np.array_equal(matcher.match(left[:, ::-1], right[:, ::-1]),
                          matcher.match(left[:, ::-1].copy(), right[:, ::-1].copy()))
    out = np.zeros((HEIGHT, 2 * WIDTH), np.float32)[:, :WIDTH], np.zeros((HEIGHT, WIDTH), np.uint8)
    assert matcher.match(left, right, out=out) is out[0]
    assert np.array_equal(out[0], whole) and np.array_equal(out[1], reasons)
    assert matcher.get("max_disparity") == "31" and matcher.get("method") == "sgm" and matcher.backend == "cpu"
    host, device = matcher.memory((HEIGHT, WIDTH))
    assert host > 4 * HEIGHT * WIDTH and device == 0


def test_frames_that_follow_are_averaged():
    random = np.random.default_rng(7)
    scene = random.integers(0, 256, (HEIGHT, WIDTH + 8))
    noisy = [[(scene[:, d:d + WIDTH] + random.integers(-9, 10, (HEIGHT, WIDTH))).clip(0, 255).astype(np.uint8)
              for d in (0, 8)] for _ in range(3)]
    alone = [stereoview.Matcher(disparities=(0, 31)).match(left, right) for right, left in noisy]
    matcher = stereoview.Matcher(disparities=(0, 31), temporal=3)

    def maps(*follows):
        return [matcher.match(left, right, follows=f) for (right, left), f in zip(noisy, follows)]

    first = maps(False, True, True)
    assert np.array_equal(first[0], alone[0]) and not np.array_equal(first[1], alone[1])
    assert not np.array_equal(first[2], maps(False, False, True)[2])
    for a, b in zip(first, maps(False, True, True)):
        assert np.array_equal(a, b)
    assert all(np.array_equal(a, b) for a, b in zip(alone, maps(False, False, False)))


def test_reasons_are_the_librarys():
    lib = stereoview._library.lib
    names = [stereoview._library.text_of(lib.sv_reason_name(i)) for i in range(lib.SV_REASON_COUNT)]
    assert [r.name for r in stereoview.Reason] == [n.upper().replace(" ", "_").replace("-", "_") for n in names]
    assert [int(r) for r in stereoview.Reason] == list(range(len(names)))


def test_a_match_costs_little_more_than_in_c():
    """At most 3 % more processor time at 1242 x 375, in turns with the library's calls alone, into the same memory, with
    the quality that takes the least time. The least of each: a busy machine only adds to it, so it has more turns."""
    lib, ffi, call = stereoview._library.lib, stereoview._library.ffi, stereoview._library.call
    left, right = np.random.default_rng(4).integers(0, 256, (2, 375, 1242), np.uint8)
    matcher = stereoview.Matcher(quality="fast", disparities=(0, 70), threads=1, backend="cpu")
    kept, reasons = matcher.match(left, right, reasons=True)
    pair, output = ffi.new("sv_pair *"), ffi.new("sv_output *")
    pictures = [stereoview._arrays.picture_of("", array, kind) for array, kind in (
        (left, lib.SV_GREY8), (right, lib.SV_GREY8), (kept, lib.SV_FLOAT32), (reasons, lib.SV_REASON8))]
    pair.left, pair.right, output.disparity, output.reason = (picture.image[0] for picture in pictures)

    def in_c():
        call(lib.sv_submit, matcher._matcher, pair, matcher._params, output)
        call(lib.sv_wait, matcher._matcher, ffi.NULL)

    def time_of(match):
        begin = time.process_time()
        match()
        return time.process_time() - begin

    ways = in_c, lambda: matcher.match(left, right, out=(kept, reasons))
    c = python = np.inf
    for _ in range(20):
        c, python = np.min([(c, python)] + [[time_of(way) for way in ways] for _ in range(50)], axis=0)
        if python <= 1.03 * c:
            break
    print(f"{1e3 * c:.2f} ms of the library's calls, {1e3 * python:.2f} ms with Python's")
    assert python <= 1.03 * c


class WithDlpack:
    """An array that can only be had through DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_other_arrays_are_read(pair):
    want = stereoview.match(*pair, disparities=(0, 31))
    assert np.array_equal(stereoview.match(*map(WithDlpack, pair), disparities=(0, 31)), want)
    assert np.array_equal(stereoview.match(*map(memoryview, pair), disparities=(0, 31)), want)
    row = pair[0][0]
    assert stereoview.match(row[None, :], row[None, :], disparities=(0, 3)).shape == (1, WIDTH)
    assert np.array_equal(stereoview.match(*pair, disparities=(0, 31), median=None), want)
    rows = [np.broadcast_to(picture[0], (HEIGHT, WIDTH)) for picture in pair]  # one row in memory
    assert np.array_equal(stereoview.match(*rows, disparities=(0, 31)),
                          stereoview.match(*map(np.array, rows), disparities=(0, 31)))


def test_colour_pictures_are_for_gfd(pair):
    left, right = pair
    rng = np.random.default_rng(2)
    colour = [rng.integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8) for _ in range(2)]
    grey = stereoview.match(left, right, "gfd", (0, 20))
    three = stereoview.match(left, right, "gfd", (0, 20), colour=colour)
    four = [np.dstack([c, np.full((HEIGHT, WIDTH), 255, np.uint8)]) for c in colour]
    assert not np.array_equal(three, grey)
    assert np.array_equal(three, stereoview.match(left, right, "gfd", (0, 20), colour=four))


@pytest.mark.parametrize("message, kind, arguments", [
    ("there is no method 'bm'", ValueError, {"method": "bm"}),
    ("no parameter 'window-size'", ValueError, {"window_size": 5}),
    ("^median cannot be '4'; it takes one of off, 3, 5$", ValueError, {"median": 4}),
    ("^disparities 5:1 is out of range: MIN must be at least", ValueError, {"disparities": (5, 1)}),
    ("^disparities: it takes two whole numbers.*not \\(0, 31.5\\)$", TypeError, {"disparities": (0, 31.5)}),
    ("^disparities: it takes two whole numbers", TypeError, {"disparities": (0, 1, 2)}),
    ("^disparities: it takes two whole numbers", TypeError, {"disparities": 64}),
    ("^median: the value is a list", TypeError, {"median": [3]}),
    ("there is no backend 'tpu'", ValueError, {"backend": "tpu"}),
    ("^backend: it is a NoneType, not a string$", TypeError, {"backend": None}),
    (r"^backend: 'cpu\\x00x' contains a NUL character$", ValueError, {"backend": "cpu\0x"}),
    (r"^median: '5\\x001' contains a NUL character$", ValueError, {"median": "5\0001"}),
    (r"^method: 'ssd\\x00' contains a NUL character$", ValueError, {"method": "ssd\0"}),
    ("^quality: 'best.x00' contains a NUL", ValueError, {"quality": "best\0"}),
    ("^parameter: 'median.x00' contains a NUL", ValueError, {"median\0": 5}),
    ("not 'uint8'; scale them to 0..255 and convert them with astype\\('uint8'\\)$", TypeError,
     {"left": np.zeros((HEIGHT, WIDTH), np.float32)}),
    ("^left: 'left.png' is a file's name, not an array; read the file first", TypeError, {"left": "left.png"}),
    ("^left: it is None, not an array; OpenCV's imread returns None", TypeError, {"left": None}),
    ("not \\(height, width\\); convert it to grey$", ValueError, {"left": np.zeros((HEIGHT, WIDTH, 3), np.uint8)}),
    ("not \\(height, width\\)$", ValueError, {"left": np.zeros(WIDTH, np.uint8)}),
    ("right picture has 133 x 61 pixels", ValueError, {"left": np.zeros((9, 9), np.uint8)}),
    ("has no pixels", ValueError, {"left": np.zeros((0, 0), np.uint8)}),
])
def test_errors_say_what(pair, message, kind, arguments):
    arguments = {"left": pair[0], "right": pair[1], **arguments}
    with pytest.raises(kind, match=message):
        stereoview.match(**arguments)


def test_rows_are_measured_and_corrected():
    rng = np.random.default_rng(5)
    fine = rng.integers(0, 256, (240 // 4 + 3, 400 // 4 + 3)).astype(np.float64)

    def smooth(y, x):  # bilinear between patches of 4 pixels
        i, j = (y // 4).astype(int), (x // 4).astype(int)
        a, b = y / 4 - i, x / 4 - j
        return ((1 - a) * ((1 - b) * fine[i, j] + b * fine[i, j + 1]) +
                a * ((1 - b) * fine[i + 1, j] + b * fine[i + 1, j + 1])).round().astype(np.uint8)
    y, x = np.mgrid[2:238, 0:380].astype(np.float64)
    left, right = smooth(y, x), smooth(y - 0.5, x + 10)  # the right picture lies half a pixel lower
    rows = stereoview.measure_rows([(left, right)], (0, 31))
    assert rows.helps and rows.points > 100
    assert abs(rows.terms[0] - 0.5) < 0.1 and abs(rows.least - 0.5) < 0.15 and abs(rows.most - 0.5) < 0.15
    corrected = stereoview.correct_rows(rows.terms, (380, 236))
    assert (corrected.width, corrected.height, corrected.focal, corrected.metric) == (380, 236, 0, False)
    assert not stereoview.measure_rows([(left, right)], (0, 31), calibration=corrected).helps
    assert np.median(np.abs(stereoview.rectify(left, right, corrected)[1].astype(int) - smooth(y, x + 10))) < 12
    assert repr(corrected) == "<stereoview.Calibration 380 x 236 px, no depth>"
    for wrong in (lambda: corrected.Q, lambda: corrected.depth(np.float32([8]))):
        with pytest.raises(ValueError, match="corrects the rows alone, and gives no depth"):
            wrong()
    with pytest.raises(ValueError, match="there are 5, not 6"):
        stereoview.correct_rows(rows.terms[:5], (380, 236))
    with pytest.raises(ValueError, match="380 x 236"):
        stereoview.correct_rows(rows.terms, (380, 235), corrected)
    with pytest.raises(ValueError, match="at least one pair"):
        stereoview.measure_rows([])


def test_a_rig_is_judged():
    rng = np.random.default_rng(8)
    scene = np.kron(rng.integers(0, 256, (90, 230)), np.ones((4, 4))).astype(np.uint8)
    left = scene[:, 100:660]

    def right(lower=0, ahead=0):  # of a camera that goes ahead: what is a moment later has other disparities
        picture = scene.copy()
        for y in range(0, 360, 8):  # near below, far above
            picture[y:y + 8] = np.roll(scene[y:y + 8], -(8 + y // 12) * (10 + ahead) // 10, 1)
        return np.roll(picture[:, 100:660], lower, 0)

    found = stereoview.check_pairs([(left, right())])
    assert list(found) == ["input", "order", "time", "rows", "calibration", "brightness", "range"]
    assert found["input"].grade == "good" and found["input"].figure > 70
    assert found["rows"].grade == "good" and abs(found["rows"].figure) < 0.1
    assert found["time"] == ("unknown", None, "too little motion to judge the time", None, ())
    assert found["range"].grade == "good"
    found = stereoview.check_pairs([(left, right(5))])["rows"]
    assert (found.grade, found.cure, found.values) == ("bad", "row-shift", (5,)) and abs(found.figure - 5) < 0.3
    assert "5.0" in found.text
    assert stereoview.check_pairs([(left, right(5))], row_shift=5)["rows"].grade == "good"
    found = stereoview.check_pairs([(left, right())], (0, 15))["range"]
    assert (found.grade, found.cure) == ("bad", "widen") and found.values[0] == 0 and 38 <= found.values[1] <= 55
    found = stereoview.check_pairs([(left, right() // 2)], method="ssd")["brightness"]
    assert found.figure > 40
    with pytest.raises(ValueError, match="at least one pair"):
        stereoview.check_pairs([])


def test_a_late_side_is_found():
    rng = np.random.default_rng(7)
    scenes = [np.kron(rng.integers(0, 256, (60, 160)), np.ones((4, 4))).astype(np.uint8) for _ in range(7)]
    for late in -1, 0, 1:  # frames, of the right side
        pairs = [(scenes[i + 1][:, :560], scenes[i + 1 - late][:, 40:600]) for i in range(5)]
        found = stereoview.check_pairs(pairs)["time"]
        assert (found.grade, found.figure) == ("bad" if late else "good", late)
        assert (found.cure, found.values) == (("offset", (late,)) if late else (None, ()))


def test_a_range_is_found():
    rng = np.random.default_rng(6)
    scene = np.kron(rng.integers(0, 256, (60, 160)), np.ones((4, 4))).astype(np.uint8)
    left, right = scene[:, :560], scene[:, 40:600]  # everything has the disparity 40
    least, most = stereoview.find_range([(left, right)])
    assert least == 0 and 44 <= most <= 55
    assert stereoview.find_range([(left, right)] * 2) == (least, most)
    least_negative, _ = stereoview.find_range([(scene[:, 20:580], left)])
    assert -32 <= least_negative <= -24
    flat = np.full_like(left, 90)
    assert stereoview.find_range([(flat, flat)]) is None
    assert stereoview.find_range([(left, np.roll(right, 9, 0))], row_shift=9) == (least, most)
    matcher = stereoview.Matcher("ssd", "auto", backend="cpu")
    matcher.match(flat, flat)  # says nothing
    assert matcher.get("disparities") == "0:63"
    disparity = matcher.match(left, right)
    assert matcher.get("disparities") == f"{least}:{most}"
    assert np.array_equal(disparity, stereoview.match(left, right, "ssd", (least, most), backend="cpu"))
    matcher.match(flat, flat)
    assert matcher.get("disparities") == f"{least}:{most}"
    with pytest.raises(ValueError, match="at least one pair"):
        stereoview.find_range([])
    for wrong in (left, right), [(left,)], [(left, right, left)]:
        with pytest.raises(ValueError, match=r"^pairs: each of them is two pictures, \(left, right\)"):
            stereoview.find_range(wrong)


def test_output_is_where_it_was_asked_for(pair):
    want, reasons = stereoview.match(*pair, disparities=(0, 31), reasons=True)
    disparity, other = np.zeros((HEIGHT, WIDTH), np.float32), np.zeros((HEIGHT, WIDTH), np.uint8)
    assert stereoview.match(*pair, disparities=(0, 31), out=disparity) is disparity
    assert np.array_equal(disparity, want)
    assert stereoview.match(*pair, disparities=(0, 31), out=(disparity, other), reasons=True)[1] is other
    assert np.array_equal(other, reasons)
    with pytest.raises(ValueError, match="out has 1 arrays"):
        stereoview.match(*pair, out=(disparity,))


def test_confidence_is_the_programs(folder, pair):
    cv2 = pytest.importorskip("cv2", reason="python3-opencv is not installed")
    program(folder, "map.confidence.png", "-d", "0:31")
    want = cv2.imread(str(folder / "map.confidence.png"), cv2.IMREAD_UNCHANGED)
    disparity, reasons, confidence = stereoview.match(*pair, disparities=(0, 31), reasons=True, confidence=True)
    assert confidence.dtype == np.uint8 and np.array_equal(confidence, want) and confidence.any()
    assert not confidence[reasons != stereoview.Reason.VALID].any()
    out = np.zeros_like(disparity), np.zeros_like(reasons), np.zeros_like(confidence)
    assert stereoview.match(*pair, disparities=(0, 31), out=out) is out[0]
    assert np.array_equal(out[2], confidence)
    both = stereoview.match(*pair, disparities=(0, 31), out=out[:2], confidence=True)
    assert len(both) == 2 and both[0] is out[0] and np.array_equal(both[1], confidence)


def test_a_matcher_tells_its_values():
    matcher = stereoview.Matcher("gfd", (np.int64(3), 70), lambda_=2.5, threads=np.int64(1), backend="cpu")
    assert matcher.get("lambda") == matcher.get("lambda_") == "2.5"
    assert matcher.get("disparities") == "3:70" and matcher.get("speckle_size") == "off"
    assert {p.name for p in stereoview.parameters()} >= {"lambda", "speckle-size"}
    assert repr(matcher) == "<stereoview.Matcher gfd 3:70, cpu>"
    assert stereoview.Matcher(disparities=np.array([0, 31])).get("disparities") == "0:31"
    long = "/nowhere" * 60 + ".onnx"
    assert stereoview.Matcher("net", model=long, backend="cpu").get("model") == long


def test_a_matcher_ends_before_what_it_borrows(folder, monkeypatch):
    path = folder / "calibration.yml"
    path.write_text(CALIBRATION)
    ended = []

    class Library:
        def __getattr__(self, name):
            function = getattr(lib, name)
            if name not in ("sv_matcher_destroy", "sv_cancel_free", "sv_rectification_unload"):
                return function
            return lambda memory: (ended.append(name), function(memory))

    lib = stereoview.lib
    monkeypatch.setattr(stereoview, "lib", Library())
    for cycle in False, True:
        ended.clear()
        matcher = stereoview.Matcher(calibration=stereoview.load_calibration(path, (WIDTH, HEIGHT)), backend="cpu")
        if cycle:
            matcher.itself = matcher
        del matcher
        gc.collect()
        assert ended[0] == "sv_matcher_destroy" and sorted(ended) == sorted(set(ended)) and len(ended) == 3


def test_output_must_fit(pair):
    read_only = np.zeros((HEIGHT, WIDTH), np.float32)
    read_only.flags.writeable = False
    reasons = np.zeros((HEIGHT, WIDTH), np.uint8)
    for out, message in (read_only, "read-only"), (np.zeros((HEIGHT, WIDTH, 2), np.float32)[..., 0], "dense rows"):
        with pytest.raises(ValueError, match=message):
            stereoview.match(*pair, out=(out, reasons))
    with pytest.raises(TypeError):  # of which NumPy would make a copy
        stereoview.match(*pair, out=(list(np.zeros((HEIGHT, WIDTH), np.float32)), reasons))


CALIBRATION = """%YAML:1.0
M1: !!opencv-matrix { rows: 3, cols: 3, dt: d, data: [106., 0., 66., 0., 106., 30., 0., 0., 1.] }
D1: !!opencv-matrix { rows: 1, cols: 5, dt: d, data: [-0.1, 0.02, 0., 0., 0.] }
M2: !!opencv-matrix { rows: 3, cols: 3, dt: d, data: [106., 0., 66., 0., 106., 30., 0., 0., 1.] }
D2: !!opencv-matrix { rows: 1, cols: 5, dt: d, data: [-0.12, 0.02, 0., 0., 0.] }
R: !!opencv-matrix { rows: 3, cols: 3, dt: d, data: [0.9992, 0., 0.04, 0., 1., 0., -0.04, 0., 0.9992] }
T: !!opencv-matrix { rows: 3, cols: 1, dt: d, data: [-0.1, 0., 0.] }
unit: m
"""


def test_calibrations_are_the_programs(folder, pair):
    path = folder / "calibration.yml"
    path.write_text(CALIBRATION)
    calibration = stereoview.load_calibration(path, (WIDTH, HEIGHT))
    assert calibration.metric and calibration.baseline == pytest.approx(0.1)
    assert re.fullmatch(rf"<stereoview.Calibration {WIDTH} x {HEIGHT} px, focal [0-9.]+ px, baseline 0.1 m>", repr(calibration))
    disparity = stereoview.match(*pair, disparities=(0, 31), calibration=calibration)
    assert pfm_of(disparity) == program(folder, "map.pfm", "-d", "0:31", "--calibration", str(path))
    assert pfm_of(calibration.depth(disparity)) == program(folder, "map.depth.pfm", "-d", "0:31", "--calibration",
                                                           str(path))
    x, y, z, w = calibration.Q @ [WIDTH, 10, 8, 1]
    assert z / w == pytest.approx(calibration.depth(np.float32([8]))[0])
    assert x / w == pytest.approx((WIDTH - calibration.cx) / calibration.focal * z / w)
    # Where rectification leaves no empty pixels, matching before or after it makes no difference.
    zoomed = stereoview.load_calibration(path, (WIDTH, HEIGHT), alpha=0)
    even = stereoview.rectify(*pair, zoomed)
    assert np.all([picture.shape == (HEIGHT, WIDTH) for picture in even])
    raw, reasons = stereoview.match(*pair, "ssd", (0, 31), calibration=zoomed, reasons=True)
    seen = reasons != stereoview.Reason.BORDER
    assert seen.mean() > 0.5 and np.array_equal(raw[seen], stereoview.match(*even, "ssd", (0, 31))[seen])
    with pytest.raises(ValueError, match="the rectification is for 133 x 61"):
        stereoview.rectify(pair[0][1:], pair[1][1:], zoomed)
    with pytest.raises(stereoview.StereoError, match="nowhere.yml"):
        stereoview.load_calibration(folder / "nowhere.yml", (WIDTH, HEIGHT))
    with pytest.raises(ValueError, match="^files: .*calibration.yml.x00.* contains a NUL"):
        stereoview.load_calibration(str(path) + "\0.png", (WIDTH, HEIGHT))
    with pytest.raises(stereoview.StereoError, match="right.yml"):
        stereoview.load_calibration((path, folder / "right.yml"), (WIDTH, HEIGHT))
    for wrong in (lambda: stereoview.rectify(*pair, str(path)), lambda: stereoview.Matcher(calibration=str(path))):
        with pytest.raises(TypeError, match="calibration: it is a str, not what load_calibration returns"):
            wrong()
    with pytest.raises(TypeError, match="size: it takes two whole numbers"):
        stereoview.load_calibration(path, (WIDTH / 2, HEIGHT))


def test_scores():
    truth = np.float32([[1, 2, 3, np.inf], [10, 20, 30, 100]])
    disparity = np.float32([[1, 3.5, np.inf, 7], [10, 20, 33.5, 106]])
    score = stereoview.score(disparity, truth)
    assert score.density == pytest.approx(100 * 6 / 7) and score.bad1 == pytest.approx(100 * 4 / 7)
    assert score.bad2 == pytest.approx(100 * 3 / 7) and score.v1 == pytest.approx(100 * 3 / 6)
    assert score.d1 == pytest.approx(100 * 3 / 7) and score.average == pytest.approx((1.5 + 3.5 + 6) / 6)
    with pytest.raises(ValueError, match=r"\(2, 4\), and that of the truth \(1, 4\)"):
        stereoview.score(disparity, truth[:1])
    with pytest.raises(TypeError, match=r"'>f4', not 'float32'; convert them with astype\('float32'\)"):
        stereoview.score(disparity, truth.astype(">f4"))
    with pytest.raises(ValueError, match="the truth: the array has a mask"):
        stereoview.score(disparity, np.ma.masked_greater(truth, 50))


def test_colours_are_the_programs(folder, pair):
    cv2 = pytest.importorskip("cv2", reason="python3-opencv is not installed")
    disparity = stereoview.match(*pair, disparities=(0, 31))
    program(folder, "map.color.png", "-d", "0:31")
    want = cv2.imread(str(folder / "map.color.png"))[..., ::-1]
    assert np.array_equal(stereoview.colour(disparity, 0, 31), want)
    assert stereoview.colour(disparity, 0, 31).flags.c_contiguous
    with pytest.raises(ValueError, match="no colour map 'jet'"):
        stereoview.colour(disparity, 0, 31, "jet")


@pytest.mark.parametrize("low, high", [(-np.inf, 5), (0, 1e-45), (np.nan, 5), (0, np.inf), (5, 0)])
def test_colours_need_a_range(low, high):
    with pytest.raises(ValueError, match="colours cannot range from .*; choose finite numbers"):
        stereoview.colour(np.zeros((2, 3), np.float32), low, high)
    with pytest.raises(ValueError, match="^map: 'grey.x00' contains a NUL"):
        stereoview.colour(np.zeros((2, 3), np.float32), 0, 5, "grey\0")


def test_the_lock_is_released():
    """While one thread matches, another one runs: it notes a time in the middle half of the match."""
    picture = np.random.default_rng(3).integers(0, 256, (600, 1000), np.uint8)
    matcher = stereoview.Matcher("sgm", (0, 255), threads=1, backend="cpu")
    span = []

    def run():
        span.append(time.monotonic())
        matcher.match(picture, picture)
        span.append(time.monotonic())

    thread, seen = threading.Thread(target=run), []
    thread.start()
    while thread.is_alive():
        seen.append(time.monotonic())
        time.sleep(0.001)
    quarter = (span[1] - span[0]) / 4
    assert any(span[0] + quarter < t < span[1] - quarter for t in seen)


def test_an_interrupt_leaves_no_pair_behind(pair):
    """What follows a match that Ctrl-C ended, on the same matcher, is its own map."""
    large = np.random.default_rng(3).integers(0, 256, (600, 1000), np.uint8)
    matcher = stereoview.Matcher("sgm", (0, 255), threads=1, backend="cpu")
    for _ in range(2):
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            while True:
                matcher.match(large, large)
        timer.join()
    assert np.array_equal(matcher.match(*pair), stereoview.match(*pair, disparities=(0, 255)))


def test_an_interrupt_ends_a_match_soon():
    """Ctrl-C early in a long match: less than half of its work is done, in processor time."""
    large = np.random.default_rng(3).integers(0, 256, (600, 1000), np.uint8)
    matcher = stereoview.Matcher("gfd", (0, 255), threads=1, backend="cpu")
    begin = time.process_time()
    matcher.match(large, large)
    whole = time.process_time() - begin
    timer = threading.Timer(whole / 20, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        begin = time.process_time()
        matcher.match(large, large)
    assert time.process_time() - begin < whole / 2
    timer.join()


def test_matches_until_the_end():
    """While the interpreter ends, when no thread can be started any more."""
    code = ("import atexit, numpy, stereoview; grey = numpy.zeros((2, 3), numpy.uint8); "
            "atexit.register(lambda: print(stereoview.match(grey, grey, disparities=(0, 1), backend='cpu').shape))")
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "(2, 3)\n"


def test_unloading_ends_no_thread():
    """Python unloads the library at its end, while OpenMP's threads may still wait for work."""
    code = ("import numpy, stereoview, time; grey = numpy.zeros((64, 64), numpy.uint8); "
            "stereoview.match(grey, grey, 'ssd', (0, 7), backend='cpu', threads=2); "
            "stereoview._library.ffi.dlclose(stereoview._library.lib); time.sleep(0.1)")
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "OMP_WAIT_POLICY": "active"})


def test_a_forked_process_matches(pair):
    """As the workers of multiprocessing do where it forks: OpenMP's threads are the parent's alone."""
    matcher = stereoview.Matcher(disparities=(0, 15), threads=2, backend="cpu")
    expected = matcher.match(*pair)
    child = os.fork()
    if not child:
        same = False
        try:
            same = np.array_equal(matcher.match(*pair), expected)
            same &= np.array_equal(stereoview.match(*pair, disparities=(0, 15), threads=2, backend="cpu"), expected)
            with pytest.raises(OverflowError):
                stereoview.match(*pair, device=1 << 40)
        finally:
            os._exit(0 if same else 1)
    end = time.monotonic() + 100
    ended, status = 0, 0
    while not ended and time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.01)
    if not ended:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert ended and os.waitstatus_to_exitcode(status) == 0


class OnDevice:
    """An array that says that it is in device memory, but is not: of what is refused before it is read."""

    def __init__(self, array, device=0, stream=None, dlpack=False, **more):
        self.array, self.device = array, device
        if dlpack:
            self.__dlpack_device__ = lambda: (2, device)
        else:
            self.__cuda_array_interface__ = {**array.__array_interface__, "version": 3, "stream": stream, **more}

    def __dlpack__(self, stream=None):
        self.asked = stream
        return self.array.__dlpack__()


def test_device_arrays_are_put_in_order(pair):
    left, right = pair
    out = np.zeros((HEIGHT, WIDTH), np.float32), np.zeros((HEIGHT, WIDTH), np.uint8)
    matcher = stereoview.Matcher(backend="cpu")
    with pytest.raises(ValueError, match=r"different CUDA streams, \[5, 7\]"):
        matcher.match(OnDevice(left, stream=5), OnDevice(right, stream=7), out=out)
    with pytest.raises(ValueError, match="has a mask"):
        matcher.match(OnDevice(left, mask=right), OnDevice(right), out=out)
    with pytest.raises(ValueError, match="is on CUDA device 1, but the matcher is on device 0"):
        matcher.match(OnDevice(left, 1, dlpack=True), OnDevice(right, 1, dlpack=True), out=out)
    picture_of = stereoview._arrays.picture_of
    there = OnDevice(left, 1, dlpack=True)
    for given, asked in (None, 1), (0, 1), (9, 9):
        assert picture_of("left", there, stereoview.lib.SV_GREY8, False, 1, given).on_device and there.asked == asked


def test_help_follows_the_table():
    names = [p.name for p in stereoview.parameters()]
    assert "speckle-size" in names and len(names) > 25
    for function in stereoview.match, stereoview.Matcher:
        signature = inspect.signature(function)
        for name in names:
            name = "lambda_" if name == "lambda" else name.replace("-", "_")
            assert name in signature.parameters and f"\n{name}: " in function.__doc__
    assert stereoview.__version__ in subprocess.run([PROGRAM, "--version"], check=True, capture_output=True,
                                                    text=True).stdout


class DeviceArray:
    """An array in device memory with the CUDA array interface alone."""

    def __init__(self, cudart, host):
        self.cudart, self.host = cudart, host
        self.pointer = ctypes.c_void_p()
        assert cudart.cudaMalloc(ctypes.byref(self.pointer), ctypes.c_size_t(host.nbytes)) == 0
        self.copy(self.pointer, host.ctypes.data, 1)
        self.__cuda_array_interface__ = {"shape": host.shape, "typestr": host.dtype.str, "version": 3,
                                         "data": (self.pointer.value, False), "strides": None}

    def copy(self, to, from_, kind):
        assert self.cudart.cudaMemcpy(to, ctypes.c_void_p(from_) if isinstance(from_, int) else from_,
                                      ctypes.c_size_t(self.host.nbytes), kind) == 0

    def get(self):
        self.copy(ctypes.c_void_p(self.host.ctypes.data), self.pointer, 2)
        return self.host


def test_device_arrays_stay_on_the_device(pair):
    if "cuda" not in stereoview.backends():
        pytest.skip("the cuda backend cannot run")
    try:
        cudart = ctypes.CDLL("libcudart.so")
    except OSError:
        pytest.skip("there is no libcudart.so")
    want, why = stereoview.match(*pair, disparities=(0, 31), backend="cpu", reasons=True)
    arrays = [DeviceArray(cudart, a) for a in (*pair, np.zeros_like(want), np.zeros_like(why))]
    stereoview.match(*arrays[:2], disparities=(0, 31), out=arrays[2:])
    assert np.array_equal(arrays[2].get(), want) and np.array_equal(arrays[3].get(), why)
    with pytest.raises(TypeError, match="pass them as out="):
        stereoview.match(*arrays[:2])
    with pytest.raises(ValueError, match="cpu backend"):
        stereoview.match(*arrays[:2], out=arrays[2:], backend="cpu")


def test_examples_of_the_docstrings(tmp_path, monkeypatch):
    """In the order of the file, with the names that they have in common."""
    monkeypatch.chdir(tmp_path)
    source = os.path.join(os.path.dirname(__file__), "..", "..", "tests", "support", "calibrations")
    for side in "left", "right":
        shutil.copy(os.path.join(source, f"asl_{side}.yaml"), f"{side}.yaml")
    noise = np.random.default_rng(1).integers(0, 256, (480, 764), np.uint8)
    names = {"stereoview": stereoview, "np": np, "left": noise[:, :752].copy(), "right": noise[:, 12:].copy(),
             "truth": np.full((480, 752), 12, np.float32)}
    names["pairs"] = [(names["left"], names["right"])]
    found = doctest.DocTestFinder().find(stereoview, "stereoview")
    examples = [example for part in sorted(found, key=lambda part: part.lineno or 0) for example in part.examples]
    documented = {part.name for part in found if part.examples}
    for name in stereoview.__all__:
        if callable(getattr(stereoview, name)) and not isinstance(getattr(stereoview, name), type):
            assert f"stereoview.{name}" in documented, name
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    assert runner.run(doctest.DocTest(examples, names, "stereoview", None, None, None)).failed == 0


def test_notebook(pair, folder, monkeypatch):
    """Its cells run in their order on the pair of these tests."""
    monkeypatch.chdir(folder)
    path = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "stereo.ipynb")
    with open(path, encoding="utf-8") as file:
        cells = [cell["source"] for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    names = {}
    for cell in cells:
        exec("".join(cell), names)
    values = np.isfinite(names["disparity"])
    assert values.mean() > 0.5 and np.median(names["disparity"][values]) == SHIFT
    assert names["picture"].shape == (HEIGHT, WIDTH, 3)
