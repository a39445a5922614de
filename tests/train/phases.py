#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A recipe with two phases: phases.py NNC

In the first one what it freezes keeps every bit, and so do its running statistics, and the rate is the phase's; then all is trained, by the
schedule from its beginning, and steps of Adam are as long as ever. A training that is stopped before, at and behind the border, and resumed, learns the same bits.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "witness"))
from formula import read_safetensors
from verdict import Verdict, build, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("phases")
NET = """model two {
    input  x: f32[6]
    target y: f32[1]
    body = x -> dense(5) -> relu -> batchnorm
    head = body -> dense(1)
    loss mse(head, y)
}
train two {
    data      "synth:random"
    optimizer sgd(momentum = 0.9)
    rate      0.01 cosine
    batch     4
    steps     12
    phase     %s
    seed      1
}
"""
LENGTH, BORDER = 12, 5


def trainer(name, phase):
    with open(v.path(name + ".net"), "w") as f:
        f.write(NET % phase)
    return build(v, nnc, v.path(name + ".net"), name)


def state(path):
    return {name: bytes(values) for name, (_, values) in read_safetensors(path).items()}


def train(exe, name, *options):
    done = run([exe, "--no-eval", "--data", "synth:random,samples=40", "--checkpoint", v.path(name), *options])
    v.check(f"{name} {' '.join(options)}: trains", done.returncode == 0, done.stderr)
    return done


def check(exe):
    log = v.path("steps.jsonl")
    train(exe, "whole.st", "--checkpoint-every", "1it", "--keep", "20", "--log", log, "--log-every", "1")
    at = {step: state(v.path(f"whole-{step}.st")) for step in range(1, LENGTH + 1)}
    names = [n for n in at[1] if n.endswith((".weight", ".bias", "running_mean", "running_var"))]
    frozen = [n for n in names if not n.startswith("dense_2")]
    v.check("both parts are there", len(frozen) == 6 and len(names) == 8, names)
    for n in names:
        held = [at[step][n] == at[1][n] for step in range(1, BORDER + 1)]
        v.check(f"{n}: {'stays' if n in frozen else 'moves'} in the first phase", all(held) if n in frozen else not any(held[1:]), held)
        v.check(f"{n}: moves in the second", all(at[step][n] != at[step - 1][n] for step in range(BORDER + 1, LENGTH + 1)))
    with open(log) as f:
        rates = [line["rate"] for line in map(json.loads, f) if "step" in line and "rate" in line and "epoch" not in line]
    v.check("the rate of the first phase", rates[:BORDER] == [0.05] * BORDER, rates)
    v.check("and then the schedule from its beginning", abs(rates[BORDER] - 0.01) < 1e-9 and rates[BORDER:] == sorted(rates[BORDER:], reverse=True), rates)
    for stop in (2, BORDER, BORDER + 1, 9):
        name = f"cut{stop}.st"
        train(exe, name, "--stop-after", str(stop))
        train(exe, name, "--resume")
        v.check(f"stopped after step {stop}: the same bits", state(v.path(name)) == state(v.path("whole.st")))


def check_others():
    whole = trainer("same", '0.5ep freeze "dense.*"')
    train(whole, "same.st", "--freeze", "dense_2*")
    one = trainer("one", "none")
    train(one, "one.st", "--freeze", "dense_2*,dense.*", "--stop-after", "1")
    done = run([whole, "--no-eval", "--data", "synth:random,samples=40", "--checkpoint", v.path("same1.st"), "--freeze", "dense_2*", "--stop-after", "1"])
    v.check("--freeze holds beside the phase, in epochs", done.returncode == 0 and "for 5 steps" in done.stderr, done.stderr)
    a, b = state(v.path("same1.st")), state(v.path("one.st"))
    v.check("a phase freezes what --freeze does", all(a[n] == b[n] for n in a if n in b and n.startswith(("dense", "batchnorm"))), list(a))


def check_adam():
    """A gradient that is always the same moves a parameter by the rate, also one that was frozen before: its moments went on."""
    with open(v.path("adam.net"), "w") as f:
        f.write("""model adam {
    input  x: f32[1]
    target y: f32[1]
    loss ((x*0 + 1) -> dense(1) -> sum(0)) + 0*(y -> sum(0))
}
train adam {
    data      "synth:random"
    optimizer adam
    rate      0.001
    batch     2
    steps     60
    phase     50it freeze "dense.weight"
}
""")
    exe = build(v, nnc, v.path("adam.net"), "adam")
    train(exe, "adam.st", "--checkpoint-every", "1it", "--keep", "30")
    at = [read_safetensors(v.path(f"adam-{step}.st"))["dense.weight"][1][0] for step in range(50, 61)]
    moved = [abs(b - a) for a, b in zip(at, at[1:])]
    v.check("Adam's first steps are as long as the rate", all(abs(d - 0.001) < 2e-5 for d in moved), moved)


first = trainer("phases", '5it freeze "dense.*", "batchnorm.*" rate 0.05')
check(first)
check_others()
check_adam()
v.finish()
