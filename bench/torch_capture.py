# SPDX-License-Identifier: MIT
"""A PyTorch function as a CUDA graph, and the time of a step, for the peers of this folder."""
import json
import statistics

import torch

from energy import Meter


def capture(body):
    """Runs the body on a side stream a few times, which makes what it allocates, and captures it; returns the graph."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(4):
            body()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        body()
    return graph


class Windows(list):
    """Seconds of a step in each, the shortest first; `joules`: of a step, by the names of Meter.per_sample."""
    joules = {}

    def per_sample(self, batch):
        return {key: value / batch for key, value in self.joules.items()}


def time_windows(step, seconds=0.5, count=5, warm=20):
    """Runs `warm` steps, and then windows of so many that each takes that long; returns the seconds of a step in each, between CUDA events,
    the shortest first."""
    def window(steps):
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        first.record()
        for _ in range(steps):
            step()
        last.record()
        torch.cuda.synchronize()
        return first.elapsed_time(last) / 1e3 / steps
    steps = max(5, round(seconds / window(warm)))
    meter = Meter()
    windows = Windows(sorted(window(steps) for _ in range(count)))
    windows.joules = meter.per_sample(steps * count)
    return windows


def print_training(name, net, optimizer, loss_of, data, batch):
    """Whole training steps as one CUDA graph: each gathers a shuffled batch of `data`, tensors on the GPU with a sample a row, of which
    loss_of(*batch) is the loss. Prints a line of JSON: samples a second by the median of five windows of half a second."""
    count = data[0].shape[0]
    order, at, chosen = torch.randperm(count, device="cuda"), 0, torch.zeros(batch, dtype=torch.long, device="cuda")

    def body():
        optimizer.zero_grad(set_to_none=True)
        loss_of(*(t.index_select(0, chosen) for t in data)).backward()
        optimizer.step()
    graph = capture(body)

    def step():
        nonlocal order, at
        if (at + 1)*batch > count:
            order, at = torch.randperm(count, device="cuda"), 0
        chosen.copy_(order[at*batch:(at + 1)*batch])
        at += 1
        graph.replay()
    for _ in range(10):
        step()
    windows = time_windows(step, warm=10)
    milliseconds = 1e3*statistics.median(windows)
    print(json.dumps({"peer": "PyTorch " + torch.__version__.split("+")[0], "network": name, "batch": batch, "milliseconds": milliseconds,
                      "samples_per_second": 1e3*batch/milliseconds, **windows.per_sample(batch),
                      "parameters": sum(p.numel() for p in net.parameters()), "peak_MiB": torch.cuda.max_memory_allocated() >> 20}))
