#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is held out: splits.py NNC

Each row has a power of two as its number, and the loss is the mean of these over the rows of a part: so the log says exactly which rows were trained
on and which were held out, by share, by classes, by a column, by groups, by time, and in folds.
"""
import csv
import json
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import metadata_of
from verdict import Verdict, build, json_lines, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("splits")
NET = """model rows {
    input  x: f32[1]
    target key: f32[1]
    target kind: class[3]
    flat = x*0.0
    loss   l1(flat -> dense(1, bias = false), key)
    metric accuracy(flat -> dense(3), kind)
}
train rows {
    data      table
    missing   median
    ignore    "who", "day", "part"
    %s
    optimizer sgd(rate = 1e-9)
    batch     1
    epochs    1
}
"""
COUNT = 22
chance = random.Random(7)
ROWS = [{"x": "" if i % 5 == 0 else str(chance.randrange(100)), "key": str(2 ** i), "kind": "abc"[0 if i < 12 else 1 if i < 18 else 2], "who": f"p{chance.randrange(6)}",
         "day": f"2024-{1 + chance.randrange(12):02}-{1 + chance.randrange(3) * 9:02}", "part": "Test" if i % 3 == 0 else "train"} for i in range(COUNT)]


def write(name, rows):
    with open(v.path(name), "w", newline="") as f:
        w = csv.DictWriter(f, list(ROWS[0]))
        w.writeheader()
        w.writerows(rows)
    return v.path(name)


def bits(mean, count):
    total = round(mean * count)
    return {i for i in range(COUNT) if total >> i & 1}


def parts(log):
    """The rows that were trained on and those that were held out, by a run's log."""
    lines = json_lines(log)
    first, last = lines[0], [x for x in lines if "epoch" in x][-1]
    return bits(last["loss"], first["samples"]), bits(last["eval_loss"], first["held_out"]) if "eval_loss" in last else set(), first


def trained(exe, what, *options, data=None, status=0):
    log = v.path("log.jsonl")
    if os.path.exists(log):
        os.remove(log)
    done = run([exe, "--data", data or v.path("rows.csv"), "--log", log, *options])
    v.check(f"{what}: status {status}", done.returncode == status, done.stderr)
    if done.returncode or status:
        return done
    train, held, first = parts(log)
    v.check(f"{what}: no row is on both sides or lost", not train & held and len(train) == first["samples"] and len(held) == first["held_out"], (train, held, first))
    return train, held


def of(rows, key):
    return [ROWS[i][key] for i in rows]


def check_kinds(exe):
    everything = set(range(COUNT))
    train, held = trained(exe, "a share", "--holdout", "0.25")
    v.check("a share", len(held) == int(COUNT * 0.25) and train | held == everything, held)
    again = trained(exe, "a share again", "--holdout", "0.25")
    other = trained(exe, "another seed", "--holdout", "0.25", "--seed", "3")
    v.check("by the seed", again == (train, held) and other != (train, held), (again, other))

    train, held = trained(exe, "of each class", "--holdout", "0.33,stratified")
    v.check("as many of each class as it has of all", sorted(of(held, "kind")) == list("aaaabbc") and train | held == everything, of(held, "kind"))
    train, held = trained(exe, "groups", "--holdout", "0.3,group=who")
    v.check("no group is on both sides", not set(of(train, "who")) & set(of(held, "who")) and 3 <= len(held) <= 10 and train | held == everything, (of(held, "who"), len(held)))
    train, held = trained(exe, "time", "--holdout", "0.25,time=day")
    v.check("what is held out is later", max(of(train, "day")) < min(of(held, "day")) and 5 <= len(held) <= 9 and train | held == everything, (of(train, "day"), of(held, "day")))
    train, held = trained(exe, "a column", "--holdout", "column=part", "--checkpoint", v.path("column.st"))
    v.check("as the column says", held == {i for i in everything if ROWS[i]["part"] == "Test"} and train | held == everything, held)
    metadata = metadata_of(v.path("column.st"))
    wanted = statistics.median(int(ROWS[i]["x"]) for i in train if ROWS[i]["x"])
    v.check("what stands for missing values is of the training part alone", float(json.loads(metadata["table"])["x"]["fill"][0]) == wanted, (metadata["table"], wanted))
    done = run([exe, "eval", "--data", v.path("rows.csv"), "--holdout", "column=part", "--checkpoint", v.path("column.st")])
    v.check("eval takes the same", math.isclose(float(done.stdout.split()[1]), sum(2 ** i for i in held) / len(held), rel_tol=1e-5), done.stdout + done.stderr)


def check_recipes():
    for what, line, option in (("stratified", "holdout 0.33 stratified", "0.33,stratified"), ("group", 'holdout 0.3 group "who"', "0.3,group=who"),
                               ("time", 'holdout 0.25 time "day"', "0.25,time=day"), ("column", 'holdout column "part"', "column=part")):
        with open(v.path(what + ".net"), "w") as f:
            f.write(NET % line)
        exe = build(v, nnc, v.path(what + ".net"), what)
        if not exe:
            continue
        v.check(f"the recipe's {what} is the option's", trained(exe, what) == trained(v.path("rows"), option, "--holdout", option))
        if what == "group":
            train, held = trained(exe, "another share of the recipe's groups", "--holdout", "0.6")
            v.check("the option's share, the recipe's groups", not set(of(train, "who")) & set(of(held, "who")) and len(held) > 10, held)


def fold_parts(count, name):
    return [parts(v.path("runs", f"{name}-fold{k}-1", "log.jsonl")) for k in range(1, count + 1)]


def check_folds(exe):
    everything = set(range(COUNT))
    for name, options in (("plain", ()), ("classes", ("--holdout", "stratified")), ("groups", ("--holdout", "group=who")), ("times", ("--holdout", "time=day"))):
        done = run([exe, "--data", v.path("rows.csv"), "--folds", "3", "--run", name, "--quiet", *options], cwd=v.folder)
        if not v.check(f"folds, {name}", done.returncode == 0, done.stderr):
            continue
        lines, found = done.stdout.splitlines(), fold_parts(3, name)
        held = [h for _, h, _ in found]
        v.check(f"folds, {name}: a line each, and their mean", len(lines) == 4 and all(line.startswith(f"fold {k + 1} of 3  samples {len(held[k])}  ")
                and f"runs/{name}-fold{k + 1}-1" in line for k, line in enumerate(lines[:3])), lines)
        losses = [float(line.split("eval_loss ")[1].split()[0]) for line in lines[:3]]
        mean, deviation = lines[3].split("eval_loss ")[1].split("  ")[0].split(" +- ")
        v.check(f"folds, {name}: mean and deviation", math.isclose(float(mean), statistics.fmean(losses), rel_tol=1e-5)
                and math.isclose(float(deviation), statistics.stdev(losses), rel_tol=5e-3), (lines[3], losses))
        v.check(f"folds, {name}: disjoint", not held[0] & held[1] | held[0] & held[2] | held[1] & held[2], held)
        if name == "times":
            v.check("times: each is later than what it was trained on", all(max(of(t, "day")) < min(of(h, "day")) for t, h, _ in found), held)
            v.check("times: trained on all that is before", all(set(of(everything - t - h, "day")) == set() or min(of(everything - t - h, "day")) > max(of(h, "day")) for t, h, _ in found))
            continue
        v.check(f"folds, {name}: each row is held out once", set().union(*held) == everything and all(t | h == everything for t, h, _ in found), held)
        if name == "groups":
            v.check("groups: none is on both sides", all(not set(of(t, "who")) & set(of(h, "who")) for t, h, _ in found), held)
        else:
            v.check(f"folds, {name}: alike in size", max(map(len, held)) - min(map(len, held)) <= 1, held)
        if name == "classes":
            v.check("classes: as many in each fold", all(abs(of(a, "kind").count(k) - of(b, "kind").count(k)) <= 1 for a in held for b in held for k in "abc"), held)
    first = run([exe, "--data", v.path("rows.csv"), "--folds", "3", "--quiet"])
    v.check("without --run the folds leave nothing", first.returncode == 0 and first.stdout.splitlines()[3].startswith("mean of 3 folds") and
            not [n for n in os.listdir(os.environ.get("TMPDIR", "/tmp")) if n.startswith("nnc-folds-") and os.stat(os.path.join(os.environ.get("TMPDIR", "/tmp"), n)).st_mtime > begun],
            first.stdout + first.stderr)
    done = run([exe, "eval", "--data", v.path("rows.csv"), "--folds", "3", "--fold", "2", "--checkpoint", v.path("runs", "plain-fold2-1", "last.safetensors")])
    found = fold_parts(3, "plain")[1]
    v.check("eval of a fold takes its rows", done.returncode == 0 and math.isclose(float(done.stdout.split()[1]), sum(2 ** i for i in found[1]) / len(found[1]), rel_tol=1e-5), done.stdout + done.stderr)


def check_resumed(exe):
    """Ended in the middle, the same command goes on: folds that are complete are not trained again."""
    words = [exe, "--data", v.path("rows.csv"), "--folds", "2", "--run", "long", "--resume=auto", "--quiet", "--epochs", "20000"]
    first = subprocess.Popen(words, cwd=v.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if os.path.exists(v.path("runs", "long-fold1-1", "last.safetensors")):
            break
        time.sleep(0.05)
    first.send_signal(signal.SIGINT)
    out, said = first.communicate(timeout=100)
    v.check("Ctrl-C ends the fold, saved, and the others", first.returncode == 130 and "`--resume=auto` goes on" in said and not out, (first.returncode, out, said))
    words[-1] = "30"
    with open(v.path("runs", "long-fold1-1", "log.jsonl")) as f:
        reached = max(json.loads(line).get("epoch", 0) for line in f)
    words[-1] = str(reached + 2)
    done = run(words, cwd=v.folder)
    v.check("it goes on", done.returncode == 0 and len(done.stdout.splitlines()) == 3, done.stdout + done.stderr)
    again = run(words, cwd=v.folder)
    v.check("what is complete is said again", again.returncode == 0 and again.stdout == done.stdout, again.stdout + again.stderr)
    v.check("in the same folders", sorted(n for n in os.listdir(v.path("runs")) if n.startswith("long")) == ["long-fold1-1", "long-fold2-1"])


def check_balance():
    """Four, two and one row of three classes are four of each; here the numbers are powers of eight, so that a row may come several times."""
    with open(v.path("balance.net"), "w") as f:
        f.write(NET % "balance classes")
    exe = build(v, nnc, v.path("balance.net"), "balance")
    rows = [{**ROWS[0], "key": str(8 ** i), "kind": kind, "x": "1"} for i, kind in enumerate("aaaabbc")]
    data, log = write("balance.csv", rows), v.path("balance.jsonl")
    done = exe and run([exe, "--data", data, "--holdout", "0", "--log", log])
    if not exe or not v.check("balanced classes", done.returncode == 0, done.stderr):
        return
    lines = json_lines(log)
    total = round([x for x in lines if "epoch" in x][-1]["loss"] * lines[0]["samples"])
    v.check("each class comes as often as the largest", lines[0]["samples"] == 12 and [total // 8 ** i % 8 for i in range(7)] == [1, 1, 1, 1, 2, 2, 4], (total, lines[0]["samples"]))
    rows = [{**ROWS[0], "key": str(8 ** i), "kind": kind, "x": "1"} for i, kind in enumerate("aaaaabb")]
    done = run([exe, "--data", write("uneven.csv", [*rows, {**rows[0], "key": "0", "kind": "c"}]), "--holdout", "0", "--log", log, "--steps", "15"])
    lines = json_lines(log)
    total = round([x for x in lines if "epoch" in x][-1]["loss"] * lines[0]["samples"])
    times = [total // 8 ** i % 8 for i in range(7)]
    v.check("where it can't be equal, one comes once more", lines[0]["samples"] == 15 and times[:5] == [1] * 5 and sorted(times[5:]) == [2, 3], times)


def check_refused(exe):
    for what, status, words, options in (
            ("no share", 2, "takes a share from 0 to 0.9", ["--holdout", "1.5"]), ("no kind", 2, "not `0.2,strat`", ["--holdout", "0.2,strat"]),
            ("no such column", 3, "has no column `whom`", ["--holdout", "group=whom"]), ("a column of other words", 3, "line 2, column `who`: `", ["--holdout", "column=who"]),
            ("a missing value", 3, "the value is missing, and by it samples are held out", ["--holdout", "time=x"]),
            ("a fold too many", 2, "from 1 to K", ["--folds", "3", "--fold", "4"]), ("one checkpoint for all", 2, "`--run NAME` keeps each fold", ["--folds", "3", "--checkpoint", "c"]),
            ("no evaluation", 2, "`--no-eval` evaluates nothing", ["--folds", "3", "--no-eval"]), ("a fold without a row", 3, "none of the 22 samples is held out", ["--folds", "30"]),
            ("folds of a column", 2, "so does the column `part`", ["--folds", "3", "--holdout", "column=part"]),
            ("what is held out is given", 2, "`--folds` wants to choose it", ["--folds", "3", "--fold", "1", "--eval-data", v.path("rows.csv")])):
        done = run([exe, "--data", v.path("rows.csv"), *options])
        v.check(f"{what} is told", done.returncode == status and words in done.stderr, f"{done.returncode} {done.stderr}")
    done = run([exe, "--data", "synth:random", "--holdout", "group=who"])
    v.check("data with a held-out part is not divided", done.returncode == 0 and "has a held-out part of its own" in done.stderr, done.stderr)


begun = time.time() - 1
write("rows.csv", ROWS)
with open(v.path("rows.net"), "w") as f:
    f.write(NET % "")
exe = build(v, nnc, v.path("rows.net"), "rows")
if exe:
    check_kinds(exe)
    check_recipes()
    check_folds(exe)
    check_resumed(exe)
    check_balance()
    check_refused(exe)
v.finish()
