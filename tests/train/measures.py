#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Metrics over all samples: measures.py NNC

What a trainer's evaluation says is what scikit-learn computes of what it predicts: to 1e-6, with a last batch that is not full, and
with the samples shared by ranks. NumPy writes the data. Without scikit-learn the values are computed here, pair by pair.
"""
import math
import os
import socket
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import Verdict, build, json_lines, run

try:
    from sklearn import metrics as sk
except ImportError:
    sk = None

nnc = os.path.abspath(sys.argv[1])
v = Verdict("measures")
SAMPLES, BATCH = 143, 8  # the last batch has 7
chance = np.random.default_rng(5)

MODEL = """model m {
    input  x: f32[6]
    target y: %s
    z = x -> dense(%s)
    loss %s
%s    output z
}
train m {
    optimizer sgd(rate = 0.1)
    batch     %d
    epochs    2
}
"""


def model(name, target, outputs, loss, measured):
    path = v.path(name + ".net")
    lines = "".join(f"    metric {m}\n" for m in measured)
    with open(path, "w") as f:
        f.write(MODEL % (target, outputs, loss, lines, BATCH))
    return path


def data(name, y):
    x = chance.normal(size=(len(y), 6)).astype("f4")
    x[:, 0] += np.asarray(y, "f4").reshape(len(y), -1)[:, 0]
    paths = v.path(name + "_x.npy"), v.path(name + "_y.npy")
    for path, values in zip(paths, (x, y)):
        np.save(path, values)
    return ",".join(paths)


def printed(out):
    """The values of eval's line, and its tables: {metric: [by column]}."""
    lines = out.splitlines()
    words = lines[0].split()
    values = {words[i][5:]: float(words[i + 1]) for i in range(0, len(words) - 2, 2)}
    tables, heads = {}, []
    for line in lines[1:]:
        cells = line.split()
        if cells[0] in ("class", "column"):
            heads = cells[1:]
        else:
            for head, cell in zip(heads, cells[1:]):
                tables.setdefault(head, []).append(math.nan if cell == "-" else float(cell))
    return values, tables


def ranks_eval(exe, ranks, *options):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    each = [subprocess.Popen([exe, "eval", *options], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env={**os.environ, "RANK": str(r), "WORLD_SIZE": str(ranks), "LOCAL_RANK": str(r), "LOCAL_WORLD_SIZE": str(ranks),
                                  "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}) for r in range(ranks)]
    said = [p.communicate(timeout=120) for p in each]
    v.check(f"eval of {ranks} ranks", all(p.returncode == 0 for p in each), said)
    return said[0][0]


def close(ours, wanted):
    return abs(ours - wanted) <= 1e-6 * max(1, abs(wanted)) or (math.isnan(ours) and math.isnan(wanted))


def compare(name, target, outputs, loss, y, wanted, by_column=(), monitor=None):
    """`wanted`: {metric as it stands in the model: (its name, f(y, z))}."""
    net, folder, kept, log = model(name, target, outputs, loss, wanted), data(name + "_data", y), v.path(name + ".st"), v.path(name + ".jsonl")
    exe = build(v, nnc, net, name)
    if not exe:
        return
    done = run([exe, "--data", folder, "--eval-data", folder, "--checkpoint", kept, "--best", v.path(name + ".best"), "--log", log,
                *(["--monitor", monitor] if monitor else [])])
    predict = run([exe, "predict", "--data", folder, "--checkpoint", kept, "--out", v.path(name + ".npy")])
    told = run([exe, "eval", "--data", folder, "--checkpoint", kept])
    if not v.check(f"{name}: trains, predicts, is evaluated", done.returncode == predict.returncode == told.returncode == 0,
                   done.stderr + predict.stderr + told.stderr):
        return
    z = np.load(v.path(name + ".npy")).astype("f8")
    z = z.ravel() if outputs == 1 else z
    last = [x for x in json_lines(log) if "epoch" in x][-1]
    values, tables = printed(told.stdout)
    for metric, (called, formula) in wanted.items():
        value = formula(np.asarray(y), z)
        v.check(f"{name}: {metric}", close(last["eval_" + called], value), (last["eval_" + called], value))
        v.check(f"{name}: {metric}, printed", abs(values[called] - value) <= 1e-5 * max(1, abs(value)), (values, value))
        v.check(f"{name}: {metric} is of evaluations alone", called not in last)
    for called, formula in by_column:
        value = formula(np.asarray(y), z)
        v.check(f"{name}: {called} by column", np.allclose(tables.get(called, []), value, atol=1e-5), (tables, value))
    shared = build(v, nnc, net, name + "_2", "--ranks=2")
    if shared:
        v.check(f"{name}: two ranks", printed(ranks_eval(shared, 2, "--data", folder, "--checkpoint", kept))[0] == values, values)
    return done


# ---- without scikit-learn

def auc(is_it, score):
    a, b = score[is_it == 1], score[is_it == 0]
    return np.mean((a[:, None] > b[None]) + 0.5 * (a[:, None] == b[None]))


def average_precision(is_it, score):
    total, before = 0, 0
    for t in sorted(set(score), reverse=True):
        taken = score >= t
        recall = np.sum(is_it[taken]) / np.sum(is_it)
        total += (recall - before) * np.mean(is_it[taken])
        before = recall
    return total


def counts(is_it, taken):
    return np.sum(is_it & taken), np.sum(~is_it & taken), np.sum(is_it & ~taken)


def softmax(z):
    e = np.exp(z - z.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def score(kind, is_it, taken):
    right, wrong, missed = counts(is_it, taken)
    parts = {"precision": (right, right + wrong), "recall": (right, right + missed), "f1": (2 * right, 2 * right + wrong + missed),
             "iou": (right, right + wrong + missed)}
    return parts[kind][0] / max(parts[kind][1], 1)


def ece(p, right, bins=15):
    """By its definition: Guo et al. 2017, equation 3."""
    p, right = np.ravel(p), np.ravel(right)
    total = 0
    for k in range(bins):
        inside = (p >= k / bins) & ((p < (k + 1) / bins) | (k == bins - 1))
        total += abs(np.sum(right[inside]) - np.sum(p[inside]))
    return total / len(p)


def by_class(kind):
    return lambda y, z: [score(kind, y == k, z.argmax(1) == k) for k in range(z.shape[1])]


def of_pair(kind, other):
    """scikit-learn's function where it is there, which must also be what is computed here."""
    def value(y, z):
        ours = kind(y, z)
        if sk:
            v.check("the witness's own formula", close(ours, other(y, z)), (ours, other(y, z)))
        return ours
    return value


# Classes 0 to 3, of which no sample has the last and one is rare.
three = np.where(chance.random(SAMPLES) < 0.1, 2, chance.integers(0, 2, SAMPLES)).astype("i4")
compare("classes", "class[4]", 4, "cross_entropy(z, y)", three, {
    "f1(z, y)": ("f1", of_pair(
        lambda y, z: np.mean([s for k, s in enumerate(by_class("f1")(y, z)) if np.any(y == k) or np.any(z.argmax(1) == k)]),
        lambda y, z: sk.f1_score(y, z.argmax(1), average="macro", zero_division=0))),
    "f1(z, y, average = micro)": ("f1_2", of_pair(lambda y, z: np.mean(z.argmax(1) == y), lambda y, z: sk.f1_score(y, z.argmax(1), average="micro"))),
    "precision(z, y, class = 1)": ("precision", of_pair(
        lambda y, z: by_class("precision")(y, z)[1], lambda y, z: sk.precision_score(y == 1, z.argmax(1) == 1))),
    "recall(z, y, class = 0)": ("recall", of_pair(lambda y, z: by_class("recall")(y, z)[0], lambda y, z: sk.recall_score(y == 0, z.argmax(1) == 0))),
    "auc(z, y)": ("auc", of_pair(lambda y, z: np.mean([auc((y == k) * 1, softmax(z)[:, k]) for k in range(3)]),
                                 lambda y, z: np.mean([sk.roc_auc_score(y == k, softmax(z)[:, k]) for k in range(3)]))),
    "average_precision(z, y)": ("average_precision", of_pair(
        lambda y, z: np.mean([average_precision((y == k) * 1, softmax(z)[:, k]) for k in range(3)]),
        lambda y, z: np.mean([sk.average_precision_score(y == k, softmax(z)[:, k]) for k in range(3)]))),
    "perplexity(z, y)": ("perplexity", of_pair(lambda y, z: math.exp(-np.mean(np.log(softmax(z)[np.arange(len(y)), y]))),
                                               lambda y, z: math.exp(sk.log_loss(y, softmax(z), labels=range(4))))),
}, [("f1", by_class("f1")), ("recall", by_class("recall"))], monitor="auc")
compare("taken", "class[4]", 4, "cross_entropy(z, y)", three, {
    "iou(z, y)": ("iou", of_pair(
        lambda y, z: np.mean([s for k, s in enumerate(by_class("iou")(y, z)) if np.any(y == k) or np.any(z.argmax(1) == k)]),
        lambda y, z: sk.jaccard_score(y, z.argmax(1), average="macro", zero_division=0))),
    "ece(z, y)": ("ece", lambda y, z: ece(softmax(z).max(1), z.argmax(1) == y)),
}, [("iou", by_class("iou"))], monitor="iou")

two = chance.integers(0, 2, SAMPLES).astype("i4")
compare("two", "class[2]", 2, "cross_entropy(z, y)", two, {
    "auc(z, y)": ("auc", of_pair(lambda y, z: auc(y, z[:, 1] - z[:, 0]), lambda y, z: sk.roc_auc_score(y, z[:, 1] - z[:, 0]))),
    "average_precision(z, y)": ("average_precision", of_pair(lambda y, z: average_precision(y, z[:, 1] - z[:, 0]),
                                                              lambda y, z: sk.average_precision_score(y, z[:, 1] - z[:, 0]))),
})

# One score that takes few values, so that many are equal.
compare("ties", "f32[]", 1, "bce(z, y)", two.astype("f4"), {
    "auc(where(z > 0.2, 1, where(z > -0.2, 0, -1)), y)": ("auc", of_pair(
        lambda y, z: auc(y, (z > 0.2) * 1.0 - (z <= -0.2)), lambda y, z: sk.roc_auc_score(y, (z > 0.2) * 1.0 - (z <= -0.2)))),
    "average_precision(where(z > 0.2, 1, where(z > -0.2, 0, -1)), y)": ("average_precision", of_pair(
        lambda y, z: average_precision(y, (z > 0.2) * 1.0 - (z <= -0.2)), lambda y, z: sk.average_precision_score(y, (z > 0.2) * 1.0 - (z <= -0.2)))),
    "f1(z, y)": ("f1", of_pair(lambda y, z: score("f1", y > 0.5, z > 0), lambda y, z: sk.f1_score(y, z > 0))),
    "dice(z, y)": ("dice", lambda y, z: score("f1", y > 0.5, z > 0)),
    "ece(z, y, bins = 7)": ("ece", lambda y, z: ece(1 / (1 + np.exp(-z)), y > 0.5, 7)),
})

several = (chance.random((SAMPLES, 3)) < (0.5, 0.2, 0.7)).astype("f4")
compare("several", "f32[3]", 3, "bce(z, y)", several, {
    "f1(z, y)": ("f1", of_pair(lambda y, z: np.mean([score("f1", y[:, k] > 0, z[:, k] > 0) for k in range(3)]),
                               lambda y, z: sk.f1_score(y, z > 0, average="macro", zero_division=0))),
    "f1(z, y, average = micro)": ("f1_2", of_pair(lambda y, z: score("f1", (y > 0).ravel(), (z > 0).ravel()), lambda y, z: sk.f1_score(y, z > 0, average="micro"))),
    "auc(z, y)": ("auc", of_pair(lambda y, z: np.mean([auc(y[:, k], z[:, k]) for k in range(3)]), lambda y, z: sk.roc_auc_score(y, z))),
    "average_precision(z, y)": ("average_precision", of_pair(lambda y, z: np.mean([average_precision(y[:, k], z[:, k]) for k in range(3)]),
                                                              lambda y, z: sk.average_precision_score(y, z))),
})

# Far from 0, where a variance by the difference of large numbers would be noise; one target is 0.
numbers = (chance.normal(size=(SAMPLES, 2)) * (1, 0.01) + (0, 1000)).astype("f4")
numbers[3, 0] = 0
compare("numbers", "f32[2]", 2, "mse(z, y)", numbers, {
    "r2(z, y)": ("r2", of_pair(lambda y, z: np.mean(1 - np.sum((y - z) ** 2, 0, dtype="f8") / np.sum((y - np.mean(y, 0, dtype="f8")) ** 2, 0, dtype="f8")),
                               lambda y, z: sk.r2_score(y.astype("f8"), z))),
    "rmse(z, y)": ("rmse", of_pair(lambda y, z: np.mean(np.sqrt(np.mean((y - z) ** 2, 0))), lambda y, z: sk.mean_squared_error(y, z, squared=False))),
    "mae(z, y)": ("mae", of_pair(lambda y, z: np.mean(np.abs(y - z)), sk.mean_absolute_error if sk else None)),
    "mape(z, y)": ("mape", of_pair(lambda y, z: np.mean(np.abs(y - z) / np.maximum(np.abs(y), np.finfo("f8").eps)),
                                   sk.mean_absolute_percentage_error if sk else None)),
}, monitor="r2:max")

# Places of which some do not count: a sample of many weighs more than one of few, unlike in the loss.
places = chance.integers(0, 3, (SAMPLES, 5)).astype("i4")
places[:SAMPLES // 2, 1:] = 2
compare("places", "class[3][5]", "15) -> reshape((5, 3)", "cross_entropy(z, y, ignore = 2)", places, {
    "perplexity(z, y, ignore = 2)": ("perplexity", lambda y, z: math.exp(-np.mean(np.log(np.take_along_axis(softmax(z), y[..., None], -1)[..., 0][y != 2])))),
    "iou(z, y, ignore = 2)": ("iou", lambda y, z: np.mean([score("iou", y[y != 2] == k, z.argmax(-1)[y != 2] == k) for k in range(3)])),
    "ece(z, y, ignore = 2)": ("ece", lambda y, z: ece(softmax(z).max(-1)[y != 2], (z.argmax(-1) == y)[y != 2])),
    "precision(z, y, average = micro, ignore = 2)": ("precision", lambda y, z: np.mean((z.argmax(-1) == y)[y != 2])),
})


def refused(name, metric, *says):
    net = model(name, "class[3]", 3, "cross_entropy(z, y)", [metric])
    done = run([nnc, net, "-o", v.path(name)])
    v.check(f"{metric}: refused", done.returncode == 1 and all(s in done.stderr for s in says), done.stderr)


refused("part", "1 - auc(z, y)", "measure-alone", "stands alone behind `metric`")
refused("beyond", "f1(z, y, class = 3)", "`class` is one of the 3")
refused("bins", "ece(z, y, bins = 0)", "there can be 1 to 1000 bins")
refused("shape", "r2(z, y)", "the scores are")
exe = v.path("two")
done = run([exe, "--data", v.path("two_data_x.npy") + "," + v.path("two_data_y.npy"), "--run", "first", "--progress", "plain"], cwd=v.folder)
if v.check("a run's folder", done.returncode == 0 and "eval_auc 0." in done.stderr, done.stderr):
    with open(v.path("runs", "first-1", "log.csv")) as f:
        table = [line.split(",") for line in f.read().splitlines()]
    v.check("log.csv has it", "eval_auc" in table[0] and 0 < float(table[1][table[0].index("eval_auc")]) <= 1 and "auc" not in table[0], table)
    with open(v.path("runs", "first-1", "report.html")) as f:
        v.check("report.html draws it", "curve of eval_auc" in f.read())
# What ranks samples keeps them all: 69 MB, where not twice that is left to map.
np.save(v.path("many_x.npy"), np.zeros((4000, 6), "f4"))
np.save(v.path("many_y.npy"), np.zeros((4000, 64, 16), "u1"))
many = build(v, nnc, model("many", "u8[64, 16]", "1024) -> reshape((64, 16)", "mean((z - y)*(z - y))", ["auc(z, y)"]), "many")
if many:
    words = [many, "eval", "--data", v.path("many_x.npy") + "," + v.path("many_y.npy")]
    done = run(["/bin/sh", "-c", 'ulimit -v 150000; exec "$@"', "sh", *words], env={"OMP_NUM_THREADS": "1"})
    v.check("too little memory is told before", done.returncode == 4 and "the metric `auc` keeps every score of the 4000" in done.stderr,
            f"{done.returncode} {done.stdout} {done.stderr}")
    v.check("and there is enough without the limit", run(words).returncode == 0)
done = run([exe, "--data", v.path("two_data_x.npy") + "," + v.path("two_data_y.npy"), "--monitor", "acu"])
v.check("--monitor names them", done.returncode == 2 and "did you mean `auc`?" in done.stderr and "loss, auc, average_precision" in done.stderr, done.stderr)
v.finish()
