#!/bin/bash
# Printed calibration boards: --board, measured on the page.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh

check "a board needs a file" refused 2 'needs one file to print to' --board 9x6:25mm
check "of a kind that can be printed" refused 2 'needs one file' --board 9x6:25mm -o "$WORK/board.png"
check "a printed file needs a board" refused 2 'which --board names' --headless --demo -o "$WORK/board.pdf"
check "a board goes with no pictures" refused 2 'prints a board' --demo --board 9x6:25mm -o "$WORK/board.pdf"
check "unknown paper is refused" refused 2 'a4 or letter' --board 9x6:25mm --paper a3 -o "$WORK/board.pdf"
check "a board larger than the paper is refused" refused 2 '300 x 210 mm.*too large for A4' --board 9x6:30mm -o "$WORK/board.pdf"
check "and nothing is left" [ -z "$(ls "$WORK" | grep board)" ]

if ! command -v pdftoppm >/dev/null; then
    skipped "the size on paper" "there is no pdftoppm"
    finish
fi

# measured FILE WIDTH HEIGHT LEFT TOP: the page has that size and the corner of the board is at that place, all in
# millimetres; the board's squares of 25 mm and the ruler below are right to 0.1 mm. At 508 pixels per inch a pixel is
# 0.05 mm.
measured() {
    pdftoppm -r 508 -gray "$1" "$WORK/page" && mv "$WORK"/page-*.pgm "$WORK/page.pgm" && python3 - "$WORK/page.pgm" "${@:2}" <<'PYTHON'
import sys
data = open(sys.argv[1], "rb").read()
kind, width, height, most, pixels = data.split(maxsplit=4) if data[:2] == b"P5" else None
width, height = int(width), int(height)
pixels = pixels[-width * height:]
page = [float(v) for v in sys.argv[2:4]]
left, top = [float(v) for v in sys.argv[4:6]]
assert abs(width / 20 - page[0]) < 0.1 and abs(height / 20 - page[1]) < 0.1, (width, height)
def black(x, y):
    return pixels[int(y * 20) * width + int(x * 20)] < 128
# Edges on a line across the second row of squares and on one down the first column, as distances in millimetres.
def edges(at, length):
    step = [at(i / 20) for i in range(int(length * 20))]
    return [i / 20 for i in range(1, len(step)) if step[i] != step[i - 1]]
across = edges(lambda x: black(x, top + 30), width / 20)
assert len(across) == 10, across
for i, x in enumerate(across): assert abs(x - (left + 25 * (i + 1))) <= 0.1, (i, x)
down = edges(lambda y: black(left + 12, y), top + 176)
assert len(down) == 8 and all(abs(y - (top + 25 * i)) <= 0.1 for i, y in enumerate(down)), down
ticks = edges(lambda x: black(x, top + 175 + 4 + 1), width / 20)  # those of 0, 50 and 100 mm
middles = [(a + b) / 2 for a, b in zip(ticks[::2], ticks[1::2])]
assert len(middles) == 3, ticks
assert abs(middles[1] - middles[0] - 50) <= 0.1 and abs(middles[2] - middles[0] - 100) <= 0.1, middles
PYTHON
}
check "a chessboard is printed" run 0 --board 9x6:25mm -o "$WORK/board.pdf"
check "and says how to print it" grep -q 'print it at 100 %, and check its ruler' "$WORK/output"
check "on A4 at its true size" measured "$WORK/board.pdf" 297 210 23.5 10.5
check "and on Letter" run 0 --board 9x6:25mm --paper letter -o "$WORK/letter.pdf"
check "at the same size" measured "$WORK/letter.pdf" 279.4 215.9 14.7 13.45

# What is printed is what is found.
for board in 9x6:20mm charuco:8x5:30mm aprilgrid:5x3:40mm; do
    if ! run 0 --board $board -o "$WORK/found.pdf" && grep -q 'without OpenCV' "$WORK/output"; then
        skipped "a printed $board is found" "this program was built without OpenCV"
        continue
    fi
    pdftoppm -r 75 -gray "$WORK/found.pdf" "$WORK/found" && mv "$WORK"/found-*.pgm "$WORK/found.pgm"
    if run 1 --headless -f "$WORK/found.pgm" "$WORK/found.pgm" --calibrate $board && grep -q 'without OpenCV' "$WORK/output"; then
        skipped "a printed $board is found" "this program was built without OpenCV"
    else
        check "a printed $board is found" grep -q 'only 1 of 1 views of the board can be used' "$WORK/output"
    fi
done

finish
