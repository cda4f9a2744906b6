#!/bin/bash
# Each thread that a short run starts and each file that it opens is refused once, and all from that one on, in a run of
# its own, which must end with an error or with the right files. EVERY=13, the default, tries every 13th, and every 39th
# of those that a window asks for; 'make check-long' tries all of them.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/refuse.sh
every=${EVERY:-13}

no_shim "threads and files that are refused"
write_calibration "$WORK/calibration.txt"
run=(--headless --backend cpu --threads 2 -d 0:15 -o FILE_%d.pfm -o FILE_%d.color.png -o FILE_%d.ply -o FILE_video.mkv
    -o FILE_video.mp4 --stats FILE_stats.json)
make_pictures
for what in threads files; do
    refuse_each "$what of a run over pictures" $what "$every" 10 "${run[@]}" -f "$WORK/l_%d.pgm" "$WORK/r_%d.pgm"
done
if command -v ffmpeg >/dev/null; then
    make_videos
    for what in threads files; do
        refuse_each "$what of a run over videos" $what "$every" 10 "${run[@]}" -f "$WORK/left.mp4" "$WORK/right.mp4" \
            --record FILE_copy.mkv
    done
else
    skipped "a run over videos" "there is no ffmpeg"
fi
if [ -n "${DISPLAY:-}" ]; then
    for what in threads files; do
        refuse_each "$what of a window" $what $((every > 1 ? 3 * every : 1)) 5 --benchmark --backend cpu --threads 2 \
            -d 0:15 -f "$WORK/l_%d.pgm" "$WORK/r_%d.pgm" --stats FILE_stats.json
    done
else
    skipped "a window" "there is no display"
fi
finish
