#!/bin/bash
# Alignment without a board: --align, on rendered and on real pictures.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

demo=(-f assets/demo_left.mp4 assets/demo_right.mp4)
check "--fov alone is of no use" refused 2 '--fov needs --baseline' "${demo[@]}" --headless --fov 70
check "a calibration has both" refused 2 'cannot be combined with --calibration' "${demo[@]}" --headless --baseline 12cm --calibration x.yaml
check "--baseline needs --fov" refused 2 'needs --fov' "${demo[@]}" --align --baseline 12cm
check "--align takes one word" refused 2 "align takes only \[lens\], not '--align=lenses'" "${demo[@]}" --align=lenses
check "a length needs a unit" refused 2 '120mm' "${demo[@]}" --align --fov 70 --baseline 120
check "--align goes without a board" refused 2 '--align and --calibrate cannot be combined' "${demo[@]}" --align --calibrate 9x6:25mm
check "a calibration is not looked for twice" refused 2 'cannot be combined with --calibration' "${demo[@]}" --align --headless --calibration x.yaml
check "depth needs a baseline" refused 2 'or --baseline' "${demo[@]}" --align --headless -o "$WORK/x.depth.png"
check "without an alignment, too" refused 2 'needs --fov' "${demo[@]}" --headless --baseline 12cm
write_calibration "$WORK/pinholes.txt"
sed -i 's/cam\([01]\)=.*/cam\1=[320 0 320; 0 320 240; 0 0 1]/' "$WORK/pinholes.txt"
check "a file of rectified cameras" run 0 -q "${demo[@]}" --headless --frames 0:1 --calibration "$WORK/pinholes.txt" -o "$WORK/file.depth.png"
check "a field of view and a baseline" run 0 -q "${demo[@]}" --headless --frames 0:1 --fov 90 --baseline 20cm -o "$WORK/fov.depth.png"
check "give the same depth" cmp "$WORK/file.depth.png" "$WORK/fov.depth.png"
check "swapped pictures are refused by name" refused 1 'left and right are swapped' -f assets/demo_right.mp4 assets/demo_left.mp4 \
    --frames 0:4 --headless --align --save-calibration "$WORK/none.yaml"
check "and nothing is saved" [ ! -e "$WORK/none.yaml" ]
check "one flat picture is refused" refused 1 'on one plane' -f assets/demo_left.mp4 assets/demo_left.mp4 --frames 0:2 --headless --align

# offset ARGUMENT...: of the rows, in pixels, as a headless run measures it.
offset() { run 0 --headless "$@" && sed -nE 's/.*vertical offset (-?[0-9.]+) px.*/\1/p' "$WORK/output" | tail -n 1; }
# rows MOST ARGUMENT...: they are off by no more.
rows() {
    local off
    off=$(offset "${@:2}")
    awk -v off="$off" -v most="$1" 'BEGIN { exit !(off != "" && off <= most && off >= -most) }' && return 0
    echo "the rows are off by '$off'" && cat "$WORK/output" && return 1
}
check "rectified pictures are aligned" run 0 "${demo[@]}" --frames 0:6 --headless --align --fov 60 --baseline 12cm --save-calibration "$WORK/demo.yaml"
check "the line before names what metres follow from" \
    grep -q 'metres follow from a baseline of 0.12 m (--baseline) and a field of view of 60 degrees (--fov)' "$WORK/output"
check "and what takes a while" grep -q 'aligning the cameras with up to 20 pairs' "$WORK/output"
check "and stay so" rows 0.2 "${demo[@]}" --frames 0:1 --calibration "$WORK/demo.yaml"
check "in metres" grep -q 'baseline 0.120 m' "$WORK/output"

# The 35 mm equivalent focal length in the tags of files: 26 mm are 67.3 degrees across.
# names FILE TAG: copies of a few pictures of the demo, left_FILE and right_FILE, have the tag.
names() {
    local side
    for side in left right; do
        ffmpeg -nostdin -v error -i assets/demo_$side.mp4 -c copy -frames:v 2 -movflags use_metadata_tags -metadata "$2" \
            -y "$WORK/${side}_$1" || return 1
    done
}
# assumed FILE DEGREES ARGUMENT...: the run reports that field of view.
assumed() {
    run 0 --headless -f "$WORK/left_$1" "$WORK/right_$1" --align "${@:3}" --save-calibration "$WORK/named.yaml" &&
        grep -q "field of view.* $2[0-9.]* degrees, " "$WORK/output"
}
apple=com.apple.quicktime.camera.focal_length.35mm_equivalent
check "videos that name their focal length" names apple.mov $apple=26
check "need no --fov" assumed apple.mov '67.3' --baseline 12cm
check "to give metres" run 0 --headless "${demo[@]}" --frames 0:1 --calibration "$WORK/named.yaml"
check "with that focal length" grep -Eq 'rectified to f 4[78][0-9.]* px, baseline 0.120 m' "$WORK/output"
check "--fov overrides it" run 0 --headless -f "$WORK/left_apple.mov" "$WORK/right_apple.mov" --align --fov 60
check "without a word" bash -c "! grep -q 'field of view' '$WORK/output'"
from_demo "$WORK/SIDE_exif.jpg" -frames:v 1 -q:v 2
# A JPEG's bytes with an EXIF segment: one directory, with one entry, in another.
check "pictures with EXIF" python3 - "$WORK/left_exif.jpg" "$WORK/right_exif.jpg" <<'PYTHON'
import struct, sys
exif = struct.pack("<2sHL HHHLLL HHHLHHL", b"II", 42, 8, 1, 0x8769, 4, 1, 26, 0, 1, 0xA405, 3, 1, 26, 0, 0)
for path in sys.argv[1:]:
    data = open(path, "rb").read()
    open(path, "wb").write(data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 8) + b"Exif\0\0" + exif + data[2:])
PYTHON
check "name theirs" assumed exif.jpg '67.3'

# The right camera is turned about its axis.
turned=(-f assets/demo_left.mp4 "$WORK/turned.mkv")
ffmpeg -nostdin -v error -i assets/demo_right.mp4 -frames:v 8 -vf rotate=0.02 -c:v ffv1 -y "$WORK/turned.mkv"
check "maps are made with the alignment" run 0 --headless "${turned[@]}" --align --fov 60 -m ssd -d 0:60 --frames 0:8 \
    -o "$WORK/aligned_%d.pfm" --save-calibration "$WORK/turned.yaml"
check "that is reported" grep -Eq 'about x, y, z: .*, .*, -?1.1[0-9]* \+-' "$WORK/output"
check "and with the file that is saved" run 0 --headless "${turned[@]}" --calibration "$WORK/turned.yaml" --rectify-alpha 0 \
    -m ssd -d 0:60 --frames 0:2 -o "$WORK/again_%d.pfm"
check "they are the same" bash -c "cmp '$WORK/aligned_0.pfm' '$WORK/again_0.pfm' && cmp '$WORK/aligned_1.pfm' '$WORK/again_1.pfm'"
check "two sets are compared with it" run 0 -q --headless "${turned[@]}" --align --fov 60 -m ssd -d 0:60 --frames 0:2 \
    --compare ssd
check "which is the same for both" awk '/^00000[01]/ { n += $3 == 0 && $5 == 0 && $6 == 0 } END { exit n != 2 }' "$WORK/output"
check "in the window one begins after the other" refused 2 'cannot be combined with --compare' "${turned[@]}" --align --compare ssd
check "and their rows are level" rows 0.3 "${turned[@]}" --frames 0:1 --calibration "$WORK/turned.yaml"

finish
