#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The folder of --keep-code: keep_code.py NNC

`make` there gives a trainer that computes what nnc's own does, to the bit; what somebody wrote or edited in it is never overwritten.
"""
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, run, without_cuda

nnc = os.path.abspath(sys.argv[1])
v = Verdict("keep_code")
NET = os.path.join(ROOT, "models", "mnist_cnn.net")
USAGE, SOURCE = 2, 1


def content(*names):
    with open(v.path(*names), "rb") as f:
        return f.read()


def trained(exe, name):
    """The checkpoint and the log of a few steps, without what the clock and the paths say."""
    done = run([exe, "--data", "synth:digits,samples=300", "--steps", "6", "--checkpoint", v.path(name + ".ckpt"), "--log", v.path(name + ".jsonl")])
    v.check(f"{name}: trains", done.returncode == 0, done.stderr)
    log = content(name + ".jsonl").decode()
    log = re.sub(r'"(seconds|start_seconds|samples_per_second|data_wait|time|checkpoint|log|memory)": ?("[^"]*"|[^,}]*)', "", log).replace(name, "NAME")
    return content(name + ".ckpt"), log


def same_trainer(folder, *options):
    """Of a folder whose path and network's name have spaces."""
    net = v.path("two words.net")
    shutil.copy(NET, net)
    done = run([nnc, net, "-o", v.path("own"), f"--keep-code={v.path(folder)}", *options])
    v.check("nnc --keep-code: the trainer, too", done.returncode == 0 and os.path.exists(v.path("own")), done.stderr)
    lines = content(folder, "Makefile").decode().splitlines()
    v.check("about ten lines", len(lines) <= 14, lines)
    done = run(["make", "-C", v.path(folder)])
    v.check("make", done.returncode == 0, done.stdout + done.stderr)
    (mine, log), (made, made_log) = trained(v.path("own"), "by-nnc"), trained(v.path(folder, "trainer"), "by-make")
    v.check("the same checkpoint, to the byte", mine == made)
    v.check("the same log", log == made_log and "loss" in log, f"{log}\n{made_log}")
    v.check("make again: nothing to do", "up to date" in run(["make", "-C", v.path(folder)]).stdout)
    return net


def edits(net, folder):
    """An edited kernel is what runs after `make`, and no later nnc writes over it."""
    path = v.path(folder, "two_words.c")
    text = content(folder, "two_words.c").decode()
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace("int main(", "#include <stdio.h>\nint main(", 1).replace("\treturn nnr_main", "\tputs(\"edited\");\n\treturn nnr_main", 1))
    done = run(["make", "-C", v.path(folder)])
    v.check("make after an edit", done.returncode == 0 and "edited" in run([v.path(folder, "trainer"), "info"]).stdout, done.stderr)
    edited = content(folder, "two_words.c")
    done = run([nnc, net, "-o", v.path("other"), f"--keep-code={v.path(folder)}"])
    v.check("an edited file: status 2, and it stays, and no other output is written", done.returncode == USAGE and "was edited" in done.stderr and
            content(folder, "two_words.c") == edited and not os.path.exists(v.path("other")), done.stderr)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.remove(v.path(folder, "two_words.page.c"))
    done = run([nnc, net, "-o", v.path("other"), f"--keep-code={v.path(folder)}"])
    v.check("nnc's own files are written anew, one that is gone too", done.returncode == 0 and os.path.exists(v.path(folder, "two_words.page.c")), done.stderr)
    with open(v.path(folder, "Makefile"), "r+", encoding="utf-8") as f:
        makefile = f.read().replace("-O2", "-O3")
        f.seek(0)
        f.write(makefile)
    done = run([nnc, net, "-o", v.path("other"), f"--keep-code={v.path(folder)}"])
    v.check("an edited Makefile: status 2", done.returncode == USAGE and "Makefile` was edited" in done.stderr, done.stderr)


def foreign():
    for name, text in (("notes.txt", "mine"), ("Makefile", "all:\n"), ("mnist_cnn.c", "int mine;\n")):
        folder = v.path("foreign-" + name)
        os.makedirs(folder)
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)
        done = run([nnc, NET, "-o", v.path("none"), f"--keep-code={folder}"])
        v.check(f"a folder with a foreign {name}: status 2, nothing is written", done.returncode == USAGE and f"{name}` was not written by nnc" in done.stderr and
                os.listdir(folder) == [name] and not os.path.exists(v.path("none")), done.stderr)
    with open(v.path("file"), "w", encoding="utf-8") as f:
        f.write("mine")
    done = run([nnc, NET, "-o", v.path("none"), f"--keep-code={v.path('file')}"])
    v.check("a file in the folder's place: status 2", done.returncode == USAGE and "can't read the folder" in done.stderr, done.stderr)
    done = run([nnc, NET, "--emit=lib", f"--keep-code={v.path('lib')}"])
    v.check("not with the library form: status 2", done.returncode == USAGE and "--keep-code is for a trainer" in done.stderr, done.stderr)


def cuda():
    """By nnc's own call of NVRTC; the host's text and the kernels stand apart."""
    done = run([nnc, NET, "--target=cuda", "-o", v.path("gpu"), f"--keep-code={v.path('cuda code')}"])
    if without_cuda(done):
        v.skip("CUDA", without_cuda(done))
        return
    v.check("nnc --target=cuda --keep-code", done.returncode == 0, done.stderr)
    done = run(["make", "-C", v.path("cuda code")])
    v.check("make", done.returncode == 0 and os.path.exists(v.path("cuda code", "trainer")), done.stdout + done.stderr)
    emitted = run([nnc, NET, "--target=cuda", "--emit=cu=-"]).stdout
    v.check("the kernels are those of --emit=cu", content("cuda code", "mnist_cnn.cu").decode() == emitted)
    with open(v.path("cuda code", "mnist_cnn.cu"), "a", encoding="utf-8") as f:
        f.write("int mistake(\n")
    done = run([nnc, "cubin", v.path("cuda code", "mnist_cnn.cu"), "--target=cuda", "-o", v.path("x.c")])
    v.check("a mistake in a kernel is the user's, and NVRTC's words stand there", done.returncode == SOURCE and "kernels.cu" in done.stderr and "bug" not in done.stderr, done.stderr)


if not shutil.which("make"):
    v.skip("all", "make is missing")
    v.finish()
FOLDER = "the code $x 'quoted'"
edits(same_trainer(FOLDER, "--library=none"), FOLDER)
foreign()
cuda()
v.finish()
