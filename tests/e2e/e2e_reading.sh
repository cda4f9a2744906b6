#!/bin/bash
# What is read off the map in the window, with mouse and keys, beside exported maps: the pixel under the mouse, pins, the
# rectangle, and costs.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

need_window "reading the map"

last_line() { grep -a "$1" log | tail -1; }

small_pair
write_calibration calib.txt 320 240 100
printf 'layout: one\nview: disparity\n' >one.yaml
match=(-m ssd -d 0:30)
pair=(-f "$WORK/left.png" "$WORK/right.png" "${match[@]}")
run 0 --headless "${pair[@]}" -o "$WORK/map.pfm"

# What the window should say, from the exported map: the line of a pin (after one at X0, Y0), of a rectangle.
expected() {
    python3 - "$@" <<'PYTHON'
import math, sys
sys.path.insert(0, sys.argv[1])
from look import read_map
width, height, d = read_map("map.pfm")
f, b, cx, cy = 500, 0.1, 160, 120

def place(x, y):
    z = f * b / d[y][x]
    return (x - cx) / f * z, (y - cy) / f * z, z

what, *n = sys.argv[2], *map(int, sys.argv[3:])
if what == "valued":
    # The first pixel with a value from x, y on to the right.
    x, y = n
    print(next(i for i in range(x, width) if math.isfinite(d[y][i])))
elif what == "pin":
    x, y = n
    print("at (%d, %d): %.2f px, %.4g m" % (x, y, d[y][x], f * b / d[y][x]))
elif what == "distance":
    print("%.4g m" % math.dist(place(*n[:2]), place(*n[2:])))
elif what == "rectangle":
    x, y, w, h = n
    points = [(i - x, j - y, d[j][i], i, j) for j in range(y, y + h) for i in range(x, x + w) if math.isfinite(d[j][i])]
    count = len(points)
    mean = sum(p[2] for p in points) / count
    spread = math.sqrt(sum((p[2] - mean) ** 2 for p in points) / count)
    # The nearest but for a hundredth.
    v = sorted(p[2] for p in points)[-1 - count // 100]
    nx, ny = next(p[3:] for p in points if p[2] == v)
    print("rectangle %d x %d at (%d, %d): %.1f %% of %d px, mean %.2f px, spread %.3f px; plane"
          % (w, h, x, y, 100 * count / (w * h), w * h, mean, spread))
    print("; nearest %.2f px, %.4g m at (%d, %d)" % (v, f * b / v, nx, ny))
PYTHON
}

# A window of 1280 x 800 has a view of 830 x 730, so that a picture of 320 x 240 begins at 255, 245 at 1:1.
mkfifo slow.pfm
launch "${pair[@]}" --settings one.yaml "${match[@]}" --calibration calib.txt --snapshots shots --truth slow.pfm
point 700 700
shots=shots
check "a truth that takes long to read stops nothing" wait_until drawn
timeout $patience tee slow.pfm </dev/null
no_score() { grep -qa 'frame 0 has no score: .*slow.pfm' log; }
check "and its failure is reported when it comes" wait_until no_score
press 1

# ---- The pixel under the mouse ----

# The lines below the picture without and with the mouse over it: the first one has the share of pixels with a value,
# the second the pixel.
stays() {
    point 700 700 && seen out && point 415 364 && seen in && "$look" same out.ppm in.ppm 0 760 280 14 &&
        "$look" plain out.ppm 440 780 500 12 && "$look" differ out.ppm in.ppm 440 780 500 12
}
check "the pixel under the mouse hides nothing" wait_until stays
check "and does not touch the window's edge" "$look" plain in.ppm 0 794 940 6

# ---- Pins ----

ax=$(expected "$root/tests/support" valued 100 100) bx=$(expected "$root/tests/support" valued 220 60)
pinned() { last_line "pin $1 at" | grep -qF "$2"; }
point $((255 + ax)) $((245 + 100))
press n
check "a pin has the value of the exported map" wait_until pinned 1 "$(expected "$root/tests/support" pin "$ax" 100)"
point $((255 + bx)) $((245 + 60))
press n
check "the second, too" wait_until pinned 2 "$(expected "$root/tests/support" pin "$bx" 60)"
check "and its distance from the first" pinned 2 "; $(expected "$root/tests/support" distance "$ax" 100 "$bx" 60) from pin 1"
point 700 700
# A pin's square is 9 x 9 pixels.
marked() { seen marks && "$look" has marks.ppm ffbf5c $(($1 - 6)) $(($2 - 6)) 13 13; }
check "pins are marked at their place" wait_until marked $((255 + ax)) $((245 + 100))
press 0
# As large as fits: 830 / 320.
check "and stay there when the view is zoomed" wait_until marked $(((2 * ax + 1) * 830 / 640)) $((54 + 201 * 830 / 640))
press 1
# All of it comes to the program at once, which pins where the mouse was.
kill -STOP $pid
point $((255 + ax)) $((245 + 100))
press n
point 700 700
kill -CONT $pid
unmarked() { ! marked "$@" && marked $((255 + bx)) $((245 + 60)); }
check "n on a pin removes it" wait_until unmarked $((255 + ax)) $((245 + 100))

# ---- The rectangle ----

point $((255 + 60)) $((245 + 80))
xdotool keydown shift mousedown 1
for step in 10 40 69; do point $((255 + 60 + step)) $((245 + 80 + step * 2 / 3)); done
xdotool mouseup 1 keyup shift
rectangle() { last_line rectangle >line && [ "$(grep -cF "$1" line)" = 1 ] && grep -qF "$2" line; }
mapfile -t lines < <(expected "$root/tests/support" rectangle 60 80 70 47)
check "a rectangle has share, mean, spread and nearest point of the exported map" wait_until rectangle "${lines[@]}"

# ---- Costs ----

point 700 700
seen before
point $((255 + bx)) $((245 + 60))
press y
plotted() { seen plot && "$look" differ before.ppm plot.ppm 60 330 300 200; }
check "y plots the costs next to the mouse" wait_until plotted
press y
point 700 700
gone() { seen plot && "$look" same before.ppm plot.ppm 60 330 300 200; }
check "and takes them away" wait_until gone
press shift+n
point 700 690
unpinned() { ! marked $((255 + bx)) $((245 + 60)); }
check "N removes all pins" wait_until unpinned

# ---- The cloud ----

# From its own place the cloud's points are where the pixels are; a pin there is one of the map's pixels.
press 0 3
point 415 364
in_cloud() {
    press shift+n n
    pin() { [[ $(last_line "pin 1 at") =~ at\ \(([0-9]+),\ ([0-9]+)\):\ ([0-9.]+)\ px ]]; }
    pin || return 1
    local x=${BASH_REMATCH[1]} y=${BASH_REMATCH[2]}
    [ "$x" -ge 157 ] && [ "$x" -le 163 ] && [ "$y" -ge 117 ] && [ "$y" -le 123 ] &&
        last_line "pin 1 at" | grep -qF "$(expected "$root/tests/support" pin "$x" "$y")"
}
check "in the cloud a pin is the pixel that is seen there" wait_until in_cloud
check "q closes it" quit

# ---- The table ----

# press_button: long enough for a frame to see it.
press_button() { xdotool mousedown 1 sleep 0.3 mouseup 1; }
pasted() { "$root/tests/support/paste.py" >"$WORK/pasted"; }
# cell COLUMN: of the first row.
cell() { awk -F '\t' -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == 2 { print $c }' pasted; }
start -v "${pair[@]}" --settings one.yaml "${match[@]}" --calibration calib.txt --snapshots shots
press 1
point $((255 + ax)) $((245 + 100))
press n j # the table takes a part of the view, but the pixel is pinned
copied() { rest_on "copy table" && press_button && pasted && grep -q '^pin 1' pasted && [ -n "$(cell "Z m")" ]; }
check "Copy puts the table on the clipboard" wait_until copied
check "with the pin and its depth: $(cell x), $(cell y), $(cell "Z m") m" python3 -c '
import sys
sys.path.insert(0, sys.argv[1] + "/tests/support")
from look import read_map
x, y, z = int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
d = read_map("map.pfm")[2][y][x]
assert abs(50 / d - z) < 1e-4, (50 / d, z)' "$root" "$(cell x)" "$(cell y)" "$(cell "Z m")"
z=$(cell "Z m")
true=$(awk -v z="$z" 'BEGIN { printf "%.3f", z / 1.25 }') # so that the pin is a quarter too far away
typed() {
    rest_on "known 1" && press_button && xdotool key --delay 30 ctrl+a && xdotool type --delay 30 "$true" &&
        press Return && copied && [ -n "$(cell "known m")" ]
}
check "a true distance is typed: $true m" wait_until typed
check "is kept: $(cell "known m")" within "$(cell "known m")" "$true" "$true"
check "and gives the accuracy: $(cell "accuracy %") %" within "$(cell "accuracy %")" 24.9 25.1
check "q closes it" quit
finish
