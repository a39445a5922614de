#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Series: series.py NNC

Windows, standardisation and forecasts, by formulas of this file's own: losses say which windows were trained on and which were held out, since
those of different windows differ.
"""
import datetime
import json
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "witness"))
from formula import read_safetensors
from shared import metadata_of
from verdict import Verdict, build, json_lines, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("series")
WINDOW, HORIZON, COUNT = 6, 3, 60
NET = """model load {
    input  x: f32[%s]
    target b: f32[%s]
    y = %s
    loss   mse(y, b)
    output y
}
train load {
    data      series
    %s
    optimizer sgd(rate = 1e-12)
    batch     1
    epochs    1
}
"""
chance = random.Random(5)
ROWS = [(f"{datetime.date(2024, 1, 30) + datetime.timedelta(i)}", 5 + 3 * chance.random() + i / 9, 40000 + 300 * chance.random() - 7 * i) for i in range(COUNT)]


def write(name, lines):
    with open(v.path(name), "w") as f:
        f.write("\n".join(lines) + "\n")
    return v.path(name)


LINES = ["day,a,b"] + [f"{day},{a!r},{b!r}" for day, a, b in ROWS]


def trainer(name, x=f"{WINDOW}, 2", b=f"{HORIZON}", y=f"x -> flatten -> dense({HORIZON})", recipe='pass "day"'):
    return build(v, nnc, write(name + ".net", [NET % (x, b, y, recipe)]), name)


def checkpoint(path):
    return json.loads(metadata_of(path)["table"]), {name: values for name, (_, values) in read_safetensors(path).items()}


def scale_of(values):
    mean = sum(values) / len(values)
    return mean, (sum((x - mean) ** 2 for x in values) / len(values)) ** 0.5


def near(a, b, share=1e-4):
    return abs(a - b) <= share * max(abs(a), abs(b), 1)


def windows(first, end):
    """Places in ROWS at which a window of rows [first, end) begins whose horizon is in them, too."""
    return range(first, end - WINDOW - HORIZON + 1)


def loss_of(places, mean, scale):
    """Of forecasts that are all 0."""
    squares = [((ROWS[p + WINDOW + k][2] - mean) / scale) ** 2 for p in places for k in range(HORIZON)]
    return sum(squares) / len(squares)


def check_parts(exe):
    """Of a network that says 0 whatever it sees."""
    for what, options, first, end in (("the tail", ["--holdout", "0.25"], 45, 60), ("by the column", ["--holdout", "0.25,time=day"], 45, 60),
                                      ("fold 1", ["--folds", "3", "--fold", "1"], 15, 30), ("fold 2", ["--folds", "3", "--fold", "2"], 30, 45)):
        mean, scale = scale_of([row[2] for row in ROWS[:first]])
        for turn in ([], ["--stream"], ["--no-shuffle", "--threads", "1"]):
            log = v.path(f"log{len(turn)}.jsonl")
            done = run([exe, "--data", v.path("rows.csv"), "--log", log, *options, *turn])
            if not v.check(f"{what} {turn}: trains", done.returncode == 0, done.stderr):
                continue
            lines = json_lines(log)
            os.remove(log)
            last = [x for x in lines if "epoch" in x][-1]
            v.check(f"{what} {turn}: windows of each part, none of both", (lines[0]["samples"], lines[0]["held_out"]) == (len(windows(0, first)), len(windows(first, end))), lines[0])
            v.check(f"{what} {turn}: those that are trained on", near(last["loss"], loss_of(windows(0, first), mean, scale)), (last, loss_of(windows(0, first), mean, scale)))
            v.check(f"{what} {turn}: those that are held out", near(last["eval_loss"], loss_of(windows(first, end), mean, scale)), last)


def predicted(exe, data, saved, *options):
    out = v.path("out.jsonl")
    if os.path.exists(out):
        os.remove(out)
    done = run([exe, "predict", data, "--checkpoint", saved, "--out", out, *options])
    if not v.check(f"predict {os.path.basename(data)}", done.returncode == 0, done.stderr):
        return []
    return json_lines(out)


def check_forecasts(exe, name, columns, target):
    """All windows of a file, the last of which ends with its last row; in the units of the column."""
    saved, end = v.path(name + ".st"), 45
    done = run([exe, "--data", v.path("rows.csv"), "--holdout", "0.25", "--checkpoint", saved])
    if not v.check(f"{name}: trains", done.returncode == 0, done.stderr):
        return
    table, floats = checkpoint(saved)
    scales = {c: scale_of([row[c] for row in ROWS[:end]]) for c in {*columns, *target}}
    for key, wanted in (("x", columns), ("b", target)):
        v.check(f"{name}: {key} is standardised by the part to train on", table[key]["columns"] == [" ab"[c] for c in wanted] and
                all(near(float(m), scales[c][0], 1e-12) and near(float(s), scales[c][1], 1e-12) for c, m, s in zip(wanted, table[key]["mean"], table[key]["scale"])), table[key])
    weights, outputs = next(t for n, t in floats.items() if n.endswith("weight")), HORIZON * len(target)
    bias = next(t for n, t in floats.items() if n.endswith("bias"))
    got = predicted(exe, v.path("rows.csv"), saved)
    v.check(f"{name}: a forecast after each window", [g["file"].rsplit("[", 1)[1] for g in got] == [f"{k}]" for k in range(WINDOW - 1, COUNT)], got[:2])
    for k, row in enumerate(got):
        x = [(ROWS[k + t][c] - scales[c][0]) / scales[c][1] for t in range(WINDOW) for c in columns]
        for j in range(outputs):
            c = target[j % len(target)]
            one = sum(w * value for w, value in zip(weights[j * len(x):(j + 1) * len(x)], x)) + bias[j]
            if not near(row["y"][j], one * scales[c][1] + scales[c][0]):
                return v.check(f"{name}: forecast {j} of window {k}", False, (row["y"][j], one * scales[c][1] + scales[c][0]))
        if "passed" in row and row["passed"] != {"day": ROWS[k + WINDOW - 1][0]}:
            return v.check(f"{name}: the day of the last row of window {k}", False, row)
    v.check(f"{name}: forecasts in the units of the column", len(got) == COUNT - WINDOW + 1)
    turned = write("turned.csv", [",".join(reversed(line.split(","))) for line in LINES[:1 + WINDOW]])
    v.check(f"{name}: of one window alone, columns in another order", predicted(exe, turned, saved)[:1] and
            all(near(a, b) for a, b in zip(predicted(exe, turned, saved)[0]["y"], got[0]["y"])))


def check_mistakes(exe):
    def refused(what, lines, wanted, *options, by=exe):
        done = run([by, "--data", write("bad.csv", lines), "--holdout", "0.25", *options])
        v.check(f"{what} is told", done.returncode == 3 and all(x in done.stderr for x in ("bad.csv", *wanted)), (done.returncode, done.stderr))

    def changed(at, column, text):
        cells = LINES[at].split(",")
        cells[column] = text
        return LINES[:at] + [",".join(cells)] + LINES[at + 1:]

    refused("too few rows to train on", LINES[:8], ["7 rows", "5 are to train on", "takes 9"])
    refused("too few rows held out", LINES[:31], ["30 rows", "8 are held out", "takes 9"])
    refused("a gap in time", LINES[:20] + LINES[21:], ["line 21", "`day`", "a gap in time", "172800 s", "86400 s"])
    refused("rows in another order", LINES[:20] + [LINES[5]] + LINES[20:], ["line 21", "`day`", "order of time"])
    refused("a row that comes again", LINES[:20] + LINES[19:], ["line 21", "`day`", "not later"])
    refused("a word in a column", changed(12, 1, "warm"), ["line 13", "`a`", "`warm` is no number"])
    refused("an empty cell", changed(12, 1, ""), ["line 13", "`a`", "missing median"])
    refused("an empty cell of the target's", changed(14, 2, ""), ["line 15", "`b`", "missing"])
    refused("an empty cell of the time's", changed(14, 0, ""), ["line 15", "`day`", "missing"])
    refused("a share by classes", LINES, ["stratified"], "--holdout", "0.25,stratified")
    refused("a column too many", [line + (",c" if i == 0 else ",1") for i, line in enumerate(LINES)], ["3 columns", "`c`", "f32[6, 3]"])
    drops = trainer("drops", recipe='missing "a" drop')
    refused("a row left out", LINES, ["no row can be left out"], by=drops)
    uneven = trainer("uneven", b="2, 3", y="x -> flatten -> dense(6) -> reshape((2, 3))")
    refused("a target of more columns than there are", LINES, ["2 columns", "f32[2, 2]"], by=uneven)
    ignored = trainer("ignored", recipe='ignore "day"')
    done = run([ignored, "--data", write("week.csv", LINES[:20] + LINES[21:]), "--holdout", "0.25"])
    v.check("without a column of time no gap is looked for", done.returncode == 0, done.stderr)
    months = write("months.csv", LINES[:1] + [f"{2020 + i // 12}-{i % 12 + 1:02}-01,{a!r},{b!r}" for i, (_, a, b) in enumerate(ROWS)])
    done = run([exe, "--data", months, "--holdout", "0.25"])
    v.check("months are as long as they are", done.returncode == 0, done.stderr)


def check_filled():
    """A cell that is empty has the column's median in the part to train on."""
    exe = trainer("filled", recipe="missing median")
    lines = list(LINES)
    lines[4] = f"{ROWS[3][0]},,{ROWS[3][2]!r}"
    saved = v.path("filled.st")
    done = run([exe, "--data", write("holes.csv", lines), "--holdout", "0.25", "--checkpoint", saved])
    if not v.check("a hole is filled", done.returncode == 0, done.stderr):
        return
    left = sorted(row[1] for i, row in enumerate(ROWS[:45]) if i != 3)
    median = (left[21] + left[22]) / 2
    v.check("by the median", near(float(checkpoint(saved)[0]["x"]["fill"][0]), median, 1e-12), checkpoint(saved)[0]["x"])


def check_order_everywhere():
    """The recipe's column of time, of numbers here, is looked at where nothing is held out as well."""
    exe, saved = trainer("numbered", recipe='holdout 0.25 time "day"'), v.path("numbered.st")
    lines = LINES[:1] + [f"{i},{a!r},{b!r}" for i, (_, a, b) in enumerate(ROWS)]
    good, gap = write("good.csv", lines), write("gap.csv", lines[:20] + lines[21:])
    turned = write("later.csv", lines[:1] + lines[:0:-1])
    done = run([exe, "--data", good, "--checkpoint", saved])
    if not v.check("by numbers: trains", done.returncode == 0, done.stderr):
        return
    for options in (["eval", "--data", turned, "--checkpoint", saved], ["predict", turned, "--checkpoint", saved], ["--data", turned, "--eval-data", good],
                    ["--data", good, "--eval-data", turned]):
        done = run([exe, *options])
        v.check(f"{options[0]}: rows in another order are told", done.returncode == 3 and "later.csv" in done.stderr and "order of time" in done.stderr, done.stderr)
    for command in (["eval", "--data"], ["predict"]):
        done = run([exe, *command, gap, "--checkpoint", saved])
        v.check(f"{command[0]}: a gap is told", done.returncode == 3 and "a gap in time" in done.stderr, done.stderr)
        done = run([exe, *command, good, "--checkpoint", saved])
        v.check(f"{command[0]}: of all rows", done.returncode == 0, done.stderr)


def check_named_time():
    """A column of time that the command line alone names is kept with the weights; advice names no option that the command lacks."""
    exe, saved = trainer("named"), v.path("named.st")
    lines = LINES[:1] + [f"{i},{a!r},{b!r}" for i, (_, a, b) in enumerate(ROWS)]
    good, turned, few = write("named.csv", lines), write("turned.csv", lines[:1] + lines[:0:-1]), write("few.csv", lines[:6])
    done = run([exe, "--data", good, "--holdout", "0.25,time=day", "--checkpoint", saved])
    if not v.check("time by the option: trains", done.returncode == 0 and checkpoint(saved)[0]["time column"] == "day", done.stderr):
        return
    for command in (["eval", "--data"], ["predict"]):
        done = run([exe, *command, turned, "--checkpoint", saved])
        v.check(f"{command[0]}: looks at the time that was named", done.returncode == 3 and "order of time" in done.stderr, done.stderr)
        v.check(f"{command[0]}: of all rows", run([exe, *command, good, "--checkpoint", saved]).returncode == 0)
    for command in ("bench", "profile"):
        done = run([exe, command, "--data", few])
        v.check(f"{command}: few rows", done.returncode == 3 and "give more rows" in done.stderr and "--holdout" not in done.stderr, done.stderr)


def check_units():
    """A deviation beside the forecast is no forecast, and which of two is one the shape does not say."""
    for name, more in (("two", "    s = y*0.0\n    output y\n    output s"), ("flat", "    s = y -> reshape((1, %d))\n    output s" % HORIZON)):
        exe = build(v, nnc, write(name + ".net", [(NET % (f"{WINDOW}, 2", HORIZON, f"x -> flatten -> dense({HORIZON})", 'pass "day"')).replace("    output y", more)]), name)
        saved = v.path(name + ".st")
        run([exe, "--data", v.path("rows.csv"), "--holdout", "0.25", "--checkpoint", saved])
        out = v.path(name + ".jsonl")
        done = run([exe, "predict", v.path("rows.csv"), "--checkpoint", saved, "--out", out])
        v.check(f"{name}: units that are not those of the column are told", done.returncode == 0 and "not in their units" in done.stderr, done.stderr)
        rows = json_lines(out)
        means = [sum(row["s"]) for row in rows]
        v.check(f"{name}: nothing is scaled", len(rows) == COUNT - WINDOW + 1 and all(abs(x) < 1000 for x in means), rows[:1])


def check_damaged(exe):
    """A checkpoint whose table is none of a series is refused, and so are forecasts without units."""
    saved, damaged = v.path("whole.st"), v.path("damaged.st")
    with open(saved, "rb") as f:
        data = f.read()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    table = checkpoint(saved)[0]
    for what, x, wanted in (("labels", {"spread": ";", "columns": ["a"], "words": ["p", "q"]}, "damaged"),
                            ("flags", {"fill": ["1", ""], "flag": ["", "0"], "columns": ["a"], "mean": table["x"]["mean"], "scale": table["x"]["scale"]}, "damaged"),
                            ("no mean", {"columns": ["a", "b"]}, "damaged"), ("no table", None, "no units")):
        header = json.loads(data[8:start])
        header["__metadata__"] = {"table": json.dumps({"x": x, "b": table["b"]})} if x else {}
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        with open(damaged, "wb") as f:
            f.write(struct.pack("<Q", len(text)) + text + data[start:])
        done = run([exe, "predict", v.path("rows.csv"), "--init", damaged])
        v.check(f"weights with {what} are refused", done.returncode == 3 and wanted in done.stderr, (done.returncode, done.stderr))


write("rows.csv", LINES)
zero = trainer("zero", y=f"(x*0.0) -> flatten -> dense({HORIZON}, bias = false)")
whole = trainer("whole")
single = trainer("single", x=f"{WINDOW}", y=f"x -> dense({HORIZON})", recipe='ignore "a"')
both = trainer("both", b=f"{HORIZON}, 2", y=f"x -> flatten -> dense({2 * HORIZON}) -> reshape(({HORIZON}, 2))")
if zero and whole and single and both:
    check_parts(zero)
    check_forecasts(whole, "whole", [1, 2], [2])
    check_forecasts(single, "single", [2], [2])
    check_forecasts(both, "both", [1, 2], [1, 2])
    check_mistakes(whole)
    check_damaged(whole)
    check_units()
    check_filled()
    check_order_everywhere()
    check_named_time()
v.finish()
