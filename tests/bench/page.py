#!/usr/bin/python3
"""Writes every table and plot of measurements in README.md, BENCHMARKS.md and docs/benchmark-tables.md, from benchmarks/*.tsv.

    tests/bench/page.py                       writes them
    tests/bench/page.py --measured FILE...    first notes in benchmarks/measured.tsv that these files were measured today, at this commit
    tests/bench/page.py --check               fails, with the difference, if the pages are not those of the measurements
    tests/bench/page.py --print [FILE...]     prints the tables, of other measurements if they are named

benchmarks/README.md says which program writes which file, and what the columns are.
"""
import csv
import datetime
import difflib
import glob
import os
import re
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plot_scaling

PAGES, PLOT = ("README.md", "BENCHMARKS.md", "docs/benchmark-tables.md"), "assets/scaling.svg"
MEASUREMENTS, MEASURED = "benchmarks/*.tsv", "benchmarks/measured.tsv"
METHODS = ["ssd", "ncc", "zncc", "gfd", "sgm"]


def table(head, rows):
    """A Markdown table, or None without rows."""
    if not rows:
        return None
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]) + "\n"


def ms(value):
    value = float(value)
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def size(row):
    return f"{row['width']}x{row['height']}"


def candidates(row):
    return int(row["max"]) - int(row["min"]) + 1


# ---- Accuracy ----


def scores(rows, run, what, region, gain="1", gamma="1", scenes=None):
    """The means of a run over the real scenes, {} if there are none."""
    chosen = [r for r in rows if "region" in r and (r["run"], r["what"], r["region"], r["gain"], r["gamma"]) == (run, what, region, gain, gamma)
              and not r["scene"].startswith("demo") and r["scene"].startswith(scenes or "")]
    return {c: statistics.mean(float(r[c]) for r in chosen) for c in ("density", "v1", "v2", "bad1", "bad2", "area")
            if chosen and all(r[c] for r in chosen)}


def show(figures, *columns):
    """Figures with two decimals, joined; empty where there are none."""
    return " / ".join(f"{figures[c]:.3f}" if c == "area" else f"{figures[c]:.2f}" for c in columns) if figures else ""


def accuracy(rows):
    out = []
    for run, names in (("defaults", METHODS), ("opencv", sorted({r["what"] for r in rows if r.get("run") == "opencv"}))):
        for name in names:
            means = {region: scores(rows, run, name, region) for region in ("all", "nonocc", "disc")}
            if not means["all"]:
                continue
            ours = run == "defaults"
            filled = [show(scores(rows, fill, name, "all"), "bad2") if ours else "" for fill in ("fill row", "fill surface", "rows auto")]
            out.append([f"`{name}`" if ours else f"OpenCV {name}", show(means["all"], "density", "v2"), show(means["all"], "bad2"),
                        show(means["nonocc"], "density", "v2"), show(means["disc"], "v2"), *filled,
                        show(scores(rows, "confidence", name, "all"), "area") if ours else ""])
    return table(["", "all: density / v2", "bad2", "nonocc: density / v2", "disc: v2", "`--fill row`: bad2", "`--fill surface`: bad2",
                  "`--rows auto`: bad2", "confidence"], out)


def qualities(rows):
    out = []
    for name in ("fast", "balanced", "best", "sgm, scale 1/4"):
        if not scores(rows, "qualities", name, "all"):
            continue
        cells = [f"`{name}`" if "," not in name else "`-m sgm --scale 1/4`", show(scores(rows, "qualities", name, "all"), "density", "bad2"),
                 show(scores(rows, "qualities", name, "nonocc"), "density", "v2")]
        for fill in ("row", "surface", "cross"):
            cells.append(show(scores(rows, "qualities", f"{name}, {fill}", "all"), "bad2"))
            if fill != "cross":
                cells[-1] += "; " + show(scores(rows, "qualities", f"{name}, {fill}", "nonocc"), "bad2") if cells[-1] else ""
        out.append(cells)
    return table(["", "all: density / bad2", "nonocc: density / v2", "`--fill row`: bad2 all; nonocc", "`--fill surface`: bad2 all; nonocc",
                  "`--fill cross`: bad2 all"], out)


def scenes(rows):
    """bad2 over all, of each scene."""
    found = [r for r in rows if "region" in r and r["region"] == "all" and r["run"] in ("defaults", "opencv")]
    names = list(dict.fromkeys(r["what"] for r in found))
    of = {(r["scene"], r["what"]): r["bad2"] for r in found}
    return table(["bad2, all", *(f"`{n}`" if n in METHODS else n for n in names)],
                 [[scene, *(of.get((scene, n), "") for n in names)] for scene in dict.fromkeys(scene for scene, _ in of)])


def exposure(rows):
    return table(["bad2, all", "as it is", "gain 0.6", "gamma 1.4"],
                 [[f"`{name}`" if name in METHODS else "`gfd --prefilter none`",
                   *(show(scores(rows, "exposure", name, "all", *light), "bad2") for light in (("1", "1"), ("0.6", "1"), ("1", "1.4")))]
                  for name in ("sgm", "ssd", "gfd", "gfd, no prefilter") if scores(rows, "exposure", name, "all")])


# ---- Speed ----


PEERS = (("sgm", "OpenCV SGBM 5x5, 3WAY"), ("ssd 11x11, left map", "OpenCV StereoBM 11x11"))


def opencv_times(rows):
    return {(size(r), r["instructions"], int(r["threads"]), r["contender"]): r for r in rows if r.get("set") == "opencv"}


def opencv(rows):
    """Ours beside OpenCV's by the number of threads, and how many times as fast as with one."""
    times = opencv_times(rows)
    both = lambda row: f"{ms(row['ms'])} ({ms(row['p95_ms'])})"
    out = []
    for at in sorted({key[:3] for key in times}):
        cells = [", ".join(filter(None, (at[0], str(at[2]), at[1].upper())))]
        for ours, theirs in PEERS:
            cells += [both(times[(*at, ours)]), both(times[(*at, theirs)]), times[(*at, ours)]["ratio"]]
        for method in ("sgm", "ssd", "ncc", "zncc"):
            row, alone = (times.get((*at[:2], threads, f"{method}, defaults")) for threads in (at[2], 1))
            cells.append(ms(row["ms"]) + (f", x{float(alone['ms']) / float(row['ms']):.1f}" if alone and at[2] > 1 else ""))
        out.append(cells)
    return table(["size, threads", "`sgm`", "SGBM 3WAY", "ratio", "`ssd`", "StereoBM", "ratio", "all of `sgm`", "`ssd`", "`ncc`", "`zncc`"], out)


def ratios(rows):
    """Ours by OpenCV's, a column for each number of threads."""
    times = opencv_times(rows)
    columns = sorted({key[1:3] for key in times})
    cell = lambda a, b: f"{ms(a['ms'])} / {ms(b['ms'])} = {float(a['ms']) / float(b['ms']):.2f}" if a and b else ""
    return table(["ms", *(f"{threads} thread{'s' * (threads > 1)}" + (f", {kind.upper()}" if kind else "") for kind, threads in columns)],
                 [[f"{at}, {words}", *(cell(times.get((at, *c, ours)), times.get((at, *c, theirs))) for c in columns)]
                  for at in sorted({key[0] for key in times})
                  for (ours, theirs), words in zip(PEERS, ("`sgm` / SGBM", "`ssd` / StereoBM"))])


def sizes(rows):
    """All steps at the defaults, by size."""
    times = {(r["method"], size(r), candidates(r), r["backend"]): ms(r["frame_ms"]) for r in rows
             if r.get("set") == "sizes" and r["name"].startswith("defaults") and "radius" not in r["name"]}
    columns = list(dict.fromkeys(key[1:3] for key in times))
    return table(["ms", *(f"{at} x{n}" for at, n in columns)],
                 [[f"`{m}`, {b}", *(times.get((m, *c, b), "") for c in columns)]
                  for b in sorted({key[3] for key in times}) for m in METHODS])


def floor_of(row, rate):
    """The time in ms that the bytes of a case take at `rate` bytes a ms: of gfd the volumes of both maps, 3 bytes for costs
    and means and 16.5 for paths; of sgm four volumes of six bits, written and read; of refinement two maps, one and its
    reasons; of others both pictures, map and reasons."""
    pixels = int(row["width"]) * int(row["height"])
    volume = 39 if row["method"] == "gfd" else 6 if row["method"] == "sgm" and row["target_of"] == "match" else 0
    return (volume * pixels * candidates(row) or (9 if row["target_of"] == "refine" else 7) * pixels) / rate


def rivals(rows, *names):
    """Pairs of our row and the one that was measured in turns with it."""
    chosen = [row for row in rows if row.get("set") in names]
    return [(a, b) for a, b in zip(chosen, chosen[1:]) if a["contender"] == "stereoview" != b["contender"]]


def copy_rate(rows):
    """Bytes a ms, read and written, of a copy of 1 GiB on the card; 0 if it was not measured."""
    return next((2 * 2**30 / float(b["frame_ms"]) for _, b in rivals(rows, "targets") if b["contender"].startswith("copy")), 0)


def targets(rows):
    out, rate = [], copy_rate(rows)
    for row in rows:
        if row.get("set") != "targets" or row["backend"] != "cuda" or row["contender"] != "stereoview":
            continue
        if int(row["width"]) < 1242 or row["steps"] != "1":
            continue
        span = row["target_of"].replace("match and refine", "frame")
        time, target = float(row[span + "_ms"]), float(row["target_ms"])
        out.append([row["name"], f"{size(row)} x{candidates(row)}", ms(time), f"{target:g}" if target else "",
                    "" if not target else "met" if time <= target else "missed", f"{floor_of(row, rate):.3f}" if rate else ""])
    return table(["what", "size x candidates", "ms", "target", "", "floor by bytes"], out)


def peers(rows):
    return table(["other program", "size x candidates", "ms", "stereoview", "ms", "speedup"],
                 [[b["contender"], f"{size(a)} x{candidates(a)}", ms(b["frame_ms"]), a["name"], ms(a["frame_ms"]), f"{float(a['times']):.1f}"]
                  for a, b in rivals(rows, "peers", "targets") if not b["contender"].startswith("copy")])


def cliffs(rows):
    """Match time beyond what one pass of a kernel takes."""
    out = []
    for name, quantity, values in (("ranges", candidates, (64, 128, 256, 257, 512, 1024)), ("windows", lambda r: int(r["rho"]), (3, 7, 8, 15))):
        for method in METHODS:
            times = {quantity(r): ms(r["match_ms"]) for r in rows if r.get("set") == name and r["method"] == method and r["backend"] == "cuda"}
            if times and name == "ranges":
                out.append([f"`{method}`", *(times.get(v, "") for v in values)])
            elif times:
                for cells in out:
                    if cells[0] == f"`{method}`":
                        cells += [times.get(v, "") for v in values]
    head = ["match ms, 1242x375", *(f"{v}" for v in (64, 128, 256, 257, 512, 1024)), *(f"radius {v}" for v in (3, 7, 8, 15))]
    return table(head, [cells + [""] * (len(head) - len(cells)) for cells in out])


def extras(rows):
    """What the temporal filter and the confidence add to match and refine, in percent."""
    out = {}
    backends = sorted({r["backend"] for r in rows if r.get("set") == "extras"})
    for row in rows:
        if row.get("set") == "extras" and row["contender"] == "stereoview":
            out.setdefault(row["method"], {})[row["name"], row["backend"]] = f"{100 / float(row['times']) - 100:+.0f} %"
    return table(["1242x375 x128", *(f"{what}, {b}" for what in ("temporal 5", "confidence") for b in backends)],
                 [[f"`{m}`", *(of.get((what, b), "") for what in ("temporal 5", "confidence") for b in backends)] for m, of in out.items()])


def beside(rows):
    """What the steps beside a match cost, from beside.py."""
    times = {(r["step"], r["scene"]): r for r in rows if "step" in r}
    scenes = list(dict.fromkeys(key[1] for key in times))
    return table(["processor time, ms (times a match)", *scenes],
                 [[step, *(f"{ms(times[step, scene]['ms'])} ({float(times[step, scene]['ratio']):.2f})" for scene in scenes)]
                  for step in dict.fromkeys(key[0] for key in times) if step not in ("match, temporal 2", "match, temporal 8")])


def scaling(rows):
    """The exponents p of t ~ x^p over the larger half of the sizes."""
    kinds = ("pixels", "disparities")
    lines = {(kind, *key): points for kind in kinds for key, points in plot_scaling.series(rows, kind).items()}
    columns = [(kind, backend) for kind in kinds for backend in sorted({key[2] for key in lines})]
    return table(["exponent of", *(f"{kind}, {backend}" for kind, backend in columns)],
                 [[f"`{m}`", *(f"{plot_scaling.fit(lines[kind, m, backend])[3]:.2f}" for kind, backend in columns)]
                  for m in METHODS if lines])


def still(rows):
    """Each figure without the temporal filter and with it."""
    of = {(r["scene"], r["temporal"]): r for r in rows if "temporal" in r}
    return table(["", "changes", "blinks", "density", "v2", "rms of right ones, px"],
                 [[scene.split("/")[-1], *(" -> ".join(f"{float(of[scene, n][c]):.{3 if c == 'rms' else 2}f}" for n in ("off", "5"))
                                           for c in ("changes", "blinks", "density", "v2", "rms"))]
                  for scene in dict.fromkeys(scene for scene, _ in of)])


def spoilt_cases(rows, kinds):
    """For each kind of fault, a function of a case: how many cases, how many right, and the mean bad2."""
    rows, out = [r for r in rows if "verdict" in r], []
    for kind, is_it in kinds:
        cases = [r for r in rows if is_it(r["fault"])]
        both = [r for r in cases if r["bad2_before"] and r["bad2_after"]]
        out.append([kind, len(cases), sum(r["verdict"] == "right" for r in cases),
                    *(f"{statistics.mean(float(r[c]) for r in both):.1f}" if both else "" for c in ("bad2_before", "bad2_after"))])
    return table(["fault", "cases", "right", "bad2 before", "after"], out if rows else [])


def spoilt(rows):
    faults = dict.fromkeys(r["fault"] for r in rows if "verdict" in r and " and " not in r["fault"])
    return spoilt_cases(rows, [(f, lambda fault, f=f: fault == f) for f in faults])


def spoilt_means(rows):
    two, none = (lambda fault: " and " in fault), (lambda fault: fault == "as it is")
    return spoilt_cases(rows, [("none", none), ("one", lambda fault: not two(fault) and not none(fault)), ("two", two)])


def files(rows):
    """From compressed videos to maps in memory."""
    return table(["videos", "decoder", "pairs", "pairs per second", "decoding engines, %", "multiprocessors, %", "device memory, MiB"],
                 [[r["video"].replace("_", " "), r["decoder"], f"{int(r['pairs']):,}", f"{float(r['pairs_s']):.0f}",
                   r["decoders_use"], r["sm_use"], r["memory_mib"]] for r in rows if r.get("output") == "memory"])


# ---- Rigs ----


def boards(rows):
    return table(["pictures", "views", "reprojection error (RMS)", "focal length", "baseline"],
                 [[r["case"], r["views"], r["error"] + " px", r["focal"] + " px", r["baseline"] + " mm"] for r in rows if r.get("rig") == "board"])


def aligned(rows):
    return table(["rows off by, px", "as published", "aligned"],
                 [[r["case"], r["before"], r["after"]] for r in rows if r.get("rig") == "aligned"])


# ---- What was measured when ----


def measured(rows):
    files = {}
    for r in rows:
        if "commit" in r:
            files.setdefault((r["date"], f"`{r['commit']}`"), []).append(r["file"].replace(".tsv", ""))
    return table(["measurements", "date", "commit"], [[", ".join(of), *when] for when, of in files.items()])


def front(rows):
    """README's rows: the figures with which stereoview begins."""
    cpu = opencv_times(rows)
    ours, theirs = (scores(rows, *which, "all") for which in (("defaults", "sgm"), ("opencv", "SGBM HH, B 3")))
    seen, seen_theirs = (scores(rows, *which, "nonocc") for which in (("defaults", "sgm"), ("opencv", "SGBM HH, B 3")))
    gpu = {(b["contender"], size(a)): (float(a["frame_ms"]), float(b["frame_ms"])) for a, b in rivals(rows, "peers", "targets")}
    if not (ours and theirs and cpu and gpu):
        return None
    out = [["missing, or wrong by more than 2 px, ten real scenes", "`sgm`", ours["bad2"], "OpenCV SGBM `MODE_HH`", theirs["bad2"], "%"],
           ["wrong by more than 2 px, among pixels that both cameras see", "`sgm`", seen["v2"], "OpenCV SGBM `MODE_HH`", seen_theirs["v2"], "%"]]
    for (a, b), names in zip(PEERS, (("`sgm`", "OpenCV SGBM `3WAY`"), ("`ssd`", "OpenCV StereoBM"))):
        times = [float(cpu["1920x1080", "", 2, who]["ms"]) for who in (a, b)]
        out.append(["the same" if a == PEERS[1][0] else "1920x1080, 64 disparities, two CPU cores", names[0], times[0], names[1], times[1], "ms"])
    card = next(r["device"] for r in rows if r.get("backend") == "cuda").split(",")[0].split()[1]
    for key, what, name, other in ((("OpenCV StereoSGM", "1920x1080"), "1920x1080, 128 disparities", "`sgm`", "OpenCV's CUDA StereoSGM"),
                                   (("launch a row", "1242x375"), "1242x375, 71 disparities", "`ncc`", "one launch per row, as in its paper,")):
        out.append([f"{what}, {card}", name, gpu[key][0], other, gpu[key][1], "ms"])
    show_it = lambda value, unit: f"{value:.2f} %" if unit == "%" else f"{ms(value)} ms"
    return table(["", "stereoview", "other program", "ratio"],
                 [[what, f"{a} {show_it(x, unit)}", f"{b} {show_it(y, unit)}", f"{x / y:.2f}" if x / y > 0.1 else f"1 / {y / x:.0f}"]
                  for what, a, x, b, y, unit in out])


TABLES = {"accuracy": accuracy, "qualities": qualities, "scenes": scenes, "exposure": exposure, "ratios": ratios, "opencv": opencv,
          "targets": targets, "peers": peers, "sizes": sizes, "cliffs": cliffs, "extras": extras, "still": still,
          "spoilt means": spoilt_means, "spoilt": spoilt, "beside": beside, "scaling": scaling, "files": files, "boards": boards, "aligned": aligned,
          "measured": measured, "front": front}


def read(name):
    with open(name, encoding="utf-8") as f:
        return f.read()


def note(files):
    """Notes that the files were measured today, at this commit."""
    git = lambda *arguments: subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout.strip()
    commit = git("rev-parse", "--short=8", "HEAD") + ("+" if git("status", "--porcelain", "-uno", "--", ":!benchmarks", ":!*.md", ":!assets") else "")
    lines = dict(line.split("\t", 1) for line in read(MEASURED).splitlines())
    lines |= {os.path.basename(file): f"{datetime.date.today()}\t{commit}" for file in files}
    with open(MEASURED, "w", encoding="utf-8") as f:
        f.writelines(f"{file}\t{rest}\n" for file, rest in lines.items())


def main():
    what, files = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 1 else ("", [])
    if what not in ("", "--check", "--print", "--measured") or (files and what in ("", "--check")):
        sys.exit(__doc__)
    files = [os.path.abspath(file) for file in files]
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    if what == "--measured":
        note(files)
    rows = []
    for name in (files if what == "--print" else []) or sorted(glob.glob(MEASUREMENTS)):
        rows += csv.DictReader(read(name).splitlines(), delimiter="\t")
    texts = {name: text for name, make in TABLES.items() if (text := make(rows))}
    if what == "--print":
        print("\n".join(f"{name}\n\n{text}" for name, text in texts.items()), end="")
        return
    old = {name: read(name) for name in (*PAGES, PLOT)}
    new = dict(old)
    for name, text in texts.items():
        begin, end = f"<!-- {name}: written by tests/bench/page.py -->\n", f"<!-- {name} ends -->"
        places = 0
        for page in PAGES:
            new[page], count = re.subn(re.escape(begin) + ".*?" + re.escape(end), lambda _: begin + text + end, new[page], flags=re.S)
            places += count
        if places != 1:
            sys.exit(f"the pages have {places} places for a table, not one: it needs the lines\n{begin}{end}")
    new[PLOT] = plot_scaling.draw(rows) or old[PLOT]
    for name in new:
        if what == "--check":
            sys.stdout.writelines(difflib.unified_diff(old[name].splitlines(True), new[name].splitlines(True), name, "the measurements"))
        elif new[name] != old[name]:
            with open(name, "w", encoding="utf-8") as f:
                f.write(new[name])
    sys.exit(what == "--check" and old != new)


if __name__ == "__main__":
    main()
