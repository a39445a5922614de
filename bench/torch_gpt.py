# SPDX-License-Identifier: MIT
"""GPT-2 in PyTorch, as models/gpt.net has it: the head's weights are the embedding's, and a dropout stands after attention's softmax and each branch."""
import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Module):
    def __init__(self, width, heads, rate):
        super().__init__()
        self.heads, self.rate = heads, rate
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def attended(self, x):
        batch, places, width = x.shape
        q, k, v = (part.view(batch, places, self.heads, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.rate if self.training else 0.0, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(batch, places, width))

    def forward(self, x):
        x = x + F.dropout(self.attended(self.norm1(x)), self.rate, self.training)
        return x + F.dropout(self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh")), self.rate, self.training)


class Gpt(nn.Module):
    def __init__(self, vocab=50257, context=1024, width=768, depth=12, heads=12, rate=0.1):
        super().__init__()
        self.words, self.places = nn.Embedding(vocab, width), nn.Parameter(torch.empty(context, width))
        self.layers = nn.Sequential(*[Layer(width, heads, rate) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        for p in (self.words.weight, self.places):
            nn.init.normal_(p, std=0.02)

    def forward(self, tokens):
        """Logits [places of all texts, vocab] of tokens [batch, context]."""
        return F.linear(self.norm(self.layers(self.words(tokens) + self.places)), self.words.weight).flatten(0, 1)
