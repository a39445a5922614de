#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Passes, rules and the generation of code do not grow.

    gen/lines.py

Lines of code of some folders of the compiler: of .c and .h, without blank ones and comments. A group that
has become smaller is to be written here with its new number; one that has to grow takes as much from elsewhere, in its
group, first.
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict

MOST = {"passes rules": 10213, "codegen kernels emit": 16004}

v = Verdict("gen, lines")
for group, most in MOST.items():
    lines = 0
    for folder in group.split():
        for path in glob.glob(os.path.join(ROOT, "compiler", folder, "*.[ch]")):
            with open(path, encoding="utf-8") as f:
                lines += sum(1 for line in re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S).splitlines() if line.strip())
    v.check(f"{group}: {lines} lines of code", lines <= most, f"{most} are the most")
    v.check(f"{group}: the cap is near", lines > most - 500, f"{lines}, and {most} are allowed: write the smaller number")
v.finish()
