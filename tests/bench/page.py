#!/usr/bin/python3
"""Writes the tables of BENCHMARKS.md, and the plot, from the measurements in benchmarks/*.tsv.

    tests/bench/page.py                     writes them
    tests/bench/page.py --check             fails, with the difference, if they are not those of the measurements
    tests/bench/page.py --print [FILE...]   writes the tables to standard output, of other measurements if they are named

accuracy.py, bench, bench_opencv.py and beside.py write the files; benchmarks/README.md says how, and what their columns are.
"""
import csv
import difflib
import glob
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plot_scaling

PAGE, PLOT, MEASUREMENTS = "BENCHMARKS.md", os.path.join("assets", "scaling.svg"), os.path.join("benchmarks", "*.tsv")
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


def exposure(rows):
    return table(["bad2, all", "as it is", "gain 0.6", "gamma 1.4"],
                 [[f"`{name}`" if name in METHODS else "`gfd --prefilter none`",
                   *(show(scores(rows, "exposure", name, "all", *light), "bad2") for light in (("1", "1"), ("0.6", "1"), ("1", "1.4")))]
                  for name in ("sgm", "ssd", "gfd", "gfd, no prefilter") if scores(rows, "exposure", name, "all")])


# ---- Speed ----


def opencv(rows):
    """Ours beside OpenCV's by the number of threads, and how many times as fast as with one."""
    times = {(size(r), r["instructions"], int(r["threads"]), r["contender"]): r for r in rows if r.get("set") == "opencv"}
    peers = (("sgm", "OpenCV SGBM 5x5, 3WAY"), ("ssd 11x11, left map", "OpenCV StereoBM 11x11"))
    both = lambda row: f"{ms(row['ms'])} ({ms(row['p95_ms'])})"
    out = []
    for at in sorted({key[:3] for key in times}):
        cells = [", ".join(filter(None, (at[0], str(at[2]), at[1].upper())))]
        for ours, theirs in peers:
            cells += [both(times[(*at, ours)]), both(times[(*at, theirs)]), times[(*at, ours)]["ratio"]]
        for method in ("sgm", "ssd", "ncc", "zncc"):
            row, alone = (times.get((*at[:2], threads, f"{method}, defaults")) for threads in (at[2], 1))
            cells.append(ms(row["ms"]) + (f", x{float(alone['ms']) / float(row['ms']):.1f}" if alone and at[2] > 1 else ""))
        out.append(cells)
    return table(["size, threads", "`sgm`", "SGBM 3WAY", "ratio", "`ssd`", "StereoBM", "ratio", "all of `sgm`", "`ssd`", "`ncc`", "`zncc`"], out)


def floor_of(row, rate):
    """The time in ms that the bytes of a case take at `rate` bytes a ms, and what they are."""
    pixels = int(row["width"]) * int(row["height"])
    if row["method"] == "gfd":
        return 54 * pixels * candidates(row) / rate, "costs of both maps"
    if row["method"] == "sgm" and row["target_of"] == "match":
        return 6 * pixels * candidates(row) / rate, "four volumes of six bits, written and read"
    if row["target_of"] == "refine":
        return 9 * pixels / rate, "two maps read, one and reasons written"
    return 7 * pixels / rate, "pictures read, map and reasons written"


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
        floor, why = floor_of(row, rate) if rate else (0, "")
        out.append([row["name"], f"{size(row)} x{candidates(row)}", ms(time), ms(row[span + "_p95_ms"]), f"{target:g}" if target else "",
                    "" if not target else "met" if time <= target else "missed", f"{floor:.3f}: {why}" if rate else ""])
    return table(["what", "size x candidates", "ms", "p95", "target", "", "floor by bytes, ms"], out)


def peers(rows):
    return table(["by", "size x candidates", "ms", "p95", "beside", "ms", "p95", "times"],
                 [[b["contender"], f"{size(a)} x{candidates(a)}", ms(b["frame_ms"]), ms(b["frame_p95_ms"]), a["name"], ms(a["frame_ms"]),
                   ms(a["frame_p95_ms"]), f"{float(a['times']):.1f}"]
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


def spoilt(rows):
    """Each fault by itself, and all pairs of faults: how many cases, how many right, and the mean bad2."""
    rows = [r for r in rows if "verdict" in r]
    kinds = [*dict.fromkeys(r["fault"] for r in rows if " and " not in r["fault"]), "two of them"]
    of = {kind: [r for r in rows if r["fault"] == kind or kind == "two of them" and " and " in r["fault"]] for kind in kinds}

    def mean(cases, column):
        values = [float(r[column]) for r in cases if r["bad2_before"] and r["bad2_after"]]
        return f"{sum(values) / len(values):.1f}" if values else ""
    return table(["fault", "cases", "right", "bad2 before", "after"],
                 [[kind, str(len(of[kind])), str(sum(r["verdict"] == "right" for r in of[kind])),
                   mean(of[kind], "bad2_before"), mean(of[kind], "bad2_after")] for kind in kinds])


TABLES = {"accuracy": accuracy, "qualities": qualities, "exposure": exposure, "opencv": opencv, "targets": targets, "peers": peers,
          "cliffs": cliffs, "extras": extras, "still": still, "spoilt": spoilt,
          "beside": beside, "scaling": scaling}


def main():
    what, files = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 1 else ("", [])
    if what not in ("", "--check", "--print") or (files and what != "--print"):
        sys.exit(__doc__)
    files = [os.path.abspath(file) for file in files]
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    rows = []
    for name in files or sorted(glob.glob(MEASUREMENTS)):
        with open(name, encoding="utf-8") as f:
            rows += list(csv.DictReader(f, delimiter="\t"))
    texts = {name: text for name, make in TABLES.items() if (text := make(rows))}
    if what == "--print":
        print("\n".join(f"{name}\n\n{text}" for name, text in texts.items()), end="")
        return
    with open(PAGE, encoding="utf-8") as f:
        old = page = f.read()
    for name, text in texts.items():
        begin, end = f"<!-- {name}: written by tests/bench/page.py -->\n", f"<!-- {name} ends -->"
        page, count = re.subn(re.escape(begin) + ".*?" + re.escape(end), lambda _: begin + text + end, page, flags=re.S)
        if count != 1:
            sys.exit(f"{PAGE} has no place for a table: it needs the lines\n{begin}{end}")
    pages = {PAGE: (old, page)}
    if plot := plot_scaling.draw(rows):
        with open(PLOT, encoding="utf-8") as f:
            pages[PLOT] = (f.read(), plot)
    for name, (before, after) in pages.items():
        if what:
            sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), name, "the measurements"))
        else:
            with open(name, "w", encoding="utf-8") as f:
                f.write(after)
    sys.exit(what == "--check" and any(before != after for before, after in pages.values()))


if __name__ == "__main__":
    main()
