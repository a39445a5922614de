#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer of bench/study's workers: PyTorch trains ResNet-18 from JPEG files. Prints one JSON line.

    torch_loader.py DIR WORKERS BATCH DEVICE MODE [SECONDS]     DIR/train/CLASS/*

A DataLoader with so many workers (0: the training's own process decodes), persistent, pinned memory on CUDA; PIL decodes, each image is
mirrored or not and moved by up to 4 pixels, as in models/resnet18.net. MODE is that of torch_step.py. Samples per second of whole
steps, by the clock, over SECONDS (10) after the first 20 steps; and of the loader alone.
"""
import glob
import itertools
import json
import os
import random
import sys
import time

import numpy
import torch
import torch.nn.functional as F
from PIL import Image

from torch_nets import NETWORKS

folder, workers, batch, device, mode = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
seconds, PAD, WARM = float(sys.argv[6]) if len(sys.argv) > 6 else 10.0, 4, 20
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = torch.backends.cudnn.benchmark = True


class Images(torch.utils.data.Dataset):
    def __init__(self):
        classes = sorted(os.listdir(os.path.join(folder, "train")))
        self.files = [(p, i) for i, c in enumerate(classes) for p in sorted(glob.glob(os.path.join(folder, "train", c, "*")))]

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        path, label = self.files[index]
        pixels = numpy.pad(numpy.asarray(Image.open(path).convert("RGB")), ((PAD, PAD), (PAD, PAD), (0, 0)))
        y, x = random.randint(0, 2 * PAD), random.randint(0, 2 * PAD)
        pixels = pixels[y:y + 32, x:x + 32]
        pixels = pixels[:, ::-1] if random.random() < 0.5 else pixels
        return torch.from_numpy(pixels.copy()).permute(2, 0, 1), label


def batches(loader):
    """Epoch after epoch."""
    return itertools.chain.from_iterable(loader for _ in itertools.count())


def rate_of(work, source):
    """Samples per second: after WARM batches, or a third of the time."""
    until = time.perf_counter() + seconds / 3
    for _ in range(WARM):
        work(*next(source))
        if time.perf_counter() > until:
            break
    if device == "cuda":
        torch.cuda.synchronize()
    began, count = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        work(*next(source))
        count += batch
    if device == "cuda":
        torch.cuda.synchronize()
    return count / (time.perf_counter() - began)


def trainer():
    """A function of pixels and labels that makes a step."""
    net = NETWORKS["resnet18"](10, 32).to(device).to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9, **({"fused": True} if device == "cuda" else {}))
    x = torch.zeros(batch, 3, 32, 32, dtype=torch.uint8, device=device)
    y = torch.zeros(batch, dtype=torch.long, device=device)

    def loss_of(pixels, labels):
        return F.cross_entropy(net((pixels.float() / 255 - 0.45) / 0.25), labels)
    forward = torch.compile(loss_of) if mode == "graph" else loss_of

    def body():
        optimizer.zero_grad(set_to_none=True)
        forward(x, y).backward()
        optimizer.step()
    run = body
    if mode != "eager":
        from torch_capture import capture
        run = capture(body).replay

    def step(pixels, labels):
        x.copy_(pixels, non_blocking=True)
        y.copy_(labels, non_blocking=True)
        run()
    return step


def main():
    loader = torch.utils.data.DataLoader(Images(), batch, shuffle=True, drop_last=True, num_workers=workers, pin_memory=device == "cuda",
                                         persistent_workers=workers > 0)
    source = batches(loader)
    alone = rate_of(lambda *tensors: None, source)
    print(json.dumps({"peer": "PyTorch " + torch.__version__.split("+")[0], "mode": mode, "samples_per_second": rate_of(trainer(), source),
                      "loader_samples_per_second": alone}))


main()
