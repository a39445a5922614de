#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults at every k: trainings whose k-th call of the system fails, k = 1, 2, 3 ... until a run has no fault.

    check.py TRAINER LIBFAULTS [--every N] [--only SCENARIO,KIND,...] [--jobs N]
    check.py NNC LIBFAULTS --network FILE.net --data DATA [--words=--stream ...]     with a compiled trainer

Each kind of call (faults.c) fails once, and from then on. After each: a documented status with a sentence, no crash, no
hang; what stood there before is there still; the checkpoint, if there is one, is whole, and goes on to the same bits and
the same log as a training without a fault. --every N takes the first 30 of a kind, then each N-th; 1 is all of them.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "train"))
from shared import png
from verdict import Verdict, build, put_images

KINDS = ("write", "fsync", "rename", "link", "unlink", "open", "close", "read", "mmap", "flock", "mode", "stat", "thread", "malloc",
         "dlopen", "any", "short")
FIRST = 30  # of a kind, that --every takes all of
SPEEDS = ("samples_per_second", "seconds", "data_wait", "memory")
PROCESS = '{"run": '  # what the line of a log begins with that each process writes of itself
STATUSES = (0, 3, 4)  # of runtime/README.md: done, a file, memory
DEVICE = 6  # a library that is missing, where opening one is what fails
OTHERWISE = "can't be used"  # said where the same is computed without a library, in other bits

parser = argparse.ArgumentParser()
parser.add_argument("trainer")
parser.add_argument("library")
parser.add_argument("--every", type=int, default=1)
parser.add_argument("--only", default="")
parser.add_argument("--jobs", type=int, default=os.cpu_count())
parser.add_argument("--network")
parser.add_argument("--data", help="the trainer's; images: folders of 300 images of 28x28 in 10 classes; pngs: the same as .png")
parser.add_argument("--words", default="", help="more of the trainer's, as --stream")
options = parser.parse_args()
v = Verdict("faults")
faults = 0


def content(path):
    with open(path, "rb") as f:
        return f.read()


def contents(pattern):
    return [content(path) for path in glob.glob(pattern) if os.path.isfile(path)]


def lines(path):
    """Of a log, without the speeds; None where one of them is no JSON."""
    try:
        with open(path) as f:
            return [{k: x for k, x in json.loads(line).items() if k not in SPEEDS} for line in f if not line.startswith(PROCESS)]
    except (OSError, ValueError):
        return None


if options.network:
    EXE = build(v, os.path.abspath(options.trainer), options.network, "trainer")
    if options.data in ("images", "pngs"):
        put_images(v.path(options.data), "abcdefghij")
        for path in glob.glob(v.path("pngs", "*", "*", "*.bmp")):
            grey = content(path)[54]
            with open(path[:-3] + "png", "wb") as f:
                f.write(png([[grey] * 28] * 28))
            os.unlink(path)
        options.data = v.path(options.data)
    DATA = [*(["--data", options.data] if options.data else []), "--threads", "2", *options.words.split()]
else:
    EXE, DATA = os.path.abspath(options.trainer), ["--data", "../data"]
TRAINING = [*DATA, "--steps", "15", "--checkpoint", "run.st", "--checkpoint-every", "4it", "--log", "run.jsonl", "--log-every", "1"]


def trainer(folder, *words, fault=None):
    env = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    if fault:
        env.update(LD_PRELOAD=os.path.abspath(options.library), FAULT=fault, FAULT_LOG=os.path.join(folder, "fault"))
    try:
        return subprocess.run([EXE, *words], capture_output=True, text=True, errors="replace", timeout=60, env=env, cwd=folder)
    except subprocess.TimeoutExpired as e:
        return subprocess.CompletedProcess(words, 124, e.stdout or "", "no end within 60 s")


class Broken(Exception):
    pass


def require(holds, what):
    if not holds:
        raise Broken(what)


def must(folder, *words):
    done = trainer(folder, *words)
    require(done.returncode == 0, f"{' '.join(words)} afterwards: {done.returncode}: {done.stderr}")
    return done


# ---- scenarios: how the folder begins, the words, and what must hold after the run

def train_begin(folder):
    shutil.copytree(v.path("old"), folder)


def train_ends(folder, done):
    for name in ("run.st", "run.jsonl", "run.dump"):
        old = content(v.path("old", name))
        require(old in contents(os.path.join(folder, name + "*")), f"the old {name} is gone")
        if done.returncode == 0:
            whole = os.path.join(folder, name)
            same = lines(whole) == lines(v.path("ref", name)) if name == "run.jsonl" else content(whole) == content(v.path("ref", name))
            require(same, f"status 0, and {name} is another")
    goes_on(folder, content(v.path("old", "run.st")))


def goes_on(folder, old):
    saved = os.path.join(folder, "run.st")
    begun = os.path.exists(saved) and content(saved) != old
    must(folder, *TRAINING, "--dump", "run.dump", *(["--resume"] if begun else []))
    require(content(saved) == content(v.path("ref", "run.st")), "the training goes on to other bits")
    log = os.path.join(folder, "run.jsonl")
    require(lines(log) == lines(v.path("ref", "run.jsonl")), f"the log is another: {content(log).decode(errors='replace')}")
    left = [name for name in os.listdir(folder) if ".nnc-" in name or name.endswith(".lock")]
    require(not left, f"left over: {left}")


def resume_begin(folder):
    shutil.copytree(v.path("half"), folder)


def resume_ends(folder, done):
    if done.returncode == 0:
        require(content(os.path.join(folder, "run.st")) == content(v.path("ref", "run.st")), "status 0, and other bits")
    goes_on(folder, None)


def weights_begin(folder):
    os.mkdir(folder)
    shutil.copy(v.path("ref", "run.st"), folder)


def predict_ends(folder, done):
    files = sorted(os.path.basename(path) for path in glob.glob(os.path.join(folder, "y*.npy")))
    wanted = sorted(os.path.basename(path) for path in glob.glob(v.path("ref", "y*.npy")))
    require(done.returncode or files == wanted, f"status 0, and {files}")
    require(all(content(os.path.join(folder, name)) == content(v.path("ref", name)) for name in files), "a prediction is not whole")
    for name in files:
        os.unlink(os.path.join(folder, name))
    must(folder, *PREDICTION)
    require(sorted(os.listdir(folder)) == sorted(["run.st", *wanted, *(["fault"] if os.path.exists(os.path.join(folder, "fault")) else [])]),
            f"left over: {os.listdir(folder)}")


def eval_ends(folder, done):
    require(done.returncode or done.stdout == EVALUATED, f"status 0, and {done.stdout}")


PREDICTION = ["predict", *DATA, "--checkpoint", "run.st", "--out", "y.npy"]
EVALUATION = ["eval", *DATA, "--checkpoint", "run.st"]
SCENARIOS = {"train": (train_begin, [*TRAINING, "--dump", "run.dump"], train_ends), "resume": (resume_begin, [*TRAINING, "--resume"], resume_ends),
             "predict": (weights_begin, PREDICTION, predict_ends), "eval": (weights_begin, EVALUATION, eval_ends)}


def one(scenario, fault):
    """Whether there was a fault; its place and what is wrong are said."""
    begin, words, ends = SCENARIOS[scenario]
    folder = v.path(f"{scenario}-{fault.replace(':', '-')}")
    begin(folder)
    done = trainer(folder, *words, fault=fault)
    at = os.path.join(folder, "fault")
    happened = os.path.exists(at)
    try:
        library = fault.startswith(("dlopen", "any"))
        require(done.returncode in STATUSES or (library and done.returncode == DEVICE), f"status {done.returncode}: {done.stderr[-600:]}")
        require(done.returncode == 0 or re.search(r"^\S+: (error|warning): .{10}", done.stderr, re.M), f"no sentence: {done.stderr}")
        require(not fault.startswith("short") or done.returncode == 0, f"status {done.returncode} of what is no fault: {done.stderr}")
        if not (library and OTHERWISE in done.stderr):
            ends(folder, done)
        require(fault != "dlopen:1" or not happened or "/nowhere/library.so: cannot open" in done.stderr, f"no reason: {done.stderr}")
        problem = None
    except (Broken, OSError) as e:
        problem = f"{e}\n{done.stderr[-600:]}"
    where = content(at).decode().split()[-1] if happened else ""
    if problem and where not in ("", "0x0"):
        where = subprocess.run(["addr2line", "-fpe", EXE, where], capture_output=True, text=True).stdout.strip()
    v.check(f"{scenario}, {fault}", problem is None, f"{where}: {problem}")
    if not os.environ.get("NNC_TEST_KEEP") or not problem:
        shutil.rmtree(folder)
    return happened


def series(scenario, kind, then):
    """All faults of a kind, until a run has none."""
    global faults
    k = 1
    while one(scenario, f"{kind}:{k}{then}"):
        faults += 1
        k += 1 if k < FIRST else options.every
    return k


# ---- what there is before, and what a run without a fault makes

def prepare():
    if not options.network:
        subprocess.run([EXE, "put-data"], cwd=v.folder, check=True)
    for folder in ("old", "half", "ref"):
        os.mkdir(v.path(folder))
    must(v.path("old"), *TRAINING, "--seed", "5", "--dump", "run.dump", "--steps", "3")
    must(v.path("ref"), *TRAINING, "--dump", "run.dump")
    must(v.path("ref"), *PREDICTION)
    must(v.path("half"), *TRAINING, "--stop-after", "6")
    with open(v.path("half", "run.jsonl"), "a") as f:  # a line too many, and a half one
        f.write('{"step": 7, "loss": 1}\n{"step": 8, "lo')
    return must(v.path("ref"), *EVALUATION).stdout


if EXE:
    EVALUATED = prepare()
    only = set(options.only.split(",")) if options.only else set()
    tasks = [(scenario, kind, then) for kind in reversed(KINDS) for scenario in SCENARIOS for then in ("", "+")
             if (not only & set(SCENARIOS) or scenario in only) and (not only & set(KINDS) or kind in only)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(lambda task: series(*task), tasks):
            pass
    v.say(f"{faults} faults")
v.finish()
