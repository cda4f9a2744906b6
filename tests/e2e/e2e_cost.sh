#!/bin/bash
# The view of the costs in the window.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

need_window "the view of the costs"

for side in left right; do
    ffmpeg -nostdin -v error -i "$root/assets/demo_$side.mp4" -frames:v 2 -vf scale=160:120 -pix_fmt gray ${side}_%d.png
done
printf 'layout: one\nview: cost\ncolours: grey\n' >cost.yaml
match=(-m ssd --rho 2 --prefilter none -d 0:15)

# A window of 1280 x 800 has a view of 830 x 730, so that a picture of 160 x 120 begins at 335, 305 at 1:1.
launch left_1.png right_1.png --settings cost.yaml "${match[@]}"
point 700 700
wait_until drawn
press 1

# Their numbers are those of test_costs, and the colours those of test_view_costs.
has_greys() {
    snapshot && grab window.ppm && python3 - "$root/tests/support" <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
from look import cut
greys = {pixel[0] for pixel in cut("window.ppm", 335, 305, 160, 120)}
sys.exit(len(greys) < 100 or min(greys) > 0 or max(greys) < 255)
PYTHON
}
check "the view has the costs" wait_until has_greys
press 0
seen before
press r # a larger window, so other costs
changed() { snapshot && grab after.ppm && "$look" differ before.ppm after.ppm 10 200 800 300; }
check "and follows the parameters" wait_until changed
check "q closes it" quit
finish
