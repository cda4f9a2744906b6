#!/bin/bash
# The temporal filter: a frame has the same map however it is reached, and nothing is written for the frames before it.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

plain=(--headless --demo -m sgm -d 0:47 --scale 1/2)
common=("${plain[@]}" --temporal 4)
mkdir whole off some parts holes one
differ() { ! cmp -s "$1" "$2"; }
# same_as_whole FOLDER NUMBER...: it has these maps, those of the straight run, and no others.
same_as_whole() {
    local folder=$1 n
    shift
    [ "$(cd "$folder" && echo *.pfm)" = "$(printf '%s.pfm ' "$@" | sed 's/ $//')" ] || return 1
    for n; do cmp "$folder/$n.pfm" "whole/$n.pfm" || return 1; done
}

check "a straight run" run 0 "${common[@]}" --frames 0:16 -o whole/%03d.pfm
check "without the filter" run 0 "${plain[@]}" --frames 0:16 -o off/%03d.pfm
check "it is off unless asked for" run 0 "${plain[@]}" --temporal off --frames 5:6 -o one/%03d.pfm
check "with the same map" cmp one/005.pfm off/005.pfm
check "the first frame has none before it" cmp whole/000.pfm off/000.pfm
for n in 001 007 015; do check "frame $n is filtered" differ whole/$n.pfm off/$n.pfm; done

check "some frames alone" run 0 "${common[@]}" --frames 9:11 -o some/%03d.pfm
check "are the same two" same_as_whole some 009 010
check "near the beginning, too" run 0 "${common[@]}" --frames 2:3 -o some/%03d.pfm
check "and the only ones" same_as_whole some 002 009 010
check "one file without a number" run 0 "${common[@]}" --frames 9:10 -o single.pfm
check "is the same" cmp single.pfm whole/009.pfm
check "the line at the end counts what is written" grep -Eq 'done: 1 frame,.* 1 file written' output

for i in 1 2 3; do check "part $i of 3" run 0 "${common[@]}" --frames 0:16 --shard $i/3 -o parts/%03d.pfm; done
check "the parts are the whole" same_as_whole parts $(seq -f %03g 0 15)

check "a run that is to be resumed" run 0 "${common[@]}" --frames 0:16 -o holes/%03d.pfm --resume
rm holes/{000,004,005,011,015}.pfm
check "is resumed" run 0 "${common[@]}" --frames 0:16 -o holes/%03d.pfm --resume
check "with what was missing" grep -Eq 'done: 5 frames,.* 11 frames there already' output
check "the same as before" same_as_whole holes $(seq -f %03g 0 15)

# A and B are the same, so all of their values agree.
check "both sets of a comparison begin earlier" run 0 "${common[@]}" --frames 9:10 --compare sgm
check "and have the same map" grep -Eq '^000009 .* 0\.00 +0\.00 +0\.00 +0\.00 ' output

# ---- In the window, where it is on ----

need_window "the temporal filter of the window"
shots=$WORK/shots
launch --demo -m sgm -d 0:47 --scale 1/2 --snapshots "$shots" # start turns the filter off
drawn
press space
# looks_back: a snapshot of a map that looks back over all frames, whose stem is $stem.
looks_back() { snapshot && stem=${picture%.color.png} && grep -qx 'temporal: 5' "$stem.yaml"; }
# as_headless: it is the map of a run without a window.
as_headless() {
    wait_until looks_back || return 1
    run 0 "${plain[@]}" --temporal 5 --frames "$frame:$((frame + 1))" -o "$WORK/straight.pfm" && cmp "$stem.pfm" straight.pfm
}
check "a frame of the window, once it rests, has the map of a run without one" as_headless
press Left
check "and after a jump" as_headless
press comma
check "and a step back" as_headless
press period
check "and forward" as_headless
check "its settings repeat it" run 0 -q --headless --settings "$stem.yaml" -o again.pfm
check "to the byte" cmp again.pfm "$stem.pfm"
check "it closes well" quit
finish
