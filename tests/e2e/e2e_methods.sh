#!/bin/bash
# One picture with the map of each method, of any pair.
cd "$(dirname "$0")/../.." && . tests/e2e/e2e.sh
make=$PWD/assets/make_methods
cd "$WORK" || exit 1
BUILD=$(dirname "$program")
small_pair
count=$(("$("$program" --version | sed -n 's/^Methods: //p' | wc -w)" + 1)) # and the left picture
check "all methods match a pair" "$make" methods.png left.png right.png -d 0:31
size() { ffprobe -v error -show_entries stream=width,height -of csv=p=0 "$1"; }
check "three in a row, each with a border of two pixels" \
    test "$(size methods.png)" = "$((3 * (320 + 4))),$(((count + 2) / 3 * (240 + 4)))"
# The method's own map is at its place: the second picture of the second row is that of the fourth method.
run 0 --headless -f left.png right.png -m gfd -d 0:31 -o gfd.color.png
closeness() { ffmpeg -nostdin -hide_banner -i methods.png -i gfd.color.png -lavfi "[0]crop=300:200:344:270[a];[1]crop=300:200:18:24[b];[a][b]psnr" -f null - 2>&1 | sed -n 's/.*average:\([0-9]*\).*/\1/p'; }
near() { psnr=$(closeness) && echo "psnr $psnr" && [ "$psnr" -ge 25 ]; }
check "each at its place" near
fails() { ! "$make" none.png left.png gone.png 2>why && grep -q gone.png why && [ ! -e none.png ]; }
check "a picture that is not there is named" fails
finish
