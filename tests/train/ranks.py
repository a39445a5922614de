#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Several ranks over MPI: 1, 2, 4 and 8 train the same as one, resume each other's checkpoints, and end when one of them does.

    ranks.py NNC [--faults LIBFAULTS] [--pieces MPI_PIECES] [--kills N] [--seed S] [--eight]

--kills is the long form: so many trainings of two ranks, of which one is killed at a random moment.
"""
import argparse
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import png_chunk, tensor_bytes
from verdict import Verdict, bmp, build, json_lines, lives, ranks_of, weights

# A dropout, whose mask must be that of the whole batch, in two chunks; and the norm of the whole gradient.
TINY = """model tiny {
    input  image: u8[8, 8, 1]
    target digit: class[10]
    x = image -> scale(1/255) -> conv(4, 3, pad = same) -> relu -> maxpool(2) -> flatten -> dropout(0.2)
    logits = x -> dense(10)
    loss   cross_entropy(logits, digit)
    metric accuracy(logits, digit)
}

train tiny {
    optimizer adam(rate = 0.003)
    batch     32
    chunk     16
    clip      1
    epochs    2
}
"""
# Statistics of the whole batch, ahead of and after an image gets smaller: with those of a share ten losses differ in the third digit.
NORM = """model norm {
    input  image: u8[8, 8, 1]
    target digit: class[10]
    x = image -> scale(1/255) -> conv(4, 3, pad = same, bias = false) -> batchnorm(sync = true) -> relu -> maxpool(2)
    logits = x -> conv(4, 3) -> batchnorm(sync = true) -> relu -> flatten -> dense(10)
    loss   cross_entropy(logits, digit)
}

train norm {
    optimizer sgd(rate = 0.05, momentum = 0.9)
    batch     32
    epochs    2
}
"""
# Each sample among all of the batch, in training and evaluation, where the last batch is not full: some ranks have no share of it.
ACROSS = """model across {
    input  a: f32[6]
    input  b: f32[6]
    u = a -> dense(4, init = normal(0.05))
    v = b -> dense(4, init = normal(0.05))
    loss contrastive(u, v, temperature = 1)
}

train across {
    optimizer sgd(rate = 0.05, momentum = 0.9)
    batch     8
    epochs    1
}
"""
# The same a hundred from 0, several hundred deviations: two ranks' means and variances are put together without the difference of large numbers.
FAR = NORM.replace("bias = false) -> batchnorm", "bias = false) -> scale(1, 100) -> batchnorm").replace("norm {", "far {")
# What 8, 7 and 4 ranks can share.
EIGHT = TINY.replace("batch     32", "batch     56").replace("chunk     16", "chunk     56").replace("tiny {", "eight {")
RANKS_STATUS, TOLERANCE = 7, 2e-6  # runtime/README.md; of losses and weights, relative to the largest
FAR_TOLERANCE = 1e-4  # the same, where f32 has few digits of a deviation
WIRE_TOLERANCE = 1e-3  # of losses
ap = argparse.ArgumentParser()
ap.add_argument("nnc")
ap.add_argument("--faults", help="libfaults.so of tests/faults")
ap.add_argument("--pieces", help="what mpi_pieces.c is compiled to")
ap.add_argument("--kills", type=int, default=0)
ap.add_argument("--eight", action="store_true", help="with eight ranks all that is done with two; a minute more")
ap.add_argument("--seed", type=int, default=1)
args = ap.parse_args()
v = Verdict("ranks")
nnc = os.path.abspath(args.nnc)
LAUNCH = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n"]
ENV = {**os.environ, "OMP_NUM_THREADS": "1", "NNC": nnc}
DATA = ["--data", "synth:digits,samples=640", "--progress", "none"]


def start(exe, ranks, *options, data=DATA):
    return subprocess.Popen([*LAUNCH, str(ranks), exe, *data, *options], env=ENV, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def train(exe, what, ranks, *options, status=0, data=DATA):
    p = start(exe, ranks, *options, data=data)
    out, err = p.communicate(timeout=60)
    v.check(f"{what}: status {status}", p.returncode == status, f"{p.returncode}: {err}")
    return err


def losses(path):
    return [line["loss"] for line in json_lines(path) if "step" in line and "epoch" not in line and "loss" in line]


def close(a, b, tolerance=TOLERANCE):
    most = max(map(abs, b), default=0)
    return len(a) == len(b) and all(abs(x - y) <= tolerance * most for x, y in zip(a, b))


def check_pieces():
    """Collectives whose counts are above what one call of MPI takes."""
    for ranks in (2, 3):
        done = subprocess.run([*LAUNCH, str(ranks), args.pieces], env=ENV, text=True, capture_output=True, timeout=60)
        v.check(f"MPI in pieces, {ranks} ranks", done.returncode == 0, done.stdout + done.stderr)


def check_same(exe, name, data=DATA, tolerance=TOLERANCE, counts=(1, 2, 4)):
    def path(ranks, ending):
        return f"{exe}.{ranks}.{ending}"
    for ranks in counts:
        train(exe, f"{name}, {ranks} ranks", ranks, "--steps", "10", "--log", path(ranks, "jsonl"), "--log-every", "1", "--checkpoint", path(ranks, "st"),
              data=data)
    one = losses(path(1, "jsonl"))
    v.check(f"{name}, ten losses", len(one) == 10, one)
    for ranks in counts[1:]:
        v.check(f"{name}, losses of {ranks} ranks", close(losses(path(ranks, "jsonl")), one, tolerance), losses(path(ranks, "jsonl")))
        v.check(f"{name}, weights of {ranks} ranks", close(weights(path(ranks, "st")), weights(path(1, "st")), tolerance))
        v.check(f"that for {ranks} is beside the trainer", os.path.exists(f"{exe}.r{ranks}"))


def check_norm():
    net = v.path("norm.net")
    with open(net, "w") as f:
        f.write(NORM)
    exe = build(v, nnc, net, "norm")
    if exe:
        check_same(exe, "batchnorm of all ranks")
    net = v.path("far.net")
    with open(net, "w") as f:
        f.write(FAR)
    exe = build(v, nnc, net, "far")
    if exe:
        check_same(exe, "batchnorm of all ranks, far from 0", tolerance=FAR_TOLERANCE)
    net, means = v.path("own.net"), []
    with open(net, "w") as f:
        f.write(NORM.replace("(sync = true)", "").replace("norm {", "own {"))
    exe = build(v, nnc, net, "own")
    for ranks in (1, 2) if exe else ():
        train(exe, f"batchnorm of each rank's share, {ranks} ranks", ranks, "--steps", "1", "--checkpoint", f"{exe}.{ranks}.st")
        means.append(struct.unpack("<4f", tensor_bytes(f"{exe}.{ranks}.st", "batchnorm.running_mean")))
    v.check("the running mean of the shares is that of the batch", exe and close(*means), means)


def check_across():
    net = v.path("across.net")
    with open(net, "w") as f:
        f.write(ACROSS)
    exe = build(v, nnc, net, "across")
    if not exe:
        return
    data = ["--data", "synth:random,samples=76", "--progress", "none"]  # 19 held out, of which the last 3 are one rank's of two, or two ranks' of four
    check_same(exe, "samples compared with those of all ranks", data)
    told = set()
    for ranks, *stream in ((1,), (2, "--stream"), (4,)):
        done = subprocess.run([*LAUNCH, str(ranks), exe, "eval", *data, *stream, "--checkpoint", f"{exe}.1.st"], env=ENV, text=True, capture_output=True)
        told.add(done.stdout)
        told.add("eval_loss {:.6g}  samples 19\n".format([line["eval_loss"] for line in json_lines(f"{exe}.{ranks}.jsonl") if "eval_loss" in line][-1]))
    v.check("their evaluation is the same for any number of ranks", len(told) == 1, told)


def check_wire(net, exe):
    """Gradients in bf16, of which a rank's are rounded and their sum is: 2^-8 of a gradient. The checkpoint has compared all weights."""
    narrow = build(v, nnc, net, "narrow", "--ranks=4", "--set", "wire=bf16")
    if narrow:
        train(narrow, "4 ranks, wire bf16", 4, "--steps", "10", "--log", v.path("wire.jsonl"), "--log-every", "1", "--checkpoint", v.path("wire.st"))
        found, one = losses(v.path("wire.jsonl")), losses(f"{exe}.1.jsonl")
        said = train(narrow, "1 rank, wire bf16", 1, "--steps", "2")
        v.check("one rank is told that it sends nothing", "note: `wire bf16`: no effect on one rank" in said, said)
        v.check("losses of wire bf16", found != one and close(found, one, WIRE_TOLERANCE), found)


def check_shard(net, exe):
    """Of two ranks each updates a share. The checkpoint is whole: with and without shares, on any number of ranks it goes on."""
    sharded = build(v, nnc, net, "sharded", "--ranks=2", "--set", "shard=optimizer", "--bucket=0.001")  # shares that no bucket is one of
    if not sharded:
        return
    log, whole, part, again = v.path("shard.jsonl"), v.path("shard.st"), v.path("shard.part.st"), v.path("shard.again.st")
    train(sharded, "2 ranks, shares", 2, "--steps", "10", "--log", log, "--log-every", "1", "--checkpoint", whole)
    v.check("losses with shares", close(losses(log), losses(f"{exe}.2.jsonl")), losses(log))
    v.check("weights with shares", close(weights(whole), weights(f"{exe}.2.st")))
    train(sharded, "a part with shares", 2, "--steps", "10", "--stop-after", "4", "--checkpoint", part)
    for trainer, ranks in ((sharded, 2), (exe, 1), (exe, 4), (sharded, 4)):
        shutil.copy(part, again)
        train(trainer, f"{os.path.basename(trainer)} goes on with shares on {ranks}", ranks, "--steps", "10", "--resume", "--checkpoint", again)
        v.check(f"{os.path.basename(trainer)} has resumed with shares on {ranks}", close(weights(again), weights(whole)))
        if (trainer, ranks) == (sharded, 2):
            v.check("the same bits with shares", open(again, "rb").read() == open(whole, "rb").read())
    train(sharded, "shares and --freeze", 2, "--steps", "4", "--freeze", "*.weight", "--checkpoint", again)
    m = struct.unpack("<690f", tensor_bytes(again, "adam.m"))  # of 36 + 640 weights, then of 14 biases
    v.check("of a rank's share of a state --freeze holds what is of frozen weights", not any(m[:676]) and all(m[676:]), m[670:])


def check_resume(exe):
    whole, part = v.path("whole.st"), v.path("part.st")
    train(exe, "the whole", 2, "--steps", "20", "--checkpoint", whole)
    train(exe, "a part", 2, "--steps", "20", "--stop-after", "7", "--checkpoint", part)
    for ranks in (1, 2, 4):
        again = v.path("again.st")
        shutil.copy(part, again)
        train(exe, f"resumed by {ranks}", ranks, "--steps", "20", "--resume", "--checkpoint", again)
        if ranks == 2:
            v.check("the same ranks, the same bits", open(again, "rb").read() == open(whole, "rb").read())
        else:
            v.check(f"resumed by {ranks} within tolerance", close(weights(again), weights(whole)))
    one = subprocess.run([exe, "eval", *DATA, "--checkpoint", whole], env=ENV, text=True, capture_output=True)
    two = subprocess.run([*LAUNCH, "2", exe, "eval", *DATA, "--checkpoint", whole], env=ENV, text=True, capture_output=True)
    v.check("eval divides the samples and counts each once", one.stdout == two.stdout and "samples 160" in two.stdout, one.stdout + two.stdout)
    check_predictions(exe, whole)


def broken_png():
    """Its head is right, and its pixels are not."""
    head = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", head) + png_chunk(b"IDAT", b"no deflate") + png_chunk(b"IEND", b"")


def check_predictions(exe, weights):
    """Batches are taken in turn; a file that is found to be damaged is left out by all, whoever has met it."""
    folder = v.path("pictures")
    os.mkdir(folder)
    for k in range(150):
        with open(os.path.join(folder, f"{k:03}.bmp"), "wb") as f:
            f.write(bmp(8, 8, k))
    for k in (40, 100):
        with open(os.path.join(folder, f"{k:03}.png"), "wb") as f:
            f.write(broken_png())
    texts = []
    for ranks in (1, 2, 4):
        out = v.path(f"p{ranks}.csv")
        done = subprocess.run([*LAUNCH, str(ranks), exe, "predict", folder, "--stream", "--checkpoint", weights, "--out", out],
                              env=ENV, text=True, capture_output=True, timeout=60)
        v.check(f"predictions of {ranks} ranks: status 3, two files are left out", done.returncode == 3 and done.stderr.count("is left out") == 2, done.stderr)
        with open(out) as f:
            texts.append(f.read())
    v.check("predictions of 1, 2 and 4 ranks are the same", texts[0].count("\n") == 151 and texts.count(texts[0]) == 3, texts)
    done = subprocess.run([*LAUNCH, "2", exe, "eval", *DATA, "--checkpoint", weights, "--mistakes", v.path("m.csv")], env=ENV, text=True, capture_output=True)
    v.check("mistakes are listed by one rank", done.returncode == 2 and "there are 2 ranks" in done.stderr, done.stderr)


def check_decoding(exe):
    """Each rank decodes a share of the images, and all have all of them; a damaged one is nobody's."""
    folder, found = v.path("classes"), []
    for k in range(200):
        os.makedirs(os.path.join(folder, str(k % 10)), exist_ok=True)
        broken = k in (63, 94)
        with open(os.path.join(folder, str(k % 10), f"{k:03}.{'png' if broken else 'bmp'}"), "wb") as f:
            f.write(broken_png() if broken else bmp(8, 8, 40 * k % 251))
    for ranks in (1, 2, 4):
        log = v.path(f"decoded{ranks}.jsonl")
        done = subprocess.run([*LAUNCH, str(ranks), exe, "--data", folder, "--resident", "--steps", "5", "--log", log, "--log-every", "1"],
                              env=ENV, text=True, capture_output=True, timeout=60)
        v.check(f"images decoded by {ranks} ranks: two are left out", done.returncode == 0 and done.stderr.count("is left out") == 2, done.stderr)
        found.append(losses(log))
    v.check("images decoded by 1, 2 and 4 ranks are the same", len(found[0]) == 5 and all(close(x, found[0]) for x in found), found)


def changed(path):
    """When it was written; None: it is not there."""
    return os.stat(path).st_mtime_ns if os.path.exists(path) else None


def kill_one(exe, after, what, number=signal.SIGKILL, saves=False, count=2):
    """One of some ranks, so long after they are there, or with `saves` after they have saved too. Returns the checkpoint, mpirun's status, and
    what it said; None: all ranks have ended, and mpirun itself stands still, as that of Open MPI 4.1 does now and then in PMIx_server_finalize."""
    saved = v.path("killed.st")
    before = changed(saved)
    p = start(exe, count, "--steps", "1000000", "--checkpoint", saved, "--checkpoint-every", "20it", "--resume=auto", "--rank-timeout", "2")
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and (len(ranks_of(p)) < count or (saves and changed(saved) == before)):
        time.sleep(0.01)
    time.sleep(after)
    ranks = ranks_of(p)
    if ranks:
        os.kill(ranks[-1], number)
    begun = time.monotonic()
    while any(map(lives, ranks)) and time.monotonic() - begun < 30:
        time.sleep(0.01)
    v.check(f"{what}: all ranks end within 30 s", ranks and not any(map(lives, ranks)), ranks)
    try:
        err = p.communicate(timeout=15)[1]
    except subprocess.TimeoutExpired:
        p.kill()
        p.communicate()
        return saved, None, ""
    v.check(f"{what}: mpirun says that it failed", p.returncode != 0, err)
    return saved, p.returncode, err


def kill_once(*words, **named):
    """The same again where mpirun stood still."""
    found = kill_one(*words, **named)
    return found if found[1] is not None else kill_one(*words, **named)


def run_apart(first, second, act=None, others=1):
    """So many ranks and one more by words of their own. Returns what mpirun ends with, and what it says."""
    p = subprocess.Popen([*LAUNCH, str(others), *first, ":", "-n", "1", *second], env=ENV, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if act:
        act()
    try:
        err = p.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        p.kill()
        err = "it has not ended"
    return p.returncode, err


def check_refused(exe):
    own = [exe, *DATA, "--steps", "4"]
    for other, what in (([*own, "--seed", "2"], "seed"), ([exe, "--data", "synth:digits,samples=672", "--progress", "none", "--steps", "4"], "training set"),
                        ([v.path("norm"), *own[1:]], "program")):
        status, err = run_apart(own, other)
        v.check(f"another {what} is refused", status == RANKS_STATUS and f"this rank has another {what} than rank 0" in err and "rank 1 on" in err, err)


def check_memory(exe, others=1):
    """The last rank, after so many others."""
    if not args.faults:
        v.skip(f"rank {others} out of memory", "there is no library of faults")
        return
    saved, log = v.path("memory.st"), v.path("memory.fault")
    own = [exe, *DATA, "--steps", "1000000", "--checkpoint", saved, "--checkpoint-every", "20it"]
    status, err = run_apart(own, ["env", f"LD_PRELOAD={os.path.abspath(args.faults)}", "FAULT=malloc:20000+", f"FAULT_LOG={log}", *own], others=others)
    v.check(f"rank {others} out of memory ends all", os.path.exists(log) and status == 4 and f"rank {others} on" in err and "memory" in err,
            f"{status}: {err}")
    train(exe, "what was saved before is whole", 1, "--steps", "1", "--resume", "--checkpoint", saved)


def check_lost_data(exe):
    """Of one rank, which has a folder of its own with the same files."""
    for k in range(60):
        os.makedirs(v.path(f"here/pictures/{k % 10}"), exist_ok=True)
        with open(v.path(f"here/pictures/{k % 10}/{k}.bmp"), "wb") as f:
            f.write(bmp(8, 8, 4 * k))
    shutil.copytree(v.path("here"), v.path("there"))  # with the times of the files
    saved = v.path("lost.st")
    own = [exe, "--data", "pictures", "--stream", "--steps", "1000000", "--checkpoint", saved, "--checkpoint-every", "20it", "--progress", "none"]

    def lose():
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and not os.path.exists(saved):
            time.sleep(0.05)
        os.rename(v.path("there/pictures"), v.path("there/lost"))
    status, err = run_apart(["-wdir", v.path("here"), *own], ["-wdir", v.path("there"), *own], lose)
    v.check("a rank that loses its data ends all", status == 3 and "rank 1 on" in err and "can't be used" in err, f"{status}: {err}")
    os.rename(v.path("there/lost"), v.path("there/pictures"))
    status, err = run_apart(["-wdir", v.path("here"), *own, "--resume=auto", "--stop-after", "5"],
                           ["-wdir", v.path("there"), *own, "--resume=auto", "--stop-after", "5"])
    v.check("with its data again they go on", status == 0, f"{status}: {err}")


def check_faults(exe):
    status, err = kill_once(exe, 0.5, "a rank that is stopped", signal.SIGSTOP, saves=True)[1:]
    v.check("who is stopped is named", status == RANKS_STATUS and "rank 1 on" in err and "no sign of life" in err, f"{status}: {err}")
    saved, status, err = kill_once(exe, 1.0, "a rank that is killed", saves=True)
    v.check("mpirun has its status", status == 128 + signal.SIGKILL, f"{status}: {err}")
    train(exe, "one rank takes its checkpoint", 1, "--steps", "1", "--resume", "--checkpoint", saved)
    check_refused(exe)
    check_memory(exe)
    check_lost_data(exe)
    lost = subprocess.run([exe, *DATA, "--steps", "4"], text=True, capture_output=True, timeout=60,
                          env={**ENV, "RANK": "0", "WORLD_SIZE": "8", "NNC": "/nowhere", "PATH": "/nowhere"})
    uneven = subprocess.run([*LAUNCH, "3", exe, *DATA, "--steps", "4"], env=ENV, text=True, capture_output=True, timeout=60)
    words = re.search(r"`nnc tiny.net (.*) -o (.*)`", uneven.stderr)
    v.check("ranks that can't share a chunk: said once, before anything is compiled", uneven.returncode != 0 and "nnc-ranks-" not in uneven.stderr
            and uneven.stderr.count("a chunk of 16 samples can't be shared by 3 ranks equally") == 1, uneven.stderr)
    v.check("with a command that helps", words and words[2] == exe and "--set=chunk=18 --set=batch=36" in words[1] and subprocess.run(
        [nnc, v.path("tiny.net"), *words[1].split(), "--ranks=3", "--check"], capture_output=True).returncode == 0, uneven.stderr)
    v.check("ranks without nnc", lost.returncode == 6 and "nnc tiny.net" in lost.stderr and "--ranks=8" in lost.stderr, lost.stderr)


def check_eight():
    """Eight ranks are as one; and when one of them is lost, all end, and fewer go on from what they had saved. --eight: in more ways."""
    net = v.path("eight.net")
    with open(net, "w") as f:
        f.write(EIGHT)
    exe = build(v, nnc, net, "eight")
    if not exe:
        return
    os.remove(v.path("killed.st"))
    check_same(exe, "eight", counts=(1, 8))
    saved, status, err = kill_once(exe, 1.0, "one of eight is killed", saves=True, count=8)
    v.check("one of eight is killed: mpirun has its status", status == 128 + signal.SIGKILL, f"{status}: {err}")
    step, after = saved_step(exe, saved), []
    for ranks in (7, 4):
        again = v.path(f"again{ranks}.st")
        shutil.copy(saved, again)
        train(exe, f"{ranks} go on", ranks, "--steps", str(step + 3), "--resume=auto", "--checkpoint", again)
        after.append(weights(again))
        v.check(f"{ranks} went on, within tolerance", saved_step(exe, again) == step + 3 and close(after[-1], after[0]))
    if not args.eight:
        return
    for word, to, tolerance in (("narrow8", "wire=bf16", WIRE_TOLERANCE), ("sharded8", "shard=optimizer", TOLERANCE)):
        trainer, log = build(v, nnc, net, word, "--ranks=8", "--set", to), v.path("eight.jsonl")
        train(trainer, f"8 ranks, {to}", 8, "--steps", "10", "--log", log, "--log-every", "1", "--checkpoint", v.path("eight.st"))
        v.check(f"losses of 8 ranks, {to}", close(losses(log), losses(f"{exe}.1.jsonl"), tolerance), losses(log))
    status, err = kill_once(exe, 0.5, "one of eight is stopped", signal.SIGSTOP, saves=True, count=8)[1:]
    v.check("who of eight is stopped is named", status == RANKS_STATUS and re.search(r"rank \d on .*no sign of life", err), f"{status}: {err}")
    check_memory(exe, 7)


def saved_step(exe, path):
    done = subprocess.run([exe, "info", "--checkpoint", path], env=ENV, text=True, capture_output=True)
    found = re.search(r"^ *step +(\d+)$", done.stdout, re.MULTILINE)
    return int(found[1]) if found else -1


def kill_many(exe):
    """One training, killed and resumed again and again: its checkpoint never goes back, and is always whole."""
    step = still = 0
    for i in range(args.kills):
        saved, status, err = kill_one(exe, random.uniform(0, 1.5), f"kill {i}")
        still += status is None
        v.check(f"kill {i}: nothing else ended it", status in (None, 128 + signal.SIGKILL), f"{status}: {err}")
        now = saved_step(exe, saved) if os.path.exists(saved) else 0
        v.check(f"kill {i}: nothing that was saved is lost", now >= step, f"{now} after {step}")
        step = now
    if args.kills:
        v.say(f"{args.kills} kills, at step {step}; mpirun itself stood still {still} times, with no rank left")


def main():
    if not shutil.which("mpirun"):
        v.skip("ranks", "mpirun (Debian's openmpi-bin) is not there")
        return
    net = v.path("tiny.net")
    with open(net, "w") as f:
        f.write(TINY)
    exe = build(v, nnc, net, "tiny", "--bucket=0.001")  # the flat gradient in two
    if not exe:
        return
    if args.pieces:
        check_pieces()
    random.seed(args.seed)
    kill_many(exe)
    if args.kills == 0:
        check_same(exe, "dropout in chunks")
        check_norm()
        check_across()
        check_wire(net, exe)
        check_shard(net, exe)
        check_resume(exe)
        check_decoding(exe)
        check_faults(exe)
        check_eight()


main()
v.finish()
