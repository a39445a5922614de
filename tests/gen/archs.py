#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels for each compute capability that README names: archs.py NNC [--all]

Networks whose kernels are of every form (a step on chip, tensor cores, attention, tiles, a recurrence) compile by NVRTC for all of them, two
more for the newest, and the trainer has the code of each. It shows that they compile; on which GPUs they were run README's table says.
--all: tiles in place of libraries too, which take as long as all others.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, run, without_cuda

CAPABILITIES = ["8.0", "8.9", "9.0", "10.0", "12.0"]
NETWORKS = {"mnist_cnn": CAPABILITIES, "gpt --recipe=chars --set precision=bf16": CAPABILITIES, "lstm_digits --set precision=tf32": CAPABILITIES,
            "rosenbrock_mlp": ["12.0"], "witness_net": ["12.0"]}
if "--all" in sys.argv:
    NETWORKS["resnet18 --recipe=cifar10 --set precision=fp16 --library=none"] = CAPABILITIES
nnc = os.path.abspath(sys.argv[1])
v = Verdict("archs")

for i, (words, capabilities) in enumerate(NETWORKS.items()):
    name, *options = words.split()
    archs = ["sm_" + capability.replace(".", "") for capability in capabilities]
    exe = v.path(str(i))
    done = run([nnc, os.path.join(ROOT, "models", name + ".net"), *options, "--target=cuda:" + ",".join(archs), "-o", exe], timeout=600)
    if without_cuda(done):
        v.skip(words, without_cuda(done))
        continue
    if not v.check(f"{words} for {','.join(archs)}", done.returncode == 0, done.stderr):
        continue
    with open(exe, "rb") as f:
        there = {arch.decode() for arch in re.findall(rb"-arch (sm_[0-9]+)[af]? ", f.read())}
    v.check(f"{words}: the trainer has code for each", there == set(archs), f"{sorted(there)}, not {archs}")

with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as f:
    readme = f.read()
for capability in CAPABILITIES:
    v.check(f"README's table of systems names compute capability {capability}", re.search(rf"^\|[^|\n]*\b{re.escape(capability)}\b", readme, re.M))
v.finish()
