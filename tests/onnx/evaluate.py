# SPDX-License-Identifier: MIT
"""Evaluates a model of ONNX with NumPy, in double, each operator as its page in ONNX's documentation defines it; Debian's python3-onnx has
the checker but no evaluator (onnx.reference came with 1.13, and is taken where it is there)."""
import math

import numpy as np
import onnx
from onnx import numpy_helper


def attributes(node):
    return {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}


def windows(x, size, strides, pads, dilations, filler):
    """[n, c, p, q, r, s] of x [n, c, h, w]."""
    x = np.pad(x, ((0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])), constant_values=filler)
    extent = [(k - 1) * d + 1 for k, d in zip(size, dilations)]
    out = [(x.shape[2 + i] - extent[i]) // strides[i] + 1 for i in range(2)]
    y = np.empty(x.shape[:2] + tuple(out) + tuple(size), x.dtype)
    for r in range(size[0]):
        for s in range(size[1]):
            at = r * dilations[0], s * dilations[1]
            y[..., r, s] = x[:, :, at[0]:at[0] + out[0] * strides[0]:strides[0], at[1]:at[1] + out[1] * strides[1]:strides[1]]
    return y


def conv(x, w, strides, pads, dilations, group):
    y = windows(x, w.shape[2:], strides, pads, dilations, 0)
    parts = [np.tensordot(a, b, ((1, 4, 5), (1, 2, 3))) for a, b in zip(np.split(y, group, 1), np.split(w, group, 0))]
    return np.concatenate(parts, -1).transpose(0, 3, 1, 2)


def conv_transpose(x, w, strides, pads, dilations, output_padding, group):
    n, c, (h, width) = x.shape[0], w.shape[1], x.shape[2:]
    size = [(k - 1) * s + (r - 1) * d + 1 + more for k, s, r, d, more in zip((h, width), strides, w.shape[2:], dilations, output_padding)]
    y = np.zeros((n, group, c, *size), np.result_type(x, w))
    x, w = x.reshape(n, group, -1, h, width), w.reshape(group, -1, *w.shape[1:])
    for r in range(w.shape[3]):
        for s in range(w.shape[4]):
            at = r * dilations[0], s * dilations[1]
            y[..., at[0]:at[0] + h * strides[0]:strides[0], at[1]:at[1] + width * strides[1]:strides[1]] += \
                np.einsum("ngihw,gio->ngohw", x, w[..., r, s])
    return y.reshape(n, group * c, *size)[..., pads[0]:size[0] - pads[2], pads[1]:size[1] - pads[3]]


def lrn(x, size, alpha, beta, bias):
    below, above = (size - 1) // 2, math.ceil((size - 1) / 2)
    squares = np.pad(x * x, ((0, 0), (below, above), (0, 0), (0, 0)))
    return x / (bias + alpha / size * sum(squares[:, i:i + x.shape[1]] for i in range(size))) ** beta


def slice_of(x, starts, ends, axes):
    at = [slice(None)] * x.ndim
    for start, end, axis in zip(starts, ends, axes):
        at[axis] = slice(start, end)
    return x[tuple(at)]


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def batchnorm(x, gamma, beta, mean, var, epsilon):
    wide = (1, -1) + (1,) * (x.ndim - 2)
    return (x - mean.reshape(wide)) / np.sqrt(var.reshape(wide) + epsilon) * gamma.reshape(wide) + beta.reshape(wide)


TYPES = {1: np.float64, 11: np.float64, 2: np.uint8, 6: np.int32, 7: np.int64, 9: np.bool_}
ERF = np.vectorize(math.erf, otypes=[np.float64])
OPERATORS = {
    "Identity": lambda x: x, "Cast": lambda x, to: x.astype(TYPES[to]), "Add": np.add, "Sub": np.subtract, "Mul": np.multiply,
    "Div": np.divide, "Max": np.maximum, "Min": np.minimum, "Pow": np.power, "Neg": np.negative, "Exp": np.exp, "Log": np.log, "Floor": np.floor,
    "Sin": np.sin, "Cos": np.cos, "Sqrt": np.sqrt, "Reciprocal": np.reciprocal, "Abs": np.abs, "Sign": np.sign, "Erf": ERF,
    "Relu": lambda x: np.maximum(x, 0), "LeakyRelu": lambda x, alpha: np.where(x < 0, alpha * x, x),
    "Elu": lambda x, alpha: np.where(x < 0, alpha * np.expm1(x), x), "Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Tanh": np.tanh,
    "Softplus": lambda x: np.logaddexp(x, 0), "Clip": np.clip, "Greater": np.greater, "GreaterOrEqual": np.greater_equal, "Less": np.less,
    "LessOrEqual": np.less_equal, "Equal": np.equal, "Not": np.logical_not, "Where": np.where, "IsNaN": np.isnan,
    "Transpose": lambda x, perm: x.transpose(perm), "Reshape": lambda x, shape: x.reshape(shape),
    "Squeeze": np.squeeze, "Shape": lambda x, start, end: np.array(x.shape[start:end]), "RandomUniformLike": lambda x: np.full(x.shape, 0.5),
    "Unsqueeze": lambda x, axes: np.expand_dims(x, tuple(int(a) for a in axes)),
    "Expand": lambda x, shape: x * np.ones(shape, x.dtype), "Concat": lambda *x, axis: np.concatenate(x, axis), "Slice": slice_of,
    "Pad": lambda x, pads: np.pad(x, list(zip(pads[:x.ndim], pads[x.ndim:]))), "Gather": lambda x, index, axis: np.take(x, index, axis),
    "ReduceSum": lambda x, axes, keepdims: x.sum(tuple(axes), keepdims=bool(keepdims)),
    "ReduceMax": lambda x, axes, keepdims: x.max(tuple(axes), keepdims=bool(keepdims)), "Softmax": softmax,
    "Gemm": lambda a, b, transA, transB: (a.T if transA else a) @ (b.T if transB else b), "MatMul": np.matmul,
    "Range": lambda start, limit, delta: start + delta * np.arange(math.ceil((limit - start) / delta)),
    "CumSum": lambda x, axis: x.cumsum(int(axis[0])), "Conv": conv, "ConvTranspose": conv_transpose, "LRN": lrn, "BatchNormalization": batchnorm,
    "MaxPool": lambda x, kernel_shape, strides, pads: windows(x, kernel_shape, strides, pads, (1, 1), -np.inf).max((4, 5)),
    "AveragePool": lambda x, kernel_shape, strides, pads, count_include_pad: windows(x, kernel_shape, strides, pads, (1, 1), 0).mean((4, 5)),
}


def scan(values, *operands, body, num_scan_inputs, scan_input_axes, scan_input_directions, scan_output_axes, scan_output_directions):
    """`values`: what the body sees of the graph around it."""
    carried, sequences = list(operands[:-num_scan_inputs]), operands[-num_scan_inputs:]
    places = [np.moveaxis(x, axis, 0)[::-1 if back else 1] for x, axis, back in zip(sequences, scan_input_axes, scan_input_directions)]
    yielded = []
    for parts in zip(*places):
        results = evaluate_graph(body, values | dict(zip((x.name for x in body.input), [*carried, *parts])))
        carried = results[:len(carried)]
        yielded.append(results[len(carried):])
    stacks = [np.stack(parts[::-1] if back else parts, axis) for parts, axis, back in zip(zip(*yielded), scan_output_axes, scan_output_directions)]
    return carried + stacks


def evaluate_graph(graph, values):
    constants = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    values = values | {name: v.astype(np.float64) if v.dtype == np.float32 else v for name, v in constants.items()}
    for node in graph.node:
        operands = [values[name] for name in node.input]
        with np.errstate(all="ignore"):  # of what Where then leaves out
            if node.op_type == "Scan":
                values |= zip(node.output, scan(values, *operands, **attributes(node)))
            else:
                values[node.output[0]] = OPERATORS[node.op_type](*operands, **attributes(node))
    return [values[output.name] for output in graph.output]


def evaluate(model, inputs):
    """The outputs in order; inputs by name."""
    return evaluate_graph(model.graph, inputs)
