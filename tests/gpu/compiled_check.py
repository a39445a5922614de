#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kept kernels are found again by what they were made of, and by nothing less: compiled_check.py GPU_LOOPS. Compiles for a GPU that is
not here; where a compiler would be needed again there is none."""
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from verdict import ROOT, Verdict, run  # noqa: E402

v = Verdict("gpu, kept kernels")
loops, tree, kept = os.path.abspath(sys.argv[1]), v.path("tree"), v.path("kept")


def compiled(nvrtc=None, arch="sm_90"):
    env = {"NNC_ROOT": tree, "NNC_TEST_KERNELS": kept, "NNC_TEST_ARCH": arch, **({"NNC_NVRTC": nvrtc} if nvrtc else {})}
    return run([loops, "--cuda", "relu"], env=env)


def is_found(what, wanted, **words):
    done = compiled(nvrtc="/nonexistent", **words)
    v.check(what, (done.returncode == 0) == wanted, done.stdout + done.stderr)


def change(header):
    with open(os.path.join(tree, "runtime", "cuda", header), "a") as f:
        f.write("/* changed */\n")


shutil.copytree(os.path.join(ROOT, "runtime"), os.path.join(tree, "runtime"), ignore=lambda folder, names: [
    name for name in names if not name.endswith(".h") and not os.path.isdir(os.path.join(folder, name))])
os.mkdir(kept)
first = compiled()
if "NVRTC" in first.stderr and not os.listdir(kept):
    v.skip("kernels by NVRTC", first.stderr.splitlines()[0])
    v.finish()
files = sorted(os.listdir(kept))
v.check("each network's kernels are kept", first.returncode == 0 and len(files) == 2 and all(f.endswith(".h") for f in files), files)
is_found("the same are found", True)
is_found("those for another GPU are not", False, arch="sm_80")
change("nnr_attention.h")
is_found("what they do not include may change", True)
change("nnr_element.h")
is_found("a header that they include may not", False)
v.finish()
