#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nnc on another machine: check.py NNC

In an installation that was moved nnc finds its runtime beside itself, and every header that generated code includes is there; nnc.pc says
what a C compiler needs. Trainers say which processors they are for.
"""
import array
import glob
import json
import os
import platform
import re
import shlex
import shutil
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, run, without_cuda

MISSING = 3  # nnc's exit status where a tool is
ALONE = {"LD_LIBRARY_PATH": "", "NNC_RUNTIME": "", "LIBRARY_PATH": "", "C_INCLUDE_PATH": ""}  # without the stand-ins of tests, too
nnc = os.path.abspath(sys.argv[1])
build = os.path.dirname(os.path.dirname(nnc))
v = Verdict("install")


def installed():
    """The prefix, in a folder that nothing was configured for; None where there is none."""
    done = run(["meson", "install", "-C", build, "--destdir", v.path("first"), "--no-rebuild", "--quiet"])
    found = glob.glob(v.path("first", "**", "bin", "nnc"), recursive=True)
    if not v.check("meson install", done.returncode == 0 and found, done.stdout + done.stderr):
        return None
    prefix = v.path("moved to")
    shutil.move(os.path.dirname(os.path.dirname(found[0])), prefix)
    shutil.rmtree(v.path("first"))
    return prefix


def check_without_headers():
    """The runtime compiles without a warning where the headers of libjpeg-turbo, libpng and ONNX are missing."""
    for path in sorted(glob.glob(os.path.join(ROOT, "runtime", "*", "*.c"))):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if re.search(r"NNR_(JPEG|PNG|ONNX)\b", text):
            done = run(["gcc", "-std=gnu17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Wshadow", "-Wno-unused-parameter", "-Werror", "-fsyntax-only",
                        "-I" + ROOT, "-I" + os.path.join(ROOT, "runtime"), path])
            v.check(f"{os.path.basename(path)} without optional headers", done.returncode == 0, done.stderr)


def check_licence(prefix):
    """The file that --licences and generated code speak of."""
    try:
        with open(os.path.join(prefix, "share", "doc", "nnc", "LICENSE"), encoding="utf-8") as f:
            v.check("LICENSE has the exception", "EXCEPTION FOR WHAT nnc MAKES" in f.read())
    except OSError as e:
        v.check("LICENSE is installed", False, e)


def check_headers(prefix):
    """Those of the runtime that generated code may include, nnr_*.h and cpu/'s; and whatever they include."""
    include = os.path.join(prefix, "include", "nnc")
    here = {os.path.relpath(f, include) for f in glob.glob(os.path.join(include, "**", "*.h"), recursive=True)}
    runtime = os.path.join(ROOT, "runtime")
    wanted = {os.path.relpath(f, runtime) for f in glob.glob(os.path.join(runtime, "**", "nnr*.h"), recursive=True)}
    v.check("headers for generated code are under include/nnc", wanted <= here, sorted(wanted - here))
    for header in sorted(here):
        with open(os.path.join(include, header)) as f:
            for name in re.findall(r'^#include "(.*?)"', f.read(), re.M):
                there = {name, os.path.normpath(os.path.join(os.path.dirname(header), name))} & here
                v.check(f"{header} includes what is installed: {name}", there)


def check_compiles(prefix):
    """By what is installed alone."""
    exe = os.path.join(prefix, "bin", "nnc")
    for words in ("mnist_cnn", "mnist_cnn --target=cuda:sm_90 -fno-onchip --library=none", "rosenbrock_mlp --target=cuda:sm_90a --set batch=8000"):
        name, *options = words.split()
        done = run([exe, os.path.join(prefix, "share", "nnc", "models", name + ".net"), *options, "-o", v.path("by_installed")], env=ALONE)
        if without_cuda(done):
            v.skip(f"installed nnc, {words}", without_cuda(done))
        else:
            v.check(f"installed nnc, {words}", done.returncode == 0, done.stderr)
    done = run([exe, os.path.join(prefix, "share", "nnc", "models", "mnist_cnn.net"), "-###"], env=ALONE)
    v.check("nothing of the build folder is linked", build + os.sep not in done.stderr and prefix in done.stderr, done.stderr)


def check_by_hand(prefix):
    """The generated C, a C compiler and nnc.pc."""
    if not shutil.which("pkg-config"):
        v.skip("nnc.pc", "pkg-config is not installed")
        return
    done = run([os.path.join(prefix, "bin", "nnc"), "-S", "--library=none", os.path.join(ROOT, "models", "rosenbrock_mlp.net"), "-o", v.path("r.c")])
    v.check("nnc -S", done.returncode == 0, done.stderr)
    done = run(["pkg-config", "--cflags", "--libs", "nnc"], env={"PKG_CONFIG_PATH": os.path.join(prefix, "lib", "pkgconfig")})
    if v.check("pkg-config finds nnc", done.returncode == 0, done.stderr):
        words = shlex.split(done.stdout)
        done = run(["cc", "-std=gnu17", "-O1", "-fopenmp", v.path("r.c"), *words, "-o", v.path("by_hand")])
        v.check("the generated C by nnc.pc", done.returncode == 0, done.stderr)
        done = run([v.path("by_hand"), "--version"])
        v.check("and it runs", done.returncode == 0, done.stderr)


def check_portable():
    """A trainer for other processors than this one says so, and one that this one can't run ends with a sentence, not by SIGILL."""
    source = os.path.join(ROOT, "models", "rosenbrock_mlp.net")
    native, v2 = v.path("for_this"), v.path("for_v2")
    for exe, options in ((native, []), (v2, ["--march=x86-64-v2", "--set", "batch=10"])):
        done = run([nnc, source, *options, "-o", exe])
        v.check(f"nnc {' '.join(options)}", done.returncode == 0, done.stderr)
    done = run([v2, "--version"])
    v.check("--version says for which processors", done.stdout.rstrip().endswith(" for x86-64-v2"), done.stdout + done.stderr)
    if not shutil.which("qemu-x86_64"):
        v.skip("another processor", "qemu-user is not installed")
        return
    old = ["qemu-x86_64", "-cpu", "Nehalem"]
    if not run([native, "--version"]).stdout.rstrip().endswith((" for x86-64", " for x86-64-v2")):
        done = run([*old, native, "--data", "synth:rosenbrock,samples=100", "--steps", "1"])
        v.check("an old processor is told", done.returncode == 6 and "and this processor has no avx" in done.stderr and "--march=x86-64-v2" in done.stderr,
                f"{done.returncode} {done.stderr}")
    done = run([*old, v2, "--data", "synth:rosenbrock,samples=100", "--steps", "2", "--threads", "1"])
    v.check("an old processor trains with --march=x86-64-v2", done.returncode == 0, f"{done.returncode} {done.stderr}")


def check_without_libraries():
    """A trainer starts without the image libraries, trains on what needs none, and says which one it misses."""
    exe, without = v.path("images"), {"LD_PRELOAD": os.path.abspath(sys.argv[2]), "WITHOUT": "libturbojpeg libpng libwebp libtiff"}
    done = run([nnc, os.path.join(ROOT, "models", "mnist_cnn.net"), "--library=none", "--set", "batch=4", "-o", exe])
    v.check("nnc", done.returncode == 0, done.stderr)
    for kind, library, package in (("pillow_palette.bmp", None, None), ("magick.gif", None, None), ("magick.ppm", None, None),
                                   ("pillow_grey.jpg", "libturbojpeg.so.0", "libturbojpeg0"), ("exiftool_turned6.png", "libpng16.so.16", "libpng16-16"),
                                   ("cwebp_lossy.webp", "libwebp.so.7", "libwebp7"), ("magick_lzw.tif", "libtiff.so.6", "libtiff6")):
        for k in range(10):
            os.makedirs(v.path(kind, str(k)))
            for i in range(2):
                shutil.copy(os.path.join(ROOT, "tests", "unit", "pictures", kind), v.path(kind, str(k), f"{i}"))
        done = run([exe, "--data", v.path(kind), "--steps", "2", "--quiet"], env=without)
        if library:
            v.check(f"{kind} needs {library}", done.returncode == 6 and "what decodes it can't be loaded: /nowhere/library.so: cannot open" in done.stderr and package in done.stderr, f"{done.returncode} {done.stderr}")
        else:
            v.check(f"{kind} needs no library", done.returncode == 0, f"{done.returncode} {done.stderr}")


NET = """model net {
    input  image: u8[13, 15, 3]
    target kind: class[10]
    h = image -> scale(1/255) -> conv(16, 3, stride = 2, pad = same) -> relu -> conv(24, 3, groups = 2) -> relu -> conv(12, 3, dilation = 2, pad = same)
    loss cross_entropy(h -> relu -> flatten -> dense(70) -> relu -> dense(10), kind)
}
train net {
    optimizer sgd(rate = 0.1)
    batch     6
    steps     1
}
"""


def gradients(path):
    with open(path, "rb") as f:
        data = f.read()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    return {name: array.array("f", data[start + t["data_offsets"][0]:start + t["data_offsets"][1]])
            for name, t in json.loads(data[8:start]).items() if name.startswith(("gradient.", "loss"))}


def check_without_onednn():
    """What was compiled to call oneDNN computes the same without it, and says that it is slower."""
    with open(v.path("net.net"), "w") as f:
        f.write(NET)
    done = run([nnc, v.path("net.net"), "--library=onednn", "--keep-gradients", "-o", v.path("net")])
    if done.returncode == MISSING:
        v.skip("without oneDNN", done.stderr.strip())
        return
    dumps = []
    for name, env in (("with", {}), ("without", {"LD_PRELOAD": os.path.abspath(sys.argv[2]), "WITHOUT": "libdnnl"})):
        done = run([v.path("net"), "--data", "synth:images,samples=40", "--dump", v.path(name), "--no-eval"], env=env)
        noted = "oneDNN can't be used: /nowhere/library.so: cannot open" in done.stderr
        v.check(f"{name} oneDNN it trains, and says so", done.returncode == 0 and noted == bool(env), f"{done.returncode} {done.stderr}")
        dumps.append(gradients(v.path(name)) if done.returncode == 0 else {})
    a, b = dumps
    v.check("both have gradients", len(a) == 11 and a.keys() == b.keys(), sorted(a))
    for name in a:
        largest = max(map(abs, a[name]))
        worst = max(abs(x - y) for x, y in zip(a[name], b[name]))
        v.check(f"{name} without oneDNN", largest > 0 and worst <= 1e-5 * largest, f"{worst} of {largest}")


def check_dockerfile():
    """What hadolint says, where it is installed; and what needs no tool."""
    with open(os.path.join(ROOT, "Dockerfile")) as f:
        text = f.read()
    if shutil.which("hadolint"):
        done = run(["hadolint", os.path.join(ROOT, "Dockerfile")])
        v.check("hadolint", done.returncode == 0, done.stdout)
    steps = [line.split(None, 1) for line in re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.M)).splitlines() if line.strip()]
    known = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "ENTRYPOINT", "CMD"}
    v.check("Dockerfile: its instructions", {word for word, _ in steps} <= known and steps[0][0] == "FROM", steps)
    v.check("Dockerfile: every image has a tag that stays", all(re.match(r"[\w./]+:[\w.-]+( AS \w+)?$", rest) and ":latest" not in rest for word, rest in steps if word == "FROM"))
    installs = [rest for word, rest in steps if "apt-get" in rest]
    v.check("Dockerfile: apt asks nothing, takes no more than it must and leaves no lists",
            all("install -y --no-install-recommends" in rest and "apt-get update" in rest and rest.rstrip().endswith("rm -rf /var/lib/apt/lists/*") for rest in installs))
    v.check("Dockerfile: folders are absolute", all(rest.startswith("/") for word, rest in steps if word == "WORKDIR"))
    v.check("Dockerfile: it ends as another user than root, by a list of words",
            [rest for word, rest in steps if word == "USER"][-1:] not in ([], ["root"]) and all(rest.startswith("[") for word, rest in steps if word in ("ENTRYPOINT", "CMD")))
    with open(os.path.join(ROOT, "setup")) as f:
        needed = set(re.search(r'^packages="(.*)"', f.read(), re.M).group(1).split())
    built = set(re.findall(r"[\w.+-]+", installs[0].split("--no-install-recommends")[1].split("&&")[0]))
    v.check("Dockerfile: the build has what ./setup installs for it", built - needed <= {"libc6-dev"}, built - needed)


def check_refused():
    source = os.path.join(ROOT, "models", "rosenbrock_mlp.net")
    for march, status, words in (("z99", 2, "does not know --march=z99"), ("a b", 2, "--march takes a name"), ("", 2, "--march takes a name")):
        done = run([nnc, source, f"--march={march}", "-o", v.path("none")])
        v.check(f"--march={march} is refused", done.returncode == status and words in done.stderr, done.stderr)


prefix = installed()
if prefix:
    check_licence(prefix)
    check_headers(prefix)
    check_compiles(prefix)
    check_by_hand(prefix)
check_without_libraries()
check_without_onednn()
check_dockerfile()
check_without_headers()
if platform.machine() == "x86_64":
    check_portable()
    check_refused()
v.finish()
