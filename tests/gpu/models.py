#!/usr/bin/env python3
"""The models on a GPU, as users run them: models.py NNC [MODEL ...]

Against the CPU target in double precision: losses of ten steps and every gradient of the first, in each arithmetic, and with
each optional pass left out. Graphs of whole steps equal --no-graph, and two --deterministic runs each other, bit for bit:
parameters, states and every logged number. A stopped and resumed training equals one that was not. MNIST learns.
"""
import array
import concurrent.futures
import json
import math
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "witness")]
import formula
from verdict import DATA, ROOT, Verdict, run

STEPS = 10
MODELS = {  # options of nnc, of the trainer
    "mnist_cnn": ([], ["--data", "synth:digits,samples=3000"]),
    "witness_net": (["-D", "drop=0.2"], ["--data", "synth:digits,samples=3000"]),
    "rosenbrock_mlp": (["--set", "batch=500"], ["--data", "synth:rosenbrock,samples=8000"]),
    # at the recipe's rate so small a batch goes a way on which rounding errors double in every step
    "resnet50": (["--recipe", "cifar10", "--set", "batch=32"], ["--data", "synth:images,samples=1000", "--rate", "0.001"]),
}
DEEP = ["resnet50"]
SCALE = 128  # of a deep network's loss in fp16: at the first one, 65536, gradients may overflow, and steps are skipped
# Relative errors allowed, of a shallow network and of resnet50, which normalises 32 pixels in its last stage: of a gradient
# (to its norm, sampled), of the losses of the first and the last step. Below 1, so that a gradient of zeros fails.
ARITHMETICS = {
    "fp32": (dict(gradient=1e-3, first=1e-5, last=1e-4), dict(gradient=2e-2, first=5e-4, last=2e-2)),
    "tf32": (dict(gradient=5e-2, first=1e-3, last=1e-2), dict(gradient=5e-1, first=4e-2, last=2e-1)),
    "bf16": (dict(gradient=2e-1, first=1e-2, last=5e-2), dict(gradient=9e-1, first=3e-1, last=5e-1)),
    "fp16": (dict(gradient=5e-2, first=2e-3, last=2e-2), dict(gradient=5e-1, first=4e-2, last=2e-1)),
}
SAMPLED = 2000  # elements of one gradient
ACCURACY = 0.955

nnc, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or list(MODELS)
v = Verdict("models")
TUNING = "15"  # seconds
tuned = set()
pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())


def start_build(name, label, *options):
    """A future of (path or None)."""
    exe = v.path(f"{name}_{label}")
    source = os.path.join(ROOT, "models", name + ".net")
    own = MODELS[name][0]

    def work():
        done = run([nnc, source, "-o", exe, *own, *options])
        return exe if done.returncode == 0 else done.stderr
    future = pool.submit(work)

    def finish():
        got = future.result()
        built = v.check(f"nnc {name} {' '.join(options)}", got == exe, got)
        return exe if built else None
    return finish


def log_lines(path):
    with open(path) as f:
        return [{k: x for k, x in json.loads(line).items() if k not in ("samples_per_second", "seconds")} for line in f]


def tune_env(name, seconds):
    """A record for each model, to which a trainer adds in its first run alone: other plans compute other bits."""
    return {"NNR_TUNE": v.path(name + ".tune"), "NNR_TUNE_SECONDS": seconds}


def train(name, exe, label, *options, steps=STEPS):
    """Path of the files of a run, without suffix, or None after a failure."""
    path = v.path(f"{name}-{label}")
    env = tune_env(name, "0" if exe in tuned else TUNING)
    tuned.add(exe)
    done = run([exe, *MODELS[name][1], "--steps", str(steps), "--log", path + ".jsonl", "--log-every", "1",
                "--quiet", *[o.format(path=path) for o in options]], env=env)
    fine = v.check(f"{name}, {label}: runs", done.returncode == 0, f"{done.returncode}: {done.stderr}")
    return path if fine else None


def start_of(name, exact):
    """Options of a trainer in fp16 that begins where the exact one does, but with a loss scale that fits."""
    dump, path = v.path(f"{name}-start.dump"), v.path(f"{name}-start.safetensors")
    data = MODELS[name][1][:2]
    done = run([exact, *data, "--steps", "1", "--rate", "1e-30", "--no-eval", "--quiet", "--dump", dump])  # a step of no length
    if not v.check(f"{name}: its initial weights", done.returncode == 0, done.stderr):
        return []
    tensors = {n.removeprefix("param."): x for n, x in formula.read_safetensors(dump).items() if n.startswith("param.")}
    formula.write_safetensors(path, {**tensors, "loss_scale": ((), array.array("f", [SCALE]))})
    return ["--init", path]


def losses(path):
    return [line["loss"] for line in log_lines(path + ".jsonl") if "epoch" not in line]


def gradient_error(got, wanted):
    """Largest over the tensors of |got - wanted| / |wanted|, over elements spread evenly; and the tensor."""
    worst, where = 0.0, "no gradient"
    for name, (dim, exact) in wanted.items():
        if not name.startswith("gradient."):
            continue
        values = got[name][1] if name in got else [math.nan] * len(exact)
        step = max(1, len(exact) // SAMPLED)
        norm = math.sqrt(math.fsum(x * x for x in exact[::step]))
        off = math.sqrt(math.fsum((a - b) ** 2 for a, b in zip(values[::step], exact[::step])))
        error = off / max(norm, 1e-6)  # a bias in front of a normalisation has no gradient but rounding
        if not error <= worst:
            worst, where = error, name
    return worst, where


def compare(what, name, arithmetic, path, exact, exact_dump):
    tolerance = ARITHMETICS[arithmetic][name in DEEP]
    got = losses(path)
    errors = [abs(a / b - 1) for a, b in zip(got, exact)]
    for i, error in enumerate(errors):
        share = i / (STEPS - 1)
        allowed = tolerance["first"] ** (1 - share) * tolerance["last"] ** share
        v.check(f"{what}: loss of step {i + 1}", error <= allowed, f"{got[i]!r}, the CPU has {exact[i]!r}")
    v.check(f"{what}: {STEPS} losses", len(got) == len(exact) == STEPS, got)
    text = f"{what}: largest relative errors: loss at first {errors[0]:.1e}, of all steps {max(errors):.1e}"
    if exact_dump:
        error, where = gradient_error(formula.read_safetensors(path + ".dump"), exact_dump)
        v.check(f"{what}: gradients", error <= tolerance["gradient"], f"{error:.1e} of {where}")
        text += f", a gradient {error:.1e} ({where})"
    print(text, flush=True)


def same_bytes(what, one, two):
    with open(one, "rb") as a, open(two, "rb") as b:
        v.check(what, a.read() == b.read())


def check_bits(name, exe):
    """Graphs against plain launches, one deterministic run against another, stopped and resumed against not."""
    ways = {"graph": ["--deterministic"], "again": ["--deterministic"], "plain": ["--deterministic", "--no-graph"]}
    steps = 60 if name not in DEEP else 25
    paths = {way: train(name, exe, way, *options, "--checkpoint", "{path}.safetensors", steps=steps)
             for way, options in ways.items()}
    if not all(paths.values()):
        return
    for way, what in (("again", "two --deterministic runs"), ("plain", "graph and --no-graph")):
        same_bytes(f"{name}: {what}: parameters and states", paths["graph"] + ".safetensors", paths[way] + ".safetensors")
        v.check(f"{name}: {what}: every logged number", log_lines(paths["graph"] + ".jsonl") == log_lines(paths[way] + ".jsonl"))
    resumed = ["resumed", "--deterministic", "--checkpoint", "{path}.safetensors"]
    half = train(name, exe, *resumed, "--stop-after", str(steps // 2 + 1), steps=steps)
    if half and train(name, exe, *resumed, "--resume", steps=steps):
        same_bytes(f"{name}: resumed: parameters and states", paths["graph"] + ".safetensors", half + ".safetensors")


def check_mnist(exe):
    folder = os.path.join(DATA, "mnist10k")
    if not os.path.isdir(folder):
        return v.skip("mnist_cnn on real digits", f"{folder} is not there")
    log = v.path("mnist.jsonl")
    done = run([exe, "--data", folder, "--log", log, "--quiet"], env=tune_env("mnist_cnn", "0"))
    if v.check("mnist_cnn: 12 epochs", done.returncode == 0, done.stderr):
        reached = log_lines(log)[-1]["eval_accuracy"]
        v.check(f"mnist_cnn reaches {100 * ACCURACY} % on held-out digits", reached >= ACCURACY, reached)


def main():
    passes = re.findall(r"-fno-(\w+)", run([nnc, "--print=passes"]).stdout)
    v.check("there are optional passes", len(passes) >= 4, passes)
    exact, gpu, product, without = {}, {}, {}, {}
    for name in names:
        exact[name] = start_build(name, "exact", "--cpu=loops", "--set", "precision=fp64", "--keep-gradients")
    for name in names:
        product[name] = start_build(name, "product", "--target=cuda")
        for arithmetic in ARITHMETICS:
            gpu[name, arithmetic] = start_build(name, arithmetic, "--target=cuda", "--set", f"precision={arithmetic}",
                                                "--keep-gradients")
        if name not in DEEP:
            for p in passes:
                without[name, p] = start_build(name, "no_" + p, "--target=cuda", "--set", "precision=fp32", f"-fno-{p}")

    def check_model(name):
        oracle = exact[name]()
        path = oracle and train(name, oracle, "exact", "--dump", "{path}.dump")
        if not path:
            return
        wanted, dump = losses(path), formula.read_safetensors(path + ".dump")
        for arithmetic in ARITHMETICS:
            exe = gpu[name, arithmetic]()
            start = start_of(name, oracle) if arithmetic == "fp16" and name in DEEP else []
            path = exe and train(name, exe, arithmetic, "--dump", "{path}.dump", *start)
            if path:
                compare(f"{name}, {arithmetic}", name, arithmetic, path, wanted, dump)
        for p in passes if name not in DEEP else []:
            exe = without[name, p]()
            path = exe and train(name, exe, "no_" + p)
            if path:
                compare(f"{name} without {p}", name, "fp32", path, wanted, None)
        exe = product[name]()
        if exe:
            path = train(name, exe, "product")
            if path:
                compare(f"{name}, as users get it", name, "tf32", path, wanted, None)
            check_bits(name, exe)
        if exe and name == "mnist_cnn":
            check_mnist(exe)
    with concurrent.futures.ThreadPoolExecutor(len(names)) as models:
        list(models.map(check_model, names))
    v.finish()


main()
