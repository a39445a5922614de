#!/usr/bin/env python3
"""Writes the witness files: the same networks in PyTorch, in double precision, with the weights and inputs of formula.py.

    make.py [CASE ...]        needs python3-torch and python3-numpy (Debian 12: PyTorch 1.13.1); check.py needs neither

CASE.json holds what check.py needs to repeat the run with nnc (model, options, shapes) and what PyTorch computed: the
logits and the loss of step 1, of every parameter's gradient there its norm and a few elements in nnc's layout, and the
losses of ten steps on the same batch.
"""
import json
import math
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import formula

HERE = os.path.dirname(os.path.abspath(__file__))
STEPS, SAMPLED = 10, 6
torch.set_default_dtype(torch.float64)


# ---- the networks. A module's parameters are renamed to nnc's by order of their making, see names().

class MnistCnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 16, 3, padding=1)
        self.dense = nn.Linear(16 * 14 * 14, 10)

    def forward(self, image):
        x = F.max_pool2d(F.relu(self.conv(image / 255)), 2)
        return self.dense(flat(x))


class RosenbrockMlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(1000, 1000)
        self.dense_2 = nn.Linear(1000, 1)

    def forward(self, x):
        return self.dense_2(torch.tanh(self.dense(x)))


class WitnessNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, stride=2, padding=1)
        self.conv_2 = nn.Conv2d(8, 16, 3, padding=2, dilation=2, groups=4)
        self.layernorm = nn.LayerNorm(16)
        self.conv_3 = nn.Conv2d(24, 24, 3, padding=1, groups=2)
        self.dense = nn.Linear(7 * 7 * 24, 10)

    def forward(self, image):
        a = F.gelu(self.conv(image / 255))
        b = self.layernorm(self.conv_2(a).permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        c = F.max_pool2d(torch.cat([a, F.silu(b)], 1), 2)
        return self.dense(flat(F.leaky_relu(self.conv_3(c), 0.1)))


class ConvBn(nn.Module):
    def __init__(self, channels, filters, size, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(channels, filters, size, stride, size // 2, bias=False)
        self.batchnorm = nn.BatchNorm2d(filters)

    def forward(self, x):
        return self.batchnorm(self.conv(x))


class Bottleneck(nn.Module):
    def __init__(self, channels, width, stride):
        super().__init__()
        self.conv_bn = ConvBn(channels, width, 1)
        self.conv_bn_2 = ConvBn(width, width, 3, stride)
        self.conv_bn_3 = ConvBn(width, 4 * width, 1)
        if stride != 1 or channels != 4 * width:
            self.conv_bn_4 = ConvBn(channels, 4 * width, 1, stride)

    def forward(self, x):
        y = self.conv_bn_3(F.relu(self.conv_bn_2(F.relu(self.conv_bn(x)))))
        return F.relu(y + (self.conv_bn_4(x) if hasattr(self, "conv_bn_4") else x))


class ResNet50(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv_bn = ConvBn(3, 64, 7, 2)
        channels, blocks = 64, []
        for width, count, stride in [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]:
            for i in range(count):
                blocks.append(Bottleneck(channels, width, stride if i == 0 else 1))
                channels = 4 * width
        for i, block in enumerate(blocks):
            setattr(self, "bottleneck" if i == 0 else f"bottleneck_{i + 1}", block)
        self.blocks = len(blocks)
        self.dense = nn.Linear(channels, classes)

    def forward(self, image):
        mean = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
        std = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)
        x = F.max_pool2d(F.relu(self.conv_bn((image / 255 - mean) / std)), 3, 2, 1)
        for i in range(self.blocks):
            x = getattr(self, "bottleneck" if i == 0 else f"bottleneck_{i + 1}")(x)
        return self.dense(x.mean((2, 3)))


def flat(x):
    """In nnc's order: channels last."""
    return x.permute(0, 2, 3, 1).reshape(x.shape[0], -1)


# ---- between the layouts

def to_nnc(t):
    return t.permute(0, 2, 3, 1) if t.dim() == 4 else t


def from_nnc(name, like):
    dim = list(to_nnc(like).shape)
    values = np.array(formula.parameter(name, dim), dtype=np.float32).astype(np.float64).reshape(dim)
    t = torch.from_numpy(values)
    return (t.permute(0, 3, 1, 2) if t.dim() == 4 else t).contiguous()


CASES = {
    "mnist_cnn": dict(
        net=MnistCnn, model="mnist_cnn", options=["--set", "batch=32"], loss=F.cross_entropy, output="logits",
        inputs=[["image", "u8", [32, 28, 28, 1], 0], ["digit", "class", [32], 10]],
        optimizer=lambda p: torch.optim.Adam(p, 0.001), rate=lambda step: 0.001),
    "rosenbrock_mlp": dict(
        net=RosenbrockMlp, model="rosenbrock_mlp", options=["--set", "batch=24"], loss=F.mse_loss, output="prediction",
        inputs=[["x", "f32", [24, 1000], 0], ["y", "f32", [24, 1], 0]],
        optimizer=lambda p: torch.optim.Adam(p, 0.001), rate=lambda step: 0.001),
    "witness_net": dict(
        net=WitnessNet, model="witness_net", options=["--set", "batch=16"], output="logits",
        loss=lambda z, y: F.cross_entropy(z, y, label_smoothing=0.1),
        inputs=[["image", "u8", [16, 28, 28, 1], 0], ["digit", "class", [16], 10]],
        # biases and normalisations do not decay
        optimizer=lambda p: torch.optim.AdamW([
            {"params": [x for x in p if x.dim() > 1], "weight_decay": 0.01},
            {"params": [x for x in p if x.dim() == 1], "weight_decay": 0}], 0.002),
        rate=lambda step: 0.002),
    # The schedule of the recipe with one batch an epoch: five steps of warmup, then half a cosine. At this rate the loss falls from
    # 3.3 to 0.1; ten times as large, it is nearly 0 at step 6, and relative errors grow.
    "resnet50": dict(
        net=lambda: ResNet50(10), model="resnet50", options=["--recipe", "cifar10", "--set", "batch=16"],
        trainer=["--rate", "1e-3"],
        loss=F.cross_entropy, output="logits",
        inputs=[["image", "u8", [16, 32, 32, 3], 0], ["label", "class", [16], 10]],
        optimizer=lambda p: torch.optim.SGD([
            {"params": [x for x in p if x.dim() > 1], "weight_decay": 5e-4},
            {"params": [x for x in p if x.dim() == 1], "weight_decay": 0}], 1e-3, momentum=0.9, nesterov=True),
        rate=lambda t: 1e-3 * (0.01 + 0.99 * t / 5) if t < 5 else 5e-4 * (1 + math.cos(math.pi * (t - 5) / 5))),
}


def sampled(count):
    return sorted({i * (count - 1) // max(1, SAMPLED - 1) for i in range(SAMPLED)})


def input_tensor(name, kind, dim, classes):
    values = np.array(formula.inputs(name, dim, kind, classes))
    t = torch.from_numpy(values.astype(np.int64 if kind == "class" else np.float64).reshape(dim))
    return t.permute(0, 3, 1, 2).contiguous() if t.dim() == 4 else t


def witness(case):
    net = case["net"]()
    net.train()
    parameters = dict(net.named_parameters())
    with torch.no_grad():
        for name, p in parameters.items():
            p.copy_(from_nnc(name, p))
    x, y = (input_tensor(*entry) for entry in case["inputs"])
    optimizer = case["optimizer"](list(parameters.values()))
    result = {"model": case["model"], "options": case["options"], "trainer": case.get("trainer", []),
              "output": case["output"], "inputs": case["inputs"],
              "parameters": {name: list(to_nnc(p).shape) for name, p in parameters.items()}, "losses": []}
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = case["rate"](step)
        optimizer.zero_grad()
        logits = net(x)
        loss = case["loss"](logits, y)
        loss.backward()
        if step == 0:
            result["logits"] = logits.detach().flatten().tolist()
            result["gradients"] = {}
            for name, p in parameters.items():
                g = to_nnc(p.grad).contiguous().flatten()
                result["gradients"][name] = {"norm": g.norm().item(), "at": [[i, g[i].item()] for i in sampled(len(g))]}
        result["losses"].append(loss.item())
        optimizer.step()
    return result


for name in sys.argv[1:] or CASES:
    result = witness(CASES[name])
    with open(os.path.join(HERE, name + ".json"), "w") as f:
        json.dump({"made by": f"tests/witness/make.py, PyTorch {torch.__version__}, float64"} | result, f, indent=0)
        f.write("\n")
    print(name, result["losses"])
