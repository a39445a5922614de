#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nnc's networks against PyTorch's numbers: check.py NNC [--gpu] [CASE ...]

Each network is built twice, in double precision with generated loops, and as users get it (but deeper ones of a family, whose
layers are the others'); each trainer is given the weights and inputs of formula.py, makes ten steps, and must agree with CASE.json
(make.py) on the logits, on every gradient of step 1 and on the losses. The networks of images (networks.py) then train from the
weights that nnc gives them, until the loss has fallen. With --gpu a network is built for CUDA instead, once for each arithmetic.
Plain Python; no PyTorch is needed.
"""
import array
import concurrent.futures
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import formula
from networks import NETWORKS
from verdict import ROOT, Verdict, build, json_lines, run

CASES = sorted(name.removesuffix(".json") for name in os.listdir(HERE) if name.endswith(".json"))
IN_DOUBLE_ALONE = ["densenet121", "inception_v1", "vgg19", "resnet34", "resnet101", "resnet152", "resnet200", "mobilenet_v2", "vae", "dcgan", "siamese"]

LEARNING_RATE = "0.02"

# Relative errors allowed: of the logits (to the largest), of a gradient (to its norm), of the loss at steps 1 and 10. Weights are
# the same bits on both sides. The DEEP ones are three times what rounding does to resnet50 in PyTorch, where the factors of products,
# and in 16 bits what is stored, were rounded as here: logits 2e-6 (fp32), 1e-3 (tf32), 2e-2 (bf16) and 2e-3 (fp16), gradients 2e-6,
# 0.02, 0.09 and 0.03, losses 4e-6, 6e-4, 1e-2 and 1e-3. A rate that is 10 % higher changes its losses by 4 % at step 4, 30 % at the end.
DOUBLE = dict(logits=1e-11, gradient=1e-11, first=1e-12, last=1e-11)
SINGLE = dict(logits=1e-4, gradient=1e-3, first=1e-5, last=1e-4)
DEEP = dict(SINGLE, gradient=5e-3)  # one activation of millions may be on the other side of its kink
# Factors of products are rounded to 2^-11.
TF32 = dict(logits=5e-3, gradient=2e-2, first=1e-3, last=1e-2)
DEEP_TF32 = dict(TF32, gradient=6e-2)
# Activations and their gradients are stored with 8 bits.
BF16 = dict(logits=3e-2, gradient=1e-1, first=1e-2, last=5e-2)
DEEP_BF16 = dict(logits=5e-2, gradient=3e-1, first=2e-2, last=4e-2)
# With 11 bits.
FP16 = dict(logits=1e-2, gradient=3e-2, first=2e-3, last=2e-2)
DEEP_FP16 = dict(FP16, gradient=9e-2)
# The gradients of deep networks overflow fp16 at the first loss scale, 65536, and the first steps would be skipped: one that fits.
STATES = {"loss_scale": 128}
ROUNDING = 4  # where the witness says how far rounding moves it, so many times that, if it is more
# name, options, tolerances of a shallow network and of a deep one
CPU_BUILDS = [("double", ["--set", "precision=fp64", "--library=none"], DOUBLE, DOUBLE), ("default", [], SINGLE, DEEP)]
GPU_BUILDS = [("fp32", ["--target=cuda", "--set", "precision=fp32"], SINGLE, DEEP),
              ("tf32", ["--target=cuda", "--set", "precision=tf32"], TF32, DEEP_TF32),
              ("bf16", ["--target=cuda", "--set", "precision=bf16"], BF16, DEEP_BF16),
              ("fp16", ["--target=cuda", "--set", "precision=fp16"], FP16, DEEP_FP16)]


def close(got, wanted, tolerance, scale=None):
    return math.isfinite(got) and abs(got - wanted) <= tolerance * (abs(wanted) if scale is None else scale)


def allowed(case, what, tolerance):
    """Of the logits, of a gradient, and of the loss of each step: from the first to the last by equal factors, or as rounding moves it."""
    moved, steps = case.get("rounding", {}).get(what, {}), len(case["losses"])
    shares = [step / (steps - 1) for step in range(steps)]
    losses = [tolerance["first"] ** (1 - share) * tolerance["last"] ** share for share in shares]
    return {"logits": max(tolerance["logits"], ROUNDING * moved.get("logits", 0)),
            "gradient": max(tolerance["gradient"], ROUNDING * moved.get("gradient", 0)),
            "losses": [max(most, ROUNDING * by) for most, by in zip(losses, moved.get("losses", [0] * steps))]}


def check_gradients(v, label, case, dump, tolerance):
    """Returns the largest error."""
    largest = 0
    for name, wanted in case["parameters"].items():
        if not v.check(f"{label}: gradient of {name} is kept", f"gradient.{name}" in dump):
            continue
        dim, got = dump[f"gradient.{name}"]
        v.check(f"{label}: shape of {name}", list(dim) == wanted["shape"], dim)
        norm = math.sqrt(math.fsum(g * g for g in got))
        # A bias in front of a normalisation, or of keys ahead of a softmax, has no gradient but rounding; one after it, and before another
        # one, little.
        weight = name.removesuffix("bias") + "weight" if name.endswith(("batchnorm.bias", ".k.bias")) else name
        scale = max(wanted["norm"], case["parameters"][weight]["norm"], 1e-6)
        v.check(f"{label}: norm of the gradient of {name}", close(norm, wanted["norm"], tolerance, scale),
                f"{norm!r}, PyTorch has {wanted['norm']!r}")
        largest = max([largest] + [abs(got[i] - g) / scale for i, g in wanted["at"]])
        off = [(i, got[i], g) for i, g in wanted["at"] if not close(got[i], g, tolerance, scale)]
        v.check(f"{label}: elements of the gradient of {name}", not off, off)
    return largest


def check_run(v, label, case, exe, tolerance, deep):
    data = [v.path(f"{entry[0]}.npy") for entry in case["inputs"]]
    for path, (name, kind, dim, classes) in zip(data, case["inputs"]):
        formula.write_npy(path, formula.inputs(name, dim, kind, classes), dim)
    init, dump_path, log = v.path("init.safetensors"), v.path("dump.safetensors"), v.path("log.jsonl")
    tensors = {n: (p["shape"], formula.parameter(n, p["shape"])) for n, p in case["parameters"].items()}
    if label.endswith(", fp16") and deep:
        tensors.update({n: ((), array.array("f", [value])) for n, value in STATES.items()})
    formula.write_safetensors(init, tensors)
    if os.path.exists(log):
        os.unlink(log)
    done = run([exe, "--init", init, "--data", ",".join(data), "--holdout", "0", "--no-shuffle", "--no-augment", "--no-eval",
                "--steps", str(len(case["losses"])), "--log", log, "--log-every", "1", "--dump", dump_path, "--quiet",
                *case["trainer"]])
    if not v.check(f"{label}: runs", done.returncode == 0, done.stderr):
        return
    lines = json_lines(log)
    losses = [line["loss"] for line in lines if "loss" in line and "epoch" not in line]
    v.check(f"{label}: one log line a step", len(losses) == len(case["losses"]), lines)
    errors = [abs(got / wanted - 1) for got, wanted in zip(losses, case["losses"])]
    for step, (got, wanted, most) in enumerate(zip(losses, case["losses"], tolerance["losses"])):
        v.check(f"{label}: loss of step {step + 1}", close(got, wanted, most), f"{got!r}, PyTorch has {wanted!r}, allowed {most:.0e}")
    dump = formula.read_safetensors(dump_path)
    got = dump[f"value.{case['output']}"][1]
    scale = max(abs(z) for z in case["logits"])
    worst = max((abs(a - b) for a, b in zip(got, case["logits"])), default=0)
    v.check(f"{label}: {case['output']}", len(got) == len(case["logits"]) and worst <= tolerance["logits"] * scale,
            f"off by {worst} of {scale}")
    gradient = check_gradients(v, label, case, dump, tolerance["gradient"])
    print(f"{label}: largest relative errors: logits {worst / scale:.1e}, a gradient {gradient:.1e}, loss at first "
          f"{errors[0]:.1e}, of all steps {max(errors):.1e}", flush=True)


def learns(v, label, exe):
    """As users train it, on a few images that the runtime draws; by one thread, since those of oneDNN spin where others run."""
    log = v.path("learns.jsonl")
    if os.path.exists(log):
        os.unlink(log)
    done = run([exe, "--data", "synth:images,samples=32", "--epochs", "16", "--rate", LEARNING_RATE, "--no-augment", "--no-eval",
                "--log", log, "--quiet"], env={"OMP_NUM_THREADS": "1"})
    if v.check(f"{label}: trains", done.returncode == 0, done.stderr):
        losses = [line["loss"] for line in json_lines(log) if "epoch" in line]
        v.check(f"{label}: the loss falls", losses[-1] < 0.95 * losses[0], losses)


def optimised_less(v):
    """CC for what is computed in double: twice as fast to compile, and run for ten steps."""
    path = v.path("cc")
    with open(path, "w") as f:
        f.write(f'#!/bin/sh\nexec {os.environ.get("CC", "cc")} "$@" -O1\n')
    os.chmod(path, 0o755)
    return {"CC": path}


def main():
    nnc, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    gpu = "--gpu" in words
    names = [word for word in words if word != "--gpu"] or CASES
    v = Verdict("witness, GPU" if gpu else "witness")
    work, less = [], optimised_less(v)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in names:
            with open(os.path.join(HERE, name + ".json")) as f:
                case = json.load(f)
            for what, options, shallow, deep in GPU_BUILDS if gpu else CPU_BUILDS:
                if name in IN_DOUBLE_ALONE and what == "default":
                    continue
                if gpu and what not in ("fp32", *case.get("rounding", {what: None})):
                    v.skip(f"{name}, {what}", "it magnifies rounding, and its case says by how much in double alone")
                    continue
                source = os.path.join(ROOT, "models", case["model"] + ".net")
                exe = pool.submit(build, v, nnc, source, f"{name}_{what}", "--keep-gradients", *case["options"], *options,
                                  env=less if what == "double" else None)
                is_deep = name in NETWORKS and NETWORKS[name].deep
                work.append((f"{name}, {what}", name, case, exe, allowed(case, what, deep if is_deep else shallow), is_deep))
    last = {name: label for label, name, *_ in work}
    for label, name, case, exe, tolerance, is_deep in work:
        if exe.result():
            check_run(v, label, case, exe.result(), tolerance, is_deep)
            if name in NETWORKS and NETWORKS[name].small and not gpu and last[name] == label:
                learns(v, label, exe.result())
    v.finish()


if __name__ == "__main__":
    main()
