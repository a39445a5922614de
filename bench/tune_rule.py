#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How well the rule by which a search begins (runtime/cuda/tune_alike.h) foretells what it finds: tune_rule.py RECORD.tune ...

Each operation of a record is left out once, and the plan of the nearest of its kind among the others is taken: how often that is the
plan that was found, or one of the same engine (cuDNN's) or algorithm (cuBLASLt's); and by how much the library's first choice is slower
than the best that was found, which is what there is to gain.
"""
import math
import re
import sys

NEAR = 20  # tune_alike of runtime/cuda/tune.c
ENTRY = re.compile(r"(cudnn|cublaslt) ([^:|]+): ([^|]*) \| us=([\d.]+) runner_up=[\d.]+ first=([\d.]+)")
SIZES = [re.compile(r"(?<= x )\d+x\d+x\d+x\d+"), re.compile(r"(?<= w )\d+"), *(re.compile(rf"(?<= {name} )\d+") for name in ("batch", "m", "n", "k"))]


def read(path):
    """Of each operation: its kind, its sizes, the plan that was found, the engine, microseconds of the best and of the first."""
    with open(path) as f:
        for line in f:
            found = ENTRY.match(line)
            if not found:
                continue
            library, key, plan, best, first = found.groups()
            sizes = [int(n) for size in SIZES for text in size.findall(key) for n in text.split("x")]
            for size in SIZES:
                key = size.sub("*", key)
            plan = re.sub(r" own\w*=\d+", "", plan)
            engine = re.search(r"form=\d+ (?:engine|algo)=\d+", plan)
            yield (library, key), sizes, plan, engine and engine.group(), float(best), float(first)


def nearest(operation, others):
    """None where none of its kind is near."""
    distances = [(sum(abs(math.log(a / b)) for a, b in zip(operation[1], o[1])), k) for k, o in enumerate(others) if o[0] == operation[0]]
    return others[min(distances)[1]] if distances and min(distances)[0] < math.log(NEAR) else None


def main(paths):
    for path in paths:
        operations = list(read(path))
        for library in ("cudnn", "cublaslt"):
            ours = [o for o in operations if o[0][0] == library]
            pairs = [(o, nearest(o, ours[:i] + ours[i + 1:])) for i, o in enumerate(ours)]
            pairs = [(o, n) for o, n in pairs if n]
            timed = [o[5] / o[4] for o in ours if o[4] > 0 and o[5] > 0]
            if not pairs or not timed:
                continue
            plans, engines = (sum(o[i] == n[i] for o, n in pairs) for i in (2, 3))
            print(f"{path.rsplit('/')[-1]} {library}: {len(ours)} operations, {len(pairs)} with one of their kind near; the plan foretold of {plans} "
                  f"({100 * plans / len(pairs):.0f} %), its engine of {engines} ({100 * engines / len(pairs):.0f} %); the library's first choice takes "
                  f"{math.exp(sum(map(math.log, timed)) / len(timed)):.2f} times the best")


main(sys.argv[1:])
