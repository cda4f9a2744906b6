#!/usr/bin/python3
"""Writes the tables of speed in BENCHMARKS.md and their plot from measurements.

    tests/bench/speed.py FILE... [--print]

Each FILE was written by bench or bench_opencv.py with --tsv, on any machine. A table for which no file has figures
stays unchanged. --print writes the tables to standard output instead.
"""
import argparse
import csv
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import plot_scaling

PLOT = os.path.join("assets", "scaling.svg")


def table(head, rows):
    """A Markdown table, or None without rows."""
    if not rows:
        return None
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]) + "\n"


def size(row):
    return f"{row['width']}x{row['height']}"


def disparities(row):
    return f"{row['min']}:{row['max']}"


def device(row):
    """Without memory and compute capability."""
    return re.sub(r", \d+ GiB.*", "", row["device"])


def ms(value):
    value = float(value)
    return f"{value:.3f}" if value < 1 else f"{value:.2f}" if value < 100 else f"{value:.0f}"


def ours(rows, name):
    return [row for row in rows if row["set"] == name and row["contender"] == "stereoview"]


def rivals(rows, name):
    """Pairs of our row and the one that was measured in turns with it."""
    chosen = [row for row in rows if row["set"] == name]
    return [(a, b) for a, b in zip(chosen, chosen[1:]) if a["contender"] == "stereoview" != b["contender"]]


def target_of(row, prefix):
    """The column's time: of matching, or of matching and refining where that is what the figure is of."""
    return row[prefix + {"": "match", "match": "match", "match and refine": "frame"}[row["target_of"]] + "_ms"]


def targets(rows):
    out = []
    for row in ours(rows, "targets"):
        if float(row["target_ms"]):
            p95 = row["match_p95_ms" if row["target_of"] == "match" else "frame_p95_ms"]
            time = float(target_of(row, ""))
            out.append([device(row), row["name"], size(row), disparities(row), row["target_of"], row["target_ms"],
                        f"**{ms(time)}**" if time <= float(row["target_ms"]) else f"{ms(time)}, missed", ms(p95), row["runs"]])
    return table(["device", "what", "size", "disparities", "time of", "target ms", "ms", "p95", "runs"], out)


def baselines(rows):
    pairs = rivals(rows, "targets") + rivals(rows, "loops")
    return table(["device", "what", "size", "ours ms", "baseline", "its ms", "its runs", "times", "target"],
                 [[device(a), a["name"], size(a), ms(a["frame_ms"]), b["contender"], ms(b["frame_ms"]), b["runs"],
                   a["times"], a["target_times"] if float(a["target_times"]) else ""] for a, b in pairs])


def gain(row):
    """How many times as fast the threads are, beside the target."""
    met = float(row["times"]) >= float(row["target_times"])
    return f"**{row['times']}**" if met else f"{row['times']}, missed"


def threads(rows):
    return table(["method", "size", "disparities", "ms, 1 thread", "ms, all", "threads", "times", "target"],
                 [[a["method"], size(a), disparities(a), ms(b["frame_ms"]), ms(a["frame_ms"]), a["threads"], gain(a),
                   a["target_times"]] for a, b in rivals(rows, "threads")])


def sizes(rows):
    return table(["device", "method", "rho", "size", "disparities", "match ms", "p95", "refine ms", "upload",
                  "download", "frames/s", "10^9 evaluations/s", "runs"],
                 [[device(r), r["method"], r["rho"], size(r), disparities(r), ms(r["match_ms"]), ms(r["match_p95_ms"]),
                   ms(r["refine_ms"]), ms(r["upload_ms"]), ms(r["download_ms"]), r["frames_per_s"],
                   r["giga_evaluations_per_s"], r["runs"]] for r in ours(rows, "sizes")])


def steps(rows):
    return table(["device", "what", "size", "disparities", "match ms", "refine ms", "p95"],
                 [[device(r), r["name"], size(r), disparities(r), ms(r["match_ms"]), ms(r["refine_ms"]),
                   ms(r["refine_p95_ms"])] for r in ours(rows, "steps")])


def pyramids(rows):
    out = {}
    for r in ours(rows, "pyramids"):
        out.setdefault((device(r), r["method"], size(r), disparities(r)), []).append(ms(r["match_ms"]))
    return table(["device", "method", "size", "disparities", "match ms, 1 level", "2", "3", "4"],
                 [[*key, *times] for key, times in out.items()])


def opencv(rows):
    return table(["size", "threads", "by", "work", "ms", "p95", "ratio", "to", "runs"],
                 [[size(r), r["threads"], r["contender"], r["work"], ms(r["ms"]), ms(r["p95_ms"]), r["ratio"],
                   r["beside"], r["runs"]] for r in rows if r["set"] == "opencv"])


def scaling(rows):
    out = []
    for name, unit, times in (("pixels", "10^6 pixels", 1e6), ("disparities", "64 disparities", 64)):
        for (method, backend), points in plot_scaling.series(rows, name).items():
            start, slope, error, exponent = plot_scaling.fit(points)
            out.append([method, backend, name, f"{start:.3f}", f"{slope * times:.3f} for {unit}",
                        f"{100 * error:.0f} %", f"{exponent:.2f}"])
    return table(["method", "backend", "grows with", "start ms", "slope ms", "largest deviation",
                  "exponent, upper half"], out)


TABLES = {"targets": targets, "baselines": baselines, "threads": threads, "sizes": sizes, "steps": steps,
          "pyramids": pyramids, "opencv": opencv, "scaling": scaling}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    rows = []
    for name in options.files:
        with open(name, encoding="utf-8") as f:
            rows += list(csv.DictReader(f, delimiter="\t"))
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    with open("BENCHMARKS.md", encoding="utf-8") as f:
        page = f.read()
    for name, make in TABLES.items():
        text = make(rows)
        if text and options.print:
            print(f"{name}\n\n{text}")
        if not text or options.print:
            continue
        begin, end = f"<!-- speed, {name}: written by tests/bench/speed.py -->\n", f"<!-- speed, {name} ends -->"
        page, count = re.subn(re.escape(begin) + ".*?" + re.escape(end), lambda _: begin + text + end, page, flags=re.S)
        if count != 1:
            sys.exit(f"BENCHMARKS.md has no place for a table: it needs the lines\n{begin}{end}")
    if options.print:
        return
    with open("BENCHMARKS.md", "w", encoding="utf-8") as f:
        f.write(page)
    plot = plot_scaling.draw(rows)
    if plot:
        with open(PLOT, "w", encoding="utf-8") as f:
            f.write(plot)


if __name__ == "__main__":
    main()
