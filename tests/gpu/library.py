#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library form on a GPU: library.py NNC

Each network by `--emit=lib --target=cuda` against its own trainer: weights and states after three steps on the same samples, and what it
predicts. Networks of each kind of step: on chip, by cuDNN, with a transposed batch, in chunks, in fp16. Two instances in turns are what
each is alone; bars.c and bars.py learn.
"""
import ctypes
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "witness"))
from formula import read_safetensors
from verdict import ROOT, Verdict, build, json_lines, run

STEPS, RATE, ASKED = 3, 0.01, 300  # samples, or all that there are
CONVS = ("model convs {\n    input image: u8[16, 16, 8]\n    target kind: class[10]\n"
         "    logits = image -> scale(1/255) -> conv(64, 3, pad = 1) -> batchnorm -> relu -> conv(64, 3, pad = 1) -> relu\n"
         "                   -> avgpool(global) -> dense(10)\n    loss cross_entropy(logits, kind)\n    output logits\n}\n"
         "train convs {\n    optimizer sgd(rate = 0.01, momentum = 0.9)\n    batch 64\n    epochs 1\n}\n")
WIDE = ("model wide {\n    input x: f32[64]\n    target y: f32[1]\n    z = x -> dense(1024) -> relu -> dense(1)\n    loss mse(z, y)\n    output z\n}\n"
        "train wide {\n    optimizer adam(rate = 0.01)\n    batch 2048\n    epochs 1\n}\n")
CASES = {  # the network; its options; type and shape of a sample's input and target
    "mnist_cnn": (None, [], ("|u1", (28, 28, 1)), ("<i4", ()), 128),
    "convs": (CONVS, [], ("|u1", (16, 16, 8)), ("<i4", ()), 64),
    "convs_fp16": (CONVS, ["--set", "precision=fp16"], ("|u1", (16, 16, 8)), ("<i4", ()), 64),
    "wide": (WIDE, [], ("<f4", (64,)), ("<f4", (1,)), 2048),
    "wide_chunks": (WIDE, ["--set", "chunk=1024"], ("<f4", (64,)), ("<f4", (1,)), 2048),
}
nnc, v = os.path.abspath(sys.argv[1]), Verdict("library on a GPU")


def elements(shape):
    count = 1
    for n in shape:
        count *= n
    return count


def drawn(kind, shape, count):
    """Bytes of `count` samples from a formula."""
    n = elements(shape) * count
    if kind == "|u1":
        return bytes((i * i * 31 + (i >> 7) * 5) % 251 for i in range(n))
    if kind == "<i4":
        return struct.pack(f"<{n}i", *((i * 7) % 10 for i in range(n)))
    return struct.pack(f"<{n}f", *(((i * 37 + (i >> 6)) % 101) / 101 - 0.5 for i in range(n)))


def write_npy(path, kind, shape, data):
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data)


def tensors_of(path):
    return {name: values for name, (_, values) in read_safetensors(path).items()}


def apart(a, b):
    """The largest difference of two rows of floats, to the largest element."""
    most = max(map(abs, a), default=0)
    return max((abs(x - y) for x, y in zip(a, b)), default=0) / (most or 1)


class Instance:
    def __init__(self, lib, name, seed):
        self.lib, self.name, self.handle = lib, name, ctypes.c_void_p()
        self.call("create", ctypes.byref(self.handle), ctypes.c_uint64(seed), handle=False)

    def call(self, function, *arguments, handle=True):
        f = getattr(self.lib, f"{self.name}_{function}")
        f.restype = ctypes.c_char_p
        error = f(*([self.handle] if handle else []), *arguments)
        if error:
            raise RuntimeError(f"{function}: {error.decode()}")

    def train(self, x, y):
        loss = ctypes.c_double()
        others = [None] * (self.name == "mnist_cnn")
        self.call("train_step", x, y, ctypes.c_double(RATE), ctypes.byref(loss), *others)
        return loss.value

    def free(self):
        getattr(self.lib, f"{self.name}_free")(self.handle)


def check(name):
    text, options, x_kind, y_kind, batch = CASES[name]
    model = name.split("_")[0] if text else name
    source = v.path(name + ".net") if text else os.path.join(ROOT, "models", name + ".net")
    if text:
        with open(source, "w") as f:
            f.write(text)
    exe = build(v, nnc, source, "train_" + name, "--target=cuda", *options)
    done = run([nnc, source, "--target=cuda", "--emit=lib", "-o", v.path("lib" + name), *options])
    if not v.check(f"{name}: nnc --emit=lib", done.returncode == 0, done.stderr) or not exe:
        return
    samples = STEPS * batch
    x, y = (drawn(*kind, samples) for kind in (x_kind, y_kind))
    files = []
    for part, (kind, shape), data in (("x", x_kind, x), ("y", y_kind, y)):
        files.append(v.path(f"{name}.{part}.npy"))
        write_npy(files[-1], kind, (samples, *shape), data)
    data, kept, own = ",".join(files), v.path(name + ".st"), v.path(name + ".own.st")
    done = run([exe, "--data", data, "--holdout", "0", "--no-shuffle", "--no-augment", "--no-eval", "--steps", str(STEPS), "--seed", "4", "--rate", str(RATE),
                "--no-tune", "--checkpoint", kept, "--log", v.path(name + ".jsonl"), "--log-every", "1", "--quiet"])
    if not v.check(f"{name}: the trainer trains", done.returncode == 0, done.stderr):
        return
    lib = ctypes.CDLL(v.path(f"lib{name}.so"))
    a, b = (Instance(lib, model, seed) for seed in (4, 9))
    x_bytes, y_bytes = len(x) // STEPS, len(y) // STEPS
    rows = [(x[k * x_bytes:(k + 1) * x_bytes], y[k * y_bytes:(k + 1) * y_bytes]) for k in range(STEPS)]
    losses = [(a.train(*row), b.train(*row))[0] for row in rows]
    a.call("save", own.encode())
    logged = [line["loss"] for line in json_lines(v.path(name + ".jsonl")) if "loss" in line][:STEPS]
    v.check(f"{name}: the trainer's losses", apart(logged, losses) < 1e-5, f"{logged} {losses}")
    theirs, ours = tensors_of(kept), tensors_of(own)
    far = max(((apart(theirs[t], ours[t]), t) for t in theirs), default=(1, "none"))
    v.check(f"{name}: the trainer's weights and states", theirs.keys() == ours.keys() and far[0] < 1e-4, far)
    v.say(f"  {name}: furthest apart {far[0]:.1e} ({far[1]}), {'the same bits' if theirs == ours else 'other bits'}")
    again = Instance(lib, model, 4)
    again_losses = [again.train(*row) for row in rows]
    v.check(f"{name}: alone what it is beside another", apart(losses, again_losses) < 1e-5, f"{losses} {again_losses}")
    again.call("load", kept.encode())
    width = 1 if text == WIDE else 10
    asked = min(ASKED, samples)
    out = (ctypes.c_float * (asked * width))()
    targets = []
    again.call("forward", ctypes.c_int64(asked), x[:len(x) // samples * asked], *targets, out)
    done = run([exe, "predict", "--data", data, "--checkpoint", kept, "--no-tune", "--out", v.path(name + ".npy"), "--quiet"])
    if v.check(f"{name}: the trainer predicts", done.returncode == 0, done.stderr):
        with open(v.path(name + ".npy"), "rb") as f:
            said = f.read()
        floats = struct.unpack(f"<{asked * width}f", said[128:128 + 4 * asked * width]) if len(said) >= 128 + 4 * asked * width else ()
        v.check(f"{name}: the trainer's predictions", floats and apart(floats, list(out)) < 1e-5, f"{floats[:4]} {list(out)[:4]}")
    for instance in (a, b, again):
        instance.free()


def check_examples():
    examples = os.path.join(ROOT, "runtime", "library", "examples")
    done = run([nnc, os.path.join(ROOT, "models", "mnist_cnn.net"), "--target=cuda", "--emit=lib", "-o", v.path("libmnist_cnn")])
    v.check("bars: the library", done.returncode == 0, done.stderr)
    done = run(["cc", "-std=c11", "-I", v.folder, os.path.join(examples, "bars.c"), v.path("libmnist_cnn.a"), "-fopenmp", "-lz", "-lm", "-ldl", "-pthread",
                "-o", v.path("bars")])
    if v.check("bars.c builds", done.returncode == 0, done.stderr):
        done = run([v.path("bars"), v.path("bars.safetensors")])
        v.check("bars.c learns", done.returncode == 0 and "loaded again: 128 of 128 right" in done.stdout, done.stdout + done.stderr)
    done = run([sys.executable, os.path.join(examples, "bars.py"), v.path("libmnist_cnn.so")], cwd=v.folder)
    v.check("bars.py learns", done.returncode == 0 and "asked: 50 of 50 right" in done.stdout, done.stdout + done.stderr)


for case in CASES:
    try:
        check(case)
    except RuntimeError as e:
        v.check(case, False, e)
check_examples()
v.finish()
