#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The networks of this folder that say something of each place of an image, in PyTorch: pixels.py NAME [BATCH]

As peers.py.
"""
import os
import sys

import torch
import torch.nn.functional as F
import torchvision
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torch_capture import print_training


def unit(inner, outer, size=1, stride=1, dilation=1, act=nn.ReLU):
    conv = nn.Conv2d(inner, outer, size, stride, padding=dilation*((size - 1)//2), dilation=dilation, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outer), act(inplace=True))


def images(count, size):
    return torch.rand(count, 3, size, size, device="cuda").contiguous(memory_format=torch.channels_last)


def momentum(net, decay):
    return torch.optim.SGD(net.parameters(), 0.01, momentum=0.9, weight_decay=decay, fused=True)


class DeepLab(nn.Module):
    def __init__(self, classes=21, size=512):
        super().__init__()
        net = torchvision.models.resnet50(weights=None, replace_stride_with_dilation=[False, False, True])
        self.first = nn.Sequential(net.conv1, net.bn1, net.relu, net.maxpool, net.layer1)
        self.rest = nn.Sequential(net.layer2, net.layer3, net.layer4)
        self.branches = nn.ModuleList([unit(2048, 256)] + [unit(2048, 256, 3, dilation=rate) for rate in (6, 12, 18)])
        self.pooled = nn.Sequential(nn.AdaptiveAvgPool2d(1), unit(2048, 256))
        self.joined = nn.Sequential(unit(5*256, 256), nn.Dropout(0.5))
        self.low = unit(256, 48)
        self.last = nn.Sequential(unit(304, 256, 3), unit(256, 256, 3), nn.Conv2d(256, classes, 1))
        self.classes, self.size = classes, size

    def forward(self, image):
        low = self.first(image)
        x = self.rest(low)
        pooled = self.pooled(x).expand(-1, -1, *x.shape[2:])
        x = self.joined(torch.cat([branch(x) for branch in self.branches] + [pooled], 1))
        x = F.interpolate(x, scale_factor=4, mode="bilinear", align_corners=False)
        x = self.last(torch.cat([x, self.low(low)], 1))
        return F.interpolate(x, scale_factor=4, mode="bilinear", align_corners=False)

    def loss(self, image, mask):
        return F.cross_entropy(self(image), mask, ignore_index=0)

    def data(self, count):
        return [images(count, self.size), torch.randint(self.classes, (count, self.size, self.size), device="cuda")]

    def optimizer(self):
        return momentum(self, 1e-4)


def silu(inner, outer, size=1, stride=1):
    return unit(inner, outer, size, stride, act=nn.SiLU)


class Csp(nn.Module):
    def __init__(self, inner, outer, times, shortcut=True):
        super().__init__()
        half = outer//2
        self.first, self.short, self.last, self.shortcut = silu(inner, half), silu(inner, half), silu(outer, outer), shortcut
        self.parts = nn.ModuleList(nn.Sequential(silu(half, half), silu(half, half, 3)) for _ in range(times))

    def forward(self, x):
        y = self.first(x)
        for part in self.parts:
            y = y + part(y) if self.shortcut else part(y)
        return self.last(torch.cat([y, self.short(x)], 1))


class Pools(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.pool, self.last = silu(width, width//2), nn.MaxPool2d(5, 1, 2), silu(2*width, width)

    def forward(self, x):
        seen = [self.first(x)]
        for _ in range(3):
            seen.append(self.pool(seen[-1]))
        return self.last(torch.cat(seen, 1))


class Yolo(nn.Module):
    def __init__(self, classes=80, size=640, w=32):
        super().__init__()
        first = nn.Sequential(nn.Conv2d(3, w, 6, 2, 2, bias=False), nn.BatchNorm2d(w), nn.SiLU(inplace=True))
        self.a = nn.Sequential(first, silu(w, 2*w, 3, 2), Csp(2*w, 2*w, 1), silu(2*w, 4*w, 3, 2), Csp(4*w, 4*w, 2))
        self.b = nn.Sequential(silu(4*w, 8*w, 3, 2), Csp(8*w, 8*w, 3))
        self.c = nn.Sequential(silu(8*w, 16*w, 3, 2), Csp(16*w, 16*w, 1), Pools(16*w), silu(16*w, 8*w))
        self.d, self.e = nn.Sequential(Csp(16*w, 8*w, 1, False), silu(8*w, 4*w)), Csp(8*w, 4*w, 1, False)
        self.f, self.g = Csp(8*w, 8*w, 1, False), Csp(16*w, 16*w, 1, False)
        self.down = nn.ModuleList([silu(4*w, 4*w, 3, 2), silu(8*w, 8*w, 3, 2)])
        self.heads = nn.ModuleList(nn.Sequential(silu(k*w, k*w), nn.Conv2d(k*w, 5 + classes, 1)) for k in (4, 8, 16))
        self.classes, self.size = classes, size

    def forward(self, image):
        a = self.a(image)
        b = self.b(a)
        c = self.c(b)
        d = self.d(torch.cat([F.interpolate(c, scale_factor=2.0), b], 1))
        e = self.e(torch.cat([F.interpolate(d, scale_factor=2.0), a], 1))
        f = self.f(torch.cat([self.down[0](e), d], 1))
        g = self.g(torch.cat([self.down[1](f), c], 1))
        return [head(x).permute(0, 2, 3, 1).float() for head, x in zip(self.heads, (e, f, g))]

    @staticmethod
    def of_grid(said, truth):
        box, there, kind = said[..., :4].exp(), said[..., 4], said[..., 5:]
        box_true, there_true, kind_true = truth[..., :4], truth[..., 4], truth[..., 5:]
        (left, top, right, bottom), (l, t, r, b) = box.unbind(-1), box_true.unbind(-1)
        inner = (torch.minimum(left, l) + torch.minimum(right, r))*(torch.minimum(top, t) + torch.minimum(bottom, b))
        outer = (left + right)*(top + bottom) + (l + r)*(t + b) - inner
        objects = there_true.sum((1, 2)) + 1
        places = 5*there_true*(1 - inner/(outer + 1e-7)) + (there_true[..., None]*(F.softplus(kind) - kind_true*kind)).sum(-1)
        return (places.sum((1, 2))/objects).mean() + (F.softplus(there) - there_true*there).mean()

    def loss(self, image, *truth):
        return sum(self.of_grid(said, t) for said, t in zip(self(image), truth))

    def data(self, count):
        return [images(count, self.size)] + [torch.rand(count, self.size//k, self.size//k, 5 + self.classes, device="cuda") for k in (8, 16, 32)]

    def optimizer(self):
        return torch.optim.SGD(self.parameters(), 0.01, momentum=0.937, nesterov=True, weight_decay=5e-4, fused=True)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norms, self.heads = nn.ModuleList(nn.LayerNorm(width) for _ in range(2)), heads
        self.qkv, self.out = nn.Linear(width, 3*width), nn.Linear(width, width)
        self.wide = nn.Sequential(nn.Linear(width, 4*width), nn.GELU(), nn.Linear(4*width, width))

    def forward(self, x):
        q, k, v = self.qkv(self.norms[0](x)).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        x = x + self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return x + self.wide(self.norms[1](x))


def waves(places, width):
    angle = torch.arange(places)[:, None]/10000**(torch.arange(width//2)*2/width)
    return torch.cat([angle.sin(), angle.cos()], 1)


class Mae(nn.Module):
    """Patches of which the encoder sees a quarter, and the decoder tells the rest."""
    def __init__(self, size=224, patch=16, width=384, depth=12, heads=6, inner=192, inner_depth=4, share=0.75):
        super().__init__()
        self.size, self.patch, self.places = size, patch, (size//patch)**2
        self.kept = int(self.places*(1 - share))
        self.patches, self.narrow, self.last = nn.Linear(3*patch**2, width), nn.Linear(width, inner), nn.Linear(inner, 3*patch**2)
        self.encoder = nn.Sequential(*(Block(width, heads) for _ in range(depth)), nn.LayerNorm(width))
        self.decoder = nn.Sequential(*(Block(inner, 6) for _ in range(inner_depth)), nn.LayerNorm(inner))
        self.cls, self.hidden = nn.Parameter(0.02*torch.randn(1, 1, width)), nn.Parameter(0.02*torch.randn(1, 1, inner))
        self.register_buffer("place", waves(self.places, width))
        self.register_buffer("inner_place", waves(self.places, inner))

    def loss(self, image):
        n, p, side = len(image), self.patch, self.size//self.patch
        patches = image.unflatten(2, (side, p)).unflatten(4, (side, p)).permute(0, 2, 4, 3, 5, 1).reshape(n, self.places, -1)
        order = torch.rand(n, self.places, device=image.device).argsort(1)
        rank = order.argsort(1)
        x = self.patches(patches) + self.place
        x = x.gather(1, order[:, :self.kept, None].expand(-1, -1, x.shape[2]))
        y = self.narrow(self.encoder(torch.cat([self.cls.expand(n, -1, -1).to(x.dtype), x], 1)))
        z = torch.cat([y[:, 1:], self.hidden.expand(n, self.places - self.kept, -1).to(y.dtype)], 1)
        z = z.gather(1, rank[..., None].expand(-1, -1, z.shape[2])) + self.inner_place
        guess = self.last(self.decoder(torch.cat([y[:, :1], z], 1))[:, 1:])
        masked = (rank >= self.kept).float()
        wrong = (guess.float() - F.layer_norm(patches, patches.shape[-1:], eps=1e-6)).square().mean(-1)
        return (wrong*masked).sum()/masked.sum()

    def data(self, count):
        return [images(count, self.size)]

    def optimizer(self):
        return torch.optim.AdamW(self.parameters(), 0.00015, (0.9, 0.95), weight_decay=0.05, fused=True, capturable=True)


NETWORKS = {"deeplab": (DeepLab, 16), "yolo": (Yolo, 16), "mae": (Mae, 128)}


def main():
    make, batch = NETWORKS[sys.argv[1]]
    batch = int(sys.argv[2]) if len(sys.argv) > 2 else batch
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = torch.backends.cudnn.benchmark = True
    torch.manual_seed(0)
    net = make().cuda().to(memory_format=torch.channels_last)

    @torch.compile
    def loss_of(*data):
        with torch.autocast("cuda", torch.bfloat16):
            return net.loss(*data)

    print_training(sys.argv[1], net, net.optimizer(), loss_of, net.data(2*batch), batch)


if __name__ == "__main__":
    main()
