#!/usr/bin/env python3
"""Makes graphs of the size and with the operators of published networks, with random weights, and measures them:

    build-models/python/bin/python tests/bench/net_graphs.py FOLDER [PROGRAM WIDTHxHEIGHT]

raft.onnx has those of RAFT-Stereo: two encoders, the correlation of each row, four levels of it, and ITERATIONS updates
unrolled, each a look-up by GridSample, a gated recurrent unit by convolutions and a convex upsampling at the end. hitnet.onnx
has those of HITNet: a U-net with transposed convolutions, a cost of shifted features, the least by ArgMin and GatherElements,
ScatterND, and three steps of refinement with Resize. Their maps mean nothing. With a PROGRAM, prints its times and memory on a
pair of that size.
"""
import importlib.util, json, os, subprocess, sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
spec = importlib.util.spec_from_file_location("make_models", os.path.join(HERE, "..", "support", "make_models.py"))
models = importlib.util.module_from_spec(spec)
spec.loader.exec_module(models)

ITERATIONS, FEATURES, HIDDEN, LEVELS, RADIUS = 7, 64, 64, 4, 4
random = np.random.default_rng(1)


class Net(models.Graph):
    def conv(self, value, inputs, outputs, size=3, stride=1, relu=True):
        weights = self.constant(random.normal(0, (inputs * size * size) ** -0.5, (outputs, inputs, size, size)))
        bias = self.constant(np.zeros(outputs))
        value = self.add("Conv", value, weights, bias, strides=[stride] * 2, pads=[size // 2] * 4)
        return self.add("Relu", value) if relu else value

    def transposed(self, value, inputs, outputs):
        weights = self.constant(random.normal(0, (inputs * 4) ** -0.5, (inputs, outputs, 2, 2)))
        return self.add("Relu", self.add("ConvTranspose", value, weights, strides=[2, 2]))

    def whole(self, values):
        return self.constant(values, np.int64)

    def reshape(self, value, shape):
        return self.add("Reshape", value, self.whole(shape))


def raft(folder, width, height):
    g = Net()
    w, h = width // 4, height // 4
    pictures = models.pair(g, [1, 3, height, width], names=("image1", "image2"))

    def encode(value):
        value = g.add("Mul", value, g.constant(1 / 255))
        return g.conv(g.conv(g.conv(value, 3, 32, 7, 2), 32, FEATURES, 3, 2), FEATURES, FEATURES, relu=False)

    left, right = (encode(p) for p in pictures)
    hidden = g.add("Tanh", g.conv(left, FEATURES, HIDDEN, relu=False))
    rows = [g.add("Transpose", f, perm=[0, 2, 3, 1]) for f in (left, right)]
    volume = g.add("MatMul", rows[0], g.add("Transpose", rows[1], perm=[0, 1, 3, 2]))
    volume = g.reshape(volume, [h * w, 1, 1, w])
    levels = [volume]
    for _ in range(LEVELS - 1):
        levels.append(g.add("AveragePool", levels[-1], kernel_shape=[1, 2], strides=[1, 2]))
    columns = g.constant(np.tile(np.arange(w, dtype=np.float32), h).reshape(h * w, 1, 1, 1))
    window = g.constant(np.arange(-RADIUS, RADIUS + 1).reshape(1, 1, 2 * RADIUS + 1, 1))
    flow = g.constant(np.zeros((h * w, 1, 1, 1)))
    zero = g.constant(np.zeros((h * w, 1, 2 * RADIUS + 1, 1)))
    for _ in range(ITERATIONS):
        found = []
        for k, level in enumerate(levels):
            at = g.add("Add", g.add("Div", g.add("Add", columns, flow), g.constant(2.0**k)), window)
            size = w >> k
            x = g.add("Sub", g.add("Mul", at, g.constant(2 / max(size - 1, 1))), g.constant(1.0))
            grid = g.add("Concat", g.add("Transpose", x, perm=[0, 1, 2, 3]), zero, axis=3)
            found.append(g.reshape(g.add("GridSample", level, grid, align_corners=1), [1, h, w, 2 * RADIUS + 1]))
        corr = g.add("Transpose", g.add("Concat", *found, axis=3), perm=[0, 3, 1, 2])
        motion = g.conv(corr, LEVELS * (2 * RADIUS + 1), HIDDEN, 1)
        both = g.add("Concat", hidden, motion, axis=1)
        update, reset = (g.add("Sigmoid", g.conv(both, 2 * HIDDEN, HIDDEN, relu=False)) for _ in range(2))
        new = g.add("Tanh", g.conv(g.add("Concat", g.add("Mul", reset, hidden), motion, axis=1), 2 * HIDDEN, HIDDEN,
                                   relu=False))
        keep = g.add("Mul", g.add("Sub", g.constant(1.0), update), hidden)
        hidden = g.add("Add", keep, g.add("Mul", update, new))
        step = g.conv(g.conv(hidden, HIDDEN, HIDDEN), HIDDEN, 1, relu=False)
        flow = g.add("Add", flow, g.reshape(step, [h * w, 1, 1, 1]))
    mask = g.reshape(g.conv(g.conv(hidden, HIDDEN, 128), 128, 9 * 16, 1, relu=False), [1, 9, 16, h, w])
    mask = g.add("Softmax", mask, axis=1)
    padded = g.add("Pad", g.reshape(flow, [1, 1, h, w]), g.whole([0, 0, 1, 1, 0, 0, 1, 1]))
    near = [g.slice(g.slice(padded, j, j + h, 2), i, i + w, 3) for j in range(3) for i in range(3)]
    near = g.reshape(g.add("Concat", *near, axis=1), [1, 9, 1, h, w])
    up = g.add("ReduceSum", g.add("Mul", mask, near), g.whole([1]), keepdims=0)
    up = g.add("Transpose", g.reshape(up, [1, 4, 4, h, w]), perm=[0, 3, 1, 4, 2])
    g.output("flow_up", g.add("Mul", g.reshape(up, [1, 1, height, width]), g.constant(4.0)), [1, 1, height, width])
    g.save(f"{folder}/raft.onnx")


def hitnet(folder, width, height):
    g = Net()
    both = g.input("input", [1, 6, height, width])
    features = []
    for side in range(2):
        fine = g.conv(g.slice(both, 3 * side, 3 * side + 3, 1), 3, 16)
        half = g.conv(fine, 16, 16, 3, 2)
        quarter = g.conv(half, 16, 24, 3, 2)
        up = g.add("Add", g.transposed(quarter, 24, 16), half)
        features.append((g.add("Add", g.transposed(up, 16, 16), fine), quarter))
    w, h, shifts = width // 4, height // 4, 64
    left, right = features[0][1], features[1][1]
    padded = g.add("Pad", right, g.whole([0, 0, 0, shifts, 0, 0, 0, 0]))
    costs = [g.add("ReduceSum", g.add("Abs", g.add("Sub", left, g.slice(padded, shifts - d, shifts - d + w, 3))),
                   g.whole([1]), keepdims=1) for d in range(shifts)]
    volume = g.add("Concat", *costs, axis=1)
    best = g.add("ArgMin", volume, axis=1, keepdims=1)
    cost = g.add("GatherElements", volume, best, axis=1)
    d = g.add("Cast", best, to=models.FLOAT)
    # The border has no match.
    border = np.array([[0, 0, y, 0] for y in range(h)])
    d = g.add("ScatterND", d, g.whole(border), g.constant(np.zeros(h)))
    for scale in (4, 2, 1):
        inside = g.add("Concat", d, cost, axis=1)
        step = g.conv(g.conv(g.conv(inside, 2, 32), 32, 32), 32, 1, relu=False)
        d = g.add("Relu", g.add("Add", d, g.add("Mul", step, g.constant(0.1))))
        if scale > 1:
            sizes = g.constant([1, 1, 2, 2])
            d = g.add("Mul", g.add("Resize", d, "", sizes, mode="linear"), g.constant(2.0))
            cost = g.add("Resize", cost, "", sizes, mode="nearest")
    g.output("reference_output_disparity", g.add("Transpose", d, perm=[0, 2, 3, 1]), [1, height, width, 1])
    g.save(f"{folder}/hitnet.onnx")


def measure(program, model, width, height):
    command = ["/usr/bin/env", "time", "-f", "%M", program, "-q", "--headless", "--synthetic", f"{width}x{height}",
               "--model", model, "--benchmark", "--frames", "0:5", "--stats", f"{model}.json"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    with open(f"{model}.json") as file:
        stages = json.load(file)["stages"]
    times = ", ".join(f"{k} {stages[k]['median_ms']:.1f}" for k in ("upload", "match", "download"))
    print(f"{os.path.basename(model)} {width}x{height}: {times} ms, {int(run.stderr.split()[-1]) / 1024:.0f} MiB")


if __name__ == "__main__":
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    raft(folder, 640, 480)
    hitnet(folder, 640, 480)
    for size in sys.argv[3:]:
        for name in "raft", "hitnet":
            measure(sys.argv[2], f"{folder}/{name}.onnx", *map(int, size.split("x")))
