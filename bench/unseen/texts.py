#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The networks of this folder that read texts, in PyTorch: texts.py NAME [BATCH]

The whole training step in bf16, samples a second: torch.compile in a CUDA graph of the step, autocast, scaled_dot_product_attention, a fused
optimizer; a shuffled batch of texts that are on the GPU is gathered at each step. The median of five windows of half a second, as a line of JSON.
"""
import math
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torch_capture import print_training

TOKENS, CONTEXT, WIDTH, HEADS = 8192, 256, 512, 8


class Look(nn.Module):
    """Attention of x to `memory`; one product makes what is made of one tensor."""
    def __init__(self, itself):
        super().__init__()
        self.itself = itself
        if itself:
            self.qkv = nn.Linear(WIDTH, 3*WIDTH)
        else:
            self.q, self.kv = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 2*WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)

    def forward(self, x, memory, mask=None, causal=False):
        q, k, v = self.qkv(x).chunk(3, -1) if self.itself else (self.q(x), *self.kv(memory).chunk(2, -1))
        q, k, v = (t.unflatten(-1, (HEADS, -1)).transpose(1, 2) for t in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
        return self.out(y.transpose(1, 2).flatten(2))


def forward_block():
    return nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4*WIDTH), nn.GELU(), nn.Linear(4*WIDTH, WIDTH))


class Encode(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.look, self.dense = nn.LayerNorm(WIDTH), Look(True), forward_block()

    def forward(self, x, mask):
        y = self.norm(x)
        x = x + self.look(y, y, mask)
        return x + self.dense(x)


class Decode(nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.own, self.look, self.dense = Look(True), Look(False), forward_block()

    def forward(self, x, memory, mask):
        y = self.norms[0](x)
        x = x + self.own(y, y, causal=True)
        x = x + self.look(self.norms[1](x), memory, mask)
        return x + self.dense(x)


class EncDec(nn.Module):
    spans = [TOKENS]*3  # what the inputs and the target are below

    def __init__(self, depth=3):
        super().__init__()
        self.words = nn.ModuleList(nn.Embedding(TOKENS, WIDTH) for _ in range(2))
        self.places = nn.Parameter(0.02*torch.randn(CONTEXT, WIDTH))
        self.encoder, self.decoder = (nn.ModuleList(kind() for _ in range(depth)) for kind in (Encode, Decode))
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
        self.head = nn.Linear(WIDTH, TOKENS, bias=False)

    def forward(self, text, begun):
        mask = (text != 0)[:, None, None, :]
        memory = self.words[0](text) + self.places
        for layer in self.encoder:
            memory = layer(memory, mask)
        memory, x = self.norms[0](memory), self.words[1](begun) + self.places
        for layer in self.decoder:
            x = layer(x, memory, mask)
        return self.head(self.norms[1](x))


def rotated(x, cosine, sine):
    a, b = x.chunk(2, -1)
    return x*cosine + torch.cat((-b, a), -1)*sine


class Layer(nn.Module):
    """Of LLaMA."""
    def __init__(self, wide=1408):
        super().__init__()
        self.norms = nn.ModuleList(nn.RMSNorm(WIDTH, 1e-5) for _ in range(2))
        self.qkv, self.out = nn.Linear(WIDTH, 3*WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.both, self.down = nn.Linear(WIDTH, 2*wide, bias=False), nn.Linear(wide, WIDTH, bias=False)

    def forward(self, x, cosine, sine):
        q, k, v = (t.unflatten(-1, (HEADS, -1)).transpose(1, 2) for t in self.qkv(self.norms[0](x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(rotated(q, cosine, sine).to(v.dtype), rotated(k, cosine, sine).to(v.dtype), v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).flatten(2))
        gate, up = self.both(self.norms[1](x)).chunk(2, -1)
        return x + self.down(F.silu(gate)*up)


class Llama(nn.Module):
    spans = [TOKENS]*2

    def __init__(self, depth=6):
        super().__init__()
        self.words = nn.Embedding(TOKENS, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(depth))
        self.norm, self.head = nn.RMSNorm(WIDTH, 1e-5), nn.Linear(WIDTH, TOKENS, bias=False)
        d = WIDTH//HEADS
        angle = torch.outer(torch.arange(CONTEXT), torch.exp(torch.arange(d//2)*(-2*math.log(10000)/d))).repeat(1, 2)
        self.register_buffer("cosine", angle.cos())
        self.register_buffer("sine", angle.sin())

    def forward(self, text):
        x = self.words(text)
        for layer in self.layers:
            x = layer(x, self.cosine, self.sine)
        return self.head(self.norm(x))


def by_heads(x):
    return x.unflatten(-1, (HEADS, -1)).transpose(1, 2)


class Bias(nn.Module):
    """A number for each head and each bucket of distances, [heads, places, places]."""
    def __init__(self, both, count=32, farthest=128):
        super().__init__()
        self.table = nn.Embedding(count, HEADS)
        distance = torch.arange(CONTEXT)[None, :] - torch.arange(CONTEXT)[:, None]
        each = count//2 if both else count
        near, away = each//2, distance.abs() if both else (-distance).clamp(min=0)
        far = near + torch.log(away.clamp(min=1)/near)/math.log(farthest/near)*(each - near)
        bucket = torch.where(away < near, away, far.long().clamp(max=each - 1))
        self.register_buffer("bucket", bucket + each*(distance > 0) if both else bucket)

    def forward(self):
        return self.table(self.bucket).permute(2, 0, 1)


class BiasedLook(nn.Module):
    """Of T5: no biases in its layers, no scale, and what is added to the scores is learned."""
    def __init__(self, itself):
        super().__init__()
        self.itself = itself
        self.first = nn.Linear(WIDTH, 3*WIDTH if itself else WIDTH, bias=False)
        self.kv = None if itself else nn.Linear(WIDTH, 2*WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x, memory, bias=None):
        q, k, v = self.first(x).chunk(3, -1) if self.itself else (self.first(x), *self.kv(memory).chunk(2, -1))
        y = F.scaled_dot_product_attention(by_heads(q), by_heads(k), by_heads(v), scale=1.0, attn_mask=None if bias is None else bias.to(q.dtype))
        return self.out(y.transpose(1, 2).flatten(2))


class T5(nn.Module):
    spans = [TOKENS]*3

    def __init__(self, depth=3):
        super().__init__()
        self.words = nn.Embedding(TOKENS, WIDTH)
        self.biases = nn.ModuleList(Bias(both) for both in (True, False))
        self.own, self.own_decoder, self.look = (nn.ModuleList(BiasedLook(itself) for _ in range(depth)) for itself in (True, True, False))
        self.wide = nn.ModuleList(nn.Sequential(nn.RMSNorm(WIDTH, 1e-5), nn.Linear(WIDTH, 4*WIDTH, bias=False), nn.ReLU(),
                                                nn.Linear(4*WIDTH, WIDTH, bias=False)) for _ in range(2*depth))
        self.norms = nn.ModuleList(nn.RMSNorm(WIDTH, 1e-5) for _ in range(3*depth + 2))
        self.head, self.depth = nn.Linear(WIDTH, TOKENS, bias=False), depth
        self.register_buffer("later", torch.full((CONTEXT, CONTEXT), float("-inf")).triu(1))

    def forward(self, text, begun):
        norms, wide = iter(self.norms), iter(self.wide)
        memory, x = self.words(text), self.words(begun)
        bias, causal_bias = self.biases[0]()[None], (self.biases[1]() + self.later)[None]
        for look in self.own:
            y = next(norms)(memory)
            memory = memory + look(y, y, bias)
            memory = memory + next(wide)(memory)
        memory = next(norms)(memory)
        for own, look in zip(self.own_decoder, self.look):
            y = next(norms)(x)
            x = x + own(y, y, causal_bias)
            x = x + look(next(norms)(x), memory)
            x = x + next(wide)(x)
        return self.head(next(norms)(x))


class BertLayer(nn.Module):
    def __init__(self, drop):
        super().__init__()
        self.qkv, self.out, self.drop = nn.Linear(WIDTH, 3*WIDTH), nn.Linear(WIDTH, WIDTH), nn.Dropout(drop)
        self.wide = nn.Sequential(nn.Linear(WIDTH, 4*WIDTH), nn.GELU(), nn.Linear(4*WIDTH, WIDTH))
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH, 1e-12) for _ in range(2))

    def forward(self, x, mask):
        q, k, v = (by_heads(t) for t in self.qkv(x).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=self.drop.p)
        x = self.norms[0](x + self.drop(self.out(y.transpose(1, 2).flatten(2))))
        return self.norms[1](x + self.drop(self.wide(x)))


class Bert(nn.Module):
    context, spans = 128, [TOKENS, 2, TOKENS]

    def __init__(self, depth=6, drop=0.1):
        super().__init__()
        self.words, self.segments = nn.Embedding(TOKENS, WIDTH), nn.Embedding(2, WIDTH)
        self.places = nn.Parameter(0.02*torch.randn(self.context, WIDTH))
        self.norm, self.drop = nn.LayerNorm(WIDTH, 1e-12), nn.Dropout(drop)
        self.layers = nn.ModuleList(BertLayer(drop) for _ in range(depth))
        self.transform = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.LayerNorm(WIDTH, 1e-12))
        self.head = nn.Linear(WIDTH, TOKENS)
        self.head.weight = self.words.weight
        nn.init.normal_(self.words.weight, std=0.02)

    def forward(self, text, segment):
        mask = (text != 0)[:, None, None, :]
        x = self.drop(self.norm(self.words(text) + self.segments(segment) + self.places))
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(self.transform(x))


class Mixture(nn.Module):
    """The experts' first layers are one product, and so are their last ones, whose sum is weighed by the gate: no expert is a product by itself."""
    def __init__(self, experts, wide):
        super().__init__()
        self.gate, self.experts = nn.Linear(WIDTH, experts, bias=False), experts
        self.both, self.down = nn.Linear(WIDTH, 2*experts*wide, bias=False), nn.Linear(experts*wide, WIDTH, bias=False)

    def forward(self, x):
        scores = self.gate(x).float()
        shares = torch.where(scores >= scores.topk(2, -1).values[..., 1:], scores, float("-inf")).softmax(-1)
        gate, up = self.both(x).chunk(2, -1)
        y = (F.silu(gate)*up).unflatten(-1, (self.experts, -1))*shares[..., None].to(up.dtype)
        return self.down(y.flatten(-2))


class Moe(nn.Module):
    spans = [TOKENS]*2

    def __init__(self, depth=4, experts=8, wide=1024):
        super().__init__()
        self.words, self.places = nn.Embedding(TOKENS, WIDTH), nn.Parameter(0.02*torch.randn(CONTEXT, WIDTH))
        self.looks = nn.ModuleList(Look(True) for _ in range(depth))
        self.mixtures = nn.ModuleList(Mixture(experts, wide) for _ in range(depth))
        self.norms = nn.ModuleList(nn.RMSNorm(WIDTH, 1e-5) for _ in range(2*depth + 1))
        self.head = nn.Linear(WIDTH, TOKENS, bias=False)

    def forward(self, text):
        norms, x = iter(self.norms), self.words(text) + self.places
        for look, mixture in zip(self.looks, self.mixtures):
            y = next(norms)(x)
            x = x + look(y, y, causal=True)
            x = x + mixture(next(norms)(x))
        return self.head(next(norms)(x))


NETWORKS = {"encdec": EncDec, "llama": Llama, "t5": T5, "bert": Bert, "moe": Moe}
name, batch = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 32
torch.backends.cuda.matmul.allow_tf32 = True
torch.manual_seed(0)
net = NETWORKS[name]().cuda()
count = max(2*batch, 512)
context = getattr(net, "context", CONTEXT)
texts = [torch.randint(0, span, (count, context), device="cuda") for span in net.spans]
if name in ("encdec", "bert"):
    texts[0][:, context*7//8:] = 0  # padding
optimizer = torch.optim.AdamW(net.parameters(), 0.0003, weight_decay=0.05, fused=True, capturable=True)


@torch.compile
def loss_of(*texts):
    with torch.autocast("cuda", torch.bfloat16):
        return F.cross_entropy(net(*texts[:-1]).flatten(0, 1), texts[-1].flatten(), ignore_index=0 if name == "bert" else -100)


print_training(name, net, optimizer, loss_of, texts, batch)
