#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A model of nnc inside a Python program, with nothing but ctypes: trains it on drawn bars and asks it what it sees.

    nnc MODELS/mnist_cnn.net --emit=lib -o libmnist_cnn
    ./bars.py ./libmnist_cnn.so
"""
import ctypes
import os
import random
import sys

SIDE, CLASSES, BATCH, STEPS = 28, 10, 128, 60  # the batch is MNIST_CNN_BATCH of the header


class Model:
    """The six functions, with an exception for each error text."""

    def __init__(self, library, seed=0):
        self.library, self.handle = ctypes.CDLL(os.path.abspath(library)), ctypes.c_void_p()
        for name in ("create", "load", "save", "forward", "train_step"):
            getattr(self.library, "mnist_cnn_" + name).restype = ctypes.c_char_p
        self.call("create", ctypes.byref(self.handle), ctypes.c_uint64(seed))

    def call(self, name, *arguments):
        error = getattr(self.library, "mnist_cnn_" + name)(*arguments)
        if error:
            raise RuntimeError(error.decode())

    def load(self, path):
        self.call("load", self.handle, path.encode())

    def save(self, path):
        self.call("save", self.handle, path.encode())

    def train_step(self, images, digits, rate):
        loss, accuracy = ctypes.c_double(), ctypes.c_double()
        self.call("train_step", self.handle, images, (ctypes.c_int32 * len(digits))(*digits), ctypes.c_double(rate),
                  ctypes.byref(loss), ctypes.byref(accuracy))
        return loss.value, accuracy.value

    def forward(self, images, count):
        logits = (ctypes.c_float * (count * CLASSES))()
        self.call("forward", self.handle, ctypes.c_int64(count), images, logits)
        return [logits[i * CLASSES:(i + 1) * CLASSES] for i in range(count)]

    def close(self):
        self.library.mnist_cnn_free(self.handle)
        self.handle = ctypes.c_void_p()


def draw(numbers, count):
    """Class k: two bright rows at 2k + 4, beside noise."""
    images, digits = bytearray(), []
    for _ in range(count):
        digit = numbers.randrange(CLASSES)
        image = bytearray(b & 63 for b in numbers.randbytes(SIDE * SIDE))
        image[(2 * digit + 4) * SIDE:(2 * digit + 6) * SIDE] = b"\xff" * (2 * SIDE)
        images += image
        digits.append(digit)
    return bytes(images), digits


def main():
    model, numbers = Model(sys.argv[1] if len(sys.argv) > 1 else "./libmnist_cnn.so"), random.Random(1)
    for _ in range(STEPS):
        loss, accuracy = model.train_step(*draw(numbers, BATCH), 0.003)
    print(f"after {STEPS} steps: loss {loss:.3f}, accuracy {accuracy:.2f}")
    images, digits = draw(numbers, 50)
    right = sum(row.index(max(row)) == digit for row, digit in zip(model.forward(images, 50), digits))
    print(f"asked: {right} of 50 right")
    try:
        model.load("nowhere.safetensors")
    except RuntimeError as error:
        print(f"an error is a text: {error}")
    model.close()


main()
