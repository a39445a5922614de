#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a trainer writes is read by others and by nnc: written.py NNC

The network, its data, its classes and its files have names with escape sequences, broken UTF-8, quotes, line ends and markup in them. Each
file that a run leaves is read by a reader that shares no code with nnc (tests/foreign.py), and what is printed is text. Each kind that nnc
reads is fed back to it: a resumed log, checkpoints, exports, dumps, predictions as data, pictures as pictures, sources as sources.
"""
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import foreign
from verdict import Verdict, bmp, build

nnc = os.path.abspath(sys.argv[1])
v = Verdict("written")
# Bytes that are no UTF-8 are surrogates in Python's names of files.
RED, BROKEN = "\x1b[31mred\x1b]0;title\x07", "\udcff\udcfe\udcc3("
TOP = v.path(f"top {RED} {BROKEN} é")
DATA = f"da'ta \"{RED}\", {BROKEN}<b>&amp;"
CLASSES = [f"a\n{RED}", f"b {BROKEN}", 'c, "<i>d</i>" & é', "\u202ed\x9b31m"]
FILES = [f"plain{i}.bmp" for i in range(4)] + [f"{RED}.bmp", f"{BROKEN}.bmp", 'q",\'<script>alert(1)</script>'.replace("/", "") + ".bmp", "two\nlines\r.bmp"]
NET = """use "part.net"
model %s {
    input  image: u8[6, 6, 1]
    target kind: class[4]
    picture = scale(image, 1/255)
    scores = picture -> flatten -> layer
    loss   cross_entropy(scores, kind)
    metric accuracy(scores, kind)
    output picture
    output scores
}
train %s {
    optimizer adam(rate = 0.01)
    batch     4
    epochs    2
}
"""
PART = "block layer(x) {  # a comment of é\n    return x -> dense(4)\n}\n"


def go(what, *words, status=0):
    """What it prints is text."""
    done = subprocess.run([os.fsencode(w) for w in words], capture_output=True, cwd=os.fsencode(TOP), timeout=300)
    v.check(f"{what}: status {status}", done.returncode == status, f"{done.returncode}: {done.stderr!r}")
    for name, said in (("standard output", done.stdout), ("standard error", done.stderr)):
        try:
            foreign.text(said, "\n\t")
        except ValueError as why:
            said = said[max(0, getattr(why, "start", 0) - 200):][:400]
            v.check(f"{what}: {name} is text", False, f"{why}: {said!r}")
    return done


def content(*names):
    with open(os.path.join(TOP, *names), "rb") as f:
        return f.read()


def put_data(folder):
    for part, files in (("train", FILES), ("test", FILES[2:])):
        for k, name in enumerate(CLASSES):
            place = os.path.join(TOP, folder, part, name)
            os.makedirs(place)
            for i, file in enumerate(files):
                with open(os.path.join(place, file), "wb") as f:
                    f.write(bmp(6, 6, 40 * k + i))


def read_all(skipped):
    """Every file under TOP but those that this test has put there: {path: what its reader gives}."""
    found = {}
    for folder, _, names in os.walk(TOP):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), TOP)
            if path.split("/")[0] in skipped:
                continue
            shown = os.fsencode(path).decode("utf-8", "backslashreplace").encode("unicode_escape").decode()
            try:
                found[path] = foreign.read(path, content(path))
                v.check(f"{shown} is read", True)
            except (ValueError, KeyError, SyntaxError) as why:
                v.check(f"{shown} is read", False, f"{type(why).__name__}: {why}")
    return found


def writes(exe, net):
    """One of each file. The folder of the run."""
    data = ["--data", DATA]
    go("a training", exe, *data, "--run", "run", "--log-every", "1", "--log-norms=each", "--keep", "2", "--dump", "first.dump")
    folder = os.path.join("runs", "run-1")
    saved = ["--checkpoint", os.path.join(folder, "last.safetensors")]
    go("a name of a run", exe, *data, "--run", f"{RED}{BROKEN}", "--epochs", "1", "--stop-after", "2")
    for suffix in ("csv", "txt", "svg"):
        go(f"a matrix as {suffix}", exe, "eval", *data, *saved, "--confusion", f"matrix.{suffix}")
    go("mistakes", exe, "eval", *data, *saved, "--mistakes", "mistakes.csv")
    pictures = os.path.join(DATA, "test", CLASSES[0])
    go("a table", exe, "predict", pictures, *saved)
    for out in ("rows.csv", "lines.jsonl", "of.npy", "sheet.png", "pictures/"):
        go(f"predictions: {out}", exe, "predict", pictures, *saved, "--out", out)
    go("of the data", exe, "predict", *data, *saved, "--out", "of_data.csv")
    go("a profile", exe, "profile", *data, "--steps", "3", "--json", "profile.json", "--trace", "trace.json", "--into", folder)
    go("a rate", exe, "find-rate", *data, "--steps", "20", "--out", "rate.svg")
    go("an export", exe, "export", *saved, "--out", "weights.safetensors")
    done = subprocess.run([exe, "export", *saved, "--out", "network.onnx"], capture_output=True, cwd=os.fsencode(TOP))
    if b"protobuf-c" in done.stderr:
        v.skip("an export as ONNX", "this nnc was built without protobuf-c")
        foreign.KINDS = tuple(kind for kind in foreign.KINDS if "onnx" not in kind[0])
    else:
        v.check("an export as ONNX", done.returncode == 0, done.stderr)
    go("runs", exe, "runs", "--out", "runs.svg")
    go("a report", exe, "report", "run-1", "--out", "report.html")
    go("what a checkpoint says", exe, "info", *saved)
    go("a plan", exe, "--print-model")
    done = go("a bench", exe, "bench", *data, "--steps", "2", "--quiet")
    v.check("what bench prints is JSON", foreign.lines(done.stdout), done.stdout)
    wrong = f"w{RED}{BROKEN}.net"
    with open(os.path.join(TOP, wrong), "w", encoding="utf-8") as f:
        f.write((NET % ("odd", "odd")).replace("layer", "lair"))
    done = go("a mistake", nnc, "--check", "--diagnostics=json", wrong, status=1)
    v.check("and what nnc says of a mistake", foreign.value(done.stderr), done.stderr)
    os.unlink(os.path.join(TOP, wrong))
    for form in ("html", "ast", "ir", "dot", "plan"):
        go(f"nnc --emit={form}", nnc, net, f"--emit={form}=-")
    return folder


def names_files(found):
    """Of class folders, which are decoded at the start, the files of mistakes are named as predict names them."""
    said = {row[0]: row[1] for row in found["of_data.csv"][1:]}
    mistakes = found["mistakes.csv"]
    v.check("mistakes have files, and their classes", len(mistakes) > 2 and all(
        row[0].endswith(".bmp") and f"/test/" in row[0] and said.get(row[0]) == row[1] != row[3] for row in mistakes[1:]), [row[:4] for row in mistakes[:4]])
    whole = "".join(found[os.path.join("runs", "run-1", "report.html")].words) if os.path.join("runs", "run-1", "report.html") in found else ""
    alts = [a.get("alt", "") for tag, a in found["report.html"].tags if tag == "img"]
    v.check("the page names them too", any(".bmp" in alt for alt in alts), (alts[:3], whole[:100]))
    shown = {re.sub(rb"\\x([0-9A-F]{2})", lambda m: bytes([int(m[1], 16)]), row[0].encode()) for row in found["rows.csv"][1:]}
    v.check("names in rows are those of the files", shown == {os.fsencode(os.path.join(DATA, "test", CLASSES[0], name)) for name in FILES[2:]}, shown)


def reads_back(exe, folder, found):
    data, last = ["--data", DATA], os.path.join(folder, "last.safetensors")
    evaluated = go("its checkpoint", exe, "eval", *data, "--checkpoint", last).stdout
    go("its export", exe, "export", "--init", "weights.safetensors", "--out", "again.safetensors")
    v.check("an export of an export is the same", foreign.tensors(content("again.safetensors"))[0] == found["weights.safetensors"][0])
    v.check("an export evaluates the same", go("an export", exe, "eval", *data, "--init", "weights.safetensors").stdout == evaluated)
    kept = [name for name in os.listdir(os.path.join(TOP, folder)) if re.fullmatch(r"last-\d+\.safetensors", name)]
    v.check("kept checkpoints", len(kept) == 2, kept)
    for name in ["best.safetensors", *kept]:
        go(f"{name}", exe, "eval", *data, "--checkpoint", os.path.join(folder, name))
    go("its log, resumed", exe, *data, "--run", "run", "--resume", "--epochs", "3", "--eval-every", "3it", "--log-every", "1", "--keep", "2")
    lines = foreign.read("log.jsonl", content(folder, "log.jsonl"))
    v.check("each epoch is there once", [x["epoch"] for x in lines if "epoch" in x] == [1, 2, 3], lines)
    table = foreign.read("log.csv", content(folder, "log.csv"))
    v.check("and in the table", [row[table[0].index("epoch")] for row in table[1:] if row[table[0].index("epoch")]] == ["1", "2", "3"], table[:2])
    v.check("evaluations amid an epoch too, of which nothing else is known", [row[1] for row in table[1:] if row[0] == row[2] == ""] ==
            [str(x["evaluation"]) for x in lines if "evaluation" in x] != [], table)
    go("the page of a resumed run", exe, "report", "run-1", "--out", "resumed.html")
    go("pictures that it drew", exe, "predict", "pictures", "--checkpoint", last, "--out", "twice.npy")
    for name in ("picture", "scores"):
        drawn, before = (sorted(zip(*[iter(foreign.numbers(content(f"{stem}.{name}.npy"))[1].tolist())] * (36 if name == "picture" else 4)))
                         for stem in ("twice", "of"))
        if name == "picture":
            v.check("are the same pictures", drawn and len(drawn) == len(before) and max(abs(a - b) for x, y in zip(drawn, before) for a, b in zip(x, y)) < 1e-6)
    for name, source in (("net.net", NET % ("odd", "odd")), ("part.net", PART)):
        copies = [n for n in os.listdir(os.path.join(TOP, folder)) if n.endswith(name) or (name == "net.net" and n.startswith("n") and n.endswith(".net"))]
        v.check(f"the run's copy of {name}", len(copies) == 1 and content(folder, copies[0]).decode() == source, copies)


def predictions_as_data(of):
    """What predict writes as .npy is data, and so is a .csv: a table of its columns."""
    with open(os.path.join(TOP, "second.net"), "w", encoding="utf-8") as f:
        f.write("model second {\n    input x: f32[4]\n    loss mse(x -> dense(4), x)\n    output x -> dense(4)\n}\ntrain second { batch 2 }\n")
    with open(os.path.join(TOP, "table.net"), "w", encoding="utf-8") as f:
        f.write("model table {\n    input probability: f32[1]\n    target file: class[6]\n    loss cross_entropy(probability -> dense(6), file)\n}\n"
                "train table {\n    data table\n    batch 2\n}\n")
    second, table = (build(v, nnc, os.path.join(TOP, name + ".net"), name) for name in ("second", "table"))
    if second:
        go("scores as data", second, "--data", f"{of}.scores.npy", "--steps", "2", "--checkpoint", "second.st", "--holdout", "0")
        go("and again", second, "predict", "--data", f"{of}.scores.npy", "--checkpoint", "second.st", "--out", "second.npy")
    if table:
        done = go("rows as data", table, "--data", "rows.csv", "--steps", "2", "--holdout", "0", "--checkpoint", "table.st")
        v.check("with the names that were written", b"\\x1B[31mred" in done.stdout + done.stderr, done.stderr)


os.makedirs(TOP)
put_data(DATA)
source = f"n{RED}{BROKEN}é.net"
for name, written in ((source, NET % ("odd", "odd")), ("part.net", PART)):
    with open(os.path.join(TOP, name), "w", encoding="utf-8") as f:
        f.write(written)
go("nnc", nnc, source, "-o", "odd")
exe = os.path.join(TOP, "odd")
if v.check("a trainer", os.path.exists(exe)):
    mine = {DATA, source, "part.net", "odd"}
    run_folder = writes(exe, source)
    files = read_all(mine)
    kinds = {next(pattern for pattern, _ in foreign.KINDS if re.search(pattern, name)) for name in files}
    v.check("files of every kind were there", len(kinds) == len(foreign.KINDS) and len(files) > 25, sorted(kinds))
    if all(name in files for name in ("of_data.csv", "mistakes.csv", "report.html", "rows.csv", "weights.safetensors")):
        names_files(files)
        reads_back(exe, run_folder, files)
        predictions_as_data("of")
        read_all(mine | {"second.net", "table.net"})
shutil.rmtree(os.fsencode(TOP), ignore_errors=True)
v.finish()
