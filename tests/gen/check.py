#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The generated code as a product: check.py NNC [--accept | --fresh]

fresh: generated/MODEL/ and its cuda/ are what nnc writes today. Clean: it compiles without a warning and runs under the sanitizers. Equal:
the same bytes from any folder, in any locale. Rebuilt: the printed command makes the trainer again. --accept writes generated/ anew,
--fresh looks at that alone.
"""
import glob
import os
import re
import shlex
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, build, run, without_cuda

CHECKED_IN = ["mnist_cnn", "rosenbrock_mlp", "resnet50", "gpt"]
# instead of the -O2 of the printed command, whose code is built and run without sanitizers by every other test
SANITIZE = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"]
DATA = {"mnist_cnn": "synth:digits,samples=600", "rosenbrock_mlp": "synth:rosenbrock,samples=5000",
        "witness_net": "synth:digits,samples=300", "resnet50": "synth:images,samples=40", "gpt": "synth:random,samples=20"}
# resnet50 is built small where it has to run
SMALL = {"resnet50": ["--recipe", "cifar10", "--set", "batch=4"], "rosenbrock_mlp": ["--set", "batch=100"], "gpt": ["--set", "batch=2"]}

SMALL_STACK = ["prlimit", "--stack=262144"]  # no recursion of nnc goes with its input
nnc = os.path.abspath(sys.argv[1])
accept = "--accept" in sys.argv[2:]
v = Verdict("gen")


def bytes_of(path):
    with open(path, "rb") as f:
        return f.read()


def files_of(name):
    """What generated/MODEL holds: for the CPU, and for CUDA the host side and the kernels."""
    return [name + ".c", "plan.txt"] + [os.path.join("cuda", f) for f in (name + ".c", "kernels.cu", "plan.txt")]


def generate(name, folder, cwd=ROOT, env=None):
    """Writes them; the path of the source is part of none."""
    source, cuda = os.path.join("models", name + ".net"), os.path.join(folder, "cuda")
    os.makedirs(cuda, exist_ok=True)
    done = run([*SMALL_STACK, nnc, "-S", "-o", os.path.join(folder, name + ".c"), f"--emit=plan={os.path.join(folder, 'plan.txt')}",
                "--library=none", source], cwd=cwd, env=env)
    if done.returncode != 0:
        return done
    return run([*SMALL_STACK, nnc, "-S", "-o", os.path.join(cuda, name + ".c"), "--target=cuda",
                f"--emit=cu={os.path.join(cuda, 'kernels.cu')},plan={os.path.join(cuda, 'plan.txt')}", source], cwd=cwd, env=env)


def check_fresh():
    for name in CHECKED_IN:
        kept = os.path.join(ROOT, "generated", name)
        now = kept if accept else v.path("now", name)
        os.makedirs(now, exist_ok=True)
        done = generate(name, now)
        if not v.check(f"nnc -S {name}", done.returncode == 0, done.stderr):
            continue
        for file in files_of(name):
            path = os.path.join(kept, file)
            fresh = os.path.exists(path) and bytes_of(path) == bytes_of(os.path.join(now, file))
            v.check(f"generated/{name}/{file} is fresh", fresh, "tests/gen/check.py NNC --accept writes it anew")


def german_locale():
    """An environment in which numbers are printed with a decimal comma by a program that asks for it; empty if there is none."""
    env = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": v.path("locales")}
    os.makedirs(env["LOCPATH"])
    if shutil.which("localedef"):
        run(["localedef", "-i", "de_DE", "-f", "UTF-8", v.path("locales", "de_DE.UTF-8")])
    comma = run(["printf", "%.1f", "1,5"], env=env)
    if comma.returncode == 0 and comma.stdout == "1,5":
        return env
    v.skip("a locale with a decimal comma", "localedef makes none here")
    return {}


def check_equal():
    """Another folder, locale, time zone, user name and umask of the environment make no difference."""
    elsewhere = v.path("else where", "deep")
    shutil.copytree(os.path.join(ROOT, "models"), os.path.join(elsewhere, "models"))
    env = {**german_locale(), "LANG": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu", "USER": "other", "HOME": "/nowhere"}
    for name in CHECKED_IN + ["witness_net"]:
        pair = []
        for folder, cwd, environment in ((v.path("one", name), ROOT, None), (v.path("two", name), elsewhere, env)):
            os.makedirs(folder)
            done = generate(name, folder, cwd, environment)
            v.check(f"nnc -S {name} in {os.path.basename(cwd)}", done.returncode == 0, done.stderr)
            pair.append([bytes_of(os.path.join(folder, f)) for f in files_of(name)])
        v.check(f"{name}: the same bytes from another folder and locale", pair[0] == pair[1])


def check_warnings():
    for name, folder in [(name, folder) for name in CHECKED_IN for folder in ("", "cuda")]:
        source = os.path.join(ROOT, "generated", name, folder, name + ".c")
        for cc in ("gcc", "clang"):
            if not shutil.which(cc):
                v.skip(f"{name} {folder} with {cc}", "not installed")
                continue
            done = run([cc, "-std=c17", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-Werror",
                        "-fsyntax-only", "-I" + os.path.join(ROOT, "runtime"), source])
            v.check(f"{name} {folder} with {cc} -Wall -Wextra", done.returncode == 0, done.stderr)


NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"


def compile_kernels(path):
    """By nvcc, to PTX: machine code is made of the same text by NVRTC. Returns the process and the path of the PTX."""
    ptx = v.path("kernels.ptx")
    return run([NVCC, "-x", "cu", "-arch=sm_90", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra", "-I" + os.path.join(ROOT, "runtime"),
                "-ptx", "-o", ptx, path]), ptx


def check_waits(name, ptx):
    """The kernels of an on-chip step wait for the one before them, and no other does. Theirs is no load that takes memory to be
    constant while they live (runtime/cuda/nnr_overlap.h)."""
    kernels = dict(re.findall(r"\.entry (\w+)\((.*?\n}\n)", ptx, re.S))
    waiting = [kernel for kernel, text in kernels.items() if "griddepcontrol.wait" in text]
    wanted = [f"{name}_samples", f"{name}_update"] if f"{name}_samples" in kernels else []
    v.check(f"kernels of {name}: which wait", kernels and waiting == wanted, waiting)
    stale = [kernel for kernel in waiting if "ld.global.nc" in kernels[kernel]]
    v.check(f"kernels of {name}: what waits loads through caches that this makes valid", not stale, stale)


def check_exchanges():
    """What threads leave each other in shared memory, in a kernel with several sums over a block, is read after the barrier that
    waits for it. No emulation shows this: it is the compiler that moves loads of what it takes for a thread's own."""
    source, kernels = os.path.join(ROOT, "tests", "random", "onchip", "beside.net"), v.path("beside.cu")
    done = run([nnc, source, "--target=cuda", f"--emit=cu={kernels}"])
    if not v.check("nnc beside.net --emit=cu", done.returncode == 0, done.stderr):
        return
    done, ptx = compile_kernels(kernels)
    if not v.check("kernels of beside by nvcc", done.returncode == 0, done.stderr):
        return
    ptx = re.search(r"\.entry beside_samples\(.*?\n}\n", bytes_of(ptx).decode(), re.S).group(0)
    places = re.findall(r" partial\w* = \(\w+ \*\)\(chip \+ (\d+)\)", bytes_of(kernels).decode())
    for place in places:
        order = re.findall(rf"(bar\.sync|(?:ld|st)\.shared)(?=[^;\[]*(?:0;|\[\S+\+{place}\]))", ptx)
        v.check(f"the exchange at {place} happens", "st.shared" in order and "ld.shared" in order, order)
        v.check(f"the exchange at {place}: nothing is read that no barrier waited for", "st.shared ld.shared" not in " ".join(order), order)


def check_kept():
    """What threads keep in registers for later loops is read there. `random --cuda 1 18` shows it too, in half a minute."""
    done = run([nnc, os.path.join(ROOT, "tests", "gen", "again.net"), "--target=cuda", "--emit=cu=-"])
    if not v.check("nnc again.net --emit=cu", done.returncode == 0, done.stderr):
        return
    arrays = re.findall(r"^\t(?:float|double) (\w+_row)\[\d+\];", done.stdout, re.M)
    unread = [name for name in arrays if len(re.findall(rf"\b{name}\[", done.stdout)) ==
              len(re.findall(rf"^\t+(?:float |double )?{name}\[[^]]*\](?: =|;)", done.stdout, re.M))]
    v.check("what is kept in registers is read", arrays and not unread, (arrays, unread))


def check_kernels():
    """kernels.cu compiles by NVRTC, as nnc calls it, and by nvcc without a warning; for other architectures: archs.py."""
    for name in CHECKED_IN + ["witness_net", "lstm_digits"]:  # the last has sums by the dozen in one kernel
        kept = v.path(name + "_temps")
        done = run([nnc, os.path.join("models", name + ".net"), "--target=cuda:sm_90", "-o", v.path(name + "_cuda"),
                    f"--save-temps={kept}"], cwd=ROOT)
        if without_cuda(done):
            v.skip(f"kernels of {name} by NVRTC", without_cuda(done))
        else:
            v.check(f"kernels of {name} by NVRTC", done.returncode == 0, done.stderr)
            v.check(f"kernels of {name} are kept", b"__global__" in bytes_of(os.path.join(kept, name + ".cu")))
    for name in CHECKED_IN:
        if not os.path.exists(NVCC):
            v.skip(f"kernels of {name} by nvcc", "not installed")
            continue
        done, ptx = compile_kernels(os.path.join(ROOT, "generated", name, "cuda", "kernels.cu"))
        if v.check(f"kernels of {name} by nvcc", done.returncode == 0, done.stderr):
            check_waits(name, bytes_of(ptx).decode())
    if os.path.exists(NVCC):
        check_exchanges()
    else:
        v.skip("exchanges in shared memory", f"{NVCC} is not installed")


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
    options = SMALL.get(name, []) + ["--library=none", f"--save-temps={folder}"]
    if not build(v, nnc, source, name, *options):
        return
    command = printed_command(source, exe, options)
    if not command:
        return
    os.unlink(exe)
    done = run(command + SANITIZE, cwd=v.folder, env={"LC_ALL": "C"})
    if not v.check(f"{name}: the printed command builds it, with sanitizers", done.returncode == 0 and os.path.exists(exe), done.stderr):
        return
    env = {"ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0", "UBSAN_OPTIONS": "print_stacktrace=1"}
    done = run([exe, "--data", DATA[name], "--steps", "3", "--quiet"], env=env)
    v.check(f"{name}: three steps and an evaluation under ASan and UBSan", done.returncode == 0, done.stderr)


WITHOUT_PASSES = ["alexnet", "mnist_cnn", "rosenbrock_mlp", "witness_net"]  # small, and what they have of operators differs


def check_models():
    """Every model compiles; some without any one optional pass too, for the target that has it."""
    passes = re.findall(r"^(\w+) +(CUDA: )?.*-fno-", run([nnc, "--print=passes"]).stdout, re.M)
    v.check("there are optional passes", len(passes) >= 4, passes)
    for source in sorted(glob.glob(os.path.join(ROOT, "models", "*.net"))):
        name = os.path.basename(source)[:-len(".net")]
        leave_out = [[f"-fno-{p}", *(["--target=cuda"] if cuda else [])] for p, cuda in passes] if name in WITHOUT_PASSES else []
        for options in [[], *leave_out]:
            done = run([*SMALL_STACK, nnc, "-S", "-o", v.path("any.c"), *options, source])
            v.check(f"nnc -S {' '.join(options)} {name}", done.returncode == 0, done.stderr)


MOST_LINES = {"resnet50.c": 3510, "cuda/resnet50.c": 3000, "cuda/kernels.cu": 2500}  # it is read


def check_sizes():
    """Loose bounds, so that a slow machine passes: the figures themselves are bench/'s."""
    for file, most in MOST_LINES.items():
        lines = bytes_of(os.path.join(ROOT, "generated", "resnet50", file)).count(b"\n")
        v.check(f"generated/resnet50/{file} has at most {most} lines", lines <= most, lines)
    source = os.path.join(ROOT, "models", "resnet50.net")
    done = run(["prlimit", "--as=1000000000", nnc, "-S", "-o", v.path("r.c"), source], timeout=5)
    v.check("resnet50 compiles within seconds and 1 GB", done.returncode == 0, done.stderr)
    deep = v.path("deep.net")
    with open(deep, "w") as f:
        f.write("model deep {\n    input x: f32[8, 8, 4]\n    target y: class[10]\n    h = x -> conv(4, 1)\n"
                "    repeat 600 { h = h -> batchnorm }\n    loss cross_entropy(h -> flatten -> dense(10), y)\n}\n")
    done = run(["prlimit", "--as=1000000000", "--cpu=20", nnc, "-S", "-o", v.path("deep.c"), deep], timeout=300)
    v.check("600 batchnorms compile within seconds and 1 GB", done.returncode == 0, done.stderr)


check_fresh()
if accept or "--fresh" in sys.argv[2:]:
    v.finish()
check_equal()
check_warnings()
check_kept()
check_kernels()
for model in DATA:
    check_rebuilt(model)
check_models()
check_sizes()
v.finish()
