#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trainers as users run them: learning, logs, exact resume, determinism, and what damaged data does.

    check.py NNC
"""
import array
import functools
import gzip
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import bytes_of, digits_folder, idx, metadata_of, npy, tensor_bytes, trains
from verdict import DATA, ROOT, Verdict, build, json_lines, run

USAGE, DATA_STATUS = 2, 3  # exit statuses of runtime/README.md
nnc = os.path.abspath(sys.argv[1])
v = Verdict("train")
train = functools.partial(trains, v)


def model(name):
    return os.path.join(ROOT, "models", name + ".net")


def log_lines(path):
    return [line for line in json_lines(path) if "run" not in line]


def epochs(path):
    return [line for line in log_lines(path) if "epoch" in line]


def without_times(lines):
    return [{k: x for k, x in line.items() if k not in ("samples_per_second", "seconds", "data_wait", "memory")} for line in lines]


# ---- learning

def learns_mnist(exe):
    folder = os.path.join(DATA, "mnist10k")
    if not os.path.isdir(folder):
        return v.skip("mnist_cnn on real digits", "../shared/data/mnist10k is not there")
    log = v.path("mnist.jsonl")
    train(exe, "mnist_cnn, 12 epochs", "--data", folder, "--epochs", "12", "--log", log)
    lines = epochs(log)
    if not v.check("one line per epoch", [line["epoch"] for line in lines] == list(range(1, 13)), lines):
        return None
    wanted = {"epoch", "loss", "accuracy", "eval_loss", "eval_accuracy", "samples_per_second"}
    v.check("each line is complete", all(wanted <= line.keys() for line in lines), lines[0])
    v.check("mnist_cnn reaches 95.5 % on held-out digits", lines[-1]["eval_accuracy"] >= 0.955,
            lines[-1]["eval_accuracy"])
    v.check("the loss fell", lines[-1]["loss"] < 0.3 * lines[0]["loss"], [line["loss"] for line in lines])
    return None


def learns_synthetic(exe):
    log = v.path("synth.jsonl")
    train(exe, "mnist_cnn on drawn digits", "--data", "synth:digits,samples=4000", "--epochs", "4", "--log", log)
    lines = epochs(log)
    v.check("drawn digits are learned", lines and lines[-1]["eval_accuracy"] > 0.8, lines)


def learns_rosenbrock():
    exe = build(v, nnc, model("rosenbrock_mlp"), "train_rosenbrock")
    if exe:
        log = v.path("rosenbrock.jsonl")
        train(exe, "rosenbrock_mlp", "--data", "synth:rosenbrock,samples=4000", "--epochs", "3", "--log", log)
        lines = epochs(log)
        v.check("rosenbrock_mlp learns", lines and lines[-1]["loss"] < 0.9 * lines[0]["loss"], lines)


# ---- exactness

def resumes_exactly(exe):
    data = ["--data", "synth:digits,samples=1500", "--epochs", "4", "--threads", "2"]
    whole, parts = v.path("whole"), v.path("parts")
    train(exe, "in one go", *data, "--checkpoint", whole + ".safetensors", "--log", whole + ".jsonl")
    for cut in (1, 7, 20):  # in the first epoch, in its middle, in a later one
        for file in (parts + ".safetensors", parts + ".jsonl"):
            if os.path.exists(file):
                os.unlink(file)
        saved = ["--checkpoint", parts + ".safetensors", "--log", parts + ".jsonl"]
        train(exe, f"cut after step {cut}", *data, *saved, "--stop-after", str(cut))
        train(exe, f"resumed after step {cut}", *data, *saved, "--resume")
        v.check(f"resumed after step {cut}: the same weights and states to the bit",
                bytes_of(whole + ".safetensors") == bytes_of(parts + ".safetensors"))
        v.check(f"resumed after step {cut}: the same log",
                without_times(epochs(whole + ".jsonl")) == without_times(epochs(parts + ".jsonl")),
                epochs(parts + ".jsonl"))


def repeats_exactly(exe):
    files = [v.path(f"again{i}.safetensors") for i in range(2)]
    for file in files:
        train(exe, "a run", "--data", "synth:digits,samples=1000", "--steps", "12", "--threads", "2",
              "--checkpoint", file)
    v.check("two runs agree to the bit", bytes_of(files[0]) == bytes_of(files[1]))
    train(exe, "another seed", "--data", "synth:digits,samples=1000", "--steps", "12", "--threads", "2", "--seed",
          "77", "--checkpoint", files[1])
    v.check("another seed gives other weights", bytes_of(files[0]) != bytes_of(files[1]))


def counts_threads(exe):
    """As many as the process may use, unless more are asked for; the log says how many."""
    usable, log = len(os.sched_getaffinity(0)), v.path("threads.jsonl")
    short = ["--data", "synth:digits,samples=256", "--steps", "1", "--no-eval", "--log", log]
    for options, wanted in ([], range(1, usable + 1)), (["--threads", str(usable + 1)], [usable + 1]):
        done = train(exe, f"a step with {options}", *short, *options)
        with open(log) as f:
            threads = json.loads(f.readline())["threads"]
        v.check(f"{options}: the log has the number of threads", threads in wanted, threads)
        v.check(f"{options}: more threads than processors are a note", ("--threads" in done.stderr) == bool(options), done.stderr)


def evaluates_the_average(exe, plain, steps):
    """With `ema` all that says how good a network is reads the average: the log, `eval`, what `export` writes."""
    saved, parts, exported, log = (v.path("average" + end) for end in (".st", "_parts.st", "_exported.st", ".jsonl"))
    train(exe, "the average", *steps, "--checkpoint", saved, "--log", log)
    train(exe, "the average, cut", *steps[:4], "--checkpoint", parts, "--stop-after", "5")
    train(exe, "the average, resumed", *steps[:4], "--checkpoint", parts, "--resume")
    v.check("resumed, the average is the same to the bit", bytes_of(saved) == bytes_of(parts))
    train(exe, "export of the average", "export", "--checkpoint", saved, "--out", exported)
    losses = [epochs(log)[-1]["eval_loss"]]
    for what, who, *file in (("its trainer", exe, "--checkpoint", saved), ("as initial weights", plain, "--init", exported),
                             ("as initial weights with ema", exe, "--init", exported), ("the parameters", plain, "--checkpoint", saved)):
        words = train(who, f"eval of the average, {what}", "eval", *steps[:2], "--holdout", "0.1", *file).stdout.splitlines()[0].split()
        losses.append(float(words[words.index("eval_loss") + 1]))
    v.check("eval says the same of the average wherever it is read, and another loss of the parameters",
            all(abs(x - losses[0]) <= 2e-5 * losses[0] for x in losses[:4]) and abs(losses[4] - losses[0]) > 0.01 * losses[0], losses)


def adds_chunks_up(whole):
    """A step of four batches, which are chunks of a larger one, is the step at once, except for the order of its sums."""
    exe = build(v, nnc, model("mnist_cnn"), "train_chunks", "--set", "batch=32", "--set", "accumulate=4", "--set", "ema=0.8")
    if not exe:
        return
    steps = ["--data", "synth:digits,samples=1000", "--steps", "12", "--log-every", "1"]
    logs = [v.path(name) for name in ("whole_steps.jsonl", "chunks.jsonl")]
    train(whole, "batches at once", *steps, "--log", logs[0])
    train(exe, "batches in chunks", *steps, "--log", logs[1])
    losses = [[(line["step"], line["loss"]) for line in log_lines(log) if "epoch" not in line] for log in logs]
    v.check("12 steps in chunks have the losses of 12 at once",
            len(losses[0]) == len(losses[1]) == 12 and
            all(a[0] == b[0] and abs(a[1] - b[1]) < 1e-4 * abs(b[1]) for a, b in zip(*losses)), losses)
    evaluates_the_average(exe, whole, steps)
    refused(exe, "a dump of a batch in chunks", *steps[:2], "--dump", v.path("chunks.st"), status=2, says=["chunk=none"])


# ---- evaluation

NORMALISED = '''model normalised {
    input  image: u8[28, 28, 1]
    target digit: class[10]
    x = image -> scale(1/255) -> conv(8, 3, stride = 2) -> batchnorm -> relu
    y = x -> conv(8, 3, pad = same, groups = 4, bias = false) -> batchnorm
    logits = relu(x + y) -> avgpool(global) -> dense(10)
    loss   cross_entropy(logits, digit)
    metric accuracy(logits, digit)
}

train normalised {
    data      mnist
    optimizer adam(rate = 0.01)
    batch     32
    epochs    3
}
'''


def evaluates_with_prepared_weights():
    """`eval` says what the training said, with the batchnorms folded into the convolutions and without."""
    source, saved, log = v.path("normalised.net"), v.path("normalised.st"), v.path("normalised.jsonl")
    data = ["--data", "synth:digits,samples=1000"]
    with open(source, "w") as f:
        f.write(NORMALISED)
    lines = []
    for name, options in (("folded", []), ("plain", ["-fno-batchnorm_into_conv"]), ("in place", ["-fno-hoist"])):
        exe = build(v, nnc, source, "normalised_" + name.replace(" ", "_"), *options)
        if not exe:
            return
        if not lines:
            train(exe, "a network with batchnorms", *data, "--checkpoint", saved, "--log", log)
            last = epochs(log)[-1]
            lines.append({"eval_loss": last["eval_loss"], "eval_accuracy": last["eval_accuracy"]})
        words = train(exe, f"eval, {name}", "eval", *data, "--checkpoint", saved).stdout.splitlines()[0].split()
        lines.append({key: float(value) for key, value in zip(words[::2], words[1::2])})
        v.check(f"eval, {name}: as after the last epoch",
                all(abs(lines[-1][key] - value) <= 2e-5 * max(1, value) for key, value in lines[0].items()), lines)
    done = train(exe, "bench --inference", "bench", "--inference", "--batch", "80", "--steps", "3")
    v.check("a request of 80 samples", json.loads(done.stdout)["batch"] == 80, done.stdout)


TURNED = """model turned {
    input  x: f32[4, 16]
    target y: class[10][4]
    logits = x -> dense(10)
    loss cross_entropy(logits, y)
    some = accuracy(logits, y, ignore = 0)
    all = topk(logits, y, 10, ignore = 1)
    if training {
        metric some
        metric all
    } else {
        metric all
        metric some
    }
}
train turned {
    data      "synth:random"
    optimizer sgd(rate = 0.001)
    batch     8
    epochs    1
}
"""


def evaluates_in_another_order():
    """The evaluation's metrics, and the counts of samples that they count, are found by their names."""
    source, log = v.path("turned.net"), v.path("turned.jsonl")
    with open(source, "w") as f:
        f.write(TURNED)
    exe = build(v, nnc, source, "turned")
    if not exe:
        return
    train(exe, "metrics in another order in evaluation", "--data", "synth:random,samples=400", "--log", log)
    last = epochs(log)[-1]
    v.check("each has its own value", last["all"] == last["eval_all"] == 1 and 0 < last["some"] < 0.9 and 0 < last["eval_some"] < 0.9, last)


LAYERS = """model layers(alike = true) {
    input  x: f32[16]
    target y: f32[1]
    if training or alike {
        a = x -> dense(16, shared = "A", bias = false)
        b = x -> dense(16, shared = "B", bias = false)
        h = x -> dense(8, shared = "H", bias = false) -> dense(1, shared = "G", bias = false)
        z = (a*2 - b) -> dense(1, shared = "Z")
        w = z + h*0
    } else {
        _b = x -> dense(16, shared = "B", bias = false)
        _a = x -> dense(16, shared = "A", bias = false)
        w = (_a*2 - _b) -> dense(1, shared = "Z")
    }
    out = w -> dense(1)
    loss mse(out, y)
    output out
}
train layers {
    data      "synth:random"
    optimizer sgd(rate = 0.05)
    batch     16
    epochs    1
    precision fp64
}
"""


def evaluates_the_same_layers():
    """Evaluation reads each parameter where training has it, though it calls layers in another order, and not all of them."""
    source, losses = v.path("layers.net"), []
    with open(source, "w") as f:
        f.write(LAYERS)
    for alike in ("true", "false"):
        exe, log = build(v, nnc, source, "layers-" + alike, "-D", "alike=" + alike), v.path(f"layers-{alike}.jsonl")
        if not exe:
            return
        train(exe, f"layers, alike = {alike}", "--data", "synth:random,samples=64", "--log", log)
        losses.append(epochs(log)[-1]["eval_loss"])
    v.check("evaluation is of the weights that were trained", abs(losses[0] - losses[1]) < 1e-12, losses)


# ---- where weights come from

def tells_its_origin(exe):
    """A checkpoint says what was trained on what, how and to what; a resumed training says the same as one that was not stopped."""
    folder, whole, part = digits_folder(v, "origin", images=300), v.path("origin.st"), v.path("part.st")
    train(exe, "a training", "--data", folder, "--steps", "6", "--rate", "0.002", "--threads", "1", "--checkpoint", whole)
    said = metadata_of(whole)
    with open(os.path.join(ROOT, "models", "mnist_cnn.net")) as f:
        text = f.read()
    v.check("the network's text is in it", said["net:mnist_cnn.net"] == text and said["source"] == "mnist_cnn.net", said)
    v.check("and arguments, data, layouts", json.loads(said["arguments"]) == ["--data", folder, "--steps", "6", "--rate", "0.002"] and
            (said["data_format"], said["samples"], said["held_out_samples"], said["target"], said["precision"]) ==
            ("MNIST (IDX)", "300", "32", "cpu", "tf32") and json.loads(said["layouts"]) == {"conv.weight": "OHWI", "dense.weight": "OI"}, said)
    metrics = json.loads(said["metrics"])
    v.check("and metrics", metrics["step"] == 6 and {"loss", "accuracy", "eval_loss", "eval_accuracy"} < set(metrics), metrics)
    train(exe, "a part", "--data", folder, "--steps", "6", "--stop-after", "5", "--rate", "0.002", "--threads", "1", "--checkpoint", part)
    train(exe, "the rest", "--data", folder, "--steps", "6", "--rate", "0.002", "--threads", "1", "--checkpoint", part, "--resume")
    v.check("resumed: the same bytes", bytes_of(part) == bytes_of(whole))
    told = train(exe, "info", "--checkpoint", whole, "info").stdout
    v.check("info says it", all(word in told for word in ("mnist_cnn.net, 25 lines", "as this trainer's", "conv.weight", '"eval_loss":',
                                                          "xxh64 " + said["xxh64:mnist_cnn.net"])), told)
    net = train(exe, "the network of a checkpoint", "info", "--net", "--checkpoint", whole).stdout
    v.check("its text", net == "# ---- mnist_cnn.net\n" + text, net[:80])
    train(exe, "info of nothing", "info", status=USAGE)
    train(exe, "info of no such file", "info", "--checkpoint", "nothing.st", status=DATA_STATUS)


# ---- mistakes of the user and of the disk

def refused(exe, what, *options, status=DATA_STATUS, says=()):
    """Must end before the first step with a sentence that holds the words of `says`."""
    log = v.path("refused.jsonl")
    if os.path.exists(log):
        os.unlink(log)
    done = run([exe, "--epochs", "1", "--log", log, *options], timeout=60)
    ok = done.returncode == status and all(word in done.stderr for word in says) and "error" in done.stderr
    v.check(f"{what}: refused with a sentence", ok, f"{done.returncode}: {done.stderr}")
    v.check(f"{what}: before the first step", not os.path.exists(log) or not log_lines(log), "a log line was written")


def refuses_bad_data(exe):
    images, labels = "train-images-idx3-ubyte", "train-labels-idx1-ubyte"
    good = digits_folder(v, "good", images=128)
    train(exe, "a small folder of digits", "--data", good, "--epochs", "1")
    refused(exe, "a folder that is not there", "--data", v.path("nothing"), says=["nothing"])
    os.mkdir(v.path("empty"))
    refused(exe, "an empty folder", "--data", v.path("empty"), says=["empty"])
    damages = {
        "no labels": {labels: lambda b: None},
        "cut short": {images: lambda b: b[:-1]},
        "cut in the header": {images: lambda b: b[:6]},
        "longer than it says": {images: lambda b: b + b"x"},
        "another magic": {images: lambda b: b"\x89PNG" + b[4:]},
        "sizes that overflow": {images: lambda b: b[:4] + b"\xff" * 12 + b[16:]},
        "a dimension of zero": {images: lambda b: b[:4] + b"\0" * 4 + b[8:]},
        "images of another size": {images: lambda b: idx(b[16:16 + 64 * 27 * 27], 64, 27, 27)},
        "fewer labels than images": {labels: lambda b: idx(b[8:-1], 127)},
        "a label out of range": {labels: lambda b: b[:-1] + b"\x0b"},
        "empty": {images: lambda b: b""},
        "gzip, cut short": {images: lambda b: gzip.compress(b)[:-9]},
    }
    for name, change in damages.items():
        # zlib reads both: a gzip file need not be called .gz
        refused(exe, f"MNIST files, {name}", "--data", digits_folder(v, "bad", 128, change), says=["bad"])


def asks_for_data_of_the_recipe(exe):
    empty = v.path("nothing")
    os.makedirs(empty)
    for what, data in (("no file", v.path("nowhere")), ("an empty folder", empty)):
        refused(exe, f"{what}: what the recipe was written for", "--data", data, says=["written for `mnist` data: give a folder with MNIST's files"])


def refuses_bad_npy(exe):
    pixels = [i * 5 % 256 for i in range(256 * 784)]
    x = npy(v.path("x.npy"), "B", "|u1", "(256, 28, 28, 1)", pixels)
    y = npy(v.path("y.npy"), "i", "<i4", "(256,)", [i % 10 for i in range(256)])
    train(exe, "two .npy files", "--data", f"{x},{y}", "--epochs", "1")
    cut = npy(v.path("cut.npy"), "B", "|u1", "(256, 28, 28, 1)", pixels, cut=3)
    other = npy(v.path("other.npy"), "B", "|u1", "(256, 14, 56, 1)", pixels)
    high = npy(v.path("high.npy"), "i", "<i4", "(256,)", [i % 11 for i in range(256)])
    less = npy(v.path("less.npy"), "i", "<i4", "(255,)", [i % 10 for i in range(255)])
    huge = npy(v.path("huge.npy"), "B", "|u1", "(9223372036854775807, 28, 28, 1)", pixels[:10])
    refused(exe, "an .npy cut short", "--data", f"{cut},{y}", says=["cut.npy"])
    refused(exe, "an .npy of another shape", "--data", f"{other},{y}", says=["other.npy"])
    refused(exe, "an .npy with a class too high", "--data", f"{x},{high}", says=["high.npy"])
    refused(exe, "an .npy with fewer samples", "--data", f"{x},{less}", says=["less.npy"])
    refused(exe, "an .npy of absurd size", "--data", f"{huge},{y}", says=["huge.npy"])
    refused(exe, "files in the other order", "--data", f"{y},{x}",
            says=["another order than `image` and `digit`", "--data image=FILE.npy,digit=FILE.npy"])


def takes_npy_by_name():
    """Files named for inputs and targets stand in any order; where their order says what they are of, types may tell that it is another."""
    source = v.path("tags.net")
    with open(source, "w") as f:
        f.write("model tags {\n input x: f32[6]\n input weight: f32[6]\n target tag: class[3][6]\n"
                " h = concat(reshape(x, [6, 1]), reshape(weight, [6, 1])) -> dense(3)\n loss cross_entropy(h, tag)\n metric accuracy(h, tag)\n}\n"
                "train tags {\n batch 8\n epochs 1\n}\n")
    exe = build(v, nnc, source, "tags")
    if not exe:
        return
    x, w = (npy(v.path(f"{name}.npy"), "f", "<f4", "(40, 6)", [(i * k % 11) / 11 for i in range(240)]) for name, k in (("x", 3), ("w", 5)))
    t = npy(v.path("t.npy"), "i", "<i4", "(40, 6)", [i % 3 for i in range(240)])
    logs = [v.path(f"{k}.jsonl") for k in range(3)]
    for data, log in zip((f"{x},{w},{t}", f"tag={t},x={x},weight={w}", f"x={w},tag={t},weight={x}"), logs):
        train(exe, data, "--data", data, "--seed", "1", "--log", log)
    scores = [[json.loads(line).get("loss") for line in open(log)] for log in logs]
    v.check("names decide what a file is of, not the order", scores[0] == scores[1] != scores[2], scores)
    saved = v.path("tags.st")
    train(exe, "to predict by", "--data", f"{x},{w},{t}", "--checkpoint", saved)
    train(exe, "predict by names", "predict", "--data", f"weight={w},x={x}", "--checkpoint", saved)
    refused(exe, "files in another order, which their types tell", "--data", f"{t},{w},{x}",
            says=["x.npy` holds f4", "another order than `x` and `tag`", "--data x=FILE.npy,weight=FILE.npy,tag=FILE.npy"])
    for what, data, says in (("a name that no input has", f"x={x},y={w},tag={t}", "the model has no input or target `y`"),
                             ("a name twice", f"x={x},x={w},tag={t}", "names two files for `x`"),
                             ("a name left out", f"x={x},tag={t}", "names no file for `weight`"),
                             ("a name without a file", f"x={x},weight=,tag={t}", "no file follows `weight=`"),
                             ("names for some", f"x={x},{w},tag={t}", "w.npy` has no name")):
        refused(exe, what, "--data", data, status=USAGE, says=[says, "--data x=FILE.npy,weight=FILE.npy,tag=FILE.npy"])


def refuses_bad_indices():
    """Rows of a table that is not so long, and labels that are no class, in what is read; drawn data has none."""
    source = v.path("indices.net")
    with open(source, "w") as f:
        f.write("model m {\n input kind: i32[5]\n target y: i32[]\n"
                " h = kind -> embedding(7, 4) -> flatten\n"
                " other = kind -> embedding(9, 4) -> flatten\n loss cross_entropy((h + other) -> dense(3), y)\n}\n"
                "train m {\n batch 8\n epochs 1\n}\n")
    exe = build(v, nnc, source, "indices")
    if not exe:
        return
    rows, y = [i % 7 for i in range(200)], npy(v.path("ys.npy"), "i", "<i4", "(40,)", [i % 3 for i in range(40)])
    train(exe, "indices of rows", "--data", npy(v.path("rows.npy"), "i", "<i4", "(40, 5)", rows) + "," + y)
    for bad in (7, -1):
        beyond = npy(v.path("beyond.npy"), "i", "<i4", "(40, 5)", rows[:17] + [bad] + rows[18:])
        refused(exe, f"an index of row {bad}", "--data", f"{beyond},{y}",
                says=["beyond.npy", f"value {bad} at element 17", "input kind: i32[5]", "from 0 to 6"])
    for bad in (3, -1):  # `i32` says no range; what it is compared with does
        none = npy(v.path("none.npy"), "i", "<i4", "(40,)", [i % 3 for i in range(17)] + [bad] + [i % 3 for i in range(22)])
        refused(exe, f"a label of class {bad}", "--data", v.path("rows.npy") + "," + none,
                says=["none.npy", f"value {bad} at element 17", "from 0 to 2"])
    train(exe, "indices that are drawn", "--data", "synth:random,samples=64")


def refuses_bad_checkpoints(exe):
    file = v.path("state.safetensors")
    data = ["--data", "synth:digits,samples=600"]
    train(exe, "a checkpoint", *data, "--steps", "3", "--checkpoint", file)
    whole = bytes_of(file)

    def damaged(name, content):
        path = v.path("damaged.safetensors")
        with open(path, "wb") as f:
            f.write(content)
        refused(exe, f"a checkpoint {name}", *data, "--checkpoint", path, "--resume", says=["damaged.safetensors"])

    for length in (0, 7, 8, 100, len(whole) // 2, len(whole) - 1):
        damaged(f"cut to {length} bytes", whole[:length])
    damaged("with a header length past the file", b"\xff" * 8 + whole[8:])
    damaged("with a flipped bit in a weight", whole[:-5] + bytes([whole[-5] ^ 16]) + whole[-4:])
    damaged("that is no safetensors file", b"PK\x03\x04" + whole[4:])
    refused(exe, "a checkpoint that is not there", *data, "--checkpoint", v.path("none.st"), "--resume",
            says=["none.st"])


def refuses_bad_options(exe):
    for what, options in {"an unknown option": ["--epoch", "3"], "a number out of range": ["--threads", "0"],
                          "no number": ["--epochs", "many"], "two lengths": ["--epochs", "3", "--steps", "4"]}.items():
        done = run([exe, *options], timeout=30)
        v.check(f"{what}: exit status 2", done.returncode == USAGE and "error" in done.stderr,
                f"{done.returncode}: {done.stderr}")
    for options, says in {("--lr", "0.1"): "`--rate`", ("--learning_rate=0.1",): "`--rate`", ("--batch-size", "64"): "nnc --set batch=64", ("--batch", "64"): "nnc --set batch=64",
                          ("--optimizer", "sgd"): "nnc --set 'optimizer=adam(", ("--recipe", "cifar10"): "nnc --recipe=NAME",
                          ("--warmup", "5"): "nnc --set 'rate=0.1 warmup", ("--ema", "0.9"): "nnc --set ema=0.999",
                          ("bench", "--batch_size", "64"): "`--batch`", ("--device", "cuda"): "nnc --target=cuda",
                          ("--gpu",): "nnc --target=cuda", ("--fp16",): "nnc --precision=", ("--momentum", "0.9"): "nnc --set optimizer.momentum",
                          ("--num-workers", "2"): "`--workers`", ("eval", "--lr", "0.1"): "`--rate` here, and is for training",
                          ("bench", "--epochs", "3"): "for training", ("--epocs", "3"): "`--epochs`", ("trian",): "did you mean `train`?",
                          ("--threads", "1", "evla"): "did you mean `eval`?", ("--report", "r.html"): "`--log FILE.jsonl` keeps",
                          ("--trace", "t.json"): "it is an option of `profile`", ("info", "a.st"): "`--checkpoint a.st`",
                          ("train", "predict"): "one command", ("--gpus", "2"): "mpirun -n 2",
                          ("eval", "--data", "x", "--init", "x", "--mistakes", "m.txt"): "`--mistakes` names a .csv file, as"}.items():
        done = run([exe, *options], timeout=30)
        v.check(f"{' '.join(options)}: exit status 2, and what to write", done.returncode == USAGE and says in done.stderr,
                f"{done.returncode}: {done.stderr}")
    listed = run([exe, "--help"], timeout=30).stdout
    v.check("--help of a trainer for the CPU: no options of CUDA", "--no-tune" not in listed and "--warmup" in listed, listed)


INITS = """model inits {
    input  x: f32[4]
    input  clip: f32[2, 2, 2, 6]
    target t: f32[1]
    param a: f32[300, 300] init normal(0.02)
    param b: f32[300, 300] init truncated_normal(0.02)
    param c: f32[300, 300] init uniform(0.5)
    param d: f32[3] init constant(-0.25)
    param e: f32[40, 24] init orthogonal(2)
    param f: f32[24, 40] init orthogonal
    g = clip -> conv3d(20, 2, init = xavier, name = "g")
    loss mse(x -> dense(1), t) + 0*(sum(g) + sum(a*b*c) + sum(d) + sum(e) + sum(f))
}
train inits {
    data      "synth:random"
    optimizer sgd(rate = 1e-30)
    steps     1
    batch     2
}
"""


def starts_as_declared():
    """Mean and deviation of 90,000 draws; a normal that is cut at two deviations keeps 0.8796 of its own."""
    with open(v.path("inits.net"), "w") as f:
        f.write(INITS)
    exe = build(v, nnc, v.path("inits.net"), "train_inits")
    if not exe:
        return
    train(exe, "initialisers", "--checkpoint", v.path("inits.st"))
    for name, deviation, most in (("a", 0.02, 0.2), ("b", 0.02*0.8796, 0.04), ("c", 0.5/3**0.5, 0.5), ("d", 0, 0.25)):
        x = array.array("f", tensor_bytes(v.path("inits.st"), name))
        mean = sum(x)/len(x)
        spread = (sum((e - mean)**2 for e in x)/len(x))**0.5
        near = abs(mean - (-0.25 if name == "d" else 0)) <= 0.02*deviation and abs(spread - deviation) <= 0.01*deviation
        v.check(f"initialiser {name}: deviation {deviation:.4f}", near and max(map(abs, x)) <= most, f"{mean} {spread} {max(x)}")
    for name, length in (("e", 2), ("f", 1)):
        x = array.array("f", tensor_bytes(v.path("inits.st"), name))
        lines = [x[i::24] if name == "e" else x[40*i:40*i + 40] for i in range(24)]
        off = max(abs(sum(p*q for p, q in zip(lines[i], lines[k])) - length**2*(i == k)) for i in range(24) for k in range(24))
        v.check(f"initialiser {name}: {'columns' if name == 'e' else 'rows'} are orthogonal, of length {length}", off < 1e-5, off)
    g, limit = array.array("f", tensor_bytes(v.path("inits.st"), "g.weight")), (6/(6*2**3 + 20*2**3))**0.5
    v.check("initialiser xavier of volumes: all of the window counts", 0.98*limit < max(map(abs, g)) <= limit, max(map(abs, g)))


# Of 3, 6, 1, 12 and 8 channels: oneDNN's weight gradient of such a convolution went beyond its end where they are no multiple of eight.
STRIDED = """model strided {
    input  image: f32[16, 16, 3]
    target wanted: f32[8, 8, 5]
    a = image -> conv(8, 1, 2)
    b = image -> conv(6, 3, pad = same) -> relu
    c = b -> conv(8, 1, 2)
    d = (b -> conv(1, 1)) -> conv(8, 1, stride = (2, 1)) -> conv(8, 1, stride = (1, 2))
    e = (b -> conv(12, 1)) -> conv(8, 1, 2)
    y = (a + c + d + e) -> conv(5, 1)
    loss mean((y - wanted)*(y - wanted))
}
train strided {
    data      "synth:random"
    optimizer sgd(rate = 1.0)
    batch     16
    steps     1
}
"""


def strided_convolutions_by_library():
    """A step with oneDNN gives the weights that one with generated loops gives, on one thread and on two."""
    with open(v.path("strided.net"), "w") as f:
        f.write(STRIDED)
    weights = []
    for name, *options in (("loops", "--library=none"), ("library",)):
        exe = build(v, nnc, v.path("strided.net"), f"strided_{name}", *options)
        for threads in ("1", "2"):
            saved = v.path(f"strided_{name}{threads}.st")
            done = run([exe, "--checkpoint", saved, "--no-eval"], env={**os.environ, "OMP_NUM_THREADS": threads})
            if v.check(f"strided convolutions, {name}, {threads} threads", done.returncode == 0, done.stderr):
                weights.append([array.array("f", tensor_bytes(saved, n + ".weight")) for n in ("conv", "conv_3", "conv_5", "conv_6", "conv_8")])
    if len(weights) == 4:
        off = max(abs(p - q) for other in weights[1:] for x, y in zip(weights[0], other) for p, q in zip(x, y))
        v.check("strided convolutions: the same weights", off < 1e-5, off)


mnist = build(v, nnc, model("mnist_cnn"), "train_mnist")
if mnist:
    learns_mnist(mnist)
    learns_synthetic(mnist)
    resumes_exactly(mnist)
    repeats_exactly(mnist)
    counts_threads(mnist)
    adds_chunks_up(mnist)
    refuses_bad_data(mnist)
    asks_for_data_of_the_recipe(mnist)
    refuses_bad_npy(mnist)
    refuses_bad_checkpoints(mnist)
    refuses_bad_options(mnist)
    tells_its_origin(mnist)
takes_npy_by_name()
refuses_bad_indices()
starts_as_declared()
strided_convolutions_by_library()
learns_rosenbrock()
evaluates_with_prepared_weights()
evaluates_in_another_order()
evaluates_the_same_layers()
v.finish()
