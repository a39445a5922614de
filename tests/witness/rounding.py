# SPDX-License-Identifier: MIT
"""What the CUDA target's arithmetics round, done to a network in PyTorch in double precision: the factors of convolutions and products,
forward and backward, and in 16 bits what convolutions give, which is stored. How far a network moves by that is what check.py may
ask of a GPU."""
import contextlib
import itertools

import torch
import torch.nn.functional as F

ARITHMETICS = {"tf32": (11, False), "bf16": (8, True), "fp16": (11, True)}  # bits of a significand; whether results are rounded
conv2d, conv_transpose2d, linear = F.conv2d, F.conv_transpose2d, F.linear


def to_nearest(x):
    return torch.round(x)


def by_chance(x):
    """Up or down, the more likely the nearer."""
    return torch.floor(x + torch.rand_like(x))


@contextlib.contextmanager
def arithmetic(name, whole=to_nearest):
    """`whole`: of a significand its integer."""
    bits, stored = ARITHMETICS[name]

    def rounded(x, bits):
        significand, exponent = torch.frexp(x)
        return torch.ldexp(whole(significand * 2.0 ** bits) / 2.0 ** bits, exponent)

    def result(y):
        return rounded(y, bits) if stored else y

    class Convolution(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w, *window):
            x, w = rounded(x, bits), rounded(w, bits)
            ctx.save_for_backward(x, w)
            ctx.window = window
            return result(conv2d(x, w, None, *window))

        @staticmethod
        def backward(ctx, dy):
            x, w = ctx.saved_tensors
            dy = rounded(dy, bits)
            dx = torch.nn.grad.conv2d_input(x.shape, w, dy, *ctx.window)
            return result(dx), torch.nn.grad.conv2d_weight(x, w.shape, dy, *ctx.window), None, None, None, None

    class Transposed(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w, stride, padding):
            x, w = rounded(x, bits), rounded(w, bits)
            ctx.save_for_backward(x, w)
            ctx.window = stride, padding
            return result(conv_transpose2d(x, w, None, stride, padding))

        @staticmethod
        def backward(ctx, dy):
            x, w = ctx.saved_tensors
            dy = rounded(dy, bits)
            return result(conv2d(dy, w, None, *ctx.window)), torch.nn.grad.conv2d_weight(dy, w.shape, x, *ctx.window), None, None

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            x, w = rounded(x, bits), rounded(w, bits)
            ctx.save_for_backward(x, w)
            return x @ w.t()

        @staticmethod
        def backward(ctx, dy):
            x, w = ctx.saved_tensors
            dy = rounded(dy, bits)
            return dy @ w, dy.flatten(0, -2).t() @ x.flatten(0, -2)

    def convolve(x, w, bias=None, *window):
        y = Convolution.apply(x, w, *window)
        return y if bias is None else y + bias.view(1, -1, 1, 1)

    def spread(x, w, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
        if any(n != 0 for n in output_padding) or groups != 1 or any(n != 1 for n in dilation):
            raise ValueError("a transposed convolution that is not rounded yet")
        y = Transposed.apply(x, w, stride, padding)
        return y if bias is None else y + bias.view(1, -1, 1, 1)

    def multiply(x, w, bias=None):
        y = Product.apply(x, w)
        return y if bias is None else y + bias
    F.conv2d, F.conv_transpose2d, F.linear = convolve, spread, multiply
    try:
        yield
    finally:
        F.conv2d, F.conv_transpose2d, F.linear = conv2d, conv_transpose2d, linear


def gradient_scale(parameters, name):
    """A bias in front of a normalisation has no gradient but rounding; one after it, and before another one, little."""
    weight = name.removesuffix("bias") + "weight" if name.endswith("batchnorm.bias") else name
    return max(parameters[name]["norm"], parameters[weight]["norm"], 1e-6)


def errors(got, exact):
    """Relative, as check.py takes them: of the logits, of the gradients, and of the losses the most that any has moved up to each step."""
    logits = max(abs(a - b) for a, b in zip(got["logits"], exact["logits"])) / max(abs(z) for z in exact["logits"])
    gradient = 0
    for name, wanted in exact["parameters"].items():
        found, scale = got["parameters"][name], gradient_scale(exact["parameters"], name)
        off = [abs(found["norm"] - wanted["norm"])] + [abs(a - b) for (_, a), (_, b) in zip(found["at"], wanted["at"])]
        gradient = max(gradient, max(off) / scale)
    losses = itertools.accumulate((abs(a / b - 1) for a, b in zip(got["losses"], exact["losses"])), max)
    return {"logits": short(logits), "gradient": short(gradient), "losses": [short(x) for x in losses]}


def short(value):
    return float(f"{value:.1e}")


def larger(a, b):
    """Of two results of errors()."""
    return {"logits": max(a["logits"], b["logits"]), "gradient": max(a["gradient"], b["gradient"]),
            "losses": [max(pair) for pair in zip(a["losses"], b["losses"])]}
