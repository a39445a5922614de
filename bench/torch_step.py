#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer of bench/cnn and bench/study: training steps of a network of torch_nets.py. Prints one JSON line.

    torch_step.py NETWORK --mode MODE --batch N --size N --classes N --optimizer NAME [--passes] [--device cpu] [--precision tf32]

MODE       graph: torch.compile inside a CUDA graph of the whole step; plaingraph: such a graph without torch.compile; eager
--passes   also forward alone, in training mode with all that the backward pass needs kept, and forward with backward

Data: one batch that stays where it is, floats already, so that the peer neither gathers nor converts. channels_last, TF32 allowed,
cudnn.benchmark, fused optimizer where there is one, dropout and batchnorm as in training. Milliseconds: the median of five windows
of half a second (on a CPU: of as many steps as fit into --window), between CUDA events or by the clock, after a warm-up.
"""
import argparse
import json
import statistics
import sys
import time

began = time.perf_counter()

import torch
import torch.nn.functional as F

from energy import Meter
from torch_nets import NETWORKS, mnist_cnn, parameters_of

OPTIMIZERS = {
    "sgd": lambda p, cuda: torch.optim.SGD(p, 0.01, **({"fused": True} if cuda else {})),
    "momentum": lambda p, cuda: torch.optim.SGD(p, 0.01, momentum=0.9, **({"fused": True} if cuda else {})),
    "nesterov": lambda p, cuda: torch.optim.SGD(p, 0.01, momentum=0.9, nesterov=True, **({"fused": True} if cuda else {})),
    "adagrad": lambda p, cuda: torch.optim.Adagrad(p, 0.01),
    "adadelta": lambda p, cuda: torch.optim.Adadelta(p, 1.0, **({"capturable": True} if cuda else {})),
    "adam": lambda p, cuda: torch.optim.Adam(p, 0.001, **({"fused": True, "capturable": True} if cuda else {})),
}


def options_of(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("network", choices=[*NETWORKS, "mnist_cnn"])
    parser.add_argument("--mode", choices=["graph", "plaingraph", "eager"], default="graph")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--classes", type=int, default=1000)
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default="momentum")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--precision", choices=["tf32", "fp32"], default="tf32")
    parser.add_argument("--passes", action="store_true")
    parser.add_argument("--window", type=float, default=0.5, help="seconds")
    return parser.parse_args(words)


def seconds_of(step, options):
    """Of one step: median, shortest, longest of five windows; and joules (energy.py)."""
    def window(steps):
        first = time.perf_counter()
        for _ in range(steps):
            step()
        return (time.perf_counter() - first) / steps
    if options.device == "cuda":
        from torch_capture import time_windows
        for _ in range(5):
            step()
        windows = time_windows(step, options.window)
        joules = windows.joules
    else:
        window(1)
        steps = max(1, round(options.window / window(1)))
        meter = Meter()
        windows = sorted(window(steps) for _ in range(5))
        joules = meter.per_sample(5 * steps)
    return statistics.median(windows), windows[0], windows[-1], joules


def main():
    options = options_of(sys.argv[1:])
    cuda = options.device == "cuda"
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = options.precision == "tf32"
    torch.backends.cudnn.benchmark = True
    torch.manual_seed(0)
    digits = options.network == "mnist_cnn"
    net = mnist_cnn() if digits else NETWORKS[options.network](options.classes, options.size)
    net = net.to(options.device).to(memory_format=torch.channels_last)
    shape = (options.batch, 1, 28, 28) if digits else (options.batch, 3, options.size, options.size)
    x = torch.randn(shape, device=options.device).contiguous(memory_format=torch.channels_last)
    y = torch.randint(10 if digits else options.classes, (options.batch,), device=options.device)
    optimizer = OPTIMIZERS[options.optimizer](net.parameters(), cuda)

    def loss_of(pixels, labels):
        return F.cross_entropy(net(pixels), labels)
    forward = torch.compile(loss_of) if options.mode == "graph" else loss_of

    def passes():
        optimizer.zero_grad(set_to_none=True)
        forward(x, y).backward()

    def step():
        passes()
        optimizer.step()

    def figures(body):
        if options.mode == "eager":
            return seconds_of(body, options)
        from torch_capture import capture
        return seconds_of(capture(body).replay, options)
    median, least, most, joules = figures(step)
    result = {"samples_per_second": options.batch / median, "slowest": options.batch / most, "fastest": options.batch / least,
              "milliseconds_per_step": 1e3 * median, **{key: value / options.batch for key, value in joules.items()}}
    if options.passes:
        both, ahead = figures(passes)[0], figures(lambda: forward(x, y))[0]
        result.update({"forward_ms": 1e3 * ahead, "backward_ms": 1e3 * (both - ahead), "total_ms": 1e3 * both})
    print(json.dumps({"peer": "PyTorch " + torch.__version__.split("+")[0], "mode": options.mode, "parameters": parameters_of(net),
                      **result, "seconds": round(time.perf_counter() - began, 1)}))


main()
