#!/bin/bash
# No parts of the window overlap or cut their text, in every section, dialog and view: see tests/support/places.py. With
# EVERY=1 at four sizes up to 3840 x 2160, dark and light, and at twice the density; otherwise at two sizes.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
cd "$WORK" || exit 1

need_window "where the parts of the window are"
sizes=("800 600" "1280 800") looks=("dark 96")
if [ "${EVERY:-0}" = 1 ]; then
    sizes+=("1920 1080" "3840 2160")
    looks=("dark 96" "light 96" "dark 192")
fi
# serve: with EVERY=1 the window is on an X server of its own, which is large enough and has that density.
serve() {
    [ "${EVERY:-0}" = 1 ] || return
    [ -z "$server" ] || kill "$server"
    export DISPLAY=:$((1000 + ($$ + density) % 9000))
    Xvfb "$DISPLAY" -screen 0 3840x2160x24 -noreset -nolisten tcp >xvfb.log 2>&1 &
    server=$!
    pid=$server
    wait_until xdotool getdisplaygeometry
    xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER "$(printf 'Xft.dpi:\t%d\n ' "$density")"
}
server=
trap '[ -z "$server" ] || kill "$server"' EXIT
small_pair
write_calibration calib.txt 320 240 100

# sound WHAT: what is shown is checked when it has come to rest: two frames without a change, which two snapshots take.
sound() {
    local what="$size, $theme at $density dpi: $1"
    check "$what" settled "$what"
}
# An advice may come meanwhile, and moves nothing for long.
settled() {
    for _ in 1 2 3 4 5; do
        snapshot && snapshot && "$root/tests/support/places.py" log "$1" && return
    done
    return 1
}

# sound_box WHAT PART: the same of a box, in which keys are typed, once it shows the part.
sound_box() {
    local what="$size, $theme at $density dpi: $1"
    check "$what" wait_until "$root/tests/support/places.py" log "$what" "$2"
}

keep() { printf 'width: %d\nheight: %d\ntheme: %s\n' $size "$theme" >"$XDG_STATE_HOME/stereoview/window"; }
states() {
    sound "as it begins"
    press h
    sound "the list of keys"
    press h ctrl+s # in a box, keys are typed
    sound_box "the settings" "label theme"
    press Escape
    check "Esc closes the settings" wait_until gone "label theme"
    press ctrl+o
    sound_box "the opening" "Demo"
    press Escape
    check "and the opening" wait_until gone "Demo"
    press w w w j i
    sound "four views, table, statistics"
    press a
    sound "two sets"
    press a i
    point 120 60
    press n
    point 150 70
    press n
    point 200 100
    xdotool keydown shift mousedown 1
    for step in 20 40 60; do point $((200 + step)) $((100 + step / 2)); done
    xdotool mouseup 1 keyup shift
    sound "pins and a rectangle"
    press shift+n j w w 3
    sound "the cloud"
    press 3 Tab
    sound "without the panel"
    press Tab
}
keeps_looks=yes
shots=shots
mkdir -p "$XDG_STATE_HOME/stereoview"
for look_of in "${looks[@]}"; do
    read -r theme density <<<"$look_of"
    serve
    for size in "${sizes[@]}"; do
        # A size is in points, of which the screen has half as many then.
        [ "$density $size" != "192 3840 2160" ] || continue
        keep
        rm -rf shots
        start -v left.png right.png --calibration calib.txt -d 0:30 --snapshots shots
        states
        check "q closes it" quit
    done
done
finish
