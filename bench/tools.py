# SPDX-License-Identifier: MIT
"""What bench/gpu, bench/gpus, bench/cnn, bench/study and bench/unseen share: trainers that are built, tuned and run within a budget, their peers, and the machine."""
import ctypes
import json
import os
import re
import subprocess
import sys
import time

from budget import Failed, NotMeasured, run

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)


class Tools:
    """Building and running, in a folder of its own and within the budget."""
    IDLE_MIB = 1024  # what a driver that nobody uses may say is taken
    TUNING = 300     # seconds, the trainer's own
    LEAST = 10       # seconds of tuning, without which a trainer that has no record shows nothing
    START = 20       # seconds, of a trainer and a few steps, within which a budget for tuning has to leave off

    def __init__(self, options, folder, budget):
        build = os.path.abspath(options.build)
        self.nnc, self.folder, self.limit, self.budget = os.path.join(build, "compiler", "nnc"), folder, options.limit, budget
        self.tune_folder, self.tune_seconds = os.path.abspath(options.tune_dir or folder), options.tune_seconds
        self.peers, self.python = os.path.abspath(options.peers), sys.executable
        for path in (folder, self.tune_folder):
            os.makedirs(path, exist_ok=True)
        self.env = dict(os.environ, TORCHINDUCTOR_CACHE_DIR=os.path.join(folder, "inductor"),
                        JAX_COMPILATION_CACHE_DIR=os.path.join(folder, "jax"))
        self.env["NNC_RUNTIME"] = os.path.join(build, "runtime") + ":" + os.path.join(ROOT, "runtime")

    def run(self, args, env=None):
        return run(args, self.budget, self.limit, {**self.env, **(env or {})})

    def last_json(self, args, env=None):
        return json.loads(self.run(args, env).strip().splitlines()[-1])

    def peer(self, script, words, env=None):
        """The JSON line of a peer's script."""
        return self.last_json([self.python, os.path.join(self.peers, script), *words], env)

    def path_of(self, model, *options, target="cuda"):
        name = model + "".join(options) + ("" if target == "cuda" else "_" + target)
        return os.path.join(self.folder, re.sub(r"\W+", "_", name))

    def build(self, model, *options, target="cuda"):
        exe = self.path_of(model, *options, target=target)
        if not os.path.exists(exe):
            self.run([self.nnc, os.path.join(ROOT, "models", model + ".net"), "--target=" + target, *options, "-o", exe + ".new"])
            os.rename(exe + ".new", exe)
        return exe

    def parameters(self, model, *options):
        """How many the compiled network has."""
        text = self.run([self.nnc, os.path.join(ROOT, "models", model + ".net"), *options, "--print=layers"])
        return int(next(line for line in text.splitlines() if line.startswith("total ")).split()[1].replace(",", ""))

    def record_path(self, exe):
        return os.path.join(self.tune_folder, os.path.basename(exe) + ".tune")

    def record(self, exe, seconds=0):
        """Words for a trainer, or for all that share the record of that name: the record, and the time to go on with it."""
        return ["--tune", self.record_path(exe), "--tune-seconds", f"{seconds:g}"]

    def tuned(self, exe, words, env=None, record=None):
        """What it prints when it has tuned, within --tune-seconds and what is left of the budget."""
        wanted = self.TUNING if self.tune_seconds is None else self.tune_seconds
        seconds = min(wanted, max(0, self.budget.left() - self.START))
        if seconds < min(wanted, self.LEAST) and not os.path.exists(self.record_path(record or exe)):
            raise NotMeasured("no time to tune")
        return run([exe, *words, *self.record(record or exe, seconds)], self.budget, self.limit + seconds, {**self.env, **(env or {})})

    def tuned_json(self, exe, words, env=None, record=None):
        return json.loads(self.tuned(exe, words, env, record).strip().splitlines()[-1])

    def steps(self, exe, words, target, window):
        """What `bench` says of whole steps: on CUDA tuned first; windows of about `window` seconds. And the words of a tuned run."""
        words, cuda = ["bench", *words], target == "cuda"
        probe = self.tuned_json(exe, [*words, "--warmup", "5", "--steps", "5"]) if cuda else \
            self.last_json([exe, *words, "--warmup", "1", "--steps", "1"])
        record, steps = self.record(exe) if cuda else [], max(5 if cuda else 1, round(window * 1e3 / probe["milliseconds_per_step"]))
        got = self.last_json([exe, *words, *record, "--warmup", str(steps), "--steps", str(steps)])
        return {**got, **({"tune": self.tune_state(exe)} if cuda else {})}

    def profile(self, exe, words, target, steps):
        """Of `profile --json`."""
        path = exe + ".profile.json"
        self.run([exe, "profile", *words, *(self.record(exe) if target == "cuda" else []), "--steps", str(steps), "--json", path])
        with open(path) as f:
            return json.load(f)

    def tune_state(self, exe):
        """Of how many library calls the search is complete."""
        if not os.path.exists(self.record_path(exe)):
            return "no record"
        with open(self.record_path(exe)) as f:
            text = f.read()
        partial, complete = text.count(" state=partial "), text.count(" state=complete\n")
        return f"{complete} of {partial + complete} library calls complete"

    def wait_for_device(self):
        """Until no process is left that has memory on it: those that ended free it a moment later."""
        query = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
        for _ in range(int(min(20, self.limit))):
            used = int(run(query, self.budget, self.limit).splitlines()[0])
            if used < self.IDLE_MIB:
                return
            time.sleep(1)
        raise Failed(None, f"another process uses the GPU: {used} MiB of it are taken")


def nccl():
    """For the environment: where NCCL is, unless the system or the caller names it; PyTorch brings it as a wheel."""
    if "NNR_LIBNCCL" in os.environ:
        return {}
    try:
        ctypes.CDLL("libnccl.so.2")
        return {}
    except OSError:
        found = [f for f in (os.path.join(p, "nvidia", "nccl", "lib", "libnccl.so.2") for p in sys.path) if os.path.exists(f)]
        return {"NNR_LIBNCCL": found[0]} if found else {}


def gpu():
    """Its name and driver, or None."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()[0].replace(", ", ", driver ")
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def cpu():
    """Its name, and how many processors this process may use."""
    with open("/proc/cpuinfo") as f:
        name = next((line.split(":")[1].strip() for line in f if line.startswith("model name")), "unknown processor")
    return f"{name}, {len(os.sched_getaffinity(0))} processors"


def machine():
    return gpu() or sys.exit("gpu: nvidia-smi finds no GPU here")


def describe(script, words, env):
    return " ".join([script, *words] + [f"{k}={v}" for k, v in env.items()])


def number(x):
    return f"{x:,.0f}" if x >= 100 else f"{x:.2f}"
