#!/usr/bin/env python3
"""nnc's networks against PyTorch's numbers: check.py NNC [CASE ...]

Each network is built twice, in double precision with generated loops, and as users get it; each trainer is given the weights
and inputs of formula.py, makes ten steps, and must agree with CASE.json (make.py) on the logits, on every gradient of step 1
and on the losses. Plain Python; no PyTorch is needed.
"""
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import formula
from verdict import ROOT, Verdict, build, run

CASES = ["mnist_cnn", "rosenbrock_mlp", "witness_net", "resnet50"]

# Relative errors allowed: of the logits (to the largest), of a gradient (to its norm), of the loss at steps 1 and 10.
# Weights are the same bits on both sides. In single precision rounding grows with depth and, through the optimizer, with
# every step: resnet50 normalises 16 single pixels in its last stage, and PyTorch's own single precision is 0.07 % off at step 5
# and 0.8 % at step 10.
DOUBLE = dict(logits=1e-9, gradient=1e-8, first=1e-10, last=1e-7)
SINGLE = dict(logits=1e-4, gradient=1e-3, first=1e-5, last=1e-4)
DEEP = dict(logits=1e-3, gradient=2e-2, first=5e-4, last=5e-2)
BUILDS = [("double", ["--set", "precision=fp64", "--cpu=loops"]), ("default", [])]


def close(got, wanted, tolerance, scale=None):
    return math.isfinite(got) and abs(got - wanted) <= tolerance * (abs(wanted) if scale is None else scale)


def check_gradients(v, label, case, dump, tolerance):
    for name, wanted in case["gradients"].items():
        if not v.check(f"{label}: gradient of {name} is kept", f"gradient.{name}" in dump):
            continue
        dim, got = dump[f"gradient.{name}"]
        v.check(f"{label}: shape of {name}", list(dim) == case["parameters"][name], dim)
        norm = math.sqrt(math.fsum(g * g for g in got))
        # A bias in front of a normalisation has no gradient but rounding.
        scale = max(wanted["norm"], 1e-6)
        v.check(f"{label}: norm of the gradient of {name}", close(norm, wanted["norm"], tolerance, scale),
                f"{norm!r}, PyTorch has {wanted['norm']!r}")
        off = [(i, got[i], g) for i, g in wanted["at"] if not close(got[i], g, tolerance, scale)]
        v.check(f"{label}: elements of the gradient of {name}", not off, off)


def check_run(v, label, case, exe, tolerance):
    x, y = v.path("x.npy"), v.path("y.npy")
    for path, (name, kind, dim, classes) in zip((x, y), case["inputs"]):
        formula.write_npy(path, formula.inputs(name, dim, kind, classes), dim)
    init, dump_path, log = v.path("init.safetensors"), v.path("dump.safetensors"), v.path("log.jsonl")
    formula.write_safetensors(init, {n: (d, formula.parameter(n, d)) for n, d in case["parameters"].items()})
    if os.path.exists(log):
        os.unlink(log)
    done = run([exe, "--init", init, "--data", f"{x},{y}", "--holdout", "0", "--no-shuffle", "--no-augment", "--no-eval",
                "--steps", str(len(case["losses"])), "--log", log, "--log-every", "1", "--dump", dump_path, "--quiet",
                *case["trainer"]])
    if not v.check(f"{label}: runs", done.returncode == 0, done.stderr):
        return
    with open(log) as f:
        lines = [json.loads(line) for line in f]
    losses = [line["loss"] for line in lines if "epoch" not in line]
    v.check(f"{label}: one log line a step", len(losses) == len(case["losses"]), lines)
    for step, (got, wanted) in enumerate(zip(losses, case["losses"])):
        share = step / (len(case["losses"]) - 1)
        allowed = tolerance["first"] ** (1 - share) * tolerance["last"] ** share
        v.check(f"{label}: loss of step {step + 1}", close(got, wanted, allowed), f"{got!r}, PyTorch has {wanted!r}")
    dump = formula.read_safetensors(dump_path)
    got = dump[f"value.{case['output']}"][1]
    scale = max(abs(z) for z in case["logits"])
    worst = max((abs(a - b) for a, b in zip(got, case["logits"])), default=0)
    v.check(f"{label}: {case['output']}", len(got) == len(case["logits"]) and worst <= tolerance["logits"] * scale,
            f"off by {worst} of {scale}")
    check_gradients(v, label, case, dump, tolerance["gradient"])


def main():
    nnc, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or CASES
    v = Verdict("witness")
    for name in names:
        with open(os.path.join(HERE, name + ".json")) as f:
            case = json.load(f)
        for what, options in BUILDS:
            tolerance = DOUBLE if what == "double" else DEEP if name == "resnet50" else SINGLE
            exe = build(v, nnc, os.path.join(ROOT, "models", case["model"] + ".net"), f"{name}_{what}", "--keep-gradients",
                        *case["options"], *options)
            if exe:
                check_run(v, f"{name}, {what}", case, exe, tolerance)
                os.unlink(exe)
    v.finish()


main()
