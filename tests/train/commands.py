#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command that the manuals show is run: commands.py NNC [MANUAL...]

In MANUALS, or those that are named, each line of an indented block that begins with `nnc`, `mpirun`, `cc`, `export` or a program of the
folder is run, in their order, in one folder that has the data of which they speak; trainings stop after two steps, and large networks are
compiled for small batches. A file that a page shows under its name is written first. All must end well, and say nothing that is a warning.
What can't be run here is listed with its reason (ELSEWHERE), and a command of no known kind fails.
The commands of OF_DEVELOPERS take hours, a GPU, the net or another's programs, or change the tree: of these each program must be there, and
have the options that it is given. So must each option that MANUALS name in a sentence.
"""
import glob
import os
import re
import shlex
import shutil
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import npy, png
from verdict import ROOT, Verdict, bmp, run

MANUALS = sys.argv[2:] or ["README.md", "models/README.md", "runtime/README.md", "runtime/ranks/README.md", "compiler/codegen/README.md",
                           "compiler/passes/README.md", "compiler/explore/README.md", "compiler/tools/README.md"]
OF_DEVELOPERS = [] if sys.argv[2:] else ["CONTRIBUTING.md", "tests/README.md", "bench/README.md"]
ELSEWHERE = {"./demo": "tests/fresh", "./test": "tests/fresh", "--gpus": "tests/gpu/ranks.py, on two GPUs", "--target=cuda": "tests/gpu/run and the suite cuda",
             "lsp": "tests/lsp, over its standard input"}
TOOLS = {"apt", "git", "cp", "mkdir", "meson", "ninja", "npm", "qemu-aarch64", "tar"}  # of others
OTHERS_OPTIONS = {"--accept", "--kills", "--print-line-info", "--allow-run-as-root", "--oversubscribe", "--mca"}  # of tests/, nvdisasm and mpirun
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
    hours = [f"2024-01-{1 + i // 24:02} {i % 24:02}:00,{40000 + 900 * (i % 24)},{i * 7 % 31 / 10},{i * 3 % 17 - 4}" for i in range(24 * 31)]
    write("load.csv", "\n".join(["date,load,wind,warmth", *hours, ""]).encode())
    for label in range(2):
        for i in range(20):
            write(f"PICTURES/{label}/{i}.bmp", bmp(32, 32, 100 * label + i))
    write("rex.jpg", bmp(32, 32, 90))
    write("seven.png", png([[90] * 28] * 28))
    write("photos/a.png", png([[10] * 28] * 28))
    write("photos/b.bmp", bmp(28, 28, 200))
    x = bytes(range(128)) * 49
    head = "{'descr': '|u1', 'fortran_order': False, 'shape': (8, 28, 28, 1), }".ljust(117) + "\n"
    write("x.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + x)
    for name in ("cat", "dog"):
        for i in range(12):
            write(f"pets_pictures/{name}/{i}.bmp", bmp(40, 36, 100 * (name == "dog") + 7 * i))
    for i in range(40):
        write(f"album/{i}.bmp", bmp(40, 40, 6 * i))
    write("album/labels.csv", "".join(["file,age,kind,tags\n", *(f"{i}.bmp,{i % 9 or ''},{('cat', 'dog')[i % 2]},{('small|night', '', 'indoors')[i % 3]}\n" for i in range(40))]).encode())
    for i in range(16):
        write(f"scans/images/{i}.bmp", bmp(32, 32, 9 * i))
        write(f"scans/masks/{i}.png", png([[i % 2] * 32] * 32))
    npy(os.path.join(top, "signals_x.npy"), "f", "<f4", (40, 64, 2), [0.01 * (i % 97) for i in range(40 * 128)])
    npy(os.path.join(top, "signals_kind.npy"), "i", "<i4", (40,), [i % 3 for i in range(40)])
    shutil.copytree(os.path.join(ROOT, "models"), os.path.join(top, "models"))
    for name in ("mnist_cnn.net", "net.net", "FILE.net"):
        shutil.copy(os.path.join(ROOT, "models", "mnist_cnn.net"), os.path.join(top, name))
    shutil.copy(os.path.join(ROOT, "tests", "ir", "add_copies.ir"), os.path.join(top, "FILE.ir"))


def write_files(manual):
    """What the manual shows as the whole of a file: "`NAME`:", and then its text between fences."""
    with open(os.path.join(ROOT, manual), encoding="utf-8") as f:
        for name, text in re.findall(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```$", f.read(), re.M | re.S):
            write(name, text.encode())


def commands(manual):
    """Each line of an indented block that a shell is to run, without its comment."""
    with open(os.path.join(ROOT, manual), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            found = re.match(r"    (\./\w\S*|nnc|mpirun|cc|export)( .*)?$", line.rstrip())
            if found:
                for part in line.split(" && "):
                    yield f"{manual}:{number}", shlex.split(part, comments=True)


def commands_of_developers(manual):
    """Each line of an indented block that begins with a program, an environment or a path, without what is said about it: that stands after three blanks, or a #."""
    with open(os.path.join(ROOT, manual), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            if re.match(r"    [A-Za-z./]", line):
                for part in re.split(r" && |; ", re.split(r"   +| # ", line.strip())[0]):
                    yield f"{manual}:{number}", [word.strip("[],") for word in part.split() if word != "..."]


def text_of(*paths):
    found = ""
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as f:
            found += f.read()
    return found


def options_of(program, by=""):
    """Texts in which each option of the program stands: for a script what lies beside it, too. None: there is no such program, which `by` is to run."""
    if program == "nnc":
        return "".join(run([nnc, *command, "--help"]).stdout for command in ((), ("fmt",), ("opt",), ("new",), ("repro",)))
    if program in ("EXE", "./t"):
        table = text_of(os.path.join(ROOT, "runtime", "host", "options_table.c"))
        return " ".join("--" + name for name in re.findall(r'^        \{"([a-z-]+)"', table, re.M)) + " --help --version"
    built = re.fullmatch(r"build/tests/(\w+)", program)
    if built:
        is_made = f"executable('{built[1]}'" in text_of(os.path.join(ROOT, "tests", "meson.build"))
        return text_of(*glob.glob(os.path.join(ROOT, "tests", "*", "*.c"))) if is_made else None
    path = os.path.join(ROOT, program)
    if not os.path.isfile(path) or not by and not os.access(path, os.X_OK):
        return None
    return text_of(path, *glob.glob(os.path.join(os.path.dirname(path), "*.py")), *glob.glob(os.path.join(ROOT, "bench", "*.py")))


def is_there(place, words):
    """The program, the files of the tree that it is given, and its options."""
    what = f"{place} {' '.join(words)}"
    by = ""
    while "=" in words[0] or words[0] in ("/usr/bin/python3", "node"):
        by = words[0] if "=" not in words[0] else by
        words = words[1:]
    if words[0] in TOOLS:
        return
    options = options_of(words[0], by)
    if not v.check(f"{what}: there is `{words[0]}`", options is not None):
        return
    for word in words[1:]:
        option = re.match(r"--?[a-z][\w-]*", word)
        if option:
            v.check(f"{what}: {option[0]}", option[0] in options)
        elif re.match(r"(tests|bench|models|compiler|runtime)/", word) and "*" not in word:
            v.check(f"{what}: {word}", all(os.path.exists(os.path.join(ROOT, name)) for name in word.split(":")))


def options_in_sentences():
    known = set(re.findall(r"--[a-z][\w-]*", options_of("nnc") + options_of("EXE"))) | OTHERS_OPTIONS
    for manual in MANUALS:
        quoted = [text for text in re.findall(r"`([^`\n]+)`", text_of(os.path.join(ROOT, manual))) if re.match(r"-|nnc |EXE |\./|(" + "|".join(COMMANDS) + ") ", text)]
        unknown = set(re.findall(r"(?<![\w/-])--[a-z][\w-]*", " ".join(quoted))) - known
        v.check(f"{manual}: the options in its sentences", not unknown, unknown)

def trainer_words(words):
    at = next(i for i, word in enumerate(words) if word.startswith("./"))
    command = words[at + 1] if at + 1 < len(words) and words[at + 1] in COMMANDS else "train"
    if "--run" in words or "--folds" in words:
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
    if "--run=DIR" in words:  # of a training of this network
        done = run([nnc, words[1], "-o", "train_for_page"], cwd=top)
        done = run(["./train_for_page", "--data", "synth:digits,samples=256", "--steps", "1", "--run", "DIR"], cwd=top)
        v.check("a run for the page", done.returncode == 0, done.stderr)
        words[words.index("--run=DIR")] = "--run=runs/DIR-1"
    if words[0] == "make" or words[0].endswith("/repro"):
        pass
    elif words[0] == "nnc":
        words = ["FILE.net" if word == "FILE" else word for word in words if word != "..."]
        words = [nnc, *words[1:], *SMALL.get(words[1], [])]
    elif words[0] != "cc":
        words = trainer_words(words)
    done = run(words, cwd=top, env={"NNC_RUNTIME": "", "OMP_NUM_THREADS": "2"}, timeout=300)
    v.check(what, done.returncode == 0 and "warning:" not in done.stderr, f"status {done.returncode}: {done.stdout[-300:]}{done.stderr}")


make_data()
for manual in MANUALS:
    write_files(manual)
    found = list(commands(manual))
    v.check(f"{manual} has commands", len(found) > 0, found)
    for made in ("homes.net", "pets.net"):  # by another manual's `nnc new`
        if os.path.exists(os.path.join(top, made)):
            os.remove(os.path.join(top, made))
    for place, words in found:
        try_command(place, words)
    for name in os.listdir(top):  # a manual says of all that it uses where it comes from, or it is data
        if name.endswith(".lock"):
            v.check(f"{name} is left", False)
for manual in OF_DEVELOPERS:
    found = list(commands_of_developers(manual))
    v.check(f"{manual} has commands", len(found) > 0, found)
    for place, words in found:
        is_there(place, words)
options_in_sentences()
v.finish()
