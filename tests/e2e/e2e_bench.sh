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
check "the pages have the tables, and the plot, of the measurements" tests/bench/page.py --check
dated() { diff <(cut -f 1 benchmarks/measured.tsv | grep '\.tsv' | sort) <(cd benchmarks && printf '%s\n' *.tsv | grep -vx measured.tsv | sort); }
check "each file of measurements has its date and commit" dated

paced() { printf '2\n3\n' | "$bench" --backend cpu --size 64x48 --pace --write "$WORK" | tee "$WORK/paced"; }
check "runs in turns with another program" paced
check "as many times as runs were wanted" test "$(wc -w <"$WORK/paced") $(wc -l <"$WORK/paced")" = "5 2"

if /usr/bin/python3 -c 'import cv2, numpy' 2>/dev/null; then
    # Of four pixels with a truth, one has no value, and one is off by 1.5. Of 200 pixels every tenth is wrong: in the
    # ideal order by confidence the wrong ones come last, and the area is 0; where it says nothing, the area is 1.
    scores() {
        (cd tests/bench && /usr/bin/python3 -B -c 'import numpy as np, accuracy
figures = accuracy.score_map(np.array([1, 2, np.inf, 4.5, 9]), np.array([1, 2, 3, 3, np.inf]))
wrong = (np.arange(200) % 10 == 0).astype(float)
print(*(f"{figures[c]:.2f}" for c in accuracy.FIGURES),
      *(f"{accuracy.area_of(c.astype(np.uint8), wrong):.3f}" for c in (200 - 100 * wrong, 0 * wrong)))')
    }
    check "a map and its confidence are scored: $(scores)" [ "$(scores)" = "75.00 33.33 0.00 50.00 25.00 0.000 1.000" ]
else
    skipped "accuracy.py" "python3-opencv is not installed"
fi
finish
