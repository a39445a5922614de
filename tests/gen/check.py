#!/usr/bin/env python3
"""The generated C as a product: check.py NNC [--accept]

fresh: generated/MODEL/ is what nnc writes today. Clean: it compiles without a warning and runs under the sanitizers. Equal:
the same bytes from any folder, in any locale. Rebuilt: the printed command makes the trainer again. --accept writes
generated/ anew.
"""
import glob
import os
import re
import shlex
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, build, run

CHECKED_IN = ["mnist_cnn", "rosenbrock_mlp", "resnet50"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
DATA = {"mnist_cnn": "synth:digits,samples=600", "rosenbrock_mlp": "synth:rosenbrock,samples=5000",
        "witness_net": "synth:digits,samples=300", "resnet50": "synth:images,samples=40"}
# resnet50 is built small where it has to run
SMALL = {"resnet50": ["--recipe", "cifar10", "--set", "batch=4"], "rosenbrock_mlp": ["--set", "batch=100"]}

nnc = os.path.abspath(sys.argv[1])
accept = "--accept" in sys.argv[2:]
v = Verdict("gen")


def bytes_of(path):
    with open(path, "rb") as f:
        return f.read()


def generate(name, folder, cwd=ROOT, env=None):
    """MODEL.c and plan.txt as generated/ holds them; the path of the source is part of neither."""
    source = os.path.join("models", name + ".net")
    return run([nnc, "-S", "-o", os.path.join(folder, name + ".c"), f"--emit=plan={os.path.join(folder, 'plan.txt')}",
                "--cpu=loops", source], cwd=cwd, env=env)


def check_fresh():
    for name in CHECKED_IN:
        kept = os.path.join(ROOT, "generated", name)
        now = kept if accept else v.path("now", name)
        os.makedirs(now, exist_ok=True)
        done = generate(name, now)
        if not v.check(f"nnc -S {name}", done.returncode == 0, done.stderr):
            continue
        for file in (name + ".c", "plan.txt"):
            path = os.path.join(kept, file)
            fresh = os.path.exists(path) and bytes_of(path) == bytes_of(os.path.join(now, file))
            v.check(f"generated/{name}/{file} is fresh", fresh, "tests/gen/check.py NNC --accept writes it anew")


def check_equal():
    """Another folder, locale, time zone, user name and umask of the environment make no difference."""
    elsewhere = v.path("else where", "deep")
    shutil.copytree(os.path.join(ROOT, "models"), os.path.join(elsewhere, "models"))
    env = {"LC_ALL": "de_DE.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu", "USER": "other", "HOME": "/nowhere"}
    for name in CHECKED_IN + ["witness_net"]:
        pair = []
        for folder, cwd, environment in ((v.path("one", name), ROOT, None), (v.path("two", name), elsewhere, env)):
            os.makedirs(folder)
            done = generate(name, folder, cwd, environment)
            v.check(f"nnc -S {name} in {os.path.basename(cwd)}", done.returncode == 0, done.stderr)
            pair.append([bytes_of(os.path.join(folder, f)) for f in (name + ".c", "plan.txt")])
        v.check(f"{name}: the same bytes from another folder and locale", pair[0] == pair[1])


def check_warnings():
    for name in CHECKED_IN:
        source = os.path.join(ROOT, "generated", name, name + ".c")
        for cc in ("gcc", "clang"):
            if not shutil.which(cc):
                v.skip(f"{name} with {cc}", "not installed")
                continue
            done = run([cc, "-std=c17", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-Werror",
                        "-fsyntax-only", "-I" + os.path.join(ROOT, "runtime"), source])
            v.check(f"{name} with {cc} -Wall -Wextra", done.returncode == 0, done.stderr)


def printed_command(source, exe, options):
    done = run([nnc, source, "-o", exe, "-###", *options])
    lines = [line for line in (done.stdout + done.stderr).splitlines() if " -o " in line]
    v.check(f"nnc -### {os.path.basename(source)} prints one command", done.returncode == 0 and len(lines) == 1,
            done.stdout + done.stderr)
    return shlex.split(lines[0]) if lines else None


def check_rebuilt(name):
    """The C that --save-temps keeps and the command that -### prints make the trainer; with sanitizers it runs clean."""
    source, folder = os.path.join(ROOT, "models", name + ".net"), v.path("kept_" + name)
    exe = v.path(name)
    options = SMALL.get(name, []) + ["--cpu=loops", f"--save-temps={folder}"]
    if not build(v, nnc, source, name, *options):
        return
    command = printed_command(source, exe, options)
    if not command:
        return
    os.unlink(exe)
    done = run(command, cwd=v.folder)
    v.check(f"{name}: the printed command builds it", done.returncode == 0 and os.path.exists(exe), done.stderr)
    done = run(command + SANITIZE, cwd=v.folder, env={"LC_ALL": "C"})
    if not v.check(f"{name}: builds with sanitizers", done.returncode == 0, done.stderr):
        return
    env = {"ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0", "UBSAN_OPTIONS": "print_stacktrace=1"}
    done = run([exe, "--data", DATA[name], "--steps", "3", "--quiet"], env=env)
    v.check(f"{name}: three steps and an evaluation under ASan and UBSan", done.returncode == 0, done.stderr)


def check_models():
    """Every model compiles; without any one optional pass too."""
    passes = re.findall(r"-fno-(\w+)", run([nnc, "--print=passes"]).stdout)
    v.check("there are optional passes", len(passes) >= 4, passes)
    for source in sorted(glob.glob(os.path.join(ROOT, "models", "*.net"))):
        for without in [[]] + [[f"-fno-{name}"] for name in passes]:
            done = run([nnc, "-S", "-o", v.path("any.c"), *without, source])
            v.check(f"nnc -S {' '.join(without)} {os.path.basename(source)}", done.returncode == 0, done.stderr)


def check_sizes():
    """Loose bounds, so that a slow machine passes: the figures themselves are bench/'s."""
    source = os.path.join(ROOT, "models", "resnet50.net")
    done = run(["prlimit", "--as=1000000000", nnc, "-S", "-o", v.path("r.c"), source], timeout=5)
    v.check("resnet50 compiles within seconds and 1 GB", done.returncode == 0, done.stderr)
    layers = run([nnc, "--print=layers", source]).stdout
    v.check("resnet50 has 25,557,032 parameters at 1000 classes", "25,557,032" in layers, layers[-300:])


check_fresh()
if accept:
    v.finish()
check_equal()
check_warnings()
for model in DATA:
    check_rebuilt(model)
check_models()
check_sizes()
v.finish()
