#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mixup and cutmix against plain Python with the same draws: mixtures.py NNC

A sample's image is a mixture of its own and of the next sample's of the epoch, by a share that is drawn by (seed, epoch, sample); the loss is that
of the mixed labels, and so is its gradient. Neither batch nor workers matter.
"""
import math
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "witness"))
from formula import read_safetensors
from shared import npy, philox
from verdict import Verdict, build, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("mixtures")
COUNT, HEIGHT, WIDTH, CLASSES, SEED, STREAM = 24, 6, 9, 5, 11, 12
NET = """model mixed {
    input  x: u8[%d, %d, 1]
    target y: class[%d]
    z = x -> scale(1/255) -> flatten -> dense(%d)
    loss cross_entropy(z, y, smoothing = 0.1)
    output z
}
train mixed {
    data      npy
    augment   %s
    optimizer sgd(rate = 1e-30)
    batch     %d
    steps     1
    precision fp32
    seed      %d
}
"""
chance = random.Random(2)
IMAGES = [bytes(chance.randrange(256) for _ in range(HEIGHT * WIDTH)) for _ in range(COUNT)]
LABELS = [chance.randrange(CLASSES) for _ in range(COUNT)]


# ---- the draws

def beta(alpha, sample):
    for i in range(1, 65):
        u = [(word + 0.5) / 2**32 for word in philox(STREAM, SEED, i, sample)[:2]]
        x, y = (math.log(a) / alpha for a in u)
        if math.exp(x) + math.exp(y) <= 1:
            return math.exp(x) / (math.exp(x) + math.exp(y))
    raise SystemExit("no share")


def mixture(sample, mixup, cutmix):
    """The share of the sample and its mixed image, torchvision's MixUp and CutMix of one sample."""
    own, other, draw = IMAGES[sample], IMAGES[(sample + 1) % COUNT], philox(STREAM, SEED, 0, sample)
    if mixup and (not cutmix or draw[0] < 2**31):
        weight = round(beta(mixup, sample) * 65536)
        return weight / 65536, bytes((a * weight + b * (65536 - weight) + 32768) // 65536 for a, b in zip(own, other))
    half = 0.5 * math.sqrt(1 - beta(cutmix, sample))
    row, column = draw[1] * HEIGHT >> 32, draw[2] * WIDTH >> 32
    rows = range(max(row - int(half * HEIGHT), 0), min(row + int(half * HEIGHT), HEIGHT))
    columns = range(max(column - int(half * WIDTH), 0), min(column + int(half * WIDTH), WIDTH))
    image = bytearray(own)
    for y in rows:
        for x in columns:
            image[y * WIDTH + x] = other[y * WIDTH + x]
    return 1 - len(rows) * len(columns) / (HEIGHT * WIDTH), bytes(image)


# ---- the loss by mixed labels

def expected_loss(images, labels, weight, bias):
    """Mean cross-entropy with the wanted probabilities, and its gradient by the bias."""
    loss, gradient = 0, [0] * CLASSES
    for image, wanted in zip(images, labels):
        z = [sum(w * p / 255 for w, p in zip(weight[c * HEIGHT * WIDTH:(c + 1) * HEIGHT * WIDTH], image)) + bias[c] for c in range(CLASSES)]
        log_sum = math.log(sum(math.exp(x) for x in z))
        loss -= sum(q * (x - log_sum) for q, x in zip(wanted, z)) / len(images)
        for c in range(CLASSES):
            gradient[c] += (math.exp(z[c] - log_sum) - wanted[c]) / len(images)
    return loss, gradient


def smoothed(label):
    return [0.9 * (c == label) + 0.1 / CLASSES for c in range(CLASSES)]


def net(name, augment, batch=6):
    with open(v.path(name + ".net"), "w") as f:
        f.write(NET % (HEIGHT, WIDTH, CLASSES, CLASSES, augment, batch, SEED))
    return v.path(name + ".net")


def dumped(exe, *options):
    out = v.path("step.dump")
    if os.path.exists(out):
        os.remove(out)
    done = run([exe, "--data", v.path("data"), "--no-shuffle", "--no-eval", "--dump", out, *options])
    if not v.check(f"{os.path.basename(exe)} {' '.join(options)}: trains", done.returncode == 0, done.stderr):
        v.finish()
    with open(out, "rb") as f:
        data = f.read()
    return {name: values for name, (_, values) in read_safetensors(out).items()}, data


def images_of(x):
    return [bytes(x[k:k + HEIGHT * WIDTH]) for k in range(0, len(x), HEIGHT * WIDTH)]


def check_mixtures():
    for name, augment, mixup, cutmix in (("mixup", "mixup(0.4)", 0.4, 0), ("few", "mixup(0.01)", 0.01, 0), ("cutmix", "cutmix", 0, 1), ("both", "mixup(alpha = 1), cutmix(0.7)", 1, 0.7)):
        exe = build(v, nnc, net(name, augment), name)
        tensors, bytes_ = dumped(exe)
        wanted = [mixture(k, mixup, cutmix) for k in range(6)]
        images, shares = images_of(tensors["input.x"]), list(tensors["input.mixture.share"])
        v.check(f"{name}: shares", all(abs(a - b[0]) < 1e-6 for a, b in zip(shares, wanted)), (shares, [w[0] for w in wanted]))
        v.check(f"{name}: pixels", images == [w[1] for w in wanted])
        v.check(f"{name}: partners", list(tensors["input.y.partner"]) == LABELS[1:7] and list(tensors["input.y"]) == LABELS[:6])
        labels = [[s * a + (1 - s) * b for a, b in zip(smoothed(LABELS[k]), smoothed(LABELS[k + 1]))] for k, (s, _) in enumerate(wanted)]
        weight, bias = (next(t for n, t in tensors.items() if n.startswith("param.") and n.endswith(end)) for end in ("weight", "bias"))
        loss, gradient = expected_loss(images, labels, weight, bias)
        v.check(f"{name}: the loss of mixed labels", abs(loss - tensors["loss"][0]) < 1e-5 * loss, (loss, tensors["loss"]))
        moved = next(t for n, t in dumped(exe, "--rate", "1")[0].items() if n.startswith("param.") and n.endswith("bias"))
        v.check(f"{name}: and its gradient", all(abs(a - b - c) < 1e-6 for a, b, c in zip(bias, moved, gradient)), (list(bias), list(moved), gradient))
        v.check(f"{name}: workers do not matter", dumped(exe, "--workers", "3", "--stream")[1] == bytes_ == dumped(exe, "--workers", "0")[1])
        larger = dumped(build(v, nnc, net(name, augment, 12), name + "_12"))[0]
        v.check(f"{name}: nor does the batch", images_of(larger["input.x"])[:6] == images and list(larger["input.mixture.share"])[:6] == shares)
        plain = dumped(exe, "--no-augment")[0]
        v.check(f"{name}: none without augmentation", images_of(plain["input.x"]) == IMAGES[:6] and list(plain["input.mixture.share"]) == [1] * 6)


os.makedirs(v.path("data"))
npy(v.path("data", "train_x.npy"), "B", "|u1", (COUNT, HEIGHT, WIDTH, 1), b"".join(IMAGES))
npy(v.path("data", "train_y.npy"), "i", "<i4", (COUNT,), LABELS)
npy(v.path("data", "test_x.npy"), "B", "|u1", (COUNT, HEIGHT, WIDTH, 1), b"".join(IMAGES))
npy(v.path("data", "test_y.npy"), "i", "<i4", (COUNT,), LABELS)
check_mixtures()
v.finish()
