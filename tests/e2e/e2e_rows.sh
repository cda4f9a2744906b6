#!/bin/bash
# --rows: rows that are off by up to three pixels are measured and corrected, by every part of a run in the same way.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

demo=(-f assets/demo_left.mp4 assets/demo_right.mp4)
for value in on 1,2,3 1,2,3,4,5,6,7 1,2,3,4,5,x 1,2,3,4,5,101 nan,0,0,0,0,0 ''; do
    check "--rows refuses '$value'" refused 2 '--rows takes auto, off, or six numbers' "${demo[@]}" --headless --rows "$value"
done

# tilt FILE ANGLE: a few right pictures of the demo, turned by so many radians about the middle.
tilt() {
    ffmpeg -nostdin -v error -i assets/demo_right.mp4 -frames:v 6 -vf "rotate=$2" -c:v ffv1 -y "$WORK/$1"
}
match=(--headless -m ssd -d 0:60)
tilted=("${match[@]}" -f assets/demo_left.mp4 "$WORK/tilted.mov")
same() {
    local i
    for i in 0 1 2 3 4 5; do cmp "$WORK/$1_$i.pfm" "$WORK/$2_$i.pfm" || return 1; done
}
# bad1 ARGUMENT...: percent of the pixels of the first frame that are wrong by more than a pixel or have no value.
bad1() { run 0 --headless -d 0:60 --frames 0:1 "$@" --truth "$WORK/truth_%d.pfm" && awk '$1 == "000000" { print $3 }' "$WORK/output"; }

check "a right picture that is turned by a tenth of a degree" tilt tilted.mov 0.002
check "is corrected" run 0 "${tilted[@]}" -o "$WORK/auto_%d.pfm" --stats "$WORK/auto.json"
check "and said to be" grep -Eq "off by -0\.[5-8][0-9] to \+0\.[5-8][0-9] px \([0-9]+ points\) and are corrected; --rows off" "$WORK/output"
terms=$(sed -nE 's/.*"row_correction_[0-5]": (-?[0-9.]+),?$/\1/p' "$WORK/auto.json" | paste -sd,)
check "by the numbers in --stats" run 0 "${tilted[@]}" --rows "$terms" -o "$WORK/given_%d.pfm"
check "which give the same bytes" same auto given
check "without measuring" bash -c "! grep -q 'are corrected' '$WORK/output'"
check "off leaves the rows" run 0 "${tilted[@]}" --rows off -o "$WORK/off_%d.pfm"
check "without a word" bash -c "! grep -q 'are corrected' '$WORK/output'"
check "which is another map" bash -c "! cmp -s '$WORK/off_0.pfm' '$WORK/auto_0.pfm'"

# The window measures while it plays, and switches to the corrected rows.
if [ -n "${DISPLAY:-}" ]; then
    "$program" -f assets/demo_left.mp4 "$WORK/tilted.mov" -m ssd -d 0:60 --loop --stats "$WORK/window.json" >"$WORK/log" 2>&1 &
    window=$!
    corrected() {
        for ((i = 0; i < 10 * patience; i++)); do
            grep -q 'are corrected; --rows off' "$WORK/log" && return
            kill -0 $window || break
            sleep 0.1
        done
        cat "$WORK/log" && return 1
    }
    check "the window corrects the rows" corrected
    kill -INT $window
    wait $window
    check "by about the same numbers" grep -Eq '"row_correction_1": 0\.6[0-9]*' "$WORK/window.json"
    check "once" [ "$(grep -c 'are corrected' "$WORK/log")" = 1 ]
    "$program" -f assets/demo_left.mp4 "$WORK/tilted.mov" -m ssd -d 0:60 --compare ssd,rho=3 --loop >"$WORK/log" 2>&1 &
    window=$!
    check "also where two sets are compared" corrected
    kill -INT $window
    wait $window
    check "which ends well" test $? = 0
    # Pictures, which are measured before the correction and after it, when nothing else comes.
    ffmpeg -nostdin -v error -i assets/demo_left.mp4 -frames:v 1 "$WORK/left.png"
    ffmpeg -nostdin -v error -i assets/demo_right.mp4 -frames:v 1 -vf crop=640:478:0:0,pad=640:480:0:2 "$WORK/lower.png"
    levelled() {
        local seconds
        for seconds in 1 4 16 64; do
            "$program" "$WORK/left.png" "$WORK/lower.png" -m ssd -d 0:60 --stats "$WORK/window.json" >"$WORK/log" 2>&1 &
            window=$!
            corrected || return
            sleep $seconds
            kill -INT $window
            wait $window
            grep -E '"rig_rows": -?0\.[01]' "$WORK/window.json" && return
        done
        cat "$WORK/window.json" && return 1
    }
    check "pictures are measured again with level rows" levelled
else
    skipped "rows in the window" "no X server or no xdotool"
fi

check "the truth of the demo is rendered" "$BUILD/assets/make_demo" --truth "$WORK/truth_%d.pfm" --frames 0:1
off=$(bad1 -f assets/demo_left.mp4 "$WORK/tilted.mov" --rows off)
auto=$(bad1 -f assets/demo_left.mp4 "$WORK/tilted.mov")
check "and less than half as many pixels are wrong" within "$auto" 0 "$(awk -v off="$off" 'BEGIN { print off / 2 }')"

# Rows that are three pixels off hide the disparities of small pictures, or pretend others.
small() { ffmpeg -nostdin -v error -i "assets/demo_$1.mp4" -frames:v 1 -vf "scale=384:-2$2" "$WORK/small_$1.png"; }
check "small pictures" small left ''
check "with rows that are three pixels off" small right ',crop=iw:ih-3:0:0,pad=iw:ih+3:0:3'
check "are matched" run 0 --headless -f "$WORK/small_left.png" "$WORK/small_right.png"
check "with the disparities that they have once their rows are level" \
    grep -Eq 'disparities 0:(31|39|47), found in 1 pair with level rows' "$WORK/output"

# Parts of a run, and a run of other frames, in which the rows could be measured to be a little different.
check "the last of three parts" run 0 "${tilted[@]}" --shard 3/3 -o "$WORK/part_%d.pfm"
check "has the correction of the whole" cmp "$WORK/auto_5.pfm" "$WORK/part_5.pfm"
check "a run that can be resumed" run 0 "${tilted[@]}" --frames 0:3 --resume -o "$WORK/go_%d.pfm"
check "keeps its correction" grep -q '^rows: "-\?[0-9.]*,' "$WORK/go_%d.pfm.yaml"
check "and is resumed" run 0 "${tilted[@]}" --resume -o "$WORK/go_%d.pfm"
check "with it" bash -c "! grep -q 'are corrected' '$WORK/output'"
check "not without it" refused 1 "has 'rows: .*, not 'rows: .off" "${tilted[@]}" --rows off --resume -o "$WORK/go_%d.pfm"

# The correction of a calibration is where the measurement begins.
check "a calibration" run 0 --headless "${demo[@]}" --frames 0:1 --align --fov 60 --save-calibration "$WORK/rig.yaml"
printf 'stereoview_rows: !!opencv-matrix\n  rows: 1\n  cols: 6\n  dt: d\n  data: [0.6, 0, 0, 0, 0, 0]\n' >>"$WORK/rig.yaml"
# first: the first term of the correction that is in use.
first() { sed -nE 's/.*"row_correction_0": (-?[0-9.]+),?$/\1/p' "$WORK/with.json"; }
with=("${match[@]}" "${demo[@]}" --frames 0:1 --calibration "$WORK/rig.yaml" -o "$WORK/with_%d.pfm" --stats "$WORK/with.json")
check "with a row correction that is wrong" run 0 "${with[@]}"
check "is corrected" grep -q 'off by -0.[4-7].* are corrected' "$WORK/output"
check "to none" within "$(first)" -0.15 0.15
check "a benchmark measures nothing" run 0 "${with[@]}" --benchmark
check "and has that of the calibration" within "$(first)" 0.6 0.6
check "off leaves it out" run 0 "${with[@]}" --rows off
check "too" within "$(first)" 0 0

check "level rows stay as they are" run 0 "${match[@]}" "${demo[@]}" --frames 0:6 -o "$WORK/level_%d.pfm"
check "without a word" bash -c "! grep -q 'are corrected' '$WORK/output'"
check "to the byte" run 0 "${match[@]}" "${demo[@]}" --frames 0:6 --rows off -o "$WORK/plain_%d.pfm"
check "as with --rows off" same level plain

check "a right picture that is turned by half a degree" tilt turned.mov 0.01
check "is corrected, too" run 0 "${match[@]}" -f assets/demo_left.mp4 "$WORK/turned.mov" -o "$WORK/turned_%d.pfm"
check "by up to three pixels" grep -Eq "off by -[23]\.[0-9]+ to \+[23]\.[0-9]+ px .* are corrected" "$WORK/output"
check "a right picture that is turned by a degree" tilt turned.mov 0.02
check "needs an alignment" run 0 "${match[@]}" -f assets/demo_left.mp4 "$WORK/turned.mov" -o "$WORK/turned_%d.pfm"
check "which a warning says" grep -Eq "off by -[0-9.]+ to \+[0-9.]+ px, which --rows does not correct; --align" "$WORK/output"
finish
