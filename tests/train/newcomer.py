#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What newcomers meet: a word that is almost right, data of another model, the files of a run. Each message names what is wrong and what
there is, before any data is read or any file made.

    newcomer.py NNC
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import npy
from verdict import Verdict, build, run

USAGE, DATA_STATUS = 2, 3  # of runtime/README.md
NET = """use <recurrent>

model steps {
    input  x: f32[6, 3]
    target label: class[2]
    seen   = x -> lstm(4)
    logits = seen -> slice(0, 5, 1) -> flatten -> dense(2)
    loss   cross_entropy(logits, label)
    metric accuracy(logits, label)
}

train steps {
    data      npy
    optimizer adam
    batch     4
    epochs    1
}
"""
nnc = os.path.abspath(sys.argv[1])
v = Verdict("newcomer")


def refused(exe, what, status, says, *options):
    done = run([exe, *options], cwd=v.folder)
    v.check(what, done.returncode == status and all(part in done.stderr for part in says), f"{done.returncode}: {done.stderr}")


def write_data(name, x="x", y="label"):
    folder = v.path(name)
    os.makedirs(folder)
    for part in ("train", "test"):
        npy(os.path.join(folder, f"{part}_{x}.npy"), "f", "<f4", (12, 6, 3), [0.1 * (i % 7) for i in range(216)])
        npy(os.path.join(folder, f"{part}_{y}.npy"), "i", "<i4", (12,), [i % 2 for i in range(12)])
    return folder


def words(exe):
    """Almost right: told before the data, which is not there."""
    for word, says in (("acuracy", ("it has loss, accuracy", "did you mean `accuracy`?")), ("eval_accuracy", ("did you mean `accuracy`?",)),
                       ("accuracy:most", ("after the colon stands `min` or `max`",))):
        refused(exe, f"--monitor {word}", USAGE, says, "--data", "nothing", "--monitor", word)
    for word, meant in (("dens", "dense.*"), ("dense", "dense.*"), ("dense.wieght", "dense.weight")):
        refused(exe, f"--freeze {word}", USAGE, (f"did you mean `{meant}`?",), "--data", "nothing", "--freeze", word)


def swallowed(exe):
    """An option whose argument is missing does not take the next option for it."""
    refused(exe, "--run without a name", USAGE, ("`--run` needs its argument", "the option `--quiet` follows", "`--run=--quiet`"),
            "--data", "nothing", "--run", "--quiet")
    refused(exe, "help is an option", USAGE, ("did you mean `--help`?",), "help")


def other_data(exe):
    other, empty = write_data("other", "image", "class"), v.path("empty")
    os.makedirs(empty)
    refused(exe, "arrays of another model", DATA_STATUS, ("in it is `test_class.npy`, `test_image.npy`", "train_x.npy, train_label.npy"),
            "--data", other)
    refused(exe, "an empty folder", DATA_STATUS, ("in it is nothing",), "--data", empty)


def files_of_a_run(exe, data):
    done = run([exe, "--data", data, "--run", "first"], cwd=v.folder)
    folder = os.path.join(v.folder, "runs", "first-1")
    v.check("a run", done.returncode == 0, done.stderr)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    v.check("its files have plain names", "nnc-recurrent.net" in names and "steps.net" in names and
            all(c.isalnum() or c in "-_." for name in names for c in name), names)


def main():
    source = v.path("steps.net")
    with open(source, "w", encoding="utf-8") as f:
        f.write(NET)
    exe = build(v, nnc, source, "train_steps")
    if exe:
        words(exe)
        swallowed(exe)
        other_data(exe)
        files_of_a_run(exe, write_data("data"))
    v.finish()


main()
