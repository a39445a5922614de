#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernels of some networks as statements, each verified: names that are declared where they are read, barriers that
all threads meet (ir/code.h).

    gen/kernels.py NNC
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verdict import ROOT, Verdict, run  # noqa: E402

nnc = os.path.abspath(sys.argv[1])
v = Verdict("gen, kernels")
TARGETS = [["--target=cpu"], ["--target=cuda", "--precision=bf16"], ["--target=cuda", "--library=none"]]

for name in ["mnist_cnn", "resnet50", "gpt2", "lstm_digits", "densenet121"]:
    for target in TARGETS:
        done = run([nnc, os.path.join(ROOT, "models", f"{name}.net"), *target, "--check", "--dump=kernels"])
        v.check(f"{name} {target[0]}", done.returncode == 0 and "\tloop" in done.stderr, done.stderr[-400:])
v.finish()
