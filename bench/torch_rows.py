#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer of bench/norms --cuda: torch_rows.py ELEMENTS PRECISION:COLUMNS... prints a JSON line of each, us forward and backward."""
import json
import statistics
import sys

import torch
import torch.nn.functional as F

SORTS = {  # operands that have a gradient, rows first
    "layernorm": (lambda x, w, b: F.layer_norm(x, w.shape, w, b), "rww"),
    "rmsnorm": (lambda x, w: F.rms_norm(x, w.shape, w), "rw"),
    "softmax": (lambda x: torch.softmax(x, -1), "r"),
    "dropout": (lambda x, y: y + F.dropout(x, 0.1), "rr"),
}


def graph_us(call):
    """Microseconds of one call of ten in a graph."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(10):
            call()
    took = []
    for _ in range(7):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        graph.replay()
        end.record()
        torch.cuda.synchronize()
        took.append(100 * begin.elapsed_time(end))
    return statistics.median(took[1:])


def times(rows, columns, dtype):
    found = {}
    gradient = torch.randn(rows, columns, device="cuda", dtype=dtype)
    for sort, (function, operands) in SORTS.items():
        torch._dynamo.reset()
        f = torch.compile(function, dynamic=False)
        given = [torch.randn((rows, columns) if o == "r" else columns, device="cuda", dtype=dtype, requires_grad=True) for o in operands]
        forward = graph_us(lambda: f(*given))
        found[sort] = [forward, graph_us(lambda: torch.autograd.grad(f(*given), given, gradient)) - forward]
        del given
    torch._dynamo.reset()
    f = torch.compile(F.cross_entropy, dynamic=False)
    labels = torch.randint(columns, (rows,), device="cuda")
    x = torch.randn(rows, columns, device="cuda", dtype=dtype, requires_grad=True)
    found["cross_entropy"] = [0, graph_us(lambda: torch.autograd.grad(f(x, labels), [x]))]
    return found


torch.manual_seed(0)
for word in sys.argv[2:]:
    precision, columns = word.split(":")
    print(json.dumps(times(int(sys.argv[1]) // int(columns), int(columns),
                           torch.bfloat16 if precision == "bf16" else torch.float32)), flush=True)
