#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer of bench/gpu: PyTorch on a GPU. torch_gpu.py WORKLOAD MODE PRECISION BATCH [EPOCH] prints one JSON line.

WORKLOAD   resnet50_cifar, resnet50_imagenet, mnist_cnn, mlp_train, mlp_infer, mlp_largest_train, mlp_largest_infer
MODE       eager; graph: torch.compile inside a whole-step CUDA graph; autotune: the same with max-autotune;
           plaingraph: a whole-step CUDA graph without torch.compile
PRECISION  tf32; bf16, fp16: autocast, fp32 weights (fp16 with a constant loss scale, which costs less than a moving one)
EPOCH      batches of the data set, which is on the device: a fresh permutation after so many steps

The network, loss and optimizer of models/*.net; channels_last, TF32 allowed, cudnn.benchmark, fused capturable optimizer.
Every step gathers a shuffled batch on the device. Samples per second of whole steps: the median of five windows between CUDA
events, after a warm-up. For mlp_largest_*: the largest batch that 6 GiB of device memory hold, by bisection.
"""
import json
import statistics
import sys
import time

began = time.perf_counter()

import torch
import torch.nn.functional as F

from torch_capture import capture, time_windows
from torch_nets import mlp, mnist_cnn, resnet

workload, mode, precision, batch = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
epoch = int(sys.argv[5]) if len(sys.argv) > 5 else 4
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
narrow = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(precision)
captured = mode != "eager"


def adam(parameters):
    return torch.optim.Adam(parameters, 1e-3, fused=True, capturable=True)


def sgd(parameters):
    return torch.optim.SGD(parameters, 0.1, momentum=0.9, weight_decay=1e-4, fused=True)


def images(count, channels, side, classes):
    """As floats: a peer that keeps bytes would have to convert them in every step."""
    x = torch.rand(count, channels, side, side, device="cuda").contiguous(memory_format=torch.channels_last)
    return x, torch.randint(classes, (count,), device="cuda")


def vectors(count):
    return torch.rand(count, 1000, device="cuda"), torch.rand(count, 1, device="cuda")


WORKLOADS = {  # network, data, loss, optimizer
    "resnet50_cifar": (lambda: resnet(50, 10), lambda: images(max(50000, batch), 3, 32, 10), F.cross_entropy, adam),
    "resnet50_imagenet": (lambda: resnet(50, 1000), lambda: images(4 * batch, 3, 224, 1000), F.cross_entropy, sgd),
    "mnist_cnn": (mnist_cnn, lambda: images(10000, 1, 28, 10), F.cross_entropy, adam),
    "mlp_train": (mlp, lambda: vectors(epoch * batch), F.mse_loss, adam),
}


def compiled(function):
    if mode == "graph":
        return torch.compile(function)
    if mode == "autotune":
        return torch.compile(function, mode="max-autotune-no-cudagraphs")
    return function


def measure(step):
    """Samples per second: median, slowest and fastest of five windows."""
    for _ in range(5):
        step()
    torch.cuda.synchronize()
    warm = time.perf_counter() - began
    seconds = time_windows(step)
    return {"samples_per_second": batch / statistics.median(seconds), "slowest": batch / seconds[-1], "fastest": batch / seconds[0],
            **seconds.per_sample(batch), "milliseconds_per_step": 1e3 * statistics.median(seconds), "start_seconds": round(warm, 1)}


def train():
    make_net, make_data, loss_of, make_optimizer = WORKLOADS[workload]
    x, y = make_data()
    net = make_net().cuda()
    if x.dim() == 4:
        net = net.to(memory_format=torch.channels_last)
    optimizer = make_optimizer(net.parameters())
    scale = 1024.0 if precision == "fp16" else None

    def forward(inputs, labels):
        with torch.autocast("cuda", narrow, enabled=narrow is not None):
            loss = loss_of(net(inputs), labels)
        return loss * scale if scale else loss
    forward = compiled(forward)
    count = x.shape[0]
    order, chosen, position = torch.randperm(count, device="cuda"), torch.zeros(batch, dtype=torch.long, device="cuda"), [0]

    def body():
        optimizer.zero_grad(set_to_none=True)
        forward(x.index_select(0, chosen), y.index_select(0, chosen)).backward()
        if scale:
            torch._foreach_mul_([p.grad for p in net.parameters()], 1 / scale)
        optimizer.step()
    run = body
    if captured:
        run = capture(body).replay

    def step():
        if (position[0] + 1) * batch > count:
            position[0] = 0
            order.copy_(torch.randperm(count, device="cuda"))
        chosen.copy_(order[position[0] * batch:(position[0] + 1) * batch])
        position[0] += 1
        run()
    return measure(step)


def infer():
    net, x = mlp().cuda().eval(), torch.rand(batch, 1000, device="cuda")
    net = compiled(net)
    with torch.inference_mode():
        run = capture(lambda: net(x)).replay if captured else lambda: net(x)
        return measure(run)


def largest(training):
    total = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(6 * 2**30 / total)

    def fits(samples):
        try:
            torch.cuda.empty_cache()
            net = mlp().cuda()
            optimizer, x = torch.optim.Adam(net.parameters(), 1e-3, fused=True), torch.rand(samples, 1000, device="cuda")
            if not training:
                with torch.inference_mode():
                    net(x)
            for _ in range(2 if training else 0):
                optimizer.zero_grad()
                F.mse_loss(net(x), torch.rand(samples, 1, device="cuda")).backward()
                optimizer.step()
            torch.cuda.synchronize()
            return True
        except torch.OutOfMemoryError:
            return False
    low, high = 1000, 4_000_000
    while high - low > 500:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return {"largest_batch": low}


if workload.startswith("mlp_largest"):
    result = largest(workload == "mlp_largest_train")
elif workload == "mlp_infer":
    result = infer()
else:
    result = train()
print(json.dumps({"peer": "PyTorch " + torch.__version__.split("+")[0], "mode": mode, **result}))
