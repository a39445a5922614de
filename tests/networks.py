# SPDX-License-Identifier: MIT
"""The image networks of models/, for the tests that go through all of them: how many parameters each has, and what makes it small.

A row is a file, or one of its variants: the words of -D that give it, its parameters at 1000 classes, and the words that make it
small enough to be built and run in seconds, all of one batch of 8. `deep` ones are compared with wider tolerances, and begin from
weights that do not magnify rounding (witness/formula.py, `gentle`)."""
import glob
import os
from collections import namedtuple

from verdict import ROOT

Network = namedtuple("Network", "model arguments parameters small deep")


def define(**values):
    return [word for name, value in values.items() for word in ("-D", f"{name}={str(value).lower()}")]


BATCH = 8
NARROW, PLAIN = define(narrow=8), define(batchnorm=False)
NO_DROPS = define(drop=0.0, drop_heads=0.0)  # PyTorch draws other masks
RESNET = define(width=8, size=64)
VGG = define(width=8, hidden=32, drop=0.0)
NETWORKS = {
    "alexnet": Network("alexnet", [], 60_965_224, define(narrow=16, drop=0.0), False),
    "inception_v1": Network("inception_v1", [], 6_624_904, define(narrow=8, size=64) + NO_DROPS, True),
    "inception_v1_heads": Network("inception_v1", define(heads=True), 13_004_888, None, True),
    "inception_v1_plain": Network("inception_v1", PLAIN, 6_998_552, None, True),
    # of images so large that the heads' pools are in it
    "inception_v1_caffe": Network("inception_v1", PLAIN + define(heads=True), 13_378_280, define(narrow=8, size=96) + NO_DROPS, True),
    "vgg16": Network("vgg16", [], 138_357_544, VGG, True),
    "vgg19": Network("vgg19", [], 143_667_240, VGG, True),
    "resnet18": Network("resnet18", [], 11_689_512, RESNET, True),
    "resnet18_nobn": Network("resnet18_nobn", [], 11_679_912, RESNET, True),
    "resnet34": Network("resnet34", [], 21_797_672, RESNET, True),
    "resnet50": Network("resnet50", [], 25_557_032, None, True),  # a witness in full width
    "resnet101": Network("resnet101", [], 44_549_160, RESNET, True),
    "resnet152": Network("resnet152", [], 60_192_808, RESNET, True),
    "resnet200": Network("resnet200", [], 64_666_280, RESNET, True),
    # Narrow, it magnifies rounding (its clips, and normalisations of few values): two steps of it are compared, in double.
    "mobilenet_v2": Network("mobilenet_v2", [], 3_504_872, None, True),
    "densenet121": Network("densenet121", [], 7_978_856, define(growth=8, size=64, counts="[2,2,2,2]"), True),
    "vit_tiny": Network("vit_tiny", [], 5_717_416, define(size=32, patch=8, width=24, depth=2) +
                        ["--set", "optimizer=sgd(momentum = 0.9, nesterov = true, decay = 5e-4)"], False),
}
# Others whose parameters are counted: how many, and their recipes.
COUNTED = {
    "cifar_speedrun": (1_972_792, ["cifar_speedrun"]),
    "gpt": (842_496, ["chars", "bytes"]),
    "gpt2": (124_439_808, ["chars", "bytes"]),
    "unet": (31_037_698, ["unet"]),
    "lstm_digits": (82_186, ["lstm_digits"]),
    "vae": (652_824, ["vae"]),
    "dcgan": (898_304, ["dcgan"]),
    "siamese": (21_456, ["siamese"]),
}
OTHERS = ["mnist_cnn", "rosenbrock_mlp", "witness_net", "resnet", "vgg"]  # the last two are what theirs are made of


def source(name):
    return os.path.join(ROOT, "models", name + ".net")


def small_options(name):
    """nnc's words for the small network `name`."""
    n = NETWORKS[name]
    return ["--recipe", "cifar10", *n.arguments, *n.small, "--set", f"batch={BATCH}"]


def missing():
    """Files of models/ that no row names."""
    names = {os.path.basename(path).removesuffix(".net") for path in glob.glob(os.path.join(ROOT, "models", "*.net"))}
    return names - {n.model for n in NETWORKS.values()} - set(COUNTED) - set(OTHERS)
