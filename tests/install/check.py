#!/usr/bin/env python3
"""An installation that was moved: check.py NNC

nnc finds its runtime beside itself, and every header that generated code includes is there; nnc.pc says what a C compiler needs.
"""
import glob
import os
import re
import shlex
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, run

MISSING = 3  # nnc's exit status where a tool is
ALONE = {"NNC_RUNTIME": "", "LIBRARY_PATH": "", "C_INCLUDE_PATH": ""}
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
                there = {name, os.path.join(os.path.dirname(header), name)} & here
                v.check(f"{header} includes what is installed: {name}", there)


def check_compiles(prefix):
    """By what is installed alone."""
    exe = os.path.join(prefix, "bin", "nnc")
    for words in ("mnist_cnn", "mnist_cnn --target=cuda:sm_90 -fno-onchip --library=none", "rosenbrock_mlp --target=cuda:sm_90a --set batch=8000"):
        name, *options = words.split()
        done = run([exe, os.path.join(prefix, "share", "nnc", "models", name + ".net"), *options, "-o", v.path("by_installed")], env=ALONE)
        if done.returncode == MISSING and "needs NVRTC" in done.stderr:  # the runtime itself may be what is missing
            v.skip(f"installed nnc, {words}", done.stderr.strip().splitlines()[0])
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


prefix = installed()
if prefix:
    check_headers(prefix)
    check_compiles(prefix)
    check_by_hand(prefix)
v.finish()
