# SPDX-License-Identifier: MIT
"""The image networks of models/ in PyTorch, for make.py. Submodules are named as nnc names their parameters: by the call, with a
number from the second call of a name on."""
import torch
import torch.nn.functional as F
from torch import nn


class Named(nn.Module):
    """`self.own(name, module)` makes the next module of that name."""

    def own(self, name, module):
        count = sum(other == name or other.rpartition("_")[0] == name and other.rpartition("_")[2].isdigit() for other, _ in self.named_children())
        self.add_module(f"{name}_{count + 1}" if count else name, module)
        return module

    def chain(self, name, modules):
        return [self.own(name, module) for module in modules]


def flat(x):
    """In nnc's order: channels last."""
    return x.permute(0, 2, 3, 1).reshape(x.shape[0], -1)


def normalized(image):
    mean = torch.tensor([0.485, 0.456, 0.406]).view(1, 3, 1, 1)
    std = torch.tensor([0.229, 0.224, 0.225]).view(1, 3, 1, 1)
    return (image / 255 - mean) / std


def pool(x, size=3):
    return F.max_pool2d(x, size, 2, ceil_mode=True)


class Hidden(Named):
    def __init__(self, features, units):
        super().__init__()
        self.own("dense", nn.Linear(features, units))

    def forward(self, x):
        return F.relu(self.dense(x))


# ---- residual networks

class ConvBn(Named):
    def __init__(self, channels, filters, size, stride=1, batchnorm=True):
        super().__init__()
        self.own("conv", nn.Conv2d(channels, filters, size, stride, size // 2, bias=False))
        if batchnorm:
            self.own("batchnorm", nn.BatchNorm2d(filters))

    def forward(self, x):
        y = self.conv(x)
        return self.batchnorm(y) if hasattr(self, "batchnorm") else y


class ConvBn6(Named):
    def __init__(self, channels, filters, size, stride=1, groups=1):
        super().__init__()
        self.own("conv", nn.Conv2d(channels, filters, size, stride, size // 2, groups=groups, bias=False))
        self.own("batchnorm", nn.BatchNorm2d(filters))

    def forward(self, x):
        return F.relu6(self.batchnorm(self.conv(x)))


class InvertedResidual(Named):
    def __init__(self, channels, filters, expand, stride):
        super().__init__()
        wide = expand * channels
        self.branch = [] if expand == 1 else [self.own("conv_bn6", ConvBn6(channels, wide, 1))]
        self.branch += [self.own("conv_bn6", ConvBn6(wide, wide, 3, stride, wide)), self.own("conv", nn.Conv2d(wide, filters, 1, bias=False)),
                        self.own("batchnorm", nn.BatchNorm2d(filters))]
        self.same = stride == 1 and channels == filters

    def forward(self, x):
        y = x
        for layer in self.branch:
            y = layer(y)
        return x + y if self.same else y


class MobileNetV2(Named):
    def __init__(self, width):
        super().__init__()
        self.layers, channels = [self.own("conv_bn6", ConvBn6(3, width, 3, 2))], width
        for expand, filters, count, stride in [(1, width // 2, 1, 1), (6, 3 * width // 4, 2, 2), (6, width, 3, 2), (6, 2 * width, 4, 2),
                                               (6, 3 * width, 3, 1), (6, 5 * width, 3, 2), (6, 10 * width, 1, 1)]:
            for i in range(count):
                self.layers.append(self.own("inverted_residual", InvertedResidual(channels, filters, expand, 1 if i else stride)))
                channels = filters
        self.layers.append(self.own("conv_bn6", ConvBn6(channels, 40 * width, 1)))
        self.own("dense", nn.Linear(40 * width, 10))

    def forward(self, image):
        x = normalized(image)
        for layer in self.layers:
            x = layer(x)
        return self.dense(x.mean((2, 3)))


class Residual(Named):
    """`basic` and `bottleneck`."""

    def __init__(self, channels, width, stride, deep, batchnorm):
        super().__init__()
        sizes = [(width, 1, 1), (width, 3, stride), (4 * width, 1, 1)] if deep else [(width, 3, stride), (width, 3, 1)]
        self.branch, inner = [], channels
        for filters, size, step in sizes:
            self.branch.append(self.own("conv_bn", ConvBn(inner, filters, size, step, batchnorm)))
            inner = filters
        same = stride == 1 and channels == inner
        self.shortcut = [] if same else [self.own("conv_bn", ConvBn(channels, inner, 1, stride, batchnorm))]

    def forward(self, x):
        y = x
        for conv in self.branch[:-1]:
            y = F.relu(conv(y))
        y = self.branch[-1](y)
        for conv in self.shortcut:
            x = conv(x)
        return F.relu(y + x)


class ResNet(Named):
    COUNTS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}

    def __init__(self, depth, width=64, classes=10, batchnorm=True):
        super().__init__()
        deep = depth >= 50
        self.own("conv_bn", ConvBn(3, width, 7, 2, batchnorm))
        channels, self.blocks = width, []
        for stage, count in enumerate(self.COUNTS[depth]):
            for i in range(count):
                wide = width << stage
                block = Residual(channels, wide, 2 if stage > 0 and i == 0 else 1, deep, batchnorm)
                self.blocks.append(self.own("bottleneck" if deep else "basic", block))
                channels = 4 * wide if deep else wide
        self.own("dense", nn.Linear(channels, classes))

    def forward(self, image):
        x = F.max_pool2d(F.relu(self.conv_bn(normalized(image))), 3, 2, 1)
        for block in self.blocks:
            x = block(x)
        return self.dense(x.mean((2, 3)))


class Preactivated(Named):
    def __init__(self, channels, width, stride):
        super().__init__()
        self.own("batchnorm", nn.BatchNorm2d(channels))
        self.own("conv_bn", ConvBn(channels, width, 1))
        self.own("conv_bn", ConvBn(width, width, 3, stride))
        self.own("conv", nn.Conv2d(width, 4 * width, 1, bias=False))
        if stride != 1 or channels != 4 * width:
            self.own("conv", nn.Conv2d(channels, 4 * width, 1, stride, bias=False))

    def forward(self, x):
        a = F.relu(self.batchnorm(x))
        y = self.conv(F.relu(self.conv_bn_2(F.relu(self.conv_bn(a)))))
        return y + (self.conv_2(a) if hasattr(self, "conv_2") else x)


class ResNet200(Named):
    def __init__(self, width, classes=10):
        super().__init__()
        self.own("conv_bn", ConvBn(3, width, 7, 2))
        channels, self.blocks = width, []
        for stage, count in enumerate((3, 24, 36, 3)):
            for i in range(count):
                wide = width << stage
                self.blocks.append(self.own("preactivated", Preactivated(channels, wide, 2 if stage > 0 and i == 0 else 1)))
                channels = 4 * wide
        self.own("batchnorm", nn.BatchNorm2d(channels))
        self.own("dense", nn.Linear(channels, classes))

    def forward(self, image):
        x = F.max_pool2d(F.relu(self.conv_bn(normalized(image))), 3, 2, 1)
        for block in self.blocks:
            x = block(x)
        return self.dense(F.relu(self.batchnorm(x)).mean((2, 3)))


# ---- networks of dense layers in the end

class AlexNet(Named):
    """For images of 32x32."""

    def __init__(self, narrow, classes=10):
        super().__init__()
        a, b, c, d, e, units = (n // narrow for n in (96, 256, 384, 384, 256, 4096))
        self.convs = self.chain("conv", [nn.Conv2d(3, a, 5, padding=2), nn.Conv2d(a, b, 5, padding=2, groups=2), nn.Conv2d(b, c, 3, padding=1),
                                         nn.Conv2d(c, d, 3, padding=1, groups=2), nn.Conv2d(d, e, 3, padding=1, groups=2)])
        self.hiddens = self.chain("hidden", [Hidden(4 * 4 * e, units), Hidden(units, units)])
        self.own("dense", nn.Linear(units, classes))

    def forward(self, image):
        x = normalized(image)
        for i, conv in enumerate(self.convs):
            x = F.relu(conv(x))
            x = pool(F.local_response_norm(x, 5, 1e-4, 0.75, 1.0)) if i < 2 else x
        x = flat(pool(x))
        for hidden in self.hiddens:
            x = hidden(x)
        return self.dense(x)


class Vgg(Named):
    """For images of 32x32."""

    def __init__(self, depth, width, units, classes=10):
        super().__init__()
        more, channels, self.stages = (depth - 7) // 3, 3, []
        for filters, count in ((width, 2), (2 * width, 2), (4 * width, more), (8 * width, more), (8 * width, more)):
            self.stages.append([])
            for _ in range(count):
                self.stages[-1].append(self.own("conv", nn.Conv2d(channels, filters, 3, padding=1)))
                channels = filters
        self.hiddens = self.chain("hidden", [Hidden(channels, units), Hidden(units, units)])
        self.own("dense", nn.Linear(units, classes))

    def forward(self, image):
        x = normalized(image)
        for stage in self.stages:
            for conv in stage:
                x = F.relu(conv(x))
            x = F.max_pool2d(x, 2)
        x = flat(x)
        for hidden in self.hiddens:
            x = hidden(x)
        return self.dense(x)


# ---- Inception-V1

class ConvRelu(Named):
    def __init__(self, channels, filters, size, stride=1, batchnorm=True):
        super().__init__()
        self.own("conv", nn.Conv2d(channels, filters, size, stride, size // 2, bias=not batchnorm))
        if batchnorm:
            self.own("batchnorm", nn.BatchNorm2d(filters, eps=1e-3))

    def forward(self, x):
        y = self.conv(x)
        return F.relu(self.batchnorm(y) if hasattr(self, "batchnorm") else y)


class Inception(Named):
    def __init__(self, channels, counts, batchnorm):
        super().__init__()
        one, to_three, three, to_five, five, pooled = counts
        sizes = [(channels, one, 1), (channels, to_three, 1), (to_three, three, 3), (channels, to_five, 1), (to_five, five, 3 if batchnorm else 5),
                 (channels, pooled, 1)]
        self.convs = self.chain("conv_relu", [ConvRelu(*size, 1, batchnorm) for size in sizes])

    def forward(self, x):
        one, to_three, three, to_five, five, pooled = self.convs
        return torch.cat([one(x), three(to_three(x)), five(to_five(x)), pooled(F.max_pool2d(x, 3, 1, 1))], 1)


class Head(Named):
    def __init__(self, channels, side, narrow, classes, batchnorm):
        super().__init__()
        self.side, filters, units = side, 128 // narrow, 1024 // narrow
        pooled = (side - 5) // 3 + 1 if side > 5 else side
        self.own("conv_relu", ConvRelu(channels, filters, 1, 1, batchnorm))
        self.own("hidden", Hidden(pooled * pooled * filters, units))
        self.own("dense", nn.Linear(units, classes))

    def forward(self, x):
        x = F.avg_pool2d(x, 5, 3) if self.side > 5 else x
        return self.dense(self.hidden(flat(self.conv_relu(x))))


class InceptionV1(Named):
    """Its result has the heads' scores after its own, where it has heads."""
    ROWS = {"3a": (64, 96, 128, 16, 32, 32), "3b": (128, 128, 192, 32, 96, 64), "4a": (192, 96, 208, 16, 48, 64), "4b": (160, 112, 224, 24, 64, 64),
            "4c": (128, 128, 256, 24, 64, 64), "4d": (112, 144, 288, 32, 64, 64), "4e": (256, 160, 320, 32, 128, 128),
            "5a": (256, 160, 320, 32, 128, 128), "5b": (384, 192, 384, 48, 128, 128)}

    def __init__(self, narrow, size, batchnorm=True, heads=False, classes=10):
        super().__init__()
        self.plain, wide = not batchnorm, [64 // narrow, 64 // narrow, 192 // narrow]
        self.stem = self.chain("conv_relu", [ConvRelu(3, wide[0], 7, 2, batchnorm), ConvRelu(wide[0], wide[1], 1, 1, batchnorm),
                                             ConvRelu(wide[1], wide[2], 3, 1, batchnorm)])
        channels, self.rows, self.heads = wide[2], {}, {}
        for row, counts in self.ROWS.items():
            counts = [n // narrow for n in counts]
            self.rows[row] = self.own("inception" + row, Inception(channels, counts, batchnorm))
            channels = counts[0] + counts[2] + counts[4] + counts[5]
            if heads and row in ("4a", "4d"):
                self.heads[row] = self.own("head", Head(channels, size // 16, narrow, classes, batchnorm))
        self.own("dense", nn.Linear(channels, classes))

    def lrn(self, x):
        return F.local_response_norm(x, 5, 1e-4, 0.75, 1.0) if self.plain else x

    def forward(self, image):
        first, second, third = self.stem
        x = self.lrn(pool(first(normalized(image))))
        x, sides = pool(self.lrn(third(second(x)))), []
        for row, block in self.rows.items():
            x = block(x)
            if row in self.heads:
                sides.append(self.heads[row](x))
            x = pool(x) if row == "3b" else pool(x, 3 if self.plain else 2) if row == "4e" else x
        return [self.dense(x.mean((2, 3))), *sides]


def inception_loss(scores, label):
    return F.cross_entropy(scores[0], label) + sum(0.3 * F.cross_entropy(side, label) for side in scores[1:])


# ---- densely connected

class DenseLayer(Named):
    def __init__(self, channels, growth):
        super().__init__()
        self.norms = self.chain("batchnorm", [nn.BatchNorm2d(channels), nn.BatchNorm2d(4 * growth)])
        self.convs = self.chain("conv", [nn.Conv2d(channels, 4 * growth, 1, bias=False), nn.Conv2d(4 * growth, growth, 3, padding=1, bias=False)])

    def forward(self, x):
        y = x
        for norm, conv in zip(self.norms, self.convs):
            y = conv(F.relu(norm(y)))
        return torch.cat([x, y], 1)


class Transition(Named):
    def __init__(self, channels):
        super().__init__()
        self.own("batchnorm", nn.BatchNorm2d(channels))
        self.own("conv", nn.Conv2d(channels, channels // 2, 1, bias=False))

    def forward(self, x):
        return F.avg_pool2d(self.conv(F.relu(self.batchnorm(x))), 2)


class DenseNet(Named):
    def __init__(self, growth, counts, classes=10):
        super().__init__()
        self.own("conv", nn.Conv2d(3, 2 * growth, 7, 2, 3, bias=False))
        self.own("batchnorm", nn.BatchNorm2d(2 * growth))
        channels, self.blocks = 2 * growth, []
        for i, count in enumerate(counts):
            if i > 0:
                self.blocks.append(self.own("transition", Transition(channels)))
                channels //= 2
            for _ in range(count):
                self.blocks.append(self.own("dense_layer", DenseLayer(channels, growth)))
                channels += growth
        self.last = self.own("batchnorm", nn.BatchNorm2d(channels))
        self.own("dense", nn.Linear(channels, classes))

    def forward(self, image):
        x = F.max_pool2d(F.relu(self.batchnorm(self.conv(normalized(image)))), 3, 2, 1)
        for block in self.blocks:
            x = block(x)
        return self.dense(F.relu(self.last(x)).mean((2, 3)))


# ---- transformers

class Transformer(nn.Module):
    """Built from PyTorch's own attention and layers."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = nn.ModuleDict({"qkv": nn.Linear(width, 3 * width), "out": nn.Linear(width, width)})
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, mask=None):
        qkv, out = self.attention["qkv"], self.attention["out"]
        y, _ = F.multi_head_attention_forward(*[self.norm1(x).transpose(0, 1)] * 3, x.shape[2], self.heads, qkv.weight, qkv.bias, None, None,
                                              False, 0.0, out.weight, out.bias, attn_mask=mask)
        x = x + y.transpose(0, 1)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class ViT(Named):
    def __init__(self, size, patch, width, depth, heads, classes=10):
        super().__init__()
        self.token = nn.Parameter(torch.empty(1, width))
        self.places = nn.Parameter(torch.empty((size // patch) ** 2 + 1, width))
        self.patches = nn.Conv2d(3, width, patch, patch)
        self.blocks = self.chain("transformer", [Transformer(width, heads) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, classes)

    def forward(self, image):
        x = self.patches(normalized(image)).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], 1, -1), x], 1) + self.places
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


# ---- a class for each pixel

class DoubleConv(Named):
    def __init__(self, channels, filters):
        super().__init__()
        self.convs = self.chain("conv", [nn.Conv2d(c, filters, 3, padding=1, bias=False) for c in (channels, filters)])
        self.norms = self.chain("batchnorm", [nn.BatchNorm2d(filters) for _ in range(2)])

    def forward(self, x):
        for conv, norm in zip(self.convs, self.norms):
            x = F.relu(norm(conv(x)))
        return x


class UNet(Named):
    def __init__(self, width, classes=2):
        super().__init__()
        wide = [width << i for i in range(5)]
        self.downs = self.chain("double_conv", [DoubleConv(a, b) for a, b in zip([3] + wide, wide)])
        self.ups = self.chain("conv_transpose", [nn.ConvTranspose2d(c, c // 2, 2, 2) for c in wide[:0:-1]])
        self.joins = self.chain("double_conv", [DoubleConv(c, c // 2) for c in wide[:0:-1]])
        self.own("conv", nn.Conv2d(width, classes, 1))

    def forward(self, image):
        """Scores [batch, classes, height, width]."""
        seen = [self.downs[0](image / 255)]
        for down in self.downs[1:]:
            seen.append(down(F.max_pool2d(seen[-1], 2)))
        x = seen.pop()
        for up, join in zip(self.ups, self.joins):
            x = join(torch.cat([seen.pop(), up(x)], 1))
        return self.conv(x)
