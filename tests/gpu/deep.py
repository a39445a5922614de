#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What moves the losses of a deep network in fp32 on a GPU: deep.py NNC [CASE] [--cpu]

No test but an experiment, of a witness's network (resnet152): in tests/gpu/run its losses of steps 7 to 9 were off by 6e-5 to 9e-5, though its
logits and first gradients are as exact as the CPU's, which stays at 1e-6. It trains ten steps, by library plans as they are searched for between the steps,
by the libraries' first choice and by our own kernels, with the samples of the batch in order and turned round, which means the same. Each step of these trainings is then done
again by itself from the weights that stood there, by what trained and by the CPU in double: their gradients differ

    all over, in a step that a search came before     by a plan: name it by the lines `conv` and `product` of the tune record that are new there
    in few elements of one step, much                 where an activation is on the other side of its kink
    in no step by more than in the first              not at all: rounding grows so from these weights

A line for each training has the errors of its losses, and lines below it for each step: the largest error of a gradient, relative to its norm, whose it
is, the median of all, and the share of all elements that are off by a hundredth of that norm over the root of their number. --cpu: the CPU's f32 in the GPU's place, which
is to say what a step's own rounding is.
"""
import os
import statistics
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", name) for name in ("", "witness")]
import array
import json
import math

import formula
from check import HERE, optimised_less
from verdict import ROOT, Verdict, build, json_lines, run

STEPS = 10


def gradients(exe, weights, data, words, v):
    """Those of one step, by name."""
    dump = v.path("step.safetensors")
    done = run([exe, "--init", weights, *data, *words, "--steps", "1", "--dump", dump, "--quiet"])
    if done.returncode:
        sys.exit(done.stderr)
    return {name: values for name, (_, values) in formula.read_safetensors(dump).items() if name.startswith("gradient.")}


def compared(got, wanted):
    errors, off, count = {}, 0, 0
    for name, right in wanted.items():
        norm = math.sqrt(math.fsum(x * x for x in right)) or 1e-30
        away = [abs(a - b) for a, b in zip(got[name], right)]
        errors[name] = math.sqrt(math.fsum(a * a for a in away)) / norm
        off += sum(a > 0.01 * norm / math.sqrt(len(away)) for a in away)
        count += len(away)
    # A bias ahead of a normalisation has no gradient but rounding.
    errors = {name: error for name, error in errors.items() if not name.endswith("conv.bias")}
    worst = max(errors, key=errors.get)
    return f"{errors[worst]:.1e} {worst[len('gradient.'):]}, median {statistics.median(errors.values()):.1e}, off {100 * off / count:.3f} %"


def main():
    words = [word for word in sys.argv[1:] if word != "--cpu"]
    cpu, nnc, name = "--cpu" in sys.argv, os.path.abspath(words[0]), (words[1:] or ["resnet152"])[0]
    v = Verdict("deep")
    with open(os.path.join(HERE, name + ".json")) as f:
        case = json.load(f)
    source, less = os.path.join(ROOT, "models", case["model"] + ".net"), optimised_less(v)
    made = lambda what, *options: build(v, nnc, source, what, "--keep-gradients", *case["options"], *options, env=less if what == "exact" else None)
    target = [] if cpu else ["--target=cuda", "--set", "precision=fp32"]
    exact = made("exact", "--set", "precision=fp64", "--library=none")
    exes = {"library": made("library", *target), "own": made("own", *target, "--library=none")}
    start = v.path("start.safetensors")
    formula.write_safetensors(start, {n: (p["shape"], formula.parameter(n, p["shape"])) for n, p in case["parameters"].items()})
    for turned in (False, True):
        data = []
        for entry, kind, dim, classes in case["inputs"]:
            values, each = formula.inputs(entry, dim, kind, classes), math.prod(dim[1:])
            if turned:
                values = array.array(values.typecode, [x for i in reversed(range(dim[0])) for x in values[i * each:(i + 1) * each]])
            data.append(v.path(f"{entry}.npy"))
            formula.write_npy(data[-1], values, dim)
        data = ["--data", ",".join(data), "--holdout", "0", "--no-shuffle", "--no-augment", "--no-eval", *case["trainer"]]
        trainings = [("searched", "library", []), ("first choice", "library", ["--no-tune"]), ("our own", "own", ["--no-tune"])]
        for what, exe, how in [("CPU", "library", [])] if cpu else trainings:
            log, kept, tune = v.path("log.jsonl"), v.path("run.safetensors"), v.path(f"{what}.tune".replace(" ", "_"))
            for path in (log, *(v.path(f"run-{step}.safetensors") for step in range(STEPS + 1))):
                if os.path.exists(path):
                    os.unlink(path)
            record = [] if cpu or how else ["--tune", tune]
            done = run([exes[exe], "--init", start, *data, *how, *record, "--steps", str(STEPS), "--log", log, "--log-every", "1", "--quiet",
                        "--checkpoint", kept, "--checkpoint-every", "1it", "--keep", str(STEPS + 1)])
            if not v.check(f"{what}: trains", done.returncode == 0, done.stderr):
                continue
            losses = [line["loss"] for line in json_lines(log) if "loss" in line and "epoch" not in line]
            errors = " ".join(f"{abs(got / wanted - 1):.0e}" for got, wanted in zip(losses, case["losses"]))
            v.say(f"{what}{', turned' if turned else ''}: losses are off by {errors}")
            for step in range(STEPS):
                weights = v.path(f"run-{step}.safetensors") if step else start
                now = [] if cpu else how or [*record, "--tune-seconds", "0"]
                v.say(f"  step {step + 1}: " + compared(gradients(exes[exe], weights, data, now, v), gradients(exact, weights, data, [], v)))
            if record and os.path.exists(tune):
                with open(tune) as f:
                    v.say("  " + "  ".join(line for line in f if "conv" in line or "product" in line))
    v.finish()


if __name__ == "__main__":
    main()
