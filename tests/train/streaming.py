#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Folders of images, as users train on them: streaming.py NNC

Decoded at the start or when a batch needs them, by any number of workers: the same weights, log, evaluation and predictions, with shuffling,
augmentation and dropout; so does a training that is stopped as the one and resumed as the other. Under `ulimit -v` a folder that
decodes to more than the limit trains, and --resume refuses it once a file is another.
"""
import json
import os
import random
import shutil
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import bytes_of, png_chunk
from verdict import Verdict, build, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("streaming")
NET = """model m(size = 12) {{
    input  image: u8[size, size, 3]
    target label: class[3]
    logits = image -> scale(1/255) -> {body} -> dense(3)
    loss   cross_entropy(logits, label)
    metric accuracy(logits, label)
    output logits
}}
train m {{
    data      images {how}
    optimizer sgd(rate = 0.05, momentum = 0.9)
    batch     {batch}
    epochs    2
}}
"""
CONV = "conv(8, 3) -> relu -> maxpool(2) -> flatten -> dropout(0.3)"


def write_bmp(path, height, width, number):
    row = (3 * width + 3) // 4 * 4
    head = b"BM" + struct.pack("<IIIIiiHH", 54 + row * height, 0, 54, 40, width, height, 1, 24) + bytes(24)
    with open(path, "wb") as f:
        f.write(head + random.Random(number).randbytes(row * height))


def make_folders(name, train, test, height, width):
    top = v.path(name)
    for part, count in (("train", train), ("test", test)):
        for c in "abc":
            os.makedirs(os.path.join(top, part, c))
        for k in range(count):
            write_bmp(os.path.join(top, part, "abc"[k % 3], f"{k:04}.bmp"), height + k % 5, width + k % 7, k + 10000 * (part == "test"))
    return top


def trainer(name, how, body=CONV, batch=8, *options):
    source = v.path(name + ".net")
    with open(source, "w") as f:
        f.write(NET.format(how=how, body=body, batch=batch))
    return build(v, nnc, source, name, *options)


def lines(path):
    with open(path) as f:
        return [{k: x for k, x in json.loads(line).items() if k not in ("samples_per_second", "seconds", "data_wait", "memory")}
                for line in f if not line.startswith('{"run": ')]


def train(exe, name, data, *options, status=0, limit=None):
    """The checkpoint and the log; of earlier runs of that name nothing is left but with --resume."""
    files = [v.path(name + ".st"), v.path(name + ".jsonl")]
    if "--resume" not in options:
        for file in files:
            if os.path.exists(file):
                os.remove(file)
    words = ["sh", "-c", f'ulimit -v {limit} && exec "$@"', "sh"] if limit else []
    done = run([*words, exe, "--data", data, "--checkpoint", files[0], "--log", files[1], "--progress", "plain", *options])
    v.check(f"{name} {' '.join(options)}: status {status}", done.returncode == status, f"{done.returncode}: {done.stderr}")
    return done.stderr, (bytes_of(files[0]), lines(files[1])) if status == 0 else None


def equal_bits(data):
    ways = (("flips", "augment flip, crop(pad = 2)", True), ("kept", "resize keep_aspect(shorter = 14) augment flip", True),
            ("colours", "augment color_jitter(brightness = 0.4, contrast = 0.4, saturation = 0.4)", True),
            ("turns", "augment affine(degrees = 20, shift = 0.1, border = reflect), erase, flip", True),
            ("windows", "resize keep_aspect(shorter = 14) augment random_resized_crop(scale = 0.3), flip", False))
    for name, how, resident in ways:
        exe = trainer(name, how)
        said, first = train(exe, name, data, "--stream", "--workers", "0")
        v.check(f"{name}: streamed, and why", "data: streamed from the files" in said and "each step makes its batch first" in said, said)
        for options in [["--stream", "--workers", "1"], ["--stream", "--workers", "3"], ["--workers", "2"]] + [["--resident"]] * resident:
            said, again = train(exe, name, data, *options)
            v.check(f"{name}, {' '.join(options)}: the same bits", again == first)
        v.check(f"{name}: where the samples are", ("resident: decoded they take" in said) == resident, said)
        train(exe, name, data, "--stop-after", "5", "--stream", "--workers", "2")
        _, again = train(exe, name, data, "--resume", *(["--resident"] if resident else ["--workers", "1"]))
        v.check(f"{name}: stopped as one, resumed as the other", again == first)
    return exe


def looks_alike(exe, data):
    checkpoint, answers = v.path("windows.st"), []
    for how in ("--stream", "--resident"):
        out = v.path("out.npy")
        done = [run([exe, "eval", "--data", data, "--checkpoint", checkpoint, how]),
                run([exe, "predict", "--data", data, "--checkpoint", checkpoint, "--out", out, how])]
        v.check(f"eval and predict {how}", all(d.returncode == 0 for d in done), [d.stderr for d in done])
        answers.append((done[0].stdout, bytes_of(out)))
        os.remove(out)
    v.check("eval and predict, streamed and resident: the same bits", answers[0] == answers[1])


def png(path, rows, columns, whole):
    pixels = zlib.compress(b"".join(b"\0" + bytes((31 * r + 7 * c) % 256 for c in range(3 * columns)) for r in range(rows)))
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)) +
                png_chunk(b"IDAT", pixels if whole else pixels[:8]) + png_chunk(b"IEND", b""))


def leaves_out_damaged(exe):
    """A picture whose head is whole and whose body is not: named, without a row, and the others have theirs."""
    folder, checkpoint = v.path("some"), v.path("windows.st")
    os.makedirs(folder, exist_ok=True)
    for k in range(20):
        png(os.path.join(folder, f"{k:02}.png"), 13, 12, k not in (3, 19))
    answers = []
    for how in (["--stream", "--workers", "2"], ["--resident"]):
        out = v.path("some.csv")
        done = run([exe, "predict", folder, "--checkpoint", checkpoint, "--out", out, *how])
        v.check(f"predict {' '.join(how)}: status 3, and what is damaged is named", done.returncode == 3 and "2 of the files can't be read" in done.stderr and
                all(f"{k}.png` is left out" in done.stderr for k in ("03", "19")), done.stderr)
        answers.append(bytes_of(out))
        os.remove(out)
    v.check("18 rows, the same streamed and resident", answers[0] == answers[1] and answers[0].count(b"\n") == 19, answers)
    out = v.path("some.npy")
    done = run([exe, "predict", folder, "--checkpoint", checkpoint, "--out", out, "--stream"])
    v.check("in a .npy the row stays, of NaN", done.returncode == 3 and bytes_of(out)[-4:] == b"\xff\xff\xff\xff" and "NaN" in done.stderr, done.stderr)


def passes_over_damaged(exe, data):
    """The same in a training, which went on no further before: another picture stands in, the same for any number of workers, and the log names each."""
    folder = v.path("damaged")
    shutil.copytree(data, folder)
    bad = [os.path.join(folder, part) for part in ("train/a/0003.png", "train/c/0041.png", "test/b/0004.png")]
    for path in bad:
        png(path, 13, 12, False)
    trained = {}
    for workers in ("0", "1", "3"):
        said, (weights, told) = train(exe, "windows", folder, "--stream", "--workers", workers)
        left = {line["file"]: line["why"] for line in told if "left_out" in line}
        v.check(f"{workers} workers: what is damaged is named", set(left) == set(bad) and all("PNG data is damaged" in why for why in left.values()) and
                all(f"`{path}` is left out, and the next picture stands in for it" in said for path in bad), (said, left))
        trained[workers] = weights, [line for line in told if "left_out" not in line]
    v.check("the same bits by any number of workers", trained["0"] == trained["1"] == trained["3"])
    done = run([exe, "eval", "--data", folder, "--checkpoint", v.path("windows.st"), "--stream"])
    v.check("eval names it", done.returncode == 0 and f"`{bad[2]}` is left out" in done.stderr, done.stderr)
    said, _ = train(exe, "windows", folder, "--stream", "--bad-files", "0", status=3)
    v.check("--bad-files 0 allows none", "can't be used: its PNG data is damaged" in said and "allow more of them by `--bad-files`" in said, said)


def counts_damaged(data):
    """Resident: they are left out, up to a share that the option sets."""
    folder = v.path("damaged_most")
    shutil.copytree(data, folder)
    for k in range(12):
        png(os.path.join(folder, "train", "b", f"bad{k}.png"), 13, 12, k > 8)
    exe = trainer("resident", "augment flip")
    said, _ = train(exe, "resident", folder, "--resident", status=3)
    v.check("more than a tenth", "9 of the 58 files under" in said and "`--bad-files 0.16` trains without them" in said and
            "4 more files are left out: its PNG data is damaged" in said, said)
    said, (_, told) = train(exe, "resident", folder, "--resident", "--bad-files", "0.16")
    v.check("as many as the option allows", sum("left_out" in line for line in told) == 9, told)


def refuses_other_files(exe, data):
    train(exe, "windows", data, "--stop-after", "5")
    path = os.path.join(data, "train", "a", "0000.bmp")
    write_bmp(path, 13, 12, 99)
    said, _ = train(exe, "windows", data, "--resume", status=3)
    v.check("--resume names the data", "other data" in said or "data" in said, said)


def larger_than_memory():
    """40 images of 3 kB become 3 MB each at 1024 x 1024 and so 126 MB, for which 150 MB of addresses, program and libraries included, are no room."""
    data = make_folders("many", 40, 4, 30, 30)
    exe = trainer("large", "", "avgpool(global) -> flatten", 2, "-D", "size=1024")
    train(exe, "large", data, "--steps", "2", "--resident")
    limit = 1024 * 150  # kB, of addresses
    if run(["sh", "-c", f"ulimit -v {limit} && {exe} --version"]).returncode != 0:
        return v.skip("ulimit -v", "not even --version runs under it: a sanitizer's addresses, perhaps")
    said, _ = train(exe, "large", data, "--steps", "12", "--workers", "2", "--threads", "1", limit=limit)
    v.check("streamed under the limit, and why", "streamed from the files: decoded they take 138 MB, and" in said, said)
    said, _ = train(exe, "large", data, "--steps", "2", "--resident", "--threads", "1", status=4, limit=limit)
    v.check("resident it does not fit", "not enough memory for the data set" in said, said)


folders = make_folders("pictures", 46, 11, 13, 12)
windows = equal_bits(folders)
if windows:
    looks_alike(windows, folders)
    leaves_out_damaged(windows)
    passes_over_damaged(windows, folders)
    counts_damaged(folders)
    refuses_other_files(windows, folders)
larger_than_memory()
v.finish()
