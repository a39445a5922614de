#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`EXE profile` on a GPU: profile.py NNC [--keep FOLDER]

mnist_cnn, whose step is two kernels, resnet18 in graphs with its branch, launch by launch, and streamed: by CUPTI where it is there, else by
events. What tests/profile_checks.py demands holds, cuDNN lays no activation out anew, and the steps take what `bench` says, within a
half (CUPTI costs each kernel up to 3 us). --keep leaves text, JSON and trace of each there, to be looked at.
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from profile_checks import check_trace, check_whole  # noqa: E402
from verdict import ROOT, Verdict, build, run  # noqa: E402

nnc = os.path.abspath(sys.argv[1])
keep = os.path.abspath(sys.argv[sys.argv.index("--keep") + 1]) if "--keep" in sys.argv else None
v = Verdict("gpu, profile")
STEPS = 20
MODELS = {"mnist_cnn": ([], "synth:digits,samples=4000", False), "resnet18": (["--recipe", "cifar10"], "synth:images,samples=4000", True)}


def load(path):
    with open(path) as f:
        return json.load(f)


def times_plain(p):
    """Whether the steps that were watched took what others take, within a half or 3 us a kernel."""
    longer = p["total_ns"] / STEPS - p["plain_ns"]
    return -0.4 * p["plain_ns"] < longer < max(0.5 * p["plain_ns"], 3000 * len(p["program"]))


def profile(exe, data, stem, words):
    return run([exe, "profile", "--data", data, "--steps", str(STEPS), "--json", stem + ".json", "--trace", stem + ".trace.json",
                "--tune-seconds", "20", *words], timeout=600)


def check(exe, name, data, words, tracks, branches):
    folder = keep or v.folder
    stem = os.path.join(folder, "-".join([name, *(word.strip("-") for word in words)]))
    for _ in range(3):  # others may use the GPU meanwhile, and a step of 10 us waits for theirs
        done = profile(exe, data, stem, words)
        if done.returncode or times_plain(load(stem + ".json")):
            break
    if not v.check(f"{stem} profile", done.returncode == 0, done.stderr):
        return
    with open(stem + ".txt", "w") as f:
        f.write(done.stdout + done.stderr)
    v.say(done.stdout.split("\n\n")[0])
    p, events = load(stem + ".json"), load(stem + ".trace.json")["traceEvents"]
    by_cupti = p["measured"] == "CUPTI"
    if "--no-graph" not in words and not by_cupti:
        v.skip(f"{name}: by CUPTI", done.stderr.strip())
    check_whole(v, name, p, STEPS)
    check_trace(v, name, p, events, STEPS, tracks + (["branch stream"] if branches and by_cupti else []))
    if by_cupti:
        v.check(f"{name}: as long as a step that nobody measures", times_plain(p), f"{p['total_ns'] / STEPS} and {p['plain_ns']} ns")
        # what no kernel of a step accounts for is little
        v.check(f"{name}: kernels are of steps", p["other_ns"] < 0.2 * p["total_ns"], p["other_ns"] / p["total_ns"])
        v.check(f"{name}: each step has its kernels", all(s["kernels"] for s in p["program"]), [s["name"] for s in p["program"] if not s["kernels"]][:5])
    v.check(f"{name}: a roof", p["peak_flops"] > 1e12 and p["peak_bytes"] > 1e11, f"{p['peak_flops']} {p['peak_bytes']}")


def main():
    if keep:
        os.makedirs(keep, exist_ok=True)
    if not re.search(r"^GPU \d+:", run(["nvidia-smi", "-L"]).stdout if os.path.exists("/dev/nvidia0") else "", re.M):
        v.skip("gpu, profile", "there is no GPU")
        v.finish()
    for name, (options, data, branches) in MODELS.items():
        exe = build(v, nnc, os.path.join(ROOT, "models", name + ".net"), name, "--target=cuda", *options)
        for words in ([], ["--no-graph"], ["--stream"]) if exe else ():
            check(exe, name, data, words, ["the step's stream"], branches)
    v.finish()


main()
