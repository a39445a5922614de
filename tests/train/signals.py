#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Signals at every moment: trainers on the CPU, oneDNN and loops, 1 and 2 threads, each with one signal at a random microsecond.

    signals.py NNC [--runs N] [--seed S] [--signals INT,TERM,...] [--only VARIANT] [--storm LIBRARY] [--jobs J]

Whatever the moment: the exit status is one that runtime/README.md documents, nothing crashes, and what was trained is not lost.
The last is checked to the bit. A training that is resumed, or that a signal does not end, must leave the checkpoint that an
undisturbed one leaves. A signal may end the process only before the first step, when there is nothing to lose.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, build, run

# What a oneDNN training of it runs: convolutions and their gradients, products, and loops between them. Its kernels for AVX2 are the
# ones that a handler's frame hurt; they are run beside those for this machine.
SMALL = """model small {
    input  image: u8[12, 12, 1]
    target digit: class[10]
    x = image -> scale(1/255) -> conv(8, 3, pad = same) -> batchnorm -> relu -> maxpool(2)
    y = x -> conv(16, 3, pad = same) -> batchnorm -> relu -> flatten -> dropout(0.2)
    logits = y -> dense(10)
    loss cross_entropy(logits, digit)
}

train small {
    optimizer adam(rate = 0.003)
    batch     32
    epochs    2
}
"""
DATA_STATUS = 3  # exit statuses of runtime/README.md
ENDING = {"INT": 130, "TERM": 143, "HUP": 129}  # those that end a training, saved, with their status
SIGNALS = [*ENDING, "USR1", "PIPE", "KILL"]


class Variant:
    """A trainer, its arguments, and what it leaves undisturbed."""

    def __init__(self, name, exe, threads, isa, *options):
        self.name, self.exe = f"{name}{' ' + isa if isa else ''}, {threads} threads", exe
        self.env = {**os.environ, "DNNL_MAX_CPU_ISA": isa} if isa else dict(os.environ)
        self.options = [*options, "--threads", str(threads), "--log-every", "1"]

    def command(self, folder, *more):
        return [self.exe, *self.options, "--checkpoint", os.path.join(folder, "c.st"), "--log", os.path.join(folder, "log.jsonl"), *more]

    def measure(self, v):
        seconds = []
        for i in range(2):
            folder = v.path(f"{self.name} {i}")
            os.mkdir(folder)
            begun = time.monotonic()
            done = run(self.command(folder), env=self.env)
            seconds.append(time.monotonic() - begun)
            if not v.check(f"{self.name} trains", done.returncode == 0, f"{done.returncode}: {done.stderr}"):
                return False
        self.seconds, self.whole = min(seconds), read(os.path.join(folder, "c.st"))
        return True


def read(path):
    with open(path, "rb") as f:
        return f.read()


def wait(process):
    try:
        _, said = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        return 124, "no end within 120 s"
    return process.returncode, said


class Run:
    """One training, one signal. `wrong`: what should not be, or None."""

    def __init__(self, folder, variant, name, delay, every):
        self.variant, self.name, self.delay = variant, name, delay
        self.checkpoint, self.log = os.path.join(folder, "c.st"), os.path.join(folder, "log.jsonl")
        self.command = variant.command(folder, "--checkpoint-every", every)

    def start(self, *more, **env):
        return subprocess.Popen([*self.command, *more], env={**self.variant.env, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True, errors="replace")

    def go(self):
        process = self.start()
        time.sleep(self.delay)
        process.send_signal(getattr(signal, "SIG" + self.name))
        return self.end(process)

    def end(self, process):
        self.status, self.said = wait(process)
        self.ended = "complete" if self.status == 0 else "saved" if self.status > 0 else "killed"
        self.wrong = self.look()
        return self

    def look(self):
        by_signal = self.status == -getattr(signal, "SIG" + self.name)
        saved = os.path.exists(self.checkpoint)
        if by_signal and self.name in ENDING and (saved or os.path.exists(self.log) and read(self.log)):
            return "the training is lost"
        if by_signal and self.name in ("USR1", "PIPE") and self.said:
            return "the signal ended a training"
        if not by_signal and self.status not in (0, ENDING.get(self.name)):
            return "the status is not documented"
        if not by_signal and not saved:
            return "no checkpoint"
        return self.resume() if saved and self.status != 0 else self.compare() if saved else None

    def resume(self):
        status, said = wait(self.start("--resume"))
        self.said += said
        return self.compare() if status == 0 else f"resuming ended with status {status}"

    def compare(self):
        return None if read(self.checkpoint) == self.variant.whole else "the weights are not those of an undisturbed training"

    def repeat(self):
        return f"{self.variant.name}: kill -{self.name} after {1e3 * self.delay:.3f} ms of: {' '.join(self.command)}"


def thread_masks(pid):
    """{"SigBlk": [the mask of each thread], "SigCgt": ...}, of threads that end meanwhile nothing."""
    masks = collections.defaultdict(list)
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            lines = read(f"/proc/{pid}/task/{task}/status").decode().splitlines()
        except (FileNotFoundError, ProcessLookupError):
            continue
        for line in lines:
            name, _, value = line.partition(":")
            if name in ("SigBlk", "SigCgt"):
                masks[name].append(int(value, 16))
    return masks


def no_handler(v, variant):
    """While it trains no signal has a handler, and every other thread has those blocked that one waits for."""
    folder = v.path("blocked " + variant.name)
    os.mkdir(folder)
    log = os.path.join(folder, "log.jsonl")
    process = subprocess.Popen(variant.command(folder, "--epochs", "100000"), env=variant.env, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while time.monotonic() < end and not (os.path.exists(log) and read(log)):
        time.sleep(0.01)
    taken = sum(1 << getattr(signal, "SIG" + name) - 1 for name in [*ENDING, "USR1"])
    # A thread that is just being made has all signals blocked, as has the one that waits between two signals: it is given time.
    while True:
        masks = thread_masks(process.pid)
        waiting = sum(taken & ~mask != 0 for mask in masks["SigBlk"])
        if waiting > 0 or time.monotonic() > end:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=120)
    internal = 3 << 31  # the C library's own: 32 and 33
    v.check(f"{variant.name}: every thread has the signals blocked, but one that waits",
            waiting == 1, masks)
    v.check(f"{variant.name}: no signal has a handler", all(mask & ~internal == 0 for mask in masks["SigCgt"]), masks)
    v.check(f"{variant.name}: then SIGTERM saves it", process.returncode == ENDING["TERM"], process.returncode)


def again_and_again(v, variant, storm):
    """SIGHUP all through the first step (storm.c): that is saved."""
    for attempt in range(10):
        folder = v.path(f"storm {variant.name} {attempt}")
        os.mkdir(folder)
        one = Run(folder, variant, "HUP", 0, "1ep")
        one.end(one.start(LD_PRELOAD=storm, STORM_AFTER=one.log))
        if one.status not in (-signal.SIGHUP, 0):  # the first one came before it was to be taken, or none did
            break
    v.check(f"{variant.name}: SIGHUP all through the first step: it is saved", one.wrong is None and one.ended == "saved",
            f"{one.status}: {one.wrong}: {one.said}")


def without_readers(v, variant):
    """Standard streams that are closed, or pipes that nobody reads any more."""
    def folder(name):
        os.mkdir(v.path(name))
        return v.path(name)

    def trained(what, where, status):
        whole = status == 0 and read(os.path.join(where, "c.st")) == variant.whole
        v.check(f"{what}: the training ends, with its weights", whole, status)

    where = folder("pipe")
    process = subprocess.Popen(variant.command(where), env=variant.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    process.stderr.readline()
    process.stderr.close()
    trained("nobody reads stderr after a line", where, process.wait(timeout=120))
    for closed in ((2,), (0, 1, 2)):
        where = folder(f"closed {len(closed)}")
        process = subprocess.Popen(variant.command(where), env=variant.env, preexec_fn=lambda numbers=closed: [os.close(n) for n in numbers])
        trained(f"without the streams {closed}", where, process.wait(timeout=120))
        lines = read(os.path.join(where, "log.jsonl")).decode().splitlines()
        v.check(f"without the streams {closed}: no message is in the log", all(line.startswith("{") for line in lines), lines)
    for restored, status in ((True, -signal.SIGPIPE), (False, DATA_STATUS)):
        end, start = os.pipe()
        os.close(end)
        done = subprocess.run([variant.exe, "--print-model"], stdout=start, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
                              restore_signals=restored)  # as a shell starts it; with SIGPIPE ignored, as Python has it
        os.close(start)
        v.check(f"nobody reads stdout, SIGPIPE {'as ever' if restored else 'ignored'}: status {status}",
                done.returncode == status and (done.stderr == "") == restored, f"{done.returncode}: {done.stderr}")


def variants(v, nnc, only):
    source, found = v.path("small.net"), []
    with open(source, "w", encoding="utf-8") as f:
        f.write(SMALL)
    cases = [("small", source, ["--data", "synth:images,samples=320"]),
             ("mnist_cnn", os.path.join(ROOT, "models", "mnist_cnn.net"), ["--data", "synth:digits,samples=256", "--epochs", "3"])]
    for name, file, options in cases:
        for library, sets in (("onednn", ("AVX2", "")), ("none", ("",))):
            exe = build(v, nnc, file, f"{name}_{library}", f"--library={library}", *(["--set", "batch=32"] if name == "mnist_cnn" else []))
            found += [Variant(f"{name}, {library}", exe, threads, isa, *options) for threads in (1, 2) for isa in sets if exe]
    return [x for x in found if only in x.name and x.measure(v)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("nnc")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--signals", default=",".join(SIGNALS))
    parser.add_argument("--storm", help="the library made of storm.c")
    parser.add_argument("--only", default="", help="part of a variant's name: `small, onednn AVX2, 1 threads`")
    parser.add_argument("--jobs", type=int, default=3)
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGHUP):  # which a shell's background and nohup ignore, and trainers would inherit that
        signal.signal(number, lambda *_: sys.exit("interrupted"))
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # trainers share the processors with one another
    seed = options.seed if options.seed is not None else random.randrange(1 << 32)
    v = Verdict("signals")
    v.say(f"seed {seed}")
    draw, names = random.Random(seed), options.signals.split(",")
    all_of_them = variants(v, os.path.abspath(options.nnc), options.only)

    def one(number, variant, name, moment, every):
        folder = v.path(str(number))
        os.mkdir(folder)
        done = Run(folder, variant, name, moment * variant.seconds, every).go()
        shutil.rmtree(folder)
        return done

    if all_of_them:
        without_readers(v, all_of_them[0])
    for variant in all_of_them:
        if variant.name.startswith("small") and variant.name.endswith("2 threads"):
            no_handler(v, variant)
        if "onednn" in variant.name and options.storm:
            again_and_again(v, variant, os.path.abspath(options.storm))
    counts, wrong = collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(one, i, draw.choice(all_of_them), draw.choice(names), draw.uniform(0, 1.1), draw.choice(["1ep", "3it"]))
                for i in range(options.runs if all_of_them else 0)]
        for job in concurrent.futures.as_completed(jobs):
            done = job.result()
            counts[done.name, done.ended] += 1
            if not v.check(done.repeat(), done.wrong is None, f"status {done.status}: {done.wrong}: {done.said}"):
                wrong[f"{done.variant.name}: SIG{done.name}, status {done.status}: {done.wrong}"] += 1
    for variant in all_of_them:
        v.say(f"{variant.name}: {1e3 * variant.seconds:.0f} ms a training")
    for name in names:
        v.say(f"SIG{name}: " + ", ".join(f"{counts[name, how]} {how}" for how in ("killed", "saved", "complete")))
    for what, n in sorted(wrong.items()):
        v.say(f"{n} of {options.runs}: {what}")
    v.finish()


main()
