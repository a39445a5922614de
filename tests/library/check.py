#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library form: check.py NNC

Its examples run, in C by both libraries and in Python. It computes what a trainer computes, bit for bit, and two instances in one process
what two processes compute. What fails comes back as a text: nothing ends the process, is printed, or stays open.
"""
import ctypes
import math
import os
import resource
import shlex
import shutil
import struct
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import foreign
from verdict import ROOT, Verdict, build, run, without_cuda

nnc = os.path.abspath(sys.argv[1])
EXAMPLES = os.path.join(ROOT, "runtime", "library", "examples")
BATCH, PIXELS, CLASSES = 128, 28 * 28, 10
CC = shlex.split(os.environ.get("CC") or "cc")  # what nnc made the library by


def library(path):
    lib = ctypes.CDLL(path)
    for name in ("create", "load", "save", "forward", "train_step"):
        getattr(lib, "mnist_cnn_" + name).restype = ctypes.c_char_p
    return lib


class Instance:
    """Its functions return the text or None."""

    def __init__(self, lib, seed):
        self.lib, self.handle = lib, ctypes.c_void_p()
        self.created = lib.mnist_cnn_create(ctypes.byref(self.handle), ctypes.c_uint64(seed))

    def load(self, path):
        return self.lib.mnist_cnn_load(self.handle, path.encode())

    def save(self, path):
        return self.lib.mnist_cnn_save(self.handle, path.encode())

    def train_step(self, images, digits, rate=0.001, loss=None):
        return self.lib.mnist_cnn_train_step(self.handle, images, digits, ctypes.c_double(rate), loss, None)

    def forward(self, images, count, logits):
        return self.lib.mnist_cnn_forward(self.handle, ctypes.c_int64(count), images, logits)


def samples(count, seed):
    """Images and digits from a formula."""
    images = bytes((i * i * 31 + i * seed + (i >> 7)) % 251 for i in range(count * PIXELS))
    return images, (ctypes.c_int32 * count)(*[(i * 7 + seed) % CLASSES for i in range(count)])


def bytes_of(path):
    with open(path, "rb") as f:
        return f.read()


def tensors_of(path):
    """What follows the header of a safetensors file."""
    data = bytes_of(path)
    return data[8 + struct.unpack("<Q", data[:8])[0]:]


STEPS = 3


def train_alone(path, seed, to):
    """In a process of its own: --alone."""
    x = Instance(library(path), seed)
    images, digits = samples(BATCH, seed)
    for _ in range(STEPS):
        x.train_step(images, digits)
    x.save(to)


if len(sys.argv) > 2 and sys.argv[2] == "--alone":
    train_alone(sys.argv[3], int(sys.argv[4]), sys.argv[5])
    sys.exit(0)
if len(sys.argv) > 2 and sys.argv[2] == "--without-memory":
    lib = library(sys.argv[3])
    with open("/proc/self/statm") as f:
        used = int(f.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (8 << 20), resource.RLIM_INFINITY))
    print(Instance(lib, 0).created.decode())
    sys.exit(0)

v = Verdict("library")
so = v.path("libmnist_cnn.so")


def check_built():
    done = run([nnc, os.path.join(ROOT, "models", "mnist_cnn.net"), "--emit=lib", "-o", v.path("libmnist_cnn")])
    there = [os.path.exists(v.path("libmnist_cnn" + suffix)) for suffix in (".a", ".so", ".h")]
    if not v.check("nnc --emit=lib", done.returncode == 0 and all(there), done.stderr):
        v.finish()
    left = sorted(os.listdir(v.folder))
    v.check("and nothing else is left there", left == ["libmnist_cnn.a", "libmnist_cnn.h", "libmnist_cnn.so"], left)
    for file, options in ((so, ["-D"]), (v.path("libmnist_cnn.a"), [])):
        done = run(["nm", *options, "--defined-only", "--extern-only", "--format=posix", file])
        names = {line.split()[0] for line in done.stdout.splitlines() if len(line.split()) > 1}
        wanted = {"mnist_cnn_" + name for name in ("create", "load", "save", "forward", "train_step", "free")}
        v.check(f"{os.path.basename(file)} shows its functions alone", names == wanted, sorted(names ^ wanted))


def static_libraries():
    with open(os.path.join(os.path.dirname(os.path.dirname(nnc)), "runtime", "libnnr.libs")) as f:
        return [word for word in f.read().split() if word.startswith(("-l", "-p"))]


def check_examples():
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-std=c11", "-I", v.folder]
    source = os.path.join(EXAMPLES, "bars.c")
    for what, words in (("the .so", [so, "-Wl,-rpath," + v.folder]), ("the .a", [v.path("libmnist_cnn.a"), "-fopenmp", *static_libraries()])):
        done = run([*CC, *strict, source, *words, "-o", v.path("bars")])
        if v.check(f"bars.c by {what}", done.returncode == 0, done.stderr):
            done = run([v.path("bars"), v.path("bars.safetensors")])
            v.check(f"bars by {what} learns and loads", done.returncode == 0 and "loaded again: 128 of 128 right" in done.stdout, done.stdout + done.stderr)
    done = run([sys.executable, os.path.join(EXAMPLES, "bars.py"), so], cwd=v.folder)
    v.check("bars.py", done.returncode == 0 and "asked: 50 of 50 right" in done.stdout and "an error is a text" in done.stdout,
            done.stdout + done.stderr)
    if shutil.which("g++"):
        done = run(["g++", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-x", "c++", v.path("libmnist_cnn.h")])
        v.check("the header is C++ too", done.returncode == 0, done.stderr)


def check_two_models():
    """Both .a in one program, each with a runtime of its own."""
    done = run([nnc, os.path.join(ROOT, "models", "rosenbrock_mlp.net"), "--set", "batch=10", "--emit=lib=" + v.path("librosen.so")])
    v.check("nnc --emit=lib=PATH", done.returncode == 0 and os.path.exists(v.path("librosen.a")), done.stderr)
    with open(v.path("two.c"), "w") as f:
        f.write('#include "libmnist_cnn.h"\n#include "librosen.h"\n#include <stdio.h>\n'
                "int main(void) { mnist_cnn *a; rosenbrock_mlp *b; const char *e = mnist_cnn_create(&a, 1); "
                "if (!e) e = rosenbrock_mlp_create(&b, 1); puts(e ? e : \"both\"); mnist_cnn_free(a); rosenbrock_mlp_free(b); return 0; }\n")
    done = run([*CC, "-I", v.folder, v.path("two.c"), v.path("libmnist_cnn.a"), v.path("librosen.a"), "-fopenmp", *static_libraries(), "-o", v.path("two")])
    done = done if done.returncode else run([v.path("two")])
    v.check("two models in one program", done.returncode == 0 and done.stdout == "both\n", done.stdout + done.stderr)


def write_npy(path, descr, shape, data):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + data)


def check_nan():
    """A NaN among the scores keeps `argmax` inside its classes, at the NaN as NumPy has it; one in a target is the loss."""
    with open(v.path("odd.net"), "w") as f:
        f.write("model odd {\n    input x: f32[4]\n    input t: f32[4]\n    target y: f32[4]\n    loss mse(x -> dense(4), y)\n"
                "    output argmax(x)\n    output kl(x*2, t)\n}\ntrain odd {\n    batch 2\n    optimizer sgd(rate = 0.1)\n}\n")
    done = run([nnc, v.path("odd.net"), "--emit=lib", "-o", v.path("libodd")])
    if not v.check("a net of argmax and kl", done.returncode == 0, done.stderr):
        return
    lib, handle, nan, none = ctypes.CDLL(v.path("libodd.so")), ctypes.c_void_p(), float("nan"), 4 * [0]
    lib.odd_forward.restype = ctypes.c_char_p
    lib.odd_create(ctypes.byref(handle), ctypes.c_uint64(1))
    scores = [[1, 3, 3, 2], [1, nan, 3, nan], 4 * [nan], none, none, none]
    targets = [none, none, none, [0, 1, 0, 0], [0, 0.5, nan, 0.5], [0, -1, 0, 1]]
    best, divergence = (ctypes.c_int32 * 6)(), (ctypes.c_float * 6)()
    flat = [(ctypes.c_float * 24)(*sum(rows, [])) for rows in (scores, targets)]
    failed = lib.odd_forward(handle, ctypes.c_int64(6), *flat, best, divergence)
    v.check("argmax of a row with NaN is its first NaN", not failed and list(best) == [1, 1, 0, 0, 0, 0], (failed, list(best)))
    v.check("kl of a target with NaN is NaN, and of what is not above 0, 0", math.isnan(divergence[4]) and
            all(abs(divergence[i] - math.log(4)) < 1e-6 for i in (3, 5)), list(divergence))
    lib.odd_free(handle)


def check_trainer(lib):
    """The same samples in the same order: the same weights, and the same predictions."""
    exe = build(v, nnc, os.path.join(ROOT, "models", "mnist_cnn.net"), "mnist_trainer", "--library=none")
    if not exe:
        return
    images, digits = samples(3 * BATCH, 5)
    write_npy(v.path("image.npy"), "|u1", (3 * BATCH, 28, 28, 1), images)
    write_npy(v.path("digit.npy"), "<i4", (3 * BATCH,), bytes(digits))
    data = f"{v.path('image.npy')},{v.path('digit.npy')}"
    kept = v.path("trained.safetensors")
    done = run([exe, "--data", data, "--holdout", "0", "--no-shuffle", "--no-eval", "--steps", "3", "--seed", "4", "--checkpoint", kept, "--quiet"])
    if not v.check("the trainer trains", done.returncode == 0, done.stderr):
        return
    x = Instance(lib, 4)
    for k in range(3):
        part = (ctypes.c_int32 * BATCH)(*digits[k * BATCH:(k + 1) * BATCH])
        error = x.train_step(images[k * BATCH * PIXELS:(k + 1) * BATCH * PIXELS], part)
        v.check("a step", error is None, error)
    v.check("save", x.save(v.path("by_library.safetensors")) is None)
    with open(v.path("by_library.safetensors"), "rb") as f:
        v.check("what it saves is read by others", foreign.tensors(f.read())[0])
    v.check("three steps leave the trainer's weights and states", tensors_of(kept) == tensors_of(v.path("by_library.safetensors")))
    other = Instance(lib, 9)
    v.check("a trainer's checkpoint is loaded", other.load(kept) is None)
    logits = (ctypes.c_float * (300 * CLASSES))()
    v.check("forward of 300, in batches of 128", other.forward(images, 300, logits) is None)
    done = run([exe, "predict", "--data", data, "--checkpoint", v.path("by_library.safetensors"), "--out", v.path("y.npy")])
    if v.check("the trainer predicts by what the library saved", done.returncode == 0, done.stderr):
        held_out = bytes_of(v.path("y.npy"))[128:]
        v.check("both predict the same bits", held_out[:len(bytes(logits))] == bytes(logits))


def check_instances(lib):
    """Two at once, in two threads, and each in a process of its own."""
    made = [Instance(lib, seed) for seed in (1, 2)]

    def work(x, seed):
        images, digits = samples(BATCH, seed)
        for _ in range(STEPS):
            x.train_step(images, digits)

    threads = [threading.Thread(target=work, args=(x, seed)) for x, seed in zip(made, (1, 2))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for x, seed in zip(made, (1, 2)):
        x.save(v.path(f"beside_{seed}"))
        run([sys.executable, os.path.abspath(__file__), nnc, "--alone", so, str(seed), v.path(f"alone_{seed}")])
        v.check(f"instance {seed} beside another is what it is alone", bytes_of(v.path(f"beside_{seed}")) == bytes_of(v.path(f"alone_{seed}")))
    v.check("and they differ", bytes_of(v.path("alone_1")) != bytes_of(v.path("alone_2")))


def check_errors(lib):
    x = Instance(lib, 3)
    images, digits = samples(BATCH, 1)
    x.save(v.path("before"))
    whole = bytes_of(v.path("before"))
    files = {"cut": whole[:-1], "empty": b"", "flipped": whole[:-100] + bytes([whole[-100] ^ 1]) + whole[-99:], "text": b"no safetensors at all",
             "header": struct.pack("<Q", 4 << 20) + b"{" + b" " * ((4 << 20) - 1)}
    for name, data in files.items():
        with open(v.path(name), "wb") as f:
            f.write(data)
    logits = (ctypes.c_float * (BATCH * CLASSES))()
    wrong = (ctypes.c_int32 * BATCH)(*([0] * 7 + [10] + [0] * (BATCH - 8)))
    for what, error, words in (
            ("a file that is not there", x.load(v.path("nowhere")), "No such file"),
            ("a folder", x.load(v.folder), "it is a folder"),
            ("a cut file", x.load(v.path("cut")), "is cut short"),
            ("an empty file", x.load(v.path("empty")), "is no safetensors file"),
            ("a flipped bit", x.load(v.path("flipped")), "its checksum does not match"),
            ("another kind of file", x.load(v.path("text")), "is no safetensors file"),
            ("a broken header", x.load(v.path("header")), "broken header"),
            ("saving to nowhere", x.save(v.path("nodir", "x")), "can't"),
            ("a class that is none", x.train_step(images, wrong), "`digit` of sample 7 is 10: it must be from 0 to 9"),
            ("no images", x.train_step(None, digits), "the input `image` is NULL"),
            ("a rate that is none", x.train_step(images, digits, float("nan")), "the rate is nan"),
            ("fewer than no samples", x.forward(images, -1, logits), "must not be negative"),
            ("no instance", lib.mnist_cnn_load(None, b"x"), "there is no instance"),
            ("no place", lib.mnist_cnn_create(None, ctypes.c_uint64(0)), "there is no place"),
            ("no name", lib.mnist_cnn_save(x.handle, None), "its name is NULL")):
        v.check(f"{what} is a text", error and words in error.decode(), error)
    x.save(v.path("after"))
    v.check("and the instance is what it was", bytes_of(v.path("after")) == whole)
    v.check("no samples are no error", x.forward(images, 0, logits) is None)
    v.check("freeing nothing", lib.mnist_cnn_free(None) is not False)
    diverged = x.train_step(images, digits, 1e30) or x.train_step(images, digits, 1e30)
    v.check("a loss that is no number is a text", diverged and "the training has diverged" in diverged.decode(), diverged)
    error = x.save(v.path("after"))
    v.check("weights that are no numbers are not saved", error and "not a number" in error.decode(), error)
    v.check("and what was saved before stays", bytes_of(v.path("after")) == whole)


def check_replaces(lib):
    """A saved file replaces a file of tensors or an empty one: the network's source, a text, a folder stay."""
    x = Instance(lib, 3)
    x.save(v.path("wanted"))
    shutil.copy(os.path.join(ROOT, "models", "mnist_cnn.net"), v.path("source.net"))
    with open(v.path("short"), "wb") as f:
        f.write(b"abc")
    os.symlink(v.path("source.net"), v.path("link"))
    for name in ("source.net", "short", "link"):
        before, error = bytes_of(v.path(name)), x.save(v.path(name))
        v.check(f"{name} is not replaced", error and "which is not a safetensors file" in error.decode() and bytes_of(v.path(name)) == before, error)
    error = x.save(v.folder)
    v.check("nor is a folder", error and "folder" in error.decode(), error)
    shutil.copy(v.path("wanted"), v.path("older"))
    open(v.path("nothing"), "wb").close()
    for name in ("older", "nothing"):
        error = x.save(v.path(name))
        v.check(f"what is saved replaces the file `{name}`", error is None and bytes_of(v.path(name)) == bytes_of(v.path("wanted")), error)


def memory_and_files():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * resource.getpagesize(), len(os.listdir("/proc/self/fd"))


def check_nothing_stays(lib):
    """A refused file leaves no file open, and of memory no more than a few short texts."""
    x = Instance(lib, 3)
    kinds = [v.path(name) for name in ("flipped", "header", "cut", "nowhere")]
    for path in kinds:
        x.load(path)
    memory, files = memory_and_files()
    for _ in range(50):
        for path in kinds:
            x.load(path)
    more, now = memory_and_files()
    v.check("200 refused files leave none open", now == files, f"{files} -> {now}")
    v.check("and less than 4 MB", more - memory < 4 << 20, more - memory)


def check_silence():
    """Neither on stdout nor on stderr; without memory too."""
    done = run([sys.executable, os.path.abspath(__file__), nnc, "--without-memory", so])
    v.check("an instance that there is no memory for is a text", done.returncode == 0 and "not enough memory" in done.stdout, done.stdout + done.stderr)
    code = "import ctypes, sys; l = ctypes.CDLL(sys.argv[1]); h = ctypes.c_void_p(); l.mnist_cnn_create(ctypes.byref(h), 0); l.mnist_cnn_load(h, b'nowhere')"
    done = subprocess.run([sys.executable, "-c", code, so], capture_output=True, text=True)
    v.check("nothing is printed", done.returncode == 0 and not done.stdout + done.stderr, done.stdout + done.stderr)


def check_cuda():
    """With the same functions; what they compute is for a GPU to show (tests/gpu/library.py) and for cuda/trainer."""
    done = run([nnc, v.path("odd.net"), "--target=cuda", "--emit=lib", "-o", v.path("libodd_cuda")])
    if without_cuda(done):
        v.skip("the library form for CUDA", without_cuda(done))
        return
    if not v.check("nnc --emit=lib --target=cuda", done.returncode == 0, done.stderr):
        return
    code = ("import ctypes, sys; l = ctypes.CDLL(sys.argv[1]); h = ctypes.c_void_p(); l.odd_create.restype = ctypes.c_char_p;"
            "print(l.odd_create(ctypes.byref(h), 0).decode(), h.value); print(l.odd_create(ctypes.byref(h), 0).decode())")
    done = run([sys.executable, "-c", code, v.path("libodd_cuda.so")], env={"NNR_LIBCUDA": "/nowhere/libcuda.so.1"})
    v.check("without a GPU an instance is a text, twice", done.returncode == 0 and done.stdout.count("no CUDA driver") == 2 and
            "None" in done.stdout and not done.stderr, done.stdout + done.stderr)


def check_refused():
    source = os.path.join(ROOT, "models", "mnist_cnn.net")
    for options, words in ((["--emit=lib", "--library=onednn"], "leave --library=onednn out"),
                           (["--emit=lib=a", "-o", v.path("b")], "both name the library"), (["--emit=lib=-"], "can't go to standard output")):
        done = run([nnc, source, *options], cwd=v.folder)
        v.check(f"{' '.join(options)} is refused", done.returncode == 2 and words in done.stderr, done.stderr)


check_built()
check_examples()
check_two_models()
check_nan()
opened = library(so)
check_trainer(opened)
check_instances(opened)
check_errors(opened)
check_replaces(opened)
check_nothing_stays(opened)
check_silence()
check_cuda()
check_refused()
v.finish()
