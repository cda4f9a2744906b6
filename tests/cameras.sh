#!/bin/bash
# The program with two cameras of the kernel's vivid driver, /dev/video0 and /dev/video1: run by tests/check-cameras in
# its machine, which is slow, so the program is started as rarely as possible.
cd "$(dirname "$0")/.." && . tests/e2e.sh

export SV_TEST_CAMERAS="/dev/video0 /dev/video1"
cameras=(--headless -c /dev/video0 /dev/video1 --size 320x180 --rate 10 -d 0:7)

# ---- The source by itself ----

"$BUILD/tests/test_camera" >"$WORK/unit" 2>&1
grep -q 'test(s) run' "$WORK/unit" || not_ok "cameras: the tests come to their end" "$(tail -3 "$WORK/unit")"
while read -r word result test; do
    case $result in
    OK) ok "cameras: ${test//_/ }" ;;
    FAILED)
        not_ok "cameras: ${test//_/ }" "$(grep -B 2 "FAILED  \] $test" "$WORK/unit" | head -2 | tr '\n' ' ')"
        ;;
    esac
done < <(sed -n '/tests* listed below/q; s/^\[ *\(OK\|FAILED\) *\] /- \1 /p' "$WORK/unit")

# ---- The program ----

check "--list-cameras names both and what they can do" bash -c "'$program' --list-cameras >'$WORK/list' &&
    [ \$(grep -c '^/dev/video[01]: vivid' '$WORK/list') = 2 ] && grep -A 2 yuyv422 '$WORK/list' | grep -q '320x180.* 25 .*fps'"
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
    v4l2-ctl -d /dev/video1 -c disconnect=1
} &
check "60 pairs are captured, through an unplugging" run 0 "${cameras[@]}" --frames 0:60 -o "$WORK/live_%06d.pfm" \
    --stats "$WORK/stats.json"
wait
written=("$WORK"/live_*.pfm)
check "each is numbered" test "${#written[@]} ${written[59]##*/}" = "60 live_000059.pfm"
check "the unplugged camera is told of" grep -q '/dev/video1: the camera is gone' "$WORK/output"
check "and that it came back" grep -q '/dev/video1: pictures arrive again' "$WORK/output"
check "skew and tolerance are said" grep -Eq '60 pairs, mean skew [0-9.]+ ms \(tolerance 50.00 ms\)' "$WORK/output"
check "the statistics have drops by cause" grep -q '"late"' "$WORK/stats.json"

finish
