#!/usr/bin/python3
"""Networks exported as ONNX: check.py NNC [--all]

Each is trained for a step, predicts, and is exported; python3-onnx's checker must accept the file, with full inference of shapes, and what it
computes in NumPy (evaluate.py; onnx.reference where it is there) must be the trainer's predictions within 1e-4 of the largest. --all: every
network of models/, the image networks in their small form. Needs Debian's python3-onnx.
"""
import glob
import os
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

TOLERANCE, BATCH = 1e-4, 4
OTHERS = {"mnist_cnn": [], "rosenbrock_mlp": [], "witness_net": [], "resnet": ["-D", "width=8", "-D", "size=64"],
          "vgg": ["-D", "width=8", "-D", "hidden=32", "-D", "size=64"],
          "gpt": ["-D", "depth=2", "-D", "width=32"], "gpt2": ["-D", "depth=2", "-D", "width=48", "-D", "vocab=300"]}
SHORT = ["witness_net", "resnet18", "gpt"]
# What no network of models/ has. A ramp counts the places between two pixels, the elements that argmax looks at, and those of `arange`.
# Parameters may be called as anything in the lines that the graph is made of.
RAMPS = """model ramps {
    input  x: f32[5, 4, 3]
    target y: f32[25, 12, 2]
    param  filters: f32[3] init normal(1)
    param  n1: f32[3] init normal(1)
    large = (x*filters + n1) -> conv(2, 3, pad = same) -> tanh -> upsample((5, 3), bilinear)
    loss   mse(large, y)
    placed = large*arange(-1, 1, 1)
    best   = large -> argmax
    output placed
    output best
}
train ramps { optimizer sgd(rate = 0.1) }
"""
# Indices of classes, each with a place, as rows of zeros and a one.
HOT = """model hot {
    input  word: i32[5]
    target y: class[3]
    hot    = one_hot(word, 256)
    scores = (hot*hot) -> flatten -> dense(3)
    loss   cross_entropy(scores, y)
    output scores
    output hot
}
train hot { optimizer sgd(rate = 0.1) }
"""
# A batchnorm of [steps, channels], which ONNX's own wants the other way round.
SOUNDS = """model sounds {
    input  wave: f32[24, 2]
    target y: class[3]
    scores = wave -> conv1d(5, 3, pad = same) -> batchnorm -> relu -> flatten -> dense(3)
    loss   cross_entropy(scores, y)
    output scores
}
train sounds { optimizer sgd(rate = 0.1) }
"""
# Films: windows along the depth, too.
FILMS = """model films {
    input  clip: f32[6, 5, 4, 2]
    target y: class[3]
    x = clip -> conv3d(4, 3, stride = (2, 1, 1), pad = 1) -> batchnorm -> relu -> conv3d(4, (3, 1, 1), pad = same, groups = 2)
    scores = x -> maxpool3d((1, 2, 2)) -> mean((0, 1, 2)) -> dense(3)
    loss   cross_entropy(scores, y)
    output scores
}
train films { optimizer sgd(rate = 0.1) }
"""


def cases(everything):
    """{name: (model, options of nnc)}"""
    rows = {name: (name, words) for name, words in OTHERS.items()}
    for name, n in networks.NETWORKS.items():
        if n.small or name == "resnet50":
            small = n.small or ["-D", "width=8", "-D", "size=64"]
            rows[name] = (n.model, ["--recipe", "cifar10", *n.arguments, *small])
    return rows if everything else {name: rows[name] for name in SHORT}


def computed(model, inputs):
    try:
        from onnx.reference import ReferenceEvaluator
    except ImportError:
        return evaluate(model, inputs)
    return ReferenceEvaluator(model).run(None, inputs)


def draw(value, generator):
    """A batch for an input, by what it is declared as."""
    dim = [d.dim_value for d in value.type.tensor_type.shape.dim][1:]
    kind = value.type.tensor_type.elem_type
    if kind == onnx.TensorProto.FLOAT:
        return generator.standard_normal([BATCH, *dim]).astype(np.float32)
    return generator.integers(0, 256, [BATCH, *dim]).astype(np.uint8 if kind == onnx.TensorProto.UINT8 else np.int32)


def check(v, nnc, name, source, options):
    exe = build(v, nnc, source, name, *options, "--set", "precision=fp32", "--set", f"batch={BATCH}")
    if not exe:
        return
    saved, path, out = v.path(name + ".st"), v.path(name + ".onnx"), v.path(name + ".npy")
    done = run([exe, "--data", "synth:random,samples=40", "--steps", "2", "--checkpoint", saved, "--quiet"])
    v.check(f"{name}: two steps", done.returncode == 0, done.stderr)
    done = run([exe, "export", "--checkpoint", saved, "--out", path, "--quiet"])
    if done.returncode == 3 and "was built without" in done.stderr:
        v.skip(f"{name}: exports", done.stderr.strip().splitlines()[0])
        return
    if not v.check(f"{name}: exports", done.returncode == 0, done.stderr):
        return
    exported = onnx.load(path)
    try:
        onnx.checker.check_model(exported, full_check=True)
    except Exception as e:  # the checker's, and that of shape inference
        v.check(f"{name}: the checker takes it", False, e)
        return
    v.check(f"{name}: the checker takes it", True)
    generator = np.random.default_rng(1)
    inputs = {value.name: draw(value, generator) for value in exported.graph.input}
    files = []
    for key, values in inputs.items():
        files.append(v.path(f"{name}.{key}.npy"))
        np.save(files[-1], values)
    done = run([exe, "predict", "--checkpoint", saved, "--data", ",".join(files), "--out", out, "--quiet"])
    if not v.check(f"{name}: predicts", done.returncode == 0, done.stderr):
        return
    outputs = [value.name for value in exported.graph.output]
    largest = 0
    for key, got in zip(outputs, computed(exported, inputs)):
        wanted = np.load(out if len(outputs) == 1 else f"{out[:-4]}.{key}.npy")
        error = abs(got.reshape(wanted.shape) - wanted).max() / abs(wanted).max()
        v.check(f"{name}: `{key}` is the trainer's", got.size == wanted.size and error <= TOLERANCE, error)
        largest = max(largest, error)
    print(f"{name}: {len(exported.graph.node)} nodes, off by {largest:.2g} of the largest", flush=True)


def main():
    v = Verdict("onnx")
    nnc, everything = os.path.abspath(sys.argv[1]), "--all" in sys.argv
    rows = cases(everything)
    if everything:
        files = {os.path.basename(path).removesuffix(".net") for path in glob.glob(os.path.join(ROOT, "models", "*.net"))}
        v.check("no network of models/ is left out", files <= {model for model, _ in rows.values()}, files)
    for name, (model, options) in rows.items():
        check(v, nnc, name, networks.source(model), options)
    for name, text in (("ramps", RAMPS), ("sounds", SOUNDS), ("films", FILMS), ("hot", HOT)):
        with open(v.path(name + ".net"), "w") as f:
            f.write(text)
        check(v, nnc, name, v.path(name + ".net"), [])
    v.finish()


main()
