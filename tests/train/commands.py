#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command that the manuals show is run: commands.py NNC

In README.md, runtime/README.md and runtime/ranks/README.md each line of an indented block that begins with `nnc`, `mpirun`, `export` or
a program of the folder is run, in their order, in one folder that has the data of which they speak; trainings stop after two steps, and large networks are
compiled for small batches. All must end well, and say nothing that is a warning. What can't be run here is listed with its reason, and a
command of no known kind fails.
"""
import os
import re
import shlex
import shutil
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, bmp, run

MANUALS = ["README.md", "runtime/README.md", "runtime/ranks/README.md"]
ELSEWHERE = {"./demo": "tests/fresh", "./test": "tests/fresh", "--gpus": "tests/gpu/ranks.py, on two GPUs", "--target=cuda": "tests/gpu/run and the suite cuda"}
SMALL = {"models/resnet18.net": ["--set", "batch=2"], "models/resnet50.net": ["--set", "batch=4"], "models/gpt.net": ["--set", "batch=2"]}
SHORT = {"train": ["--stop-after", "2"], "sample": ["--tokens", "3"], "bench": ["--steps", "1", "--warmup", "1"], "profile": ["--steps", "1"]}
FROM_BEFORE = ["resnet18.safetensors", "flowers.safetensors"]  # weights that a manual takes for granted
COMMANDS = ["train", "eval", "predict", "bench", "profile", "sample", "export", "find-rate", "runs", "info", "report"]
nnc = os.path.abspath(sys.argv[1])
v = Verdict("commands of the manuals")
top = v.path("tree")


def write(path, data):
    path = os.path.join(top, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def png(grey):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 28, 28, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress((b"\0" + bytes([grey] * 28)) * 28)) + chunk(b"IEND", b""))


def make_data():
    """Of each kind that a manual speaks of as little as a batch needs."""
    for part, count in (("train", 256), ("t10k", 128)):
        write(f"mnist/{part}-images-idx3-ubyte", struct.pack(">4i", 2051, count, 28, 28) + bytes(i % 251 for i in range(count * 784)))
        write(f"mnist/{part}-labels-idx1-ubyte", struct.pack(">2i", 2049, count) + bytes(i % 10 for i in range(count)))
    for folder in ("cifar10", "CIFAR_FOLDER", "flowers"):
        for part in ("train", "test"):
            for label in range(10):
                for i in range(2):
                    write(f"{folder}/{part}/{label}/{i}.bmp", bmp(32, 32, 20 * label + i))
    write("shakespeare.txt", b"To be, or not to be, that is the question. " * 400)
    rows = [f"{40 + 3 * i % 97},{'house' if i % 3 else 'flat'},2020-0{1 + i % 9}-11,{'' if i % 7 == 0 else i % 5},{100 + i * 13 % 400}" for i in range(400)]
    write("homes.csv", "\n".join(["area,kind,sold,rooms,price", *rows, ""]).encode())
    for label in range(2):
        for i in range(20):
            write(f"PICTURES/{label}/{i}.bmp", bmp(32, 32, 100 * label + i))
    write("rex.jpg", bmp(32, 32, 90))
    write("seven.png", png(90))
    write("photos/a.png", png(10))
    write("photos/b.bmp", bmp(28, 28, 200))
    x = bytes(range(128)) * 49
    head = "{'descr': '|u1', 'fortran_order': False, 'shape': (8, 28, 28, 1), }".ljust(117) + "\n"
    write("x.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + x)
    shutil.copytree(os.path.join(ROOT, "models"), os.path.join(top, "models"))
    shutil.copy(os.path.join(ROOT, "models", "mnist_cnn.net"), top)


def commands(manual):
    """Each line of an indented block that a shell is to run, without its comment."""
    with open(os.path.join(ROOT, manual), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            found = re.match(r"    (\./\w\S*|nnc|mpirun|export)( .*)?$", line.rstrip())
            if found:
                for part in line.split(" && "):
                    yield f"{manual}:{number}", shlex.split(part, comments=True)


def trainer_words(words):
    at = next(i for i, word in enumerate(words) if word.startswith("./"))
    command = words[at + 1] if at + 1 < len(words) and words[at + 1] in COMMANDS else "train"
    if "--run" in words:
        return words + ["--steps", "2"]  # of a training that has ended there is a page
    short = [] if "--version" in words else list(SHORT.get(command, []))
    if words[:1] == ["mpirun"]:
        words = ["mpirun", "--allow-run-as-root", "--oversubscribe", *words[1:]]
    return words + short


def try_command(place, words):
    what = f"{place} {' '.join(words)}"
    for word, where in ELSEWHERE.items():
        if word in words:
            return v.say(f"    {what}: run by {where}")
    for file in FROM_BEFORE:
        if file in words and not os.path.exists(os.path.join(top, file)):
            done = run(["./train_resnet18", "--data", "cifar10/", "--steps", "1", "--no-eval", "--checkpoint", file], cwd=top)
            v.check(f"weights for {file}", done.returncode == 0, done.stderr)
    if words[0] == "export":
        return v.check(what, words[1] == "PATH=$PWD/build/compiler:$PATH")
    if words[0] == "mpirun" and not shutil.which("mpirun"):
        return v.skip(what, "mpirun is not installed")
    if words[0] == "nnc":
        words = [nnc, *words[1:], *SMALL.get(words[1], [])]
    else:
        words = trainer_words(words)
    done = run(words, cwd=top, env={"NNC_RUNTIME": "", "OMP_NUM_THREADS": "2"}, timeout=300)
    v.check(what, done.returncode == 0 and "warning:" not in done.stderr, f"status {done.returncode}: {done.stdout[-300:]}{done.stderr}")


make_data()
for manual in MANUALS:
    found = list(commands(manual))
    v.check(f"{manual} has commands", len(found) > 3, found)
    for place, words in found:
        try_command(place, words)
    for name in os.listdir(top):  # a manual says of all that it uses where it comes from, or it is data
        if name.endswith(".lock"):
            v.check(f"{name} is left", False)
v.finish()
