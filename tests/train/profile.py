#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `EXE profile` says of a training step: profile.py NNC

Whole: the parts add up to the measured time, to the ns, and the model's lines have all that is of a line. Readable: the text of the .net
files as it is, in 120 columns. Traced: events are sorted, nested and last some time; their names are the model's. No step lays an
activation out anew, on the CPU nor on CUDA: seeds/002 found that to be what costs most.
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from profile_checks import check_trace, check_whole
from verdict import ROOT, Verdict, build, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("profile")
STEPS = 3
MODELS = {"mnist_cnn": (["--set", "batch=16"], "synth:digits,samples=200"),
          "resnet18": (["--recipe", "cifar10", "--set", "batch=4"], "synth:images,samples=40")}
HOSTILE = """# "quotes", \\back\\slash, ??/ and */ /* ??) µ %s %n \u0001
model m {
    input  x: f32[4]
    target y: f32[1]
    z = x -> dense(8) -> tanh
          -> dense(1)   # "; system("true"); //
    loss mse(z, y)
}
train m {
    data      "synth:random"
    optimizer sgd(rate = 0.01)
    batch     4
    chunk     2
    steps     5
}
"""


def load(path):
    with open(path) as f:
        return json.load(f)


def profile(exe, data, *words):
    """Text, JSON and trace."""
    files = [exe + ".json", exe + ".trace"]
    done = run([exe, "profile", "--data", data, "--steps", str(STEPS), "--json", files[0], "--trace", files[1], *words])
    if not v.check(f"{os.path.basename(exe)} profile", done.returncode == 0, done.stderr):
        return None
    return done.stdout, load(files[0]), load(files[1])["traceEvents"]


def check_text(name, text, p):
    for file in {line["file"] for line in p["lines"]}:
        said = [line["text"] for line in p["lines"] if line["file"] == file]
        path = os.path.join(ROOT, "models", file) if os.path.exists(os.path.join(ROOT, "models", file)) else v.path(file)
        with open(path, encoding="utf-8") as f:
            v.check(f"{name}: {file} as it is", said == f.read().splitlines(), said)
    long = [line for line in text.splitlines() if len(line) > 120]
    v.check(f"{name}: 120 columns", not long, long)
    v.check(f"{name}: the lines with their times", all(line["text"].split(" #")[0].strip()[:20] in text for line in p["lines"] if line["own_ns"]))


def check_cuda_conversions(name, options):
    """The table of steps of the generated host code."""
    done = run([nnc, "-S", "-o", v.path(name + ".c"), "--target=cuda", *options, os.path.join(ROOT, "models", name + ".net")])
    if not v.check(f"nnc {name} for CUDA", done.returncode == 0, done.stderr):
        return
    with open(v.path(name + ".c")) as f:
        rows = re.findall(r", (?:NULL|\"\w+\"), NNR_PHASE_\w+, (true|false), ", f.read())
    v.check(f"{name}: on CUDA neither", rows and "true" not in rows, f"{rows.count('true')} of {len(rows)}")


def check_conversion_is_seen():
    """A network that does transpose has a step that says so."""
    with open(v.path("turned.net"), "w") as f:
        f.write("model turned {\n    input x: f32[6, 5]\n    target y: f32[30]\n    z = x -> transpose([1, 0]) -> flatten -> dense(30) -> tanh\n"
                "    loss mse(z, y)\n}\ntrain turned {\n    data \"synth:random\"\n    optimizer sgd(rate = 0.01)\n    batch 8\n    steps 5\n}\n")
    exe = build(v, nnc, v.path("turned.net"), "turned", "--library=auto")
    found = exe and profile(exe, "synth:random,samples=40")
    if found:
        v.check("turned: its transposition is seen", any(s["converts"] for s in found[1]["program"]), [s["name"] for s in found[1]["program"]])


def check_mistakes(exe):
    with open(v.path("precious"), "w") as f:
        f.write("not a profile\n")
    for option in ("--json", "--trace"):
        done = run([exe, "profile", option, v.path("precious")])
        v.check(f"{option} keeps what is no profile", done.returncode == 3 and "which is not a profile" in done.stderr, done.stderr)
        done = run([exe, "profile", "--steps", "1", option, v.path("nowhere", "x.json")])
        v.check(f"{option} names what can't be written", done.returncode == 3 and "nowhere" in done.stderr, done.stderr)
    done = run([exe, "profile", "--json", v.path("one"), "--trace", v.path("one")])
    v.check("one file for both is refused", done.returncode == 2 and "name one file" in done.stderr, done.stderr)
    done = run([exe, "--profile"])
    v.check("--profile is explained", done.returncode == 2 and "it is a command: `profile`" in done.stderr, done.stderr)
    done = run([exe, "--trace", "x"])
    v.check("--trace is for profile", done.returncode == 2 and "it is an option of `profile`" in done.stderr, done.stderr)


def main():
    for name, (options, data) in MODELS.items():
        exe = build(v, nnc, os.path.join(ROOT, "models", name + ".net"), name, *options)
        found = exe and profile(exe, data)
        if found:
            text, p, events = found
            check_whole(v, name, p, STEPS)
            check_text(name, text, p)
            v.check(f"{name}: what is folded", ("lines that this step has nothing of" in text) == (name == "resnet18"), text)
            check_trace(v, name, p, events, STEPS, ["main thread"])
        check_cuda_conversions(name, options)
    with open(v.path("hostile.net"), "w", encoding="utf-8") as f:
        f.write(HOSTILE.replace("\u0001", ""))
    exe = build(v, nnc, v.path("hostile.net"), "hostile")
    found = exe and profile(exe, "synth:random,samples=40")
    if found:
        check_whole(v, "hostile", found[1], STEPS)
        check_text("hostile", found[0], found[1])
        check_trace(v, "hostile", found[1], found[2], STEPS, ["main thread"])
        check_mistakes(exe)
    check_conversion_is_seen()
    v.finish()


main()
