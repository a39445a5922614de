#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The networks of this folder that read tables and sets, in PyTorch: tables.py NAME [BATCH]

The whole training step in bf16, samples a second, as of texts.py.
"""
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from torch_capture import print_training


def mlp(first, *widths):
    layers = []
    for a, b in zip((first, *widths), widths):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers)


class Dlrm(nn.Module):
    """What is a number, [batch, 13], and an index for each table; the loss is by the target, 0 or 1."""
    counts = (100000, 50000, 20000, 10000, 5000, 2000, 500, 100, 24, 10)

    def __init__(self, width=32):
        super().__init__()
        self.bottom = mlp(13, 512, 256, width)
        self.tables = nn.ModuleList(nn.Embedding(count, width) for count in self.counts)
        for table in self.tables:
            nn.init.uniform_(table.weight, -table.num_embeddings**-0.5, table.num_embeddings**-0.5)
        rows = len(self.counts) + 1
        self.top, self.last = mlp(width + rows*(rows - 1)//2, 512, 256), nn.Linear(256, 1)
        left = torch.tril_indices(rows, rows, -1)
        self.register_buffer("left", left[0]*rows + left[1])

    def forward(self, numbers, kinds):
        bottom = self.bottom(numbers)
        rows = torch.stack([bottom] + [table(kinds[:, i]).to(bottom.dtype) for i, table in enumerate(self.tables)], 1)
        dots = torch.bmm(rows, rows.transpose(1, 2)).flatten(1).index_select(1, self.left)
        return self.last(self.top(torch.cat((bottom, dots), 1)))

    def loss(self, numbers, kinds, clicked):
        return F.binary_cross_entropy_with_logits(self(numbers, kinds).float(), clicked)

    def data(self, count):
        kinds = torch.stack([torch.randint(n, (count,), device="cuda") for n in self.counts], 1)
        return [torch.rand(count, 13, device="cuda"), kinds, torch.rand(count, 1, device="cuda").round()]

    def optimizer(self):
        return torch.optim.SGD(self.parameters(), 0.1, fused=True)


class Dcn(nn.Module):
    """All tables are one, at an offset for each field."""
    counts = (20000,)*26

    def __init__(self, width=16):
        super().__init__()
        self.table, inputs = nn.Embedding(sum(self.counts), width), 13 + len(self.counts)*width
        nn.init.normal_(self.table.weight, std=0.01)
        self.crosses, self.deep = nn.ModuleList(nn.Linear(inputs, inputs) for _ in range(3)), mlp(inputs, 768, 768)
        self.last = nn.Linear(inputs + 768, 1)
        self.register_buffer("first", torch.tensor((0,) + self.counts[:-1]).cumsum(0))

    def forward(self, numbers, kinds):
        x = torch.cat((numbers, self.table(kinds + self.first).flatten(1)), 1).to(torch.bfloat16)
        crossed = x
        for layer in self.crosses:
            crossed = x*layer(crossed) + crossed
        return self.last(torch.cat((crossed, self.deep(x)), 1))

    def loss(self, numbers, kinds, clicked):
        return F.binary_cross_entropy_with_logits(self(numbers, kinds).float(), clicked)

    def data(self, count):
        kinds = torch.stack([torch.randint(n, (count,), device="cuda") for n in self.counts], 1)
        return [torch.rand(count, 13, device="cuda"), kinds, torch.rand(count, 1, device="cuda").round()]

    def optimizer(self):
        return torch.optim.Adam(self.parameters(), 0.001, fused=True, capturable=True)


class Ensemble(nn.Module):
    """A batched product for each layer of all members."""
    def __init__(self, members=32, features=64, width=128):
        super().__init__()
        sizes = (features, width, width, width, 2)
        self.weights, self.biases = nn.ParameterList(), nn.ParameterList()
        for a, b in zip(sizes, sizes[1:]):
            self.weights.append(nn.init.uniform_(torch.empty(members, a, b), -a**-0.5, a**-0.5))
            self.biases.append(nn.init.uniform_(torch.empty(members, 1, b), -a**-0.5, a**-0.5))
        self.members = members

    def forward(self, x):
        x = x.expand(self.members, -1, -1)
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases)):
            x = torch.bmm(F.relu(x) if i else x, weight) + bias.to(torch.bfloat16)
        return x.float().unbind(-1)

    def loss(self, x, y):
        mean, raw = self(x)
        variance = F.softplus(raw) + 1e-6
        return 0.5*(variance.log() + (mean - y[:, 0])**2/variance).sum(0).mean()

    def data(self, count):
        return [torch.rand(count, 64, device="cuda"), torch.rand(count, 1, device="cuda")]

    def optimizer(self):
        return torch.optim.Adam(self.parameters(), 0.001, fused=True, capturable=True)


class Points(nn.Module):
    """A layer of each point and its normalisation over all points of the batch."""
    def __init__(self, inputs, width):
        super().__init__()
        self.dense, self.norm = nn.Linear(inputs, width, bias=False), nn.BatchNorm1d(width)

    def forward(self, x):
        return F.relu(self.norm(self.dense(x).flatten(0, 1))).unflatten(0, x.shape[:2])


def of_all(width, drop=0.0):
    return [nn.Linear(2*width, width), *([nn.Dropout(drop)] if drop else []), nn.BatchNorm1d(width), nn.ReLU()]


class Transform(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.points, self.size = nn.Sequential(Points(size, 64), Points(64, 128), Points(128, 1024)), size
        self.rest = nn.Sequential(*of_all(512), *of_all(256), nn.Linear(256, size*size))
        nn.init.zeros_(self.rest[-1].weight)

    def forward(self, x):
        y = self.rest(self.points(x).amax(1)).unflatten(1, (self.size, self.size))
        return y + torch.eye(self.size, device=x.device)


class PointNet(nn.Module):
    def __init__(self, classes=40):
        super().__init__()
        self.turns = nn.ModuleList(Transform(size) for size in (3, 64))
        self.first, self.second = nn.Sequential(Points(3, 64), Points(64, 64)), nn.Sequential(Points(64, 64), Points(64, 128), Points(128, 1024))
        self.head = nn.Sequential(*of_all(512), *of_all(256, 0.3), nn.Linear(256, classes))

    def forward(self, cloud):
        x = self.first(torch.bmm(cloud, self.turns[0](cloud)))
        turn = self.turns[1](x)
        off = torch.bmm(turn, turn.transpose(1, 2)) - torch.eye(64, device=x.device)
        return self.head(self.second(torch.bmm(x, turn)).amax(1)), off.float().square().sum((1, 2)).mean()

    def loss(self, cloud, shape):
        logits, off = self(cloud)
        return F.cross_entropy(logits, shape) + 0.001*off

    def data(self, count):
        return [torch.rand(count, 1024, 3, device="cuda"), torch.randint(40, (count,), device="cuda")]

    def optimizer(self):
        return torch.optim.Adam(self.parameters(), 0.001, fused=True, capturable=True)


NETWORKS = {"dlrm": (Dlrm, 2048), "pointnet": (PointNet, 32), "dcn": (Dcn, 4096), "ensemble": (Ensemble, 1024)}
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
