#!/usr/bin/env python3
"""compute-sanitizer over all operators and the models at small sizes: sanitize.py NNC GPU_LOOPS [WORD ...]

Words choose tools and subjects (a model, or `operators`); without any of a kind, all. Its four tools each watch every sample of every operator (plainly and as a graph) and three training steps and an evaluation
of every model, plainly and as graphs. One report is a failure.
"""
import concurrent.futures
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, run

TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
MODELS = {
    "mnist_cnn": (["--set", "batch=16"], "synth:digits,samples=100"),
    "witness_net": (["-D", "drop=0.2", "--set", "batch=16"], "synth:digits,samples=100"),
    "rosenbrock_mlp": (["--set", "batch=50"], "synth:rosenbrock,samples=400"),
    "resnet50": (["--recipe", "cifar10", "--set", "batch=4"], "synth:images,samples=40"),
}
ERROR = 9  # exit status where there are reports

nnc, loops = (os.path.abspath(a) for a in sys.argv[1:3])
words = set(sys.argv[3:])
SUBJECTS = [*MODELS, "operators"]
tools, subjects = ([x for x in all_ if x in words] or all_ for all_ in (TOOLS, SUBJECTS))
v = Verdict("sanitizer")


def watch(tool, sanitizer, command, env=None):
    """(reports, the first of them, exit status)"""
    done = run([sanitizer, "--tool", tool, "--target-processes", "all", "--error-exitcode", str(ERROR), "--print-limit", "3",
                *command], timeout=450, env=env)
    text = done.stdout + done.stderr
    summaries = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", text)
    first = re.search(r"^=+ (?!COMPUTE|ERROR SUMMARY|RACECHECK SUMMARY|Target application)(?:.|\n){0,1200}", text, re.MULTILINE)
    return sum(map(int, summaries)), len(summaries), first.group(0) if first else text[-600:], done.returncode


def judge(what, result):
    reports, summaries, first, status = result
    v.check(f"{what}: ends well", status in (0, ERROR), f"{status}: {first}")
    v.check(f"{what}: was watched", summaries > 0, first)
    v.check(f"{what}: no report", reports == 0, f"{reports} reports: {first}")


def main():
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    sanitizer = shutil.which("compute-sanitizer") or os.path.join(home, "bin", "compute-sanitizer")
    if not os.path.exists(sanitizer):
        v.skip("compute-sanitizer", "it is not installed")
        v.finish()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        def build(name):
            source, exe = os.path.join(ROOT, "models", name + ".net"), v.path(name)
            return run([nnc, source, "-o", exe, "--target=cuda", *MODELS[name][0]])
        built = {name: pool.submit(build, name) for name in MODELS if name in subjects}
        watched = {}
        for tool in tools:
            for name in built:
                if not v.check(f"nnc {name}", built[name].result().returncode == 0, built[name].result().stderr):
                    continue
                for way in ([], ["--no-graph"]):
                    command = [v.path(name), "--data", MODELS[name][1], "--steps", "3", "--quiet", "--no-tune", *way]
                    watched[f"{tool}, {name} {' '.join(way)}"] = pool.submit(watch, tool, sanitizer, command)
            if "operators" in subjects:
                watched[f"{tool}, operators"] = pool.submit(watch, tool, sanitizer, [loops, "--cuda", "--slices", "4"])
        for what, future in watched.items():
            judge(what, future.result())
    v.finish()


main()
