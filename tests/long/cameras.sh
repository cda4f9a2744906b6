#!/bin/bash
# The program with two cameras of the kernel's vivid driver, /dev/video0 and /dev/video1: run by tests/long/check-cameras in
# its machine, which is slow, so the program is started as rarely as possible.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

export SV_TEST_CAMERAS="/dev/video0 /dev/video1"
cameras=(--headless -c /dev/video0 /dev/video1 --size 320x180 --rate 10 -d 0:7)

# ---- The source by itself ----

"$BUILD/tests/test_camera" >"$WORK/unit" 2>&1
grep -q 'test(s) run' "$WORK/unit" || not_ok "cameras: the tests come to their end" "$(tail -3 "$WORK/unit")"
while read -r word result test; do
    case $result in
    OK) ok "cameras: ${test//_/ }" ;;
    SKIPPED) not_ok "cameras: ${test//_/ }" "skipped, though there are cameras" ;;
    FAILED)
        not_ok "cameras: ${test//_/ }" "$(grep -B 2 "FAILED  \] $test" "$WORK/unit" | head -2 | tr '\n' ' ')"
        ;;
    esac
done < <(sed -n '/ test(s) run\./q; s/^\[ *\(OK\|FAILED\|SKIPPED\) *\] /- \1 /p' "$WORK/unit")

# ---- The program ----

check "--list-cameras names both and what they can do" bash -c "'$program' --list-cameras >'$WORK/list' &&
    [ \$(grep -c '^/dev/video[01]: vivid' '$WORK/list') = 2 ] && grep -A 2 yuyv422 '$WORK/list' | grep -q '320x180.* 25 .*fps'"
check "and their controls" grep -Eq '^  control gain: 0 to 255, is [0-9]+, default' "$WORK/list"
check "an unknown control is refused" refused 2 "video0: the camera has no control 'shutter'" "${cameras[@]}" \
    --control shutter=3
check "so is a value out of range" refused 2 "gain takes 0 to 255, not '300'" "${cameras[@]}" --control gain=300
for camera in 0 1; do v4l2-ctl -d /dev/video$camera -c gain_automatic=1; done
check "what is automatic is refused" refused 1 'video0: gain is set automatically' "${cameras[@]}" --control gain=20
check "controls are set, of both cameras and of one" run 0 "${cameras[@]}" --frames 0:1 --control gain_automatic=off \
    --control gain=20 --control right:gain=30
value() { v4l2-ctl -d "/dev/video$1" -C "$2" | cut -d ' ' -f 2; }
values() { echo "$(value 0 "$1") $(value 1 "$1")"; }
check "as v4l2-ctl reads them: gain $(values gain)" [ "$(values gain)" = "20 30" ]
v4l2-ctl -d /dev/video1 -c gain_automatic=1
check "they are made equal" run 0 "${cameras[@]}" --frames 0:1 --control equal
check "to those of the left one: gain $(values gain)" [ "$(values gain)" = "20 20" ]
check "and locked: $(values gain_automatic)" [ "$(values gain_automatic)" = "0 0" ]
check "no such camera ends with status 3" refused 3 'video7: there is no such device' \
    --headless -c /dev/video0 /dev/video7
check "one camera gives both pictures" run 0 --headless -c /dev/video0 --size 640x360 --rate 5 --pixel-format grey \
    -d 0:7 --frames 0:3 -o "$WORK/one_%d.pfm"
check "each has half of its width" grep -aqx '320 360' "$WORK/one_2.pfm"

# The right camera is removed during capture and comes back.
{
    for ((i = 0; i < 300; i++)); do
        sleep 0.2
        [ -s "$WORK/live_000005.pfm" ] && break
    done
    v4l2-ctl -d /dev/video1 -c gain_automatic=1
    v4l2-ctl -d /dev/video1 -c disconnect=1
} &
check "60 pairs are captured, through an unplugging" run 0 "${cameras[@]}" --frames 0:60 -o "$WORK/live_%06d.pfm" \
    --stats "$WORK/stats.json" --control equal
wait
written=("$WORK"/live_*.pfm)
check "each is numbered" test "${#written[@]} ${written[59]##*/}" = "60 live_000059.pfm"
check "the unplugged camera is reported" grep -q '/dev/video1: the camera is disconnected' "$WORK/output"
check "and that it came back" grep -q '/dev/video1: pictures arrive again' "$WORK/output"
check "with its gain made equal again: $(values gain), $(values gain_automatic)" \
    [ "$(values gain), $(values gain_automatic)" = "20 20, 0 0" ]
# ---- A recording ----

# each FOLDER: a hash for each of its maps.
each() { md5sum "$1"/*.pfm | cut -c1-32 | sort; }
mkdir "$WORK/live" "$WORK/back"
check "the cameras are recorded while they are matched" run 0 "${cameras[@]}" --frames 0:12 --record "$WORK/field.mkv" \
    -o "$WORK/live/%03d.pfm"
# By its name only: what begins with /dev/ is taken for a camera. In a slow machine, the driver sends pictures almost at
# once, whose time stamps are doubted.
plays_back() {
    (cd "$WORK" && run 0 --headless -s field.mkv -d 0:7 -o "$WORK/back/%03d.pfm") ||
        grep 'the time stamp of frame .* does not fit' "$WORK/output"
}
check "the recording plays back" plays_back
# It may hold pairs that were left out live.
check "to the maps that were matched live" [ -z "$(comm -23 <(each "$WORK/live") <(each "$WORK/back"))" ]
check "which differ: $(each "$WORK/live" | uniq | wc -l) of 12" [ "$(each "$WORK/live" | uniq | wc -l)" -gt 2 ]

finish
