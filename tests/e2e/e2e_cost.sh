#!/bin/bash
# The view of the costs in the window, beside costs computed from the pictures.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

need_window "the view of the costs"

for side in left right; do
    ffmpeg -nostdin -v error -i "$root/assets/demo_$side.mp4" -frames:v 2 -vf scale=160:120 -pix_fmt gray ${side}_%d.png
    ffmpeg -nostdin -v error -i ${side}_1.png -pix_fmt gray $side.pgm
done
printf 'layout: one\nview: cost\ncolours: grey\n' >cost.yaml
match=(-m ssd --rho 2 --prefilter none -d 0:15)

# A window of 1280 x 800 has a view of 830 x 730, so that a picture of 160 x 120 begins at 335, 305 at 1:1.
launch left_1.png right_1.png --settings cost.yaml "${match[@]}"
point 700 700
wait_until drawn
press 1

# The brighter a pixel, the larger the smallest mean squared difference of its windows; both ends of grey occur.
cat >costs.py <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
from look import cut

W, H, RHO, MOST = 160, 120, 2, 15

def read(name):
    with open(name, "rb") as f:
        assert f.readline() == b"P5\n" and f.readline() == b"%d %d\n" % (W, H) and f.readline() == b"255\n"
        data = f.read(W * H)
    return [data[y * W : (y + 1) * W] for y in range(H)]

def clamp(i, n):
    return min(max(i, 0), n - 1)

left, right = read("left.pgm"), read("right.pgm")
best = [[float("inf")] * W for _ in range(H)]
for d in range(MOST + 1):
    # The pictures are extended by repeating their edge pixels.
    sums = []
    for y in range(H):
        squares = [(left[y][clamp(x, W)] - right[y][clamp(x - d, W)]) ** 2 for x in range(-RHO, W + RHO)]
        sums.append([sum(squares[x : x + 2 * RHO + 1]) for x in range(W)])
    for y in range(H):
        rows = [sums[clamp(y + i, H)] for i in range(-RHO, RHO + 1)]
        for x in range(d, W):
            best[y][x] = min(best[y][x], sum(row[x] for row in rows))
shown = cut("window.ppm", 335, 305, W, H)
pixels = sorted((best[i // W][i % W], shown[i][0]) for i in range(W * H) if i // W > 8) # the label lies over the first
wrong = sum(b[1] < a[1] for a, b in zip(pixels, pixels[1:]))
if wrong or pixels[0][1] > 0 or pixels[-1][1] < 255 or len({p[1] for p in pixels}) < 100:
    sys.exit(f"{wrong} pixels are darker than cheaper ones; from {pixels[0]} to {pixels[-1]}")
PYTHON
as_computed() {
    snapshot && grab window.ppm && python3 costs.py "$root/tests/support"
}
check "the view has the costs of the definition" wait_until as_computed
press 0
grab before.ppm
press r # a larger window, so other costs
changed() { snapshot && grab after.ppm && "$look" differ before.ppm after.ppm 10 200 800 300; }
check "and follows the parameters" wait_until changed
check "q closes it" quit
finish
