#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Memory by plan: memory.py NNC

What `nnc --memory` makes fits, and computes what the free plan computes: loss, gradients and weights after three steps are the same
bits where values are computed again, and close where the batch is cut into chunks. What can't fit is refused with a figure that can.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "witness"))
from formula import read_safetensors
from verdict import ROOT, Verdict, build, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("memory")

UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}
RECOMPUTES = r"recomputes \d+ x \S.* \([\d.]+ \w+ saved, \+[\d.]+ % time\)"
RANDOM = ["--set", "data=\"synth:random\""]
# What each has that could go wrong: random numbers, statistics and their running averages, values read far apart, a recurrence. And the
# share of its free plan that it gets. Of the last two there is hardly less without chunks: parameters are most of it, or the operands
# of weights' gradients.
NETWORKS = {
    "gpt": (["--recipe=chars", "--set", "batch=8", "-D", "rate=0.1", "-D", "context=64", "-D", "vocab=64"], 0.75),
    "resnet50": (["--recipe=imagenet", "--set", "batch=8", "-D", "width=8", "-D", "size=64"], 0.75),
    "unet": (["--set", "batch=2", "-D", "size=64", "-D", "width=8"], 0.85),
    "vae": (["-D", "size=16"], 0.99),
    "lstm_digits": ([], 0.98),
}


def model(name):
    return os.path.join(ROOT, "models", name + ".net")


def planned(name, words):
    """What --plan says, and the total of the training step in bytes."""
    done = run([nnc, model(name), "--plan", *words])
    total = re.search(r"total +([\d.]+) (\w+)", done.stdout)
    return done, float(total.group(1))*UNITS[total.group(2)] if total else 0


def trained(name, what, words, dumps=True):
    """Tensors of the first step, and of the checkpoint after three."""
    exe = build(v, nnc, model(name), f"train_{name}_{what}", *words, *RANDOM)
    dump, end = v.path(f"{name}_{what}.dump"), v.path(f"{name}_{what}.st")
    done = run([exe, "--steps", "3", "--checkpoint", end, *(["--dump", dump] if dumps else [])]) if exe else None
    if not done or not v.check(f"{name}, {what}: three steps", done.returncode == 0, done.stderr):
        return None
    return read_safetensors(dump) if dumps else {}, read_safetensors(end)


def same_bits(x, y):
    return len(x) > 1 and x.keys() == y.keys() and all(x[k][1].tobytes() == y[k][1].tobytes() for k in x)


def keeps_the_bits(name, words, share):
    _, free = planned(name, words)
    room = f"--memory={free*share/1e6:.3f}MB"
    done, total = planned(name, words + [room])
    if not v.check(f"{name} has a plan for {share} of its memory", done.returncode == 0, done.stderr):
        return
    v.check(f"{name}: the plan is as small as was asked", total <= free*share*1.005, done.stdout)
    v.check(f"{name}: it says what is computed again", re.search(RECOMPUTES, done.stdout), done.stdout[:600])
    v.check(f"{name}: no chunks", "chunks" not in done.stdout, done.stdout[:300])
    before, after = trained(name, "free", words), trained(name, "planned", words + [room])
    if before and after:
        v.check(f"{name}: loss and gradients of a step are the same bits", same_bits(before[0], after[0]))
        v.check(f"{name}: weights and states after three steps are the same bits", same_bits(before[1], after[1]))


def cuts_into_chunks():
    """Where computing again is not enough: the same sums up to rounding."""
    words = ["--set", "optimizer=sgd(rate = 0.1)", "--set", "clip=none"]
    _, free = planned("lstm_digits", words)
    room = f"--memory={free*0.8/1e6:.3f}MB"
    done, total = planned("lstm_digits", words + [room])
    v.check("chunks: the plan is as small as was asked", done.returncode == 0 and total <= free*0.8*1.005, done.stderr + done.stdout[:300])
    v.check("chunks: how many is said", "computes the batch in 2 chunks of 32" in done.stdout, done.stdout[:300])
    before, after = trained("lstm_digits", "whole", words, False), trained("lstm_digits", "chunks", words + [room], False)
    names = [n for n in before[1] if n in after[1] and n.endswith(("weight", "bias"))] if before and after else []
    off = max((abs(a - b) for n in names for a, b in zip(before[1][n][1], after[1][n][1])), default=1)
    v.check("chunks: weights after three steps are those of the whole batch, but for rounding", off < 1e-6, off)


def refuses_what_cannot_fit():
    done = run([nnc, model("resnet50"), "--check", "--memory=1MiB"])
    least = re.search(r"the plan needs (\d+) MiB at least.*; at the peak of the training step there are \w+ \[[\d,]+\], ", done.stderr)
    v.check("what can't fit is refused, with what holds the peak", done.returncode == 3 and least, done.stderr)
    if least:
        again = run([nnc, model("resnet50"), "--check", f"--memory={least.group(1)}MiB"])
        v.check("the figure that is named is enough", again.returncode == 0, again.stderr)
    for word in ("lots", "12gib", "-1", "0", "", "1e3MiB", "9999999TB"):
        done = run([nnc, model("vae"), "--check", f"--memory={word}"])
        v.check(f"--memory={word} is no size", done.returncode == 2 and "--memory" in done.stderr, done.stderr)


def changes_nothing_that_fits():
    """With room enough the code is that without the option, but for the words that a trainer repeats, and a sum over them."""
    def lines(*words):
        code = run([nnc, model("vae"), "--emit=c=-", *words]).stdout.split("\n")
        return [x for x in code if "--memory" not in x and "nnc program" not in x and ".word_count" not in x]
    plain, roomy = lines(), lines("--memory=1GiB")
    v.check("a plan that fits is as it was", len(plain) > 100 and plain == roomy, roomy[:10])
    done, _ = planned("vae", ["--memory=1GiB"])
    v.check("which --plan says", "nothing given up" in done.stdout, done.stdout[:300])


for name, (words, share) in NETWORKS.items():
    keeps_the_bits(name, words, share)
cuts_into_chunks()
refuses_what_cannot_fit()
changes_nothing_that_fits()
v.finish()
