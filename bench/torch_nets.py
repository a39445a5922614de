# SPDX-License-Identifier: MIT
"""The networks of models/*.net in PyTorch, for the peers of bench/. NETWORKS has those on images: a function of the number of
classes and of the side of the images. They take floats that are normalised already."""
import torch
import torch.nn.functional as F
from torch import nn


def conv_bn(channels, filters, size, stride=1, batchnorm=True, ends_branch=False):
    conv = nn.Conv2d(channels, filters, size, stride, size // 2, bias=False)
    conv.begins_as_zeros = ends_branch and not batchnorm
    return nn.Sequential(conv, nn.BatchNorm2d(filters)) if batchnorm else conv


class Residual(nn.Module):
    """A body, to which the input is added: as it is, or through a convolution where its shape changes."""
    def __init__(self, body, channels, filters, stride, batchnorm=True):
        super().__init__()
        self.body = body
        same = stride == 1 and channels == filters
        self.shortcut = nn.Identity() if same else conv_bn(channels, filters, 1, stride, batchnorm)

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x), inplace=True)


def basic(channels, width, stride, batchnorm):
    body = nn.Sequential(conv_bn(channels, width, 3, stride, batchnorm), nn.ReLU(True),
                         conv_bn(width, width, 3, 1, batchnorm, ends_branch=True))
    return Residual(body, channels, width, stride, batchnorm)


def bottleneck(channels, width, stride, batchnorm):
    body = nn.Sequential(conv_bn(channels, width, 1, 1, batchnorm), nn.ReLU(True),
                         conv_bn(width, width, 3, stride, batchnorm), nn.ReLU(True),
                         conv_bn(width, 4 * width, 1, 1, batchnorm, ends_branch=True))
    return Residual(body, channels, 4 * width, stride, batchnorm)


class Preactivated(nn.Module):
    """Normalisation and ReLU first; where the shape changes, the shortcut begins after them."""
    def __init__(self, channels, width, stride):
        super().__init__()
        self.first = nn.Sequential(nn.BatchNorm2d(channels), nn.ReLU(True))
        self.body = nn.Sequential(conv_bn(channels, width, 1), nn.ReLU(True), conv_bn(width, width, 3, stride), nn.ReLU(True),
                                  nn.Conv2d(width, 4 * width, 1, bias=False))
        same = stride == 1 and channels == 4 * width
        self.shortcut = None if same else nn.Conv2d(channels, 4 * width, 1, stride, bias=False)

    def forward(self, x):
        a = self.first(x)
        return self.body(a) + (self.shortcut(a) if self.shortcut else x)


RESNETS = {18: (basic, [2, 2, 2, 2]), 34: (basic, [3, 4, 6, 3]), 50: (bottleneck, [3, 4, 6, 3]), 101: (bottleneck, [3, 4, 23, 3]),
           152: (bottleneck, [3, 8, 36, 3])}


def resnet(depth, classes, batchnorm=True):
    block, counts = RESNETS[depth]
    layers, channels = [conv_bn(3, 64, 7, 2, batchnorm), nn.ReLU(True), nn.MaxPool2d(3, 2, 1)], 64
    for stage, count in enumerate(counts):
        width = 64 * 2**stage
        for i in range(count):
            layers.append(block(channels, width, 2 if stage > 0 and i == 0 else 1, batchnorm))
            channels = width if block is basic else 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes))


def resnet200(classes):
    layers, channels = [conv_bn(3, 64, 7, 2), nn.ReLU(True), nn.MaxPool2d(3, 2, 1)], 64
    for width, count, stride in [(64, 3, 1), (128, 24, 2), (256, 36, 2), (512, 3, 2)]:
        for i in range(count):
            layers.append(Preactivated(channels, width, stride if i == 0 else 1))
            channels = 4 * width
    return nn.Sequential(*layers, nn.BatchNorm2d(channels), nn.ReLU(True), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(channels, classes))


def classified(features, classes, size, hidden=4096, drop=0.5):
    """Features, and after them two hidden layers and the classes."""
    features = nn.Sequential(*features, nn.Flatten())
    with torch.no_grad():
        count = features(torch.zeros(1, 3, size, size)).shape[1]
    return nn.Sequential(features, nn.Linear(count, hidden), nn.ReLU(True), nn.Dropout(drop), nn.Linear(hidden, hidden),
                         nn.ReLU(True), nn.Dropout(drop), nn.Linear(hidden, classes))


def alexnet(classes, size):
    def pool():
        return nn.MaxPool2d(3, 2, ceil_mode=True)

    def lrn():
        return nn.LocalResponseNorm(5, alpha=1e-4, beta=0.75, k=1.0)
    first = nn.Conv2d(3, 96, 5, padding=2) if size < 64 else nn.Conv2d(3, 96, 11, 4)
    return classified([first, nn.ReLU(True), lrn(), pool(), nn.Conv2d(96, 256, 5, padding=2, groups=2), nn.ReLU(True), lrn(), pool(),
                       nn.Conv2d(256, 384, 3, padding=1), nn.ReLU(True), nn.Conv2d(384, 384, 3, padding=1, groups=2), nn.ReLU(True),
                       nn.Conv2d(384, 256, 3, padding=1, groups=2), nn.ReLU(True), pool()], classes, size)


def vgg(depth, classes, size):
    more, channels, layers = 3 if depth == 16 else 4, 3, []
    for filters, count in [(64, 2), (128, 2), (256, more), (512, more), (512, more)]:
        for _ in range(count):
            layers += [nn.Conv2d(channels, filters, 3, padding=1), nn.ReLU(True)]
            channels = filters
        layers.append(nn.MaxPool2d(2))
    return classified(layers, classes, size)


def conv_relu(channels, filters, size, stride=1):
    return nn.Sequential(nn.Conv2d(channels, filters, size, stride, size // 2, bias=False), nn.BatchNorm2d(filters, eps=1e-3),
                         nn.ReLU(True))


class Inception(nn.Module):
    """With batchnorm the 5x5 of the paper is a 3x3."""
    def __init__(self, channels, one, to_three, three, to_five, five, pool):
        super().__init__()
        self.branches = nn.ModuleList([
            conv_relu(channels, one, 1), nn.Sequential(conv_relu(channels, to_three, 1), conv_relu(to_three, three, 3)),
            nn.Sequential(conv_relu(channels, to_five, 1), conv_relu(to_five, five, 3)),
            nn.Sequential(nn.MaxPool2d(3, 1, 1), conv_relu(channels, pool, 1))])

    def forward(self, x):
        return torch.cat([branch(x) for branch in self.branches], 1)


def inception_v1(classes):
    layers = [conv_relu(3, 64, 7, 2), nn.MaxPool2d(3, 2, ceil_mode=True), conv_relu(64, 64, 1), conv_relu(64, 192, 3),
              nn.MaxPool2d(3, 2, ceil_mode=True)]
    channels = 192
    for rows, pool in [([(64, 96, 128, 16, 32, 32), (128, 128, 192, 32, 96, 64)], 3),
                       ([(192, 96, 208, 16, 48, 64), (160, 112, 224, 24, 64, 64), (128, 128, 256, 24, 64, 64),
                         (112, 144, 288, 32, 64, 64), (256, 160, 320, 32, 128, 128)], 2),
                       ([(256, 160, 320, 32, 128, 128), (384, 192, 384, 48, 128, 128)], 0)]:
        for row in rows:
            layers.append(Inception(channels, *row))
            channels = row[0] + row[2] + row[4] + row[5]
        if pool:
            layers.append(nn.MaxPool2d(pool, 2, ceil_mode=True))
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.4), nn.Linear(channels, classes))


NETWORKS = {
    "alexnet": alexnet,
    "inception_v1": lambda classes, size: inception_v1(classes),
    "vgg16": lambda classes, size: vgg(16, classes, size),
    "vgg19": lambda classes, size: vgg(19, classes, size),
    "resnet200": lambda classes, size: resnet200(classes),
    "resnet18_nobn": lambda classes, size: resnet(18, classes, batchnorm=False),
}
NETWORKS.update({f"resnet{depth}": lambda classes, size, depth=depth: resnet(depth, classes) for depth in RESNETS})


@torch.no_grad()
def begin_residual(net):
    """Initial weights as in models/resnet.net: convolutions kaiming_normal by fan-in, but those that end a branch without batchnorm
    zeros; the dense layer PyTorch's default."""
    for m in net.modules():
        if isinstance(m, nn.Conv2d) and getattr(m, "begins_as_zeros", False):
            m.weight.zero_()
        elif isinstance(m, nn.Conv2d):
            nn.init.kaiming_normal_(m.weight, mode="fan_in", nonlinearity="relu")
        elif isinstance(m, (nn.Linear, nn.BatchNorm2d)):
            m.reset_parameters()


def parameters_of(net):
    return sum(p.numel() for p in net.parameters())


def mnist_cnn():
    return nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(3136, 10))


def mlp():
    return nn.Sequential(nn.Linear(1000, 1000), nn.Tanh(), nn.Linear(1000, 1))
