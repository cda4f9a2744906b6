#!/usr/bin/python3
"""Opens real pairs as a stranger does, right and spoilt, and checks what the program says and does about it.

    tests/bench/spoilt.py PROGRAM [--data FOLDER] [--two N] [--jobs N] [--table FILE] [SCENE...]

PROGRAM is stereoview; the scenes are in FOLDER (default: ../shared/data), see CONTRIBUTING.md. Each is opened with its
names alone: right, spoilt by each of FAULTS, and by N pairs of them (default: 8 for each scene, others for each, so
that all pairs are tried; -1: all). The cures that the program names (--swap, --offset, --row-shift, -d) are then
applied, until it names none. For each case a line says

    right    every fault was found and cured
    missed   a fault was neither found nor cured, and nothing wrong was said
    WRONG    the program said or changed something that is not so
    map      all was found, but the map is worse than that of the unspoilt pair by more than a quarter and 2 percent;
             of the unspoilt one: worse than without what the program changed, by more than 0.2 percent

with bad2 of the map without any help (-d 0:63 --rows off --swap off), and after the cures: the percentage of the pixels
that are off by more than 2 pixels, or empty, beside the truth, or where there is none beside the unspoilt pair's map.
An unspoilt range must contain the truth's 99.9th percentile, or that of a full search, and be at most twice as wide.
What nobody can know is expected to be called unknown: the time of a still scene. --table writes the lines as
tab-separated values. Needs Debian's python3-opencv.
"""
import argparse
import concurrent.futures
import glob
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

import cv2
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import accuracy  # noqa: E402

# Folders of single pairs without truth: left, right, largest disparity of a full search.
PAIRS = {"kitti_2015_000010": ("left_10.png", "right_10.png"),
         "middlebury_2014_Motorcycle_H": ("left.png", "right.png"),
         "foundationstereo_demo": ("left.png", "right.png")}
# Folder of a sequence: further options, how many frames later a right picture may be to be found (one more must remain
# before it).
SEQUENCES = {"seq_karlsruhe_2010_03_09_0023": ([], 8), "seq_kitti_raw_2011_09_26_0001": ([], 2),
             "seq_euroc_v101_micro": (["--calibration", "{}/cam0_sensor.yaml,{}/cam1_sensor.yaml"], 8)}
CLIPS = {"karlsruhe_sbs_ffv1_gray_lossless.mkv": "sbs", "karlsruhe_sbs_h264.mp4": "sbs",
         "karlsruhe_tb_hevc.mp4": "top-bottom",
         "karlsruhe_sbs_mjpeg422.avi": "sbs", "karlsruhe_sbs_half_vp9.webm": "sbs",
         "karlsruhe_sbs_odd_1001x371_yuv444.mp4": "sbs", "karlsruhe_sbs_truncated60_h264.mkv": "sbs"}
FAULTS = ["swapped", "top-bottom", "half-width", "late 1", "late 2", "late 3", "late 5", "late 8", "rows 0.3", "rows 1",
          "rows 3", "tilt 1", "gain 0.6", "range 0:31"]
LAYOUTS = ("top-bottom", "half-width")
GRADES = ["unknown", "good", "doubtful", "bad"]


class Scene:
    """Its pictures, frame by frame, and what is known of them."""

    def __init__(self, name, lefts, rights, options=(), truth=None, latest=0, full=None):
        self.name, self.lefts, self.rights, self.options = name, lefts, rights, list(options)
        self.truth, self.latest, self.full = truth, latest, full
        self.fair = None  # the report of the unspoilt pair

    def read(self, side, index):
        return cv2.imread((self.lefts, self.rights)[side][index], cv2.IMREAD_COLOR)


def scenes_of(data):
    for scene, _, file, scale, _ in accuracy.SCENES:
        place = os.path.join(data, scene)
        if not os.path.isdir(place):
            continue
        left, right = ([glob.glob(os.path.join(place, side + ".p[ngp][gm]"))[0]] for side in ("left", "right"))
        truth = accuracy.read_truth(os.path.join(place, file), scale)
        height, width = cv2.imread(left[0], 0).shape
        if truth.shape != (height, width):
            half, truth = truth, np.full((height, width), np.inf, np.float32)
            truth[::2, ::2] = half
        yield Scene(scene.split("/")[1], left, right, truth=truth)
    for name, pictures in PAIRS.items():
        left, right = ([os.path.join(data, "pairs_nogt", name, picture)] for picture in pictures)
        if os.path.exists(left[0]):
            yield Scene(name, left, right)
    for name, (options, latest) in SEQUENCES.items():
        place = os.path.join(data, name)
        left, right = (sorted(glob.glob(os.path.join(place, side, "*"))) for side in ("left", "right"))
        if left:
            yield Scene(name, left, right, [option.replace("{}", place) for option in options], latest=latest)


# ---- Spoiling -------------------------------------------------------------------------------------------------------

def row_error(faults, width, height):
    """How much lower the right picture is, in pixels, height x width."""
    off = np.zeros((height, width), np.float32)
    for fault in faults:
        kind, _, value = fault.partition(" ")
        if kind == "rows":
            off += float(value)
        if kind == "tilt":
            off += float(value) * (np.arange(width, dtype=np.float32) / (width - 1) - 0.5)
    return off


def screen(picture):
    """The largest part of the shape of a screen, which views of half the width are made for: its upper left."""
    height, width = picture.shape[:2]
    height, width = min(height, width * 9 // 16), min(width, height * 16 // 9)
    return picture[:height // 2 * 2, :width // 2 * 2]


def spoil_right(picture, faults):
    height, width = picture.shape[:2]
    off = row_error(faults, width, height)
    if off.any():
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        picture = cv2.remap(picture, x, y - off, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    if "gain 0.6" in faults:
        picture = np.floor(0.6 * picture + 0.5).astype(np.uint8)
    return picture


def write(scene, faults, folder):
    """Writes the spoilt pictures; returns the names to open, and the frame to look at."""
    late = sum(int(fault.split()[1]) for fault in faults if fault.startswith("late"))
    count = len(scene.lefts) - late
    joins = [fault for fault in faults if fault in LAYOUTS]
    for i in range(count):
        views = [scene.read(0, i), spoil_right(scene.read(1, i + late), faults)]
        if "half-width" in faults:
            views = [cv2.resize(screen(view), None, fx=0.5, fy=1, interpolation=cv2.INTER_AREA) for view in views]
        if "swapped" in faults:
            views.reverse()
        if joins:
            whole = np.concatenate(views, axis=0 if "top-bottom" in faults else 1)
            cv2.imwrite(os.path.join(folder, f"both_{i:03}.png"), whole, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            continue
        for view, side in zip(views, "ab"):
            cv2.imwrite(os.path.join(folder, f"{side}_{i:03}.png"), view, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    form = "_000.png" if count == 1 else "_%03d.png"
    return [os.path.join(folder, side + form) for side in (("both",) if joins else ("a", "b"))], count // 2


# ---- Running --------------------------------------------------------------------------------------------------------

def run(program, names, options, folder):
    """What one run says: its log, its statistics and its map."""
    stats, output = os.path.join(folder, "stats.json"), os.path.join(folder, "map.pfm")
    command = [program, "--headless", "--threads", "1", *names, *options, "--stats", stats, "-o", output]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        return {"error": done.stderr.strip().splitlines()[-1], "log": done.stderr}
    with open(stats, encoding="utf-8") as f:
        report = json.load(f)
    report.update(log=done.stderr, map=accuracy.read_pfm(output))
    return report


def cures(log, options):
    """The options that the log names, added to those given."""
    options = list(options)
    if "--swap swaps them" in log and "--swap" not in options:
        return [*options, "--swap"]
    for pattern, name in ((r"--offset (-?\d+) pairs", "--offset"), (r"--row-shift (-?\d+)", "--row-shift"),
                          (r"use -d (-?\d+:-?\d+)", "-d")):
        found = re.search(pattern, log)
        if not found:
            continue
        if name in options:
            options[options.index(name) + 1] = found[1]
        else:
            options += [name, found[1]]
    return options


def largest_in(scene, disparities):
    """The largest disparity that a range has to contain, without a few errors and without the near post of 000070."""
    return float(np.percentile(disparities[np.isfinite(disparities)], 99 if scene.name == "000070" else 99.9))


def bad2(disparity, truth):
    known = np.isfinite(truth)
    if disparity.shape != truth.shape or not known.any():
        return float("nan")
    with np.errstate(invalid="ignore"):
        return 100 - 100 * np.mean(np.abs(disparity[known] - truth[known]) <= 2)


# ---- Judging --------------------------------------------------------------------------------------------------------

def terms_to_rows(report, width, height):
    u, v = (2 * np.arange(width) + 1) / width - 1, ((2 * np.arange(height) + 1) / height - 1)[:, None]
    t = [report[f"row_correction_{i}"] for i in range(6)]
    return t[0] + t[1] * u + t[2] * v + t[3] * u * v + t[4] * v * v + t[5] * u * u


def judge(scene, faults, reports, largest):
    """The sentence about a case, and what was wrong or missed."""
    wrong, missed = [], []
    log = "".join(report["log"] for report in reports)
    last = reports[-1]
    grade = {item: [GRADES[int(report[f"rig_{item}_grade"] or 0)] for report in reports]
             for item in ("input", "order", "time", "rows", "range")}
    # Layout
    joins = [fault for fault in faults if fault in LAYOUTS]
    expected = {(): None, ("top-bottom",): "top-bottom", ("half-width",): "sbs-half",
                ("top-bottom", "half-width"): None}[tuple(joins)]
    found = re.search(r"layout ((?:sbs|top-bottom)(?:-half)?)", log)
    found = found and found[1]
    if expected and found != expected:
        return ([f"layout {found}"], []) if found else ([], ["layout"])
    # Order
    swapped = bool(re.search("were swapped|right view first", log))
    asks, claims = "may be swapped" in log, "seem to be swapped" in log
    if "swapped" in faults:
        if not (swapped or claims or asks):
            missed.append("swapped")
    elif swapped or claims:
        wrong.append("swapped")
    # Time
    late = sum(int(fault.split()[1]) for fault in faults if fault.startswith("late"))
    said = [report["rig_time"] for report, of in zip(reports, grade["time"]) if of in ("good", "bad")]
    if "swapped" in faults and late:
        expected = {-late, late}  # where the order is not changed, left is late
    else:
        expected = {-late}
    if len(scene.lefts) == 1 or joins:
        if said and not (len(scene.lefts) > 1 and set(said) == {0}):
            wrong.append(f"time {said[0]:g}")
    elif late and late <= scene.latest:
        if not said or abs(said[0]) != late:
            (wrong if said else missed).append("late")
        elif said[0] not in expected:
            wrong.append(f"time {said[0]:g}")
    elif said and said[0] not in expected:
        wrong.append(f"time {said[0]:g}")
    if "swapped" in missed:  # what else is said is of the sides as they are
        return wrong, missed
    if late > scene.latest:  # too few frames around it: the rest is of pictures that do not go together
        return wrong, missed
    # Rows
    shift = re.findall(r"--row-shift (-?\d+)", " ".join(last["options"]))
    if scene.fair and not scene.options:
        height, width = scene.fair["map"].shape
        off, base = row_error(faults, width, height), terms_to_rows(scene.fair, width, height)
        if "half-width" in faults:
            off, base = screen(off), screen(base)
        height, width = off.shape
        left = off + base - terms_to_rows(last, width, height) - (int(shift[-1]) if shift else 0)
        rest = float(np.sqrt(np.mean(left ** 2)))
        change = float(np.sqrt(np.mean((off - left) ** 2)))
        if rest > 0.35 and not late:
            worse = change > 0.35 and rest > np.sqrt(np.mean((off + base) ** 2))
            (wrong if worse else missed).append(f"rows {rest:.2f}")
    if "bad" in grade["rows"] and not any(fault.startswith(("rows", "tilt")) for fault in faults):
        wrong.append("rows are bad")
    # Brightness
    darker = last["rig_brightness"] or 0
    usual = (scene.fair["rig_brightness"] or 0) if scene.fair else 0
    expected = 100 - (100 - usual) * 0.6 if "gain 0.6" in faults else usual
    if scene.fair and abs(darker - expected) > 6 and not (swapped != ("swapped" in faults) or claims):
        (missed if "gain 0.6" in faults else wrong).append(f"brightness {darker:.0f}")
    # Range; the post of 000070 may be left out
    least = largest / 2 if "half-width" in faults and "sbs-half" not in log else largest
    if last["max_disparity"] < (least - 1 if faults else np.floor(least)):
        (missed if "range 0:31" in faults else wrong).append(f"range {last['max_disparity']:g}")
    chosen = "range 0:31" in faults and last["max_disparity"] == 31
    if last["max_disparity"] - last["min_disparity"] + 1 > 2 * (largest + 1) and not chosen:
        wrong.append(f"range {last['min_disparity']:g}:{last['max_disparity']:g}")
    if "bad" in grade["input"]:
        wrong.append("input")
    return wrong, missed


def try_case(program, scene, faults, quick=False):
    with tempfile.TemporaryDirectory() as folder:
        names, frame = write(scene, faults, folder)
        frames = ["--frames", f"{frame}:{frame + 1}"] if len(scene.lefts) > 1 else []
        chosen = ["-d", "0:31"] if "range 0:31" in faults else []
        plain = [*scene.options, *frames]
        truth = scene.truth if scene.truth is not None else scene.fair and scene.fair["maps"].get(frame)
        largest = scene.largest
        if "half-width" in faults and truth is not None:
            truth = screen(truth)
            largest = min(largest, largest_in(scene, truth))
        unhelped = [*plain, *(chosen or ["-d", "0:63"]), "--rows", "off", "--swap", "off"]
        before = {} if quick else run(program, names, unhelped, folder)
        options, reports = [*plain, *chosen], []
        for _ in range(4):
            report = run(program, names, options, folder)
            if "error" in report:
                return {"verdict": "WRONG", "why": report["error"], "log": report["log"]}
            reports.append(dict(report, options=options))
            following = cures(report["log"], options)
            if following == options:
                break
            options = following
        last = reports[-1]
        found = f"{last['min_disparity']:g}:{last['max_disparity']:g}"
        unchanged = {} if faults else run(program, names, [*plain, "-d", found, "--rows", "off", "--swap", "off"], folder)
    wrong, missed = judge(scene, faults, reports, largest)
    result = {"log": "--\n".join(report["log"] for report in reports), "cures": options[len(plain):], "report": last}
    result["before"] = bad2(before["map"], truth) if "map" in before and truth is not None else float("nan")
    result["after"] = bad2(last["map"], truth) if truth is not None else float("nan")
    result["frame"] = frame
    if not scene.fair:
        harmed = scene.truth is not None and result["after"] > bad2(unchanged["map"], truth) + 0.2
        result["verdict"] = "WRONG" if wrong else "missed" if missed else "map" if harmed else "right"
    else:
        usual = scene.fair["after"] if scene.truth is not None else 0
        allowed = max(1.25 * usual, usual + 2) if scene.truth is not None else 15
        if "half-width" in faults:
            allowed += 10  # half of the columns
        if missed == ["late"] and result["after"] <= 5:  # nothing moved: its time cannot be known
            missed = []
        known = not any(fault.startswith("late") and int(fault.split()[1]) > scene.latest for fault in faults)
        bad_map = known and result["after"] > allowed
        result["verdict"] = "WRONG" if wrong else "missed" if missed else "map" if bad_map else "right"
    result["why"] = ", ".join(wrong + missed)
    return result


def combine(a, b):
    """True if both faults can be there at once, and can both be known."""
    kinds = {a.split()[0], b.split()[0]}
    if len(kinds) == 1 or kinds == {"rows", "tilt"}:
        return False
    # Parts of one picture are of one moment.
    return not ("late" in kinds and kinds & set(LAYOUTS)) and kinds != set(LAYOUTS)


def cases_of(scene, two, turn, only_two):
    faults = [f for f in FAULTS if len(scene.lefts) > 1 or not f.startswith("late")]
    if len(scene.lefts) > 1:
        faults = [f for f in faults if not f.startswith("late") or int(f.split()[1]) < len(scene.lefts) // 2]
    if scene.options:  # a calibration is that of two files
        faults = [f for f in faults if f not in LAYOUTS and f != "swapped"]
    pairs = [pair for pair in itertools.combinations(faults, 2) if combine(*pair)]
    if two >= 0:
        pairs = [pairs[(turn * 7 + 5 * i) % len(pairs)] for i in range(min(two, len(pairs)))]
    return ([] if only_two else [(fault,) for fault in faults]) + sorted(set(pairs))


TABLE = ["scene", "fault", "verdict", "why", "layout", "sides", "cures", "input_percent", "frames_late", "rows_px",
         "row_correction_px", "darker_percent", "disparities", "bad2_before", "bad2_after"]


def row_of(scene, faults, r):
    """What the program said of a case and did about it, by the columns of TABLE."""
    state, log = r.get("report", {}), r.get("log", "")
    layout = re.search(r"layout ((?:sbs|top-bottom)(?:-half)?)", log)
    swapped = ("exchanged" if re.search("were swapped|right view first", log) else "claimed" if "seem to be" in log
               else "asked" if "may be swapped" in log else "")
    figure = lambda name: "" if state.get(name) is None else f"{state[name]:.4g}"
    known = lambda value: "" if value is None or np.isnan(value) else f"{value:.2f}"
    size = np.sqrt(sum(state.get(f"row_correction_{i}", 0) ** 2 for i in range(6)))
    return dict(zip(TABLE, [
        scene, " and ".join(faults) or "as it is", r["verdict"], r["why"], layout[1] if layout else "", swapped,
        " ".join(r.get("cures", [])), figure("rig_input"), figure("rig_time"), figure("rig_rows"), f"{size:.2f}",
        figure("rig_brightness"), f"{figure('min_disparity')}:{figure('max_disparity')}", known(r.get("before")),
        known(r.get("after"))]))


def show(row):
    said = " ".join(row[column] for column in ("layout", "sides", "cures") if row[column])
    print(f"{row['verdict']:7} {row['scene']:30} {row['fault']:28} bad2 {row['bad2_before'] or '-':>6} -> "
          f"{row['bad2_after'] or '-':>6}  -d {row['disparities']}  {said}  {row['why']}", flush=True)


def largest_of(program, scene, frame):
    """The truth's largest disparity, or the 99.9th percentile of a full search."""
    if scene.truth is not None:
        return largest_in(scene, scene.truth)
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, side) for side in ("left.png", "right.png")]
        for side in range(2):
            cv2.imwrite(names[side], scene.read(side, frame))
        width = scene.read(0, frame).shape[1]
        report = run(program, names, [*scene.options, "-d", f"0:{min(255, width // 3)}", "--left-right-check", "1",
                                      "--speckle-size", "400", "--holes", "off"], folder)
        return largest_in(scene, report["map"])


def try_scene(options, pool, scene, turn):
    """Yields faults and result of each case, the unspoilt one first."""
    scene.largest = largest_of(options.program, scene, len(scene.lefts) // 2)
    fair = try_case(options.program, scene, ())
    if "report" not in fair:
        yield (), fair
        return
    scene.fair = dict(fair["report"], after=fair["after"], maps={})
    cases = cases_of(scene, options.two, turn, options.only_two)
    if scene.truth is None:  # maps of the frames that the spoilt ones look at
        for late in {sum(int(f.split()[1]) for f in faults if f.startswith("late")) for faults in [(), *cases]}:
            frame = (len(scene.lefts) - late) // 2
            if frame not in scene.fair["maps"]:
                names = [side[0] if len(side) == 1 else os.path.dirname(side[0])
                         for side in (scene.lefts, scene.rights)]
                some = ["--frames", f"{frame}:{frame + 1}"] if len(scene.lefts) > 1 else []
                with tempfile.TemporaryDirectory() as folder:
                    scene.fair["maps"][frame] = run(options.program, names, [*scene.options, *some], folder)["map"]
        fair["after"] = 0
    yield (), fair
    work = [(faults, pool.submit(try_case, options.program, scene, faults, options.quick)) for faults in cases]
    for faults, result in work:
        yield faults, result.result()


def try_clips(options):
    """The clips that hold both views, which have the names of their layouts."""
    for clip, layout in CLIPS.items():
        path = os.path.join(options.data, "video_derived_sbs", clip)
        if not os.path.exists(path):
            continue
        with tempfile.TemporaryDirectory() as folder:
            r = run(options.program, [path], ["--frames", "2:3"], folder)
        found = re.search(r"layout ([a-z-]+)(, the right view first)?", r["log"])
        claims = re.search("seem to be swapped|pairs matching frames|do not match", r["log"])
        right = found and found[1] == layout and not found[2] and not claims
        yield clip, {"verdict": "right" if right else "WRONG", "why": "" if right else r["log"], "report": r}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--data", default=accuracy.DATA)
    parser.add_argument("--two", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only-two", action="store_true", help="leave single faults out")
    parser.add_argument("--quick", action="store_true", help="leave the maps without help out")
    parser.add_argument("--table", help="a file for the cases as tab-separated values")
    parser.add_argument("--logs", help="a folder for the logs of all cases that are not right")
    options = parser.parse_intermixed_args()
    table = open(options.table, "w", encoding="utf-8") if options.table else None

    def write_row(values):
        if table:
            print(*values, sep="\t", file=table, flush=True)

    write_row(TABLE)
    count = dict.fromkeys(("right", "missed", "WRONG", "map"), 0)

    def take(scene, faults, result):
        count[result["verdict"]] += 1
        row = row_of(scene, faults, result)
        show(row)
        write_row(row.values())
        if options.logs and result["verdict"] != "right":
            os.makedirs(options.logs, exist_ok=True)
            with open(os.path.join(options.logs, f"{scene} {' and '.join(faults)}.txt"), "w", encoding="utf-8") as f:
                f.write(result.get("log", result["why"]))

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for turn, scene in enumerate(reversed(list(scenes_of(options.data)))):  # those with most faults first
            if not options.scenes or scene.name in options.scenes:
                for faults, result in try_scene(options, pool, scene, turn):
                    take(scene.name, faults, result)
    if not options.scenes or "clips" in options.scenes:
        for clip, result in try_clips(options):
            take(clip, (), result)
    total = sum(count.values())
    print(", ".join(f"{verdict} {n}" for verdict, n in count.items()) +
          f" of {total}: {100 * count['right'] / max(total, 1):.1f} % right")


if __name__ == "__main__":
    main()
