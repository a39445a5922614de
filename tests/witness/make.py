#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the witness files: the same networks in PyTorch, in double precision, with the weights and inputs of formula.py.

    make.py [CASE ...]        needs python3-torch and python3-numpy (Debian 12: PyTorch 1.13.1); check.py needs neither

CASE.json holds what check.py needs to repeat the run with nnc (model, options, shapes) and what PyTorch computed: the
logits and the loss of step 1, of every parameter's gradient there its norm and a few elements in nnc's layout, and the
losses of ten steps on the same batch. Of the small networks of images also how far rounding moves all that (rounding.py).
"""
import json
import math
import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import formula
from image_nets import (AlexNet, DenseNet, InceptionV1, MobileNetV2, Named, ResNet, ResNet200, Transformer, UNet, Vgg, ViT, flat,
                        inception_loss)
from networks import BATCH, NETWORKS, define, small_options
from rounding import ARITHMETICS, arithmetic, by_chance, errors, larger

STEPS = 10
SAMPLED, SAMPLED_OF_SMALL = 6, 2  # elements of a gradient; of networks with hundreds of them
# So few elements that one on the other side of a relu's kink shows: how far the worst of so many roundings by chance moves them.
NARROW, DRAWS = ["vae", "dcgan", "siamese", "resnet18", "inception_v1"], 16
ROUNDED = ["unet", "encdec"]  # others of which it is found how far rounding moves them
# Of the batch's samples, in PyTorch's own single precision: one order says little, since where an activation comes to lie on
# the other side of its kink, and when, differs from order to order.
ORDERS = 6
torch.set_default_dtype(torch.float64)


# ---- the networks, those of images in image_nets.py. Modules have the names that nnc gives their parameters.

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


class VolumeNet(Named):
    def __init__(self):
        super().__init__()
        for name, module in (
                ("conv3d", nn.Conv3d(2, 6, 3, padding=1, bias=False)), ("batchnorm", nn.BatchNorm3d(6)),
                ("conv3d", nn.Conv3d(6, 8, (3, 3, 2), (2, 1, 2), (1, 2, 0), (2, 2, 1), groups=2)),
                ("conv3d", nn.Conv3d(8, 8, (3, 1, 1), padding=(1, 0, 0))), ("conv3d", nn.Conv3d(8, 8, (1, 3, 3), padding=(0, 1, 1), groups=8)),
                ("conv_transpose3d", nn.ConvTranspose3d(8, 6, (3, 2, 4), (2, 1, 2), (1, 0, 1), (1, 0, 0), groups=2)),
                ("conv_transpose3d", nn.ConvTranspose3d(6, 4, 2, 2, bias=False)), ("groupnorm", nn.GroupNorm(2, 4)), ("dense", nn.Linear(4, 5))):
            self.own(name, module)

    def forward(self, clip):
        a = F.relu(self.batchnorm(self.conv3d(clip.permute(0, 4, 1, 2, 3))))
        c = self.conv3d_4(self.conv3d_3(torch.tanh(self.conv3d_2(a))))
        d = F.max_pool3d(F.gelu(self.conv_transpose3d(c)), (2, 3, 3), (1, 2, 2), 1)
        e = F.interpolate(F.interpolate(d, scale_factor=(1, 2, 2), mode="trilinear"), scale_factor=2)
        f = self.conv_transpose3d_2(F.avg_pool3d(e, 3, 2, 1))
        return self.dense(self.groupnorm(f).mean((2, 3, 4)))


class Gpt(Named):
    def __init__(self, vocab, context, width, depth, heads):
        super().__init__()
        self.words = nn.Parameter(torch.empty(vocab, width))
        self.places = nn.Parameter(torch.empty(context, width))
        self.blocks = self.chain("transformer", [Transformer(width, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)

    def forward(self, text):
        x = F.embedding(text, self.words) + self.places
        future = torch.ones(2 * [text.shape[1]], dtype=torch.bool).triu(1)
        for block in self.blocks:
            x = block(x, future)
        return F.linear(self.norm(x), self.words)


class Look(nn.Module):
    """PyTorch's attention of x to a memory, by three matrices."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x, memory, hidden=None, future=None):
        parts = {"q": self.q, "k": self.k, "v": self.v}
        y, _ = F.multi_head_attention_forward(
            *(t.transpose(0, 1) for t in (x, memory, memory)), x.shape[2], self.heads, None, torch.cat([p.bias for p in parts.values()]), None,
            None, False, 0.0, self.out.weight, self.out.bias, key_padding_mask=hidden, attn_mask=future, use_separate_proj_weight=True,
            **{f"{name}_proj_weight": p.weight for name, p in parts.items()})
        return y.transpose(0, 1)


class FeedForward(Named):
    def __init__(self, width):
        super().__init__()
        self.own("layernorm", nn.LayerNorm(width))
        self.own("dense", nn.Linear(width, 4 * width))
        self.own("dense", nn.Linear(4 * width, width))

    def forward(self, x):
        return self.dense_2(F.gelu(self.dense(self.layernorm(x))))


class Encode(Named):
    def __init__(self, width, heads):
        super().__init__()
        self.own("layernorm", nn.LayerNorm(width))
        self.own("look", Look(width, heads))
        self.own("feed_forward", FeedForward(width))

    def forward(self, x, hidden):
        y = self.layernorm(x)
        x = x + self.look(y, y, hidden)
        return x + self.feed_forward(x)


class Decode(Named):
    def __init__(self, width, heads):
        super().__init__()
        for _ in range(2):
            self.own("layernorm", nn.LayerNorm(width))
            self.own("look", Look(width, heads))
        self.own("feed_forward", FeedForward(width))

    def forward(self, x, memory, hidden, future):
        y = self.layernorm(x)
        x = x + self.look(y, y, future=future)
        x = x + self.look_2(self.layernorm_2(x), memory, hidden)
        return x + self.feed_forward(x)


class EncDec(Named):
    def __init__(self, tokens, context, width, depth, heads):
        super().__init__()
        self.places = nn.Parameter(torch.empty(context, width))
        self.own("embedding", nn.Embedding(tokens, width))
        self.encoder = self.chain("encode", [Encode(width, heads) for _ in range(depth)])
        self.own("layernorm", nn.LayerNorm(width))
        self.own("embedding", nn.Embedding(tokens, width))
        self.decoder = self.chain("decode", [Decode(width, heads) for _ in range(depth)])
        self.own("layernorm", nn.LayerNorm(width))
        self.own("dense", nn.Linear(width, tokens, bias=False))

    def forward(self, text, begun, next):
        hidden, future = text == 0, torch.ones(2 * [begun.shape[1]], dtype=torch.bool).triu(1)
        memory = self.embedding(text) + self.places
        for layer in self.encoder:
            memory = layer(memory, hidden)
        memory, x = self.layernorm(memory), self.embedding_2(begun) + self.places
        for layer in self.decoder:
            x = layer(x, memory, hidden, future)
        logits = self.dense(self.layernorm_2(x))
        return [logits, F.cross_entropy(logits.flatten(0, 1), next.flatten())]


class Recurrent(nn.Module):
    """PyTorch's LSTM or GRU, with its parameters under nnc's names."""

    def __init__(self, cell, size, units, path):
        super().__init__()
        of = cell(size, units, batch_first=True)
        self.cell = [of]  # its parameters count once
        layer = nn.ModuleDict({"input": nn.Module(), "state": nn.Module()})
        for name, part in (("input", "ih"), ("state", "hh")):
            for role in ("weight", "bias"):
                layer[name].register_parameter(role, getattr(of, f"{role}_{part}_l0"))
        self.add_module(path, layer)
        self.dense = nn.Linear(units, 10)

    def forward(self, image):
        states, _ = self.cell[0](image[:, 0] / 255)
        return self.dense(states[:, -1])


# ---- networks that draw random numbers, or have no target: these say their loss themselves

def uniform(step, stream, count, seed=0):
    """nnr_uniform of runtime/nnr_math.h."""
    def mix(z):
        z &= 2**64 - 1
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & 2**64 - 1
        z = (z ^ z >> 27) * 0x94d049bb133111eb & 2**64 - 1
        return z ^ z >> 31
    key = mix(seed + 0x9e3779b97f4a7c15)
    for part in (step, stream):
        key = mix(key + 0x9e3779b97f4a7c15 * (part + 1))
    i = np.arange(count, dtype=np.uint64)  # all that follows is in 64 bits
    cell = ((i >> 4) * 4 + (i >> 1 & 3) + (key & 2**32 - 1)) & 2**32 - 1
    low, high = lambda x: x & 2**32 - 1, lambda x: x >> 32
    a = cell * 0xd2511f53
    b = (high(a) ^ low(a) ^ (key >> 32)) * 0xcd9e8d57
    c = (high(b) ^ low(a)) * 0xd2511f53
    near, far = low(c), high(c) ^ low(b)
    own = np.where(i & 8, far, near) >> 16 * (i & 1)
    rest = low((near ^ far) * (0x9e3779b1 + 2 * (i & 9))) >> 23
    return torch.from_numpy(((own & 0x7fff) << 9 | rest) * 2.0**-24)


def normal(step, stream, shape):
    """noise(x): Box and Muller, of two streams."""
    u, v = (uniform(step, stream + i, math.prod(shape)) for i in range(2))
    return (torch.sqrt(-2 * torch.log(1 - u)) * torch.cos(2 * math.pi * v)).reshape(shape)


class Vae(Named):
    def __init__(self, pixels, hidden, latent):
        super().__init__()
        self.step = 0
        for name, inputs, units in (("encoder", pixels, hidden), ("mean", hidden, latent), ("log_variance", hidden, latent),
                                    ("decoder", latent, hidden), ("pixels", hidden, pixels)):
            self.own(name, nn.Linear(inputs, units))

    def forward(self, image):
        self.step += 1
        x = flat(image / 255)
        h = F.relu(self.encoder(x))
        mean, variance = self.mean(h), self.log_variance(h)
        code = mean + torch.exp(variance / 2) * normal(self.step, 0, mean.shape)
        logits = self.pixels(F.relu(self.decoder(code)))
        divergence = -0.5 * torch.sum(1 + variance - mean**2 - variance.exp(), 1)
        rebuilt = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1)
        return [torch.sigmoid(logits), (rebuilt + divergence).mean()]


class Generator(Named):
    def __init__(self, latent, start, filters):
        super().__init__()
        self.start, self.filters = start, filters
        self.own("dense", nn.Linear(latent, start * start * filters, bias=False))
        self.own("batchnorm", nn.BatchNorm2d(filters))
        self.own("conv_transpose", nn.ConvTranspose2d(filters, filters // 2, 4, 2, 1, bias=False))
        self.own("batchnorm", nn.BatchNorm2d(filters // 2))
        self.own("conv_transpose", nn.ConvTranspose2d(filters // 2, 1, 4, 2, 1, bias=False))

    def forward(self, z):
        x = self.dense(z).reshape(-1, self.start, self.start, self.filters).permute(0, 3, 1, 2)
        x = F.relu(self.batchnorm_2(self.conv_transpose(F.relu(self.batchnorm(x)))))
        return torch.tanh(self.conv_transpose_2(x))


class Critic(Named):
    def __init__(self, side, width):
        super().__init__()
        self.own("conv", nn.Conv2d(1, width, 4, 2, 1, bias=False))
        self.own("conv", nn.Conv2d(width, 2 * width, 4, 2, 1, bias=False))
        self.own("batchnorm", nn.BatchNorm2d(2 * width))
        self.own("dense", nn.Linear(2 * width * side * side, 1, bias=False))

    def forward(self, x):
        x = F.leaky_relu(self.conv(x), 0.2)
        return self.dense(flat(F.leaky_relu(self.batchnorm(self.conv_2(x)), 0.2)))


class Dcgan(Named):
    def __init__(self, size, width, latent):
        super().__init__()
        self.step, self.latent = 0, latent
        self.own("generator", Generator(latent, size // 4, 2 * width))
        self.own("critic", Critic(size // 4, width))

    def forward(self, image):
        self.step += 1
        fake = self.generator(normal(self.step, 0, (len(image), self.latent)))
        ones = torch.ones(len(image), 1)
        told = F.binary_cross_entropy_with_logits(self.critic(image * (2 / 255) - 1), ones) + \
            F.binary_cross_entropy_with_logits(self.critic(fake.detach()), 0 * ones)
        self.critic.requires_grad_(False)  # constants, while its answer is for the generator
        fooled = F.binary_cross_entropy_with_logits(self.critic(fake), ones)
        self.critic.requires_grad_(True)
        return [fake / 2 + 0.5, told + fooled]


class Tower(Named):
    def __init__(self, size, width, features):
        super().__init__()
        self.own("conv", nn.Conv2d(1, width, 5))
        self.own("conv", nn.Conv2d(width, 2 * width, 5))
        self.own("dense", nn.Linear(2 * width * (((size - 4) // 2 - 4) // 2)**2, features))

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv(x / 255)), 2)
        return self.dense(flat(F.max_pool2d(F.relu(self.conv_2(x)), 2)))


class Siamese(Named):
    def __init__(self, size, width, features):
        super().__init__()
        self.own("tower", Tower(size, width, features))

    def forward(self, left, right, same):
        distance = torch.sqrt(((self.tower(left) - self.tower(right))**2).sum(1, keepdim=True) + 1e-12)
        return [distance, (same * distance**2 + (1 - same) * F.relu(1 - distance)**2).mean()]


# ---- between the layouts

def over_depth(t):
    """Filters of volumes whose depth takes the place of the height."""
    return t.dim() == 5 and t.shape[3:] == (1, 1)


def to_nnc(t):
    if over_depth(t):
        return t.permute(0, 2, 3, 4, 1).flatten(2, 3)
    if t.dim() == 5:
        return t.permute(0, 3, 4, 2, 1).flatten(3)
    return t.permute(0, 2, 3, 1) if t.dim() == 4 else t


def from_nnc(name, like):
    dim = list(to_nnc(like).shape)
    values = np.array(formula.parameter(name, dim), dtype=np.float32).astype(np.float64).reshape(dim)
    t = torch.from_numpy(values)
    if over_depth(like):
        t = t.permute(0, 3, 1, 2).unsqueeze(4)
    elif like.dim() == 5:
        t = t.unflatten(3, (like.shape[2], like.shape[1])).permute(0, 4, 3, 1, 2)
    elif t.dim() == 4:
        t = t.permute(0, 3, 1, 2)
    return t.contiguous()


def image_case(net, model, options, batch, rate, side=32, loss=F.cross_entropy, elements=SAMPLED):
    """By the recipe cifar10 with one batch an epoch: five steps of warmup, then half a cosine."""
    return dict(
        net=net, model=model, options=options, trainer=["--rate", str(rate)], loss=loss, output="logits", elements=elements,
        inputs=[["image", "u8", [batch, side, side, 3], 0], ["label", "class", [batch], 10]],
        # biases and normalisations do not decay
        optimizer=lambda p: torch.optim.SGD([
            {"params": [x for x in p if x.dim() > 1 and x.shape[0] > 1], "weight_decay": 5e-4},
            {"params": [x for x in p if x.dim() == 1 or x.shape[0] == 1], "weight_decay": 0}], rate, momentum=0.9, nesterov=True),
        rate=lambda t: rate * (0.01 + 0.99 * t / 5) if t < 5 else rate / 2 * (1 + math.cos(math.pi * (t - 5) / 5)))


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
    "volume_net": dict(
        net=VolumeNet, model="../tests/witness/volume_net", options=[], loss=F.cross_entropy, output="logits",
        inputs=[["clip", "f32", [6, 6, 9, 8, 2], 0], ["kind", "class", [6], 5]],
        optimizer=lambda p: torch.optim.Adam(p, 0.002), rate=lambda step: 0.002),
    "gpt": dict(
        net=lambda: Gpt(20, 12, 16, 2, 4), model="gpt", output="logits",
        options=["--recipe", "chars", *define(vocab=20, context=12, width=16, depth=2, heads=4), "--set", "batch=4", "--set", "clip=none",
                 "--set", "rate=0.002 constant"],
        loss=lambda z, y: F.cross_entropy(z.flatten(0, 1), y.flatten()),
        inputs=[["text", "class", [4, 12], 20], ["next", "class", [4, 12], 20]],
        optimizer=lambda p: torch.optim.AdamW([
            {"params": [x for x in p if x.dim() > 1], "weight_decay": 0.1},
            {"params": [x for x in p if x.dim() == 1], "weight_decay": 0}], 0.002, betas=(0.9, 0.99)),
        rate=lambda step: 0.002),
    "encdec": dict(
        net=lambda: EncDec(7, 12, 16, 2, 2), model="../bench/unseen/encdec", output="logits",
        options=[*define(tokens=7, context=12, width=16, depth=2, heads=2), "--set", "batch=4", "--set", "rate=0.002 constant"],
        inputs=[["text", "class", [4, 12], 7], ["begun", "class", [4, 12], 7], ["next", "class", [4, 12], 7]],
        optimizer=lambda p: torch.optim.AdamW([
            {"params": [x for x in p if x.dim() > 1], "weight_decay": 0.05},
            {"params": [x for x in p if x.dim() == 1], "weight_decay": 0}], 0.002),
        rate=lambda step: 0.002),
    **{name: dict(
        net=lambda cell=cell, path=path: Recurrent(cell, 12, 8, path), model="lstm_digits", output="logits",
        options=[*define(size=12, units=8, gated=cell is nn.GRU), "--set", "batch=8", "--set", "clip=none"], loss=F.cross_entropy,
        inputs=[["image", "u8", [8, 12, 12, 1], 0], ["digit", "class", [8], 10]],
        optimizer=lambda p: torch.optim.Adam(p, 0.001), rate=lambda step: 0.001)
       for name, cell, path in (("lstm_digits", nn.LSTM, "lstm"), ("gru_digits", nn.GRU, "gru"))},
    "vae": dict(  # of batch 6 a gradient of 1.14 overflows fp16 at the first loss scale, 65536
        net=lambda: Vae(64, 12, 5), model="vae", output="pixels", options=[*define(size=8, hidden=12, latent=5), "--set", "batch=10"],
        inputs=[["image", "u8", [10, 8, 8, 1], 0]],
        optimizer=lambda p: torch.optim.Adam(p, 0.001), rate=lambda step: 0.001),
    "dcgan": dict(
        net=lambda: Dcgan(12, 4, 6), model="dcgan", output="samples",
        options=[*define(size=12, width=4, latent=6), "--set", "batch=6"], inputs=[["image", "u8", [6, 12, 12, 1], 0]],
        optimizer=lambda p: torch.optim.Adam(p, 0.0002, betas=(0.5, 0.999)), rate=lambda step: 0.0002),
    "siamese": dict(
        net=lambda: Siamese(16, 4, 5), model="siamese", output="distance",
        options=[*define(size=16, width=4, features=5), "--set", "batch=6"],
        inputs=[["left", "u8", [6, 16, 16, 1], 0], ["right", "u8", [6, 16, 16, 1], 0], ["same", "f32", [6, 1], 0]],
        optimizer=lambda p: torch.optim.Adam(p, 0.001), rate=lambda step: 0.001),
    "unet": dict(
        net=lambda: UNet(4), model="unet", output="logits",
        options=[*define(width=4, size=32), "--set", "batch=2"],
        loss=F.cross_entropy, inputs=[["image", "u8", [2, 32, 32, 3], 0], ["mask", "class", [2, 32, 32], 2]],
        optimizer=lambda p: torch.optim.Adam(p, 0.0001), rate=lambda step: 0.0001),
    # Two steps, in double alone: narrow, it magnifies rounding, thirty times by each step.
    "mobilenet_v2": image_case(lambda: MobileNetV2(8), "mobilenet_v2",
                               ["--recipe", "cifar10", *define(width=8, size=64, drop=0.0), "--set", "batch=8"], 8, 1e-3, 64, elements=SAMPLED_OF_SMALL) | dict(steps=2),
    # At this rate the loss falls from 3.3 to 0.1; ten times as large, it is nearly 0 at step 6, and relative errors grow.
    "resnet50": image_case(lambda: ResNet(50), "resnet50", ["--recipe", "cifar10", "--set", "batch=16"], batch=16, rate=1e-3),
}


def small_case(name, net, side=64, rate=0.01, loss=F.cross_entropy):
    return image_case(net, NETWORKS[name].model, small_options(name), BATCH, rate, side, loss, SAMPLED_OF_SMALL)


CASES |= {name: small_case(name, net, **words) for name, (net, words) in {
    "alexnet": (lambda: AlexNet(16), dict(side=32)),
    "vgg16": (lambda: Vgg(16, 8, 32), dict(side=32, rate=0.1)),
    "vgg19": (lambda: Vgg(19, 8, 32), dict(side=32, rate=0.1)),
    "inception_v1": (lambda: InceptionV1(8, 64), dict(rate=1e-3, loss=inception_loss)),
    "inception_v1_caffe": (lambda: InceptionV1(8, 96, batchnorm=False, heads=True), dict(side=96, rate=0.1, loss=inception_loss)),
    "resnet18": (lambda: ResNet(18, 8), {}),
    "resnet18_nobn": (lambda: ResNet(18, 8, batchnorm=False), dict(rate=2e-3)),
    "resnet34": (lambda: ResNet(34, 8), {}),
    "resnet101": (lambda: ResNet(101, 8), {}),
    "resnet152": (lambda: ResNet(152, 8), {}),
    "resnet200": (lambda: ResNet200(8), dict(rate=1e-3)),
    "densenet121": (lambda: DenseNet(8, (2, 2, 2, 2)), dict(rate=1e-3)),
    "vit_tiny": (lambda: ViT(32, 8, 24, 2, 3), dict(side=32, rate=1e-2, loss=lambda z, y: F.cross_entropy(z, y, label_smoothing=0.1))),
}.items()}


def sampled(count, most):
    return sorted({i * (count - 1) // max(1, most - 1) for i in range(most)})


def input_tensor(name, kind, dim, classes):
    values = np.array(formula.inputs(name, dim, kind, classes))
    t = torch.from_numpy(values.astype(np.int64 if kind == "class" else np.float64).reshape(dim))
    return t.permute(0, 3, 1, 2).contiguous() if t.dim() == 4 else t


def witness(case, turned=False, order=None):
    """`turned`: with the samples in the opposite order, so that all sums over them are rounded otherwise. `order`: in this
    one, and in single precision."""
    net = case["net"]()
    net.train()
    parameters = dict(net.named_parameters())
    with torch.no_grad():
        for name, p in parameters.items():
            p.copy_(from_nnc(name, p))
    inputs = [input_tensor(*entry) for entry in case["inputs"]]
    if turned:
        inputs = [x.flip(0) for x in inputs]
    if order is not None:
        net.float()
        inputs = [x[order].float() if x.is_floating_point() else x[order] for x in inputs]
    optimizer = case["optimizer"](list(parameters.values()))
    result = {"model": case["model"], "options": case["options"], "trainer": case.get("trainer", []),
              "output": case["output"], "inputs": case["inputs"],
              "parameters": {name: {"shape": list(to_nnc(p).shape)} for name, p in parameters.items()}, "losses": []}
    for step in range(case.get("steps", STEPS)):
        for group in optimizer.param_groups:
            group["lr"] = case["rate"](step)
        optimizer.zero_grad()
        if "loss" in case:
            x, y = inputs
            logits = net(x)
            loss = case["loss"](logits, y)
        else:
            logits, loss = net(*inputs)
        loss.backward()
        if step == 0:
            scores = logits[0] if isinstance(logits, list) else logits  # without those of the heads
            in_order = scores.flip(0) if turned else scores if order is None else scores[order.argsort()]
            result["logits"] = to_nnc(in_order).detach().flatten().tolist()
            for name, p in parameters.items():
                g = to_nnc(p.grad).contiguous().flatten()
                at = [[i, g[i].item()] for i in sampled(len(g), case.get("elements", SAMPLED))]
                result["parameters"][name] |= {"norm": g.norm().item(), "at": at}
        result["losses"].append(loss.item())
        optimizer.step()
    return result


def text_of(result):
    """JSON with a line for each parameter: its shape, its gradient's norm, and elements of that."""
    def value(x):
        if not isinstance(x, dict):
            return json.dumps(x)
        return "{\n" + ",\n".join(f" {json.dumps(k)}: {json.dumps(y)}" for k, y in x.items()) + "}"
    return "{" + ",\n".join(f"{json.dumps(k)}: {value(x)}" for k, x in result.items()) + "}\n"


def in_single(case, exact):
    found = None
    torch.set_default_dtype(torch.float32)
    for seed in range(ORDERS):
        torch.manual_seed(seed)
        moved = errors(witness(case, order=torch.randperm(case["inputs"][0][2][0])), exact)
        found = larger(found, moved) if found else moved
    torch.set_default_dtype(torch.float64)
    return found


def rounding(case, exact, draws=0, single=False):
    found = {"fp32": in_single(case, exact)} if single else {}
    for name in ARITHMETICS:
        with arithmetic(name):
            found[name] = errors(witness(case), exact)
        for seed in range(draws):
            torch.manual_seed(seed)
            with arithmetic(name, by_chance):
                moved = errors(witness(case), exact)
            found[name] = larger(found[name], moved)
    return found


for name in sys.argv[1:] or CASES:
    result = witness(CASES[name])
    if name in NETWORKS and NETWORKS[name].small or name in NARROW + ROUNDED:
        result["rounding"] = rounding(CASES[name], result, DRAWS if name in NARROW else 0, name in NETWORKS)
    elif "steps" in CASES[name]:
        result["rounding"] = {"double": errors(witness(CASES[name], turned=True), result)}
    with open(os.path.join(HERE, name + ".json"), "w") as f:
        f.write(text_of({"made by": f"tests/witness/make.py, PyTorch {torch.__version__}, float64"} | result))
    print(name, result["losses"])
