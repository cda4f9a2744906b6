#!/usr/bin/env python3
"""Examines pictures of the window (binary PPM) for the scripts tests/e2e/*.sh, with Python alone.

The first word says what is checked or written. W and H are the width and the height of a rectangle at X, Y.

look.py same A B X Y W H          the rectangle is the same in both
look.py differ A B X Y W H        the rectangle is not the same
look.py box A B X Y W H           prints X Y W H of the smallest rectangle that holds all differences within this one
look.py plain A X Y W H           all of the rectangle has one colour
look.py is A X Y PICTURE          PICTURE is at X, Y of A, pixel by pixel
look.py kept A B COLOUR X Y W H   nearly all pixels of A that have another colour are the same in B
look.py has A COLOUR X Y W H      some of the rectangle has the colour, or nearly: some fonts cover no pixel completely
look.py mix KIND LEFT RIGHT OUT   writes what this KIND of view shows: left, right, blend, anaglyph
look.py errors MAP TRUTH OUT      writes what the view "error" shows, from two maps (PFM)
look.py reasons PLAIN MARKED OUT EMPTY
                                  writes what the view "reasons" shows, from the exported map without and with reasons
"""
import array
import math
import sys


class Picture:
    def __init__(self, width, height, data):
        self.width, self.height, self.data = width, height, data

    @staticmethod
    def read(path):
        with open(path, "rb") as f:
            assert f.readline() == b"P6\n", path
            width, height = map(int, f.readline().split())
            assert f.readline() == b"255\n"
            return Picture(width, height, f.read(3 * width * height))

    def write(self, path):
        with open(path, "wb") as f:
            f.write(b"P6\n%d %d\n255\n" % (self.width, self.height) + self.data)

    def row(self, x, y, width):
        at = 3 * (y * self.width + x)
        return self.data[at : at + 3 * width]

    def pixels(self):
        return [self.data[i : i + 3] for i in range(0, len(self.data), 3)]


def rows(name, x, y, width, height):
    picture = Picture.read(name)
    assert x >= 0 and y >= 0 and x + width <= picture.width and y + height <= picture.height, "outside of the picture"
    return [picture.row(x, y + i, width) for i in range(height)]


def different(a, b, x, y, width, height):
    pairs = zip(rows(a, x, y, width, height), rows(b, x, y, width, height))
    return sum(p[i : i + 3] != q[i : i + 3] for p, q in pairs if p != q for i in range(0, len(p), 3))


def box(a, b, x, y, width, height):
    """0 0 0 0 if there are none."""
    pairs = list(zip(rows(a, x, y, width, height), rows(b, x, y, width, height)))
    lines = [i for i, (p, q) in enumerate(pairs) if p != q]
    columns = [i for i in range(width) if any(p[3 * i : 3 * i + 3] != q[3 * i : 3 * i + 3] for p, q in pairs)]
    if not lines:
        return 0, 0, 0, 0
    return x + columns[0], y + lines[0], columns[-1] - columns[0] + 1, lines[-1] - lines[0] + 1


def mix(kind, left, right):
    """Truncated halves may be one grey level off, which main allows for."""
    l, r = Picture.read(left), Picture.read(right)
    if kind == "left":
        return l
    if kind == "right":
        return r
    out = bytearray(l.data)
    if kind == "blend":
        out = bytearray((a + b + 1) // 2 for a, b in zip(l.data, r.data))
    else:
        out[1::3], out[2::3] = r.data[1::3], r.data[2::3]
    return Picture(l.width, l.height, bytes(out))


def reasons(plain, marked, empty):
    p, m = Picture.read(plain), Picture.read(marked)
    empty = bytes.fromhex(empty)
    out = b"".join(b if a != b or a == empty else b"\x0e\x10\x14" for a, b in zip(p.pixels(), m.pixels()))
    return Picture(p.width, p.height, out)


def read_map(path):
    """Rows from the top of a PFM as stereoview writes it."""
    with open(path, "rb") as f:
        assert f.readline() == b"Pf\n"
        width, height = map(int, f.readline().split())
        assert float(f.readline()) < 0
        values = array.array("f", f.read(4 * width * height))
    return width, height, [values[y * width : (y + 1) * width] for y in reversed(range(height))]


def errors(disparities, truth, out):
    bounds = [(0.5, "313695"), (1, "74add1"), (2, "fee090"), (4, "f46d43"), (float("inf"), "a50026")]
    width, height, d = read_map(disparities)
    _, _, t = read_map(truth)
    data = b""
    for y in range(height):
        for a, b in zip(d[y], t[y]):
            colour = "000000" if not math.isfinite(b) else "003034"
            if math.isfinite(a) and math.isfinite(b):
                colour = next(c for bound, c in bounds if abs(a - b) <= bound)
            data += bytes.fromhex(colour)
    Picture(width, height, data).write(out)


def cut(name, *place):
    return [r[i : i + 3] for r in rows(name, *place) for i in range(0, len(r), 3)]


def kept(a, b, colour, *place):
    other = bytes.fromhex(colour)
    pairs = [(p, q) for p, q in zip(cut(a, *place), cut(b, *place)) if p != other]
    changed = sum(p != q for p, q in pairs)
    if changed > len(pairs) // 50:
        sys.exit("%d of %d pixels changed" % (changed, len(pairs)))


def check_is(window, x, y, picture):
    """The part of the picture that the window has room for, beginning at its top left corner."""
    w, p = Picture.read(window), Picture.read(picture)
    wrong = worst = 0
    for line in range(min(p.height, w.height - y)):
        got, expected = w.row(x, y + line, p.width), p.row(0, line, p.width)
        if got == expected:
            continue
        far = [abs(a - b) for a, b in zip(got, expected)]
        wrong += sum(d > 1 for d in far)
        worst = max(worst, max(far))
    if wrong:
        sys.exit("%d values differ, by up to %d" % (wrong, worst))


def main(what, *arguments):
    if what in ("same", "differ"):
        a, b, *place = arguments
        count = different(a, b, *map(int, place))
        if (count > 0) != (what == "differ"):
            sys.exit("%d pixels differ" % count)
    elif what == "box":
        print(*box(*arguments[:2], *map(int, arguments[2:])))
    elif what == "plain":
        colours = {r[i : i + 3] for r in rows(arguments[0], *map(int, arguments[1:])) for i in range(0, len(r), 3)}
        if len(colours) != 1:
            sys.exit("it has %d colours" % len(colours))
    elif what == "is":
        check_is(arguments[0], int(arguments[1]), int(arguments[2]), arguments[3])
    elif what == "mix":
        mix(*arguments[:3]).write(arguments[3])
    elif what == "reasons":
        reasons(arguments[0], arguments[1], arguments[3]).write(arguments[2])
    elif what == "errors":
        errors(*arguments)
    elif what == "kept":
        kept(*arguments[:3], *map(int, arguments[3:]))
    elif what == "has":
        colour = bytes.fromhex(arguments[1])
        nearest = min(max(abs(a - b) for a, b in zip(p, colour)) for p in cut(arguments[0], *map(int, arguments[2:])))
        if nearest > 2:
            sys.exit("nothing is %s, only %d from it" % (arguments[1], nearest))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
