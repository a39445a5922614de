#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/cnn, bench/gpus and bench/study without a GPU: bench_check.py [BUILD]. On programs that stand in for nnc, its trainers, PyTorch and nvidia-smi:
shares of a step, ratios, parameter counts, budgets, going on. With BUILD the real nnc and trainer on the CPU, at a tiny size."""
import os
import sys
import xml.dom.minidom

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verdict import ROOT, Verdict, json_lines, run  # noqa: E402

v = Verdict("gpu, benches")
CNN, GPUS, STUDY = (os.path.join(ROOT, "bench", name) for name in ("cnn", "gpus", "study"))

# A step of 10 ms, of which a tenth each is data, loss and update, three tenths forward and four backward.
NNC = r'''#!/usr/bin/env python3
import os, sys
if "--print=layers" in sys.argv:
    print("total   1,234 5 6")
    sys.exit(0)
if "--plan" in sys.argv:
    print("  predicted, as two H200s had it: 77.1 us of communication; a step of 190.8 us, 60 % of it one rank's work")
    sys.exit(0)
exe = sys.argv[sys.argv.index("-o") + 1]
with open(exe, "w") as f:
    f.write("""#!/usr/bin/env python3
import json, sys
w = sys.argv[1:]
value = lambda name: w[w.index(name) + 1]
if "--json" in w:
    part = {"data_ns": 1, "forward_ns": 3, "loss_ns": 1, "backward_ns": 4, "update_ns": 1, "total_ns": 10, "steps": 1}
    step = {"step": 1, "name": "conv", "phase": "forward", "formula": "", "kernels": [], "ns": 5000, "converts": False}
    json.dump({**part, "program": [step]}, open(value("--json"), "w"))
if "--log" in w:
    for i in range(4):
        open(value("--log"), "a").write(json.dumps({"epoch": i + 1, "loss": 2.0 - i / 4, "samples_per_second": 1000.0, "seconds": 2.0,
                                                    "data_wait": 0.5}) + chr(10))
print(json.dumps({"samples_per_second": 1600.0, "milliseconds_per_step": 10.0, "steps_per_window": 50, "plan_bytes": 3e6}))
""")
os.chmod(exe, 0o755)
'''
PEER = r'''
import json, os, sys
mode = sys.argv[sys.argv.index("--mode") + 1] if "--mode" in sys.argv else "graph"
slower = 2.0 if mode == "plaingraph" else 1.0
print(json.dumps({"peer": "PyTorch 0", "mode": mode, "parameters": int(os.environ.get("STAND_IN_PARAMETERS", 1234)),
                  "samples_per_second": 800.0 / slower, "milliseconds_per_step": float(os.environ.get("STAND_IN_STEP", 20)) * slower, "forward_ms": 6.0 * slower,
                  "backward_ms": 10.0 * slower, "total_ms": 16.0 * slower}))
'''
# One GPU in two modes, two GPUs in as many as --modes names; the one that PyTorch has not, and that which finds no end.
DDP = r'''
import json, sys, time
value = lambda name: sys.argv[sys.argv.index(name) + 1]
modes = value("--modes").split(",") if "--modes" in sys.argv else ["inner", "missing"]
for name, gpus, rate in [("compiled", 1, 700), ("compiled-graph", 1, 800)] + [(m, 2, 1000 + 200 * i) for i, m in enumerate(modes)]:
    if name == "endless":
        time.sleep(60)
    found = {"failed": "no such thing"} if name == "missing" else {"peer": "PyTorch 0", "samples_per_second": rate, "milliseconds": 1.0}
    with open(value("--out"), "a") as f:
        f.write(json.dumps({"mode": name, "gpus": gpus, **found}) + chr(10))
'''


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, 0o755)


write(v.path("build", "compiler", "nnc"), NNC)
write(v.path("bin", "nvidia-smi"), '#!/bin/sh\necho "Stand-in GPU, 1.0"\n')
for name in ("torch_step.py", "torch_loader.py", "torch_count.py"):
    write(v.path("peers", name), PEER)
write(v.path("peers", "ddp.py"), DDP)
ENV = {"PATH": v.path("bin") + ":" + os.environ["PATH"]}


def cnn(*words, **env):
    return run([sys.executable, CNN, v.path("build"), "--peers", v.path("peers"), "--folder", v.path("folder"), *words], env={**ENV, **env})


def study(*words, **env):
    return run([sys.executable, STUDY, *words, "--build", v.path("build"), "--peers", v.path("peers"), "--folder", v.path("folder")],
               env={**ENV, **env})


def lines_with(text, *words):
    return [line for line in text.splitlines() if all(w in line for w in words)]


def check_cnn():
    out = v.path("cnn.jsonl")
    done = cnn("--networks", "vgg16", "--columns", "cudnn,cpu", "--out", out)
    v.check("ends well", done.returncode == 0, done.stdout + done.stderr)
    cells = lines_with(done.stdout, "CUDA, cuDNN", "nnc")[0].split()
    v.check("a step is shared out", cells[3:] == ["4.00", "4.00", "8.00", "1.00", "2.00"], cells)
    v.check("the best mode counts", lines_with(done.stdout, "VGG-16", "graph", "2.00", "1.15"), done.stdout)
    v.check("eager on a CPU alone", [p["mode"] for r in json_lines(out) for p in r["peers"]] == ["graph", "plaingraph", "eager"], json_lines(out))
    again = cnn("--networks", "vgg16", "--columns", "cudnn,none", "--out", out, "--skip-done", out)
    v.check("goes on with the rest", [r["column"] for r in json_lines(out)] == ["cudnn", "cpu", "none"], again.stdout + again.stderr)
    v.check("shows all", len(lines_with(again.stdout, "VGG-16", "1.15")) == 1 and len(lines_with(again.stdout, "VGG-16", "2.00")) == 3, again.stdout)
    other = cnn("--networks", "vgg16", "--columns", "cudnn", STAND_IN_PARAMETERS="7")
    v.check("another network is no peer", "7 parameters, nnc has 1234" in other.stdout and other.returncode == 1, other.stdout)
    quick = v.path("quick.jsonl")
    done = cnn("--networks", "vgg16", "--columns", "cudnn", "--quick", "--out", quick, STAND_IN_STEP="15.9")
    v.check("no update takes less than nothing", lines_with(done.stdout, "PyTorch graph", "16.00 ", " in noise") and "-0.10" not in done.stdout, done.stdout)
    v.check("one mode where it is to be quick", [p["mode"] for r in json_lines(quick) for p in r["peers"]] == ["graph"], json_lines(quick))
    late = cnn("--networks", "vgg19", "--columns", "cudnn", "--seconds", "0.01")
    v.check("no time is said", "vgg19, cudnn: not measured" in late.stdout and late.returncode == 0, late.stdout + late.stderr)
    v.check("a wrong name", "no network vgg" in cnn("--networks", "vgg").stderr)


def gpus(*words):
    return run([sys.executable, GPUS, v.path("build"), "--peers", v.path("peers"), "--folder", v.path("folder"), *words], env=ENV)


def check_gpus():
    out = v.path("gpus.jsonl")
    done = gpus("--rows", "mlp", "--modes", "inner,missing,outer", "--out", out)
    row = (lines_with(done.stdout, "MLP") or [""])[-1].split()
    v.check("ends well", done.returncode == 0, done.stdout + done.stderr)
    v.check("the best mode of each counts", row[-9:] == ["1,600", "1,600", "0.500", "0.60", "800", "1,400", "0.875", "1.14", "3"], row)
    v.check("every mode is printed", all(lines_with(done.stdout, "PyTorch", m) for m in ("compiled ", "compiled-graph ", "inner ", "outer ")) and
            lines_with(done.stdout, "missing", "no such thing"), done.stdout)
    v.check("rows are chosen", {r["row"] for r in json_lines(out)} == {"mlp-8000"}, json_lines(out))
    again = gpus("--rows", "mlp", "--out", out)
    v.check("goes on", len(json_lines(out)) == 2 and "0.875" in again.stdout, again.stdout + again.stderr)
    cut = gpus("--rows", "vgg", "--no-nnc", "--modes", "inner,endless", "--limit", "3")
    v.check("what was measured before the end counts", lines_with(cut.stdout, "VGG-16", " 0.625") and "no more modes: no end within 3 s" in cut.stdout,
            cut.stdout + cut.stderr)
    none = gpus("--rows", "vgg", "--no-nnc", "--modes", "missing")
    v.check("no mode is a failure", "ddp: missing: no such thing" in none.stdout, none.stdout)
    late = gpus("--rows", "mlp", "--seconds", "1")
    v.check("nothing is begun without time", late.returncode == 0 and "not measured: mlp-8000" in late.stdout and "MLP" not in late.stdout, late.stdout + late.stderr)


def check_study():
    out = v.path("study.jsonl")
    done = study("all", "--data", v.folder, "--digits", v.folder, "--out", out)
    v.check("all of them", done.returncode == 0, done.stdout + done.stderr)
    names = {r["experiment"] for r in json_lines(out)}
    v.check("twelve experiments", len(names) == 12, names)
    v.check("five optimizers", len([r for r in json_lines(out) if r["experiment"] == "optimizers"]) == 5)
    v.check("eight counts of workers", [r["row"] for r in json_lines(out) if r["experiment"] == "workers"] == "0 1 2 4 8 12 16 24".split())
    v.check("CPU and GPU", {r["device"] for r in json_lines(out) if r["experiment"] == "devices"} == {"cuda", "cpu"})
    v.check("waiting is said", "waiting for data: 25%" in done.stdout, done.stdout)
    for name in sorted(names):
        with open(v.path("folder", "study", name + ".svg")) as f:
            text = f.read()
        v.check(f"the plot of {name}", "prefers-color-scheme: dark" in text and text.count("http") == 1 and
                xml.dom.minidom.parseString(text).documentElement.tagName == "svg", text)
    before = len(json_lines(out))
    again = study("all", "--data", v.folder, "--digits", v.folder, "--out", out, "--skip-done", out)
    v.check("nothing twice", len(json_lines(out)) == before and again.stdout == done.stdout, again.stdout + again.stderr)
    v.check("what is missing is said", "workers needs --data DIR" in study("workers").stderr)


def check_real(build):
    words = ["--columns", "cpu", "--size", "32", "--batch", "2", "--networks", "resnet18", "--no-peers"]
    done = run([sys.executable, CNN, build, *words], timeout=200)
    row = lines_with(done.stdout, "CPU", "nnc")
    v.check("a trainer on the CPU", done.returncode == 0 and row and all(float(x) > 0 for x in row[0].split()[2:5]), done.stdout + done.stderr)
    done = run([sys.executable, STUDY, "mnist", "--build", build, "--devices", "cpu", "--epochs", "3", "--no-peers"], timeout=200)
    v.check("a study on the CPU", done.returncode == 0 and "1024, streamed" in done.stdout and "failed" not in done.stdout, done.stdout + done.stderr)


check_cnn()
check_gpus()
check_study()
if len(sys.argv) > 1:
    check_real(sys.argv[1])
v.finish()
