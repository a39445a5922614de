#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Random networks, each written twice, against PyTorch: check.py NNC [--nets N] [--first SEED] [--without KIND,...] ...

Of each network a trainer is built, with some passes left out, and given drawn weights and data: the losses and metrics of three steps,
every gradient of the first, the weights and running statistics after the third, an evaluation whose last batch is not full (by the
training and by `eval`), and `predict` of the same samples must be PyTorch's. Some networks go in two chunks, by `accumulate`, or on two
ranks. With onnxruntime-node (NODE_PATH) each is exported as ONNX too and computed there at another batch. Debian's python3-torch
computes the numbers; without it digests of them, which recorded.json keeps of the first networks, take their place.

    check.py build/compiler/nnc                         what CI runs: the networks of recorded.json
    check.py build/compiler/nnc --nets 10000 --first 1000 --jobs 2 --record FILE     the long form; a line for each network goes to FILE
    check.py build/compiler/nnc --seed 17 --keep DIR    one network; its texts, data and trainer stay in DIR
    check.py build/compiler/nnc --write                 recorded.json anew
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, ".."), os.path.join(HERE, "..", "witness"), HERE]
import formula
from draw import draw
from verdict import ROOT, Verdict, run

try:
    import peers
    import torch
    torch.set_num_threads(1)
except ImportError:
    torch = None

RECORDED = os.path.join(HERE, "recorded.json")
LAUNCH = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", "2"]
# Of a tensor's largest element or a tenth of the largest of its kind: a bias ahead of a normalisation has no gradient but rounding.
# Rounding moves some networks by more: they may be off by so many times what single precision moves PyTorch's own numbers, in double
# by 2^-29 of it. Where nothing is left of them in single precision, that says no more than that they are far from exact in double.
DOUBLE, SINGLE, MOVED, FAR = 1e-9, 5e-4, 50, 1e-6
# Kinds that nnc does not compute right: none. One that is left out is drawn again once it is right (and recorded.json written anew).
WITHOUT = []
PRINTED = 1e-5  # `eval` prints six digits
ONNX = 1e-4  # the format's network is in single precision


def passes(nnc):
    """The optional passes that do something without --target=cuda."""
    lines = run([nnc, "--print=passes"]).stdout.splitlines()
    return sorted({m.group(1) for line in lines if "CUDA:" not in line for m in [re.search(r"\(-fno-(\w+)\)", line)] if m} - {"onednn"})


# --- what is right ---------------------------------------------------------------------------------------------------------------


def moved(wanted, other):
    """How far each tensor of `other` is from that of `wanted`."""
    return {kind: max((error(tensors, other[kind], name) for name in tensors), default=0.0) for kind, tensors in wanted.items()}


def scale(wanted, name):
    largest = max((abs(v) for values in wanted.values() for v in values), default=0)
    own = max((abs(v) for v in wanted[name]), default=0)
    return max(own, 0.1 * largest, 1e-3)


def error(wanted, got, name):
    values = got[name]
    if len(values) != len(wanted[name]) or not all(v is not None and math.isfinite(v) for v in values):
        return math.inf
    return max((abs(a - b) for a, b in zip(wanted[name], values)), default=0.0) / scale(wanted, name)


def expected(drawn):
    """{kind: {name: numbers}}, and how far each kind may be off."""
    try:
        wanted = peers.compute(drawn, torch.float64)
    except RuntimeError as e:
        raise Failed(f"PyTorch refuses it: {e}") from e
    rounding = moved(wanted, peers.compute(drawn, torch.float32))
    single = {kind: max(SINGLE, MOVED * by) for kind, by in rounding.items()}
    double = {kind: max(DOUBLE, MOVED * by * 2.0 ** -29) if MOVED * by < 1 else FAR for kind, by in rounding.items()}
    return wanted, {**(single if drawn.single else double), "onnx": max(single["prediction"], ONNX)}


def digest(kind, tensors):
    """The length of all tensors of a kind, one after the other, and two sums of them with signs by chance."""
    values = [v for name in sorted(tensors) for v in tensors[name]]
    signs = random.Random("nnc oracle signs " + kind)
    sums = [math.fsum(v * signs.choice((-1, 1)) for v in values) for _ in range(2)]
    return [float(f"{v:.12g}") for v in [math.sqrt(math.fsum(v * v for v in values)), *sums]]


# --- what the trainer says -----------------------------------------------------------------------------------------------------------


def read_npy(path):
    with open(path, "rb") as f:
        head = f.read(10)
        header = f.read(int.from_bytes(head[8:10], "little")).decode()
        values = formula.array.array({"<f8": "d", "<f4": "f", "<i4": "i"}[re.search(r"'descr': '(..?.)'", header).group(1)])
        values.frombytes(f.read())
    return list(values)


def written(folder, word, data):
    """The files of some samples, as --data names them."""
    names = []
    for name, (dim, _, values) in data.items():
        path = os.path.join(folder, f"{word}_{name}.npy")
        formula.write_npy(path, values, dim)
        names.append(f"{name}={path}")
    return ",".join(names)


class Failed(Exception):
    pass


def grows(wanted):
    """Whether PyTorch's loss grows without end too, at which a training ends."""
    losses = [wanted["losses"][f"loss {k + 1}"][0] for k in range(3)]
    return losses[2] > 1e6 * max(1, losses[0])


def must(args, env=None):
    done = run(args, timeout=120, env=env)
    if done.returncode:
        raise Failed(f"{os.path.basename(args[0])} ... {' '.join(args[-4:])} ends with {done.returncode}: {done.stderr.strip()[-600:]}")
    return done


def options(seed, all_passes):
    r = random.Random(f"nnc oracle options {seed}")
    left_out = r.sample(all_passes, r.choice((0, 0, 1, 1, 2, 4)))
    return [f"-fno-{name}" for name in sorted(left_out)], r.random()


def has_onnxruntime():
    return shutil.which("node") and run(["node", "-e", "require('onnxruntime-node')"]).returncode == 0


def by_onnx(exe, at, drawn, env):
    """What onnxruntime computes of the exported network for the samples that are held out, which are more than the compiled batch."""
    done = run([exe, "export", "--checkpoint", at("end.safetensors"), "--out", at("drawn.onnx"), "--quiet"], env=env)
    if done.returncode and "can't be exported as ONNX" in done.stderr:
        return {}
    if done.returncode:
        raise Failed(f"export ends with {done.returncode}: {done.stderr.strip()[-300:]}")
    types = {"f32": "float32", "u8": "uint8", "i32": "int32", "class": "int32"}
    feeds = {name: {"type": types[drawn.inputs[name][1]], "dim": dim, "values": list(values)}
             for name, (dim, _, values) in drawn.data(drawn.steps * drawn.batch, drawn.held_out).items() if not drawn.inputs[name][4]}
    with open(at("feeds.json"), "w") as f:
        json.dump(feeds, f)
    with open(at("feeds.json")) as f:
        done = subprocess.run(["node", os.path.join(HERE, "onnx.mjs"), at("drawn.onnx")], stdin=f, capture_output=True, text=True, check=False)
    if done.returncode:
        return {"onnx": {"onnxruntime says: " + " ".join(re.findall(r"Error: .*", done.stderr)[:1]): []}}
    return {"onnx": json.loads(done.stdout)}


def trained(nnc, drawn, folder, left_out, compiler, onnx):
    """{kind: {name: numbers}} of the trainer."""
    at = lambda name: os.path.join(folder, name)
    with open(at("drawn.net"), "w") as f:
        f.write(drawn.net_text())
    with open(at("drawn.py"), "w") as f:
        f.write(drawn.torch_text())
    exe = at("drawn")
    whole = drawn.way in ("plain", "ranks")
    kept = ["--keep-gradients"] if whole and drawn.keeps else []
    ranks = ["--ranks=2"] if drawn.way == "ranks" else []
    library = [f"--library={drawn.library}"] if drawn.library else []
    must([nnc, at("drawn.net"), "-o", exe, *kept, *ranks, *library, *left_out], env={"CC": compiler, "OMP_NUM_THREADS": "1"})
    states = {n: (dim, values) for n, (dim, _, values) in {**drawn.parameters(), **drawn.states()}.items()}
    formula.write_safetensors(at("begin.safetensors"), states)
    train, held = written(folder, "train", drawn.data(0, drawn.steps * drawn.batch)), \
        written(folder, "held", drawn.data(drawn.steps * drawn.batch, drawn.held_out))
    command = [exe, "--init", at("begin.safetensors"), "--data", train, "--eval-data", held, "--no-shuffle", "--no-augment", "--log", at("log.jsonl"),
               "--log-every", "1", "--checkpoint", at("end.safetensors"), "--quiet", *(["--dump", at("dump.safetensors")] if whole else [])]
    one = {"OMP_NUM_THREADS": "1"}
    must((LAUNCH if ranks else []) + command, env=one)
    got = {"losses": {}, "evaluation": {}}
    with open(at("log.jsonl")) as f:
        for entry in map(json.loads, f):
            if "epoch" in entry or "eval_loss" in entry:
                got["evaluation"].update({n.removeprefix("eval_"): [v] for n, v in entry.items() if n.startswith("eval_") and "seconds" not in n})
            elif "step" in entry:
                got["losses"].update({f"{n} {entry['step']}": [v] for n, v in entry.items() if n not in ("step", "rate")})
    if whole:
        dump = formula.read_safetensors(at("dump.safetensors"))
        if kept:
            got["gradient"] = {n.removeprefix("gradient."): list(v) for n, (_, v) in dump.items() if n.startswith("gradient.")}
    end = {n: list(v) for n, (_, v) in formula.read_safetensors(at("end.safetensors")).items()}
    got["weights"] = {n: end[n] for n in drawn.weights}
    got["statistics"] = {n: end[n] for n in drawn.states()}
    # another program than the evaluation within a training; of one rank
    said = must([exe, "eval", "--data", held, "--checkpoint", at("end.safetensors"), "--quiet"], env=one).stdout
    got["printed"] = {n: [float(v)] for n, v in re.findall(r"eval_(\w+) (\S+)", said)}
    inputs = ",".join(part for part in held.split(",") if not drawn.inputs[part.partition("=")[0]][4])
    must([exe, "predict", "--data", inputs, "--checkpoint", at("end.safetensors"), "--out", at("out.npy"), "--quiet"], env=one)
    names = drawn.outputs
    if onnx:
        got.update(by_onnx(exe, at, drawn, one))
    got["prediction"] = {n: read_npy(at("out.npy" if len(names) == 1 else f"out.{n}.npy")) for n in names}
    return got


def differences(got, wanted, tolerances):
    """A sentence for each kind of number that is another."""
    for kind, values in got.items():
        like = {"printed": "evaluation", "onnx": "prediction"}.get(kind, kind)
        right, allowed = wanted[like], max(tolerances[like], {"printed": PRINTED, "onnx": tolerances["onnx"]}.get(kind, 0))
        if isinstance(right, list):
            said = digest(kind, values)
            for number, value in zip(right, said):
                if not abs(value - number) <= 4 * allowed * math.sqrt(max(1, sum(map(len, values.values())))) * max(right[0], 1e-3):
                    yield f"{kind}: digest {said}, PyTorch has {right}, allowed {allowed:.1e}"
                    break
            continue
        missing = sorted(set(right) - set(values))
        if missing:
            yield f"{kind}: {', '.join(missing)} missing; there are {', '.join(values)}"
            continue
        for name, numbers in right.items():
            by = error(right, values, name)
            if by > allowed:
                yield f"{kind} of {name}: off by {by:.1e}, allowed {allowed:.1e}: {values[name][:4]} for {numbers[:4]}"


# --- a network -----------------------------------------------------------------------------------------------------------------------


class Oracle:
    def __init__(self, given, folder):
        self.given, self.nnc, self.folder = given, os.path.abspath(given.nnc), folder
        self.onnx = has_onnxruntime()
        self.passes, self.without = passes(self.nnc), [k for k in given.without.split(",") if k]
        self.compilers = []
        for level in ("-O0", "-O2"):
            path = os.path.join(folder, "cc" + level)
            with open(path, "w") as f:
                f.write(f'#!/bin/sh\nexec {os.environ.get("CC", "cc")} "$@" {level}\n')
            os.chmod(path, 0o755)
            self.compilers.append(path)

    def network(self, seed, recorded=None):
        """What is known of it, for the record."""
        begun = time.monotonic()
        drawn = draw(seed, self.without)
        left_out, chance = options(seed, self.passes)
        left_out = [] if self.given.all_passes else left_out
        entry = {"seed": seed, "kinds": sorted(drawn.kinds), "options": left_out, "wrong": []}
        folder = os.path.join(self.folder, str(seed))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        wanted = None
        try:
            if recorded and recorded["text"] != self.text(drawn):
                raise Failed("recorded.json has another network of this seed: check.py --write makes it anew")
            if torch is None or self.given.recorded:
                wanted, tolerances = recorded["numbers"], recorded["allowed"]
            else:
                wanted, tolerances = expected(drawn)
                if recorded:  # what takes their place elsewhere is right
                    entry["wrong"] += ["recorded.json: " + text for text in differences(wanted, recorded["numbers"], tolerances)]
            if self.given.write:
                entry["text"], entry["allowed"] = self.text(drawn), {kind: float(f"{most:.2g}") for kind, most in tolerances.items()}
                entry["numbers"] = {kind: digest(kind, values) if kind not in ("losses", "evaluation") else
                                    {n: [float(f"{v[0]:.12g}")] for n, v in values.items()} for kind, values in wanted.items()}
            if drawn.way == "ranks" and not shutil.which("mpirun"):
                entry["skipped"] = "mpirun"
            else:
                got = trained(self.nnc, drawn, folder, left_out, self.compilers[chance < 0.1], self.has_onnx(drawn))
                entry["wrong"] += differences(got, wanted, tolerances)
        except Failed as e:
            entry["grows"] = wanted is not None and ("the loss has grown" in str(e) or "the loss is infinite" in str(e)) and grows(wanted)
            entry["wrong"] = [] if entry["grows"] else [str(e)]
        if not self.given.keep:
            shutil.rmtree(folder)
        entry["seconds"] = round(time.monotonic() - begun, 2)
        return entry

    def has_onnx(self, drawn):
        """onnxruntime's LRN keeps a sum that each channel is added to and taken from: of large values it falls below 0, whose power is NaN.
        And it takes a pad into the pooling after it also where it then refuses the pooling."""
        text = drawn.net_text()
        wrong_there = ("large mean" in drawn.kinds and "lrn(" in text) or ("-> pad(" in text and "pool(" in text)
        return self.onnx and "onnx" not in self.without and not wrong_there

    @staticmethod
    def text(drawn):
        return hashlib.sha256(drawn.net_text().encode()).hexdigest()[:12]


def main():
    options_ = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options_.add_argument("nnc")
    options_.add_argument("--nets", type=int, default=100)
    options_.add_argument("--first", type=int, default=1)
    options_.add_argument("--seed", type=int, help="this network alone")
    options_.add_argument("--without", default=",".join(WITHOUT), help="kinds that are not drawn, between commas (%(default)s)")
    options_.add_argument("--jobs", type=int, default=1)
    options_.add_argument("--seconds", type=float, default=math.inf, help="begin no network after them")
    options_.add_argument("--record", help="append a line of JSON for each network, and leave out those that have one")
    options_.add_argument("--keep", help="a folder in which everything stays")
    options_.add_argument("--all-passes", action="store_true", help="leave no pass out")
    options_.add_argument("--recorded", action="store_true", help="compare with recorded.json though PyTorch is there")
    options_.add_argument("--write", action="store_true", help="write recorded.json")
    given = options_.parse_args()
    v = Verdict("oracle")
    if given.keep:
        os.makedirs(given.keep, exist_ok=True)
    oracle = Oracle(given, os.path.abspath(given.keep) if given.keep else v.folder)
    seeds = [given.seed] if given.seed is not None else list(range(given.first, given.first + given.nets))
    record = {}
    if not given.write:
        with open(RECORDED) as f:
            kept = json.load(f)
        if oracle.without == kept["without"]:
            record = {entry["seed"]: entry for entry in kept["networks"]}
    if torch is None or given.recorded:
        v.skip("PyTorch", "the numbers of recorded.json take its place (apt-get install python3-torch)")
        seeds = [seed for seed in seeds if seed in record]
    if given.record and os.path.exists(given.record):
        with open(given.record) as f:
            done = {json.loads(line)["seed"] for line in f}
        seeds = [seed for seed in seeds if seed not in done]
    begun, lock, kinds, entries = time.monotonic(), threading.Lock(), collections.Counter(), []

    def one(seed):
        if time.monotonic() - begun > given.seconds:
            return
        entry = oracle.network(seed, record.get(seed))
        with lock:
            entries.append(entry)
            kinds.update(entry["kinds"])
            if given.record:
                with open(given.record, "a") as f:
                    f.write(json.dumps(entry) + "\n")
        if "skipped" in entry:
            v.skip(f"network {seed}", f"{entry['skipped']} is not there")
            return
        v.check(f"network {seed} ({', '.join(entry['kinds'])}{' ' if entry['options'] else ''}{' '.join(entry['options'])})", not entry["wrong"],
                "\n".join(entry["wrong"]))

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(one, seeds))
    print("drawn: " + ", ".join(f"{kind} {n}" for kind, n in sorted(kinds.items())))
    if given.write and not v.failed:
        entries.sort(key=lambda entry: entry["seed"])
        keys = ("seed", "text", "allowed", "numbers")
        with open(RECORDED, "w") as f:
            f.write(json.dumps({"without": oracle.without})[:-1] + ', "networks": [\n')
            f.write(",\n".join(json.dumps({key: entry[key] for key in keys}) for entry in entries) + "\n]}\n")
    v.finish()


if __name__ == "__main__":
    main()
