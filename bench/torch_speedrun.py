#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer of bench/speedrun: airbench94 with Muon (Jordan 2024, arXiv:2404.00498 and airbench94_muon) in PyTorch. Prints one JSON line per seed.

    torch_speedrun.py DIR [--seeds 0,1,...] [--epochs 8] [--mode max-autotune|...|none]      DIR/train/CLASS/*.jpg, DIR/test

Written after the paper and its published script: an fp16 network in channels_last with fp32 batchnorm, compiled twice over, with the first layer's bias
trained and, after three epochs, held; images normalised, mirrored once and padded before the first epoch, moved and mirrored back and
forth in whole epochs; Muon for the filters, which it scales to unit rows, Nesterov SGD for the biases and the head; and at the end six views of
each image. A run that is not counted compiles all of it first. `seconds` are from the weights' initialisation, with the whitening, to the
end of the last step, by the device's clock; `views_seconds` those of the last evaluation.
"""
import argparse
import json
import math
import time

import torch
import torch.nn.functional as F
from torch import nn

from torch_images import image_tree

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("--seeds", default="0")
parser.add_argument("--epochs", type=float, default=8)
parser.add_argument("--batch", type=int, default=2000)
parser.add_argument("--width", type=int, default=64)
parser.add_argument("--mode", default="max-autotune", help="of torch.compile; none: uncompiled")
parser.add_argument("--device", default="cuda")
parser.add_argument("--out", metavar="FILE.jsonl", help="also append each line to this file")
options = parser.parse_args()
device, narrow = options.device, torch.float16 if options.device == "cuda" else torch.float32
torch.backends.cudnn.benchmark = True

# Rates and decays as published, for a loss that is summed over the batch.
BIAS_RATE, HEAD_RATE, FILTER_RATE, DECAY, SMOOTHING = 0.053, 0.67, 0.24, 2e-6 * options.batch, 0.2
TAIL = 3  # epochs in which the first bias is trained
MEAN, STD = (0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616)


class Norm(nn.BatchNorm2d):
    def __init__(self, channels):
        super().__init__(channels, eps=1e-12, momentum=0.4)
        self.weight.requires_grad = False


def conv(before, after):
    return nn.Conv2d(before, after, 3, padding="same", bias=False)


def unit(before, after):
    return [conv(before, after), nn.MaxPool2d(2), Norm(after), nn.GELU(), conv(after, after), Norm(after), nn.GELU()]


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        w = options.width
        self.whiten = nn.Conv2d(3, 24, 2)
        self.whiten.weight.requires_grad = False
        self.body = nn.Sequential(nn.GELU(), *unit(24, w), *unit(w, 4 * w), *unit(4 * w, 4 * w), nn.MaxPool2d(3), nn.Flatten())
        self.head = nn.Linear(4 * w, 10, bias=False)

    def forward(self, x, holds_bias=False):
        bias = self.whiten.bias.detach() if holds_bias else self.whiten.bias
        x = self.body(F.conv2d(x, self.whiten.weight, bias))
        return self.head(x) / x.size(-1)


def network():
    net = Network().to(device, narrow, memory_format=torch.channels_last)
    for m in net.modules():
        if isinstance(m, Norm):
            m.float()
    return net


@torch.no_grad()
def begin(net, images):
    for m in net.modules():
        if isinstance(m, (nn.Conv2d, nn.Linear, Norm)):
            m.reset_parameters()
        if isinstance(m, nn.Conv2d) and m.kernel_size == (3, 3):
            nn.init.dirac_(m.weight[:m.in_channels])
    net.head.weight.div_(net.head.weight.std())
    patches = images.unfold(2, 2, 1).unfold(3, 2, 1).permute(0, 2, 3, 1, 4, 5).reshape(-1, 12).float()
    values, vectors = torch.linalg.eigh(patches.T @ patches / len(patches))
    filters = (vectors / (values + 5e-4).sqrt()).T.flip(0).reshape(12, 3, 2, 2)
    net.whiten.weight.copy_(torch.cat((filters, -filters)))


@torch.compile(disable=options.mode == "none")
def orthogonal(g):
    """Nearly the orthogonal matrix that is nearest to g: three steps of Newton and Schulz."""
    x = g.bfloat16()
    x = x / (x.norm() + 1e-7)
    high = x.size(0) > x.size(1)
    x = x.T if high else x
    for _ in range(3):
        gram = x @ x.T
        x = 3.4445 * x + (2.0315 * gram @ gram - 4.7750 * gram) @ x
    return x.T if high else x


class Muon:
    """With Nesterov momentum; each filter bank first gets the norm of as many unit rows."""
    def __init__(self, filters, rate, momentum):
        self.filters, self.momentum, self.param_groups = filters, momentum, [{"lr": rate, "peak": rate}]
        self.past = [torch.zeros_like(p) for p in filters]

    @torch.no_grad()
    def step(self):
        for p, past in zip(self.filters, self.past):
            past.mul_(self.momentum).add_(p.grad)
            ahead = p.grad.add(past, alpha=self.momentum)
            p.mul_(len(p) ** 0.5 / p.norm())
            p.add_(orthogonal(ahead.reshape(len(p), -1)).view_as(p), alpha=-self.param_groups[0]["lr"])


def optimizers_of(net):
    """The first group is the bias of the first layer."""
    norms = [m.bias for m in net.modules() if isinstance(m, Norm)]
    groups = [{"params": [net.whiten.bias], "lr": BIAS_RATE}, {"params": norms, "lr": BIAS_RATE}, {"params": [net.head.weight], "lr": HEAD_RATE}]
    for g in groups:
        g["peak"], g["weight_decay"] = g["lr"], DECAY / g["lr"]
    filters = [p for p in net.parameters() if p.dim() == 4 and p.requires_grad]
    return [torch.optim.SGD(groups, momentum=0.85, nesterov=True, **({"fused": True} if device == "cuda" else {})),
            Muon(filters, FILTER_RATE, 0.6)]


class Images:
    """The training images of one run: its own mirrored halves, and an epoch's moves."""
    def __init__(self, pixels, labels):
        half = torch.rand(len(pixels), device=device) < 0.5
        pixels = torch.where(half[:, None, None, None], pixels.flip(-1), pixels)
        self.padded, self.labels, self.count = F.pad(pixels, (2, 2, 2, 2), "reflect"), labels, 0

    def epoch(self):
        moves = torch.randint(0, 5, (len(self.padded), 2), device=device)
        images = torch.empty_like(self.padded[:, :, 2:-2, 2:-2])
        for y in range(5):
            for x in range(5):
                here = (moves[:, 0] == y) & (moves[:, 1] == x)
                images[here] = self.padded[here, :, y:y + 32, x:x + 32]
        if self.count % 2:
            images = images.flip(-1)
        self.count += 1
        order = torch.randperm(len(images), device=device)
        for i in range(len(images) // options.batch):
            chosen = order[i * options.batch:(i + 1) * options.batch]
            yield images[chosen].contiguous(memory_format=torch.channels_last), self.labels[chosen]


def views(net, x):
    def both(x):
        return net(x).clone() / 2 + net(x.flip(-1)).clone() / 2
    padded = F.pad(x, (1, 1, 1, 1), "reflect")
    return both(x) / 2 + (both(padded[:, :, :32, :32]) + both(padded[:, :, 2:, 2:])) / 4


@torch.no_grad()
def accuracy(net, pixels, labels, how):
    net.eval()
    right = sum((how(net, x).argmax(1) == y).sum() for x, y in zip(pixels.split(2000), labels.split(2000)))
    return right.item() / len(labels)


class Clock:
    """Of the device, which works on while the host goes ahead."""
    def __init__(self):
        if device == "cuda":
            torch.cuda.synchronize()
        self.begun = time.perf_counter()

    def seconds(self):
        if device == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter() - self.begun


def train(net, plain, data, held_out, seed):
    torch.manual_seed(seed)
    an_epoch = len(data[0]) // options.batch
    total, tail, step = math.ceil(an_epoch * options.epochs), an_epoch * TAIL, 0
    clock = Clock()
    begin(plain, data[0][torch.randperm(len(data[0]), device=device)[:5000]])
    images, optimizers = Images(*data), optimizers_of(plain)
    first, *others = [g for o in optimizers for g in o.param_groups]
    for epoch in range(math.ceil(options.epochs)):
        net.train()
        for x, y in images.epoch():
            F.cross_entropy(net(x, holds_bias=step >= tail), y, label_smoothing=SMOOTHING, reduction="sum").backward()
            first["lr"] = first["peak"] * (1 - step / tail)
            for g in others:
                g["lr"] = g["peak"] * (1 - step / total)
            for o in optimizers:
                o.step()
            plain.zero_grad(set_to_none=True)
            step += 1
            if step == total:
                break
    seconds, clock = clock.seconds(), Clock()
    seen = accuracy(net, *held_out, views)
    return {"seconds": seconds, "accuracy": seen, "views_seconds": clock.seconds(), "steps": step,
            "plain_accuracy": accuracy(net, *held_out, lambda net, x: net(x))}


def main():
    mean, std = (torch.tensor(x, device=device).view(1, 3, 1, 1) for x in (MEAN, STD))
    parts = []
    for part in ("train", "test"):
        pixels, labels = image_tree(options.folder, part, device)
        pixels = torch.cat([((p / 255 - mean) / std).to(narrow) for p in pixels.split(5000)])
        parts.append((pixels.contiguous(memory_format=torch.channels_last), labels))
    data, held_out = parts
    plain = network()
    net = plain if options.mode == "none" else torch.compile(plain, mode=options.mode)
    begun = time.perf_counter()
    random = data[0], torch.randint(0, 10, data[1].shape, device=device)
    train(net, plain, random, held_out, 1000)
    warm = time.perf_counter() - begun
    for seed in map(int, options.seeds.split(",")):
        line = json.dumps({"peer": "PyTorch " + torch.__version__.split("+")[0], "mode": options.mode, "seed": seed,
                           "warm_up": round(warm, 1), **train(net, plain, data, held_out, seed)})
        print(line, flush=True)
        if options.out:
            with open(options.out, "a") as f:
                f.write(line + "\n")


main()
