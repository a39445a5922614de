#!/usr/bin/env python3
"""The peer of bench/gpus: PyTorch on one GPU and on all of a torchrun, DistributedDataParallel with torch.compile.

    torchrun --nproc-per-node 2 ddp.py WORKLOAD PRECISION BATCH

WORKLOAD and PRECISION as in torch_gpu.py, and resnet18_cifar, vgg16_cifar; BATCH is of each GPU. The first rank prints one JSON line: samples
per second of one GPU alone (the median of what each has when it trains by itself) and of all together; the network, loss and
optimizer of models/*.net, channels_last, TF32 allowed, cudnn.benchmark, fused optimizers, gradients as views of the buckets. Every
step gathers a shuffled batch on the device. Windows between CUDA events, after a warm-up.
"""
import json
import os
import statistics
import sys
import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel

from torch_nets import NETWORKS, mlp

workload, precision, batch = sys.argv[1], sys.argv[2], int(sys.argv[3])
rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
narrow = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(precision)
WINDOW, WINDOWS = 0.5, 5  # seconds; how many


def images(side, classes, count):
    x = torch.rand(count, 3, side, side, device="cuda").contiguous(memory_format=torch.channels_last)
    return x, torch.randint(classes, (count,), device="cuda")


def make():
    """Network, data, loss, optimizer."""
    if workload == "mlp_train":
        return mlp(), (torch.rand(4 * batch, 1000, device="cuda"), torch.rand(4 * batch, 1, device="cuda")), F.mse_loss, \
            lambda p: torch.optim.Adam(p, 1e-3, fused=True)
    name, kind = workload.split("_")
    side, classes, count = (224, 1000, 4 * batch) if kind == "imagenet" else (32, 10, 20000)

    def sgd(p):
        return torch.optim.SGD(p, 0.01, momentum=0.9, weight_decay=1e-4, fused=True)

    def adam(p):
        return torch.optim.Adam(p, 1e-3, fused=True)
    return NETWORKS[name](classes, side), images(side, classes, count), F.cross_entropy, sgd if kind == "imagenet" else adam


def step_of(net, data, loss_of, optimizer):
    x, y = data
    count = x.shape[0]
    order, at = torch.randperm(count, device="cuda"), [0]

    def step():
        if (at[0] + 1) * batch > count:
            at[0] = 0
            order.copy_(torch.randperm(count, device="cuda"))
        chosen = order[at[0] * batch:(at[0] + 1) * batch]
        at[0] += 1
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", narrow, enabled=narrow is not None):
            loss = loss_of(net(x.index_select(0, chosen)), y.index_select(0, chosen))
        loss.backward()
        optimizer.step()
    return step


def agreed(value):
    """The largest of all ranks'."""
    t = torch.tensor(value, device="cuda", dtype=torch.float64)
    dist.all_reduce(t, dist.ReduceOp.MAX)
    return t.item()


def seconds_of(step):
    """Of a step: the median of the windows, each as long as the slowest rank has it."""
    for _ in range(8):
        step()
    torch.cuda.synchronize()

    def window(steps):
        dist.barrier()
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        first.record()
        for _ in range(steps):
            step()
        last.record()
        torch.cuda.synchronize()
        return agreed(first.elapsed_time(last) / 1e3 / steps)
    steps = max(5, round(WINDOW / window(10)))
    return statistics.median(window(steps) for _ in range(WINDOWS))


def main():
    began = time.perf_counter()
    dist.init_process_group("nccl", device_id=torch.device("cuda", torch.cuda.current_device()))
    net, data, loss_of, make_optimizer = make()
    net = net.cuda()
    if data[0].dim() == 4:
        net = net.to(memory_format=torch.channels_last)
    alone = seconds_of(step_of(torch.compile(net), data, loss_of, make_optimizer(net.parameters())))
    together = DistributedDataParallel(net, device_ids=[torch.cuda.current_device()], gradient_as_bucket_view=True)
    shared = seconds_of(step_of(torch.compile(together), data, loss_of, make_optimizer(net.parameters())))
    if rank == 0:
        print(json.dumps({"peer": "PyTorch " + torch.__version__.split("+")[0], "mode": "DDP, torch.compile", "gpus": ranks,
                          "one": batch / alone, "all": ranks * batch / shared, "gain": ranks * alone / shared,
                          "seconds": round(time.perf_counter() - began, 1)}))
    dist.destroy_process_group()


main()
