#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Transformers as they are built today, in PyTorch: today.py NAME [BATCH]

The whole training step in bf16, samples a second: torch.compile in a CUDA graph of the step, autocast, scaled_dot_product_attention, or
flex_attention for what hides by distance, a fused optimizer; a shuffled batch of what is on the GPU is gathered at each step. The median of five
windows of half a second, as a line of JSON.
"""
import math
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torch_capture import print_training


def by_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


class Local(nn.Module):
    """Of Gemma: grouped queries, queries and keys of length 1, rotary positions; with a window, only the places shortly before."""
    def __init__(self, width, heads, groups, d, window):
        super().__init__()
        self.heads, self.groups, self.window = heads, groups, window
        self.qkv, self.out = nn.Linear(width, (heads + 2*groups)*d, bias=False), nn.Linear(heads*d, width, bias=False)
        self.norms, self.sizes = nn.ModuleList(nn.RMSNorm(d, 1e-5) for _ in range(2)), [heads*d, groups*d, groups*d]

    def forward(self, x, cosine, sine):
        q, k, v = self.qkv(x).split(self.sizes, -1)
        q, k, v = by_heads(q, self.heads), by_heads(k, self.groups), by_heads(v, self.groups)
        q, k = (rotated(norm(t), cosine, sine).to(v.dtype) for norm, t in zip(self.norms, (q, k)))
        if self.window is None:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        else:
            y = flex_attention(q, k, v, block_mask=self.window, enable_gqa=True)
        return self.out(y.transpose(1, 2).flatten(2))


def rotated(x, cosine, sine):
    a, b = x.chunk(2, -1)
    return torch.cat((a*cosine - b*sine, b*cosine + a*sine), -1)


class Geglu(nn.Module):
    def __init__(self, width, wide):
        super().__init__()
        self.both, self.down = nn.Linear(width, 2*wide, bias=False), nn.Linear(wide, width, bias=False)

    def forward(self, x):
        gate, up = self.both(x).chunk(2, -1)
        return self.down(F.gelu(gate, approximate="tanh")*up)


class Gemma(nn.Module):
    def __init__(self, tokens=8192, context=512, width=640, depth=6, heads=8, groups=2, d=64, wide=2048, window=128):
        super().__init__()
        near = create_block_mask(lambda b, h, q, k: (q >= k) & (q - k < window), None, None, context, context, device="cuda")
        self.words, self.width = nn.Embedding(tokens, width), width
        nn.init.normal_(self.words.weight, std=0.02)
        self.attends = nn.ModuleList(Local(width, heads, groups, d, None if i%6 == 5 else near) for i in range(depth))
        self.wides = nn.ModuleList(Geglu(width, wide) for _ in range(depth))
        self.norms = nn.ModuleList(nn.RMSNorm(width, 1e-5) for _ in range(4*depth + 1))
        angle = torch.outer(torch.arange(context), torch.exp(torch.arange(d//2)*(-2*math.log(10000)/d)))
        self.register_buffer("cosine", angle.cos())
        self.register_buffer("sine", angle.sin())

    @staticmethod
    def data(count):
        return [torch.randint(0, 8192, (count, 512), device="cuda") for _ in range(2)]

    def forward(self, text, following):
        norms = iter(self.norms)
        x = self.words(text)*math.sqrt(self.width)
        for attend, wide in zip(self.attends, self.wides):
            x = x + (lambda norm, after: after(attend(norm(x), self.cosine, self.sine)))(next(norms), next(norms))
            x = x + (lambda norm, after: after(wide(norm(x))))(next(norms), next(norms))
        logits = F.linear(next(norms)(x), self.words.weight)
        return F.cross_entropy(logits.flatten(0, 1), following.flatten())


class Adaptive(nn.Module):
    """Of DiT: what a normalisation is scaled and shifted by comes from the condition."""
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.qkv, self.proj = heads, nn.Linear(width, 3*width), nn.Linear(width, width)
        self.ada = nn.Linear(width, 6*width)
        self.wide = nn.Sequential(nn.Linear(width, 4*width), nn.GELU(approximate="tanh"), nn.Linear(4*width, width))
        self.norm = nn.LayerNorm(width, 1e-6, elementwise_affine=False)
        nn.init.zeros_(self.ada.weight)
        nn.init.zeros_(self.ada.bias)

    def forward(self, x, c):
        s1, g1, a1, s2, g2, a2 = self.ada(F.silu(c))[:, None].chunk(6, -1)
        q, k, v = (by_heads(t, self.heads) for t in self.qkv(self.norm(x)*(1 + g1) + s1).chunk(3, -1))
        x = x + a1*self.proj(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return x + a2*self.wide(self.norm(x)*(1 + g2) + s2)


class DiT(nn.Module):
    def __init__(self, size=32, channels=4, patch=4, width=384, depth=12, heads=6, classes=1000, steps=1000):
        super().__init__()
        self.channels, self.patch, self.n, self.steps = channels, patch, size//patch, steps
        self.time = nn.Sequential(nn.Linear(256, width), nn.SiLU(), nn.Linear(width, width))
        self.kinds = nn.Embedding(classes + 1, width)
        self.patches = nn.Linear(patch*patch*channels, width)
        self.places = nn.Parameter(0.02*torch.randn(self.n**2, width))
        self.layers = nn.ModuleList(Adaptive(width, heads) for _ in range(depth))
        self.last, self.out = nn.Linear(width, 2*width), nn.Linear(width, patch*patch*channels)
        self.norm = nn.LayerNorm(width, 1e-6, elementwise_affine=False)
        self.register_buffer("rates", torch.exp(torch.arange(128)*(-math.log(10000)/128)))

    @staticmethod
    def data(count):
        return [torch.randn(count, 32, 32, 4, device="cuda"), torch.randint(0, 1000, (count,), device="cuda"),
                torch.randint(0, 1000, (count,), device="cuda"), torch.randn(count, 32, 32, 4, device="cuda")]

    def forward(self, latent, label, step, added):
        n, p = self.n, self.patch
        angle = step[:, None]*self.rates
        c = self.time(torch.cat((angle.cos(), angle.sin()), -1)) + self.kinds(label)
        share = (torch.cos((step/self.steps + 0.008)/1.008*(math.pi/2))**2)[:, None, None, None]
        x = share.sqrt()*latent + (1 - share).sqrt()*added
        x = x.unflatten(1, (n, p)).unflatten(3, (n, p)).transpose(2, 3).reshape(len(x), n*n, p*p*self.channels)
        x = self.patches(x) + self.places
        for layer in self.layers:
            x = layer(x, c)
        shift, gain = self.last(F.silu(c))[:, None].chunk(2, -1)
        y = self.out(self.norm(x)*(1 + gain) + shift)
        y = y.unflatten(2, (p, p, self.channels)).unflatten(1, (n, n)).transpose(2, 3).reshape_as(latent)
        return F.mse_loss(y, added)


class Thin(nn.Module):
    """Of LoRA: a frozen dense layer, and two thin matrices that are trained."""
    def __init__(self, width, rank=8, alpha=16):
        super().__init__()
        self.base, self.scale = nn.Linear(width, width), alpha/rank
        self.a, self.b = nn.Linear(width, rank, bias=False), nn.Linear(rank, width, bias=False)
        nn.init.zeros_(self.b.weight)

    def forward(self, x):
        return self.base(x) + self.b(self.a(x))*self.scale


class ThinLayer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.q, self.k, self.v, self.out = heads, Thin(width), nn.Linear(width, width), Thin(width), nn.Linear(width, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(2))
        self.wide = nn.Sequential(nn.Linear(width, 4*width), nn.GELU(approximate="tanh"), nn.Linear(4*width, width))

    def forward(self, x):
        y = self.norms[0](x)
        q, k, v = (by_heads(part(y), self.heads) for part in (self.q, self.k, self.v))
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))
        return x + self.wide(self.norms[1](x))


class Lora(nn.Module):
    """A GPT of which the thin matrices alone are trained; the frozen weights are in 16 bits from the start."""
    def __init__(self, tokens=8192, context=256, width=768, depth=6, heads=12):
        super().__init__()
        self.words, self.places = nn.Embedding(tokens, width), nn.Parameter(0.02*torch.randn(context, width))
        self.layers, self.norm = nn.ModuleList(ThinLayer(width, heads) for _ in range(depth)), nn.LayerNorm(width)
        nn.init.normal_(self.words.weight, std=0.02)
        for name, p in self.named_parameters():
            p.requires_grad = name.endswith(("a.weight", "b.weight"))
            if not p.requires_grad and p.dim() == 2:
                p.data = p.data.bfloat16()

    @staticmethod
    def data(count):
        return [torch.randint(0, 8192, (count, 256), device="cuda") for _ in range(2)]

    def forward(self, text, following):
        x = self.words(text) + self.places
        for layer in self.layers:
            x = layer(x)
        return F.cross_entropy(F.linear(self.norm(x), self.words.weight).flatten(0, 1), following.flatten())


NETWORKS = {"gemma": Gemma, "dit": DiT, "lora": Lora}
name, batch = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 32
torch.backends.cuda.matmul.allow_tf32 = True
torch.manual_seed(0)
net = NETWORKS[name]().cuda()
optimizer = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], 0.0003, weight_decay=0.05, fused=True, capturable=True)


@torch.compile
def loss_of(*batch):
    with torch.autocast("cuda", torch.bfloat16):
        return net(*batch)


print_training(name, net, optimizer, loss_of, net.data(max(2*batch, 512)), batch)
