#!/bin/bash
# The Python package beside the program: the tests of python/tests, and its installation by pip.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

python=/usr/bin/python3
if ! $python -c 'import numpy, cffi, pytest' 2>/dev/null; then
    skipped "python" "python3-numpy, python3-cffi or python3-pytest is not installed"
    finish
fi
LD_LIBRARY_PATH=$(realpath "$BUILD")
export LD_LIBRARY_PATH PYTHONDONTWRITEBYTECODE=1 COLUMNS=250

# A line for each test, and all that was printed if one failed.
BUILD=$LD_LIBRARY_PATH PYTHONPATH=python $python -m pytest -v --tb=short -p no:cacheprovider python/tests >"$WORK/pytest" 2>&1
status=$?
sed -nE 's/^[^ ]*::test_(.*) PASSED .*/ok - python: \1/p; s/^[^ ]*::test_(.*) SKIPPED \((.*)\) .*/skipped - python: \1: \2/p
    s/^[^ ]*::test_(.*) (FAILED|ERROR) .*/not ok - python: \1: see below/p' "$WORK/pytest"
if ((status)); then
    cat "$WORK/pytest"
    failures=1
fi

# A program that uses the library may have chosen a decimal comma, as those with a German user interface do.
if localedef -i de_DE -f UTF-8 "$WORK/de_DE.UTF-8" 2>/dev/null; then
    write_calibration "$WORK/calib.txt" 640 480 200.5
    with_comma() {
        LOCPATH=$WORK LC_ALL=de_DE.UTF-8 PYTHONPATH=python $python - "$WORK/calib.txt" <<'PYTHON'
import locale, sys, stereoview
locale.setlocale(locale.LC_ALL, "")
assert locale.localeconv()["decimal_point"] == ","
print(stereoview.load_calibration(sys.argv[1], (640, 480)), stereoview.Matcher("gfd", alpha=0.25).get("alpha"))
PYTHON
    }
    check "python: where numbers have a comma, those of files and parameters have a point: $(with_comma)" \
        test "$(with_comma | grep -c '0.2005.* 0.25$')" = 1
else
    skipped "python: a decimal comma" "this system cannot make the locale de_DE"
fi

# The comparison with OpenCV, on the pictures of a test.
if $python -c 'import cv2' 2>/dev/null; then
    PYTHONPATH=python $python - "$WORK" <<'PYTHON'
import sys, cv2, numpy as np
noise = cv2.blur(np.random.default_rng(1).integers(0, 256, (120, 220), np.uint8), (3, 3))
cv2.imwrite(sys.argv[1] + "/left.png", noise[:, :200])
cv2.imwrite(sys.argv[1] + "/right.png", noise[:, 12:212])
PYTHON
    compares() { PYTHONPATH=python $python examples/compare_opencv.py "$WORK/left.png" "$WORK/right.png" >"$WORK/table" && awk 'NR > 1 && $(NF - 1) + 0 < 95 { exit 1 } END { exit NR != 7 }' "$WORK/table"; }
    check "python: OpenCV's matchers agree with those beside them" compares
else
    skipped "python: the comparison with OpenCV" "python3-opencv is not installed"
fi

# What pip would build: the header goes into the package as a file, and the package has the header's version.
cp -rL python "$WORK/"
build() { (cd "$WORK/python" && $python setup.py -q build --build-lib "$WORK/$1") && [ -f "$WORK/$1/stereoview/stereoview.h" ]; }
if $python -c 'import setuptools' 2>/dev/null; then
    check "python: the package is built with the header" build built
    imported() { (cd / && PYTHONPATH=$WORK/built $python -c 'import stereoview; print(stereoview.__file__)' | grep -q "$WORK/built"); }
    check "python: and imported without the source tree" imported
    # As docs/library.md installs it without root: with the library, which it finds beside itself.
    cp "$LD_LIBRARY_PATH/libstereoview.so.2" "$WORK/python/stereoview/"
    check "python: the package is built with the library" build whole
    alone() { (cd / && env -u LD_LIBRARY_PATH PYTHONPATH=$WORK/whole $python -c 'import stereoview; print(open("/proc/self/maps").read())' | grep "$WORK/whole/stereoview/libstereoview.so.2"); }
    check "python: and needs no other" alone
else
    skipped "python: the package is built" "python3-setuptools is not installed"
fi
finish
