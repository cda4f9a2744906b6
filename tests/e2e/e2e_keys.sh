#!/bin/bash
# The user's keys: a file changes them, in the window, in its list and in --help; a file that is wrong is refused with its
# line and action.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh && . tests/support/window.sh
own=$XDG_CONFIG_HOME/stereoview/keys.yaml
mkdir -p "$XDG_CONFIG_HOME/stereoview"
cd "$WORK" || exit 1

# ---- Files that are wrong ----

says() { grep -Eq -- "$1" "$WORK/output"; }
# wrong WHAT PATTERN TEXT: a file of that text is refused with a line that matches the pattern.
wrong() {
    printf '%b' "$3" >wrong.yaml
    check "$1 is refused" refused 1 "wrong.yaml, line $2" --demo --keys wrong.yaml
}
wrong "an unknown action" "2: there is no action 'snapshots'" 'step: x\nsnapshots: y\n'
wrong "an unknown key" "1: snapshot: there is no key 'Entr'" 'snapshot: Entr\n'
wrong "a key of another action" "3: snapshot: 'm' is already the key of next-method" '# mine\nstep: U\nsnapshot: F5, m\n'
wrong "one key for two" "1: step: 'U' is already the key of snapshot" 'step: U\nsnapshot: U\n'
wrong "an action twice" "2: step appears twice" 'step: u\nstep: x\n'
wrong "a list" "1: step takes one value" 'step: [u, v]\n'
wrong "what is no YAML" "2: this is not YAML" 'step: "n\n'
check "a missing file is refused" refused 1 'gone.yaml' --demo --keys gone.yaml
check "--keys is for the window" refused 2 '--keys is for the window' --headless --demo --keys gone.yaml
printf 'snapshots: y\n' >"$own"
check "the user's own file is read" refused 1 "stereoview/keys.yaml, line 1: there is no action 'snapshots'" --demo
check "but not without a window" run 0 --headless --demo --frames 0:1 -m ssd -d 0:15
check "--help only warns of it" run 0 --help
check "and helps" says '^  s  +snapshot  +save a snapshot$'

# ---- Keys that are changed ----

printf 'snapshot: F5, s\nnext-method: U\nstep: none\npause: P, Ctrl+Space\nquit: Ctrl+X\n' >"$own"
check "--help has the changed keys" run 0 --help
check "in the place of the others" bash -c "grep -q '^  F5, s  *snapshot ' output && grep -q '^  U  *next-method ' output &&
    grep -q '^  P, Ctrl+Space  *pause ' output && ! grep -q '^  Space ' output"
check "an action without keys keeps its name there" says '^ +step +one frame forward$'
printf 'snapshot: s\nquit: q\n' >named.yaml
check "--keys takes the place of the user's file" run 0 --help --keys named.yaml
check "which is not read then" says '^  Space +pause '
need_window "changed keys in the window"

start --demo -m ssd -d 0:15
press ctrl+space
snapshot
# saved KEY...: what the snapshot says after these keys, which is asked for with F5.
saved() {
    rm -f stereoview_*
    press "$@" F5
    wait_until compgen -G "stereoview_*.yaml" >/dev/null && grep -hE '^(frames|method)' stereoview_*.yaml
}
# A pair that was being matched when the pause came is still shown.
stands() { first=$(saved) && [ -n "$first" ] && [ "$first" = "$(saved)" ]; }
check "F5 saves a snapshot, and Ctrl+Space pauses" wait_until stands
check "keys that were taken away do nothing" test "$first" = "$(saved m period q space)"
is_ncc() { saved "$@" | grep -q 'method: ncc'; }
press U
check "U is the next method" wait_until is_ncc
press ctrl+x
check "Ctrl+X quits" ended 0
rm "$own"

# ---- What comes during one long frame ----

start --demo -m ssd -d 0:15 -v
press space
# at_once COMMAND: what it sends arrives in one frame.
at_once() {
    kill -STOP "$pid"
    "$@"
    kill -CONT "$pid"
}
pins() { grep -c "pin $1 at" log; }
into_the_picture() { point "$1" 300 && xdotool click 1; }
widget Statistics
rest_on Statistics && snapshot && snapshot
at_once into_the_picture 300
check "a click in the picture is one, where the mouse was over the panel before" wait_until pins 1
on_the_panel() { xdotool click 1 && point 300 300; }
snapshot && before=$frame && rest_on Step && snapshot
at_once on_the_panel
check "a click on a button is one, though the mouse has left it" wait_until moved_on
drag() { xdotool mousedown 1 mousemove_relative 60 0 mouseup 1; }
rest_on rho 10 && snapshot
at_once drag
dragged() { snapshot && [ "$(sed -n 's/^rho: //p' stereoview_*.yaml)" -ge 10 ]; }
check "a drag of a slider ends where it led to" wait_until dragged
pin_and_remove() { into_the_picture 380 && xdotool key N; }
at_once pin_and_remove
snapshot && into_the_picture 460
pinned_again() { [ "$(pins 1)" -ge 2 ]; }
check "keys and clicks act in their order" wait_until pinned_again
check "so that no pin is left" test "$(pins 2)" = 0
type_two_numbers() { xdotool key ctrl+g 5 Return ctrl+g 7 Escape; }
at_once type_two_numbers
check "a number that was typed is taken, though the next one is begun" wait_until at_frame 5
type_a_file() { xdotool key ctrl+s && xdotool type quit.yaml; }
at_once type_a_file
settings_are_drawn() { "$root/tests/support/places.py" log "" "Save##file" >/dev/null; }
wait_until settings_are_drawn
press Return
check "what is typed after the key of a box goes into its field" wait_until test -s quit.yaml
kill "$pid"
check "and nowhere else" ended 0

# A pause is the user's last word, though what was asked for before it opens the input again later.
printf 'swap: F6\n' >swap.yaml
start "$assets/demo_left.mp4" "$assets/demo_right.mp4" -m ssd -d 0:15 --swap off --loop --keys swap.yaml
swap_and_pause() { xdotool key F6 space; }
at_once swap_and_pause
check "the sides are exchanged" wait_until title 'demo_right.mp4 and demo_left.mp4'
# The first pair may be seen before that where the other session was paused; a film that plays does not stand so long.
rests() {
    snapshot && before=$frame
    for _ in 1 2 3 4; do snapshot && [ "$frame" = "$before" ] || return; done
}
check "a pause that comes before another input is opened holds for it" wait_until rests
press space
far_on() { snapshot && ((frame >= 5)); }
wait_until far_on
pause_and_seek() { xdotool key space Left F6; }
at_once pause_and_seek
check "they are exchanged again" wait_until title 'demo_left.mp4 and demo_right.mp4'
rests_at_0() { rests && [ "$before" = 0 ]; }
check "and shown where a seek before that has led" wait_until rests_at_0
check "q closes it" quit
finish
