#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer of bench/accuracy: PyTorch with the recipe of models/*.net. Prints one JSON line per seed.

    torch_accuracy.py NETWORK DIR EPOCHS RATE PRECISION SEED...      resnet50, resnet18 or resnet18_nobn; DIR/train/CLASS/*.jpg, DIR/test
    torch_accuracy.py mnist_cnn DIR EPOCHS RATE PRECISION SEED...    IDX files

As nnc's trainer does it: uint8 images on the device, flip and crop(pad = 4) with zeros at the border before normalisation, a
fresh permutation every epoch whose last partial batch is left out; conv weights kaiming_normal by fan-in (without batchnorm
zeros where they end a branch), dense layers PyTorch's default; decay for weights alone; warm-up from a hundredth of the rate,
then a cosine to zero. A CUDA graph of the whole step, captured once for all seeds.
"""
import gzip
import json
import math
import os
import struct
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

from torch_capture import capture
from torch_images import image_tree
from torch_nets import NETWORKS, begin_residual, mnist_cnn

workload, folder, epochs, base, precision = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
seeds = [int(s) for s in sys.argv[6:]]
BATCH, PAD = 128, 4
residual = workload != "mnist_cnn"
narrow = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(precision)
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
torch.backends.cudnn.benchmark = True


def idx(name):
    path = os.path.join(folder, name)
    data = gzip.open(path + ".gz").read() if os.path.exists(path + ".gz") else open(path, "rb").read()
    rank = data[3]
    dim = struct.unpack(f">{rank}I", data[4:4 + 4 * rank])
    return torch.frombuffer(bytearray(data[4 + 4 * rank:]), dtype=torch.uint8).reshape(dim)


def digits(part):
    prefix = {"train": "train", "test": "t10k"}[part]
    return idx(f"{prefix}-images-idx3-ubyte").unsqueeze(1).cuda(), idx(f"{prefix}-labels-idx1-ubyte").long().cuda()


if residual:
    data, net = {part: image_tree(folder, part) for part in ("train", "test")}, NETWORKS[workload](10, 32)
    mean = torch.tensor([0.485, 0.456, 0.406], device="cuda").reshape(1, 3, 1, 1)
    std = torch.tensor([0.229, 0.224, 0.225], device="cuda").reshape(1, 3, 1, 1)
else:
    data, net = {part: digits(part) for part in ("train", "test")}, mnist_cnn()
net = net.cuda().to(memory_format=torch.channels_last)
rate = torch.tensor(0.0, device="cuda")
if residual:
    plain = [p for p in net.parameters() if p.dim() == 1]
    decayed = [p for p in net.parameters() if p.dim() > 1]
    optimizer = torch.optim.SGD([{"params": decayed, "weight_decay": 5e-4}, {"params": plain, "weight_decay": 0.0}], lr=rate,
                                momentum=0.9, nesterov=True, fused=True)
else:
    optimizer = torch.optim.Adam(net.parameters(), lr=rate, fused=True, capturable=True)


def rate_at(step, total, an_epoch):
    if not residual:
        return base
    warmup = 5 * an_epoch
    if step < warmup:
        return base * (0.01 + 0.99 * step / warmup)
    return base * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))


def normalised(pixels):
    x = pixels.float() / 255
    return ((x - mean) / std if residual else x).contiguous(memory_format=torch.channels_last)


def augmented(pixels):
    """Each image mirrored or not, and moved by up to PAD pixels."""
    count, channels, side, _ = pixels.shape
    padded = F.pad(pixels, (PAD, PAD, PAD, PAD))
    grid, move = torch.arange(side, device="cuda"), torch.randint(0, 2 * PAD + 1, (2, count, 1), device="cuda")
    across = torch.where(torch.rand(count, 1, device="cuda") < 0.5, grid, side - 1 - grid)
    return padded[torch.arange(count, device="cuda")[:, None, None, None], torch.arange(channels, device="cuda")[:, None, None],
                  (grid + move[0])[:, None, :, None], (across + move[1])[:, None, None, :]]


def loss_of(pixels, labels):
    with torch.autocast("cuda", narrow, enabled=narrow is not None):
        return F.cross_entropy(net(normalised(pixels)), labels)


chosen = torch.zeros(BATCH, dtype=torch.long, device="cuda")


def body():
    pixels, labels = (t.index_select(0, chosen) for t in data["train"])
    optimizer.zero_grad(set_to_none=True)
    loss_of(augmented(pixels) if residual else pixels, labels).backward()
    optimizer.step()


@torch.no_grad()
def begin(seed):
    """Fresh weights and an optimizer without a past, in the same memory: the graph keeps its addresses."""
    torch.manual_seed(seed)
    if residual:
        begin_residual(net)
    else:
        for m in net.modules():
            if isinstance(m, (nn.Conv2d, nn.Linear)):
                m.reset_parameters()
    for state in optimizer.state.values():
        for t in state.values():
            if torch.is_tensor(t):
                t.zero_()


@torch.no_grad()
def accuracy():
    net.eval()
    pixels, labels = data["test"]
    right = 0
    for i in range(0, len(labels), 500):
        with torch.autocast("cuda", narrow, enabled=narrow is not None):
            right += (net(normalised(pixels[i:i + 500])).argmax(1) == labels[i:i + 500]).sum().item()
    net.train()
    return right / len(labels)


graph = capture(body)
count = len(data["train"][1])
an_epoch = count // BATCH
for seed in seeds:
    began = time.perf_counter()
    begin(seed)
    for epoch in range(epochs):
        order = torch.randperm(count, device="cuda")
        for i in range(an_epoch):
            rate.fill_(rate_at(epoch * an_epoch + i, epochs * an_epoch, an_epoch))
            chosen.copy_(order[i * BATCH:(i + 1) * BATCH])
            graph.replay()
    print(json.dumps({"peer": "PyTorch " + torch.__version__.split("+")[0], "precision": precision, "seed": seed,
                      "accuracy": accuracy(), "seconds": round(time.perf_counter() - began, 1)}), flush=True)
