#!/bin/bash
# Calibration with a board: --calibrate and --save-calibration, on real pictures of boards.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

# ---- What is refused ----

pair=(-f assets/demo_left.mp4 assets/demo_right.mp4)
check "the message for an invalid board explains how to name one" refused 2 '9x6:25mm' "${pair[@]}" --calibrate 9x6
check "an unknown lens is refused" refused 2 '5, 8 .* fisheye' "${pair[@]}" --calibrate 9x6:25mm --lens 6
check "--lens needs a board" refused 2 'needs --calibrate' "${pair[@]}" --lens 8
check "--save-calibration needs something to save" refused 2 'needs --calibrate' --headless "${pair[@]}" --save-calibration "$WORK/x.yaml"
check "nothing is matched" refused 2 'matches nothing' "${pair[@]}" --calibrate 9x6:25mm --headless -o "$WORK/x.pfm"
check "a missing folder is named" refused 1 'nowhere' "${pair[@]}" --calibrate 9x6:25mm --save-calibration "$WORK/nowhere/x.yaml"
cp assets/demo_left.mp4 "$WORK/left.mp4"
check "so is a file that is read" refused 2 'would overwrite' -f "$WORK/left.mp4" assets/demo_right.mp4 --calibrate 9x6:25mm \
    --save-calibration "$WORK/y.yaml,$WORK/left.mp4"

if run 3 "${pair[@]}" --headless --frames 0:1 --calibrate 9x6:25mm && grep -q 'without OpenCV' "$WORK/output"; then
    check "a build without OpenCV says what is missing" grep -q 'libopencv-dev' "$WORK/output"
    skipped "boards are found" "this program was built without OpenCV"
    finish
fi
check "pictures without a board are reported" refused 1 'only 0 of 0 views of the board can be used, and 4 are needed' "${pair[@]}" \
    --headless --calibrate 9x6:25mm --frames 0:3 --save-calibration "$WORK/none.yaml"
check "and nothing is saved" [ ! -e "$WORK/none.yaml" ]

# ---- Real boards ----

patience=900 # that with the most views takes half a minute of processor time

if [ ! -d "$data/calib" ]; then
    skipped "real boards" "they are not here"
    finish
fi

# figure PATTERN: the first number after the pattern in what the program printed.
figure() { sed -nE "s/.*$1 *(-?[0-9.]+).*/\1/p" "$WORK/output" | head -n 1; }
# solved ERROR FOCAL BASELINE: at most that reprojection error, and the others within one percent.
solved() {
    within "$(figure 'reprojection error')" 0.01 "$1" &&
        within "$(figure 'left camera: focal length')" "$(awk "BEGIN { print .99 * $2 }")" "$(awk "BEGIN { print 1.01 * $2 }")" &&
        within "$(figure 'baseline:')" "$(awk "BEGIN { print .99 * $3 }")" "$(awk "BEGIN { print 1.01 * $3 }")"
}
# aligned MOST ARGUMENT...: the rows of the pair are aligned to that many pixels.
aligned() {
    local most=$1
    shift
    run 0 --headless "$@" && within "$(figure 'vertical offset')" "-$most" "$most"
}

samples=$data/calib/opencv_samples_left_right
files=(-f "$samples/left[0-9]*.jpg" "$samples/right[0-9]*.jpg")
check "the cameras of OpenCV's samples are calibrated" run 0 "${files[@]}" --headless --calibrate 9x6:25mm --save-calibration "$WORK/samples.yaml" \
    --save-calibration "$WORK/left.yaml,$WORK/right.yaml"
check "as well as they can be" solved 0.47 536 83.5
if /usr/bin/python3 -c 'import cv2, numpy' 2>/dev/null; then
    check "OpenCV reads what is saved" /usr/bin/python3 - "$WORK/samples.yaml" <<'PYTHON'
import cv2, sys
file = cv2.FileStorage(sys.argv[1], cv2.FILE_STORAGE_READ)
assert file.getNode("M1").mat().shape == (3, 3) and file.getNode("P2").mat().shape == (3, 4)
assert abs(file.getNode("T").mat()[0, 0] + 0.0833) < 0.001
PYTHON
else
    skipped "OpenCV reads what is saved" "python3-opencv is not installed"
fi
check "rows are aligned with it" aligned 0.3 "${files[@]}" --frames 0:2 --calibration "$WORK/samples.yaml"
check "and with ROS's files" aligned 0.3 "${files[@]}" --frames 0:2 --calibration "$WORK/left.yaml,$WORK/right.yaml"
check "in metres" grep -q 'camera_info.*baseline 0.083 m' "$WORK/output"

# What is found of a smaller board is a part of the larger one, with the same squares. A larger one is not there.
check "a part of the board is a board" run 0 "${files[@]}" --headless --calibrate 8x6:25mm --save-calibration "$WORK/part.yaml"
check "with the same result" solved 0.47 536 83.5
check "pictures without it are named" grep -Eq 'left01.jpg \(frame 0\): the board is not in the left picture' "$WORK/output"
check "a board of another size is not found" refused 1 'check its name: 9x6 are inner corners' \
    "${files[@]}" --headless --calibrate 10x6:25mm --save-calibration "$WORK/none.yaml"
check "and nothing is saved" [ ! -e "$WORK/none.yaml" ]

mkdir "$WORK/wrong"
cp "$samples"/{left,right}0[1-8].jpg "$WORK/wrong"
cp "$samples/right05.jpg" "$WORK/wrong/right03.jpg"
inside() { (cd "$WORK/wrong" && run 0 -f left0%d.jpg right0%d.jpg --headless --calibrate 9x6:25mm); }
check "a wrong picture is found" inside
check "and named" grep -Eq '^ +2 .* left03.jpg  dropped: the board is elsewhere' "$WORK/output"
check "without --save-calibration a new file is written" grep -q 'saved stereoview_rig.yaml' "$WORK/output"
cp "$WORK/wrong/stereoview_rig.yaml" "$WORK/first.yaml"
check "and another one the next time" inside
check "with the next number" grep -q 'calibrated with' "$WORK/wrong/stereoview_rig_2.yaml"
check "and the first stays" cmp "$WORK/first.yaml" "$WORK/wrong/stereoview_rig.yaml"

check "two views in one picture are calibrated" run 0 -s "$data/calib/stereopi_sbs_640x240/scene_640x240_%d.png" --headless --calibrate 9x6:25mm --save-calibration "$WORK/both.yaml"
check "as well" solved 0.18 300 58
ximea=$data/calib/ximea_chessboard_25
check "swapped cameras are calibrated" run 0 -f "$ximea/left*.jpg" "$ximea/right*.jpg" --headless --calibrate 9x6:25mm --frames 0:7 --save-calibration "$WORK/swapped.yaml"
check "and named" grep -q 'the cameras are swapped' "$WORK/output"

finish
