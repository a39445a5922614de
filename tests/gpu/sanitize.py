#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compute-sanitizer over all operators and the models at small sizes: sanitize.py NNC GPU_LOOPS [--seconds N] [--out F] [--skip-done F] [WORD ...]

Words choose tools and subjects (of SUBJECTS; `operators`, or of its parts `operators-1` and so on); without any of a kind, all. Each
tool watches some processes that share all samples of all operators in every arithmetic, and three training steps and an evaluation of
each subject. The GPUs of CUDA_VISIBLE_DEVICES take turns. One report is a failure. What does not fit into the seconds (600) is skipped,
and said so; so are the samples that a process did not get to; with --out and --skip-done, as of tests/gpu/run, a later call goes on.
Nothing is compiled in a watched process, and its children are not watched: both took most of the time.

The seconds are estimates until they were measured: each line `took` says both.
"""
import argparse
import collections
import concurrent.futures
import itertools
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, run
sys.path.insert(0, os.path.join(ROOT, "bench"))
from budget import add_record, read_records  # noqa: E402

TOOLS = {"memcheck": 1, "racecheck": 2, "initcheck": 1, "synccheck": 1}  # how many times the seconds below
Subject = collections.namedtuple("Subject", "model seconds compile data train", defaults=([],))


def variants(name, model, seconds, options, data):
    """In the three arithmetics of the libraries, as graphs; and launch by launch."""
    for precision in ("tf32", "bf16", "fp16"):
        yield f"{name}-{precision}", Subject(model, seconds, [*options, "--precision=" + precision], data)
    yield f"{name}-plain", Subject(model, seconds, options, data, ["--no-graph"])


DIGITS, FEW = "synth:digits,samples=100", ["--set", "batch=16"]
MLP = ["-D", "size=64", "-D", "hidden=48", "--set", "batch=50"]
POINTS = "synth:rosenbrock,samples=400"
SUBJECTS = {
    **dict(variants("mnist", "mnist_cnn", 20, FEW, DIGITS)),
    "mnist-rounds": Subject("mnist_cnn", 30, ["--set", "batch=300"], "synth:digits,samples=700"),  # several samples for a block
    **dict(variants("mlp", "rosenbrock_mlp", 20, MLP, POINTS)),
    "mnist-chunk": Subject("mnist_cnn", 20, ["--set", "batch=32", "--set", "chunk=16"], DIGITS),
    "mnist-stream": Subject("mnist_cnn", 20, FEW, DIGITS, ["--stream"]),
    "mlp-stream": Subject("rosenbrock_mlp", 20, MLP, POINTS, ["--stream"]),
    "mlp-memory": Subject("rosenbrock_mlp", 20, MLP, POINTS, ["--memory", "65536"]),
    # batches so large that the convolution is a kernel of ours (compiler/kernels/conv_image_cuda.c)
    "mnist-image": Subject("mnist_cnn", 30, ["--set", "batch=128", "-fno-onchip"], "synth:digits,samples=200"),
    "mnist-image-bf16": Subject("mnist_cnn", 30, ["--set", "batch=128", "-fno-onchip", "--precision=bf16"], "synth:digits,samples=200"),
    **dict(variants("witness", "witness_net", 30, ["-D", "drop=0.2", *FEW], DIGITS)),
    "products": Subject(None, 50, None, None),  # our kernels of tests/gpu/products.c, of which no model this small has one
    **dict(variants("resnet", "resnet50", 60, ["--recipe", "cifar10", "--set", "batch=4"], "synth:images,samples=40")),
}
# Under initcheck one process of all operators took more than 360 s on an H200 and left 978 samples unreached (2026-11-23).
OPERATOR_PARTS = 4
OPERATORS = [f"operators-{i}" for i in range(1, OPERATOR_PARTS + 1)]
OPERATORS_SECONDS = 40  # of one part; initcheck took 9 to 14 s, four at once on a GPU of their own
LONGEST = 450  # seconds of one process: longer is a failure
AT_ONCE = max(6, os.cpu_count() // 2)  # a watched process is busy on a processor; the others are for the rest of tests/gpu/run
GPUS = itertools.cycle(os.environ["CUDA_VISIBLE_DEVICES"].split(",") if os.environ.get("CUDA_VISIBLE_DEVICES") else [None])
# Where racecheck looks at the libraries' kernels it reports cuDNN's, which wait by means that it does not follow, and does not end; and
# where it is told to leave them out, it fails with an illegal access after many of them. So under it our own kernels compute what a
# library would, but in the subjects whose kernels exist beside a library's alone.
OWN = {"racecheck": ["--library=none"]}
# initcheck does not see what a library's kernel stores by the copy engine, as cuDNN's and cuBLASLt's for sm_90 do, and reports whatever
# reads it. So of the operators, whose memory nobody has written, only those cases are watched that no library computes; the others
# begin in memory full of NaN, which would be in the result (`operators` of tests/gpu/run).
OWN_OPERATORS = {"racecheck", "initcheck"}
# Loops at the full width, images of 8x8, did not end in 450 s under it on an H200 for one subject (2026-11-23). At an eighth of it a
# step has a sixtieth of the operations; no convolution is a conv_matrix then, which `operators` has.
RESNET_OWN = ["-D", "size=8", "-D", "width=8"]  # 109 to 129 s, four at once on a GPU of their own
BESIDE_LIBRARIES = {"mnist-image", "mnist-image-bf16"}
NOT_OURS = ["--kernel-name-exclude", "regex=cudnn|cublas|cutlass|xmma|nvjet"]
ERROR = 9  # exit status where there are reports
SUMMARY = r"(?:ERROR|RACECHECK) SUMMARY: (\d+)"
# A kernel over so many elements, NAME_N or NAME_AxB, that reads them by fours, of four bytes or two, may read up to three after the last, which the plan pads;
# whatever is there goes to where nothing reads it. initcheck cannot know that.
PADDING = (r"Uninitialized __global__ memory read of size (?:16|8) bytes\n=+ +at \w+_(\d+(?:x\d+)*)\+\w+\n"
           r"=+ +by thread \((\d+),0,0\) in block \((\d+),0,0\)")
# The kernels of a trainer may be in several modules, and the runtime asks one after the other (runtime/cuda/module.c); that none has
# one ends the process, with a status of its own.
PROBE = r"Program hit CUDA_ERROR_NOT_FOUND .* on CUDA API call to cuModuleGetFunction"
END = r"\n=+ *\n"  # of a report
REPORT = r"^=+ (?!COMPUTE|ERROR SUMMARY|RACECHECK SUMMARY|Target application)(?:.|\n){0,1200}"

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("nnc")
parser.add_argument("loops")
parser.add_argument("words", nargs="*")
parser.add_argument("--seconds", type=float, default=600)
parser.add_argument("--out", metavar="FILE.jsonl", help="also append each process that passed to this file")
parser.add_argument("--skip-done", metavar="FILE.jsonl", help="leave out the processes that passed there")
parser.add_argument("--logs", metavar="FOLDER", help="what each process says, whole")
options = parser.parse_intermixed_args()  # words also after --seconds
nnc, loops = os.path.abspath(options.nnc), os.path.abspath(options.loops)
words = {*options.words, *(OPERATORS if "operators" in options.words else [])}
unknown = words - {*TOOLS, *SUBJECTS, "operators", *OPERATORS}
if unknown:
    parser.error(f"no tool or subject {', '.join(sorted(unknown))}")
tools, subjects = ([x for x in all_ if x in words] or list(all_) for all_ in (TOOLS, [*OPERATORS, *SUBJECTS]))
v = Verdict("sanitizer")


def left():
    return options.seconds - (time.monotonic() - v.begun)


def left_out(tool, subject):
    """Options for what is not ours."""
    return NOT_OURS if tool == "racecheck" and subject in BESIDE_LIBRARIES else []


def watch(tool, subject, sanitizer, command, limit, env):
    """What it said, and its exit status; None where it was stopped, with all that it had started. On a busy machine a program needs more
    than the tool's 10 s until it first calls CUDA: the tool waits for it as long as it runs."""
    process = subprocess.Popen([sanitizer, "--tool", tool, "--target-processes", "application-only", "--launch-timeout", "0",
                                "--error-exitcode", str(ERROR),
                                *left_out(tool, subject), "--print-limit", "1000", *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", env={**os.environ, **env}, start_new_session=True)
    try:
        return process.communicate(timeout=limit)[0], process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0], None


def is_padding(report):
    found = re.search(PADDING, report)
    if not found:
        return False
    first = 4 * (256 * int(found.group(3)) + int(found.group(2)))
    elements = math.prod(map(int, found.group(1).split("x")))
    return elements - 4 < first < elements


def judge(what, text, status, limit):
    """Whether it was watched to its end, and nothing is to be said against it."""
    reports = re.split(END, text)
    expected = [r for r in reports if is_padding(r) or re.search(PROBE, r)]
    if expected:
        v.say(f"{what}: {len(expected)} reports of padding, or of a kernel that is in another module")
        text = "\n========= \n".join(r for r in reports if r not in expected)
    if status == ERROR and expected and len(expected) == sum(map(int, re.findall(SUMMARY, text))):  # they are all
        text = re.sub(SUMMARY, "ERROR SUMMARY: 0", text)
        status = int(bool(re.search(r", [1-9]\d* failed, |Target application returned an error", text)))
    report = re.search(REPORT, text, re.MULTILINE)
    detail = report.group(0) if report else text[-600:]
    if status is None and limit < LONGEST and not report:
        v.skip(what, f"{options.seconds:.0f} seconds were over before its end")
        return False
    summaries = re.findall(SUMMARY, text)
    well = [v.check(f"{what}: ends well", status in (0, ERROR), f"exit status {status}: {detail}"),
            v.check(f"{what}: was watched", summaries, detail),
            v.check(f"{what}: no report", status != ERROR and not any(map(int, summaries)), detail)]
    unreached = [n for n in re.findall(r"^ops, .* (\d+) skipped$", text, re.MULTILINE) if n != "0"]
    for samples in unreached:
        v.skip(f"{what}: {samples} samples", "no time was left")
    return all(well) and not unreached


def build_of(tool, subject):
    """The words of build(): the parts of the operators share one."""
    if subject in OPERATORS:
        return "operators", ()
    if subject == "products" and tool == "racecheck":  # all of them took 67 GB of the host's memory, and the system ended it
        return subject, ("small",)
    if subject in {"products", *BESIDE_LIBRARIES} or tool not in OWN:
        return subject, ()
    return subject, (*OWN[tool], *(RESNET_OWN if subject.startswith("resnet") else []))


def build(subject, own):
    """The command to watch, or why there is none; `own` makes our kernels compute what a library would."""
    if subject == "operators":
        folder = v.path(subject)
        os.mkdir(folder)
        done = run([loops, "--cuda", "--build", folder], timeout=max(1, left()))
        return [loops, "--cuda", "--built", folder], done
    if subject == "products":  # beside the other program; it compiles them itself
        program = os.path.join(os.path.dirname(loops), "gpu_libraries")
        return [program, "tf32", "own", *own], run(["test", "-x", program])
    s, exe = SUBJECTS[subject], v.path(subject + "".join(own))
    done = run([nnc, os.path.join(ROOT, "models", s.model + ".net"), "-o", exe, "--target=cuda", *own, *s.compile], timeout=max(1, left()))
    return [exe, "--data", s.data, "--steps", "3", "--quiet", "--no-tune", *s.train], done


def estimated(tool, subject):
    """Seconds."""
    return TOOLS[tool] * (OPERATORS_SECONDS if subject in OPERATORS else SUBJECTS[subject].seconds)


def work(tool, subject, built, sanitizer):
    """One process of one tool, and the verdict on it."""
    what, operators, estimate = f"{tool}, {subject}", subject in OPERATORS, estimated(tool, subject)
    command, done = built.result()
    limit = min(left(), LONGEST)
    if done.returncode == 124 or limit < (1 if operators else estimate):
        v.skip(what, f"of {options.seconds:.0f} seconds {max(0, left()):.0f} are left, and it takes about {estimate}")
        return
    if not v.check(f"{what}: compiles", done.returncode == 0, done.stderr):
        return
    if operators:  # what it does not get to it leaves out itself
        part = f"{OPERATORS.index(subject) + 1}/{OPERATOR_PARTS}"
        command = [*command, "--part", part, *(["--kernels"] if tool in OWN_OPERATORS else []), "--seconds", f"{0.8 * limit:.0f}"]
    begun = time.monotonic()
    gpu, env = next(GPUS), {"NNC_TEST_FRESH": "1"} if tool == "initcheck" else {}
    text, status = watch(tool, subject, sanitizer, command, limit, dict(env, CUDA_VISIBLE_DEVICES=gpu) if gpu else env)
    v.say(f"took {time.monotonic() - begun:.0f} s, {estimate} estimated: {what}")
    if options.logs:
        with open(os.path.join(options.logs, what.replace(", ", "-") + ".log"), "w") as log:
            log.write(text)
    if judge(what, text, status, limit):
        add_record(options.out, {"stage": "sanitizer", "done": [f"sanitizer: {what}"]})


def main():
    home = os.environ.get("CUDA_HOME") or "/usr/local/cuda"
    sanitizer = shutil.which("compute-sanitizer") or os.path.join(home, "bin", "compute-sanitizer")
    if not os.path.exists(sanitizer):
        v.skip("compute-sanitizer", "it is not installed")
        v.finish()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as builders, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        # the longest first: begun last, one would be alone at the end
        done = {name for record in read_records(options.skip_done) for name in record.get("done", [])}
        pairs = [(tool, subject) for subject in subjects for tool in tools]
        wanted = sorted((pair for pair in pairs if "sanitizer: {}, {}".format(*pair) not in done), key=lambda pair: -estimated(*pair))
        if len(wanted) < len(pairs):
            print(f"{len(pairs) - len(wanted)} of {len(pairs)} processes passed before", flush=True)
        built = {key: builders.submit(build, *key) for key in dict.fromkeys(build_of(*pair) for pair in wanted)}
        for job in [pool.submit(work, *pair, built[build_of(*pair)], sanitizer) for pair in wanted]:
            job.result()
    v.finish()


main()
