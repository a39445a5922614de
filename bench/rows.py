# SPDX-License-Identifier: MIT
"""nnc's kernels along rows beside torch.compile's, on one GPU: norms NNC --cuda [--folder DIR [--prepare]]

Tensors of 2^26 elements, which no cache holds, as rows of 2,048 to 131,072. nnc's times are those of `EXE profile` of rows.net, all
kernels of a line but its thin products; torch's are of CUDA graphs of ten calls (torch_rows.py). TB/s are of what must be moved:
forward each operand and the result, backward also the result's gradient. Cross entropy is forward and backward in one: the scores
are read, and their gradient is written. With --prepare what needs no GPU is made in DIR alone.
"""
import argparse
import collections
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ELEMENTS = 1 << 26
COLUMNS = [2048, 8192, 32768, 131072]
SIZES = {"bf16": 2, "tf32": 4}
SORTS = collections.OrderedDict([  # what line of rows.net, tensors that are moved forward and backward
    ("layernorm", ("-> layernorm", 2, 3)), ("rmsnorm", ("-> rmsnorm", 2, 3)), ("softmax", ("-> softmax", 2, 3)),
    ("dropout", ("-> dropout", 3, 2)), ("cross_entropy", ("cross_entropy(", 0, 2))])


def run(args, **more):
    done = subprocess.run(args, stdout=subprocess.PIPE, text=True, **more)
    if done.returncode:
        sys.exit(f"norms: {' '.join(args)} ended with {done.returncode}")
    return done.stdout


def build(nnc, folder, columns, precision):
    exe = os.path.join(folder, f"rows_{precision}_{columns}")
    if not os.path.exists(exe):
        run([nnc, os.path.join(HERE, "rows.net"), "-o", exe, "--target=cuda:sm_90", "--march=x86-64-v4", f"--set=precision={precision}", "-fno-side_stream",
             "-D", f"columns={columns}", f"--set=batch={ELEMENTS // columns}"])
    return exe


def times(exe, folder):
    """{sort: [us forward, us backward]} of a step, and a copy's TB/s."""
    path = os.path.join(folder, "profile.json")
    run([exe, "profile", "--data", "synth:random", "--no-tune", "--steps", "20", "--json", path], stderr=subprocess.DEVNULL)
    with open(path) as f, open(os.path.join(HERE, "rows.net")) as net:
        profile, lines = json.load(f), net.read().splitlines()
    found = {sort: [0.0, 0.0] for sort in SORTS}
    for step in profile["program"]:
        where = step["shares"][0]
        sort = next((s for s in SORTS if where["file"] == "rows.net" and SORTS[s][0] in lines[where["line"] - 1]), None)
        small = step["phase"] == "forward" and step["bytes"] < ELEMENTS  # the batch that is rounded
        if sort and not step["name"].startswith("matmul") and not small:
            found[sort][step["phase"] != "forward"] += 1e-3 * step["ns"] / profile["steps"]
            print(f"    {sort:<14}{step['name']:<60}{1e-3 * step['ns'] / profile['steps']:>8.1f} us", file=sys.stderr)
    return found, 1e-12 * profile["peak_bytes"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("nnc")
    options.add_argument("--cuda", action="store_true")
    options.add_argument("--folder", default=".")
    options.add_argument("--prepare", action="store_true")
    o = options.parse_args()
    pairs = [(precision, columns) for precision in SIZES for columns in COLUMNS]
    os.makedirs(o.folder, exist_ok=True)
    exes = [build(os.path.abspath(o.nnc), os.path.abspath(o.folder), columns, precision) for precision, columns in pairs]
    if o.prepare:
        return
    env = dict(os.environ, TORCHINDUCTOR_CACHE_DIR=os.path.abspath(os.path.join(o.folder, "inductor")), TORCHINDUCTOR_COMPILE_THREADS="1")
    peer = [sys.executable, os.path.join(HERE, "torch_rows.py"), str(ELEMENTS)]
    compiling = [subprocess.Popen([*peer, f"{p}:{c}"], env=env, stdout=subprocess.DEVNULL) for p, c in pairs]
    if any([p.wait() for p in compiling]):
        sys.exit("norms: the peer failed")
    theirs = [json.loads(line) for line in run([*peer, *(f"{p}:{c}" for p, c in pairs)], env=env).splitlines()]
    print(f"{'us, TB/s':<38}{'forward: nnc':>16}{'torch.compile':>16}{'backward: nnc':>20}{'torch.compile':>16}")
    for (precision, columns), exe, peers in zip(pairs, exes, theirs):
        ours, copy = times(exe, o.folder)
        print(f"{precision}, rows of {columns}; a copy {copy:.2f} TB/s")
        for sort, (_, forward, backward) in SORTS.items():
            moved = [1e-6 * SIZES[precision] * ELEMENTS * n for n in (forward, backward)]
            cells = [f"{us:>9.1f}{m / us:>7.2f}" if m else " " * 16
                     for m, pair in zip(moved, zip(ours[sort], peers[sort])) for us in pair]
            print(f"    {sort:<34}{cells[0]}{cells[1]}    {cells[2]}{cells[3]}", flush=True)
