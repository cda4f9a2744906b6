#!/bin/bash
# The benchmark: its base lines agree with the backend, its figures become tables.

bench=$BUILD/tests/bench
failures=0

# check WHAT CONDITION...: the condition is a command.
check() {
    local what=$1
    shift
    if "$@" >>"$WORK/log" 2>&1; then
        echo "ok - $what"
    else
        echo "not ok - $what: $(tail -n 1 "$WORK/log")"
        ((failures += 1))
    fi
}

beside() { "$bench" --backend cpu --size 200x120 --disparities 0:20 --runs 2 --beside --method "$@"; }
check "the plain loops of ssd make the backend's map" beside ssd --left-right-check off
check "the plain loops of ncc make the backend's map" beside ncc --reseed off
check "the plain loops of zncc make the backend's map" beside zncc --left-right-check 2

measure() { "$bench" --backend cpu --set "$1" --method "$2" --size "$3" --runs 2 --tsv "$WORK/$1.tsv"; }
check "sizes are measured" measure sizes ssd 640x480
check "what is asked for is measured" measure asked zncc 735x504
check "the figures become tables" tests/speed.py "$WORK"/*.tsv --print
check "two kinds of tables" test "$(tests/speed.py "$WORK"/*.tsv --print | grep -c 'device | \(method\|what\)')" = 2

paced() { printf '2\n3\n' | "$bench" --backend cpu --size 64x48 --pace --write "$WORK" | tee "$WORK/paced"; }
check "runs in turns with another program" paced
check "as many times as runs were wanted" test "$(wc -w <"$WORK/paced") $(wc -l <"$WORK/paced")" = "5 2"
check "the pictures are written" test -s "$WORK/right_7.pgm"

refused() { ! "$bench" --set nonsense; }
check "a set that there is not is refused" refused
exit $((failures > 0))
