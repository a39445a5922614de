#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Products of stacks of matrices: matmul(a, b) is what it is matrix by matrix.

    products.py NNC
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import npy, read_npy, trains
from verdict import Verdict, build, run

SAMPLES = 6
NET = """
block apart(a, b) {
    parts = []
    for i in range(3) {
        x = if a.shape[0] == 1 then a else a -> slice(0, i, 1)
        y = if b.shape[0] == 1 then b else b -> slice(0, i, 1)
        parts = parts + [matmul(x -> reshape((a.shape[1], a.shape[2])), y -> reshape((b.shape[1], b.shape[2])))]
    }
    return stack(parts, axis = 0)
}

model products {
    input  x: f32[3, 2, 4]
    target label: class[3]

    param  each: f32[3, 4, 5] init normal(1.0)
    first = x -> slice(0, 0, 1)
    turned = x -> transpose((0, 2, 1))
    last = turned -> slice(0, 2, 1)
    loss   cross_entropy(matmul(x, each) -> flatten -> dense(3), label)
"""
# Of each sample or learned; one matrix for all three, or three.
PAIRS = ["x, each", "first, each", "x, turned", "first, turned", "x, last"]
TRAINING = """}

train products {
    data  "synth:random"
    steps 1
    batch 4
}
"""

nnc = os.path.abspath(sys.argv[1])
v = Verdict("products")
lines = [line for i, pair in enumerate(PAIRS)
         for line in (f"    off_{i} = max(abs(matmul({pair}) - apart({pair})))", f"    size_{i} = max(abs(apart({pair})))",
                      f"    output off_{i}", f"    output size_{i}")]
with open(v.path("products.net"), "w", encoding="utf-8") as f:
    f.write(NET + "\n".join(lines) + "\n" + TRAINING)
exe = build(v, nnc, v.path("products.net"), "train_products")
if exe:
    # A trainer has what it calls and no more: products of doubles are some 150 kB.
    names = run(["nm", exe]).stdout
    v.check("no products of another precision are linked", "_f32_" in names and "block_f64" not in names, [n for n in names.split() if "_f64_" in n])
    random.seed(1)
    x = npy(v.path("x.npy"), "f", "<f4", (SAMPLES, 3, 2, 4), [random.gauss(0, 1) for _ in range(SAMPLES * 24)])
    trains(v, exe, "a step", "--checkpoint", v.path("saved"))
    trains(v, exe, "predict", "predict", "--checkpoint", v.path("saved"), x, "--out", v.path("y.npy"))
    for i, pair in enumerate(PAIRS):
        off, size = (read_npy(v.path(f"y.{name}_{i}.npy"))[1] for name in ("off", "size"))
        v.check(f"matmul({pair}), matrix by matrix", len(off) == SAMPLES and min(size) > 0.1 and max(off) < 1e-5 * max(size), (off, size))
v.finish()
