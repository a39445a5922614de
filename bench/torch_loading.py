#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer of bench/loading: torchvision's ImageFolder and PyTorch's DataLoader.

    torch_loading.py FOLDER SIZE BATCH WORKERS SECONDS [feed]

Images become bytes [channels, SIZE, SIZE], read and decoded by Pillow: those of another size by RandomResizedCrop and a flip, as
the trainers do. Prints one JSON line: samples per second of the loader alone, or, with `feed`, of ResNet-18's training steps on the
GPU that it feeds (tf32, channels_last, cudnn.benchmark, pinned copies; --amp is no part of it). Workers are persistent and have
begun before the clock starts; epochs follow each other for SECONDS.
"""
import json
import sys
import time

import torch
import torchvision
from torchvision import transforms

folder, size, batch, workers, seconds = sys.argv[1], *map(int, sys.argv[2:6])
feeds = sys.argv[6:] == ["feed"]
torch.manual_seed(0)

steps = [transforms.PILToTensor()]
if size != 32:
    steps = [transforms.RandomResizedCrop(size), transforms.RandomHorizontalFlip(), *steps]
data = torchvision.datasets.ImageFolder(folder + "/train", transforms.Compose(steps))
loader = torch.utils.data.DataLoader(data, batch, shuffle=True, drop_last=True, num_workers=workers, pin_memory=feeds,
                                     persistent_workers=workers > 0)


def forever():
    while True:
        yield from loader


def alone():
    return lambda x, y: None


def training():
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = torch.backends.cudnn.benchmark = True
    net = torchvision.models.resnet18(num_classes=len(data.classes)).cuda().to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)

    def step(x, y):
        x = x.cuda(non_blocking=True).to(torch.float32, memory_format=torch.channels_last) / 255
        optimizer.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(net(x), y.cuda(non_blocking=True)).backward()
        optimizer.step()
    return step


step, batches, wait = training() if feeds else alone(), forever(), torch.cuda.synchronize if feeds else lambda: None
for _ in range(max(4, 2 * workers)):  # what workers have made ahead is no measure of them
    step(*next(batches))
wait()
begun, done = time.perf_counter(), 0
while time.perf_counter() - begun < seconds:
    step(*next(batches))
    done += batch
wait()
print(json.dumps({"samples_per_second": done / (time.perf_counter() - begun), "workers": workers,
                  "torch": torch.__version__, "torchvision": torchvision.__version__}))
