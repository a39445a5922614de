#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A folder of pictures as cameras, phones and web pages fill it: `nnc new`, nnc and the trainer, without a change by hand.

    new_pictures.py NNC
"""
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import png
from verdict import ROOT, Verdict, bmp, json_lines, run

USAGE, DATA_STATUS = 2, 3
OTHERS = os.path.join(ROOT, "tests", "unit", "pictures")  # files of other programs
nnc = os.path.abspath(sys.argv[1])
v = Verdict("new pictures")


def put(folder, name, content):
    os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(content)


def of_others(pattern):
    return sorted(f[:-4] for f in os.listdir(OTHERS) if f.endswith(".txt") and pattern in f)


def fill(top):
    """Two classes, dark and light, of 60 and 40 pictures that a test writes, and in each the files of other programs; and what lies beside them."""
    for name, grey, count in (("cats", 40, 60), ("d\u00f6gs at \"home\"", 200, 40)):
        folder = os.path.join(top, name)
        for i in range(count):
            put(folder, f"IMG_{i:04}.JPG" if i % 2 else f"from the web/{i}", bmp(40 + i % 9, 30 + i % 7, grey + i % 20))
        for i, file in enumerate(of_others("magick")):
            with open(os.path.join(OTHERS, file), "rb") as f:
                put(folder, [file, f"{i}.jpg", f"deep/er/{file}", f"no suffix {i}"][i % 4], f.read())
        put(folder, "two\nlines.png", png([[grey] * 8] * 8))
        os.symlink("IMG_0001.JPG", os.path.join(folder, "again.jpg"))
        os.symlink("..", os.path.join(folder, "up"))
        for beside in (".DS_Store", "Thumbs.db", "desktop.ini", "notes.txt", "labels.json", "._IMG_0001.JPG", "empty"):
            put(folder, beside, b"" if beside == "empty" else b"\0\1beside")
        put(folder, "saved.jpg", b"<!DOCTYPE html>\n<html><body>Not found")
    for file in ("heif_enc.heic", "inkscape.svg"):
        shutil.copy(os.path.join(OTHERS, file), os.path.join(top, "cats"))
    os.makedirs(os.path.join(top, "__MACOSX", "cats"))


def the_main_job():
    """Before, such a folder was refused: `57 of the 211 files can't be used: that is too many`."""
    fill(v.path("PICTURES"))
    done = run([nnc, "new", "pets", "--from=pictures", "PICTURES"], cwd=v.folder)
    if not v.check("nnc new", done.returncode == 0 and "nnc pets.net -o pets && ./pets --data PICTURES --run first" in done.stdout, done.stdout + done.stderr):
        return
    with open(v.path("pets.net"), encoding="utf-8") as f:
        text = f.read()
    each = 41 + 1 + len(of_others("magick"))  # 40 pictures, one of lines, a link
    v.check("its classes", f"cats ({each + 20}), d\u00f6gs at \"home\" ({each})" in text and "target label: class[2]" in text, text)
    v.check("its size, and colour", "u8[32, 32, 3]" in text and "resize keep_aspect(shorter = 36)" in text, text)
    v.check("what it says of what is left out", "note: 8 files beside the pictures are none, as `PICTURES/cats/empty`" in done.stderr and
            "heif_enc.heic` is left out: it is a HEIC picture, which is not read: convert it by `heif-convert" in done.stderr and
            "inkscape.svg` is left out: it is an SVG drawing" in done.stderr and "saved.jpg` is left out: it is an HTML page" in done.stderr and
            "4 more" not in done.stderr, done.stderr)
    done = run([nnc, "pets.net", "-o", "pets", "-Werror"], cwd=v.folder)
    if not v.check("nnc", done.returncode == 0, done.stderr):
        return
    done = run([v.path("pets"), "--data", "PICTURES", "--run", "first", "--epochs", "12", "--threads", "2"], cwd=v.folder)
    log = v.path("runs", "first-1", "log.jsonl")
    v.check("it trains", done.returncode == 0 and os.path.exists(log), done.stderr)
    if not os.path.exists(log):
        return
    last = json_lines(log)[-1]
    v.check("it learns", last["accuracy"] > 0.7 and "eval_f1" in last, last)
    done = run([v.path("pets"), "predict", "--checkpoint", "runs/first-1/last.safetensors", "PICTURES/cats", "--out", "p.csv"], cwd=v.folder)
    with open(v.path("p.csv"), encoding="utf-8") as f:
        said = f.read()
    v.check("it says which", said.count(",cats,") > said.count(",\"d\u00f6gs"), said + done.stderr)


def parts():
    """A folder with train/ and valid/, alike and grey: as large as they are, and no mirror for what may be digits."""
    for part, count in (("train", 12), ("valid", 4)):
        for k in range(2):
            for i in range(count):
                put(v.path("parts", part, str(k)), f"{i}.png", png([[100 * k + i] * 20] * 16))
    done = run([nnc, "new", "digits", "--from=pictures", "parts"], cwd=v.folder)
    with open(v.path("digits.net"), encoding="utf-8") as f:
        text = f.read()
    v.check("parts of its own", done.returncode == 0 and "u8[16, 20, 1]" in text and "resize" not in text and "crop(pad = 2)\n" in text and "a folder of its own" in text, text)
    done = run([nnc, "digits.net", "-o", "digits"], cwd=v.folder)
    done = run([v.path("digits"), "--data", "parts", "--epochs", "1"], cwd=v.folder)
    v.check("`valid` is held out", done.returncode == 0 and "24 training samples, 8 held out" in done.stderr, done.stderr)
    shutil.copytree(v.path("parts", "valid"), v.path("parts", "test"))
    done = run([v.path("digits"), "--data", "parts", "--epochs", "1"], cwd=v.folder)
    v.check("of two parts one is said to be left alone", "`parts/valid` is left alone: `parts/test` is held out (`--eval-data parts/valid`" in done.stderr, done.stderr)
    done = run([v.path("digits"), "--data", "parts", "--eval-data", "parts/valid", "--epochs", "1"], cwd=v.folder)
    v.check("which is taken by that option", done.returncode == 0 and "24 training samples, 8 held out" in done.stderr, done.stderr)


def unlike():
    for name, count in (("many", 30), ("few", 5)):
        for i in range(count):
            put(v.path("unlike", name), f"{i}.bmp", bmp(16, 16, 3 * i))
    done = run([nnc, "new", "unlike", "--from=pictures", "unlike"], cwd=v.folder)
    with open(v.path("unlike.net"), encoding="utf-8") as f:
        text = f.read()
    v.check("a small class counts as much", done.returncode == 0 and "weights = tensor([3.500, 0.583])" in text, text)
    v.check("the trainer does not take the place of the data", "-o train_unlike && ./train_unlike --data unlike " in done.stdout, done.stdout)
    done = run([nnc, "unlike.net", "-o", "train_unlike", "-Werror"], cwd=v.folder)
    v.check("and it compiles", done.returncode == 0, done.stderr)


def refused():
    put(v.path("flat"), "1.jpg", bmp(8, 8, 1))
    put(v.path("one", "all"), "1.jpg", bmp(8, 8, 1))
    put(v.path("empty", "a"), "1.jpg", bmp(8, 8, 1))
    put(v.path("empty", "b"), "notes.txt", b"none")
    put(v.path("both", "images"), "1.jpg", bmp(8, 8, 1))
    put(v.path("both", "masks"), "1.png", png([[0] * 8] * 8))
    put(v.path("texts", "a"), "1.txt", b"none")
    put(v.folder, "file.jpg", bmp(8, 8, 1))
    for folder, says in (("flat", "lie in no folders of classes: make a folder for each class"), ("one", "has one class, `all`: a network tells two or more apart"),
                         ("empty", "the folder `b` of `empty` has no picture that can be used"), ("both", "has images and masks: begin with models/unet.net"),
                         ("texts", "has no folders with pictures"), ("file.jpg", "is no folder"), ("nowhere", "there is no data `nowhere`")):
        done = run([nnc, "new", "other", "--from=pictures", folder], cwd=v.folder)
        v.check(f"{folder} is refused", done.returncode == USAGE and says in done.stderr and not os.path.exists(v.path("other.net")), done.stderr)


the_main_job()
parts()
unlike()
refused()
done = run([v.path("digits"), "--data", "flat"], cwd=v.folder)
v.check("a trainer says it too", done.returncode == DATA_STATUS and "the pictures of `flat` lie in no folders of classes" in done.stderr, done.stderr)
v.finish()
