#!/bin/bash
# Calibration with a board in the window: --calibrate, with recordings of a board that is drawn. Each pair of a recording
# is searched, so what is found does not depend on how fast this machine is. $BOARD is another board (default: 9x6:25mm).
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh && . tests/support/board.sh
need_window "calibrating in the window"

# The pair with a cheap method, and files to save. Without the row correction: what it has found may change between a
# snapshot and a saved calibration.
pair=(-f left.mkv right.mkv -m ssd -d 0:63 --scale 1/4 --rows off)
board=${BOARD:-9x6:25mm}
how=(--calibrate "$board" --save-calibration rig.yaml --save-calibration left.yaml,right.yaml)

# of_result: a snapshot of the map with the calibration.
of_result() { snapshot && stem=${picture%.color.png} && [ -e "$stem.calibration.yaml" ]; }
# same ARGUMENT...: they give the map of that snapshot.
same() { run 0 --headless "$@" -o "$WORK/same.color.png" && cmp "$picture" same.color.png; }
saved() { press G && grep -q 'saved rig.yaml' log && grep -q 'saved left.yaml,right.yaml' log; }

need_opencv "$board"
check "the board is printed" record_board "$board"
cd "$WORK" || exit 1

# Without the temporal filter, as the runs that read the files back: each matches one frame.
launch --temporal off "${pair[@]}" "${how[@]}"
xdotool windowsize "$window" 640 480 # which is drawn more quickly
check "views are taken until nothing is missing" wait_until grep -q 'enough views: Enter calibrates' log
check "one of each pose" wait_until grep -q 'view 11 of the board' log
press Return
check_solved 0.15 59.5 60.5
check "without the view that was late on one side" grep -q 'frame 21 was dropped: the board is elsewhere' log
press space
check "the map is that of the result" wait_until of_result
check "which can be repeated" same --settings "$stem.yaml"
check "nothing is saved before it is asked for" [ ! -e rig.yaml ]
check "then both formats are" wait_until saved
check "it ends well" quit
check "the file is read back" same "${pair[@]}" --frames "$frame:$((frame + 1))" --calibration rig.yaml
check "so is the other format" same "${pair[@]}" --frames "$frame:$((frame + 1))" --calibration left.yaml,right.yaml
check "in millimetres" within "$(sed -nE 's/.*baseline ([0-9.]+) m.*/\1/p' output)" 0.0595 0.0605

# Cameras that are swapped are calibrated well. What is wrong is named as that, and not as rows that are off.
launch -v -f right.mkv left.mkv -m ssd -d 0:63 --scale 1/4 --calibrate "$board"
xdotool windowsize "$window" 640 480
wait_until grep -q 'enough views: Enter calibrates' log
press Return
check "swapped cameras are calibrated" wait_until grep -q 'calibrated: reprojection error' log
check "and reported" wait_until grep -q 'advice: Left and right seem to be swapped' log
wait_until grep -q 'view 11 of the board' log # by when other pairs were matched with the result
check "but not as rows that are off" bash -c '! grep "rows are off\|lies .* rows" log'
check "it ends well" quit

# ---- From the strip ----

# clicked NAME COMMAND...: clicks there, until the command succeeds; again only after a while, because a second click may
# undo what the first one did.
clicked() {
    local name=$1
    shift
    pressed_at=
    taken() {
        "$@" && return 0
        [ -n "$pressed_at" ] && ((SECONDS - pressed_at < patience / 5)) && return 1
        pressed_at=$SECONDS
        rest_on "$name" && press_button
        return 1
    }
    wait_until taken "$@"
}
# press_button: long enough for a frame to see it.
press_button() { xdotool mousedown 1 sleep 0.3 mouseup 1; }
logged() { grep -q "$1" log; }

is_pdf() { run 0 --board 9x6:25mm -o "$WORK/printed.pdf" && cmp "$WORK/printed.pdf" "$1"; }

if [ "$board" = 9x6:25mm ]; then # which the window offers first
    start -v "${pair[@]}" --save-calibration strip.yaml
    check "a cell of the strip offers to calibrate" clicked "cell calibration" logged 'panel: Calibrate with this board at'
    check "another one writes the board for printing" clicked "Write it for printing" logged 'wrote the board to stereoview_board_9x6.pdf'
    check "as the command line does" is_pdf stereoview_board_9x6.pdf
    check "its button begins to look for the board" clicked "Calibrate with this board" logged 'view 1 of the board'
    check "views are taken until nothing is missing" wait_until logged 'enough views: Enter calibrates'
    check "a button solves for the cameras" clicked Calibrate logged 'calibrated: reprojection error'
    check_solved 0.15 59.5 60.5
    strip_saved() { press G && grep -q 'saved strip.yaml' log; }
    check "the calibration is saved" wait_until strip_saved
    check "it ends well" quit
fi
finish
