#!/bin/bash
# Calibration files, depth in metres, and how the rows of the pictures are aligned.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

demo=(--headless --demo --frames 0:1)
kept=$PWD/tests/support/calibrations

# ---- What is refused ----

check "a missing calibration names the file" refused 1 'nowhere.yaml' "${demo[@]}" --calibration "$WORK/nowhere.yaml"
check "a file that is not a calibration is refused by name" refused 1 'README.md' "${demo[@]}" --calibration README.md
check "pictures of another shape are refused, with both sizes" refused 1 '640 ?x ?480' "${demo[@]}" --calibration "$kept/middlebury.txt"
check "--rectify-alpha needs a calibration" refused 2 'needs --calibration' "${demo[@]}" --rectify-alpha 0
check "--rectify-alpha above 1 is refused" refused 2 '0 to 1' "${demo[@]}" --rectify-alpha 2
check "depth needs a calibration" refused 2 'x.depth.png.*needs --calibration' "${demo[@]}" -o "$WORK/x.depth.png"
cat >"$WORK/squares.yml" <<YAML
%YAML:1.0
M1: !!opencv-matrix { rows: 3, cols: 3, dt: d, data: [500., 0., 320., 0., 500., 240., 0., 0., 1.] }
D1: !!opencv-matrix { rows: 1, cols: 5, dt: d, data: [0., 0., 0., 0., 0.] }
M2: !!opencv-matrix { rows: 3, cols: 3, dt: d, data: [500., 0., 320., 0., 500., 240., 0., 0., 1.] }
D2: !!opencv-matrix { rows: 1, cols: 5, dt: d, data: [0., 0., 0., 0., 0.] }
R: !!opencv-matrix { rows: 3, cols: 3, dt: d, data: [1., 0., 0., 0., 1., 0., 0., 0., 1.] }
T: !!opencv-matrix { rows: 3, cols: 1, dt: d, data: [-3., 0., 0.] }
YAML
check "depth of a calibration in squares of a board is refused" refused 1 'squares.yml.*unit' "${demo[@]}" \
    --calibration "$WORK/squares.yml" -o "$WORK/x.depth.png"
check "an unknown unit is refused" refused 2 'mm, cm, m or in' "${demo[@]}" --calibration "$WORK/squares.yml" --unit feet
check "--unit needs a calibration" refused 2 'needs --calibration' "${demo[@]}" --unit mm
check "with a unit there is depth" run 0 "${demo[@]}" --calibration "$WORK/squares.yml" --unit cm -d -4:63 -o "$WORK/squares.depth.pfm"
check "of the squares in that unit" grep -q 'baseline 0.030 m' "$WORK/output"
check "and its disparities are not" run 0 "${demo[@]}" --calibration "$WORK/squares.yml" -o "$WORK/squares.pfm"
run 0 "${demo[@]}" -o "$WORK/plain.pfm"
check "pinholes side by side leave the pictures as they are" cmp "$WORK/squares.pfm" "$WORK/plain.pfm"

# ---- Depth ----

cat >"$WORK/rectified.txt" <<TEXT
cam0=[600 0 320; 0 600 240; 0 0 1]
cam1=[600 0 325; 0 600 240; 0 0 1]
doffs=5
baseline=250
width=640
height=480
TEXT
check "depth is written" run 0 "${demo[@]}" --calibration "$WORK/rectified.txt" -o "$WORK/d.pfm" -o "$WORK/z.depth.pfm" -o "$WORK/z.depth.png"
check "one line says what the calibration is" grep -q 'calibration: Middlebury calib.txt, .* f 600.0 px, baseline 0.250 m' "$WORK/output"
check "a unit that the file has itself stays" run 0 "${demo[@]}" --calibration "$WORK/rectified.txt" --unit mm -d -8:20
check "that is reported" grep -q 'unit mm is not used' "$WORK/output"
check "depth is f B / (d + doffs), in metres" python3 - "$WORK/d.pfm" "$WORK/z.depth.pfm" <<'PYTHON'
import struct, sys
def read(path):
    kind, size, scale, data = open(path, "rb").read().split(b"\n", 3)
    return struct.unpack("<%df" % (len(data) // 4), data)
d, z = map(read, sys.argv[1:])
some = [i for i in range(len(d)) if d[i] != float("inf")]
assert len(d) == len(z) == 640 * 480 and len(some) > 200000, len(some)
for i in range(len(d)):
    expected = 600 * 0.25 / (d[i] + 5) if d[i] != float("inf") else float("inf")
    assert z[i] == expected or abs(z[i] - expected) < 1e-5 * expected, (i, d[i], z[i])
PYTHON
check "and a 16-bit PNG" bash -c "head -c 26 '$WORK/z.depth.png' | od -An -tx1 | tr -d ' \n' | grep -q '00000280000001e01000\$'"

# ---- Swapped sides ----

# Two unlike cameras, the right one turned: a file that is taken the wrong way round gives other maps.
sed -e '/^M2/s/500\./520./g' -e '/^R:/s/data:.*/data: [1., 0., 0., 0., 0.9999, -0.0141, 0., 0.0141, 0.9999] }/' \
    "$WORK/squares.yml" >"$WORK/turned.yml"
turned=(--headless --frames 0:1 --calibration "$WORK/turned.yml")
run 0 "${turned[@]}" -f assets/demo_left.mp4 assets/demo_right.mp4 -o "$WORK/named.pfm"
check "a calibration is for the pictures as --swap makes them" \
    run 0 "${turned[@]}" -f assets/demo_right.mp4 assets/demo_left.mp4 --swap -o "$WORK/swapped.pfm"
check "and gives their map" cmp "$WORK/named.pfm" "$WORK/swapped.pfm"
check "which is reported" grep -q 'left camera.*after --swap' "$WORK/output"

# ---- Alignment ----

run 0 "${demo[@]}" --stats "$WORK/demo.json"
check "the rows of the demo are common rows" grep -Eq 'vertical offset -?0\.[0-2]' "$WORK/output"
check "--row-shift 5 is noticed" run 0 "${demo[@]}" --row-shift 5
check "and the way back is named" grep -q 'warning: the right picture lies .* px higher .*--row-shift 0' "$WORK/output"

# ---- Brightness ----

ffmpeg -v error -i assets/demo_left.mp4 -frames:v 1 "$WORK/bright.png"
ffmpeg -v error -i assets/demo_right.mp4 -vf 'lutyuv=y=val*0.6' -frames:v 1 "$WORK/dark.png"
# darker WARNINGS ARGUMENT...: one line says that the right picture is darker, and it is a warning or not.
darker() {
    run 0 --headless -f "$WORK/bright.png" "$WORK/dark.png" -d 0:31 "${@:2}" || return 1
    [ "$(grep -Ec 'the right picture is 4[0-9] % darker' "$WORK/output")" = 1 ] &&
        [ "$(grep -Ec 'warning: the right picture is' "$WORK/output")" = "$1" ]
}
check "a darker picture is a warning where ssd compares brightness" darker 1 -m ssd --prefilter none
check "which names what helps" grep -q 'use -m sgm or --prefilter contrast$' "$WORK/output"
check "and by default does" darker 0 -m ssd
check "it is a warning where gfd compares brightness" darker 1 -m gfd --prefilter none
check "which names what helps" grep -q 'use -m sgm or --prefilter exposure$' "$WORK/output"
check "and by default does" darker 0 -m gfd
check "sgm tolerates it" darker 0
check "and reports it" grep -q 'which sgm tolerates$' "$WORK/output"

euroc=$data/seq_euroc_v101_micro
if [ -d "$euroc" ]; then
    number=0
    for left in "$euroc"/left/*.png; do
        name=$(basename "$left") place=$(printf %02d $number)
        ln -s "$left" "$WORK/left_$place.png"
        ln -s "$euroc/right/$name" "$WORK/right_$place.png"
        number=$((number + 1))
        [ $number = 3 ] && break
    done
    pictures=(--headless -f "$WORK/left_%02d.png" "$WORK/right_%02d.png" -m zncc --fill none)
    files=$euroc/cam0_sensor.yaml,$euroc/cam1_sensor.yaml
    # The percentage of pixels with a disparity, in all three frames.
    density() {
        python3 - "$@" <<'PYTHON'
import struct, sys
found = count = 0
for path in sys.argv[1:]:
    data = open(path, "rb").read().split(b"\n", 3)[3]
    values = struct.unpack("<%df" % (len(data) // 4), data)
    found += sum(v != float("inf") for v in values)
    count += len(values)
print(round(100 * found / count))
PYTHON
    }
    run 0 "${pictures[@]}" -o "$WORK/before_%d.pfm"
    before=$(density "$WORK"/before_?.pfm)
    check "unrectified pictures are reported: 12 to 14 rows, which other features give too" \
        grep -Eq 'warning: the right picture lies 1[2-3]\.[0-9] px lower .*--row-shift 1[2-3]' "$WORK/output"
    run 0 "${pictures[@]}" --calibration "$files" --stats "$WORK/euroc.json" -o "$WORK/after_%d.pfm"
    after=$(density "$WORK"/after_?.pfm)
    check "the calibration is reported" grep -q 'calibration: ASL sensor.yaml, rectified to f 4.* px, baseline 0.110 m' "$WORK/output"
    check "rectified, 0.3 rows or less are left" python3 -c "import json, sys
s = json.load(open(sys.argv[1])); assert abs(s['vertical_offset_px']) <= 0.3 and s['vertical_offset_points'] > 30, s" "$WORK/euroc.json"
    check "more than twice as many pixels have a disparity: $before % and $after %" test $((2 * before)) -lt "$after"
    check "alpha 1 shows all that was seen" run 0 "${pictures[@]}" --calibration "$files" --rectify-alpha 1 -o "$WORK/all_%d.pfm"
    check "at a shorter focal length" grep -Eq 'rectified to f [123]' "$WORK/output"
else
    skipped "real pictures, rectified" "they are not here"
fi
finish
