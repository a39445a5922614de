#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What trainers say of samples: predict, eval's table and confusion matrix, and the names of classes.

    predictions.py NNC
"""
import csv
import functools
import json
import math
import os
import random
import shutil
import struct
import sys
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import bytes_of, digits_folder, npy, read_npy, tensor_bytes, trains
from verdict import ROOT, Verdict, build, json_lines, put_images, run

USAGE, DATA_STATUS = 2, 3  # exit statuses of runtime/README.md
nnc = os.path.abspath(sys.argv[1])
v = Verdict("predictions")
train = functools.partial(trains, v)


def csv_rows(exe, what, *options, status=0):
    out = v.path("rows.csv")
    if os.path.exists(out):
        os.remove(out)
    train(exe, what, "predict", *options, "--out", out, status=status)
    with open(out, newline="") as f:
        return list(csv.reader(f))


def probability(scores, best):
    return 1 / sum(math.exp(z - scores[best]) for z in scores)


def evaluates_all(exe, saved, data, digits, said):
    """All samples of data without a test part, whichever option names it; each class's; and the matrix, as it was predicted."""
    matrix, rows = v.path("matrix.csv"), csv_rows(exe, "classes of digits", data, "--checkpoint", saved)[1:]
    done = train(exe, "eval of all", "--checkpoint", saved, "eval", "--data", data, "--confusion", matrix)
    v.check("eval takes all samples, and says so", done.stdout.split()[:6] == said[:6] and said[5] == "300" and
            "evaluating all 300 samples of" in done.stderr, done.stdout[:80] + done.stderr)
    alone = train(exe, "eval, --eval-data alone", "eval", "--eval-data", data, "--checkpoint", saved)
    v.check("eval, --eval-data alone: the same", alone.stdout == done.stdout, alone.stdout)
    part = train(exe, "eval, a part", "eval", "--data", data, "--checkpoint", saved, "--holdout", "0.2")
    v.check("eval, --holdout 0.2: 60 samples", part.stdout.split()[5] == "60" and "held out by `--holdout 0.2`" in part.stderr, part.stderr)
    wanted = [[sum(d == i and row[1] == str(k) for d, row in zip(digits, rows)) for k in range(10)] for i in range(10)]
    with open(matrix, newline="") as f:
        told = list(csv.reader(f))
    v.check("the matrix is what was predicted", told[0] == ["class"] + list("0123456789") and
            [[int(n) for n in row[1:]] for row in told[1:]] == wanted, told)
    classes = [line.split() for line in done.stdout.splitlines()[2:]]
    v.check("each class's accuracy", [line[:3] for line in classes] == [[str(i), str(sum(r)), str(r[i])] for i, r in enumerate(wanted)] and
            abs(sum(int(line[2]) for line in classes) / 300 - float(said[3])) < 1e-6, done.stdout)
    picture = v.path("matrix.svg")
    train(exe, "the matrix as a picture", "eval", "--eval-data", data, "--checkpoint", saved, "--confusion", picture)
    texts = [t.text for t in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")]
    v.check("its numbers are in it", [int(t) for t in texts[-sum(n > 0 for r in wanted for n in r):]] == [n for r in wanted for n in r if n], texts)
    train(exe, "a matrix in the way", "eval", "--eval-data", data, "--checkpoint", saved, "--confusion", matrix, status=DATA_STATUS)
    train(exe, "a matrix of another form", "eval", "--eval-data", data, "--checkpoint", saved, "--confusion", "a.png", status=USAGE)


def predicts_digits(exe):
    """What is predicted has the accuracy that `eval` says; 300 digits are two batches of 128 and a part of one."""
    saved = v.path("predicting.st")
    folder = digits_folder(v, "predicted", images=300)
    train(exe, "some steps to predict after", "--data", folder, "--steps", "40", "--checkpoint", saved)
    images, labels = (bytes_of(os.path.join(folder, f"train-{name}-ubyte")) for name in ("images-idx3", "labels-idx1"))
    x, digits = npy(v.path("images.npy"), "B", "|u1", "(300, 28, 28, 1)", images[16:]), labels[8:]
    y = npy(v.path("digit.npy"), "i", "<i4", "(300,)", list(digits))
    said = train(exe, "eval", "eval", "--data", folder, "--eval-data", f"{x},{y}", "--checkpoint", saved).stdout.split()
    evaluates_all(exe, saved, f"{x},{y}", digits, said)
    for data, out in ((x, v.path("alone.npy")), (f"{x},{y}", v.path("both.npy"))):
        done = train(exe, "predict", "predict", "--data", data, "--checkpoint", saved, "--out", out, "--quiet")
        v.check("predict names file, type and shape", done.stdout == f"{out}  f32[300, 10]\n", done.stdout)
        shape, scores = read_npy(out)
        best = [max(range(10), key=scores[10 * i:10 * i + 10].__getitem__) for i in range(300)]
        right = sum(a == b for a, b in zip(best, digits)) / 300
        rows = csv_rows(exe, "rows of digits", data, "--checkpoint", saved)
        v.check("the class of each row is the best of the .npy", [row[:2] for row in rows] ==
                [["file", "class"]] + [[f"{data}[{i}]", str(b)] for i, b in enumerate(best)], rows[:3])
        v.check("its probability is its softmax", all(abs(float(row[2]) - probability(scores[10 * i:10 * i + 10], b)) < 1e-5
                                                      for i, (b, row) in enumerate(zip(best, rows[1:]))), rows[:3])
        v.check("predictions have the accuracy of eval", shape == (300, 10) and f"{right:.6g}" == said[3], f"{right} {said}")
    done = train(exe, "predict of a few", "predict", "--data", x, "--checkpoint", saved, "--out", v.path("few.npy"), "--samples", "130")
    v.check("predict, --samples 130", read_npy(v.path("few.npy"))[0] == (130, 10) and "300 samples, of which the first 130" in done.stderr and
            read_npy(v.path("few.npy"))[1].tolist() == read_npy(v.path("alone.npy"))[1].tolist()[:1300], done.stderr)
    rows = csv_rows(exe, "rows of more than there are", x, "--checkpoint", saved, "--samples", "999")
    v.check("predict, --samples 999 of 300", len(rows) == 301, len(rows))
    done = train(exe, "predict for a folder", "predict", "--data", folder, "--checkpoint", saved, "--out", v.path("t10k.npy"))
    v.check("predict takes the held-out part", "MNIST (IDX), the held-out part: 32 samples" in done.stderr, done.stderr)
    v.check("predict writes 32 samples", read_npy(v.path("t10k.npy"))[0] == (32, 10))


PADDED = '''model padded {
    input  text: i32[5]
    target next: class[6][5]
    logits = text -> embedding(6, 8) -> dense(6)
    loss   cross_entropy(logits, next, ignore = 2)
    metric accuracy(logits, next, ignore = 2)
    metric topk(logits, next, 2, ignore = 2)
    wrong = 1 - accuracy(logits, next, ignore = 2)
    metric wrong
    output logits
}

train padded {
    batch 4
    epochs 3
}
'''


def leaves_padding_out():
    """Metrics, the table and the matrix are over the places that the loss counts; of samples 0 and 6 these are none."""
    source, saved, matrix, out = v.path("padded.net"), v.path("padded.st"), v.path("padded.csv"), v.path("padded.npy")
    with open(source, "w") as f:
        f.write(PADDED)
    exe = build(v, nnc, source, "padded")
    if not exe:
        return
    labels = [2 if i % 5 >= i // 5 % 6 else (7 * i + i // 3) % 6 for i in range(60)]
    data = ",".join((npy(v.path("text.npy"), "i", "<i4", "(12, 5)", [i % 6 for i in range(60)]), npy(v.path("next.npy"), "i", "<i4", "(12, 5)", labels)))
    log = v.path("padded.jsonl")
    train(exe, "classes with padding", "--data", data, "--holdout", "0", "--checkpoint", saved, "--log", log)
    said = train(exe, "eval with padding", "eval", "--data", data, "--checkpoint", saved, "--confusion", matrix).stdout.splitlines()
    train(exe, "predict with padding", "predict", "--data", data, "--checkpoint", saved, "--out", out, "--quiet")
    scores = read_npy(out)[1].tolist()
    ranks = [sorted(range(6), key=lambda k, i=i: -scores[6 * i + k]) for i in range(60)]
    words = said[0].split()
    told = dict(zip(words[::2], map(float, words[1::2])))
    for name, k in (("eval_accuracy", 1), ("eval_topk", 2)):
        shares = [[labels[i] in ranks[i][:k] for i in range(s, s + 5) if labels[i] != 2] for s in range(0, 60, 5)]
        counted = [sum(x) / len(x) for x in shares if x]
        wanted = sum(counted) / len(counted)
        v.check(f"{name}: the mean over the places that count", len(counted) < 12 and abs(told[name] - wanted) < 1e-5, f"{told} {wanted}")
    v.check("what is computed of it leaves the same samples out", abs(told["eval_accuracy"] + told["eval_wrong"] - 1) < 1e-5, told)
    lines = [json.loads(line) for line in open(log) if '"epoch"' in line]
    v.check("a training counts the same samples", len(lines) == 3 and all(abs(line["accuracy"] + line["wrong"] - 1) < 1e-5 for line in lines), lines)
    counts = [[sum(is_ == i and r[0] == k for is_, r in zip(labels, ranks)) if i != 2 else 0 for k in range(6)] for i in range(6)]
    with open(matrix, newline="") as f:
        v.check("the matrix has none of class 2", [[int(n) for n in row[1:]] for row in list(csv.reader(f))[1:]] == counts, counts)
    v.check("nor has the table", [line.split()[:3] for line in said[2:]] ==
            [[str(i), str(sum(counts[i])), str(counts[i][i])] for i in range(6) if i != 2], said)


SEVERAL = '''model several {
    input  x: f32[6]
    input  kind: i32[2]
    target y: class[3]
    h = x -> dense(8) -> relu
    logits = concat(h, kind -> embedding(5, 2) -> flatten) -> dense(3)
    loss   cross_entropy(logits, y)
    output logits
    output kind
    luck = zeros(4) -> noise(always = true)
    output luck
    output %s
}

train several {
    batch 8
    epochs 2
}
'''


def draws_noise(exe, data, saved):
    """What a network draws is another in every batch of 8, and for every seed, and the same for the same one."""
    def drawn(stem, *options):
        train(exe, f"noise {options}", "predict", "--data", data, "--checkpoint", saved, "--out", v.path(stem + ".npy"), *options)
        numbers = read_npy(v.path(stem + ".luck.npy"))[1].tolist()
        return [tuple(numbers[4 * i:4 * i + 4]) for i in range(21)]
    trained, seventh = drawn("trained"), drawn("seventh", "--seed", "7")
    v.check("no sample's noise is another's", len(set(trained + seventh)) == 42, len(set(trained + seventh)))
    v.check("the same seed, the same noise", seventh == drawn("again", "--seed", "7"))


def predicts_several():
    """An output of a target needs it; others do not."""
    data = [npy(v.path("x.npy"), "f", "<f4", "(21, 6)", (i % 17 / 17 for i in range(126))),
            npy(v.path("kind.npy"), "i", "<i4", "(21, 2)", (i % 5 for i in range(42))),
            npy(v.path("class.npy"), "i", "<i4", "(21,)", (i % 3 for i in range(21)))]
    for last in ("h", "y"):
        source, out = v.path(f"several_{last}.net"), v.path(f"{last}.npy")
        with open(source, "w") as f:
            f.write(SEVERAL % last)
        exe = build(v, nnc, source, "several_" + last)
        if not exe:
            return
        saved = v.path(f"several_{last}.st")
        train(exe, f"several outputs, {last}: weights", "--data", ",".join(data), "--steps", "1", "--checkpoint", saved)
        train(exe, f"several outputs, {last}", "predict", "--data", ",".join(data), "--checkpoint", saved, "--out", out)
        shapes = [read_npy(out[:-3] + name + ".npy")[0] for name in ("logits", "kind", last)]
        v.check(f"several outputs, {last}: shapes", shapes == [(21, 3), (21, 2), (21, 8) if last == "h" else (21,)], shapes)
        v.check(f"several outputs, {last}: an input as it is", read_npy(out[:-3] + "kind.npy")[1].tolist() == [i % 5 for i in range(42)])
        if last == "h":
            draws_noise(exe, ",".join(data[:2]), saved)
        status = USAGE if last == "y" else 0
        train(exe, f"several outputs, {last}: inputs alone", "predict", "--data", ",".join(data[:2]), "--checkpoint", saved,
              "--out", v.path(f"alone_{last}.npy"), status=status)
    v.check("a target as it is", read_npy(v.path("y.y.npy"))[1].tolist() == [i % 3 for i in range(21)])
    v.check("both compute the same", bytes_of(v.path("y.logits.npy")) == bytes_of(v.path("alone_h.logits.npy")))


DRAWN = '''block denoise(x, gain) {
    return x + exp(gain)*tanh(x -> dense(4, name = "d"))
}

model drawn {
    input  noisy: f32[4]
    target clean: f32[4]
    param  gain: f32[4] init constant(-2.0)
    guess = noisy -> dense(4, name = "first")
    loss mse(guess, clean) + mse(noisy -> denoise(gain, shared = "denoise"), clean)
    twice = noisy -> denoise(exp(gain), shared = "denoise") -> denoise(exp(gain), shared = "denoise")
    output guess
    output twice
}

train drawn {
    batch 8
}
'''


def evaluates_what_is_read():
    """An output that loss and metrics do not need is computed by predict alone, of weights that are prepared for it alone."""
    source, saved, out = v.path("drawn.net"), v.path("drawn.st"), v.path("drawn.npy")
    with open(source, "w") as f:
        f.write(DRAWN)
    exe = build(v, nnc, source, "drawn")
    if not exe:
        return
    x = [i % 7 / 7 - 0.4 for i in range(84)]
    data = ",".join(npy(v.path(name + ".npy"), "f", "<f4", "(21, 4)", x) for name in ("noisy", "clean"))
    train(exe, "a network with an output aside", "--data", data, "--holdout", "0.2", "--steps", "9", "--checkpoint", saved)
    _, _, after = train(exe, "its model", "--print-model").stdout.partition("outputs of an evaluation step")
    evaluated, _, predicted = after.partition("outputs of a prediction")
    v.check("evaluation computes what it reads", " guess " in evaluated and " twice " not in evaluated, evaluated)
    v.check("prediction computes all outputs", " guess " in predicted and " twice " in predicted, predicted)
    train(exe, "eval beside such an output", "eval", "--eval-data", data, "--checkpoint", saved)
    train(exe, "predict of such an output", "predict", "--data", data, "--checkpoint", saved, "--out", out)
    weight, bias, gain = (struct.unpack(f"<{n}f", tensor_bytes(saved, name))
                          for name, n in (("denoise.d.weight", 16), ("denoise.d.bias", 4), ("gain", 4)))
    wanted = []
    for i in range(0, 84, 4):
        s = x[i:i + 4]
        for _ in range(2):
            inner = [sum(w*a for w, a in zip(weight[4*k:4*k + 4], s)) + bias[k] for k in range(4)]
            s = [a + math.exp(math.exp(gain[k]))*math.tanh(inner[k]) for k, a in enumerate(s)]
        wanted += s
    got = read_npy(out[:-3] + "twice.npy")[1].tolist()
    v.check("its values", len(got) == 84 and max(abs(a - b) for a, b in zip(got, wanted)) < 1e-4, (got[:4], wanted[:4]))


# ---- classes by their names

def finds_the_largest():
    """In rows that no kernel keeps, what C compilers may round in one place and not in another: a product, and a sum with it."""
    rows, columns, drawn = 32, 5000, random.Random(1)
    net = v.path("largest.net")
    with open(net, "w") as f:
        f.write(f"model largest {{\n input x: f32[{columns}]\n input y: f32[{columns}]\n target t: f32[1]\n p = x*y\n s = p + x\n"
                " at = where(s == max(s, axis = 0, keepdims = true), p, 0) -> sum(0)\n"
                " loss mse(reshape(at, (1)) -> dense(1), t)\n output at\n output argmax(s)\n}\ntrain largest {\n batch 16\n}\n")
    exe = build(v, nnc, net, "largest")
    if not exe:
        return
    x, y = ([struct.unpack("<f", struct.pack("<f", drawn.gauss(0, 1)))[0] for _ in range(rows * columns)] for _ in range(2))
    data = ",".join(npy(v.path(f"{name}.npy"), "f", "<f4", f"({rows}, {count})", of) for name, count, of in (("x", columns, x), ("y", columns, y), ("t", 1, [0.0] * rows)))
    saved = v.path("largest.st")
    train(exe, "rows: a step", "--data", data, "--no-eval", "--steps", "1", "--checkpoint", saved)
    train(exe, "rows: predict", "predict", "--data", data, "--checkpoint", saved, "--out", v.path("largest.npy"))
    best = [max(range(columns), key=lambda k: x[i * columns + k] * y[i * columns + k] + x[i * columns + k]) for i in range(rows)]
    v.check("argmax finds the largest of each long row", read_npy(v.path("largest.argmax.npy"))[1].tolist() == best)
    v.check("and what is compared with the largest", all(abs(p - x[i * columns + k] * y[i * columns + k]) < 1e-5 for i, (k, p) in enumerate(zip(best, read_npy(v.path("largest.at.npy"))[1]))))


def predicts_pictures(exe, folder, saved):
    """Pictures, whatever they are called and wherever they are, by the names of the classes that were trained on."""
    names = list("abcdefghi") + ["truck"]
    rows = csv_rows(exe, "folders of classes", folder, "--checkpoint", saved)
    known = {row[0]: row[1:] for row in rows[1:]}
    v.check("40 pictures of 10 classes", len(known) == 40 and all(row[0] in names for row in known.values()), rows[:3])
    flat, odd = v.path("flat"), ['a "b", c.bmp', "two\nlines.bmp", "plain.BMP", "-dash.bmp"]
    os.makedirs(flat)
    for i, name in enumerate(odd):
        shutil.copy(os.path.join(folder, "test", "c", f"{i}.bmp"), os.path.join(flat, name))
    with open(os.path.join(flat, "notes.txt"), "w") as f:
        f.write("no picture")
    wanted = {os.path.join(flat, name): known[os.path.join(folder, "test", "c", f"{i}.bmp")] for i, name in enumerate(odd)}
    rows = csv_rows(exe, "a flat folder", flat, "--checkpoint", saved, "--top", "3")
    v.check("a flat folder: the same classes", {row[0]: row[1:3] for row in rows[1:]} == wanted, rows)
    v.check("the three best, in order", rows[0][3:] == ["class_2", "probability_2", "class_3", "probability_3"] and
            all(float(row[2]) >= float(row[4]) >= float(row[6]) and len(set(row[1::2])) == 3 for row in rows[1:]), rows)
    deep = v.path("deep")
    shutil.copytree(flat, os.path.join(deep, "inner", "more"))
    for place in ("inner", ""):
        shutil.copy(os.path.join(flat, "-dash.bmp"), os.path.join(deep, place, "one.bmp"))
    done = train(exe, "a folder with folders", "predict", deep, "--checkpoint", saved)
    v.check("folders that are left alone are named", f"1 folder under `{deep}` is left alone; `predict {deep}/inner`" in done.stderr and
            "one.bmp" in done.stdout and done.stdout.count(".bmp") == 1, done.stdout + done.stderr)
    parts = v.path("parts")
    for place in ("train/c", "test"):
        os.makedirs(os.path.join(parts, place))
        shutil.copy(os.path.join(flat, "-dash.bmp"), os.path.join(parts, place, "one.bmp"))
    done = train(exe, "a test part without classes", "predict", parts, "--checkpoint", saved)
    v.check("a test part is said", f"`{parts}` is a data set" in done.stderr and f"{parts}/test/one.bmp" in done.stdout, done.stdout + done.stderr)
    lines = v.path("rows.jsonl")
    train(exe, "lines of JSON", "predict", flat, "--checkpoint", saved, "--top", "2", "--out", lines)
    told = json_lines(lines)
    v.check("lines of JSON: the same classes", {t["file"]: [t["class"], f"{t['probability']:.6g}"] for t in told} == wanted and
            all(t["top"][0]["class"] == t["class"] and len(t["top"]) == 2 for t in told), told)
    done = run([exe, "--checkpoint", saved, "predict", "nothing.jpg", "--", "-dash.bmp", os.path.join(flat, "notes.txt")], cwd=flat)
    v.check("what can't be read is named, and the rest goes on", done.returncode == DATA_STATUS and "`nothing.jpg` is left out: there is no" in
            done.stderr and "notes.txt` is left out" in done.stderr and done.stdout.split("\n")[1].split()[:2] ==
            ["-dash.bmp", wanted[os.path.join(flat, "-dash.bmp")][0]], done.stdout + done.stderr)
    train(exe, "nothing that can be read", "predict", "nothing.jpg", "--checkpoint", saved, status=DATA_STATUS)
    more = v.path("more_classes")
    shutil.copytree(folder, more)
    os.makedirs(os.path.join(more, "train", "notes"))
    with open(os.path.join(more, "train", "notes", "read.txt"), "w") as f:
        f.write("no picture")
    done = run([exe, "--data", more, "--epochs", "1"])
    v.check("a folder without pictures is named", done.returncode == DATA_STATUS and f"`{more}/train/notes` holds no picture, and counts as a class" in
            done.stderr and "has 11 classes" in done.stderr, done.stderr)


def knows_its_classes(exe):
    """A class is a number, and its name says which."""
    folder, saved, names = v.path("named"), v.path("named.st"), list("abcdefghi") + ["truck"]
    put_images(folder, names)
    train(exe, "folders of classes", "--data", folder, "--steps", "6", "--stop-after", "3", "--checkpoint", saved)
    train(exe, "eval, the same classes", "eval", "--data", folder, "--checkpoint", saved)
    predicts_pictures(exe, folder, saved)
    for part in ("train", "test"):
        os.rename(os.path.join(folder, part, "truck"), os.path.join(folder, part, "aardvark"))
    for what, *options in (("resume", "--steps", "6", "--resume", "--checkpoint", saved), ("eval", "eval", "--checkpoint", saved),
                           ("eval of --init", "eval", "--init", saved),
                           ("predict", "predict", "--checkpoint", saved, "--out", v.path("named.npy"))):
        done = train(exe, f"{what}, a class renamed", *options, "--data", folder, status=DATA_STATUS)
        v.check(f"{what}, a class renamed: named", "the class `truck`, which the data does not have; it has `aardvark`" in done.stderr,
                done.stderr)
    train(exe, "a new training from it", "--data", folder, "--steps", "2", "--init", saved)


def compares_real_samples():
    """Five samples in batches of four: the last is alone, and what fills its batch up is no sample to be told apart from."""
    net, count = v.path("pairs.net"), 5
    with open(net, "w") as f:
        f.write("model pairs {\n input a: f32[3]\n input b: f32[3]\n u = a -> dense(4)\n v = b -> dense(4)\n loss contrastive(u, v, temperature = 0.5)\n"
                " output u\n output v\n}\ntrain pairs {\n batch 4\n epochs 1\n}\n")
    exe = build(v, nnc, net, "pairs")
    if not exe:
        return
    data = ",".join(npy(v.path(f"{name}.npy"), "f", "<f4", f"({count}, 3)", [math.sin(3 * k + shift) for k in range(3 * count)])
                    for name, shift in (("a", 0), ("b", 1)))
    saved = v.path("pairs.st")
    train(exe, "pairs", "--data", data, "--steps", "2", "--checkpoint", saved)
    said = train(exe, "eval of pairs", "eval", "--data", data, "--checkpoint", saved).stdout.split()
    rows = csv_rows(exe, "rows of pairs", data, "--checkpoint", saved)[1:]
    x, y = [[float(z) for z in row[1:5]] for row in rows], [[float(z) for z in row[5:9]] for row in rows]
    total = 0
    for i in range(count):
        batch = range(i // 4 * 4, min(count, i // 4 * 4 + 4))
        scores = {j: sum(p * q for p, q in zip(x[i], y[j])) / 0.5 for j in batch}
        total += math.log(sum(math.exp(s) for s in scores.values())) - scores[i]
    v.check("eval compares a sample with the real ones of its batch", said[3] == "5" and abs(float(said[1]) - total / count) < 1e-4, (said, total / count))


mnist = build(v, nnc, os.path.join(ROOT, "models", "mnist_cnn.net"), "train_mnist")
if mnist:
    predicts_digits(mnist)
    knows_its_classes(mnist)
predicts_several()
compares_real_samples()
evaluates_what_is_read()
leaves_padding_out()
finds_the_largest()
v.finish()
