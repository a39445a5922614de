#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Several GPUs of one host: ranks.py NNC [--gpus 2] [--folder FOLDER] [--prepare]

Ten steps of all ranks against one, in tf32, bf16, with gradients sent in bf16 and a norm that is clipped, and with batchnorms of all ranks; a training that --deterministic repeats bit for bit,
and goes on with bit for bit, and on one GPU within tolerance; a launcher's environment in the place of --gpus; and a rank that is killed,
one that is stopped, and a data folder that is lost. Every checkpoint that is saved compares the weights of all ranks. --prepare compiles
what is needed into FOLDER, where there is no GPU.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verdict import ROOT, Verdict, json_lines, lives, ranks_of, run, weights  # noqa: E402

sys.path.insert(0, os.path.join(ROOT, "bench"))
from tools import nccl  # noqa: E402

# No batchnorm, whose statistics are of a rank's share; a dropout, whose mask is the whole batch's; the norm of the whole gradient.
TINY = """model tiny {
    input  image: u8[32, 32, 3]
    target class: class[10]
    x = image -> scale(1/255) -> conv(32, 3, pad = same) -> relu -> maxpool(2) -> conv(64, 3, pad = same) -> relu -> maxpool(2)
    logits = x -> flatten -> dense(256) -> relu -> dropout(0.2) -> dense(10)
    loss   cross_entropy(logits, class)
    metric accuracy(logits, class)
}

train tiny {
    optimizer adam(rate = 0.001)
    batch     128
    clip      1
    epochs    2
}
"""
# Statistics of the whole batch, in the place of the dropout.
NORM = TINY.replace("model tiny", "model norm").replace("train tiny", "train norm").replace(" -> dropout(0.2)", "").replace(
    "pad = same) -> relu", "pad = same, bias = false) -> batchnorm(sync = true) -> relu")
# Two halves of an image, each compared with those of all ranks' images; 104 of the last 128 held-out ones are real.
ACROSS = """model across {
    input  image: u8[32, 32, 3]
    x = image -> scale(1/255)
    u = x -> slice(0, 0, 16) -> flatten -> dense(64) -> relu -> dense(16)
    v = x -> slice(0, 16, 16) -> flatten -> dense(64) -> relu -> dense(16)
    loss contrastive(u, v, temperature = 1)
}

train across {
    optimizer adam(rate = 0.001)
    batch     128
    epochs    2
}
"""
RANKS_STATUS = 7
pool, making = concurrent.futures.ThreadPoolExecutor(max(1, len(os.sched_getaffinity(0)) // 2)), []
DATA = ["--data", "synth:images,samples=4000", "--quiet"]
ap = argparse.ArgumentParser()
ap.add_argument("nnc")
ap.add_argument("--gpus", type=int, default=2, help="2, 4 or 8: what 128 samples can be shared by")
ap.add_argument("--folder")
ap.add_argument("--prepare", action="store_true")
args = ap.parse_args()
os.environ.update(nccl())
v = Verdict("gpu, ranks")
FEWER = sorted({args.gpus - 1, args.gpus // 2})  # that go on when one is lost
SHARED = args.gpus * (args.gpus - 1)             # samples that all these can share equally
nnc, folder = os.path.abspath(args.nnc), os.path.abspath(args.folder or v.folder)
built = os.path.join(os.path.dirname(os.path.dirname(nnc)), "runtime")
os.environ.setdefault("NNC_RUNTIME", built + ":" + os.path.join(ROOT, "runtime"))
os.makedirs(folder, exist_ok=True)


def made(name, net, *options, ranks=(1, args.gpus)):
    """A trainer, and beside it that for all ranks; compiled unless they are there."""
    exe = os.path.join(folder, name)

    def make(count):
        path = exe if count == 1 else f"{exe}.r{count}"
        if not os.path.exists(path):
            done = run([nnc, net, "--target=cuda", *options, f"--ranks={count}", "-o", path], timeout=300)
            v.check(f"{name} for {count} ranks", done.returncode == 0, done.stderr)
    making.extend(pool.submit(make, count) for count in ranks)
    return exe


def train(exe, what, *options, status=0, env=None):
    begun = time.monotonic()
    done = subprocess.run([exe, *DATA, "--no-tune", *options], text=True, capture_output=True, timeout=120, env={**os.environ, "NNC": nnc, **(env or {})})
    v.check(f"{what}: status {status}", done.returncode == status, f"{done.returncode}: {done.stderr[-2000:]}")
    v.say(f"{what}: {time.monotonic() - begun:.1f} s  {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ''}")
    return done.stderr


def losses(path):
    return [line["loss"] for line in json_lines(path) if "step" in line and "epoch" not in line and "loss" in line]


def close(a, b, tolerance):
    most = max(map(abs, b), default=0)
    return len(a) == len(b) and all(abs(x - y) <= tolerance * most for x, y in zip(a, b))


def check_same(exe, name, tolerance):
    for gpus in (1, args.gpus):
        train(exe, f"{name} on {gpus}", "--steps", "10", "--log", v.path(f"{gpus}.jsonl"), "--log-every", "1", "--gpus", str(gpus),
              "--checkpoint", v.path(f"{name}{gpus}.st"))
    one, several = losses(v.path("1.jsonl")), losses(v.path(f"{args.gpus}.jsonl"))
    v.check(f"{name}: losses of ten steps", len(one) == 10 and close(several, one, tolerance), f"{one} {several}")
    evaluated = []
    for gpus in (1, args.gpus):
        evaluated.append([line["eval_loss"] for line in json_lines(v.path(f"{gpus}.jsonl")) if "eval_loss" in line])
    v.check(f"{name}: evaluated the same", evaluated[0] and close(evaluated[1], evaluated[0], 2 * tolerance), evaluated)
    v.say(f"{name}: largest difference of a loss {max(abs(x - y) for x, y in zip(one, several)):.2e} of {max(one):.3f}")
    os.remove(v.path("1.jsonl"))
    os.remove(v.path(f"{args.gpus}.jsonl"))


def same_bytes(a, b):
    with open(a, "rb") as x, open(b, "rb") as y:
        return x.read() == y.read()


def check_repeated(exe, tiny):
    """With batchnorm, whose running statistics are a mean over the ranks."""
    fixed = ["--gpus", str(args.gpus), "--deterministic", "--steps", "60"]
    for i in (1, 2):
        train(exe, f"deterministic, {i}", *fixed, "--checkpoint", v.path(f"d{i}.st"))
    v.check("--deterministic, twice, equal", same_bytes(v.path("d1.st"), v.path("d2.st")))
    train(exe, "a part", *fixed, "--stop-after", "37", "--checkpoint", v.path("d3.st"))
    train(exe, "the rest", *fixed, "--resume", "--checkpoint", v.path("d3.st"))
    v.check("--deterministic, stopped and resumed, equal", same_bytes(v.path("d1.st"), v.path("d3.st")))
    train(tiny, "a part on all", "--gpus", str(args.gpus), "--steps", "20", "--stop-after", "10", "--checkpoint", v.path("part.st"))
    for gpus in (args.gpus, args.gpus // 2):
        shutil.copy(v.path("part.st"), v.path(f"t{gpus}.st"))
        train(tiny, f"resumed on {gpus}", "--gpus", str(gpus), "--steps", "20", "--resume", "--checkpoint", v.path(f"t{gpus}.st"))
    v.check("resumed on half of the GPUs", close(weights(v.path(f"t{args.gpus // 2}.st")), weights(v.path(f"t{args.gpus}.st")), 1e-2))


def launched(exe, *options, count=args.gpus):
    """As torchrun and its kin start ranks."""
    env = {**os.environ, "WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(20000 + os.getpid() % 20000), "NNC": nnc}
    return [subprocess.Popen([exe, *DATA, "--no-tune", *options], text=True, stderr=subprocess.PIPE, env={**env, "RANK": str(r), "LOCAL_RANK": str(r)})
            for r in range(count)]


def fault(exe, what, act, status, says, after=8):
    p = subprocess.Popen([exe, *DATA, "--no-tune", "--gpus", str(args.gpus), "--steps", "100000000", "--checkpoint", v.path("f.st"), "--checkpoint-every", "100it",
                          "--rank-timeout", "5"], text=True, stderr=subprocess.PIPE, env={**os.environ, "NNC": nnc})
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not os.path.exists(v.path("f.st")):
        time.sleep(0.05)
    time.sleep(0.5)
    ranks, begun = ranks_of(p), time.monotonic()
    act(p, ranks)
    err = ""
    try:
        err = p.communicate(timeout=30)[1]
    except subprocess.TimeoutExpired:
        p.kill()
    took = time.monotonic() - begun
    v.check(f"{what}: status {status}", p.returncode == status, f"{p.returncode}: {err[-2000:]}")
    v.check(f"{what}: said", re.search(says, err), err[-2000:])
    time.sleep(0.5)
    v.check(f"{what}: within {after} s, no process left", took < after + 5 and not any(map(lives, ranks)), f"{took} {ranks}")
    v.say(f"{what}: {took:.1f} s  {err.strip().splitlines()[0] if err.strip() else ''}")
    for gpus in FEWER:
        shutil.copy(v.path("f.st"), v.path("fewer.st"))
        train(exe, f"{what}: resumed by {gpus}", "--gpus", str(gpus), "--steps", "1", "--resume=auto", "--checkpoint", v.path("fewer.st"))
    os.remove(v.path("f.st"))


def check_faults(exe, tiny):
    fault(exe, "a rank that is killed", lambda p, ranks: os.kill(ranks[1], signal.SIGKILL), 128 + signal.SIGKILL, "rank 1 was ended by signal 9")
    fault(exe, "a rank that is stopped", lambda p, ranks: os.kill(ranks[1], signal.SIGSTOP), RANKS_STATUS, "rank 1 on .* no sign of life")
    fault(exe, "SIGTERM", lambda p, ranks: p.terminate(), 128 + signal.SIGTERM, "")
    started = launched(exe, "--steps", "10", "--checkpoint", v.path("l.st"))
    errors = [p.communicate(timeout=60)[1] for p in started]
    v.check("started by RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR, MASTER_PORT", not any(p.returncode for p in started), errors)
    train(tiny, "more ranks than GPUs", "--gpus", "16", "--steps", "1", status=6)


def main():
    tiny = os.path.join(folder, "tiny.net")
    with open(tiny, "w") as f:
        f.write(TINY)
    exes = {precision: made(f"tiny_{precision}", tiny, "--set", f"precision={precision}", ranks=sorted({1, args.gpus // 2, args.gpus})) for precision in ("tf32", "bf16")}
    narrow = made("tiny_wire", tiny, "--set", "wire=bf16")
    sharded = made("tiny_shard", tiny, "--set", "shard=optimizer", "--set", "precision=bf16")
    made("tiny_tf32", tiny, "--set", "precision=tf32", ranks=(16,))
    lost = os.path.join(folder, "lost.net")
    with open(lost, "w") as f:
        f.write(TINY.replace("batch     128", f"batch     {128 // SHARED * SHARED}"))
    lost = made("tiny_lost", lost, "--set", "precision=tf32", ranks=sorted({1, *FEWER, args.gpus}))
    norm = os.path.join(folder, "norm.net")
    with open(norm, "w") as f:
        f.write(NORM)
    norms = {precision: made(f"norm_{precision}", norm, "--set", f"precision={precision}") for precision in ("fp32", "bf16")}
    across = os.path.join(folder, "across.net")
    with open(across, "w") as f:
        f.write(ACROSS)
    compared = {precision: made(f"across_{precision}", across, "--set", f"precision={precision}") for precision in ("fp32", "bf16")}
    resnet = made("resnet18_bf16", os.path.join(ROOT, "models", "resnet18.net"), "--recipe=cifar10", "--set", "precision=bf16", "--set", "batch=128")
    for future in making:
        future.result()
    if args.prepare:
        v.finish()
    if run(["nvidia-smi", "-L"]).stdout.count("GPU ") < args.gpus if os.path.exists("/dev/nvidia0") else True:
        v.skip("gpu, ranks", f"there are no {args.gpus} GPUs")
        v.finish()
    check_same(exes["tf32"], "tf32", 1e-3)
    check_same(exes["bf16"], "bf16", 2e-2)
    check_same(norms["fp32"], "batchnorm of all ranks, fp32", 1e-4)
    check_same(norms["bf16"], "batchnorm of all ranks, bf16", 2e-2)
    check_same(compared["fp32"], "samples of all ranks, fp32", 1e-4)
    check_same(compared["bf16"], "samples of all ranks, bf16", 2e-2)
    check_same(narrow, "wire", 5e-3)
    check_same(sharded, "shares", 2e-2)
    check_repeated(resnet, exes["tf32"])
    check_faults(lost, exes["tf32"])


main()
v.finish()
