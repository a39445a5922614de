#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A table beside pictures: labels.py NNC

labels.csv, as pandas writes it, whose rows name pictures that Pillow wrote, with classes, several labels at once, numbers and texts: all of it
is one sample. Names without a file, labels that are none, and pictures that can't be read are told by line.
"""
import csv
import os
import random
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import bytes_of, read_npy, trains
from verdict import Verdict, build, json_lines, run

try:
    import pandas
    from PIL import Image
except ImportError:
    pandas = None

DATA_STATUS = 3
nnc = os.path.abspath(sys.argv[1])
v = Verdict("labels")
chance = random.Random(3)
KINDS, TAGS = ["cat", "dog", "owl"], ["golden hair", "night", "small"]

# Which pixels are bright says kind and tags; the numbers are the table's own.
MODEL = """model pets {
    input  image: u8[8, 8, 3]
    input  age: f32[]
    input  note: u8[6]
    target kind: class[3]
    target tags: f32[3]
    target weight: f32[]
    seen = image -> scale(1/255) -> flatten
    kinds = seen -> dense(3, name = "kinds")
    marks = seen -> dense(3, name = "marks")
    heavy = concat(reshape(age, (1)), note -> f32 -> scale(0.01)) -> dense(1, name = "heavy") -> flatten
    loss cross_entropy(kinds, kind) + bce(marks, tags) + 0.01*mse(heavy, reshape(weight, (1)))
    metric accuracy(kinds, kind)
    metric f1(marks, tags)
    output marks
    output kinds
}
train pets {
    data      table
    holdout   0.25
    optimizer adam(rate = 0.05)
    batch     8
    epochs    30
}
"""
SEVERAL = """model several {
    input  image: u8[8, 8, 1]
    target tags: f32[3]
    marks = image -> scale(1/255) -> flatten -> dense(3)
    loss bce(marks, tags)
    metric f1(marks, tags)
    output marks
}
train several {
    data      table
    holdout   0.25 group "owner"
    ignore    "owner"
    optimizer adam(rate = 0.05)
    batch     8
    epochs    20
}
"""


def draw(kind, tags):
    """8x8: a row of each kind, a column of each tag."""
    picture = Image.new("RGB", (8, 8))
    for i in range(8):
        picture.putpixel((i, kind), (255, 255, 255))
        for tag in tags:
            picture.putpixel((5 + tag, i), (255, 255, 255))
    return picture


def samples(count):
    for i in range(count):
        kind, tags = chance.randrange(3), [t for t in range(3) if chance.random() < 0.5]
        yield i, kind, tags, round(chance.uniform(0, 10), 2)


def folder(name, rows, mark="|", in_images=True):
    top = v.path(name)
    os.makedirs(os.path.join(top, "images", "deep"))
    table = []
    for i, kind, tags, age in rows:
        file = f"{'deep/' if i % 5 == 0 else ''}p{i}.{'png' if i % 2 else 'jpg'}"
        draw(kind, tags).save(os.path.join(top, "images", file), quality=95)
        table.append({"file": file if in_images or i % 2 == 0 else "images/" + file, "age": age, "note": "caf\u00e9 au lait" if i % 3 else "tea",
                      "kind": KINDS[kind], "tags": mark.join(TAGS[t] for t in tags), "weight": 3 * age})
    pandas.DataFrame(table).to_csv(os.path.join(top, "labels.csv"), index=False)
    return top


def rewrite(top, change):
    """labels.csv with rows changed by `change`, a function of the list of them."""
    path = os.path.join(top, "labels.csv")
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    change(rows)
    with open(path, "w", newline="", encoding="utf-8") as f:
        csv.writer(f).writerows(rows)


def source(name, text):
    path = v.path(name + ".net")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def fails(exe, what, top, *says, options=()):
    done = run([exe, "--data", top, "--no-eval", *options])
    v.check(what, done.returncode == DATA_STATUS and all(s in done.stderr for s in says), f"{done.returncode}: {done.stderr}")


def copy(top, name, change):
    shutil.copytree(top, v.path(name), symlinks=True)
    rewrite(v.path(name), change)
    return v.path(name)


def learns(exe, rows):
    top, kept, log = folder("pets_data", rows, in_images=False), v.path("pets.st"), v.path("pets.jsonl")
    done = trains(v, exe, "trains", "--data", top, "--checkpoint", kept, "--log", log)
    v.check("says what is what", "tags is `tags`; labels `golden hair`, `night`, `small`" in done.stderr and "kind is `kind`; classes `cat`, `dog`, `owl`" in done.stderr and
            "a table of pictures" in done.stderr and "longer than 6 bytes, and cut" in done.stderr, done.stderr)
    last = json_lines(log)[-1]
    v.check("learns classes and labels", last["eval_accuracy"] > 0.95 and last["eval_f1"] > 0.95, last)
    # The same batches whether pictures are decoded once or for each batch, by any number of workers.
    for how in (["--stream", "--workers", "0"], ["--stream", "--workers", "3"], ["--resident"]):
        other = v.path("other.st")
        trains(v, exe, " ".join(how), "--data", os.path.join(top, "labels.csv"), "--checkpoint", other, *how)
        v.check(f"{' '.join(how)}: the same bits", bytes_of(other)[-4000:] == bytes_of(kept)[-4000:])
        os.remove(other)
    told = trains(v, exe, "eval", "eval", "--data", top, "--checkpoint", kept)
    v.check("eval of all, by labels", "accuracy" in told.stdout and [line.split("  ")[0] for line in told.stdout.splitlines()[-3:]] == TAGS, told.stdout)
    out = v.path("out.csv")
    trains(v, exe, "predict", "predict", top, "--checkpoint", kept, "--out", out)
    with open(out, newline="", encoding="utf-8") as f:
        said = list(csv.DictReader(f))
    v.check("predict names each picture", len(said) == len(rows) and all(
        s["file"].endswith(f"p{i}.{'png' if i % 2 else 'jpg'}") and s["class"] == KINDS[kind] for s, (i, kind, _, _) in zip(said, rows)), said[:5])
    trains(v, exe, "predict, numbers", "predict", top, "--checkpoint", kept, "--out", v.path("out.npy"))
    shape, marks = read_npy(v.path("out.marks.npy"))
    v.check("its labels", shape == (len(rows), 3) and all((marks[3 * k + t] > 0) == (t in tags) for k, (_, _, tags, _) in enumerate(rows) for t in range(3)))
    return top, kept


def is_told(exe, top, kept):
    fails(exe, "a name without a file", copy(top, "typo", lambda rows: (rows[7].__setitem__(0, "images/P9.PNG"), rows[9].__setitem__(0, "no.jpg"))),
          "labels.csv`, line 8, column `file`: there is no file `images/P9.PNG`; 2 rows name no file", "did you mean `images/p9.png`?")
    fails(exe, "a name that leads out", copy(top, "out", lambda rows: rows[4].__setitem__(0, "../pets_data/images/p3.png")),
          "line 5, column `file`: `../pets_data/images/p3.png` leads out of the table's folder")
    fails(exe, "a fourth label", copy(top, "fourth", lambda rows: rows[3].__setitem__(4, "night|tall")),
          "the column `tags` has at least 4 labels, `golden hair`, `night`, `small`, `tall`; the model wants `target tags: f32[3]`", "`|` stands between labels")
    fails(exe, "a word for a number", copy(top, "word", lambda rows: rows[2].__setitem__(1, "old")), "line 3, column `age`: `old` is no number")
    fails(exe, "no column of names", copy(top, "none", lambda rows: [row.__setitem__(0, "name" if k == 0 else str(k)) for k, row in enumerate(rows)]),
          "has no column that names pictures, for `input image: u8[8, 8, 3]`; it has `name`, `age`", "call the column of the files' names `image`, or `file`")
    other = copy(top, "unknown", lambda rows: rows[5].__setitem__(4, "night|huge"))
    done = run([exe, "eval", "--data", other, "--checkpoint", kept])
    v.check("a label that was not trained on", done.returncode == DATA_STATUS and
            "line 6, column `tags`: `huge` is no label that was trained on: `golden hair`, `night`, `small`" in done.stderr, done.stderr)
    # Of a link that leads out, and a FIFO, no byte is read.
    linked = v.path("linked")
    shutil.copytree(top, linked)
    for i, make in ((1, lambda p: os.symlink(os.path.join(top, "images", "p1.png"), p)), (3, os.mkfifo)):
        path = os.path.join(linked, "images", f"p{i}.png")
        os.remove(path)
        make(path)
    done = run([exe, "--data", linked, "--steps", "1"])
    v.check("links and FIFOs", done.returncode == 0 and "p1.png` is left out: it is a link that leads out" in done.stderr and
            "p3.png` is left out: it is not a regular file" in done.stderr, done.stderr)


def passes_over(exe, top, rows):
    """Pictures that can't be read take their rows along: all others keep their labels."""
    bad = v.path("bad")
    shutil.copytree(top, bad)
    for i in (2, 7):
        path = os.path.join(bad, "images", f"p{i}.{'png' if i % 2 else 'jpg'}")
        whole = bytes_of(path)
        with open(path, "wb") as f:
            f.write(b"no picture" if i == 2 else whole[:len(whole) * 2 // 3])
    for how in ("--resident", "--stream"):
        kept = v.path("bad.st")
        done = trains(v, exe, f"two bad pictures, {how}", "--data", bad, "--checkpoint", kept, how)
        v.check(f"{how}: are named", "p2.jpg` is left out: " in done.stderr and "p7.png` is left out" in done.stderr, done.stderr)
        out = v.path(f"bad{how}.csv")
        done = run([exe, "predict", bad, "--checkpoint", kept, "--out", out])
        with open(out, newline="", encoding="utf-8") as f:
            said = {os.path.basename(row["file"]): row["class"] for row in csv.DictReader(f)}
        wanted = {f"p{i}.{'png' if i % 2 else 'jpg'}": KINDS[kind] for i, kind, _, _ in rows if i not in (2, 7)}
        v.check(f"{how}: the others are right", done.returncode == DATA_STATUS and said == wanted, (done.returncode, done.stderr, said))
        os.remove(kept)
        os.remove(out)
    done = run([exe, "--data", bad, "--bad-files", "0.01"])
    v.check("too many", done.returncode == DATA_STATUS and "that is too many" in done.stderr, done.stderr)


def has_columns(rows):
    """A column for each label, in the order of the file, whose names are the target's no more than anybody's; split by groups."""
    exe = build(v, nnc, source("several", SEVERAL), "several")
    top = folder("several_data", rows)

    def spread(table):
        for k, row in enumerate(table):
            tags = TAGS if k == 0 else [int(t in row[4].split("|")) for t in TAGS]
            row[:] = [row[0].split("/")[-1].split(".")[0] if k and "deep" not in row[0] else row[0], "owner" if k == 0 else f"o{k // 4}", *tags]
    if not exe:
        return
    rewrite(top, spread)
    done = trains(v, exe, "a column for each label", "--data", top, "--checkpoint", v.path("several.st"))
    v.check("which are the target's", "tags is `golden hair`, `night`, `small`" in done.stderr, done.stderr)
    trains(v, exe, "pictures alone", "predict", os.path.join(top, "images"), "--checkpoint", v.path("several.st"), "--out", v.path("several.csv"))
    with open(v.path("several.csv"), newline="", encoding="utf-8") as f:
        said = {os.path.basename(r["file"]): [float(r[f"marks[{t}]"]) > 0 for t in range(3)] for r in csv.DictReader(f)}
    wanted = {f"p{i}.{'png' if i % 2 else 'jpg'}": [t in tags for t in range(3)] for i, _, tags, _ in rows if i % 5}
    v.check("and right", said == wanted, (said, wanted))


if not pandas:
    v.skip("labels", "this Python has no pandas and Pillow")
    v.finish()
rows = list(samples(120))
exe = build(v, nnc, source("pets", MODEL), "pets")
if exe:
    top, kept = learns(exe, rows)
    is_told(exe, top, kept)
    passes_over(exe, top, rows)
    has_columns(rows)
v.finish()
