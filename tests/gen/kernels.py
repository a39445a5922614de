#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What of kernels is no statement yet: raw lines, of the sources that write them and of the kernels of some networks.

    gen/kernels.py NNC

The numbers may only sink (ir/code.h, CODE_RAW): one that is smaller is to be written here. Each kernel is verified, too:
names that are declared where they are read, barriers that all threads meet, raw lines that are no heads of blocks.
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verdict import ROOT, Verdict, run  # noqa: E402

nnc = os.path.abspath(sys.argv[1])
v = Verdict("gen, kernels")
PLACES = 2
LINES = {"mnist_cnn": 0, "resnet50": 4, "gpt2": 24, "lstm_digits": 0, "densenet121": 4}
TARGETS = [["--target=cpu"], ["--target=cuda", "--precision=bf16"], ["--target=cuda", "--library=none"]]

places = 0
for path in glob.glob(os.path.join(ROOT, "compiler", "codegen", "*.c")) + glob.glob(os.path.join(ROOT, "compiler", "kernels", "*.c")):
    with open(path, encoding="utf-8") as f:
        places += len(re.findall(r"\bcode_raw\(", f.read()))
v.check("places that write a raw line", places == PLACES, f"{places}, and {PLACES} were known")

for name, known in LINES.items():
    raw = statements = 0
    for target in TARGETS:
        done = run([nnc, os.path.join(ROOT, "models", f"{name}.net"), *target, "--check", "--dump=kernels"])
        v.check(f"{name} {target[0]}", done.returncode == 0, done.stderr[-400:])
        lines = [line.split() for line in done.stderr.splitlines() if line.startswith("\t")]
        statements += len(lines)
        raw += sum(line[0] == "raw" for line in lines)
    print(f"{name}: {raw} raw of {statements} statements")
    v.check(f"raw lines of {name}", raw == known, f"{raw}, and {known} were known")
v.finish()
