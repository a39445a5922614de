#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer of bench/gpus: PyTorch on one GPU and, with DistributedDataParallel, on several, in every mode that there is time for.

    ddp.py WORKLOAD PRECISION BATCH [--gpus 2] [--modes inner,split] [--seconds N] [--out FILE.jsonl]

WORKLOAD and PRECISION as in torch_gpu.py, and resnet18_cifar, vgg16_cifar, gpt2 (texts of 1,024 tokens); BATCH is of each GPU. The first rank writes a line of JSON for
each mode when it is done. --modes: those on all GPUs, in their order; the two on one GPU are always measured.

The network, loss and optimizer of models/*.net; channels_last, TF32 allowed, bf16 by autocast, cudnn.benchmark, fused optimizers, gradients
as views of the buckets, no broadcast of buffers. Every step gathers a shuffled batch of data that are on the GPU; nothing waits for the GPU
between the ends of a window. Each process has its share of the cores. Without a GPU it runs on the CPU over gloo, which shows that it runs.
"""
import argparse
import collections
import contextlib
import gc
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import time

WINDOW, WINDOWS = 0.5, 5  # seconds; how many
WARM = 12                 # steps: DistributedDataParallel looks at its first ten and arranges its buckets anew after the first

# where torch.compile stands: inner: the network inside DistributedDataParallel; outer: around it; "": nowhere. split: cut at the buckets, so
# that they are sent during the backward pass (optimize_ddp). captured: the whole step as a CUDA graph.
Mode = collections.namedtuple("Mode", "compiled split static captured", defaults=(False, False, False))
ALONE = {"compiled": Mode("inner"), "compiled-graph": Mode("inner", captured=True)}
TOGETHER = {
    "inner": Mode("inner"), "inner-graph": Mode("inner", captured=True), "inner-static": Mode("inner", static=True),
    "split": Mode("inner", split=True), "split-graph": Mode("inner", split=True, captured=True),
    "eager-graph": Mode("", captured=True), "outer": Mode("outer"), "outer-split": Mode("outer", split=True), "eager": Mode(""),
}


def options_of():
    parser = argparse.ArgumentParser()
    parser.add_argument("workload")
    parser.add_argument("precision", choices=["tf32", "bf16", "fp16"])
    parser.add_argument("batch", type=int)
    parser.add_argument("--gpus", type=int, default=2, metavar="N")
    parser.add_argument("--modes", default=",".join(TOGETHER))
    parser.add_argument("--seconds", type=float, default=1e9, help="no mode is begun afterwards")
    parser.add_argument("--out", metavar="FILE.jsonl")
    options = parser.parse_args()
    unknown = [name for name in options.modes.split(",") if name not in TOGETHER]
    if unknown:
        parser.error(f"no mode {unknown[0]}; there are {', '.join(TOGETHER)}")
    return options


def launch(count):
    """Runs this once for each GPU, in the process group of this process; ends with all of them, or as soon as one has failed."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    shared = {**os.environ, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(count)}
    left = [subprocess.Popen([sys.executable, *sys.argv], env={**shared, "RANK": str(i), "LOCAL_RANK": str(i)}) for i in range(count)]
    status = 0
    while left and not status:
        time.sleep(0.1)
        status = next((child.returncode for child in left if child.poll()), 0)
        left = [child for child in left if child.poll() is None]
    for child in left:
        child.kill()
    sys.exit(status)


options = options_of()
if "RANK" not in os.environ:
    launch(options.gpus)
rank, ranks, local = (int(os.environ[name]) for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))


def core_of(cpu):
    """Its package, core and number: processors that share a core stand side by side."""
    def read(name):
        with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/{name}") as f:
            return int(f.read())
    try:
        return read("physical_package_id"), read("core_id"), cpu
    except OSError:
        return 0, cpu, cpu


def pin():
    """This process to its share of the cores, before PyTorch counts them."""
    cores, here = sorted(os.sched_getaffinity(0), key=core_of), ranks
    share = cores[local * len(cores) // here:(local + 1) * len(cores) // here]
    if share:
        os.sched_setaffinity(0, share)


pin()
os.environ.setdefault("TORCH_NCCL_ASYNC_ERROR_HANDLING", "0")  # its thread may not look at events while a graph is captured
os.environ.setdefault("TORCHINDUCTOR_FX_GRAPH_CACHE", "1")     # a network that one mode has compiled, the next one finds
os.environ.setdefault("TORCHINDUCTOR_AUTOGRAD_CACHE", "1")

import torch
import torch._dynamo
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel

from torch_gpt import Gpt
from torch_nets import NETWORKS, mlp

gpu = torch.cuda.is_available()
device = torch.device("cuda", local) if gpu else torch.device("cpu")
workload, batch = options.workload, options.batch
narrow = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(options.precision)


def images(side, classes, count):
    x = torch.rand(count, 3, side, side, device=device).contiguous(memory_format=torch.channels_last)
    return x, torch.randint(classes, (count,), device=device)


def task():
    """How the network is made; data, loss, and how the optimizer is made."""
    fused = {"fused": True} if gpu else {}
    if workload == "mlp_train":
        data = torch.rand(4 * batch, 1000, device=device), torch.rand(4 * batch, 1, device=device)
        return mlp, data, F.mse_loss, lambda p: torch.optim.Adam(p, 1e-3, **fused, capturable=gpu)
    if workload == "gpt2":
        x, y = torch.randint(50257, (2, 16 * batch, 1024), device=device)
        return Gpt, (x, y), lambda logits, y: F.cross_entropy(logits, y.flatten()), lambda p: torch.optim.AdamW(
            p, 1e-3, (0.9, 0.99), weight_decay=0.1, **fused, capturable=gpu)
    name, kind = workload.split("_")
    side, classes, count = (224, 1000, 4 * batch) if kind == "imagenet" else (32, 10, 20000)

    def sgd(p):
        return torch.optim.SGD(p, 0.01, momentum=0.9, weight_decay=1e-4, **fused)

    def adam(p):
        return torch.optim.Adam(p, 1e-3, **fused, capturable=gpu)
    return lambda: NETWORKS[name](classes, side), images(side, classes, count), F.cross_entropy, sgd if kind == "imagenet" else adam


def network_of(mode, make, together):
    """The network of a mode, a replica of which every rank has where they train together."""
    net = make().to(device)
    if workload not in ("mlp_train", "gpt2"):
        net = net.to(memory_format=torch.channels_last)
    if mode.compiled == "inner":
        net.compile()
    if together:
        net = DistributedDataParallel(net, device_ids=[local] if gpu else None, gradient_as_bucket_view=True, broadcast_buffers=False,
                                      static_graph=mode.static)
    return torch.compile(net) if mode.compiled == "outer" else net


def captured(body, stream):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
        body()
    return graph.replay


def step_of(mode, work, together):
    """A function that does a whole step. What is captured is made and warmed up on the stream that it is captured on."""
    make, (x, y), loss_of, make_optimizer = work
    stream = torch.cuda.Stream() if gpu else None
    count, at = x.shape[0], [0]
    order, chosen = torch.randperm(count, device=device), torch.arange(batch, device=device)
    with torch.cuda.stream(stream) if mode.captured and gpu else contextlib.nullcontext():
        net = network_of(mode, make, together)
        optimizer = make_optimizer(net.parameters())

        def body():
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast(device.type, narrow, enabled=narrow is not None):
                loss = loss_of(net(x.index_select(0, chosen)), y.index_select(0, chosen))
            loss.backward()
            optimizer.step()
        for _ in range(WARM):
            body()
    settle()
    run = captured(body, stream) if mode.captured and gpu else body

    def step():
        if (at[0] + 1) * batch > count:
            at[0] = 0
            order.copy_(torch.randperm(count, device=device))
        chosen.copy_(order[at[0] * batch:(at[0] + 1) * batch])
        at[0] += 1
        run()
    return step


def settle():
    if gpu:
        torch.cuda.synchronize()


def largest(value):
    """Of all ranks'."""
    t = torch.tensor(value, device=device, dtype=torch.float64)
    dist.all_reduce(t, dist.ReduceOp.MAX)
    return t.item()


def seconds_of(step):
    """Of a step: the median of the windows, each as long as the slowest rank has it."""
    def window(steps):
        dist.barrier()
        settle()
        began = time.perf_counter()
        first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2)) if gpu else (None, None)
        if gpu:
            first.record()
        for _ in range(steps):
            step()
        if gpu:
            last.record()
        settle()
        return largest(first.elapsed_time(last) / 1e3 / steps if gpu else (time.perf_counter() - began) / steps)
    window(10)
    steps = max(5, round(WINDOW / window(10)))
    return statistics.median(window(steps) for _ in range(WINDOWS))


def cleared():
    """Nothing of the last mode: neither what was compiled in this process, nor memory."""
    gc.collect()
    torch._dynamo.reset()
    if gpu:
        torch.cuda.empty_cache()


def measured(name, mode, work, together):
    """The record of a mode."""
    began, count, failed = time.perf_counter(), ranks if together else 1, ""
    cleared()
    torch.manual_seed(0)
    torch._dynamo.config.optimize_ddp = mode.split
    record = {"peer": "PyTorch " + torch.__version__.split("+")[0], "mode": name, "gpus": count}
    try:
        seconds = seconds_of(step_of(mode, work, together))
        record.update({"samples_per_second": count * batch / seconds, "milliseconds": 1e3 * seconds})
    except Exception as e:  # a mode that this PyTorch has not is left out, the others count
        failed = re.sub(r"\s+", " ", f"{type(e).__name__}: {e}")[:200]
    if largest(bool(failed)):
        record = {"mode": name, "gpus": count, "failed": failed or "on another rank"}
    return {**record, "seconds": round(time.perf_counter() - began, 1)}


def say(record):
    if rank == 0:
        print(json.dumps(record), flush=True)
        if options.out:
            with open(options.out, "a") as f:
                f.write(json.dumps(record) + "\n")


def main():
    began = time.perf_counter()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    if gpu:
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if gpu else "gloo", **({"device_id": device} if gpu else {}))
    work = task()
    jobs = [(name, ALONE[name], False) for name in ALONE] + [(name, TOGETHER[name], True) for name in options.modes.split(",")]
    jobs.insert(1, jobs.pop(len(ALONE)))  # a ratio as soon as two are done
    for name, mode, together in jobs:
        if largest(time.perf_counter() - began) < options.seconds:
            say(measured(name, mode, work, together))
    cleared()
    dist.barrier()
    os._exit(0)  # a communicator that a graph has captured may not come down


main()
