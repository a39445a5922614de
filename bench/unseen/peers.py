#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The networks of this folder in PyTorch: peers.py NAME [BATCH [PRECISION]]

The whole training step, samples a second: torch.compile in a CUDA graph of the step, autocast, channels_last, fused optimizers; a shuffled batch of
floats that are on the GPU is gathered at each step. The median of five windows of half a second, as a line of JSON.
"""
import math
import os
import sys

import torch
import torch.nn.functional as F
import torchvision
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torch_capture import print_training


class Mixer(nn.Module):
    class Block(nn.Module):
        def __init__(self, places, width, tokens):
            super().__init__()
            self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
            self.tokens = nn.Sequential(nn.Linear(places, tokens), nn.GELU(), nn.Linear(tokens, places))
            self.channels = nn.Sequential(nn.Linear(width, 4*width), nn.GELU(), nn.Linear(4*width, width))

        def forward(self, x):
            x = x + self.tokens(self.norms[0](x).transpose(1, 2)).transpose(1, 2)
            return x + self.channels(self.norms[1](x))

    def __init__(self, size=32, patch=4, width=128, depth=4, classes=10):
        super().__init__()
        self.conv, self.norm, self.head = nn.Conv2d(3, width, patch, patch), nn.LayerNorm(width), nn.Linear(width, classes)
        self.blocks = nn.Sequential(*(self.Block((size//patch)**2, width, 64) for _ in range(depth)))

    def forward(self, x):
        return self.head(self.norm(self.blocks(self.conv(x).flatten(2).transpose(1, 2))).mean(1))


class ConvNext(nn.Module):
    class Norm(nn.LayerNorm):
        def forward(self, x):
            return super().forward(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)

    class Unit(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.conv, self.norm = nn.Conv2d(width, width, 7, padding=3, groups=width), nn.LayerNorm(width)
            self.dense = nn.Sequential(nn.Linear(width, 4*width), nn.GELU(), nn.Linear(4*width, width))
            self.gain = nn.Parameter(torch.full((width,), 1e-6))

        def forward(self, x):
            return x + (self.gain*self.dense(self.norm(self.conv(x).permute(0, 2, 3, 1)))).permute(0, 3, 1, 2)

    def __init__(self, counts=(2, 2, 4, 2), widths=(48, 96, 192, 384), classes=10):
        super().__init__()
        layers = [nn.Conv2d(3, widths[0], 2, 2), self.Norm(widths[0])]
        for i, count in enumerate(counts):
            layers += [self.Norm(widths[i - 1]), nn.Conv2d(widths[i - 1], widths[i], 2, 2)] if i else []
            layers += [self.Unit(widths[i]) for _ in range(count)]
        self.layers, self.norm, self.head = nn.Sequential(*layers), nn.LayerNorm(widths[-1]), nn.Linear(widths[-1], classes)

    def forward(self, x):
        return self.head(self.norm(self.layers(x).mean((2, 3))))


class Denoiser(nn.Module):
    """The U-Net that takes noise away of Ho and others (2020), with what is added to the images: gives what it guesses, and that."""
    class Residual(nn.Module):
        def __init__(self, inner, outer, time):
            super().__init__()
            self.first = nn.Sequential(nn.GroupNorm(32, inner), nn.SiLU(), nn.Conv2d(inner, outer, 3, padding=1))
            self.time = nn.Sequential(nn.SiLU(), nn.Linear(time, outer))
            self.second = nn.Sequential(nn.GroupNorm(32, outer), nn.SiLU(), nn.Dropout(0.1), nn.Conv2d(outer, outer, 3, padding=1))
            self.short = nn.Identity() if inner == outer else nn.Conv2d(inner, outer, 1)

        def forward(self, x, time):
            return self.short(x) + self.second(self.first(x) + self.time(time)[:, :, None, None])

    class Attend(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.norm, self.qkv, self.out = nn.GroupNorm(32, width), nn.Linear(width, 3*width), nn.Linear(width, width)

        def forward(self, x):
            q, k, v = self.qkv(self.norm(x).flatten(2).transpose(1, 2)).chunk(3, -1)
            y = F.scaled_dot_product_attention(q[:, None], k[:, None], v[:, None])[:, 0]
            return x + self.out(y).transpose(1, 2).unflatten(2, x.shape[2:])

    def __init__(self, width=128, steps=1000, times=(1, 2, 2, 2), size=32):
        super().__init__()
        inner, seen = width, [width]
        self.width, self.down, self.up = width, nn.ModuleList(), nn.ModuleList()
        self.register_buffer("left", torch.cumprod(1 - torch.linspace(1e-4, 0.02, steps), 0))
        self.register_buffer("frequencies", torch.exp(torch.arange(width//2)*(-math.log(10000)/(width//2))))
        self.time = nn.Sequential(nn.Linear(width, 4*width), nn.SiLU(), nn.Linear(4*width, 4*width))
        self.first = nn.Conv2d(3, width, 3, padding=1)
        for i, k in enumerate(times):
            for _ in range(2):
                self.down.append(nn.ModuleList([self.Residual(inner, k*width, 4*width)] + ([self.Attend(k*width)] if size == 16 else [])))
                inner = k*width
                seen.append(inner)
            if i + 1 < len(times):
                self.down.append(nn.Conv2d(inner, inner, 3, 2, padding=1))
                seen.append(inner)
                size //= 2
        self.middle = nn.ModuleList([self.Residual(inner, inner, 4*width), self.Attend(inner), self.Residual(inner, inner, 4*width)])
        for i, k in reversed(list(enumerate(times))):
            for _ in range(3):
                self.up.append(nn.ModuleList([self.Residual(inner + seen.pop(), k*width, 4*width)] + ([self.Attend(k*width)] if size == 16 else [])))
                inner = k*width
            if i:
                self.up.append(nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(inner, inner, 3, padding=1)))
                size *= 2
        self.last = nn.Sequential(nn.GroupNorm(32, inner), nn.SiLU(), nn.Conv2d(inner, 3, 3, padding=1))

    def forward(self, image):
        t = torch.randint(len(self.left), (len(image),), device=image.device)
        share, added = self.left[t][:, None, None, None], torch.randn_like(image)
        x = self.first(share.sqrt()*(2*image - 1) + (1 - share).sqrt()*added)
        angle = t[:, None]*self.frequencies
        time = self.time(torch.cat([angle.sin(), angle.cos()], 1))
        seen = [x]
        for part in self.down:
            x = self.through(part, x, time)
            seen.append(x)
        x = self.middle[2](self.middle[1](self.middle[0](x, time)), time)
        for part in self.up:
            x = self.through(part, torch.cat([x, seen.pop()], 1) if isinstance(part, nn.ModuleList) else x, time)
        return self.last(x), added

    @staticmethod
    def through(part, x, time):
        if not isinstance(part, nn.ModuleList):
            return part(x)
        x = part[0](x, time)
        return part[1](x) if len(part) > 1 else x


def adam(p):
    return torch.optim.Adam(p, 0.0002, fused=True, capturable=True)


def momentum(p):
    return torch.optim.SGD(p, 0.01, momentum=0.9, fused=True)


def adamw(p):
    return torch.optim.AdamW(p, 0.001, weight_decay=0.05, fused=True, capturable=True)


def swin_t():
    return torchvision.models.SwinTransformer([4, 4], 96, [2, 2, 6, 2], [3, 6, 12, 24], [7, 7], stochastic_depth_prob=0.0)


# network, size, classes (0: the loss is what is left of the noise), batch, smoothing, optimizer
NETWORKS = {
    "mixer": (Mixer, 32, 10, 128, 0, adamw),
    "convnext": (ConvNext, 32, 10, 128, 0.1, adamw),
    "efficientnet": (lambda: torchvision.models.efficientnet_b0(stochastic_depth_prob=0.0), 224, 1000, 64, 0, momentum),
    "squeezenet": (torchvision.models.squeezenet1_1, 224, 1000, 128, 0, momentum),
    "resnext50": (torchvision.models.resnext50_32x4d, 224, 1000, 128, 0, momentum),
    "shufflenet": (torchvision.models.shufflenet_v2_x1_0, 224, 1000, 128, 0, momentum),
    "regnet": (torchvision.models.regnet_y_800mf, 224, 1000, 128, 0, momentum),
    "swin": (swin_t, 224, 1000, 64, 0.1, adamw),
    "diffusion": (Denoiser, 32, 0, 64, 0, adam),
    "r3d18": (torchvision.models.video.r3d_18, (16, 112, 112), 400, 16, 0, momentum),
}
make, size, classes, batch, smoothing, optimizer_of = NETWORKS[sys.argv[1]]
batch = int(sys.argv[2]) if len(sys.argv) > 2 else batch
narrow = {"bf16": torch.bfloat16, "fp16": torch.float16, "tf32": None}[sys.argv[3] if len(sys.argv) > 3 else "bf16"]
torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
pixels = (size, size) if isinstance(size, int) else size  # of an image, or of a film
order = torch.channels_last if len(pixels) == 2 else torch.channels_last_3d
count = max(2*batch, 512 if len(pixels) == 2 else 64)
x = torch.rand(count, 3, *pixels, device="cuda").contiguous(memory_format=order)
y = torch.randint(classes or 1, (count,), device="cuda")
net = make().cuda().to(memory_format=order)
optimizer = optimizer_of(net.parameters())


@torch.compile
def loss_of(x, y):
    with torch.autocast("cuda", narrow, enabled=narrow is not None):
        return F.cross_entropy(net(x), y, label_smoothing=smoothing) if classes else F.mse_loss(*net(x))


print_training(sys.argv[1], net, optimizer, loss_of, [x, y], batch)
