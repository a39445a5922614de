"""The networks of models/*.net in PyTorch, for the peers of bench/cpu, bench/gpu and bench/accuracy."""
import torch.nn.functional as F
from torch import nn


def conv_bn(channels, filters, size, stride=1):
    return nn.Sequential(nn.Conv2d(channels, filters, size, stride, size // 2, bias=False), nn.BatchNorm2d(filters))


class Bottleneck(nn.Module):
    def __init__(self, channels, width, stride):
        super().__init__()
        self.body = nn.Sequential(conv_bn(channels, width, 1), nn.ReLU(True), conv_bn(width, width, 3, stride), nn.ReLU(True),
                                  conv_bn(width, 4 * width, 1))
        same = stride == 1 and channels == 4 * width
        self.shortcut = nn.Identity() if same else conv_bn(channels, 4 * width, 1, stride)

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x), inplace=True)


def resnet50(classes):
    layers, channels = [conv_bn(3, 64, 7, 2), nn.ReLU(True), nn.MaxPool2d(3, 2, 1)], 64
    for width, count, stride in [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]:
        for i in range(count):
            layers.append(Bottleneck(channels, width, stride if i == 0 else 1))
            channels = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes))


def mnist_cnn():
    return nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(3136, 10))


def mlp():
    return nn.Sequential(nn.Linear(1000, 1000), nn.Tanh(), nn.Linear(1000, 1))
