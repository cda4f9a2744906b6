#!/usr/bin/env python3
"""Makes the models of the tests: make_models.py FOLDER. Needs the Python package onnx ('make models' installs it).

The reference model takes absolute differences of the left picture at x and the right one at x - d, for d from 0 to
DISPARITIES - 1 (beyond the left edge: the edge's pixel), each channel with its weight; sums them over 3 x 3 pixels, of
which those outside are 0; and chooses the d of the least sum, the smaller one of equals. In whole numbers all of this is
exact. The variants differ in what they expect and give; tests/unit/net/test_net.c has the definition of each. The graphs of
the families have the inputs and outputs of published models, and trivial insides.
"""
import os, sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

DISPARITIES = 12
RGB = (1, 2, 4)
FLOAT, HALF, BYTE = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.UINT8


class Graph:
    def __init__(self):
        self.nodes, self.constants, self.inputs, self.outputs = [], [], [], []

    def constant(self, value, dtype=np.float32):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(value, dtype), name))
        return name

    def add(self, op, *inputs, outputs=1, domain="", **attributes):
        names = [f"v{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def input(self, name, shape, dtype=FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, dtype, shape))
        return self.add("Cast", name, to=FLOAT) if dtype != FLOAT else name

    def output(self, name, value, shape, dtype=FLOAT):
        self.nodes.append(helper.make_node("Cast", [value], [name], to=dtype))
        self.outputs.append(helper.make_tensor_value_info(name, dtype, shape))

    def save(self, path, check=True, **more):
        graph = helper.make_graph(self.nodes, "g", self.inputs, self.outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, **more)
        if check:
            onnx.checker.check_model(model, full_check=True)
        onnx.save(model, path)

    def slice(self, value, begin, end, axis, step=1):
        whole = [self.constant([n], np.int64) for n in (begin, end, axis, step)]
        return self.add("Slice", value, *whole)

    # Where normalised values come from: whole numbers again. Those beyond 0..255, which show a wrong mean, are cut off.
    def whole(self, value, mean, deviation):
        shape = (1, len(mean), 1, 1)
        scaled = self.add("Mul", value, self.constant(np.reshape(deviation, shape)))
        value = self.add("Mul", self.add("Add", scaled, self.constant(np.reshape(mean, shape))), self.constant(255.0))
        return self.add("Clip", self.add("Round", value), self.constant(0.0), self.constant(255.0))

    # The sums of each disparity, 1 x DISPARITIES x H x W.
    def costs(self, left, right, weights):
        pads = self.constant([0, 0, 0, DISPARITIES, 0, 0, 0, 0], np.int64)
        padded = self.add("Pad", right, pads, mode="edge")
        kernel = self.constant(np.broadcast_to(np.reshape(weights, (1, -1, 1, 1)), (1, len(weights), 3, 3)))
        sums = []
        for d in range(DISPARITIES):
            shifted = self.slice(padded, DISPARITIES - d, -d if d else 2**31, 3)
            difference = self.add("Abs", self.add("Sub", left, shifted))
            sums.append(self.add("Conv", difference, kernel, pads=[1, 1, 1, 1]))
        return self.add("Concat", *sums, axis=1)

    # 1 x 1 x H x W, float.
    def least(self, costs):
        return self.add("Cast", self.add("ArgMin", costs, axis=1, keepdims=1), to=FLOAT)


def pair(g, shape, dtype=FLOAT, names=("left", "right")):
    return [g.input(n, shape, dtype) for n in names]


def to_nchw(g, value):
    return g.add("Transpose", value, perm=[0, 3, 1, 2])


def variants(folder):
    any_rgb, any_map = [1, 3, "h", "w"], [1, 1, "h", "w"]

    def save(g, name, sidecar=None, **more):
        g.save(f"{folder}/{name}.onnx", **more)
        if sidecar:
            with open(f"{folder}/{name}.yaml", "w") as file:
                file.write(sidecar)

    def plain(name, sidecar=None, shape=any_rgb, weights=RGB, dtype=FLOAT, output="disparity", result=any_map,
              end=lambda g, d: d, begin=lambda g, v: v, names=("left", "right")):
        g = Graph()
        left, right = (begin(g, v) for v in pair(g, shape, dtype, names))
        g.output(output, end(g, g.least(g.costs(left, right, weights))), result, dtype if dtype == HALF else FLOAT)
        save(g, name, sidecar)

    plain("plain")
    plain("bgr", "channels: bgr\n")
    g = Graph()
    right, left = pair(g, any_rgb, names=("right_picture", "left_picture"))
    g.output("disparity", g.least(g.costs(left, right, RGB)), any_map)
    save(g, "right_first")
    plain("grey", shape=[1, 1, "h", "w"], weights=(1,))
    plain("nhwc", shape=[1, "h", "w", 3], begin=to_nchw, result=[1, "h", "w", 1],
          end=lambda g, d: g.add("Transpose", d, perm=[0, 2, 3, 1]))
    plain("float16", dtype=HALF)
    plain("unit", "values: 0:1\n", begin=lambda g, v: g.whole(v, (0, 0, 0), (1, 1, 1)))
    plain("signed", "values: -1:1\n", begin=lambda g, v: g.whole(v, (0.5,) * 3, (0.5,) * 3))
    plain("own_mean", "mean: 0.25, 0.5, 0.125\ndeviation: 0.5\n",
          begin=lambda g, v: g.whole(v, (0.25, 0.5, 0.125), (0.5,) * 3))
    plain("float16_small", "deviation: 255\n", dtype=HALF, begin=lambda g, v: g.whole(v, (0,) * 3, (255,) * 3))
    plain("imagenet", output="disp_pred", result=[1, "h", "w"],
          begin=lambda g, v: g.whole(v, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
          end=lambda g, d: g.add("Squeeze", d, g.constant([1], np.int64)))
    plain("flow", output="flow", result=[1, 2, "h", "w"],
          end=lambda g, d: g.add("Concat", g.add("Neg", d), d, axis=1))
    plain("second_channel", "sign: positive\noutput-channel: 1\n", output="flow", result=[1, 2, "h", "w"],
          end=lambda g, d: g.add("Concat", g.add("Neg", d), d, axis=1))
    plain("wrong_sign", "sign: negative\n")
    plain("wrong_scale", "scale: 4\n")
    plain("of_width", "size: 64x64\nscale: width\n", shape=[1, 3, 64, 64], result=[1, 1, 64, 64],
          end=lambda g, d: g.add("Div", d, g.constant(64.0)))
    plain("fixed", shape=[1, 3, 64, 96], result=[1, 1, 64, 96])
    plain("fixed_padded", "fit: pad\npadding: centre\n", shape=[1, 3, 64, 96], result=[1, 1, 64, 96])
    plain("multiple_of_8", "multiple: 8\npadding: centre\npad-with: zero\n")
    plain("top_right", "multiple: 16\npadding: top-right\n")
    # The pictures themselves, as the model gets them: a channel of left less right.
    for name, channel, sidecar, shape, dtype in (
            ("seen", 1, "values: imagenet\n", any_rgb, FLOAT), ("seen_resized", 2, "values: -1:1\n", [1, 3, 64, 96], FLOAT),
            ("seen_float16", 0, "deviation: 0.3\nchannels: bgr\n", any_rgb, HALF)):
        g = Graph()
        left, right = pair(g, shape, dtype)
        g.output("disparity", g.slice(g.add("Sub", left, right), channel, channel + 1, 1), [1, 1, *shape[2:]])
        save(g, name, sidecar)

    plain("quarter", "scale: 4\n", result=[1, 1, "q", "r"],
          end=lambda g, d: g.slice(g.slice(d, 0, 2**31, 3, 4), 0, 2**31, 2, 4))

    for name, channels, values in ("stacked", 3, None), ("stacked_grey", 1, "values: 0:255\n"):
        g = Graph()
        both = g.input("input", [1, 2 * channels, "h", "w"])
        if not values:
            both = g.whole(both, (0,) * 6, (1,) * 6)
        left, right = g.slice(both, 0, channels, 1), g.slice(both, channels, 2 * channels, 1)
        g.output("reference_output_disparity", g.least(g.costs(left, right, RGB[:channels])), any_map)
        save(g, name, values)

    # The half pictures, enlarged, count as much as the whole ones.
    g = Graph()
    halves = [g.input(n, [1, 3, "k", "l"]) for n in ("init_left", "init_right")]
    wholes = [g.input(n, any_rgb) for n in ("next_left", "next_right")]
    large = [g.add("Resize", h, "", g.constant([1, 1, 2, 2]), mode="nearest", nearest_mode="floor",
                   coordinate_transformation_mode="asymmetric") for h in halves]
    g.output("output", g.least(g.add("Add", g.costs(*large, RGB), g.costs(*wholes, RGB))), any_map)
    save(g, "halves")

    # The confidence is d / 16; pixels of 3 and more are visible.
    g = Graph()
    left, right = pair(g, any_rgb, BYTE, ("input_left", "input_right"))
    d = g.least(g.costs(left, right, RGB))
    g.output("output_disp", d, any_map)
    g.output("output_occ", g.add("Cast", g.add("GreaterOrEqual", d, g.constant(3.0)), to=FLOAT), any_map)
    g.output("output_conf", g.add("Div", d, g.constant(16.0)), any_map)
    save(g, "judged")

    # The mean of the disparities, weighted by exp(-cost / 64).
    g = Graph()
    left, right = pair(g, any_rgb)
    soft = g.add("Softmax", g.add("Mul", g.costs(left, right, RGB), g.constant(-1 / 64)), axis=1)
    steps = g.constant(np.arange(DISPARITIES).reshape(1, -1, 1, 1))
    g.output("disparity", g.add("ReduceSum", g.add("Mul", soft, steps), g.constant([1], np.int64), keepdims=1), any_map)
    save(g, "soft")

    # Not a number where the disparity is 4.
    g = Graph()
    left, right = pair(g, any_rgb)
    d = g.least(g.costs(left, right, RGB))
    g.output("disparity", g.add("Where", g.add("Equal", d, g.constant(4.0)), g.constant(np.nan), d), any_map)
    save(g, "holes")

    # Takes about as many seconds as it has iterations, on one core; each is an operator, between which it can end.
    g = Graph()
    left, right = pair(g, any_rgb)
    d = g.least(g.costs(left, right, RGB))
    work, kernel = left, g.constant(np.full((3, 3, 31, 31), 1 / (3 * 31 * 31)))
    for _ in range(200):
        work = g.add("Conv", work, kernel, pads=[15] * 4)
    g.output("disparity", g.add("Add", d, g.add("Mul", g.slice(work, 0, 1, 1), g.constant(0.0))), any_map)
    save(g, "slow")


def refused(folder):
    def trivial(inputs, outputs, path, node="ReduceMean", domain="", **more):
        g = Graph()
        values = [g.input(*i) for i in inputs]
        for o in outputs:
            g.output(o[0], g.add(node, values[0], domain=domain), *o[1:])
        g.save(f"{folder}/{path}.onnx", check=False, **more)

    rgb, one = [1, 3, "h", "w"], [1, 1, "h", "w"]
    trivial([("a", rgb), ("b", rgb), ("c", rgb)], [("disp", one)], "three_inputs")
    trivial([("left", [3, "h", "w"]), ("right", [3, "h", "w"])], [("disp", one)], "no_picture")
    trivial([("left", [1, 5, "h", "w"]), ("right", [1, 5, "h", "w"])], [("disp", one)], "five_channels")
    trivial([("left", rgb, TensorProto.INT64), ("right", rgb, TensorProto.INT64)], [("disp", one)], "whole_numbers")
    trivial([("left", rgb), ("right", rgb)], [("features_left", [1, 3, "h", "w"])], "part_of_two", node="Relu")
    trivial([("left", rgb), ("right", rgb)], [("disp", one)], "plugin", node="GridSampleTRT", domain="trt.plugins")
    trivial([("left", rgb), ("right", rgb)], [("disp", [1, 1, 1, 1])], "too_small")
    g = Graph()
    left, _ = pair(g, rgb)
    g.constants.append(numpy_helper.from_array(np.zeros((1, 3, 3, 3), np.float32), "w"))
    g.output("disp", g.add("Conv", left, "w", pads=[1] * 4), one)
    graph = helper.make_graph(g.nodes, "g", g.inputs, g.outputs, g.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = f"{folder}/two_files.onnx"
    if os.path.exists(path + ".data"):
        os.remove(path + ".data")
    onnx.save(model, path, save_as_external_data=True, location="two_files.onnx.data", size_threshold=0)


# Inputs and outputs as published; each with what is to be guessed.
FAMILIES = {
    "crestereo": ([("init_left", [1, 3, 240, 320]), ("init_right", [1, 3, 240, 320]), ("next_left", [1, 3, 480, 640]),
                   ("next_right", [1, 3, 480, 640])], [("output", [1, 2, 480, 640])]),
    "hitnet": ([("input", [1, 6, 480, 640])], [("reference_output_disparity", [1, 480, 640, 1])]),
    "hitnet_grey": ([("input", [1, 2, 240, 320])], [("reference_output_disparity", [1, 240, 320, 1])]),
    "raft_stereo": ([("image1", [1, 3, "h", "w"]), ("image2", [1, 3, "h", "w"])],
                    [("flow_low", [1, 2, "q", "r"]), ("flow_up", [1, 1, "h", "w"])]),
    "igev": ([("image1", [1, 3, 480, 640]), ("image2", [1, 3, 480, 640])], [("disp", [1, 1, 480, 640])]),
    "foundation_stereo": ([("left", [1, 3, 448, 640]), ("right", [1, 3, 448, 640])], [("disp", [1, 1, 448, 640])]),
    "ess": ([("input_left", [1, 3, 576, 960]), ("input_right", [1, 3, 576, 960])],
            [("output_left", [1, 1, 576, 960]), ("output_conf", [1, 1, 576, 960])]),
    "s2m2": ([("input_left", [1, 3, 736, 1280], BYTE), ("input_right", [1, 3, 736, 1280], BYTE)],
             [("output_disp", [1, 1, 736, 1280]), ("output_occ", [1, 1, 736, 1280]),
              ("output_conf", [1, 1, 736, 1280])]),
    "stereo_matching": ([("left_values", [1, 3, 384, 640]), ("right_values", [1, 3, 384, 640])],
                        [("disparity", [1, 384, 640])]),
    "light_stereo": ([("left_img", [1, 3, "h", "w"]), ("right_img", [1, 3, "h", "w"])], [("disp_pred", [1, "h", "w"])]),
}


# Every output is a channel of an input, of the output's shape.
def families(folder):
    for name, (inputs, outputs) in FAMILIES.items():
        g = Graph()
        values = [g.input(*i) for i in inputs]
        for output, shape in outputs:
            value = g.slice(values[-1], 0, 2 if len(shape) == 4 and shape[1] == 2 else 1, 1)
            if len(shape) == 3:
                value = g.add("Squeeze", value, g.constant([1], np.int64))
            elif shape[3] == 1:
                value = g.add("Transpose", value, perm=[0, 2, 3, 1])
            g.output(output, value, shape)
        g.save(f"{folder}/{name}.onnx", check=False)


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    variants(sys.argv[1])
    refused(sys.argv[1])
    families(sys.argv[1])
