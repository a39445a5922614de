#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Folders of JPEG files for bench/loading: jpegs.py DIR COUNT [HEIGHT WIDTH]

DIR/train/{0..9}/ with COUNT files in all and DIR/test/{0..9}/ with a fiftieth of that, about HEIGHT x WIDTH (375 x 500), every sixth
upright: noise at five scales, the coarse ones strong as in photographs, at a quality at which a file has about the 110 kB
of ImageNet's. Equal calls make equal pixels. Needs NumPy and Pillow.
"""
import concurrent.futures
import os
import sys

import numpy
from PIL import Image

CLASSES, QUALITY = 10, 93
SCALES = ((3, 4, 70.0), (12, 16, 45.0), (48, 64, 28.0), (150, 200, 18.0))  # rows, columns, strength of a level


def picture(number, height, width):
    r = numpy.random.default_rng(number)
    pixels = numpy.full((height, width, 3), 118.0, numpy.float32)
    for rows, columns, strength in SCALES:
        noise = r.normal(0, strength, (rows, columns, 3)).clip(-127, 127)
        level = Image.fromarray((noise + 128).astype(numpy.uint8)).resize((width, height), Image.BICUBIC)
        pixels += numpy.asarray(level, numpy.float32) - 128
    pixels += r.normal(0, 6, pixels.shape)
    return Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8))


def write(job):
    path, number, height, width = job
    picture(number, height, width).save(path, quality=QUALITY)
    return os.path.getsize(path)


def make(folder, count, height=375, width=500):
    """Bytes of all files."""
    jobs = []
    for part, files, first in (("train", count, 0), ("test", max(count // 50, 1), 1 << 30)):
        for c in range(CLASSES):
            os.makedirs(os.path.join(folder, part, str(c)), exist_ok=True)
        for k in range(files):
            upright = k % 6 == 5
            size = (width, height) if upright else (height, width)
            jobs.append((os.path.join(folder, part, str(k % CLASSES), f"{k:05}.jpg"), first + k, *size))
    with concurrent.futures.ProcessPoolExecutor() as pool:
        return sum(pool.map(write, jobs, chunksize=16))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    print(f"{make(sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:])) / 1e6:.0f} MB")
