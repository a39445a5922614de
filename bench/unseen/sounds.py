#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The networks of this folder that read sound or step by step, in PyTorch: sounds.py NAME [BATCH]

The whole training step in bf16, samples a second, as of texts.py; LSTMs are cuDNN's.
"""
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torch_capture import print_training


class WaveNet(nn.Module):
    """Of [batch, length] indices; a sequence is an image of height 1, so that its channels come last."""
    def __init__(self, levels=256, width=64, skips=256, stacks=3, depth=10):
        super().__init__()
        self.first, self.causal = nn.Embedding(levels, width), nn.Conv2d(width, width, (1, 2))
        self.dilations = [2**i for i in range(depth)]*stacks
        self.gates = nn.ModuleList(nn.Conv2d(width, 2*width, (1, 2), dilation=(1, d)) for d in self.dilations)
        self.residual, self.skip = (nn.ModuleList(nn.Conv2d(width, n, 1) for _ in self.dilations)
                                    for n in (width, skips))
        self.head = nn.Sequential(nn.ReLU(), nn.Conv2d(skips, skips, 1), nn.ReLU(), nn.Conv2d(skips, levels, 1))
        self.to(memory_format=torch.channels_last)

    def forward(self, sound):
        x, total = self.causal(F.pad(self.first(sound).transpose(1, 2)[:, :, None], (1, 0))), 0
        for dilation, gates, residual, skip in zip(self.dilations, self.gates, self.residual, self.skip):
            a, b = gates(F.pad(x, (dilation, 0))).chunk(2, 1)
            gated = a.tanh()*b.sigmoid()
            x, total = x + residual(gated), total + skip(gated)
        return self.head(total)[:, :, 0]

    def loss(self, sound, after):
        return F.cross_entropy(self(sound), after)

    def data(self, count, length=2048):
        return [torch.randint(256, (count, length), device="cuda") for _ in range(2)]

    def optimizer(self):
        return torch.optim.Adam(self.parameters(), 0.001, fused=True, capturable=True)


class FeedForward(nn.Sequential):
    def __init__(self, width, drop):
        super().__init__(nn.LayerNorm(width), nn.Linear(width, 4*width), nn.SiLU(), nn.Dropout(drop),
                         nn.Linear(4*width, width), nn.Dropout(drop))


class ConformerBlock(nn.Module):
    def __init__(self, width, heads, size, drop):
        super().__init__()
        self.dense, self.heads = nn.ModuleList(FeedForward(width, drop) for _ in range(2)), heads
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.qkv, self.out = nn.Linear(width, 3*width), nn.Linear(width, width)
        self.both, self.conv = nn.Linear(width, 2*width), nn.Conv1d(width, width, size, padding=size//2, groups=width)
        self.batchnorm, self.last, self.drop = nn.BatchNorm1d(width), nn.Linear(width, width), nn.Dropout(drop)

    def forward(self, x):
        x = x + 0.5*self.dense[0](x)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(self.norms[0](x)).chunk(3, -1))
        x = x + self.drop(self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)))
        y = F.glu(self.both(self.norms[1](x))).transpose(1, 2)
        x = x + self.drop(self.last(F.silu(self.batchnorm(self.conv(y))).transpose(1, 2)))
        return self.norms[2](x + 0.5*self.dense[1](x))


class Conformer(nn.Module):
    """Of [batch, frames, bands]."""
    def __init__(self, frames=1024, bands=80, width=256, depth=8, heads=4, size=31, tokens=1000, drop=0.1):
        super().__init__()
        self.convs = nn.Sequential(nn.Conv2d(1, width, 3, 2, 1), nn.ReLU(), nn.Conv2d(width, width, 3, 2, 1), nn.ReLU())
        self.convs.to(memory_format=torch.channels_last)
        self.dense, self.drop, self.head = nn.Linear(bands//4*width, width), nn.Dropout(drop), nn.Linear(width, tokens)
        self.places = nn.Parameter(0.02*torch.randn(frames//4, width))
        self.blocks = nn.Sequential(*(ConformerBlock(width, heads, size, drop) for _ in range(depth)))

    def forward(self, sound):
        x = self.convs(sound[:, None].contiguous(memory_format=torch.channels_last)).permute(0, 2, 3, 1).flatten(2)
        return self.head(self.blocks(self.drop(self.dense(x)) + self.places))

    def loss(self, sound, said):
        return F.cross_entropy(self(sound).flatten(0, 1), said.flatten())

    def data(self, count, frames=1024, bands=80):
        return [torch.rand(count, frames, bands, device="cuda"), torch.randint(1000, (count, frames//4), device="cuda")]

    def optimizer(self):
        return torch.optim.AdamW(self.parameters(), 0.001, weight_decay=0.01, fused=True, capturable=True)


class LstmLm(nn.Module):
    """Of [batch, steps] indices."""
    def __init__(self, words=10000, width=650, depth=2, drop=0.5):
        super().__init__()
        self.words, self.drop, self.head = nn.Embedding(words, width), nn.Dropout(drop), nn.Linear(width, words)
        self.lstm = nn.LSTM(width, width, depth, dropout=drop, batch_first=True)
        for p in self.parameters():
            nn.init.uniform_(p, -0.05, 0.05)

    def forward(self, text):
        return self.head(self.drop(self.lstm(self.drop(self.words(text)))[0]))

    def loss(self, text, after):
        return F.cross_entropy(self(text).flatten(0, 1), after.flatten())

    def data(self, count, steps=35):
        return [torch.randint(10000, (count, steps), device="cuda") for _ in range(2)]

    def optimizer(self):
        return torch.optim.SGD(self.parameters(), 1.0, fused=True)


NETWORKS = {"wavenet": (WaveNet, 8), "conformer": (Conformer, 32), "lstm_lm": (LstmLm, 64)}
make, batch = NETWORKS[sys.argv[1]]
batch = int(sys.argv[2]) if len(sys.argv) > 2 else batch
torch.backends.cuda.matmul.allow_tf32 = True
torch.manual_seed(0)
net = make().cuda()


@torch.compile
def loss_of(*data):
    with torch.autocast("cuda", torch.bfloat16):
        return net.loss(*data)


print_training(sys.argv[1], net, net.optimizer(), loss_of, net.data(max(2*batch, 512)), batch)
