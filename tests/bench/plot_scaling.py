"""Draws how time grows with pixels and disparities and falls with threads, and fits it; tests/bench/page.py calls it.

The plot is written as SVG by hand: three panels with logarithmic axes, a line for each method and backend, and for
OpenCV's matchers.
"""
import math

COLOURS = {"ssd": "#0072b2", "ncc": "#d55e00", "zncc": "#009e73", "gfd": "#aa4499", "sgm": "#e69f00",
           "SGBM 3WAY": "#000000", "StereoBM": "#888888"}
DASHES = {"cuda": "", "cpu": ' stroke-dasharray="6 4"', "OpenCV": ' stroke-dasharray="2 3"'}
PANEL, TOP, LEFT, GAP = 300, 50, 60, 80  # pixels
# Contenders of bench_opencv.py, and their lines.
BY_THREADS = {"sgm, defaults": ("sgm", "cpu"), "ssd, defaults": ("ssd", "cpu"), "ncc, defaults": ("ncc", "cpu"),
              "zncc, defaults": ("zncc", "cpu"), "OpenCV SGBM 5x5, 3WAY": ("SGBM 3WAY", "OpenCV"),
              "OpenCV StereoBM 11x11": ("StereoBM", "OpenCV")}


def series(rows, name):
    """{(method, backend): [(quantity, match ms), ...]} of the rows that vary that quantity: "pixels", "disparities"."""
    lines = {}
    for row in rows:
        if row.get("set") != "scaling" or row["name"] != name:
            continue
        x = int(row["width"]) * int(row["height"]) if name == "pixels" else int(row["max"]) - int(row["min"]) + 1
        lines.setdefault((row["method"], row["backend"]), []).append((x, float(row["match_ms"])))
    return {key: sorted(points) for key, points in lines.items()}


def by_threads(rows):
    """The same for 1920x1080 over the number of threads: all steps of a method, and OpenCV's matchers."""
    lines = {}
    for row in rows:
        if row.get("set") == "opencv" and row["width"] == "1920" and not row["instructions"] and row["contender"] in BY_THREADS:
            lines.setdefault(BY_THREADS[row["contender"]], []).append((int(row["threads"]), float(row["ms"])))
    return {key: sorted(points) for key, points in lines.items()}


def fit(points):
    """Least squares of t = a + b x, each point weighted by 1 / t: (a, b, the largest relative error), and the exponent
    p of t ~ x^p between the larger half of the points."""
    weights = [1 / t**2 for _, t in points]
    total = sum(weights)
    mean_x = sum(w * x for w, (x, _) in zip(weights, points)) / total
    mean_t = sum(w * t for w, (_, t) in zip(weights, points)) / total
    slope = (sum(w * (x - mean_x) * (t - mean_t) for w, (x, t) in zip(weights, points)) /
             sum(w * (x - mean_x)**2 for w, (x, _) in zip(weights, points)))
    start = mean_t - slope * mean_x
    error = max(abs(start + slope * x - t) / t for x, t in points)
    (x0, t0), (x1, t1) = points[len(points) // 2], points[-1]
    return start, slope, error, math.log(t1 / t0) / math.log(x1 / x0)


def decades(low, high):
    """Powers of ten that enclose the values."""
    return math.floor(math.log10(low)), math.ceil(math.log10(high))


def panel(lines, title, axis, offset, ticks, times):
    """One panel's SVG elements. `ticks`: of the x axis, {value: label}."""
    first, last = math.log(min(ticks)), math.log(max(ticks))
    place_x = lambda x: offset + (math.log(x) - first) / (last - first) * PANEL
    place_t = lambda t: TOP + PANEL - (math.log10(t) - times[0]) / (times[1] - times[0]) * PANEL
    out = [f'<text x="{offset}" y="{TOP - 14}" font-weight="bold">{title}</text>']
    for x, label in ticks.items():
        out.append(f'<path d="M{place_x(x):.1f} {TOP}v{PANEL}" stroke="#ddd"/>'
                   f'<text x="{place_x(x):.1f}" y="{TOP + PANEL + 17}" text-anchor="middle">{label}</text>')
    for power in range(times[0], times[1] + 1):
        label = f"{10.0**power:g}"
        out.append(f'<path d="M{offset} {place_t(10.0**power):.1f}h{PANEL}" stroke="#ddd"/>'
                   f'<text x="{offset - 6}" y="{place_t(10.0**power) + 4:.1f}" text-anchor="end">{label}</text>')
    out.append(f'<text x="{offset + PANEL / 2}" y="{TOP + PANEL + 36}" text-anchor="middle">{axis}</text>')
    for (method, backend), points in lines.items():
        path = " ".join(f"{place_x(x):.1f},{place_t(t):.1f}" for x, t in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[method]}" stroke-width="2"'
                   f'{DASHES[backend]}/>')
        out += [f'<circle cx="{place_x(x):.1f}" cy="{place_t(t):.1f}" r="2.5" fill="{COLOURS[method]}"/>'
                for x, t in points]
    return out


def draw(rows):
    """The SVG's text, or None if no row is of the set "scaling"."""
    pixels, disparities, threads = series(rows, "pixels"), series(rows, "disparities"), by_threads(rows)
    if not pixels or not disparities:
        return None
    all_times = [t for lines in (pixels, disparities, threads) for points in lines.values() for _, t in points]
    times = decades(min(all_times), max(all_times))
    second, third = LEFT + PANEL + GAP, LEFT + 2 * (PANEL + GAP)
    last = third if threads else second
    width, height = last + PANEL + 170, TOP + PANEL + 50
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>',
           f'<text transform="translate(16 {TOP + PANEL / 2}) rotate(-90)" text-anchor="middle">ms</text>']
    areas = {320 * 240: "320x240", 640 * 480: "640x480", 1280 * 960: "1280x960", 3840 * 2160: "3840x2160"}
    out += panel(pixels, "match, 64 disparities", "pixels", LEFT, areas, times)
    ranges = {n: str(n) for n in (16, 32, 64, 128, 256)}
    out += panel(disparities, "match, 1920x1080", "disparities", second, ranges, times)
    if threads:
        out += panel(threads, "all steps, 1920x1080, 64 disparities", "threads", third, {n: str(n) for n in (1, 2, 4, 8, 16)}, times)
    for i, (method, backend) in enumerate([*pixels, *(key for key in threads if key not in pixels)]):
        y = TOP + 10 + 20 * i
        out.append(f'<path d="M{last + PANEL + 12} {y}h24" stroke="{COLOURS[method]}" stroke-width="2"'
                   f'{DASHES[backend]}/>'
                   f'<text x="{last + PANEL + 40}" y="{y + 4}">{backend} {method}</text>')
    return "\n".join(out) + "\n</svg>\n"
