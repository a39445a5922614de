#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The logic of sanitize.py, on no GPU: with a stand-in for compute-sanitizer that says what a test wants, and for the programs
that it watches: sanitize_check.py [LOOPS]. LOOPS, which runs kernels by emulation, shares operators as the program watched does."""
import collections
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from verdict import Verdict, run

# STAND_IN says how the runs end whose tool and command have that text in them: "racecheck.*mnist-plain report"
SANITIZER = """
import os, re, subprocess, sys
place, how = os.environ["STAND_IN"].split()
words = sys.argv[1:]
command = words[words.index("--print-limit") + 2:]
if words[words.index("--launch-timeout") + 1] != "0" and how == "slow":
    sys.exit("========= Error: No attachable process found. compute-sanitizer timed-out.")
how = how if re.search(place, " ".join([words[1], *command])) else "fine"
if how == "hang":
    open(os.environ["STAND_IN_CHILD"], "w").write(str(os.getpid()))
    subprocess.run(["sleep", "60"])
if how == "report":
    print("========= Invalid __global__ write of size 4 bytes")
threads = {"padding": 225, "inside": 224, "both": 225, "ended": 225}
if how in threads:
    print("========= Uninitialized __global__ memory read of size 16 bytes\\n=========     at mul_sub_select_cast_53126+0x1f0")
    print("=========     by thread (%d,0,0) in block (51,0,0)\\n=========     Address 0x7f8176a82210\\n========= " % threads[how])
if how in ("probe", "lost"):
    print("========= Program hit CUDA_ERROR_%s (error 500) due to \\"named symbol not found\\" on CUDA API call to cuModuleGetFunction." %
          ("NOT_FOUND" if how == "probe" else "INVALID_HANDLE"))
    print("=========     Saved host backtrace up to driver entry point at error\\n========= ")
if how == "both":
    print("========= Uninitialized __global__ memory read of size 4 bytes\\n=========     at sum_8+0x10\\n========= ")
if how == "ended":
    print("========= Target application returned an error")
reports = 2 if how == "both" else how in ("report", "probe", "lost") or how in threads
status = subprocess.run(command).returncode
if how == "crash":
    sys.exit(139)
if how != "silent":
    print("========= ERROR SUMMARY: %d errors" % reports)
sys.exit(9 if reports else status)
"""
COMPILER = """
import os, sys
path = sys.argv[sys.argv.index("-o") + 1]
open(path, "w").write("#!/bin/sh\\nexit 0\\n")
os.chmod(path, 0o755)
"""
LOOPS = """
import os, sys
with open(os.environ["STAND_IN_CALLS"], "a") as f:
    f.write(" ".join(sys.argv[1:]) + "\\n")
if "--built" in sys.argv:
    print("ops, kernels on the GPU: 90 passed, 0 failed, %d skipped" % (5 if float(sys.argv[-1]) < 20 else 0))
"""

OPERATORS = ["relu", "tanh"]  # two networks each, soon compiled: more networks than parts

v = Verdict("sanitizer's script")


def stand_in(name, text):
    with open(v.path(name), "w") as f:
        f.write(f"#!{sys.executable}\n{text}")
    os.chmod(v.path(name), 0o755)
    return v.path(name)


def expect(what, counts, *words, says="", stand_in="nowhere fine"):
    """`counts`: passed, failed, skipped."""
    env = dict(os.environ, PATH=v.folder + ":" + os.environ["PATH"], STAND_IN=stand_in, STAND_IN_CHILD=v.path("child"),
               STAND_IN_CALLS=v.path("calls"))
    done = subprocess.run([sys.executable, os.path.join(HERE, "sanitize.py"), nnc, loops, *words], capture_output=True, text=True, env=env)
    closing = "sanitizer: {} passed, {} failed, {} skipped".format(*counts)
    v.check(what, done.stdout.endswith(closing + "\n") and re.search(says, done.stdout) and done.returncode == (counts[1] > 0),
            f"{done.stdout[-600:]}{done.stderr[-600:]}")


def expect_parts():
    """Built once; each tool has each part once, of the same folder."""
    if os.path.exists(v.path("calls")):
        os.unlink(v.path("calls"))
    expect("operators are four processes a tool", (64, 0, 0), "operators")
    with open(v.path("calls")) as f:
        called = f.read().splitlines()
    built = [line.split()[-1] for line in called if "--build " in line]
    v.check("one folder is built for all", len(built) == 1 and sum(f"--built {built[0]} " in line for line in called) == 16, called)
    parts = collections.Counter(re.findall(r"--part (\S+)", " ".join(called)))
    v.check("each of its parts is watched by each tool", parts == {f"{i}/4": 4 for i in range(1, 5)}, parts)


def expect_resumed():
    """A process that passed is not run again; one that failed, was not reached or had no time for all is."""
    records = ["--out", v.path("done.jsonl"), "--skip-done", v.path("done.jsonl")]
    expect("the first time", (7, 1, 0), *TWO, *records, stand_in="memcheck report")
    expect("the second time, the other", (4, 0, 0), *TWO, *records, says="1 of 2 processes passed before")
    expect("and then none", (0, 0, 0), *TWO, *records, says="2 of 2")
    expect("samples are left", (4, 0, 1), "memcheck", "operators-1", *records, "--seconds", "20")
    expect("so they are watched again", (4, 0, 0), "memcheck", "operators-1", *records)


def check_shared(program):
    """The parts of the operators have together what one process has, and each has some of it."""
    folder = v.path("shared")
    os.mkdir(folder)
    run([program, "--cuda", "--build", folder, *OPERATORS])

    def passed(*words):
        done = run([program, "--cuda", "--built", folder, *words, *OPERATORS])
        return int((re.findall(r": (\d+) passed, 0 failed, 0 skipped$", done.stdout.strip()) or [0])[0])
    for words in ([], ["--kernels"]):
        parts = [passed("--part", f"{i}/3", *words) for i in (1, 2, 3)]
        v.check("parts make a whole", all(parts) and sum(parts) == passed(*words), parts)
    for bad in ("0/3", "4/3", "3", "1/3x", "-1/3", "x", ""):
        done = run([program, "--cuda", "--built", folder, "--part", bad, "relu"])
        v.check(f"`{bad}` is no part", done.returncode == 2 and f"not `{bad}`" in done.stderr, done.stdout + done.stderr)


stand_in("compute-sanitizer", SANITIZER)
nnc, loops = stand_in("nnc", COMPILER), stand_in("gpu_loops", LOOPS)
stand_in("gpu_libraries", "")
TWO = ["memcheck", "racecheck", "mnist-tf32"]
expect("all are well", (8, 0, 0), *TWO)
expect("a report fails", (7, 1, 0), *TWO, stand_in="racecheck.*mnist-tf32 report", says="FAIL racecheck, mnist-tf32: no report: ===.*write")
expect("no word of the tool fails", (7, 1, 0), *TWO, stand_in="memcheck silent", says="FAIL memcheck, mnist-tf32: was watched")
expect("a program that is slow to begin is waited for", (8, 0, 0), *TWO, stand_in="memcheck slow")
expect("a crash fails", (6, 2, 0), *TWO, stand_in="memcheck crash", says="FAIL memcheck, mnist-tf32: ends well: exit status 139")
expect("padding is no report", (8, 0, 0), *TWO, stand_in="memcheck padding", says="memcheck, mnist-tf32: 1 reports of padding")
expect("nor is a kernel that another module has", (8, 0, 0), *TWO, stand_in="memcheck probe", says="memcheck, mnist-tf32: 1 reports of")
expect("any other failure of that call is", (7, 1, 0), *TWO, stand_in="memcheck lost", says="FAIL memcheck, mnist-tf32: no report")
expect("what lies in front of it is", (7, 1, 0), *TWO, stand_in="memcheck inside", says="FAIL memcheck, mnist-tf32: no report")
expect("nor what stands beside it", (7, 1, 0), *TWO, stand_in="memcheck both", says="no report: =+ Uninitialized __global__ memory read of size 4")
expect("nor that the program failed", (7, 1, 0), *TWO, stand_in="memcheck ended", says="FAIL memcheck, mnist-tf32: ends well")
expect("under racecheck our own kernels compute all", (7, 1, 0), *TWO, stand_in="racecheck.*library=none report", says="FAIL racecheck, mnist-tf32: no report")
expect("and under it alone", (8, 0, 0), *TWO, stand_in="memcheck.*library=none report")
expect("ResNet-50 is narrow under it", (3, 1, 0), "racecheck", "resnet-bf16", stand_in="racecheck.*size=8-Dwidth=8 report", says="FAIL racecheck, resnet-bf16")
expect("of the operators too, and there under initcheck", (56, 8, 0), "operators", stand_in="--kernels report", says="FAIL initcheck, operators-3: no report")
expect_parts()
expect_resumed()
expect("a part can be had alone", (8, 0, 0), "memcheck", "synccheck", "operators-2")
expect("and fail alone", (15, 1, 0), "memcheck", "operators", stand_in="--part.4/4 report", says="FAIL memcheck, operators-4: no report")
expect("operators without time are skipped", (16, 0, 4), "memcheck", "operators", "--seconds", "20", says="skip memcheck, operators-1: 5 samples")
expect("what does not fit is skipped", (4, 0, 1), *TWO, "--seconds", "30", says=r"skip racecheck, mnist-tf32: of 30 seconds \d+ are left")
expect("words may follow the seconds", (0, 0, 20), "--seconds", "0", "operators", "mnist-tf32")
begun = time.monotonic()
expect("what is stopped by the budget is skipped", (1, 0, 1), "memcheck", "operators-1", "--seconds", "3", stand_in="memcheck hang",
       says="skip memcheck, operators-1: 3 seconds were over")
v.check("and stopped", time.monotonic() - begun < 20)
with open(v.path("child")) as f:
    v.check("with its children", not os.path.exists("/proc/" + f.read()))
if len(sys.argv) > 1:
    check_shared(sys.argv[1])
v.finish()
