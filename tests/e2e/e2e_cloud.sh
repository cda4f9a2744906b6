#!/bin/bash
# The point cloud in the window: from the left camera's place it is the left picture, or the map, where there are values.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

need_window "the point cloud"

small_pair
pair=(-f "$WORK/left.png" "$WORK/right.png" -m ssd -d 0:30)
run 0 --headless "${pair[@]}" -o "$WORK/map.pfm"
# A window of 760 x 551 below the strip, without the panel, has one view of 640 x 481, in which a pixel of the pictures
# has 2 x 2. Where there is no legend, the window is 640 wide.
printf 'cloud-grid: off\ncloud-edges: on\n' >picture.yaml
printf 'cloud-grid: off\ncloud-edges: on\ncloud-colours: depth\n' >depth.yaml
fits() { xdotool windowsize --sync "$window" "$1" $((551 + top)); }
open_at() { # KIND SETTINGS
    start "${pair[@]}" --settings "$2" -m ssd -d 0:30 --view "$1"
    point 300 200
    press Tab u # without the values beside the pointer
    fits "$([ "$1" = 'left picture' ] && echo 640 || echo 760)"
}
# The words in the corners are left out.
same() { seen "$2" && "$look" same "$1.ppm" "$2.ppm" 0 50 640 375; }
# like VIEW CLOUD: both are equal at all pixels that have a value in map.pfm, and not at the others. Some of these have
# the background's colour in the view too.
like() {
    python3 - "$1.ppm" "$2.ppm" map.pfm <<'PYTHON'
import math, struct, sys
def ppm(path):
    data = open(path, "rb").read()
    head = data.split(b"\n", 3)
    width, height = map(int, head[1].split())
    return width, height, head[3]
with open(sys.argv[3], "rb") as f:
    f.readline()
    columns, rows = map(int, f.readline().split())
    order = "<" if float(f.readline()) < 0 else ">"
    values = struct.unpack(order + "%df" % (columns * rows), f.read())
width, height, view = ppm(sys.argv[1])
wide, _, cloud = ppm(sys.argv[2])
points = wrong = empty = unlike = 0
for y in range(50, 425):
    for x in range(640):
        at = 3 * (y * width + x)
        there = 3 * (y * wide + x)
        same = view[at:at + 3] == cloud[there:there + 3]
        # The picture covers the upper 480 of 481 rows; rows of a PFM begin at the bottom.
        if math.isfinite(values[(rows - 1 - y // 2) * columns + x // 2]):
            points += 1
            wrong += not same
        else:
            empty += 1
            unlike += not same
print(points, "with a value,", wrong, "wrong;", empty, "without,", unlike, "of them empty")
sys.exit(not (points > 100000 and wrong == 0 and unlike > 0.9 * empty > 0))
PYTHON
}
becomes_like() { seen cloud && like view cloud; }

open_at 'left picture' picture.yaml
seen view
press 3
fits 760
check "from the left camera's place the cloud is the left picture" wait_until becomes_like

press 3
fits 640
check "3 brings back what was there before" wait_until same view again
check "it closes well" quit

open_at disparity depth.yaml
seen view
press 3
check "coloured by depth it has the colours of the map" wait_until becomes_like
check "it closes well" quit
finish
