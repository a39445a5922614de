#!/usr/bin/env python3
"""The peer of bench/speedrun: airbench94 (Jordan 2024, arXiv:2404.00498) in PyTorch. Prints one JSON line per seed.

    torch_speedrun.py DIR [--seeds 0,1,...] [--epochs 9.9] [--mode max-autotune|...|none]      DIR/train/CLASS/*.jpg, DIR/test

Written after the paper and its published script: an fp16 network in channels_last with fp32 batchnorm, two compiled copies of which the
second, from the fourth epoch on, does not train the first layer's bias; images normalised, mirrored once and padded before the first epoch,
moved and mirrored back and forth in whole epochs; Nesterov SGD by groups; a lookahead whose share grows; and at the end six views of each
image. A run that is not counted compiles all of it first. `seconds` are from the weights' initialisation, with the whitening, to the end of
the last step, by the device's clock; `views_seconds` those of the last evaluation.
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
parser.add_argument("--epochs", type=float, default=9.9)
parser.add_argument("--batch", type=int, default=1024)
parser.add_argument("--width", type=int, default=64)
parser.add_argument("--mode", default="max-autotune", help="of torch.compile; none: uncompiled")
parser.add_argument("--device", default="cuda")
parser.add_argument("--out", metavar="FILE.jsonl", help="also append each line to this file")
options = parser.parse_args()
device, narrow = options.device, torch.float16 if options.device == "cuda" else torch.float32
torch.backends.cudnn.benchmark = True

# Rates and decays as they are for a mean step: the published ones are for a sum over 1024 samples, and apart from one another.
MOMENTUM, BIAS_TIMES, SMOOTHING, TAIL = 0.85, 64, 0.2, 3  # epochs in which the first bias is trained
SUM = 1024 * (1 + 1 / (1 - MOMENTUM))
RATE, DECAY = 11.5 / SUM, 0.0153 * options.batch / SUM
MEAN, STD = (0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616)


class Norm(nn.BatchNorm2d):
    def __init__(self, channels):
        super().__init__(channels, eps=1e-12, momentum=0.4)
        self.weight.requires_grad = False


def conv(before, after):
    return nn.Conv2d(before, after, 3, padding="same", bias=False)


def unit(before, after):
    return [conv(before, after), nn.MaxPool2d(2), Norm(after), nn.GELU(), conv(after, after), Norm(after), nn.GELU()]


class Ninth(nn.Module):
    def forward(self, x):
        return x * (1 / 9)


def network(trains_bias):
    w = options.width
    net = nn.Sequential(nn.Conv2d(3, 24, 2), nn.GELU(), *unit(24, w), *unit(w, 4 * w), *unit(4 * w, 4 * w), nn.MaxPool2d(3), nn.Flatten(),
                        nn.Linear(4 * w, 10, bias=False), Ninth())
    net[0].weight.requires_grad, net[0].bias.requires_grad = False, trains_bias
    net = net.to(device, narrow, memory_format=torch.channels_last)
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
    net[0].bias.zero_()
    patches = images.unfold(2, 2, 1).unfold(3, 2, 1).permute(0, 2, 3, 1, 4, 5).reshape(-1, 12).float()
    values, vectors = torch.linalg.eigh(patches.T @ patches / len(patches))
    filters = (vectors / (values + 5e-4).sqrt()).T.flip(0).reshape(12, 3, 2, 2)
    net[0].weight.copy_(torch.cat((filters, -filters)))


def optimizer_of(net):
    norms = [m.bias for m in net.modules() if isinstance(m, Norm)]
    others = [p for m in net.modules() if isinstance(m, (nn.Conv2d, nn.Linear)) for p in m.parameters()]
    groups = [{"params": norms, "lr": RATE * BIAS_TIMES, "weight_decay": DECAY / (RATE * BIAS_TIMES)},
              {"params": others, "lr": RATE, "weight_decay": DECAY / RATE}]
    for g in groups:
        g["peak"] = g["lr"]
    return torch.optim.SGD(groups, momentum=MOMENTUM, nesterov=True, **({"fused": True} if device == "cuda" else {}))


def rate_at(step, total):
    """Of the peak: from a fifth of it up to 23 % of the steps, then down to 0.07 of it."""
    warm = int(0.23 * total)
    return 0.2 + 0.8 * step / warm if step < warm else 1 - 0.93 * (step - warm) / (total - warm)


def state(net):
    return [t for t in net.state_dict().values() if t.dtype in (torch.float16, torch.float32)]


@torch.no_grad()
def look(slow, net, keep):
    """The slow weights go towards the fast ones, and these to where they then are."""
    for s, f in zip(slow, state(net)):
        s.lerp_(f, 1 - keep)
        f.copy_(s)


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


def train(nets, plain, data, held_out, seed):
    torch.manual_seed(seed)
    an_epoch = len(data[0]) // options.batch
    total, step = math.ceil(an_epoch * options.epochs), 0
    clock = Clock()
    begin(plain[0], data[0][torch.randperm(len(data[0]), device=device)[:5000]])
    images, net = Images(*data), nets[0]
    optimizer = optimizer_of(plain[0])
    slow = [t.clone() for t in state(plain[0])]
    for epoch in range(math.ceil(options.epochs)):
        if epoch == TAIL:
            plain[1].load_state_dict(plain[0].state_dict())
            past, net = optimizer.state_dict(), nets[1]
            optimizer = optimizer_of(plain[1])
            optimizer.load_state_dict(past)
        net.train()
        for x, y in images.epoch():
            for g in optimizer.param_groups:
                g["lr"] = g["peak"] * rate_at(step, total)
            loss = F.cross_entropy(net(x), y, label_smoothing=SMOOTHING, reduction="none").sum()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            step += 1
            trained = plain[0 if epoch < TAIL else 1]
            if step % 5 == 0:
                look(slow, trained, 0.95 ** 5 * (step / total) ** 3)
            if step == total:
                look(slow, trained, 1.0)
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
    plain = [network(True), network(False)]
    nets = plain if options.mode == "none" else [torch.compile(n, mode=options.mode) for n in plain]
    begun = time.perf_counter()
    random = data[0], torch.randint(0, 10, data[1].shape, device=device)
    train(nets, plain, random, held_out, 1000)
    warm = time.perf_counter() - begun
    for seed in map(int, options.seeds.split(",")):
        line = json.dumps({"peer": "PyTorch " + torch.__version__.split("+")[0], "mode": options.mode, "seed": seed,
                           "warm_up": round(warm, 1), **train(nets, plain, data, held_out, seed)})
        print(line, flush=True)
        if options.out:
            with open(options.out, "a") as f:
                f.write(line + "\n")


main()
