#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The models on a GPU, as users run them: models.py NNC [MODEL ...]

Against the CPU target in double precision: losses of ten steps and every gradient of the first, in each arithmetic, and with
each optional pass left out; of resnet50 also how far ten steps have moved each parameter. Graphs of whole steps equal --no-graph, and two --deterministic runs each other, bit for bit:
parameters, states and every logged number. Of the other networks of images (networks.py), in their small form, only that: their
numbers are compared with PyTorch's (witness/check.py). A stopped and resumed training equals one that was not. MNIST learns. `carry`: a training
whose products gather its batches equals one that gathers them itself, streamed and launch by launch too. `row_sums`: predictions of a
product that sums up its rows equal those of one that does not.
"""
import array
import concurrent.futures
import math
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "witness")]
import formula
from networks import NETWORKS, small_options, source
from verdict import DATA, ROOT, Verdict, json_lines, run

STEPS = 10
MODELS = {  # options of nnc, of the trainer
    "mnist_cnn": ([], ["--data", "synth:digits,samples=3000"]),
    "witness_net": (["-D", "drop=0.2"], ["--data", "synth:digits,samples=3000"]),
    "rosenbrock_mlp": (["--set", "batch=500"], ["--data", "synth:rosenbrock,samples=8000"]),
    # a rate at which the losses move by more than rounding does: one that is 10 % higher changes the last ones by 10 %
    "resnet50": (["--recipe", "cifar10", "--set", "batch=32"], ["--data", "synth:images,samples=1000", "--rate", "0.03"]),
}
SMALL = [name for name, network in NETWORKS.items() if network.small]
MODELS |= {name: (small_options(name), ["--data", "synth:images,samples=100", "--rate", "0.01"]) for name in SMALL}
DEEP = ["resnet50"]  # they begin from formula.gentle() weights
SCALE = 128  # of a deep network's loss in fp16: at the first one, 65536, gradients may overflow, and steps are skipped
# Relative errors allowed, of a shallow network and of a deep one: of a tensor (to its norm, sampled), which is a gradient or what
# ten steps have moved; of half of them; of the losses of the first and the last step. The deep ones are three times what rounding
# does in PyTorch, where the factors of products, and in 16 bits what is stored, were rounded as here: tensors 0.007, 0.07, 0.18 and
# 0.06, half of them 0.001, 0.03, 0.11 and 0.03, losses 1e-6, 3e-4, 3e-3 and 2e-4.
ARITHMETICS = {
    "fp32": (dict(tensor=1e-3, first=1e-5, last=1e-4), dict(tensor=2e-2, half=4e-3, first=1e-5, last=1e-5)),
    "tf32": (dict(tensor=5e-2, first=1e-3, last=1e-2), dict(tensor=2e-1, half=1e-1, first=1e-3, last=1e-3)),
    "bf16": (dict(tensor=2e-1, first=1e-2, last=5e-2), dict(tensor=5e-1, half=3e-1, first=1e-2, last=1e-2)),
    "fp16": (dict(tensor=5e-2, first=2e-3, last=2e-2), dict(tensor=2e-1, half=1e-1, first=1e-3, last=1e-3)),
}
SAMPLED = 2000  # elements of one gradient
ACCURACY = 0.955

CARRY, ROW_SUMS = "carry", "row_sums"
EXACT = "exact"  # the CPU target's trainer, in double precision
nnc, names = os.path.abspath(sys.argv[1]), sys.argv[2:] or [*MODELS, CARRY, ROW_SUMS]
v = Verdict("models")
TUNING = "15"  # seconds
tuned = set()
pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())


def start_build(name, label, *options):
    """A future of (path or None)."""
    exe = v.path(f"{name}_{label}")
    path = source(NETWORKS[name].model if name in NETWORKS else name)
    own = MODELS[name][0]

    def work():
        done = run([nnc, path, "-o", exe, *own, *options])
        return exe if done.returncode == 0 else done.stderr
    future = pool.submit(work)

    def finish():
        got = future.result()
        built = v.check(f"nnc {name} {' '.join(options)}", got == exe, got)
        return exe if built else None
    return finish


def log_lines(path):
    """The log's lines of steps and epochs, without times and memory: two equal trainings have equal ones."""
    lines = json_lines(path)
    times = ("samples_per_second", "seconds", "data_wait", "memory")
    return [{k: x for k, x in line.items() if k not in times} for line in lines if "run" not in line]


def tune_env(name, seconds):
    """A record for each model, to which a trainer adds in its first run alone: other plans compute other bits."""
    return {"NNR_TUNE": v.path(name + ".tune"), "NNR_TUNE_SECONDS": seconds}


def train(name, exe, label, *options, steps=STEPS):
    """Path of the files of a run, without suffix, or None after a failure."""
    path = v.path(f"{name}-{label}")
    env = tune_env(name, "0" if exe in tuned else TUNING)
    # its steps have the plans of the later runs; a trainer of the CPU has none
    first = [] if exe in tuned or label == EXACT else ["--tune-when", "before"]
    tuned.add(exe)
    done = run([exe, *MODELS[name][1], "--steps", str(steps), "--log", path + ".jsonl", "--log-every", "1",
                "--quiet", *first, *[o.format(path=path) for o in options]], env=env)
    fine = v.check(f"{name}, {label}: runs", done.returncode == 0, f"{done.returncode}: {done.stderr}")
    return path if fine else None


def start_of(name, exact):
    """Where each of a deep network's trainers begins: the tensors, and their path."""
    dump, path = v.path(f"{name}-start.dump"), v.path(f"{name}-start.safetensors")
    data = MODELS[name][1][:2]
    done = run([exact, *data, "--steps", "1", "--rate", "1e-30", "--no-eval", "--quiet", "--dump", dump])  # a step of no length
    if not v.check(f"{name}: its initial weights", done.returncode == 0, done.stderr):
        return {}, None
    initial = {n.removeprefix("param."): x for n, x in formula.read_safetensors(dump).items() if n.startswith("param.")}
    tensors = {n: (dim, array.array("f", formula.gentle(n, x))) for n, (dim, x) in initial.items()}
    formula.write_safetensors(path, tensors)
    formula.write_safetensors(path + ".fp16", {**tensors, "loss_scale": ((), array.array("f", [SCALE]))})
    return tensors, path


def losses(path):
    return [line["loss"] for line in log_lines(path + ".jsonl") if "epoch" not in line]


def distances(got, wanted):
    """Of every tensor |got - wanted| / |wanted|, over elements spread evenly, and its name; the largest last."""
    def spread(values):
        return values[::max(1, len(values) // SAMPLED)]

    def norm(values):
        return math.sqrt(math.fsum(x * x for x in values))
    result = []
    for name, exact in wanted.items():
        length = norm(spread(exact))
        if name.endswith("batchnorm.bias"):  # its terms cancel, in front of a normalisation nearly all: its weight's do not
            length = max(length, norm(spread(wanted[name.removesuffix("bias") + "weight"])))
        off = norm([a - b for a, b in zip(spread(got.get(name, [math.nan] * len(exact))), spread(exact))])
        error = off / max(length, 1e-6)  # a bias in front of a normalisation has no gradient but rounding
        result.append((error if error >= 0 else math.inf, name))
    return sorted(result)


def compare_tensors(what, kind, got, wanted, tolerance):
    """The words for the report."""
    errors = distances(got, wanted)
    (worst, where), (median, _) = errors[-1], errors[len(errors) // 2]
    v.check(f"{what}: {kind}s", worst <= tolerance["tensor"], f"{worst:.1e} of {where}, allowed {tolerance['tensor']:.0e}; "
            f"{sum(e > tolerance['tensor'] for e, _ in errors)} of {len(errors)} are that far off")
    if "half" in tolerance:
        v.check(f"{what}: half of all {kind}s", median <= tolerance["half"], f"{median:.1e}, allowed {tolerance['half']:.0e}")
    return f", a {kind} {worst:.1e} ({where})" + (f", half of them {median:.1e}" if "half" in tolerance else "")


def gradients_of(path):
    return {n: x for n, (_, x) in formula.read_safetensors(path + ".dump").items() if n.startswith("gradient.")}


def movements_of(path, start):
    """What training has added to each parameter."""
    end = formula.read_safetensors(path + ".end")
    return {n: array.array("d", [b - a for a, b in zip(x, end[n][1])]) for n, (_, x) in start.items()}


def compare(what, name, arithmetic, path, wanted):
    """`wanted`: losses, gradients, movements; of the latter what there is."""
    tolerance = ARITHMETICS[arithmetic][name in DEEP]
    exact, exact_gradients, start, exact_movements = wanted
    got = losses(path)
    errors = [abs(a / b - 1) for a, b in zip(got, exact)]
    for i, error in enumerate(errors):
        share = i / (STEPS - 1)
        allowed = tolerance["first"] ** (1 - share) * tolerance["last"] ** share
        v.check(f"{what}: loss of step {i + 1}", error <= allowed, f"{got[i]!r}, wanted {exact[i]!r}: {error:.1e} off, allowed {allowed:.0e}")
    v.check(f"{what}: {STEPS} losses", len(got) == len(exact) == STEPS, got)
    text = f"{what}: largest relative errors: loss at first {errors[0]:.1e}, of all steps {max(errors):.1e}"
    if exact_gradients:
        text += compare_tensors(what, "gradient", gradients_of(path), exact_gradients, tolerance)
    if start:
        text += compare_tensors(what, "movement", movements_of(path, start), exact_movements, tolerance)
    print(text, flush=True)


def same_bytes(what, one, two):
    with open(one, "rb") as a, open(two, "rb") as b:
        v.check(what, a.read() == b.read())


def check_bits(name, exe):
    """Graphs against plain launches, one deterministic run against another, stopped and resumed against not."""
    ways = {"graph": ["--deterministic"], "again": ["--deterministic"], "plain": ["--deterministic", "--no-graph"]}
    steps = 25 if name in DEEP + SMALL else 60
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


def decide(record, products, ns):
    """Rewrites a tune record: of the products with this text, that our kernels were tried for, they take so long; 0: they do not work."""
    with open(record) as f:
        lines = [re.sub(r" own_ns=-?\d+ ", f" own_ns={ns} ", line) if products in line else line for line in f]
    with open(record, "w") as f:
        f.writelines(lines)
    return sum(products in line and f" own_ns={ns} " in line for line in lines)


def check_carry():
    """Products gather their step's next batch; no tile divides it."""
    source, size = os.path.join(ROOT, "models", "rosenbrock_mlp.net"), ["--set", "batch=8200"]
    env, ends, says = tune_env(CARRY, TUNING), {}, "gather: 2 products of a step bring"

    def train_large(build, exe, *way):
        end = ends[build, *way] = v.path(f"carry-{build}{''.join(way)}.safetensors")
        done = run([exe, "--data", "synth:rosenbrock,samples=32800", "--steps", "10", "--deterministic", "--checkpoint", end, *way], env=env)
        return v.check(f"large batches, {build} {' '.join(way)}: runs", done.returncode == 0, f"{done.returncode}: {done.stderr}") and done.stdout + done.stderr
    for build, option, ways in (("carried", [], ["--no-graph", "--stream"]), ("apart", ["-fno-carry_gather"], []), ("by the library", ["-fno-product"], [])):
        exe = v.path(f"carry-{build}")
        done = run([nnc, source, "-o", exe, "--target=cuda", *size, *option])
        said = v.check(f"large batches, {build}: nnc", done.returncode == 0, done.stderr) and train_large(build, exe)
        if said and build == "carried":
            env["NNR_TUNE_SECONDS"] = "0"
            if not v.check("large batches: the record has two products that ours were tried for", decide(env["NNR_TUNE"], " a km b nk", 1) == 2, said):
                return
            said = train_large(build, exe)
        if not said or not all(train_large(build, exe, way) for way in ways):
            return
        v.check(f"large batches, {build}: who gathers", (says in said) == (build == "carried"), said)
    for way in ("--no-graph", "--stream"):
        same_bytes(f"large batches: graph and {way}", ends["carried",], ends["carried", way])
    same_bytes("batches gathered in products and apart", ends["carried",], ends["apart",])
    library, own = ({n: x for n, (_, x) in formula.read_safetensors(ends[b,]).items()} for b in ("by the library", "carried"))
    print("large batches" + compare_tensors("by our products and the library's", "tensor", own, library, ARITHMETICS["tf32"][0]), flush=True)


def check_row_sums():
    """Predictions where the product's kernel sums up its rows, where the one after the library's does, and without the pass."""
    source, samples, width, found = os.path.join(ROOT, "models", "rosenbrock_mlp.net"), 8300, 1000, {}
    x, weights, env = v.path("rows.npy"), v.path("rows.safetensors"), tune_env("rows", TUNING)
    noise = random.Random(7)
    formula.write_npy(x, array.array("f", (noise.uniform(-2, 2) for _ in range(samples * width))), [samples, width])

    def predict(exe, label):
        out = v.path("rows-" + label.replace(" ", "_") + ".npy")
        done = run([exe, "predict", "--data", x, "--checkpoint", weights, "--out", out], env=env)
        if v.check(f"sums of rows, {label}: runs", done.returncode == 0, f"{done.returncode}: {done.stderr}"):
            with open(out, "rb") as f:
                found[label] = array.array("f", f.read()[-4 * samples:])
    for build, option in (("summed", []), ("apart", ["-fno-epilogues"])):
        exe = v.path("rows-" + build)
        done = run([nnc, source, "-o", exe, "--target=cuda", "--set", "batch=8200", *option])
        if not v.check(f"sums of rows, {build}: nnc", done.returncode == 0, done.stderr):
            return
        if build == "summed":
            done = run([exe, "--data", "synth:rosenbrock,samples=8200", "--epochs", "1", "--checkpoint", weights], env=env)
            if not v.check("sums of rows: trains", done.returncode == 0, done.stderr):
                return
            for label, ns in (("by ours", 1), ("by the kernel after", 0)):
                env["NNR_TUNE_SECONDS"] = "0"
                tried = decide(env["NNR_TUNE"], " + tanh + row sums 4 own", ns)
                v.check(f"sums of rows, {label}: the record has the product", tried == 1, tried)
                predict(exe, label)
        else:
            predict(exe, build)
    whole = found.get("apart")
    for label in [label for label in found if label != "apart" and whole]:
        off = math.sqrt(sum((a - b)**2 for a, b in zip(found[label], whole)) / sum(b * b for b in whole))
        # ours and the library's add up in other orders, and a prediction is what is left of 1000 terms: 4e-4 on an H200
        v.check(f"sums of rows, {label}", off <= 2e-3, f"{off:.1e} of the predictions' norm, allowed 2e-3")
        print(f"sums of rows, {label}: {off:.1e}", flush=True)


def main():
    passes = re.findall(r"-fno-(\w+)", run([nnc, "--print=passes"]).stdout)
    v.check("there are optional passes", len(passes) >= 4, passes)
    exact, gpu, product, without = {}, {}, {}, {}
    models = [name for name in names if name in MODELS and name not in SMALL]
    for name in names:
        if name in SMALL:
            product[name] = start_build(name, "product", "--target=cuda")
    for name in models:
        exact[name] = start_build(name, EXACT, "--library=none", "--set", "precision=fp64", "--keep-gradients")
    for name in models:
        product[name] = start_build(name, "product", "--target=cuda")
        for arithmetic in ARITHMETICS:
            gpu[name, arithmetic] = start_build(name, arithmetic, "--target=cuda", "--set", f"precision={arithmetic}",
                                                "--keep-gradients")
        if name not in DEEP:
            for p in passes:
                without[name, p] = start_build(name, "no_" + p, "--target=cuda", "--set", "precision=fp32", f"-fno-{p}")

    def check_small(name):
        exe = product[name]()
        if exe and train(name, exe, "product"):
            check_bits(name, exe)

    def check_model(name):
        oracle = exact[name]()
        start, file = start_of(name, oracle) if oracle and name in DEEP else ({}, None)

        def begin(arithmetic):
            return ["--init", file + (".fp16" if arithmetic == "fp16" else ""), "--checkpoint", "{path}.end"] if file else []
        path = oracle and train(name, oracle, EXACT, "--dump", "{path}.dump", *begin("fp64"))
        if not path:
            return
        found, gradients, moved = losses(path), gradients_of(path), start and movements_of(path, start)
        for arithmetic in ARITHMETICS:
            exe = gpu[name, arithmetic]()
            path = exe and train(name, exe, arithmetic, "--dump", "{path}.dump", *begin(arithmetic))
            if path:
                compare(f"{name}, {arithmetic}", name, arithmetic, path, (found, gradients, start, moved))
        for p in passes if name not in DEEP else []:
            exe = without[name, p]()
            path = exe and train(name, exe, "no_" + p)
            if path:
                compare(f"{name} without {p}", name, "fp32", path, (found, None, None, None))
        exe = product[name]()
        if exe:
            path = train(name, exe, "product", *begin("tf32"))
            if path:
                compare(f"{name}, as users get it", name, "tf32", path, (found, None, start, moved))
            check_bits(name, exe)
        if exe and name == "mnist_cnn":
            check_mnist(exe)
    with concurrent.futures.ThreadPoolExecutor(len(names)) as beside:
        list(beside.map(lambda name: {CARRY: check_carry, ROW_SUMS: check_row_sums}.get(
            name, lambda: check_small(name) if name in SMALL else check_model(name))(), names))
    v.finish()


main()
