#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures as somebody may have them: own_pictures.py FOLDER

FOLDER/PICTURES has the classes `circle` and `square`, sixty PNGs each of 64x64 pixels, of any colours, places and sizes; FOLDER/rex.jpg is one more circle.
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import png

SIDE = 64


def drawn(chance, label):
    radius = chance.randint(8, 18)
    x, y = (chance.randint(radius + 2, SIDE - radius - 3) for _ in range(2))
    ground, figure = ([chance.randint(low, low + 100) for _ in range(3)] for low in (150, 0))

    def covers(i, j):
        return (i - y)**2 + (j - x)**2 <= radius**2 if label == "circle" else max(abs(i - y), abs(j - x)) <= radius
    return png([[c for j in range(SIDE) for c in (figure if covers(i, j) else ground)] for i in range(SIDE)], colour=2)


def main():
    chance = random.Random(3)
    files = {f"PICTURES/{label}/{i}.png": label for label in ("circle", "square") for i in range(60)}
    for name, label in {**files, "rex.jpg": "circle"}.items():
        path = os.path.join(sys.argv[1], name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(drawn(chance, label))


main()
