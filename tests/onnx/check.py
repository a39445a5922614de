#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Networks exported as ONNX: check.py NNC [--all] [--onnxruntime SAMPLES EXPORT]

Each is trained for two steps, predicts, and is exported; python3-onnx's checker must accept the file, with full inference of shapes, and what
it computes at batches of 1, B and B + 1 must be the trainer's predictions within 1e-4 of the largest. --all: every network of models/, the
image networks in their small form. Needs Debian's python3-onnx.

The witness is NumPy (evaluate.py; onnx.reference where it is there), or onnxruntime, which NODE_PATH has (runtime.cjs says how to install it);
that also computes every operator's samples, as the interpreter does (samples.c). SAMPLES and EXPORT: the programs of samples.c and export.c.
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import networks
from verdict import ROOT, Verdict, build, run

try:
    import numpy as np
    import onnx
except ImportError:
    print("onnx: 0 passed, 0 failed, 1 skipped (python3-onnx is not there)")
    sys.exit(77)
from evaluate import evaluate
from snippets import SNIPPETS, TABLE, table_rows

TOLERANCE, BATCH = 1e-4, 4
DRAWN = {"dcgan": 0.05}  # outputs of draws, which are others here: after two steps they are still alike so far
OTHERS = {"mnist_cnn": [], "rosenbrock_mlp": [], "witness_net": [], "resnet": ["-D", "width=8", "-D", "size=64"],
          "vgg": ["-D", "width=8", "-D", "hidden=32", "-D", "size=64"],
          "gpt": ["-D", "depth=2", "-D", "width=32"], "gpt2": ["-D", "depth=2", "-D", "width=48", "-D", "vocab=300"],
          "lstm_digits": ["-D", "units=16"], "vae": ["-D", "hidden=32"], "siamese": [], "dcgan": ["-D", "width=8"],
          "mobilenet_v2": ["--recipe", "cifar10", "-D", "size=64"],
          "unet": ["-D", "width=4", "-D", "size=32"], "cifar_speedrun": ["-D", "width=8"]}
SHORT = {"numpy": ["witness_net", "resnet18", "gpt"], "onnxruntime": ["lstm_digits", "vae", "vit_tiny", "gpt", "unet"]}
TYPES = {onnx.TensorProto.FLOAT: ("float32", np.float32), onnx.TensorProto.DOUBLE: ("float64", np.float64),
         onnx.TensorProto.UINT8: ("uint8", np.uint8), onnx.TensorProto.INT32: ("int32", np.int32)}


class NumPy:
    def __call__(self, path, batches):
        model = onnx.load(path)
        try:
            from onnx.reference import ReferenceEvaluator
        except ImportError:
            return [evaluate(model, inputs) for inputs in batches]
        return [ReferenceEvaluator(model).run(None, inputs) for inputs in batches]


class OnnxRuntime:
    """One process of node for all networks. `why`: why there is none."""

    def __init__(self, v):
        self.folder, self.why, node = v.folder, None, shutil.which("node")
        if not node:
            self.why = "node is not there"
            return
        self.node = subprocess.Popen([node, os.path.join(HERE, "runtime.cjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=subprocess.PIPE, text=True)
        first = self.node.stdout.readline()
        if not first:
            self.why = "NODE_PATH has no onnxruntime-node that runs here"
        else:
            print(f"onnxruntime {json.loads(first)['version']}", flush=True)

    def __call__(self, path, batches):
        runs = []
        for k, inputs in enumerate(batches):
            rows = []
            for name, values in inputs.items():
                file = os.path.join(self.folder, f"ort.{k}.{len(rows)}.in")
                np.ascontiguousarray(values).tofile(file)
                rows.append({"name": name, "type": values.dtype.name, "dims": values.shape, "file": file})
            runs.append({"inputs": rows, "outputs": os.path.join(self.folder, f"ort.{k}.out")})
        self.node.stdin.write(json.dumps({"model": path, "runs": runs}) + "\n")
        self.node.stdin.flush()
        answer = json.loads(self.node.stdout.readline() or '{"error": "node has ended"}')
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return [[np.fromfile(x["file"], x["type"]).reshape(x["dims"]) for x in run] for run in answer["runs"]]


def cases(everything, witness):
    """{name: (model, options of nnc)}"""
    rows = {name: (name, words) for name, words in OTHERS.items()}
    for name, n in networks.NETWORKS.items():
        if n.small or name == "resnet50":
            small = n.small or ["-D", "width=8", "-D", "size=64"]
            rows[name] = (n.model, ["--recipe", "cifar10", *n.arguments, *small])
    return rows if everything else {name: rows[name] for name in SHORT[witness]}


def draw(value, generator):
    """One sample more than a batch for an input, by what it is declared as."""
    dim = [d.dim_value for d in value.type.tensor_type.shape.dim][1:]
    dtype = TYPES[value.type.tensor_type.elem_type][1]
    if np.issubdtype(dtype, np.floating):
        return generator.standard_normal([BATCH + 1, *dim]).astype(dtype)
    return generator.integers(0, 256, [BATCH + 1, *dim]).astype(dtype)


def error_of(got, wanted):
    """The largest difference, of the largest number; what is infinite or none must be so in both."""
    got, wanted = got.astype(np.float64), wanted.astype(np.float64)
    with np.errstate(invalid="ignore"):
        different = np.where(np.isfinite(wanted), abs(got - wanted), np.where((got == wanted) | (np.isnan(got) & np.isnan(wanted)), 0, np.inf))
    finite = abs(wanted[np.isfinite(wanted)])
    return (different.max(initial=0) / (finite.max(initial=0) or 1)) if not np.isnan(different).any() else np.inf


def trained(v, nnc, name, source, options, data):
    """A trainer and its checkpoint after two steps."""
    # By clang, which fuses multiplications and additions elsewhere than gcc: argmax must compare the very numbers that it took the largest of.
    other = name == "ramps" and "CC" not in os.environ and shutil.which("clang")
    os.environ.update({"CC": "clang"} if other else {})
    exe, saved = build(v, nnc, source, name, *options, "--set", "precision=fp32", "--set", f"batch={BATCH}"), v.path(name + ".st")
    if other:
        del os.environ["CC"]
    if not exe:
        return None
    done = run([exe, "--data", data, "--steps", "2", "--checkpoint", saved, "--quiet"])
    v.check(f"{name}: two steps", done.returncode == 0, done.stderr)
    return exe, saved


def exported(v, name, exe, saved):
    path = v.path(name + ".onnx")
    done = run([exe, "export", "--checkpoint", saved, "--out", path, "--quiet"])
    if done.returncode == 3 and "was built without" in done.stderr:
        v.skip(f"{name}: exports", done.stderr.strip().splitlines()[0])
        return
    if not v.check(f"{name}: exports", done.returncode == 0, done.stderr):
        return None
    model = onnx.load(path)
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as e:  # the checker's, and that of shape inference
        v.check(f"{name}: the checker takes it", False, e)
        return None
    names = [n.name for n in model.graph.node]
    v.check(f"{name}: each node has a name of its own", all(names) and len(set(names)) == len(names))
    return path, model


def compare(v, witness, name, path, model, inputs, wanted):
    """At batches of 1, B and B + 1, whose rows are the same."""
    outputs, largest, sizes = [value.name for value in model.graph.output], 0, (1, BATCH, BATCH + 1)
    try:
        computed = witness(path, [{key: values[:n] for key, values in inputs.items()} for n in sizes])
    except Exception as e:
        v.check(f"{name}: runs", False, e)
        return
    for n, results in zip(sizes, computed):
        for key, got in zip(outputs, results):
            rows = wanted[key][:n]
            error = error_of(got.reshape(rows.shape), rows) if got.size == rows.size and got.shape[0] == n else np.inf
            v.check(f"{name}: `{key}` of {n} is the trainer's", error <= DRAWN.get(name, TOLERANCE), f"{got.shape}, off by {error:.3g}")
            largest = max(largest, error)
    print(f"{name}: {len(model.graph.node)} nodes, off by {largest:.2g} of the largest", flush=True)


def check(v, witness, nnc, name, source, options):
    made = trained(v, nnc, name, source, options, "synth:random,samples=40")
    written = made and exported(v, name, *made)
    if not written:
        return
    (exe, saved), (path, model), out = made, written, v.path(name + ".npy")
    generator = np.random.default_rng(1)
    inputs = {value.name: draw(value, generator) for value in model.graph.input}
    files = []
    for key, values in inputs.items():
        files.append(f"{key}=" + v.path(f"{name}.{key}.npy"))
        np.save(files[-1].split("=", 1)[1], values)
    done = run([exe, "predict", "--checkpoint", saved, "--data", ",".join(files), "--out", out, "--quiet"])
    if not v.check(f"{name}: predicts", done.returncode == 0, done.stderr):
        return
    keys = [value.name for value in model.graph.output]
    wanted = {key: np.load(out if len(keys) == 1 else f"{out[:-4]}.{key}.npy") for key in keys}
    compare(v, witness, name, path, model, inputs, wanted)


def check_table(v, witness, nnc):
    """A graph of a table takes its columns as they are, in double, and says what they and the classes are."""
    source, table, rows, out = (v.path("table" + ending) for ending in (".net", ".csv", ".rows.npy", ".npy"))
    columns, text = table_rows(BATCH + 1)
    for path, written in ((source, TABLE), (table, text)):
        with open(path, "w") as f:
            f.write(written)
    made = trained(v, nnc, "table", source, [], table)
    written = made and exported(v, "table", *made)
    if not written:
        return
    (exe, saved), (path, model) = made, written
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    v.check("table: the names of classes", json.loads(metadata.get("classes", "null")) == ["ash", "oak"], metadata)
    x = json.loads(metadata.get("table", "{}")).get("x", {})
    if not v.check("table: its columns", x.get("columns") == ["seconds", "height"], metadata):
        return
    mean, scale = (np.array([float(number) for number in x[key]]) for key in ("mean", "scale"))
    np.save(rows, ((columns - mean) / scale).astype(np.float32))  # rows that are no table's are taken as they are
    done = run([exe, "predict", "--checkpoint", saved, "--data", rows, "--out", out, "--quiet"])
    if v.check("table: predicts", done.returncode == 0, done.stderr):
        compare(v, witness, "table", path, model, {"x": columns}, {"scores": np.load(out)})


def check_samples(v, witness, samples, export):
    """Every operator's samples, at batches of 1, 2 and 3."""
    folder = v.path("samples")
    os.mkdir(folder)
    done = run([samples, folder])
    v.check("samples: each operator has a form, or is known to need none", done.returncode == 0, done.stdout + done.stderr)
    graphs = sorted(glob.glob(os.path.join(folder, "*.graph")))
    done = run([export, *graphs])
    if not v.check("samples: written", done.returncode == 0 and graphs, done.stderr):
        return
    for graph in graphs:
        check_operator(v, witness, graph.removesuffix(".graph"))


def parts(values, rows, batch):
    """The arrays that follow one another in bytes."""
    at = 0
    for row in rows:
        dtype = np.dtype({"f32": "f4", "i32": "i4", "u8": "u1"}[row["type"]])
        count = batch * int(np.prod(row["dims"], dtype=int))
        yield row["name"], np.frombuffer(values, dtype, count, at).reshape([batch, *row["dims"]])
        at += count * dtype.itemsize


def check_operator(v, witness, base):
    name = os.path.basename(base)
    with open(base + ".json") as f:
        about = json.load(f)
    batches, wanted = [], []
    for n in (1, 2, 3):
        with open(f"{base}.{n}.in", "rb") as given, open(f"{base}.{n}.out", "rb") as computed:
            batches.append(dict(parts(given.read(), about["inputs"], n)))
            wanted.append(dict(parts(computed.read(), about["outputs"], n)))
    try:
        results = witness(base + ".onnx", batches)
    except Exception as e:
        v.check(f"{name}: its samples run", False, e)
        return
    for n, got, rows in zip((1, 2, 3), results, wanted):
        for row, y in zip(about["outputs"], got):
            right = rows[row["name"]]
            error = error_of(y.reshape(right.shape), right) if y.size == right.size else np.inf
            if name == "uniform":  # others
                error = 0 if y.size == right.size and ((0 <= y) & (y < 1)).all() else np.inf
            v.check(f"{name}: {row['name']} of {n}", error <= TOLERANCE, f"{y.shape}, off by {error:.3g}")


def main():
    words = argparse.ArgumentParser()
    words.add_argument("nnc")
    words.add_argument("--all", action="store_true")
    words.add_argument("--onnxruntime", nargs=2, metavar=("SAMPLES", "EXPORT"))
    asked = words.parse_args()
    v = Verdict("onnxruntime" if asked.onnxruntime else "onnx")
    witness, nnc = NumPy(), os.path.abspath(asked.nnc)
    if asked.onnxruntime:
        witness = OnnxRuntime(v)
        if witness.why:
            print(f"onnxruntime: 0 passed, 0 failed, 1 skipped ({witness.why})")
            sys.exit(77)
    rows = cases(asked.all, "onnxruntime" if asked.onnxruntime else "numpy")
    if asked.all:
        files = {os.path.basename(path).removesuffix(".net") for path in glob.glob(os.path.join(ROOT, "models", "*.net"))}
        v.check("no network of models/ is left out", files <= {model for model, _ in rows.values()}, files)
    if asked.onnxruntime:
        check_samples(v, witness, *map(os.path.abspath, asked.onnxruntime))
    for name, text in SNIPPETS.items():
        with open(v.path(name + ".net"), "w") as f:
            f.write(text)
        check(v, witness, nnc, name, v.path(name + ".net"), [])
    check_table(v, witness, nnc)
    for name, (model, options) in rows.items():
        check(v, witness, nnc, name, networks.source(model), options)
    v.finish()


main()
