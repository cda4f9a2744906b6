"""Dense stereo matching on the CPU and on NVIDIA GPUs.

    disparity = stereoview.match(left, right, method="sgm", disparities=(0, 127))

Pictures are arrays of shape (height, width): grey, uint8. Disparity maps are float32 of the same shape, in pixels,
x_right = x_left - disparity, and infinite where there is none. NumPy arrays and whatever NumPy can read are matched by
any backend; arrays in the memory of the matcher's CUDA device, with __cuda_array_interface__ or __dlpack__, by the cuda
backend, without a copy through the host. Both backends give the same bytes.

Errors: ValueError or TypeError for what cannot be matched, NoDeviceError if the backend cannot run here, StereoError
for what fails while it runs, each with a message that names the remedy. Messages of the library go to the logger
"stereoview". The global interpreter lock is released while the library works.
"""
import enum
import inspect
import operator
import os
import threading
import time
import typing

import numpy as np

from . import _arrays
from ._library import NoDeviceError, StereoError, call, ffi, lib, text_of

__all__ = ["Calibration", "Finding", "Matcher", "NoDeviceError", "Parameter", "Reason", "Rows", "Score", "StereoError",
           "backends", "check_pairs", "colour", "correct_rows", "find_range", "load_calibration", "match",
           "measure_rows", "parameters", "rectify", "score"]

__version__ = text_of(lib.sv_version())

Value = typing.Union[str, int, float, bool]
Array = typing.Any  # NumPy's, or whatever it can read, or in device memory
Path = typing.Union[str, "os.PathLike[str]"]


class Reason(enum.IntEnum):
    """Why a pixel of a disparity map has its value, or none."""
    VALID = lib.SV_VALID
    FILLED = lib.SV_FILLED  #: has a value, taken from its neighbours
    BORDER = lib.SV_BORDER
    NO_TEXTURE = lib.SV_NO_TEXTURE
    POOR_MATCH = lib.SV_POOR_MATCH
    AMBIGUOUS = lib.SV_AMBIGUOUS
    LEFT_RIGHT_CONFLICT = lib.SV_LEFT_RIGHT_CONFLICT
    SPECKLE = lib.SV_SPECKLE


class Parameter(typing.NamedTuple):
    """A parameter of the methods, described in strings. `methods` is empty if all of them use it. As an argument of
    Matcher and match its name has underscores: left_right_check for left-right-check, and lambda_ for lambda."""
    name: str
    help: str
    unit: str
    values: str
    defaults: str
    methods: str


def _described(describe):
    description = ffi.new("sv_description *")
    number = 0
    while describe(number, description):
        yield Parameter(*(text_of(getattr(description, field)) for field in Parameter._fields))
        number += 1


def parameters() -> typing.List[Parameter]:
    """All parameters, with their values and defaults, as `stereoview --help` lists them.

    >>> defaults = {p.name: p.defaults for p in stereoview.parameters()}
    """
    return list(_described(lib.sv_describe_parameter))


def backends() -> typing.List[str]:
    """The backends that can run here, best first.

    >>> "cpu" in stereoview.backends()
    True
    """
    found = []
    for name in "cuda", "cpu":
        try:
            call(lib.sv_find_backend, name.encode(), 0, ffi.new("sv_backend **"))
            found.append(name)
        except NoDeviceError:
            pass
    return found


def _string(name: str, text: Path) -> bytes:
    """A text or a path for the library, which reads it up to the first NUL."""
    try:
        encoded = os.fsencode(text)
    except TypeError:
        raise TypeError(f"{name}: it is a {type(text).__name__}, not a string") from None
    if b"\0" in encoded:
        raise ValueError(f"{name}: {text!r} contains a NUL character")
    return encoded


def _text(name: str, value: Value) -> bytes:
    """A value in the words of the settings file."""
    if isinstance(value, (bool, np.bool_)):
        return b"on" if value else b"off"
    if isinstance(value, (int, np.integer)):
        return str(int(value)).encode()
    if isinstance(value, (float, np.floating)):
        return format(float(value), ".9g").encode()
    if isinstance(value, str):
        return _string(name, value)
    raise TypeError(f"{name}: the value is a {type(value).__name__}, not a string, a number or a bool")


def _name(argument: str) -> str:
    """The name of the parameter that an argument sets."""
    return argument.rstrip("_").replace("_", "-")


def _params(settings: typing.Mapping[str, Value]) -> typing.Any:
    """The library's default parameters with these settings, in this order."""
    params = ffi.gc(lib.sv_params_new(), lib.sv_params_free)
    for name, value in settings.items():
        call(lib.sv_params_set, params, _string("parameter", name), _text(name, value))
    return params


def _two(name: str, values: typing.Iterable[int], meaning: str) -> typing.Tuple[int, int]:
    """Two whole numbers; nothing is rounded."""
    try:
        first, second = map(operator.index, values)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: it takes two whole numbers, {meaning}, not {values!r}") from None
    return first, second


def _range(disparities: typing.Iterable[int]) -> str:
    return "{}:{}".format(*_two("disparities", disparities, "the smallest and the largest"))


class Calibration:
    """The calibration of two cameras for pictures of one size, from load_calibration. Its attributes describe the
    rectified cameras: `width`, `height`, `focal`, `cx`, `cy`, `doffs` in pixels, and `baseline`, in metres if `metric`.
    """
    width: int
    height: int
    focal: float
    cx: float
    cy: float
    doffs: float
    baseline: float
    metric: bool

    def __init__(self, make: typing.Any, *arguments: typing.Any):
        made = ffi.new("sv_rectification **")
        call(make, *arguments, made)
        self._rectification = ffi.gc(made[0], lib.sv_rectification_unload)
        geometry = ffi.new("sv_geometry *")
        lib.sv_rectification_geometry(self._rectification, geometry)
        self.width, self.height, self.metric = geometry.width, geometry.height, bool(geometry.metric)
        self.focal, self.cx, self.cy = geometry.focal, geometry.cx, geometry.cy
        self.doffs, self.baseline = geometry.doffs, geometry.baseline

    def __repr__(self) -> str:
        depth = f"focal {self.focal:.6g} px, baseline {self.baseline:.6g}{' m' * self.metric}" if self.focal else "no depth"
        return f"<stereoview.Calibration {self.width} x {self.height} px, {depth}>"

    def _check_depth(self) -> None:
        if not self.focal:
            raise ValueError("this calibration corrects the rows alone, and gives no depth: correct_rows got no other")

    @property
    def Q(self) -> np.ndarray:
        """4 x 4: takes (x, y, disparity, 1) to a point in space, as OpenCV's reprojectImageTo3D does."""
        self._check_depth()
        return np.array([[1, 0, 0, -self.cx], [0, 1, 0, -self.cy], [0, 0, 0, self.focal],
                         [0, 0, 1 / self.baseline, self.doffs / self.baseline]])

    def depth(self, disparity: np.ndarray) -> np.ndarray:
        """The depth of each disparity, float32, in the unit of the baseline; infinite where there is none."""
        self._check_depth()
        d = np.asarray(disparity, np.float64) + self.doffs
        valid = (d > 0) & np.isfinite(d)
        depth = np.full(d.shape, np.inf, np.float32)
        depth[valid] = self.focal * self.baseline / d[valid]
        return depth


def load_calibration(files: typing.Union[Path, typing.Tuple[Path, Path]], size: typing.Tuple[int, int],
                     alpha: float = -1.0) -> Calibration:
    """Reads a calibration: OpenCV, ROS camera_info, Kalibr, EuRoC, KITTI, Karlsruhe, Middlebury, ETH3D or ZED.

    files: one file, or two: of the left and the right camera, or intrinsics and extrinsics.
    size: (width, height) of the pictures that will be rectified. alpha: 0 zooms in until only pixels of the pictures
    are visible, 1 zooms out until all of them are; negative: as in the file, else 0.
    Errors: StereoError, with the file and the key; ValueError if alpha is above 1.

    >>> calibration = stereoview.load_calibration(("left.yaml", "right.yaml"), size=(752, 480))
    >>> round(calibration.baseline, 2)
    0.13
    >>> depth = calibration.depth(np.full((480, 752), 12.0))  # of what is 12 pixels apart
    """
    names = [files] if isinstance(files, (str, os.PathLike)) else files
    both = b",".join(_string("files", name) for name in names)
    return Calibration(lib.sv_rectification_load, both, *_two("size", size, "(width, height)"), float(alpha))


def _rectification_of(calibration: typing.Optional[Calibration]):
    if calibration is None:
        return ffi.NULL
    if not isinstance(calibration, Calibration):
        raise TypeError(f"calibration: it is a {type(calibration).__name__}, not what load_calibration returns")
    return calibration._rectification


def rectify(left: Array, right: Array, calibration: Calibration) -> typing.Tuple[np.ndarray, np.ndarray]:
    """Rectifies two grey pictures, uint8 of shape (height, width), so that their rows correspond. Pixels that show
    nothing of the camera's picture are 0. A Matcher with a calibration does this by itself.

    Errors: ValueError if the pictures are not of the calibration's size, or in device memory.

    >>> left_rectified, right_rectified = stereoview.rectify(left, right, calibration)
    """
    rectification = _rectification_of(calibration)
    if not rectification:
        raise TypeError("calibration: it is None, not what load_calibration returns")
    results = np.empty((2, calibration.height, calibration.width), np.uint8)
    pictures = [_arrays.picture_of(name, array, lib.SV_GREY8)
                for name, array in (("left", left), ("right", right), ("left", results[0]), ("right", results[1]))]
    from_, to = ffi.new("sv_pair *"), ffi.new("sv_pair *")
    from_.left, from_.right, to.left, to.right = (picture.image[0] for picture in pictures)
    call(lib.sv_rectify_pictures, rectification, from_, to)
    return results[0], results[1]


def _pairs_of(pairs: typing.Sequence[typing.Tuple[Array, Array]]) -> typing.Tuple[typing.Any, typing.Any]:
    """An array of sv_pair, and what must be kept as long as it is used."""
    pictures = []
    for pair in pairs:
        if len(pair) != 2:
            raise ValueError("pairs: each of them is two pictures, (left, right); one pair is [(left, right)]")
        pictures.append([_arrays.picture_of(name, array, lib.SV_GREY8) for name, array in zip(("left", "right"), pair)])
    array = ffi.new("sv_pair[]", len(pictures))
    for to, (left, right) in zip(array, pictures):
        to.left, to.right = left.image[0], right.image[0]
    return array, pictures


class Rows(typing.NamedTuple):
    """What the rows of the right pictures are off by after rectification, pixels."""
    terms: typing.Tuple[float, ...]  # what correct_rows takes: 1, u, v, u v, v^2, u^2 with u, v from -1 to 1
    least: float
    most: float  # of the correction over the picture
    size: float
    deviation: float  # its root mean square, and the standard deviation of that
    points: int  # that agree
    helps: bool  # the size exceeds 0.2 pixels and three deviations, but not 3.5 pixels


def measure_rows(pairs: typing.Sequence[typing.Tuple[Array, Array]], disparities: typing.Tuple[int, int] = (0, 63), *,
                 calibration: typing.Optional[Calibration] = None) -> Rows:
    """Measures what the rows of a rig are off by, on at most the first five pairs (left, right) of grey pictures of one
    size; after `calibration`, if it is given. disparities: those that the pairs have.

    Errors: ValueError if sizes do not fit, or without a pair.

    >>> rows = stereoview.measure_rows([(left, right)])
    >>> rows.helps  # they are level
    False
    """
    array, _keep = _pairs_of(pairs)
    params = _params({"disparities": _range(disparities)})
    rows = ffi.new("sv_rows *")
    call(lib.sv_measure_rows, array, len(array), _rectification_of(calibration), params, rows)
    return Rows(tuple(rows.terms), rows.least, rows.most, rows.size, rows.deviation, rows.points, bool(rows.helps))


def correct_rows(terms: typing.Sequence[float], size: typing.Tuple[int, int],
                 calibration: typing.Optional[Calibration] = None) -> Calibration:
    """A calibration for pictures of size (width, height) that also corrects the rows: `calibration` with the terms of
    measure_rows, or without one the correction alone, whose focal length and baseline are 0, because it gives no depth.

    Errors: ValueError if the sizes do not fit or there are not six finite terms.

    >>> correction = stereoview.correct_rows(rows.terms, size=(752, 480))
    >>> disparity = stereoview.match(left, right, calibration=correction)
    """
    if len(terms) != lib.SV_ROW_TERMS:
        raise ValueError(f"terms: there are {len(terms)}, not {lib.SV_ROW_TERMS}")
    return Calibration(lib.sv_rectification_correct, _rectification_of(calibration),
                       *_two("size", size, "(width, height)"), [float(t) for t in terms])


def _find_range(params: typing.Any, pairs: typing.Sequence[typing.Tuple[Array, Array]], rectification: typing.Any) -> bool:
    """Sets the range of the pairs in the parameters; false if they do not show it."""
    array, _keep = _pairs_of(pairs)
    found = ffi.new("bool *")
    call(lib.sv_find_range, array, len(array), rectification, params, found)
    return bool(found[0])


def find_range(pairs: typing.Sequence[typing.Tuple[Array, Array]], *, row_shift: int = 0,
               calibration: typing.Optional[Calibration] = None) -> typing.Optional[typing.Tuple[int, int]]:
    """The disparities of pairs (left, right) of grey pictures of one scene or recording, in host memory, with a margin:
    the smallest and the largest, as Matcher takes them. None if the pictures do not show them, for instance because
    their rows are far apart. The pairs are rectified by `calibration`, if it is given.

    Errors: ValueError if sizes do not fit, or without a pair.

    >>> least, most = stereoview.find_range([(left, right)])
    >>> least <= 12 <= most
    True
    """
    params = _params({"row-shift": row_shift})
    if not _find_range(params, pairs, _rectification_of(calibration)):
        return None
    value = ffi.new("char[64]")
    call(lib.sv_params_get, params, b"disparities", value, 64)
    least, most = text_of(value).split(":")
    return int(least), int(most)


class Finding(typing.NamedTuple):
    """What check_pairs reports about an item of a rig."""
    grade: str  # "unknown", "good", "doubtful" or "bad"
    figure: typing.Optional[float]  # None if it is not known; see stereoview.h
    text: str  # at most 60 characters
    cure: typing.Optional[str]  # "layout", "swap", "offset", "row-shift", "align", "method" or "widen"
    values: typing.Tuple[int, ...]  # what offset and row-shift take, or the range to widen to


_GRADES = {lib.SV_RIG_UNKNOWN: "unknown", lib.SV_RIG_GOOD: "good", lib.SV_RIG_DOUBTFUL: "doubtful", lib.SV_RIG_BAD: "bad"}
_CURES = {lib.SV_RIG_NO_CURE: (None, 0), lib.SV_RIG_LAYOUT: ("layout", 0), lib.SV_RIG_SWAP: ("swap", 0),
          lib.SV_RIG_OFFSET: ("offset", 1), lib.SV_RIG_ROW_SHIFT: ("row-shift", 1), lib.SV_RIG_ALIGN: ("align", 0),
          lib.SV_RIG_METHOD: ("method", 0), lib.SV_RIG_WIDEN: ("widen", 2)}


def check_pairs(pairs: typing.Sequence[typing.Tuple[Array, Array]],
                disparities: typing.Tuple[int, int] = (0, 63), *, method: typing.Optional[str] = None,
                row_shift: int = 0, calibration: typing.Optional[Calibration] = None) -> typing.Dict[str, Finding]:
    """Judges a rig: what the pairs (left, right) show of its input, order, time, rows, calibration, brightness and
    range, if they are matched with these disparities, method and row shift, after `calibration` if it is given. The
    pairs are grey, in host memory, and follow each other in time. The one in the middle is measured; the others show
    whether both sides show the same moment, which takes at least five pairs of a moving scene.

    Errors: ValueError if sizes do not fit, or without a pair.

    >>> findings = stereoview.check_pairs([(left, right)], disparities=(0, 31))
    >>> findings["rows"].grade
    'good'
    """
    array, _keep = _pairs_of(pairs)
    settings: typing.Dict[str, Value] = {} if method is None else {"method": method}
    params = _params({**settings, "disparities": _range(disparities), "row-shift": row_shift})
    state, words = ffi.new("sv_rig_state *"), ffi.new("char[]", lib.SV_RIG_TEXT)
    call(lib.sv_check_pairs, array, len(array), _rectification_of(calibration), params, state)
    findings = {}
    for item, found in enumerate(state.items):
        cure, count = _CURES[found.cure]
        findings[text_of(lib.sv_rig_item_name(item))] = Finding(
            _GRADES[found.grade], None if np.isnan(found.figure) else found.figure,
            text_of(lib.sv_rig_describe(state, item, words)), cure, tuple(found.values[0:count]))
    return findings


# What each matcher has borrowed, until it has ended: Python ends the objects of a cycle in any order.
_borrowed: typing.Dict[typing.Any, typing.Any] = {}


class Matcher:
    """Matches pair after pair with one set of parameters, in memory that is allocated once for each size.

    A matcher matches one pair at a time; threads that share one wait for each other, and those with one each do not.

    disparities: the smallest and the largest, or "auto": those that find_range finds in the first pair that shows them,
    which must be in host memory; until then the default ones.

    >>> matcher = stereoview.Matcher("sgm", disparities=(0, 31), p2=30)
    >>> maps = [matcher.match(left, right) for left, right in pairs]
    """

    def __init__(self, method: typing.Optional[str] = None,
                 disparities: typing.Union[None, str, typing.Tuple[int, int]] = None, *,
                 quality: typing.Optional[str] = None, backend: str = "auto", threads: int = 0, device: int = 0,
                 calibration: typing.Optional[Calibration] = None, **parameters: typing.Optional[Value]):
        self._lock = threading.Lock()
        settings: typing.Dict[str, Value] = {"quality": quality} if quality else {}
        if method or not quality:
            settings["method"] = method or "sgm"
        self._auto = isinstance(disparities, str) and disparities == "auto"  # and not found yet
        if disparities is not None and not self._auto:
            settings["disparities"] = _range(disparities)
        settings.update((_name(argument), value) for argument, value in parameters.items() if value is not None)
        self._params = _params(settings)
        found = ffi.new("sv_backend **")
        call(lib.sv_find_backend, _string("backend", backend), device, found)
        self._backend = found[0]
        self._options = ffi.new("sv_matcher_options *", {"threads": threads, "device": device})
        self._cancel = None
        self._number = 0  # of the last pair, see sv_pair
        self._quick = False  # the last match was too short to be worth another thread
        if self.backend == "cpu":
            self._cancel = ffi.gc(lib.sv_cancel_new(), lib.sv_cancel_free)
            self._options.cancel = self._cancel
        self._options.rectification = rectification = _rectification_of(calibration)
        made = ffi.new("sv_matcher **")
        call(lib.sv_matcher_create, self._backend, self._options, made)
        _borrowed[made[0]] = rectification, self._cancel

        def destroy(matcher, destroy=lib.sv_matcher_destroy, borrowed=_borrowed):
            kept = borrowed.pop(matcher)  # first: another thread's new matcher may get the same address
            destroy(matcher)
            del kept

        self._matcher = ffi.gc(made[0], destroy)

    def __repr__(self) -> str:
        return f"<stereoview.Matcher {self.get('method')} {self.get('disparities')}, {self.backend}>"

    @property
    def backend(self) -> str:
        """"cpu" or "cuda"."""
        return text_of(lib.sv_backend_name(self._backend))

    def get(self, parameter: str) -> str:
        """The value of a parameter, "method", "quality" or "disparities", in words: "5", "off", "0:63".

        >>> stereoview.Matcher("sgm", disparities=(0, 31)).get("disparities")
        '0:31'
        """
        value = ffi.new("char[512]")
        call(lib.sv_params_get, self._params, _string("parameter", _name(parameter)), value, len(value))
        return text_of(value)

    def memory(self, shape: typing.Tuple[int, int]) -> typing.Tuple[int, int]:
        """The bytes of host memory and of device memory that matching takes at most, for pictures of that shape:
        (height, width)."""
        options = ffi.new("sv_matcher_options *", self._options[0])
        options.height, options.width = _two("shape", shape, "(height, width)")
        footprint = ffi.new("sv_footprint *")
        call(lib.sv_matcher_memory, self._backend, options, self._params, footprint)
        return footprint.host, footprint.device

    def match(self, left: Array, right: Array, *, colour: typing.Optional[typing.Tuple[Array, Array]] = None,
              out: typing.Union[None, Array, typing.Tuple[Array, ...]] = None, reasons: bool = False,
              confidence: bool = False, stream: typing.Optional[int] = None,
              follows: bool = False) -> typing.Any:
        """Matches a pair and returns its disparity map or, with `reasons` or `confidence`, a tuple of that, a uint8 array
        of Reason, and a uint8 array of how sure each match is, in this order.

        The confidence goes from 0, worthless or not Reason.VALID, to 255. It orders the matches of one method, and is
        not a probability. It takes time only where it is asked for.

        left, right: grey pictures, uint8, (height, width).
        colour: both pictures in colour, for gfd: uint8, (height, width, 3) of red, green, blue; in device memory
        (height, width, 4).
        out: an array for the result instead of a new one: the float32 disparity map, or a tuple of that, the uint8
        reasons and, optionally, the uint8 confidence, all in host memory or all in device memory. Without it, results
        of device arrays of CuPy and PyTorch are made there.
        stream: the number of the CUDA stream in whose order device arrays are read and written (default: the one that
        the arrays name, else the legacy default stream).
        follows: the pair is the next frame after the last one of this matcher, with which the parameter temporal
        averages it.

        >>> disparity, reason = matcher.match(left, right, reasons=True)
        >>> bool(np.isfinite(disparity[reason == stereoview.Reason.VALID]).all())
        True
        """
        pair, output, keep = ffi.new("sv_pair *"), ffi.new("sv_output *"), []

        def put(target, field, name, array, kind, written=False):
            picture = _arrays.picture_of(name, array, kind, written, self._options.device, stream)
            setattr(target, field, picture.image[0])
            keep.append(picture)
            return picture

        pictures = [put(pair, "left", "left", left, lib.SV_GREY8), put(pair, "right", "right", right, lib.SV_GREY8)]
        if colour is not None:
            for side, array in zip(("left", "right"), colour):
                pictures.append(put(pair, f"{side}_colour", f"{side} in colour", array, lib.SV_COLOUR8))

        def new(kind):
            return _arrays.new_device_array(left, kind) if pictures[0].on_device else np.empty(pictures[0].shape, kind)

        if not isinstance(out, (tuple, list)):
            out = new("float32") if out is None else out, new("uint8")
        if confidence and len(out) == 2:
            out = *out, new("uint8")
        if len(out) not in (2, 3):
            raise ValueError(f"out has {len(out)} arrays; it takes the disparity map, or that, the reasons and, "
                             "optionally, the confidence")
        put(output, "disparity", "the disparity map", out[0], lib.SV_FLOAT32, True)
        put(output, "reason", "the reasons", out[1], lib.SV_REASON8, True)
        if len(out) == 3:
            put(output, "confidence", "the confidence", out[2], lib.SV_GREY8, True)
        if stream is None:
            streams = {picture.stream for picture in keep if picture.stream is not None}
            if len(streams) > 1:
                raise ValueError(f"the arrays name different CUDA streams, {sorted(streams)}; put these in order, and "
                                 "give the one that comes last with stream=")
            if any(picture.on_device for picture in keep):
                stream = streams.pop() if streams else _arrays.LEGACY_STREAM
        with self._lock:
            if self._auto:
                self._auto = not _find_range(self._params, [(left, right)], self._options.rectification)
            self._number += 1 if follows else 2
            pair.number = self._number
            try:
                if stream is None:
                    begin = time.process_time()
                    call(lib.sv_submit, self._matcher, pair, self._params, output,
                         cancel=None if self._quick else self._cancel)
                    self._quick = time.process_time() - begin < 0.1
                else:
                    call(lib.sv_submit_in_stream, self._matcher, pair, self._params, output, ffi.cast("void *", stream))
                call(lib.sv_wait, self._matcher, ffi.NULL)
            except BaseException:
                # KeyboardInterrupt may come between the two, and then the arrays are still in use.
                while lib.sv_wait(self._matcher, ffi.NULL, ffi.NULL) != lib.SV_USAGE:
                    pass
                raise
        asked = [out[0]] + ([out[1]] if reasons else []) + ([out[2]] if confidence else [])
        return tuple(asked) if len(asked) > 1 else out[0]


def match(left: Array, right: Array, method: typing.Optional[str] = None,
          disparities: typing.Union[None, str, typing.Tuple[int, int]] = None, *,
          colour: typing.Optional[typing.Tuple[Array, Array]] = None,
          out: typing.Union[None, Array, typing.Tuple[Array, ...]] = None, reasons: bool = False,
          confidence: bool = False, stream: typing.Optional[int] = None, **settings: typing.Any) -> typing.Any:
    """Matches one pair of pictures; Matcher.match describes the arrays, and Matcher the settings. For many pairs, a
    Matcher is faster.

    >>> disparity = stereoview.match(left, right, method="sgm", disparities=(0, 31))
    >>> float(np.median(disparity[np.isfinite(disparity)]))
    12.0
    """
    matcher = Matcher(method, disparities, **settings)
    return matcher.match(left, right, colour=colour, out=out, reasons=reasons, confidence=confidence, stream=stream)


class Score(typing.NamedTuple):
    """The errors of a map, in percent of the pixels whose ground truth is known; `average` in pixels. Where none is
    known, all but `v1` and `v2` are NaN."""
    density: float  #: have a value
    bad1: float  #: wrong by more than 1 pixel, or without a value
    bad2: float
    bad4: float
    v1: float  #: of those with a value: wrong by more than 1 pixel
    v2: float
    d1: float  #: KITTI's D1: wrong by more than 3 pixels and 5 %, or without a value
    average: float  #: mean absolute error of those with a value; NaN if there is none


def score(disparity: Array, truth: Array) -> Score:
    """Compares a disparity map with ground truth, which is infinite or NaN where it is unknown; both float32, (height,
    width).

    Errors: ValueError if the shapes differ.

    >>> stereoview.score(disparity, truth).bad1 < 15
    True
    """
    figures = ffi.new("sv_score *")
    maps = [_arrays.picture_of(name, array, lib.SV_FLOAT32)
            for name, array in (("the disparity map", disparity), ("the truth", truth))]
    if any(picture.on_device for picture in maps):
        raise TypeError("scores need maps in host memory")
    if maps[0].shape != maps[1].shape:
        raise ValueError(f"the shape of the disparity map is {maps[0].shape}, and that of the truth {maps[1].shape}")
    call(lib.sv_score_map, maps[0].image, maps[1].image, figures)
    return Score(*(getattr(figures, field) for field in Score._fields))


def colour(disparity: Array, min: float, max: float, map: str = "turbo") -> np.ndarray:
    """False colours of a disparity map, as the program writes them: uint8, (height, width, 3), red, green, blue.

    min, max: the disparities, in pixels, of the first and the last colour of `map`: turbo, viridis, magma or grey.
    Errors: ValueError if there is no such colour map, or unless min and max are finite and min is not above max.

    >>> stereoview.colour(disparity, 0, 31).shape
    (480, 752, 3)
    """
    picture = _arrays.picture_of("the disparity map", disparity, lib.SV_FLOAT32)
    if picture.on_device:
        raise TypeError("false colours need a map in host memory")
    colours = np.empty((*picture.shape, 4), np.uint8)
    call(lib.sv_colour_map, _string("map", map), float(min), float(max), picture.image,
         _arrays.picture_of("the colours", colours, lib.SV_COLOUR8, True).image)
    return np.ascontiguousarray(colours[..., :3])


def _document() -> None:
    """Lists methods and parameters in the help of Matcher and match, and parameters in their signatures."""
    methods = "; ".join(f"{m.name}: {m.help}" for m in _described(lib.sv_describe_method))
    lines = ["", "", f"method (sgm if neither it nor a quality is given): {methods}.",
             "disparities: the smallest and the largest, inclusive, pixels.",
             "quality: fast, balanced or best; other arguments override it.", "backend: auto, cuda or cpu.",
             "threads: of the cpu backend; 0: one per core.",
             "device: of the cuda backend, counted from 0.",
             "calibration: rectifies the pictures before they are matched.", "",
             "Parameters, whose values may also be numbers and bools (lambda_ for lambda):", ""]
    names = []
    for p in parameters():
        name = p.name.replace("-", "_")
        names.append(name + "_" if name == "lambda" else name)
        of = f"; {p.methods}" if p.methods else ""
        lines.append(f"{names[-1]}: {p.help}{', ' if p.unit else ''}{p.unit}{of}: {p.values} (default {p.defaults})")
    function: typing.Any
    for function in Matcher, match:
        old = inspect.signature(function)
        added = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None,
                                   annotation=typing.Optional[Value]) for name in names]
        kept = [p for p in old.parameters.values() if p.kind != inspect.Parameter.VAR_KEYWORD]
        if function is match:
            known = inspect.signature(Matcher).parameters
            added = [p for p in known.values() if p.name not in old.parameters]
        function.__signature__ = old.replace(parameters=kept + added)
        function.__doc__ = inspect.cleandoc(function.__doc__) + "\n".join(lines)


_document()
