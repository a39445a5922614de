#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/gpu, bench/accuracy and tests/gpu/run within a budget, without a GPU: on programs that stand in for nnc, its trainers,
the peers and nvidia-smi. What there is no time for is said, nothing is measured twice, and a later call goes on."""
import json
import os
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verdict import ROOT, Verdict, json_lines, run  # noqa: E402

v = Verdict("gpu, budgets")
BENCH, ACCURACY, RUN = (os.path.join(ROOT, *p) for p in (("bench", "gpu"), ("bench", "accuracy"), ("tests", "gpu", "run")))

# Compiles to a trainer that notes its words, takes STAND_IN_SECONDS, refuses more than STAND_IN_BATCH samples of --memory, and
# leaves a tune record that is complete after the second time that it had some.
NNC = r'''#!/usr/bin/env python3
import os, re, sys
exe, words = sys.argv[sys.argv.index("-o") + 1], " ".join(sys.argv)
batch = int((re.findall(r"batch=(\d+)", words) or ["1"])[0])
with open(exe, "w") as f:
    f.write(f"""#!/usr/bin/env python3
import json, os, sys, time
w, batch = sys.argv[1:], {batch}
value = lambda name, otherwise=None: w[w.index(name) + 1] if name in w else otherwise
with open(os.environ["STAND_IN_CALLS"], "a") as f:
    f.write("{{}} {{}}\\n".format(os.path.basename(sys.argv[0]), " ".join(w)))
tune = value("--tune")
if tune and float(value("--tune-seconds", 1)) > 0:
    known = os.path.exists(tune)
    with open(tune, "w") as f:
        f.write("cudnn k: engine=1 | us=1 state=" + ("complete\\n" if known else "partial next=1\\n"))
time.sleep(float(os.environ.get("STAND_IN_SECONDS", 0)))
if "--memory" in w and batch > int(os.environ.get("STAND_IN_BATCH", 1 << 40)):
    sys.stderr.write("trainer: error: the plan needs more\\n")
    sys.exit(4)
if value("--log"):
    with open(value("--log"), "w") as f:
        f.write(json.dumps({{"epoch": 1, "eval_top1": 0.8, "eval_accuracy": 0.9, "seconds": 1.0}}) + "\\n")
print(json.dumps({{"samples_per_second": 1000.0, "milliseconds_per_step": 2.0, "batch": int(value("--batch", batch)),
                  "plan_bytes": 1000000 * int(value("--batch", batch))}}))
""")
os.chmod(exe, 0o755)
'''
PEER = r'''
import json, os, sys, time
with open(os.environ["STAND_IN_CALLS"], "a") as f:
    f.write("peer " + " ".join(sys.argv[1:]) + "\n")
time.sleep(float(os.environ.get("STAND_IN_PEER_SECONDS", 0)))
print(json.dumps({"peer": "PyTorch 0", "mode": sys.argv[2], "samples_per_second": 500.0, "start_seconds": 9.0,
                  "largest_batch": 1000}))
'''
TRAINING_PEER = r'''
import json, os, sys, time
for seed in sys.argv[6:]:
    time.sleep(float(os.environ.get("STAND_IN_PEER_SECONDS", 0)))
    print(json.dumps({"peer": "PyTorch 0", "precision": sys.argv[5], "seed": int(seed), "accuracy": 0.8, "seconds": 2.0}), flush=True)
'''
SMI = r'''#!/bin/sh
case "$*" in -L) printf 'GPU 0: Stand-in (UUID: GPU-a)\nGPU 1: Stand-in (UUID: GPU-b)\n';; *memory.used*) echo ${STAND_IN_USED:-3};; *) echo "Stand-in GPU, 1.0";; esac
'''


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, 0o755)


def calls():
    """Since the last time."""
    path = v.path("calls")
    if not os.path.exists(path):
        return []
    with open(path) as f:
        lines = f.read().splitlines()
    os.unlink(path)
    return lines


build, peers = v.path("build"), v.path("peers")
write(v.path("build", "compiler", "nnc"), NNC)
write(v.path("bin", "nvidia-smi"), SMI)
for name in ("torch_gpu.py", "jax_gpu.py"):
    write(v.path("peers", name), PEER)
write(v.path("peers", "torch_accuracy.py"), TRAINING_PEER)
base = {"PATH": v.path("bin") + ":" + os.environ["PATH"], "STAND_IN_CALLS": v.path("calls")}


def bench(*words, **env):
    return run([sys.executable, BENCH, build, "--peers", peers, "--folder", v.path("folder"), "--tune-dir", v.path("tunes"), *words],
               env={**base, **env})


def check_bench():
    out = v.path("gpu.jsonl")
    # Tune records alone; the second time goes on.
    done = bench("--rows", "resnet50-224-bf16", "--tune-only", "--tune-seconds", "7")
    v.check("tuning alone", "resnet50-224-bf16: 0 of 1 library calls complete" in done.stdout, done.stdout + done.stderr)
    v.check("with its budget", any("--tune-seconds 7" in c for c in calls()))
    done = bench("--rows", "resnet50-224-bf16", "--tune-only", "--tune-seconds", "7")
    v.check("goes on", "1 of 1 library calls complete" in done.stdout, done.stdout)
    calls()
    # One row after another, the rows worth most first, as long as there is time.
    done = bench("--rows", "resnet50-224,mnist-128,mlp-infer-512", "--quick", "--out", out, "--seconds", "124")
    order = [r["row"] for r in json_lines(out)]
    v.check("those worth most first", order[:2] == ["resnet50-224-bf16", "resnet50-224-tf32"] and "mnist-128" in order, done.stdout + done.stderr)
    ours = [c for c in calls() if not c.startswith("peer")]
    v.check("what is measured is not tuned", ours and all("--tune-seconds 0" in c for c in ours[1::2]), ours)
    v.check("its state is kept", json_lines(out)[0]["ours"]["tune"] == "1 of 1 library calls complete", json_lines(out)[0])
    done = bench("--rows", "mnist", "--quick", "--seconds", "30")
    v.check("what does not fit is named", "not measured: " in done.stdout and "Not measured:" in done.stdout and not calls(), done.stdout)
    # A later call goes on with the rest.
    done = bench("--rows", "mnist", "--quick", "--out", out, "--skip-done", out)
    v.check("goes on with the rest", [r["row"] for r in json_lines(out)][-1] == "mnist-1024" and "MNIST CNN, batch 128" in done.stdout, done.stdout)
    v.check("and not with what is done", not any("batch_128" in c for c in calls()))
    done = bench("--rows", "mlp-infer-8000", "--quick", "--out", out, "--seconds", "15", "--least", "2")
    v.check("nor without its tuning", json_lines(out)[-1]["left"] == ["nnc"], done.stdout)
    check_cut(out)
    check_largest()


def check_cut(out):
    """The budget ends inside of a row: what was running is ended, and what is known of the row is kept as not done."""
    began = time.monotonic()
    done = bench("--rows", "mlp-infer-2000", "--quick", "--out", out, "--seconds", "4", "--least", "2", "--tune-seconds", "0",
                 STAND_IN_SECONDS="60")
    took = time.monotonic() - began
    last = json_lines(out)[-1]
    v.check("ends in time", took < 20, f"{took:.0f} s")
    v.check("says what is left", last["left"] == ["nnc"] and last["peers"] and "not measured: nnc" in done.stdout, done.stdout)
    calls()
    done = bench("--rows", "mlp-infer-2000", "--quick", "--out", out, "--skip-done", out)
    v.check("measures it later", json_lines(out)[-1]["left"] == [] and "ours" in json_lines(out)[-1], done.stdout)


def check_largest():
    out = v.path("largest.jsonl")
    calls()
    done = bench("--rows", "mlp-largest-train", "--out", out, STAND_IN_BATCH="1000000")
    v.check("the largest batch", json_lines(out)[-1]["ours"]["largest_batch"] == 31 * 32000, done.stdout + done.stderr)
    ours = [c for c in calls() if not c.startswith("peer")]
    v.check("under a cap", ours and all("--memory 6144" in c and "chunk_32000.tune" in c for c in ours) and len(ours) < 7, ours)
    done = bench("--rows", "mlp-largest-train", "--out", out, STAND_IN_BATCH="10")
    v.check("a refusal", "the plan needs more" in done.stdout, done.stdout)
    done = bench("--rows", "mlp-largest-train", "--out", out, "--limit", "2", STAND_IN_USED="70000")
    v.check("is not another process", "another process uses the GPU: 70000 MiB" in done.stdout and "needs more" not in done.stdout, done.stdout)


def check_accuracy():
    out = v.path("accuracy.jsonl")
    words = [sys.executable, ACCURACY, "resnet50", v.folder, build, "--peers", peers, "--out", out, "--skip-done", out,
             "--tune-dir", v.path("tunes"), "--seeds", "0,1,2"]
    done = run([*words, "--precisions", "tf32,bf16", "--seconds", "3"], env={**base, "STAND_IN_PEER_SECONDS": "2"})
    v.check("what is left is named", "tf32: nnc 80.00 +- 0.00 % (80.00, 80.00, 80.00), PyTorch 80.00 % (80.00): not measured: PyTorch seed 1, "
            "PyTorch seed 2" in done.stdout, done.stdout + done.stderr)
    v.check("it is no failure", done.returncode == 0)
    calls()
    done = run([*words, "--precisions", "tf32,bf16"], env=base)
    v.check("goes on", done.stdout.count("within half a point") == 2 and done.returncode == 0, done.stdout + done.stderr)
    ours = calls()
    v.check("with what is missing", len(ours) == 3 and all("resnet50_bf16" in c and "--rate 0.005" in c for c in ours), ours)
    seen = [(r["precision"], r["side"], r["seed"]) for r in json_lines(out)]
    v.check("each once", len(seen) == 12 and len(set(seen)) == 12, seen)
    done = run([*words, "--epochs", "3"], env=base)
    v.check("another recipe is measured anew", len(calls()) == 3, done.stdout)


STAGE = r'''#!/usr/bin/env python3
# Notes its words and its GPU, takes STAND_IN_SECONDS, and fails where STAND_IN_FAILS is among its words.
import os, sys, time
words = sys.argv[1:]
if words != ["--cuda", "relu"]:
    with open(os.environ["STAND_IN_CALLS"], "a") as f:
        f.write("NAME {} on {}\n".format(" ".join(words), os.environ.get("CUDA_VISIBLE_DEVICES")))
    time.sleep(float(os.environ.get("STAND_IN_SECONDS", 0)))
fails = os.environ.get("STAND_IN_FAILS") in words
if fails:
    print("FAIL seed 44: exit status 1: what it ran said\n    kernels: 5 passed, 7 failed, 0 skipped")
print("NAME: 3 passed, {} failed, 0 skipped".format(int(fails)))
sys.exit(fails)
'''
SANITIZER = r'''#!/usr/bin/env python3
import subprocess, sys
status = subprocess.run(sys.argv[sys.argv.index("--print-limit") + 2:]).returncode
print("========= ERROR SUMMARY: 0 errors")
sys.exit(status)
'''


def check_run():
    for name in ("gpu_loops", "gpu_libraries", "gpu_random"):
        write(v.path("build", "tests", "gpu", name), STAGE.replace("NAME", name))
    write(v.path("bin", "compute-sanitizer"), SANITIZER)
    check_cut_stage()
    check_commands()
    check_sanitizer()


def check_cut_stage():
    out, logs = v.path("run.jsonl"), v.path("logs")
    words = [sys.executable, RUN, build, "--only", "libraries:tf32,operators", "--out", out, "--skip-done", out]
    done = run([*words, "--seconds", "6", "--logs", logs], env={**base, "STAND_IN_SECONDS": "4"})
    v.check("a stage that is cut", "not measured: libraries:tf32" in done.stdout and done.stdout.endswith("3 passed, 0 failed, 1 skipped\n"),
            done.stdout + done.stderr)
    for name, said in (("libraries-tf32", "gpu_libraries"), ("operators", "gpu_loops")):  # of the first its first half
        with open(os.path.join(logs, name + ".log")) as f:
            v.check(f"the log of {name}", f.read() == f"{said}: 3 passed, 0 failed, 0 skipped\n")
    calls()
    done = run(words, env=base)
    v.check("goes on with it", "operators: passed before" in done.stdout and done.stdout.endswith("6 passed, 0 failed, 0 skipped\n"), done.stdout)
    v.check("alone, the second run after the first", [c.split()[0] for c in calls()] == ["gpu_libraries", "gpu_libraries"])


def check_commands():
    """Those of one stage run side by side, on all GPUs, and what has passed is left out one by one."""
    out = v.path("commands.jsonl")
    words = [sys.executable, RUN, build, "--only", "random", "--out", out, "--skip-done", out]
    began = time.monotonic()
    done = run([*words, "--seconds", "60"], env={**base, "CUDA_VISIBLE_DEVICES": "", "STAND_IN_SECONDS": "2", "STAND_IN_FAILS": "--bf16"})
    took, ours = time.monotonic() - began, calls()
    v.check("side by side", took < 24 and len(ours) == 37, f"{took:.0f} s, {ours}")
    v.check("on all GPUs", {c.split()[-1] for c in ours} == {"0", "1"}, ours)
    v.check("given networks wait, which take least", "--nets" in ours[-1], ours)
    v.check("what a failure quotes does not count", done.stdout.endswith("111 passed, 10 failed, 0 skipped\n"), done.stdout)
    v.check("failures say how to repeat them", "to repeat: tests/gpu/run --only random:bf16; one seed: " in done.stdout and done.returncode == 1, done.stdout)
    v.check("done is what passed", json_lines(out)[-1]["failed"] == 10 and json_lines(out)[-1]["left"] == [] and
            not any("bf16" in name for name in json_lines(out)[-1]["done"]) and len(json_lines(out)[-1]["done"]) == 27, json_lines(out)[-1])
    done = run(words, env={**base, "CUDA_VISIBLE_DEVICES": "5,GPU-c"})
    ours = calls()
    v.check("later the rest", len(ours) == 10 and all("--bf16" in c for c in ours) and done.returncode == 0, ours)
    v.check("on given GPUs", {c.split()[-1] for c in ours} == {"5", "GPU-c"}, ours)
    run([sys.executable, RUN, build, "--only", "random:fp16,random:onchip"], env=base)
    v.check("commands by name", sorted("--nets" in c for c in calls()) == [False, True])


def check_sanitizer():
    """It is told what is left when it begins, ends in it, and what it watched counts."""
    out = v.path("sanitizer.jsonl")
    done = run([sys.executable, RUN, build, "--only", "sanitizer", "--seconds", "40", "--out", out],
               env={**base, "CUDA_VISIBLE_DEVICES": "0,1"})
    told = [int(n) for n in re.findall(r"^skip racecheck, mnist-tf32: of (\d+) seconds", done.stdout, re.MULTILINE)]
    v.check("the sanitizer's seconds", told and 20 < told[0] <= 36, done.stdout + done.stderr)
    watched = {c.split()[-1] for c in calls() if "--built" in c}
    v.check("take turns on the GPUs", watched == {"0", "1"}, watched)
    v.check("what it watched counts", json_lines(out)[-1]["passed"] > 8 and json_lines(out)[-1]["skipped"] and json_lines(out)[-1]["done"] == [], json_lines(out)[-1])
    passed = [name for record in json_lines(out) for name in record["done"]]
    done = run([sys.executable, RUN, build, "--only", "sanitizer", "--seconds", "40", "--out", out, "--skip-done", out], env=base)
    in_all = [name for record in json_lines(out) for name in record["done"]]  # a busy machine leaves the second call some that the first had no time for
    v.check("a later call leaves out what has passed", f"{len(passed)} of " in done.stdout and len(in_all) == len(set(in_all)), done.stdout + done.stderr)
    v.check("a record for each process, and one for each call", passed and len(json_lines(out)) == len(in_all) + 2, json_lines(out))


def check_whole():
    """The line of a whole green run: all commands passed on one clean commit, with no failure in the last call."""
    done = run([sys.executable, RUN, build, "--only", "nothing"], env=base)
    names = re.findall(r"[\w:-]+", done.stderr.partition("there are ")[2])
    out = v.path("whole.jsonl")

    def last(commit, before="one", failed=0, **env):
        write(v.path("build", "commit"), commit)
        rest = [name for name in names if name != "operators"]
        with open(out, "w") as f:
            f.write(json.dumps({"stage": "models", "passed": 4, "failed": failed, "skipped": 1, "done": rest, "commit": before,
                                "call": 1}) + "\n")
        run([sys.executable, RUN, build, "--only", "operators", "--out", out], env={**base, **env})
        return json_lines(out)[-1]
    whole = last("one")
    v.check("a whole run", whole.get("whole") and (whole["commit"], whole["passed"], whole["failed"], whole["skipped"]) == ("one", 7, 0, 1)
            and whole["gpu"] == "Stand-in GPU, 1.0", whole)
    mended = last("two one", failed=2)
    v.check("what failed at a commit before it has passed since", (mended.get("failed"), mended.get("failed_before")) == (0, 2), mended)
    alike = last("two one")
    v.check("with a commit before it of the same code", alike.get("whole") and (alike["commit"], alike["passed"]) == ("two", 7), alike)
    for what, record in (("a failure in an earlier call", last("one", failed=2)),
                         ("a command that is another", last("two one-" + next(n for n in names if n.startswith("witness:")))),
                         ("what was changed since its commit", last("one+")), ("calls of two commits", last("two")), ("no commit", last("")),
                         ("a failure", last("one", STAND_IN_FAILS="--cuda"))):
        v.check(f"{what}: no whole run", "whole" not in record, record)
    os.unlink(v.path("build", "commit"))


check_bench()
check_accuracy()
check_run()
check_whole()
v.finish()
