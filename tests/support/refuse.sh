# What scripts share that preload refuse.so: sourced after tests/e2e/e2e.sh.

library=$(realpath "$BUILD")/tests/refuse.so

# no_shim WHAT: with sanitizers, WHAT is skipped and the script ends.
no_shim() {
    case "$(nm -D "$program" 2>/dev/null)" in
    *__asan_* | *__tsan_*)
        skipped "$1" "a sanitizer's own memory takes the library's place"
        finish
        ;;
    esac
}
# make_pictures: three pairs of small pictures, $WORK/l_%d.pgm and $WORK/r_%d.pgm.
make_pictures() {
    python3 - "$WORK" <<'PYTHON'
import random, sys
random.seed(1)
for frame in range(3):
    rows = [[random.randrange(256) for x in range(72)] for y in range(48)]
    for side, shift in ("l", 0), ("r", 5):
        with open(f"{sys.argv[1]}/{side}_{frame}.pgm", "wb") as file:
            file.write(b"P5\n64 48\n255\n" + b"".join(bytes(row[shift:shift + 64]) for row in rows))
PYTHON
}
