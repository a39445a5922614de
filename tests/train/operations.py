#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""trivial and randaugment against plain Python with the same draws: operations.py NNC

Each operation of torchvision's TrivialAugmentWide and RandAugment but sharpness, by Pillow's definitions of posterize, solarize, autocontrast and
equalize, in colour and grey, by any number of workers.
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
v = Verdict("operations")
COUNT, HEIGHT, WIDTH, SEED, STREAM = 96, 8, 11, 11, 13
NET = """model changed {
    input  x: u8[%d, %d, %d]
    target y: f32[1]
    loss mse(x -> scale(1/255) -> flatten -> dense(1), y)
}
train changed {
    data      npy
    augment   %s
    optimizer sgd(rate = 1e-30)
    batch     %d
    steps     1
    seed      %d
}
"""
NAMES = ("same", "shear_x", "shear_y", "move_x", "move_y", "rotate", "brightness", "colour", "contrast", "posterize", "solarize", "autocontrast", "equalize")
WIDE = {"shear_x": 0.99, "shear_y": 0.99, "move_x": 32, "move_y": 32, "rotate": 135, "brightness": 0.99, "colour": 0.99, "contrast": 0.99, "posterize": 6, "solarize": 255}
NARROW = {"shear_x": 0.3, "shear_y": 0.3, "move_x": 150 / 331 * WIDTH, "move_y": 150 / 331 * HEIGHT, "rotate": 30, "brightness": 0.9, "colour": 0.9,
          "contrast": 0.9, "posterize": 4, "solarize": 255}


def nearest(x):
    return math.floor(abs(x) + 0.5) * (1 if x >= 0 else -1)


def warped(image, channels, name, by):
    """Bilinear in 256ths of a pixel; where each place comes from."""
    angle = math.radians(by) if name == "rotate" else 0
    out = bytearray()
    for i in range(HEIGHT * WIDTH):
        y, x = i // WIDTH + 0.5 - HEIGHT / 2, i % WIDTH + 0.5 - WIDTH / 2
        if name == "rotate":
            y, x = math.cos(angle) * y - math.sin(angle) * x, math.sin(angle) * y + math.cos(angle) * x
        elif name == "shear_x":
            x += by * y
        elif name == "shear_y":
            y += by * x
        elif name == "move_x":
            x -= by
        else:
            y -= by
        row, column = nearest((y + HEIGHT / 2 - 0.5) * 256), nearest((x + WIDTH / 2 - 0.5) * 256)
        top, left, lower, right = row >> 8, column >> 8, row & 255, column & 255
        for c in range(channels):
            total = 1 << 15
            for down, across, weight in ((0, 0, (256 - lower) * (256 - right)), (0, 1, (256 - lower) * right), (1, 0, lower * (256 - right)), (1, 1, lower * right)):
                if 0 <= top + down < HEIGHT and 0 <= left + across < WIDTH:
                    total += weight * image[((top + down) * WIDTH + left + across) * channels + c]
            out.append(total >> 16)
    return bytes(out)


def grey(image, channels, i):
    pixel = image[i * channels:(i + 1) * channels]
    return pixel[0] if channels == 1 else (19595 * pixel[0] + 38470 * pixel[1] + 7471 * pixel[2] + 32768) >> 16


def recoloured(image, channels, name, by):
    factor, pixels = nearest((1 + by) * 65536), HEIGHT * WIDTH
    mean = (sum(grey(image, channels, i) for i in range(pixels)) + pixels // 2) // pixels
    middles = [0 if name == "brightness" else mean if name == "contrast" else grey(image, channels, i) for i in range(pixels)]
    if name == "colour" and channels == 1:
        return image
    return bytes(min(255, max(0, middles[k // channels] + (((p - middles[k // channels]) * factor + 32768) >> 16))) for k, p in enumerate(image))


def tabled(image, channels, name, by):
    out = bytearray(image)
    for c in range(channels):
        values = image[c::channels]
        counts = [values.count(i) for i in range(256)]
        table = list(range(256))
        if name == "posterize":
            table = [i & ~((1 << nearest(by)) - 1) for i in table]
        elif name == "solarize":
            table = [255 - i if i >= 255 - int(by) else i for i in table]
        elif name == "autocontrast" and max(values) > min(values):
            table = [max(0, min(255, (i - min(values)) * 255 // (max(values) - min(values)))) for i in table]
        elif name == "equalize":
            step = (len(values) - counts[max(values)]) // 255
            if step:
                table = [min(255, (step // 2 + sum(counts[:i])) // step) for i in table]
        out[c::channels] = bytes(table[p] for p in values)
    return bytes(out)


def changed(image, channels, sample, number, trivial, strength):
    draw = philox(STREAM, SEED, number, sample)
    name = NAMES[draw[0] * len(NAMES) >> 32]
    if trivial:
        strength = draw[1] * 31 >> 32
    by = (WIDE if trivial else NARROW).get(name, 0) * strength / 30
    if NAMES.index(name) < NAMES.index("posterize") and draw[2] >> 31:
        by = -by
    if name == "same":
        return image
    change = warped if NAMES.index(name) <= NAMES.index("rotate") else recoloured if name in ("brightness", "colour", "contrast") else tabled
    return change(image, channels, name, by)


def dumped(exe, *options):
    out = v.path("step.dump")
    if os.path.exists(out):
        os.remove(out)
    done = run([exe, "--data", v.path("data"), "--no-shuffle", "--no-eval", "--dump", out, *options])
    if not v.check(f"{os.path.basename(exe)} {' '.join(options)}: trains", done.returncode == 0, done.stderr):
        v.finish()
    x = read_safetensors(out)["input.x"][1]
    each = len(x) // COUNT
    return [bytes(x[k:k + each]) for k in range(0, len(x), each)]


os.makedirs(v.path("data"))
chance = random.Random(4)
for channels in (3, 1):
    # a narrow range of few values, so that autocontrast and equalize have something to do
    images = [bytes(chance.randrange(60 + k % 90, 100 + k % 150) for _ in range(HEIGHT * WIDTH * channels)) for k in range(COUNT)]
    for part in ("train", "test"):
        npy(v.path("data", part + "_x.npy"), "B", "|u1", (COUNT, HEIGHT, WIDTH, channels), b"".join(images))
        npy(v.path("data", part + "_y.npy"), "f", "<f4", (COUNT, 1), [0] * COUNT)
    for name, augment, trivial, count, strength in (("trivial", "trivial", True, 1, 0), ("several", "randaugment(3, 14)", False, 3, 14), ("plain", "randaugment", False, 2, 9)):
        name += f"_{channels}"
        with open(v.path(name + ".net"), "w") as f:
            f.write(NET % (HEIGHT, WIDTH, channels, augment, COUNT, SEED))
        exe = build(v, nnc, v.path(name + ".net"), name)
        wanted = images
        for number in range(count):
            wanted = [changed(image, channels, k, number if trivial else number + 1, trivial, strength) for k, image in enumerate(wanted)]
        got = dumped(exe)
        # a cosine may differ in its last bit from the C library's, and a pixel by 1 for that
        far = max(abs(a - b) for x, y in zip(got, wanted) for a, b in zip(x, y))
        same = sum(x == y for x, y in zip(got, wanted))
        drawn = {NAMES[philox(STREAM, SEED, 0 if trivial else 1, k)[0] * len(NAMES) >> 32] for k in range(COUNT)}
        v.check(f"{name}: the images", far <= 1 and same >= COUNT - 2, (far, same))
        v.check(f"{name}: every operation is among them", len(drawn) == len(NAMES), drawn)
        v.check(f"{name}: workers do not matter", dumped(exe, "--workers", "3", "--stream") == got == dumped(exe, "--workers", "0"))
        v.check(f"{name}: none without augmentation", dumped(exe, "--no-augment") == images)
v.finish()
