#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels alone: repro.py NNC

Each kernel of a training step runs by itself and computes what it did when nnc tried it, and ahead of it all is touched
that a step touches; an edit that changes what it computes is seen; a folder with somebody's files is refused. Kernels for CUDA are compiled alone, and run where there is a GPU.
"""
import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, run, without_cuda

nnc = os.path.abspath(sys.argv[1])
v = Verdict("repro")
USAGE, NO_GPU = 2, 6


def model(name):
    return os.path.join(ROOT, "models", name + ".net")


def kernels(net, *options):
    """The names of the steps, which the page has."""
    path = v.path("steps.json")
    done = run([nnc, net, f"--explore={path}", *options])
    v.check(f"{os.path.basename(net)}: its steps", done.returncode == 0, done.stderr)
    with open(path, encoding="utf-8") as f:
        return list(dict.fromkeys(s["name"] for s in json.load(f)["steps"]))


def alone(net, name, *options):
    folder = v.path("a folder of", name)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    done = run([nnc, "repro", net, name, "-o", folder, *options])
    if not v.check(f"{name}: nnc repro", done.returncode == 0 and os.path.exists(os.path.join(folder, "expected.h")), done.stderr):
        return
    touches_all_once(name, os.path.join(folder, name + ".c"))
    done = run(["make", "-C", folder])
    v.check(f"{name}: make", done.returncode == 0, done.stdout + done.stderr)
    done = run([os.path.join(folder, "repro")])
    results = [line for line in done.stdout.splitlines() if line.endswith("the same bits")]
    v.check(f"{name}: the same bits, and a time", done.returncode == 0 and results and re.search(rf"^{name}: [\d.]+ ms \(median of \d+", done.stdout, re.M), done.stdout + done.stderr)


def numbers(text, table):
    """The rows of a table of the code, as numbers."""
    body = re.search(rf" {table}\[\] = \{{(.*?)\}};", text, re.S)[1]
    return [[int(x) for x in row.split(",")] for row in re.findall(r"\{([-\d, ]+)\}", body)]


def touches_all_once(name, path):
    """Ahead of a run each byte of the tensors is touched once: by the kernel itself, where no other of the step does."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    regions, touched = numbers(text, "regions"), numbers(text, "touches")
    for i, (size, _) in enumerate(regions):
        pieces, end = sorted(t[1:3] for t in touched if t[0] == i), 0
        for offset, length in pieces:
            if not v.check(f"{name}: region {i} is touched once, from {end} on", offset == end, pieces):
                return
            end += length
        v.check(f"{name}: all of region {i} is touched", end == size, pieces)


def edited(net, name, *options):
    folder = v.path("edited")
    run([nnc, "repro", net, name, "-o", folder, *options])
    path = os.path.join(folder, name + ".c")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    changed = re.sub(r"(\*0\.1f)", "*0.11f", text, count=1)
    v.check("the kernel to edit has a factor", changed != text)
    with open(path, "w", encoding="utf-8") as f:
        f.write(changed)
    done = run(["make", "-C", folder])
    v.check("make after the edit", done.returncode == 0, done.stderr)
    done = run([os.path.join(folder, "repro")])
    v.check("an edit that computes something else: status 1", done.returncode == 1 and "OTHER NUMBERS" in done.stdout, done.stdout)
    done = run([nnc, "repro", net, name, "-o", folder, *options])
    v.check("what was edited is not overwritten: status 2", done.returncode == USAGE and "was edited" in done.stderr, done.stderr)


def compiled(net, name, *options):
    """Of CUDA: `make` makes of its own two files what nnc made; what it computes a GPU says, which the trial is told to need."""
    folder = v.path("a folder of", name)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    done = run([nnc, "repro", net, name, "-o", folder, "--target=cuda", *options])
    if without_cuda(done):
        v.skip(f"{name} for CUDA", without_cuda(done))
        return
    if not v.check(f"{name} for CUDA: nnc repro, which says that it did not run it", done.returncode == 0 and "not run" in done.stdout, done.stderr):
        return
    v.check(f"{name} for CUDA: its files", sorted(os.listdir(folder)) == sorted(["Makefile", name + ".c", name + ".cu"]), os.listdir(folder))
    with open(os.path.join(folder, name + ".cu"), encoding="utf-8") as f:
        text = f.read()
    v.check(f"{name} for CUDA: its kernel, and no other step's", name + "(" in text and text.count("__global__") <= 4, re.findall(r"__global__.*?(\w+)\(const", text))
    done = run(["make", "-C", folder])
    v.check(f"{name} for CUDA: make", done.returncode == 0, done.stdout + done.stderr)
    done = run([os.path.join(folder, "repro"), "--expect", os.path.join(folder, "expected.h")])
    if done.returncode == NO_GPU:
        v.check(f"{name} for CUDA: says what is missing", "CUDA" in done.stderr or "GPU" in done.stderr, done.stderr)
        return
    run(["make", "-B", "-C", folder])
    done = run([os.path.join(folder, "repro")])
    v.check(f"{name} for CUDA: runs", done.returncode == 0 and re.search(rf"^{name}: [\d.]+ ms", done.stdout, re.M), done.stdout + done.stderr)


def refusals(net, name):
    for words, says in (([net], "takes a network, a kernel"), ([net, name], "takes a network, a kernel"), ([net, "nothing_like", "-o", v.path("none")], "no step of the training"),
                        ([net, name[:-1], "-o", v.path("none")], f"did you mean `{name}`")):
        done = run([nnc, "repro", *words])
        v.check(f"nnc repro {' '.join(map(os.path.basename, words))}: status 2 and a sentence, nothing is written", done.returncode == USAGE and says in done.stderr and not os.path.exists(v.path("none")), done.stderr)


if not shutil.which("make"):
    v.skip("all", "make is missing")
    v.finish()
CNN = model("mnist_cnn")
for kernel in kernels(CNN, "--library=none"):
    alone(CNN, kernel, "--library=none")
edited(CNN, "adam_31530", "--library=none")
refusals(CNN, "adam_31530")
for kernel in kernels(model("resnet50"), "--recipe=cifar10", "--set", "batch=4", "--library=none")[:12]:
    alone(model("resnet50"), kernel, "--recipe=cifar10", "--set", "batch=4", "--library=none")
# the shape of its convolution stands above another function that has it first
alone(model("resnet50"), "conv_dgrad_relu_backward_8x1x1x512", "--recipe=cifar10", "--set", "batch=8", "--library=none")
# a kernel that draws has the number of its stream
DRAWS = ("--recipe=chars", "--library=none", "-D", "depth=1", "-D", "rate=0.1")
alone(model("gpt"), "matmul_bias_dropout_add_256x128", *DRAWS, "--set", "batch=2")
compiled(model("gpt"), "dropout_add_layernorm_4096x128", *DRAWS, "--set", "precision=bf16")
# Of one size and of several, with sums of its own, with the scalars of a step.
for kernel in ("embedding_cast_add_32x128x128", "matmul_bias_4096x384", "bias_backward_4096x512", "attention_backward_32x128x384", "adamw_clip_247680"):
    compiled(model("gpt"), kernel, "--recipe=chars", "--library=none", "-D", "depth=1", "--set", "precision=bf16")
v.finish()
