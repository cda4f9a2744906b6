# How tests/e2e/*.sh drive the window, with xdotool: sourced after tests/e2e/e2e.sh. They need a display, and run in $WORK.

shots=.      # the folder of its --snapshots
top=28       # height of the strip above the views: all places in the window that scripts name are from below it on
keeps_looks= # not empty: the window begins as it was closed

# need_window WHAT: where no window can be driven or seen, WHAT is skipped, and the script ends.
need_window() {
    if [ -z "${DISPLAY:-}" ] || ! command -v xdotool >/dev/null; then
        skipped "$1" "no X server or no xdotool"
        finish
    fi
}
# launch ARGUMENT...: starts the program and gives its window the keyboard; $window is the window's number. The mouse is
# beside the window, wherever an earlier test left it.
launch() {
    xdotool mousemove 1599 999
    if [ -z "$keeps_looks" ]; then # 1280 x 800 below the strip
        mkdir -p "$XDG_STATE_HOME/stereoview"
        printf 'width: 1280\nheight: %d\n' $((800 + top)) >"$XDG_STATE_HOME/stereoview/window"
    fi
    "$program" "$@" >"$WORK/log" 2>&1 </dev/null &
    pid=$!
    window=$(timeout $patience xdotool search --sync --onlyvisible --pid $pid --name stereoview | head -1)
    xdotool windowfocus --sync "$window"
}
# start ARGUMENT...: the same, and waits for the first map.
start() {
    launch --temporal off "$@"
    drawn
}
# drawn: waits until there is a map. A snapshot requested before is made then.
drawn() {
    rm -f "$shots"/stereoview_[0-9]*
    asked=
    wait_until has_drawn
}
has_drawn() {
    # The key is pressed again only when it may have been lost, because every press is answered by a snapshot.
    [ -n "$asked" ] && ((SECONDS - asked < 30)) || { press s && asked=$SECONDS; }
    is_taken
}
# is_taken: there is a whole snapshot. Its settings are written last.
is_taken() { compgen -G "$shots/stereoview_*[0-9].yaml" >/dev/null; }
press() { xdotool key --delay 30 "$@"; }
point() { xdotool mousemove --window "$window" "$1" $(($2 + top)); }
quit() {
    press q
    ended 0
}
# snapshot: what the window shows now, as $picture of frame $frame.
snapshot() {
    rm -f "$shots"/stereoview_[0-9]*
    press s
    wait_until is_taken || return 1
    picture=$(compgen -G "$shots/stereoview_*.color.png" | head -1)
    frame=$((10#$(basename "$picture" | sed 's/[^0-9]*\([0-9]*\).*/\1/')))
}
at_frame() { snapshot && [ "$frame" = "$1" ]; }
moved_on() { snapshot && [ "$frame" != "$before" ]; } # from frame $before
hidden() { ! xdotool search --onlyvisible --pid "$pid" --name stereoview >/dev/null 2>&1; }
title() { [ "$(xdotool getwindowname "$window")" = "$1 - stereoview" ]; }
# grab FILE: writes a picture of the window, without the mouse.
grab() {
    ffmpeg -nostdin -v error -f x11grab -draw_mouse 0 -window_id "$window" -i "$DISPLAY" -frames:v 1 \
        -vf "crop=iw:ih-$top:0:$top" -pix_fmt rgb24 -y "$1"
}
# seen NAME: writes NAME.ppm, a picture of the window after it has followed all keys and the mouse. The second snapshot
# shows that what came before the first has been drawn.
seen() { snapshot && snapshot && grab "$1.ppm"; }
# shows WHAT FRAME ARGUMENT...: the window comes to show what a run without a window writes for these arguments
# and that frame; - is whatever frame is shown.
shows() {
    local what=$1 wanted=$2 made=-
    shift 2
    as_expected() {
        snapshot && { [ "$wanted" = - ] || [ "$wanted" = "$frame" ]; } || return 1
        [ $made = "$frame" ] || run 0 --headless "$@" --frames "$frame:$((frame + 1))" -o "$WORK/expected.color.png" || return 1
        made=$frame
        cmp "$picture" expected.color.png
    }
    wait_until as_expected "$@" >"$WORK/cmp" 2>&1 && ok "$what" && return
    not_ok "$what" "frame ${frame:-?}: $(tail -n 5 "$WORK/cmp" 2>/dev/null; tail -2 "$WORK/log")"
}

# widget NAME: waits until the panel shows what has that name, its label or that of its row, and sets $x $y $wide $high,
# its rectangle in the window. The program runs with -v.
widget() { wait_until placed "$1" || { echo "the panel does not show '$1'" && return 1; }; }
placed() {
    read -r x y wide high < <(grep -F "panel: $1 at " "$WORK/log" | tail -n 1 | sed 's/.* at //')
    [ -n "$high" ] && y=$((y - top))
}
# rest_on NAME [PERCENT]: moves the mouse there, to that part of its width (50).
rest_on() { widget "$1" && point $((x + wide * ${2:-50} / 100)) $((y + high / 2)); }

# click NAME [PERCENT]: clicks there.
# A snapshot shows that the views have seen what came before it. The panel is drawn after the snapshot, and asks only
# then where the mouse is. So the mouse leaves after a second one, when the panel has seen the button let go at this place.
click() {
    snapshot && rest_on "$@" && snapshot && xdotool mousedown 1 && snapshot && xdotool mouseup 1 && snapshot && snapshot &&
        point 200 200
}

# gone PART: the panel, with -v, shows no such part any more. Keys that come before a box is closed are typed into it.
gone() { ! "$root/tests/support/places.py" "$WORK/log" "" "$1" >/dev/null; }
