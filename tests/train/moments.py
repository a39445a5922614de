#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Statistics of a batch: moments.py NNC

A batchnorm of what is ten thousand deviations from 0 has mean and variance of a computation in two passes, within a thousandth, from the
first step on, in f32: of one channel and of many, of few values and of many, of what is in memory and of what a kernel computes; and the
groups of a groupnorm are normalised by them.
"""
import array
import os
import random
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "witness"))
from formula import read_safetensors
from verdict import Verdict, build, json_lines, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("moments")
NET = """model far {
    input  x: f32[%(shape)s]
    target y: f32[%(shape)s]
    loss mse(%(layer)s, y)
}
train far {
    data      npy
    optimizer sgd(rate = 0.01)
    steps     1
    batch     %(batch)d
    seed      1
}
"""


def floats(path, shape, values):
    """An .npy file of f32."""
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s,), }" % ", ".join(map(str, shape))
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + array.array("f", values).tobytes())


def moments(values):
    mean = sum(values) / len(values)
    return mean, sum((x - mean)**2 for x in values) / len(values)


def trained(name, layer, shape, batch, values):
    """Loss of the first step and the checkpoint after it; None where there is none."""
    net = v.path(name + ".net")
    with open(net, "w", encoding="utf-8") as f:
        f.write(NET % {"shape": ", ".join(map(str, shape)), "layer": layer, "batch": batch})
    exe = build(v, nnc, net, name)
    os.makedirs(v.path(name + ".data"), exist_ok=True)
    for part in ("train", "test"):
        floats(v.path(name + ".data", part + "_x.npy"), [batch, *shape], values)
        floats(v.path(name + ".data", part + "_y.npy"), [batch, *shape], [0.0] * len(values))
    log, saved = v.path(name + ".jsonl"), v.path(name + ".st")
    done = run([exe, "--data", v.path(name + ".data"), "--log", log, "--log-every", "1", "--checkpoint", saved]) if exe else None
    if not exe or not v.check(f"{name} trains", done.returncode == 0, done.stderr):
        return None, None
    return next(line["loss"] for line in json_lines(log) if "loss" in line), read_safetensors(saved)


def drawn(channels, places):
    """Values of which channel c is (c + 1)*10,000 deviations of 1 from 0, as f32 has them."""
    dice = random.Random(channels * 1000 + places)
    return array.array("f", [dice.gauss((c % 7 + 1) * 10000 / 7, 1) for _ in range(places) for c in range(channels)])


def check_batchnorm(name, layer, shape, batch, moved=0):
    channels, places = shape[-1], batch
    for size in shape[:-1]:
        places *= size
    values = drawn(channels, places)
    _, saved = trained(name, layer, shape, batch, values)
    if not saved:
        return
    found = {key.split(".")[-1]: values for key, (_, values) in saved.items() if "running" in key}
    for c in range(channels):
        mean, var = moments([x + moved for x in values[c::channels]])
        # running = 0.9*start + 0.1*batch; the variance is the unbiased one
        now = found["running_mean"][c] / 0.1, (found["running_var"][c] - 0.9) / 0.1 * (places - 1) / places
        v.check(f"{name}: mean of channel {c}", abs(now[0] - mean) <= 1e-3 * max(1, var**0.5) + 2e-7 * abs(mean), (now[0], mean))
        v.check(f"{name}: variance of channel {c}", abs(now[1] - var) <= 1e-3 * var, (now[1], var))


def check_two_values():
    """5000 +- 1, eight values: normalised they are +-1, whose mean square is 1."""
    loss, _ = trained("two", "x -> batchnorm", [1], 8, [5001.0, 4999.0] * 4)
    v.check("5000 +- 1: the loss of step 1", loss is not None and abs(loss - 1 / (1 + 1e-5)) < 1e-5, loss)
    for layer, shape in (("groupnorm(2)", [4, 4, 8]), ("instancenorm(affine = true)", [4, 4, 8]), ("layernorm", [32])):
        channels = shape[-1]
        places = 8 * (16 if len(shape) > 1 else 1)
        dice = random.Random(places)
        loss, _ = trained(layer.split("(")[0], "x -> " + layer, shape, 8, [dice.gauss(10000, 1) for _ in range(places * channels)])
        v.check(f"{layer}: values at 10,000 have a mean square of 1", loss is not None and abs(loss - 1) < 1e-3, loss)


check_two_values()
check_batchnorm("one", "x -> batchnorm", [1], 16)
check_batchnorm("rows", "x -> batchnorm", [24], 500)
check_batchnorm("image", "x -> batchnorm", [9, 9, 3], 16)
check_batchnorm("sum", "(x + 3) -> batchnorm", [8, 8, 8], 8, 3)
check_batchnorm("conv", "x -> conv(1, 1, init = ones, bias = false) -> batchnorm", [8, 8, 1], 8)
check_batchnorm("wide", "x -> batchnorm", [4, 4, 40], 8)
v.finish()
