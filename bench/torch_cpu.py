#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer of bench/cpu: PyTorch on a CPU. torch_cpu.py WORKLOAD BATCH THREADS prints one JSON line.

The network, the loss and the optimizer of models/*.net; data in memory as bytes, a shuffled batch gathered for every step, as the
trainers do. Samples per second of whole steps: the median of five windows of about two seconds, after ten steps.
"""
import json
import statistics
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

from energy import Meter
from torch_nets import mlp, mnist_cnn, resnet

workload, batch, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.set_num_threads(threads)
torch.manual_seed(0)


class Scaled(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x.float() / 255)


class Recurrent(nn.Module):
    """models/lstm_digits.net with 112 steps, each of a quarter of a row."""

    def __init__(self, steps=112, units=128):
        super().__init__()
        self.steps, self.lstm, self.head = steps, nn.LSTM(784 // steps, units, batch_first=True), nn.Linear(units, 10)

    def forward(self, x):
        return self.head(self.lstm(x.reshape(len(x), self.steps, -1))[0][:, -1])


SAMPLES = 8192
if workload == "mnist_cnn":
    net = Scaled(mnist_cnn())
    x, y = torch.randint(0, 256, (SAMPLES, 1, 28, 28), dtype=torch.uint8), torch.randint(0, 10, (SAMPLES,))
    loss_of, optimizer = F.cross_entropy, torch.optim.Adam(net.parameters(), 0.001)
elif workload == "lstm_digits":
    net = Scaled(Recurrent())
    x, y = torch.randint(0, 256, (SAMPLES, 1, 28, 28), dtype=torch.uint8), torch.randint(0, 10, (SAMPLES,))
    loss_of, optimizer = F.cross_entropy, torch.optim.Adam(net.parameters(), 0.001)
elif workload == "rosenbrock_mlp":
    net = mlp()
    x, y = torch.randn(SAMPLES, 1000), torch.randn(SAMPLES, 1)
    loss_of, optimizer = F.mse_loss, torch.optim.Adam(net.parameters(), 0.001)
else:
    net = Scaled(resnet(50, 10))
    x, y = torch.randint(0, 256, (SAMPLES, 3, 32, 32), dtype=torch.uint8), torch.randint(0, 10, (SAMPLES,))
    loss_of = F.cross_entropy
    optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9, nesterov=True, weight_decay=5e-4)
if "channels_last" in sys.argv[4:]:
    net = net.to(memory_format=torch.channels_last)


def step():
    chosen = torch.randint(0, SAMPLES, (batch,))
    inputs, labels = x[chosen], y[chosen]
    if "channels_last" in sys.argv[4:]:
        inputs = inputs.contiguous(memory_format=torch.channels_last)
    optimizer.zero_grad()
    loss = loss_of(net(inputs), labels)
    loss.backward()
    optimizer.step()


for _ in range(10):
    step()
begun = time.perf_counter()
step()
steps = max(1, round(2 / (time.perf_counter() - begun)))
windows = []
meter = Meter()
for _ in range(5):
    begun = time.perf_counter()
    for _ in range(steps):
        step()
    windows.append(batch * steps / (time.perf_counter() - begun))
print(json.dumps({"samples_per_second": statistics.median(windows), "slowest": min(windows), "fastest": max(windows),
                  **meter.per_sample(5 * steps * batch), "torch": torch.__version__}))
