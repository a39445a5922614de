#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""When the suite of tests/gpu/run was last green, by its records: green.py [REPOSITORY]

Says the commit, the day and how many commits since have changed what runs on a GPU (PATHS). Status 0; 1 where these are more than
MOST; 77, with the reason, where nothing can be said: no history, a cut one, or one without the commit of any record.
"""
import glob
import json
import os
import subprocess
import sys

ROOT = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST = 30
# What makes kernels and what calls them, and the tests themselves; not what the two targets share and the suites of the CPU look at:
# the front end, data sets, checkpoints. Texts for people run nowhere.
PATHS = ["compiler/codegen", "compiler/emit", "compiler/ir", "compiler/kernels", "compiler/onchip", "compiler/ops", "compiler/passes", "compiler/program", "compiler/target",
         "compiler/driver/driver.c", "compiler/toolchain/nvrtc.c",
         "runtime/cuda", "runtime/cpu/conv_shape.h", "runtime/nnr.h", "runtime/nnr_half.h", "tests/gpu",
         *(":(exclude)" + name for name in ("*.md", "compiler/codegen/cpu.c", "compiler/codegen/loops_cpu.c"))]


def git(*words):
    """What it says; None where it fails, or is not installed."""
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True, cwd=ROOT)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def skip(why):
    print(f"skip the age of the last green run on a GPU: {why}")
    sys.exit(77)


def whole_runs():
    """The records of whole green runs, of the files that tests/gpu/run --out has written."""
    for path in sorted(glob.glob(os.path.join(ROOT, "bench", "results", "*-gpu-suite.jsonl"))):
        with open(path) as f:
            for record in map(json.loads, f):
                if record.get("whole") and not record["failed"]:
                    yield record


def main():
    shallow = git("rev-parse", "--is-shallow-repository")
    if shallow != "false":
        skip("there is no git history here" if shallow is None else "the history is cut (git fetch --unshallow brings the rest)")
    runs = list(whole_runs())
    known = [r for r in runs if git("merge-base", "--is-ancestor", r["commit"], "HEAD") is not None]
    if not known:
        skip("no commit of a record in bench/results/ is in this history" if runs else "bench/results/ has no record of one")
    ages = [(int(git("rev-list", "--count", "--no-merges", r["commit"] + "..HEAD", "--", *PATHS)), r) for r in known]
    age, last = min(ages, key=lambda pair: pair[0])
    print(f"the GPU suite was green at {last['commit'][:8]} ({last['date']}, {last['gpu']}): "
          f"{last['passed']} passed; {age} commits since changed what runs on a GPU")
    if age > MOST:
        print(f"FAIL that is more than {MOST}: run it again (tests/README.md, \"Run on a GPU\")")
        sys.exit(1)


if __name__ == "__main__":
    main()
