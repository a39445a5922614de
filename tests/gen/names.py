#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No name of a network means something else in the code that is generated of it.

    gen/names.py NNC

The names are every identifier that the headers of generated code know, macros and functions of libc, of the runtime and of CUDA among
them, and what compilers predefine. They are given to variables, which become pointers in the functions of the host, and those that stay
as they are to inputs too, which become parameters of kernels; so are the words of nnc's own texts, in kernels of every form. The C must
compile for both targets, and the kernels: where each name is in one by NVRTC, the others as C++, which takes a tenth of the time.
"""
import ctypes
import glob
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verdict import ROOT, Verdict, run  # noqa: E402

nnc = os.path.abspath(sys.argv[1])
v = Verdict("gen, names")
RUNTIME = os.path.join(ROOT, "runtime")
CUDA = os.environ.get("CUDA_HOME") or "/usr/local/cuda"
NVCC = shutil.which("nvcc") or os.path.join(CUDA, "bin", "nvcc")
with open(os.path.join(ROOT, "models", "README.md"), encoding="utf-8") as f:
    KEYWORDS = set(re.search(r"Keywords:\s+`([^`]*)`", f.read()).group(1).split())
VARIABLES, INPUTS = 1000, 14  # of a model; two inputs more are its own
PROGRAM = 20  # networks; NVRTC takes time with more than the length
CC = ["cc", "-std=gnu17", "-fopenmp", "-march=native", "-I", RUNTIME]


def identifiers(text):
    return set(re.findall(r"\b[A-Za-z_]\w*", text)) - KEYWORDS


def known_names():
    host = v.path("host.c")
    with open(host, "w", encoding="utf-8") as f:
        for header in ("nnr.h", "nnr_math.h", "cpu/nnr_shares.h", "cpu/nnr_step.h", "cpu/conv.h", "cpu/gemm.h", "cpu/attention.h", "cpu/nnr_dnn.h", "cuda/nnr_cuda.h", "math.h",
                       "string.h", "stddef.h"):
            f.write(f"#include <{header}>\n")
    names = set()
    for option in ([], ["-dM"]):
        done = run([*CC, "-E", *option, host])
        v.check(f"cc -E {' '.join(option)}", done.returncode == 0, done.stderr)
        names |= identifiers(done.stdout)
    kernels = v.path("kernels.cu")
    with open(kernels, "w", encoding="utf-8") as f:
        f.write("".join(f'#include "cuda/nnr_{h}.h"\n' for h in ("held", "image", "product")))
    if os.path.exists(NVCC):
        for option in ([], ["-Xcompiler", "-dM"]):
            done = run([NVCC, "-x", "cu", "-arch=sm_90a", "-E", *option, "-I", RUNTIME, kernels])
            v.check(f"nvcc -E {' '.join(option)}", done.returncode == 0, done.stderr)
            # Of the C++ library's names, which NVRTC does not know, those that its own headers share with it are enough.
            names |= {n for n in identifiers(done.stdout) if not re.match(r"_[A-Z]|__", n)}
    else:
        v.skip("names of CUDA", f"{NVCC} is not installed")
    return sorted(n for n in names if len(n) <= 60)


def network(declarations, body, last, batch=2):
    return f"model m {{\n{declarations}    target goal_of_all: f32[2]\n{body}    loss mse({last}, goal_of_all)\n}}\n\ntrain m {{\n    batch {batch}\n}}\n"


def generated(name, text, target, *options):
    """The C, and for CUDA the kernels."""
    with open(v.path(name + ".net"), "w", encoding="utf-8") as f:
        f.write(text)
    emit = ["--target=cuda", f"--emit=cu={v.path(name + '.cu')}"] if target == "cuda" else []
    done = run([nnc, "-S", "-o", v.path(name + ".c"), *emit, *options, v.path(name + ".net")])
    v.check(f"nnc -S {name} for {target}", done.returncode == 0, done.stderr)
    return v.path(name + ".c")


def check_c(paths, what):
    done = run([*CC, "-Wall", "-Werror", "-fsyntax-only", *paths])
    v.check(f"the C of {what}", done.returncode == 0, done.stderr[:3000])


def check_variables(names):
    for at in range(0, len(names), VARIABLES):
        some, before, body = names[at:at + VARIABLES], "first_of_all", ""
        for name in some:
            body += f"    {name} = {before} -> dense(2)\n"
            before = name
        text = network("    input first_of_all: f32[2]\n", body, before)
        for target in ("cpu", "cuda"):
            check_c([generated(f"variables_{at}_{target}", text, target)], f"variables from {some[0]} to {some[-1]} for {target}")


# How inputs are read, so that they are parameters of kernels of all forms: their type, what is made of them, the rest of the network, the batch.
MAPS = ("f32[2]", "exp({})", "dense(2)", 2)
FORMS = [("f32[1000]", "softmax({})", "dense(2)", 4096), ("f32[16]", "({} -> batchnorm)", "dense(2)", 8192),
         ("f32[8, 8, 16]", "({} -> batchnorm -> relu)", "flatten -> dense(2)", 256), ("f32[256]", "({} -> layernorm)", "dense(2)", 4096),
         ("f32[8, 8, 4]", "({} -> maxpool(2))", "flatten -> dense(2)", 256), ("f32[16]", "tanh({})", "dense(2)", 32)]


def own_words():
    """Of what the generator of loops writes."""
    words = set()
    for path in glob.glob(os.path.join(ROOT, "compiler", "codegen", "[bhklrsv]*.c")):  # body, held, kernel, loops, row_copies, slab, vectors
        with open(path, encoding="utf-8") as f:
            for text in re.findall(r'"((?:\\.|[^"\\\n])*)"', f.read()):
                words |= identifiers(text)
    return sorted(w for w in words if re.fullmatch(r"[a-z][a-z_]{0,9}[0-9]?", w))


def check_inputs(names, form, label, *options):
    """Returns the kernels, a text for each network."""
    kind, use, rest, batch = form
    host, kernels = [], []
    for at in range(0, len(names), INPUTS):
        some = ["first_of_all", *names[at:at + INPUTS]]
        text = network("".join(f"    input {n}: {kind}\n" for n in some), "", f"({' + '.join(use.format(n) for n in some)}) -> {rest}", batch)
        host.append(generated(f"{label}_{at}", text, "cpu"))
        host.append(generated(f"{label}_{at}_cuda", text, "cuda", *options))
        with open(v.path(f"{label}_{at}_cuda.cu"), encoding="utf-8") as f:
            body = "".join(line for line in f if not line.startswith("#include")).replace('extern "C" ', "")
        kernels.append(f"namespace {label}_{at} {{\n{body}}}\n")
    for at in range(0, len(host), 50):
        check_c(host[at:at + 50], f"inputs, {label}, {at} and on")
    return kernels


def find_nvrtc():
    for path in ("libnvrtc.so.13", "libnvrtc.so.12", *sorted(glob.glob(os.path.join(CUDA, "lib64", "libnvrtc.so.1?")))):
        try:
            return ctypes.CDLL(path)
        except OSError:
            pass
    return None


def check_as_cxx(kernels, what):
    """As they are emulated: cuda/device.h."""
    path = v.path("kernels.cpp")
    with open(path, "w", encoding="utf-8") as f:
        f.write('#include "tests/cuda/device.h"\n#include "cuda/nnr_held.h"\n' + "".join(kernels))
    done = run(["c++", "-std=gnu++17", "-Wno-unknown-pragmas", "-Wno-psabi", "-I", ROOT, "-I", RUNTIME, "-fsyntax-only", path])
    v.check(f"the kernels of {what} as C++", done.returncode == 0, done.stderr[:3000])


def check_by_nvrtc(kernels, what):
    nvrtc = find_nvrtc()
    if not nvrtc:
        v.skip(f"the kernels of {what}", "NVRTC is not installed")
        return
    for at in range(0, len(kernels), PROGRAM):
        text = '#include "cuda/nnr_device.h"\n' + "".join(kernels[at:at + PROGRAM])
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernels.cu", 0, None, None)
        options = [b"--gpu-architecture=compute_90", b"--std=c++17", b"--include-path=" + RUNTIME.encode(), b"--device-int128",
                   b"--Ofast-compile=max"]  # names are the front end's matter
        status = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
        v.check(f"the kernels of {what} by NVRTC, {at} and on", status == 0, log.value.decode(errors="replace")[:3000])


known = known_names()
v.check("thousands of names", len(known) > 2000, len(known))
check_variables(known)
check_by_nvrtc(check_inputs([n for n in known if re.fullmatch(r"[a-z][a-z0-9_]*[a-z0-9]", n)], MAPS, "maps", "-fno-onchip"), "all names")
for number, form in enumerate(FORMS):
    check_as_cxx(check_inputs(own_words(), form, f"form{number}"), f"own words, {form[1]}")
v.finish()
