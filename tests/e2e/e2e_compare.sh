#!/bin/bash
# Two sets of parameters on the same pair: the figures of --compare, and the window, by pictures of it.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

# A small pair, the maps of A and B, and another method's map, which stands for the truth.
small_pair
pair=(-f "$WORK/left.png" "$WORK/right.png")
a=(-m ssd -d 0:30)
b=(-m zncc -d 0:30 --rho 3)
run 0 --headless "${pair[@]}" "${a[@]}" -o "$WORK/a.pfm" -o "$WORK/a.color.png"
run 0 --headless "${pair[@]}" "${b[@]}" -o "$WORK/b.pfm" -o "$WORK/b.color.png"
run 0 --headless "${pair[@]}" -m sgm -d 0:30 -o "$WORK/truth.pfm"

# near TOLERANCE FIGURE...: they are those of $row, in their order; test_compare has them from their definition.
near() {
    python3 - "${row[*]}" "$@" <<'PYTHON'
import sys
expected, tolerance, *got = sys.argv[1].split(), *map(float, sys.argv[2:])
assert len(got) == len(expected) and all(abs(float(a) - b) < tolerance for a, b in zip(expected, got)), (expected, got)
PYTHON
}

# ---- Without a window ----

check "--compare matches twice" run 0 -q --headless "${pair[@]}" "${a[@]}" --compare zncc,rho=3 --truth "$WORK/truth.pfm" -o "$WORK/again.pfm"
read -r -a row < <(grep '^000000' output)
check "it has figures of both" test ${#row[@]} -ge 16
check "with the density of each map" awk "BEGIN { d = ${row[8]:-0} - ${row[1]} - ${row[4]}; e = ${row[9]:-0} - ${row[1]} - ${row[5]}
    exit !(d * d + e * e < 0.001) }"
check "it has the times of both" awk "BEGIN { exit !(${row[6]:-0} > 0 && ${row[7]:-0} > 0) }"
check "it names both sets, and what fills one" \
    bash -c "grep -q '^A: ssd$' output && grep -q '^B: zncc,rho=3 (fill=cross fills what has no match)$' output"
check "what is written is A" cmp again.pfm a.pfm
check "a parameter alone keeps the method" run 0 -q --headless "${pair[@]}" "${a[@]}" --compare rho=9
check "a parameter that the method does not have is refused" refused 2 'sgm has no rho' --headless "${pair[@]}" --compare sgm,rho=3
check "so is a range, which belongs to both" refused 2 'belongs to the scene' --headless "${pair[@]}" --compare disparities=0:9
check "and a benchmark" refused 2 'benchmark measures one set' --headless "${pair[@]}" --compare ssd --benchmark

# ---- The window ----

need_window "A|B in the window"
for map in a b; do ffmpeg -nostdin -v error -i $map.color.png -pix_fmt rgb24 $map.ppm; done
# part MAP FIRST END: columns of a map's picture.
part() { ffmpeg -nostdin -v error -i "$1.color.png" -vf "crop=$(($3 - $2)):240:$2:0" -pix_fmt rgb24 -y "$1_$2.ppm"; }
# sees X PICTURE [X PICTURE]: they are in the window, at the height of the map.
sees() {
    grab now.ppm || return 1
    while [ $# -gt 0 ]; do
        "$look" is now.ppm "$1" 245 "$2" || { sleep 0.2 && return 1; }
        shift 2
    done
}
soon() { wait_until sees "$@"; }

# In a view of 830 x 730 a picture of 320 x 240 begins at 255, 245, and the line is at 415.
printf 'layout: one\nview: disparity\n' >one.yaml
launch "${pair[@]}" --settings one.yaml "${a[@]}" --compare zncc,rho=3 --truth "$WORK/truth.pfm" --stats "$WORK/stats.json"
point 700 700
wait_until drawn
press 1
part a 0 158
part b 162 320
check "A is at the left of the line and B at its right" soon 255 a_0.ppm 417 b_162.ppm
xdotool mousemove --window "$window" 415 600 mousedown 1
for x in 400 370 335; do point $x 600; done
xdotool mouseup 1
point 700 700
part a 0 78
part b 82 320
check "the mouse moves the line" soon 255 a_0.ppm 337 b_82.ppm
press p
check "p shows A alone" soon 255 a.ppm
press p
check "then B alone" soon 255 b.ppm
shows "a snapshot is of B then" - "${pair[@]}" "${b[@]}"
run 0 --headless --settings "$(compgen -G 'stereoview_[0-9]*.yaml' | head -1)" -o "$WORK/repeated.pfm"
check "whose settings repeat B" cmp repeated.pfm b.pfm
xdotool keydown b
check "while b is held A is seen" soon 255 a.ppm
check "and B in the same place" soon 255 b.ppm
xdotool keyup b
stays() { sees 255 b.ppm && sleep 0.5 && sees 255 b.ppm; }
check "and then what it was" wait_until stays # for longer than a turn takes
check "q closes it" quit
figure() { sed -n "s/.*\"$1\": \([0-9.]*\).*/\1/p" stats.json; }
row=("${row[@]:1:5}" "${row[@]:10:2}")
figures=(compare_{both,over_1,over_2,only_a,only_b,a_bad1,b_bad1}_percent)
check "the window's figures are those of a run without one" near 0.006 $(for name in "${figures[@]}"; do figure "$name"; done)
check "and the times of both" test -n "$(figure compare_a_ms)" -a -n "$(figure compare_b_ms)"

# ---- The second set is changed ----

start "${pair[@]}" --settings one.yaml "${a[@]}"
press a p p m m r # the panel changes B, which begins as A and is seen alone
shows "a begins a second set, which the keys change" - "${pair[@]}" -m zncc -d 0:30 --rho 5
press x r d
shows "x changes A, and the range of both" - "${pair[@]}" -m zncc -d 0:38 --rho 5
press a
shows "a ends it, with A as it was changed" - "${pair[@]}" -m ssd -d 0:38 --rho 6
press a
rm one.yaml # which would be asked about
saved() { press Return && grep -q '^compare: "zncc,rho=5"' one.yaml; }
press ctrl+s
check "saving the settings writes B as --compare takes it" wait_until saved
drawn
check "q closes it" quit
finish
