#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The code of a recurrence does not grow with the length of its sequence.

    gen/length.py NNC

The generated C and CUDA C of each network over 112 and over 224 steps are the same but for numbers. Of "stack" what is taken out of the loop meets
what is carried only after a tanh: its gradients are put side by side, each in its place.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verdict import Verdict  # noqa: E402

nnc = os.path.abspath(sys.argv[1])
v = Verdict("gen, length")

NET = """use <recurrent>
model m(steps = 112) {{
    input  x: f32[steps, 8]
    target y: class[10]
    {body}
    loss cross_entropy(last -> flatten -> dense(10), y)
}}

train m {{
    optimizer adam
    batch 16
    clip 1.0
}}
"""
LAST = " -> slice(0, steps - 1, 1)"
# States of all steps are read, forth and back.
STACK = """h = zeros(16)
    all = scan y in (x -> lstm(16) -> gru(16)) with (reverse = true) {
        h = %s
        yield h
    }
    last = all -> slice(0, 0, 1)"""
BODIES = {
    "lstm": "last = x -> lstm(16)" + LAST,
    "gru": "last = x -> gru(16)" + LAST,
    "sum": STACK % 'tanh((y -> dense(16, name = "u")) + (h -> dense(16, name = "v")))',
    "stack": STACK % 'tanh(y -> dense(16, name = "u")) + tanh(h -> dense(16, name = "v"))',
}


def code(name, steps, target):
    path, out = v.path(name + ".net"), v.path(f"{name}.{steps}.{target}.c")
    with open(path, "w", encoding="utf-8") as f:
        f.write(NET.format(body=BODIES[name]))
    done = subprocess.run([nnc, path, "-S", "-o", out, f"--target={target}", f"-Dsteps={steps}"],
                          capture_output=True, text=True, timeout=120, check=False)
    if not v.check(f"{name} of {steps} steps for {target}", done.returncode == 0, done.stderr):
        return ""
    with open(out, encoding="utf-8") as f:
        return f.read()


def check_rows(name, text):
    """The table that a profile reads: rows that repeat are there once, and all of them together are the program's steps."""
    runs = [tuple(map(int, run)) for run in re.findall(r"\{(\d+), (\d+)\}", re.search(r"step_runs\[\] = (.*);|$", text)[1] or "")]
    rows = len(re.findall(r"^\t\{|STEP_\w+\(", re.search(r"NnrStep steps\[\] = \{\n(.*?)\n\};", text, re.S)[1], re.M))
    count, = map(int, re.findall(r"\.step_count = (\d+)", text))
    v.check(f"{name}: {rows} rows, of which some repeat, are {count} steps", runs and rows + sum(n*(times - 1) for n, times in runs) == count, runs)


def without_numbers(text):
    numbers = re.compile(r"\bprogram [0-9a-f]{16}\b|\d+(\.\d+)?(e[+-]\d+)?( [kMG]?(B|FLOP)\b)?")
    return numbers.sub("#", text).split()  # lines of tables are filled by width


for target in ("cpu", "cuda"):
    for name in BODIES:
        texts = [code(name, steps, target) for steps in (112, 224)]
        short, long = map(without_numbers, texts)
        if target == "cpu":
            check_rows(name, texts[0])
        other = next((f"{x!r}, {y!r}" for x, y in zip(short, long) if x != y), "")
        v.check(f"{name} for {target} does not grow", len(short) == len(long) and not other, f"{len(short)} words, {len(long)} words: {other}")
v.finish()
