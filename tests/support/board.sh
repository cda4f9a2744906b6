# What the scripts that calibrate with a board in the window share: sourced after tests/e2e/e2e.sh. They run in $WORK.

# need_opencv BOARD: ends a script whose program was built without OpenCV.
need_opencv() {
    run 3 --headless --demo --frames 0:1 --calibrate "$1" && grep -q 'without OpenCV' "$WORK/output" || return 0
    check "a build without OpenCV says what is missing in the window too" refused 3 'libopencv-dev' --demo --calibrate "$1"
    skipped "boards are found" "this program was built without OpenCV"
    finish
}
# record_board BOARD: writes left.mkv and right.mkv, what two cameras see of the board as it is printed.
record_board() {
    local side filter
    run 0 --board "$1" -o "$WORK/board.pdf" || return 1
    tests/support/board_recording.py "$WORK/board.pdf" "$WORK/board.pgm" >"$WORK/filters" || return 1
    for side in left right; do
        read -r filter
        ffmpeg -nostdin -v error -loop 1 -framerate 3 -i "$WORK/board.pgm" -vf "$filter" -frames:v 22 -pix_fmt gray \
            -c:v ffv1 -y "$WORK/$side.mkv" || return 1
    done <"$WORK/filters"
}
# figure PATTERN: the number after it in the log.
figure() { sed -nE "s/.*$1 *(-?[0-9.]+).*/\1/p" log | tail -n 1; }
# check_solved ERROR LEAST MOST: the cameras are calibrated, with a reprojection error of at most ERROR pixels and a
# baseline from LEAST to MOST millimetres.
check_solved() {
    check "the cameras are calibrated" wait_until grep -q 'calibrated: reprojection error' log
    check "as exactly as they were drawn" within "$(figure 'reprojection error')" 0.001 "$1"
    check "with rows that are aligned" within "$(figure 'rows off by')" 0 0.05
    check "with their baseline" within "$(figure 'baseline')" "$2" "$3"
}
