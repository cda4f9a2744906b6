#!/bin/bash
# The views of the window, by pictures of it: their kinds beside computed pictures, what must not move, and what must fit.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

need_window "the views"

# soon_is NAME X Y PICTURE: within a while the window shows the picture there; NAME.ppm has been seen.
soon_is() {
    shown() { seen "$1" && looks is "$1.ppm" "$2" "$3" "$4"; }
    wait_until shown "$@"
}
looks() { "$look" "$@"; }

# Colour pictures without losses, and a calibration of which the pictures are rectified.
small_pair
for side in left right; do ffmpeg -nostdin -v error -i $side.png -pix_fmt rgb24 $side.ppm; done
write_calibration calib.txt 320 240 100
printf 'layout: one\nview: disparity\ncolours: viridis\n' >one.yaml
printf 'layout: one\nview: disparity\ncolours: viridis\nshow-reasons: on\n' >marked.yaml
match=(-m ssd -d 0:30)
pair=(-f "$WORK/left.png" "$WORK/right.png" "${match[@]}")
run 0 --headless "${pair[@]}" --settings one.yaml "${match[@]}" -o "$WORK/plain.color.png"
run 0 --headless "${pair[@]}" --settings marked.yaml "${match[@]}" -o "$WORK/marked.color.png"
for map in plain marked; do ffmpeg -nostdin -v error -i $map.color.png -pix_fmt rgb24 $map.ppm; done
for kind in left right blend anaglyph; do looks mix $kind left.ppm right.ppm is_$kind.ppm; done
# Another method's map stands for the truth.
run 0 --headless "${pair[@]}" -o "$WORK/map.pfm"
run 0 --headless "${pair[@]}" -m zncc -o "$WORK/truth.pfm"
looks errors map.pfm truth.pfm is_error.ppm
looks reasons plain.ppm marked.ppm is_reasons.ppm 003034
cp plain.ppm is_disparity.ppm

# ---- Each kind beside what it should show ----

# A window of 1280 x 800 has a view of 830 x 730, so that a picture of 320 x 240 begins at 255, 245.
launch "${pair[@]}" --settings one.yaml "${match[@]}" --calibration calib.txt --truth "$WORK/truth.pfm"
point 700 700
wait_until drawn
press u # the values beside the pointer would be part of the pictures
press 1
for kind in disparity left right blend anaglyph pair depth reasons error; do
    # Without a map there is no legend, and the view has its room.
    case $kind in left | right | blend | anaglyph) at=315 ;; *) at=255 ;; esac
    [ ! -f is_$kind.ppm ] || check "$kind, one to one" soon_is at $at 245 is_$kind.ppm
    press v
done
press shift+v shift+v shift+v shift+v shift+v shift+v shift+v shift+v shift+v
check "V goes back to the first kind" soon_is again 255 245 is_disparity.ppm

# ---- Nothing moves ----

# In the left 830 columns; messages are below, the label of the view is above.
view=(0 30 830 600)
press 0
seen map
press e
seen marked_window
press e
seen map_again
check "e and back: the same" looks same map.ppm map_again.ppm "${view[@]}"
check "e marks pixels" looks differ map.ppm marked_window.ppm "${view[@]}"
# Filled pixels are marked too, which are few; if the picture moved, nearly all would change.
check "and leaves those with a disparity as they are" looks kept map.ppm marked_window.ppm 003034 "${view[@]}"
press z
seen metres
check "z leaves the views as they are" looks same map.ppm metres.ppm "${view[@]}"
check "and changes the legend" looks differ map.ppm metres.ppm 860 0 80 600
press z w w w w w
seen four_times
check "w comes back to the same place" looks same map.ppm four_times.ppm "${view[@]}"

# ---- What must fit ----

xdotool windowsize --sync "$window" 800 $((600 + top))
seen small
press h
seen keys
read -r x y width height < <(looks box small.ppm keys.ppm 0 0 800 600)
check "at 800 x 600 the list of keys is whole: $x $y $width $height" \
    test "$((x > 10)) $((width > 400)) $((x + width < 790)) $((y + height < 590))" = "1 1 1 1"
check "q closes it" quit

# ---- Limits of the depth ----

start "${pair[@]}" --settings one.yaml "${match[@]}" --calibration calib.txt --min-depth 2.5
limits=("${pair[@]}" --settings one.yaml "${match[@]}" --calibration calib.txt)
shows "pixels nearer than --min-depth are as without a disparity" 0 "${limits[@]}" --min-depth 2.5
point 415 364 # the middle
# The settings are the last file of a snapshot.
settings() { snapshot && wait_until mv "$shots/stereoview_000000.yaml" limits.yaml 2>"$WORK/moved"; }
hidden_farther() { press braceright; settings && grep -q '^max-depth' limits.yaml; }
check "} hides what is farther than the pixel under the mouse" wait_until hidden_farther
cp limits.yaml both.yaml
shows "which a run with the snapshot's settings repeats" 0 --settings both.yaml
point 5 500 # beside the picture
all_shown() { press braceleft braceright; settings && ! grep -q 'depth:' limits.yaml; }
check "where there is no pixel, { and } hide nothing" wait_until all_shown
shows "and all of the map is back" 0 "${limits[@]}"
check "q closes it" quit

start --demo -m ssd -d 0:60 --settings one.yaml
# A recording without truth, in a window of 1280 x 800. The bar would be in the last columns.
scrollbar() { for _ in $(methods); do seen method && looks plain method.ppm 1275 0 3 800 || return 1; press m; done; }
check "at 1280 x 800 the panel needs no scrolling, whatever the method" scrollbar
check "q closes it" quit
finish
