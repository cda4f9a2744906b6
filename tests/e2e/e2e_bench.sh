#!/bin/bash
# The benchmark: its baselines agree with the backend, its figures become tables.

cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
bench=$BUILD/bench

beside() { "$bench" --backend cpu --size 200x120 --disparities 0:20 --runs 2 --beside --method "$@"; }
check "the plain loops of ssd make the backend's map" beside ssd --prefilter none --left-right-check off
check "the plain loops of ncc make the backend's map" beside ncc --reseed off
check "the plain loops of zncc make the backend's map" beside zncc --left-right-check 2

measure() { "$bench" --backend cpu --set "$1" --method "$2" --size "$3" --runs 2 --tsv "$WORK/$1.tsv"; }
check "what filters add is measured" measure extras ssd 1242x375
check "the targets are measured" measure targets zncc 735x504
check "the figures become tables" tests/bench/page.py --print "$WORK/extras.tsv" "$WORK/targets.tsv"
rows() { tests/bench/page.py --print "$WORK/extras.tsv" "$WORK/targets.tsv" | grep -cE '^\| `ssd` \| [+-][0-9]+ % \| [+-][0-9]+ % \|$'; }
check "one of what they add" test "$(rows)" = 1
check "the pages have the tables, and the plot, of the measurements" tests/bench/page.py --check
dated() { diff <(cut -f 1 benchmarks/measured.tsv | grep '\.tsv' | sort) <(cd benchmarks && printf '%s\n' *.tsv | grep -vx measured.tsv | sort); }
check "each file of measurements has its date and commit" dated

paced() { printf '2\n3\n' | "$bench" --backend cpu --size 64x48 --pace --write "$WORK" | tee "$WORK/paced"; }
check "runs in turns with another program" paced
check "as many times as runs were wanted" test "$(wc -w <"$WORK/paced") $(wc -l <"$WORK/paced")" = "5 2"
check "the pictures are written" test -s "$WORK/right_7.pgm"

unknown() {
    local status=0
    "$bench" --set nonsense 2>"$WORK/said" || status=$?
    [ $status = 2 ] && grep -q "there is no set 'nonsense'" "$WORK/said"
}
check "an unknown set is refused" unknown

# accuracy.py runs a stand-in for the program, on a file that has rows of a scene that is missing here. The stand-in's bad2
# is the largest disparity.
printf '#!/bin/sh\n[ "$1" != --version ] || exec echo "Methods: ssd, sgm"\nwhile [ "$1" != -d ]; do shift; done\nprintf "frame density v1 v2 bad1 bad2\\n0 90 4 1 2 ${2#0:}\\n"\n' >"$WORK/program"
chmod +x "$WORK/program"
old=$'defaults\tssd\t-m ssd\t1\t1\tkitti_2012/000070\tall\t1.00\t1.00\t1.00\t1.00\t1.00\t'
{
    head -n 1 benchmarks/accuracy.tsv
    printf 'defaults\tssd\t-m ssd\t1\t1\tdemo, frame 0\tall\t1.00\t1.00\t1.00\t1.00\t1.00\t\n%s\n' "$old"
} >"$WORK/scores.tsv"
if /usr/bin/python3 -c 'import cv2, numpy' 2>/dev/null; then
    scored() { tests/bench/accuracy.py "$WORK/program" true --data "$WORK/nowhere" --tsv "$WORK/scores.tsv" --run defaults 2>"$WORK/said"; }
    check "accuracy is scored without the real scenes" scored
    check "the demo's row is made" grep -q $'^defaults\tssd\t-m ssd\t1\t1\tdemo, frame 0\tall\t90.00\t4.00\t1.00\t2.00\t63.00' "$WORK/scores.tsv"
    check "the rows of a scene that is not there stay" grep -Fxq "$old" "$WORK/scores.tsv"
    check "and that is reported" grep -q 'kitti_2012/000070 is not in' "$WORK/said"
    # Of four pixels with a truth, one has no value, and one is off by 1.5.
    shares() {
        (cd tests/bench && /usr/bin/python3 -B -c 'import numpy as np, accuracy
figures = accuracy.score_map(np.array([1, 2, np.inf, 4.5, 9]), np.array([1, 2, 3, 3, np.inf]))
print(*(f"{figures[c]:.2f}" for c in accuracy.FIGURES))')
    }
    check "a map is scored: $(shares)" [ "$(shares)" = "75.00 33.33 0.00 50.00 25.00" ]
    # Of 200 pixels every tenth is wrong: in the ideal order the wrong ones come last.
    areas() {
        (cd tests/bench && /usr/bin/python3 -B -c 'import numpy as np, accuracy
wrong = (np.arange(200) % 10 == 0).astype(float)
print(*(f"{accuracy.area_of(c.astype(np.uint8), wrong):.3f}" for c in (200 - 100 * wrong, 0 * wrong, 100 * wrong)))')
    }
    check "the area of an order by confidence is 0 if it is ideal and 1 if it says nothing: $(areas)" \
        [ "$(areas | cut -d' ' -f-2)" = "0.000 1.000" ]
    check "and above 1 if it is wrong" [ "$(areas | cut -d' ' -f3 | cut -d. -f1)" -gt 1 ]
    no_means() { ! tests/bench/accuracy.py "$WORK/program" --means --data "$WORK/nowhere" -- -m ssd 2>"$WORK/said"; }
    check "means without the real scenes are refused" no_means
    check "with what they need" grep -q 'the means need all scenes' "$WORK/said"
    if [ -d "$data" ]; then
        means() { tests/bench/accuracy.py "$WORK/program" --means --data "$data" --gain 0.6 -- -m ssd >"$WORK/means" 2>&1; }
        check "with them they are printed" means
        check "of the six scenes that have the region" grep -q '^nonocc: density 90.00, .* bad2 65.67$' "$WORK/means"
    else
        skipped "means over the real scenes" "they are not here"
    fi
    usage() { ! tests/bench/search_gfd.py "$WORK/program" >"$WORK/said" 2>&1 && grep -q 'search_gfd.py PROGRAM search' "$WORK/said"; }
    check "search_gfd.py explains itself" usage
else
    skipped "accuracy.py and search_gfd.py" "python3-opencv is not installed"
fi
finish
