#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gradients whose squares f32 does not hold: steep.py NNC"""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "witness"))
from formula import read_safetensors
from verdict import Verdict, build, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("steep")
STEEP = """model steep {
    input  x: f32[4]
    target y: f32[4]
    param  shift: f32[4]
    loss mean(%s) + 0*mse(y, y)
}
train steep {
    data      "synth:random"
    optimizer %s
    clip      %s
    batch     8
    steps     %d
}
"""


def steep(what, factor, optimizer, clip, steps, status, slope="(x -> dense(4))*%s + 0*shift"):
    """The weights after so many steps on a slope of `factor`."""
    net, saved = v.path("steep.net"), v.path(f"steep{steps}.st")
    with open(net, "w", encoding="utf-8") as f:
        f.write(STEEP % (slope % factor, optimizer, clip, steps))
    exe = build(v, nnc, net, "train_steep")
    if not exe:
        return []
    done = run([exe, "--progress", "none", "--checkpoint", saved])
    v.check(f"{what}, {steps} steps: status {status}", done.returncode == status and ("is not a number" in done.stderr) == (status != 0), done.stderr)
    return [x for name, (_, values) in read_safetensors(saved).items() if name.startswith("dense.") for x in values] if status == 0 else []


def says_that_a_step_overflows():
    """Where the square of a gradient is no f32, a step would be 0 for ever: it ends the training. `clip` brings any gradient to its norm."""
    for optimizer in ("adam(rate = 0.001)", "adamw(rate = 0.001)", "rmsprop(rate = 0.01)", "adagrad(rate = 0.01)", "adadelta()", "lamb(rate = 0.01)",
                      "muon(rate = 0.01)"):
        steep(f"a slope of 1e25 under {optimizer}", "1e25", optimizer, "none", 3, 5)
        steep(f"the same with clip, {optimizer}", "1e25", optimizer, "1.0", 3, 0)
    steep("a slope of 1e25 of what is no weight, under muon", "1e25", "muon(rate = 0.01)", "none", 3, 5, "(x -> dense(4)) + shift*%s")
    for most in (0.5, 20):
        weights = [steep(f"a slope of 1e20 under clip {most}", "1e20", "sgd(rate = 1)", most, steps, 0) for steps in (1, 2)]
        moved = math.dist(*weights) if all(weights) else 0
        v.check(f"a step under clip {most} is so long", abs(moved - most) < 1e-3 * most, moved)
    steep("a slope of 1e36 under clip", "1e36", "sgd(rate = 1)", "1.0", 3, 5)


says_that_a_step_overflows()
v.finish()
