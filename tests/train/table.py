#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables as data: table.py NNC

What a trainer predicts of a table is what Python's csv module, a standardisation by its statistics and the network's formula give.
Columns keep their names and classes their words with the checkpoint; whatever is wrong is told by line and column.
"""
import array
import csv
import ctypes
import gzip
import io
import json
import math
import os
import random
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "witness"))
from formula import read_safetensors
from shared import metadata_of, rewritten
from verdict import Verdict, build, json_lines, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("table")
NET = """model flowers {
    input  x: f32[4]
    input  soil: i32[1]
    target kind: class[3]
    scores = concat(x, one_hot(soil, 3) -> flatten) -> dense(8) -> relu -> dense(3)
    loss   cross_entropy(scores, kind)
    metric accuracy(scores, kind)
    output scores
}
train flowers {
    data      table
    optimizer adam(rate = 0.01)
    batch     10
    epochs    8
}
"""
KINDS = ["lily", 'rose, "wild"', "zinnia\nalba"]  # in byte order, which is their number
HEADER = ["long", "kind", "wide", "soil", "deep", "high"]


TOKENS = """model words {
    input  text: i32[6]
    target kind: class[3]
    scores = text -> embedding(20, 8) -> flatten -> dense(3)
    loss   cross_entropy(scores, kind)
    metric accuracy(scores, kind)
    output scores
}
train words {
    %soptimizer adam(rate = 0.05)
    batch     10
    epochs    8
}
"""


def check_tokens():
    """Rows of tokens are a table, and no text, where the recipe says so or the file is named so."""
    path = v.path("tokens.csv")
    chance = random.Random(3)
    with open(path, "w") as f:
        f.write("kind," + ",".join(f"text_{i}" for i in range(6)) + "\n")
        for _ in range(200):
            k = chance.randrange(3)
            f.write(f"k{k}," + ",".join(str(6 * k + chance.randrange(6)) for _ in range(6)) + "\n")
    for what, line in (("a recipe of tables", "data table\n    "), ("a recipe without data", "")):
        net, log = v.path("tokens.net"), v.path("tokens.jsonl")
        with open(net, "w") as f:
            f.write(TOKENS % line)
        exe = build(v, nnc, net, "tokens")
        done = run([exe, "--data", path, "--log", log, "--log-every", "1"]) if exe else None
        if done and v.check(f"tokens, {what}: trains", done.returncode == 0 and "text of" not in done.stdout + done.stderr, done.stdout + done.stderr):
            found = [x["eval_accuracy"] for x in json_lines(log) if "eval_accuracy" in x]
            v.check(f"tokens, {what}: learns the table's classes", found and found[-1] > 0.95, found)


def rows(count, seed):
    chance, made = random.Random(seed), []
    for i in range(count):
        k = i % 3
        made.append([f"{100 + 50 * k + chance.gauss(0, 9):.2f}", KINDS[k], f"{chance.gauss(3, .4):.3f}", str(chance.randrange(1, 4)),
                     f"{1e-3 * (1 + k + chance.gauss(0, .2)):.3e}", str(chance.randrange(100))])
    chance.shuffle(made)
    return made


def write(name, made, header=HEADER, delimiter=",", ending="\r\n", mark=""):
    with open(v.path(name), "w", newline="", encoding="utf-8") as f:
        f.write(mark)
        csv.writer(f, delimiter=delimiter, lineterminator=ending).writerows([header, *made])
    return v.path(name)


def checkpoint(path):
    """(metadata, tensors by name as lists of floats)."""
    return metadata_of(path), {name: values for name, (_, values) in read_safetensors(path).items()}


def predicted(path, width):
    with open(path, "rb") as f:
        data = f.read()
    numbers = array.array("f", data[10 + struct.unpack("<H", data[8:10])[0]:])
    return [numbers[i:i + width] for i in range(0, len(numbers), width)]


def by_hand(table, tensors, mean, scale):
    """The network's formula in Python, of rows as csv reads them."""
    scores = []
    for row in table:
        x = [(float(row[HEADER.index(name)]) - m) / s for name, m, s in zip(("long", "wide", "deep", "high"), mean, scale)]
        x += [float(row[HEADER.index("soil")] == str(k)) for k in (1, 2, 3)]
        for layer, width in (("dense", 8), ("dense_2", 3)):
            weight, bias = tensors[layer + ".weight"], tensors[layer + ".bias"]
            x = [bias[o] + sum(weight[o * len(x) + i] * x[i] for i in range(len(x))) for o in range(width)]
            x = [max(0.0, a) for a in x] if layer == "dense" else x
        scores.append(x)
    return scores


def check_learning(exe):
    data, kept = write("data.csv", rows(300, 1)), v.path("kept")
    done = run([exe, "--data", data, "--checkpoint", kept, "--holdout", "0", "--quiet"])
    if not v.check("a table is trained on", done.returncode == 0, done.stderr):
        return None
    metadata, tensors = checkpoint(kept)
    table = json.loads(metadata["table"])
    v.check("the columns that no other takes are x, in their order", table["x"]["columns"] == ["long", "wide", "deep", "high"], table)
    v.check("words are classes in byte order, numbers in their own", table["kind"]["words"] == KINDS and table["soil"]["words"] == ["1", "2", "3"], table)
    with open(data, newline="", encoding="utf-8") as f:
        read = list(csv.reader(f))[1:]
    mean, scale = [float(x) for x in table["x"]["mean"]], [float(x) for x in table["x"]["scale"]]
    for k, name in enumerate(table["x"]["columns"]):
        column = [float(row[HEADER.index(name)]) for row in read]
        m = sum(column) / len(column)
        s = math.sqrt(sum((x - m) ** 2 for x in column) / len(column))
        v.check(f"mean and deviation of {name}", abs(mean[k] - m) < 1e-6 * abs(m) and abs(scale[k] - s) < 1e-5 * s, (mean[k], m, scale[k], s))
    done = run([exe, "predict", "--data", data, "--checkpoint", kept, "--out", v.path("y.npy")])
    if v.check("predict", done.returncode == 0, done.stderr):
        ours, wanted = predicted(v.path("y.npy"), 3), by_hand(read, tensors, mean, scale)
        worst = max(abs(a - b) for x, y in zip(ours, wanted) for a, b in zip(x, y))
        v.check("what is predicted is the formula of the table", len(ours) == len(wanted) and worst < 1e-3, worst)
        right = sum(list(x).index(max(x)) == KINDS.index(row[1]) for x, row in zip(ours, read))
        v.check("and it has learnt", right > 280, right)
    return kept


def check_forms(exe, kept):
    """Other columns' order, tabs, line ends, a mark of UTF-8: the same predictions; without the target too."""
    made = rows(30, 2)
    run([exe, "predict", "--data", write("plain.csv", made), "--checkpoint", kept, "--out", v.path("plain.npy")])
    wanted = predicted(v.path("plain.npy"), 3)
    turned = [row[::-1] for row in made]
    alone = [row[:1] + row[2:] for row in made]
    for name, path in (("turned.csv", write("turned.csv", turned, HEADER[::-1])), ("t.tsv", write("t.tsv", made, delimiter="\t", ending="\n")),
                       ("mark.csv", write("mark.csv", made, mark="\ufeff", ending="\n\n")), ("alone.csv", write("alone.csv", alone, HEADER[:1] + HEADER[2:]))):
        done = run([exe, "predict", "--data", path, "--checkpoint", kept, "--out", v.path(name + ".npy")])
        v.check(f"{name} predicts the same", done.returncode == 0 and predicted(v.path(name + ".npy"), 3) == wanted, done.stderr)
    some = [row for row in made if row[1] == KINDS[2]]
    done = run([exe, "eval", "--data", v.path("data.csv"), "--eval-data", write("some.csv", some), "--checkpoint", kept])
    v.check("a table of one class is evaluated by the names of all", done.returncode == 0 and "samples 10" in done.stdout and "eval_accuracy 1" in done.stdout,
            done.stdout + done.stderr)


def check_other_programs(exe, kept):
    """Semicolons, decimal commas, UTF-16 in either byte order and gzip's members, as spreadsheets and Python write them: the same predictions."""
    wanted = predicted(v.path("plain.npy"), 3)
    with open(v.path("plain.csv"), encoding="utf-8", newline="") as f:
        made = list(csv.reader(f))
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerows(made)
    points = text.getvalue()
    text = io.StringIO()
    csv.writer(text, delimiter=";").writerows([[cell.replace(".", ",") if any(c.isdigit() for c in cell) else cell for cell in row] for row in made])
    commas = text.getvalue()
    tabs = io.StringIO()
    csv.writer(tabs, delimiter="\t").writerows(csv.reader(io.StringIO(commas), delimiter=";"))
    packed = gzip.compress(points[:99].encode()) + gzip.compress(points[99:].encode())
    with open(v.path("plain.csv"), "rb") as f:
        plain = f.read()
    v.check("the numbers have decimal commas there", "," in commas and commas != points)

    def written(name, content):
        with open(v.path(name), "wb") as f:
            f.write(content)
        return v.path(name)
    for name, content in (("semicolons.csv", points.encode()), ("commas.csv", commas.encode()), ("marked.csv", commas.encode("utf-8-sig")),
                          ("tabs.tsv", tabs.getvalue().encode()), ("little.csv", b"\xff\xfe" + commas.encode("utf-16-le")),
                          ("big.tsv", b"\xfe\xff" + tabs.getvalue().encode("utf-16-be")), ("packed.csv.gz", gzip.compress(plain)), ("members.csv.gz", packed),
                          ("packed.tsv.gz", gzip.compress(tabs.getvalue().encode("utf-16"))), ("padded.csv.gz", packed + bytes(512))):
        done = run([exe, "predict", "--data", written(name, content), "--checkpoint", kept, "--out", v.path(name + ".npy")])
        v.check(f"{name} predicts the same", done.returncode == 0 and predicted(v.path(name + ".npy"), 3) == wanted, done.stderr)
    whole = gzip.compress(plain)
    mixed = commas.splitlines()
    at = next(i for i, cell in enumerate(mixed[3].split(";")) if "," in cell)
    row = mixed[3].split(";")
    row[at] = row[at].replace(",", ".")
    for what, name, content, words in (
            ("gzip that is cut short", "cut.csv.gz", whole[:-9], "cut short: its gzip data have no end"),
            ("gzip that is damaged", "bad.csv.gz", whole[:-8] + bytes(8), "is damaged: incorrect data check"),
            ("UTF-16 of an odd length", "odd.csv", b"\xff\xfea\0b", "has an odd number of them"),
            ("half a character of UTF-16", "half.csv", b"\xff\xfe" + "a,b".encode("utf-16-le") + b"\x3d\xd8", "byte 8 begins half a character"),
            ("commas and points", "mixed.csv", "\n".join(mixed[:3] + [";".join(row)] + mixed[4:]).encode(), "has a decimal"),
            ("a comma in quotes among commas", "quoted.csv", plain.replace(made[1][0].encode(), b'"1,5"', 1), "`1,5` is no number")):
        done = run([exe, "predict", "--data", written(name, content), "--checkpoint", kept, "--out", v.path(name + ".npy")])
        v.check(f"{what} is told", done.returncode == 3 and words in done.stderr, f"{done.returncode} {done.stderr}")


def check_names():
    """A column whose name is none of the language is that of the name with `_` for what a name can't have; two of them are nobody's."""
    net = v.path("adult.net")
    with open(net, "w") as f:
        f.write("""model adult {
    input  hours_per_week: f32[]
    input  _2nd_gr_e: f32[]
    target pay: f32[]
    loss   mse(concat(reshape(hours_per_week, (1,)), reshape(_2nd_gr_e, (1,))) -> dense(1), pay)
}
train adult {
    data      table
    optimizer sgd(rate = 0.1)
    batch     4
    steps     4
}
""")
    exe = build(v, nnc, net, "adult")
    chance = random.Random(4)
    made = [[f"{chance.gauss(40, 9):.1f}", f"{chance.gauss(0, 1):.3f}", f"{chance.gauss(0, 1):.3f}"] for _ in range(20)]
    done = run([exe, "--data", write("adult.csv", made, ["hours-per-week", "2nd gr\u00fce", "pay"]), "--checkpoint", v.path("adult.st")])
    v.check("columns whose names are no identifiers", done.returncode == 0 and "hours_per_week is `hours-per-week`" in done.stderr
            and "_2nd_gr_e is `2nd gr\u00fce`" in done.stderr, done.stderr)
    done = run([exe, "eval", "--data", write("adult.tsv", [row[::-1] for row in made], ["pay", "2nd gr\u00fce", "hours-per-week"], delimiter="\t"),
                "--checkpoint", v.path("adult.st")])
    v.check("and with the checkpoint in another order", done.returncode == 0, done.stderr)
    both = write("both.csv", [[row[0], *row] for row in made], ["hours per week", "hours-per-week", "2nd gr\u00fce", "pay"])
    done = run([exe, "--data", both])
    v.check("two columns of one name are told", done.returncode == 3 and "has no column `hours_per_week`" in done.stderr and "`hours-per-week`" in done.stderr,
            done.stderr)


def check_raw_columns(lib, x, load, save, kept):
    """The library form of a table's weights takes its columns as they are, in the model's type, or in double where single can't tell them apart."""
    made, batch = rows(10, 11), 10
    metadata, tensors = checkpoint(kept)
    table = json.loads(metadata["table"])
    seconds = json.loads(metadata["table"])
    seconds["x"]["mean"][0], seconds["x"]["scale"][0] = "1700000000", "3"
    later = [[f"{1700000000 + 2 * k}", *row[1:]] for k, row in enumerate(made)]

    def numbers(given):
        return [float(row[HEADER.index(name)]) for row in given for name in table["x"]["columns"]]

    def statistics(of):
        return [float(a) for a in of["x"]["mean"]], [float(a) for a in of["x"]["scale"]]

    def standardised(given, of):
        mean, scale = statistics(of)
        return [(a - mean[k % 4]) / scale[k % 4] for k, a in enumerate(numbers(given))]

    soil = (ctypes.c_int32 * batch)(*[int(row[HEADER.index("soil")]) - 1 for row in made])
    kinds = (ctypes.c_int32 * batch)(*[KINDS.index(row[1]) for row in made])
    single, double = ctypes.c_float * (4 * batch), ctypes.c_double * (4 * batch)
    for what, given, of, call, kind in (("columns", made, table, lib.flowers_forward, single), ("in double", made, table, lib.flowers_forward_columns, double),
                                        ("seconds", later, seconds, lib.flowers_forward_columns, double)):
        scores = (ctypes.c_float * (3 * batch))()
        error = load(rewritten(kept, v.path("raw"), table=json.dumps(of))) or call(x, ctypes.c_int64(batch), kind(*numbers(given)), soil, scores)
        wanted = sum(by_hand(given, tensors, *statistics(of)), [])
        worst = max(abs(a - b) for a, b in zip(scores, wanted))
        v.check(f"the library of a table, {what}: the formula of raw rows", error is None and worst < 1e-3, error or worst)
    trained = []
    for given, of, call, kind in ((standardised(made, table), None, lib.flowers_train_step, single),
                                  (numbers(made), json.dumps(table), lib.flowers_train_step, single),
                                  (numbers(made), json.dumps(table), lib.flowers_train_step_columns, double)):
        error = load(rewritten(kept, v.path("raw"), table=of)) or call(x, kind(*given), soil, kinds, ctypes.c_double(0.01), None, None)
        v.check("the library of a table: a step", error is None and save(v.path("stepped")) is None, error)
        trained.append(checkpoint(v.path("stepped"))[1]["dense.weight"])
    worst = max(abs(a - b) for k in (1, 2) for a, b in zip(trained[0], trained[k]))
    v.check("a step by raw columns is one by standardised ones", worst < 1e-5 and list(trained[0]) != list(tensors["dense.weight"]), worst)
    v.check("the first weights again", load(kept) is None)


def check_elsewhere(exe, kept):
    """Columns and names go with the weights: to an export, through the library, and to a table of one kind, whose mean is another."""
    lilies = write("lilies.csv", [row for row in rows(60, 6) if row[1] == KINDS[0]])

    def answer(*words):
        """(how it ended, what it wrote)."""
        if os.path.exists(v.path("a.csv")):
            os.remove(v.path("a.csv"))
        done = run([exe, "predict", "--data", lilies, "--top", "3", "--out", v.path("a.csv"), *words])
        if done.returncode:
            return done, ""
        with open(v.path("a.csv"), encoding="utf-8") as f:
            return done, f.read()

    wanted = answer("--checkpoint", kept)[1]
    description = {key: checkpoint(kept)[0][key] for key in ("table", "classes")}
    done = run([exe, "export", "--checkpoint", kept, "--out", v.path("exported.safetensors")])
    if not v.check("export", done.returncode == 0, done.stderr):
        return
    done = run([nnc, v.path("flowers.net"), "--emit=lib", "-o", v.path("libflowers")])
    if not v.check("the library", done.returncode == 0, done.stderr):
        return
    lib, x = ctypes.CDLL(v.path("libflowers.so")), ctypes.c_void_p()
    for name in ("create", "load", "save", "forward", "forward_columns", "train_step", "train_step_columns"):
        getattr(lib, "flowers_" + name).restype = ctypes.c_char_p
    load, save = (lambda path: lib.flowers_load(x, path.encode())), (lambda path: lib.flowers_save(x, path.encode()))
    error = lib.flowers_create(ctypes.byref(x), ctypes.c_uint64(1)) or load(kept) or save(v.path("saved"))
    error = error or load(v.path("exported.safetensors")) or save(v.path("saved_again"))
    v.check("load and save", error is None, error)
    check_raw_columns(lib, x, load, save, kept)
    for what, option, path in (("an export", "--init", "exported.safetensors"), ("the library's file", "--checkpoint", "saved"),
                               ("that of an export", "--checkpoint", "saved_again")):
        metadata = checkpoint(v.path(path))[0]
        v.check(f"{what} has table and classes", {key: metadata.get(key) for key in description} == description, sorted(metadata))
        done, wrote = answer(option, v.path(path))
        v.check(f"{what} answers as its checkpoint", wrote == wanted != "" and "mean and scale" not in done.stderr, done.stderr)
    done = [run([exe, "eval", *words, "--eval-data", lilies, "--checkpoint", kept]) for words in ([], ["--data", v.path("data.csv")])]
    v.check("a table alone is evaluated by the weights' columns", done[0].returncode == 0 and done[0].stdout.split("samples")[1] == done[1].stdout.split("samples")[1],
            done[0].stdout + done[0].stderr + done[1].stdout)
    done, _ = answer("--init", rewritten(v.path("exported.safetensors"), v.path("plain"), table=None))
    v.check("weights that know no table are told", done.returncode == 0 and "does not say by what mean and scale" in done.stderr, done.stderr)
    refused = load(rewritten(kept, v.path("damaged"), classes='["a",')), load(rewritten(kept, v.path("no_table"), table="{}"))
    v.check("a damaged description is refused", all(refused) and b"damaged" in refused[0] + refused[1], refused)
    v.check("and the instance keeps its own", save(v.path("kept_own")) is None and checkpoint(v.path("kept_own"))[0].get("classes") == description["classes"])
    named = rewritten(kept, v.path("named"), classes=json.dumps([c * 900 for c in "abc"]))
    memory = lambda: int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    v.check("long names are loaded", load(named) is None)
    before = memory()
    for _ in range(2000):
        load(named)
    v.check("2000 loads leave no names", memory() - before < 2 << 20, memory() - before)
    lib.flowers_free(x)


def check_resumed(exe):
    data = v.path("data.csv")
    for name, words in (("whole", []), ("half", ["--stop-after", "100"])):
        done = run([exe, "--data", data, "--checkpoint", v.path(name), "--seed", "3", "--quiet", *words])
        v.check(f"training {name}", done.returncode == 0, done.stderr)
    done = run([exe, "--data", data, "--checkpoint", v.path("half"), "--resume", "--quiet"])
    v.check("a resumed training has the same table and weights", done.returncode == 0 and checkpoint(v.path("half"))[1] == checkpoint(v.path("whole"))[1]
            and checkpoint(v.path("half"))[0]["table"] == checkpoint(v.path("whole"))[0]["table"], done.stderr)


def check_generations(exe):
    """A checkpoint of a table with --keep has all that a header can have, and nothing is written beyond it."""
    done = run([exe, "--data", v.path("data.csv"), "--checkpoint", v.path("many"), "--keep", "3", "--checkpoint-every", "20", "--quiet"])
    v.check("checkpoints of a table are kept", done.returncode == 0 and {"kept", "classes", "table", "settings"} <= set(checkpoint(v.path("many"))[0]),
            f"{done.returncode} {done.stderr}")


def check_order(exe):
    """Classes are numbered alike however the rows stand: by value where all are whole numbers, else all by their bytes."""
    for words, order in ((["9", "10", "1a"], ["10", "1a", "9"]), (["9", "10", "100"], ["9", "10", "100"])):
        for turn in range(3):
            made = [[row[0], words[(i + turn) % 3], *row[2:]] for i, row in enumerate(rows(30, 5))]
            run([exe, "--data", write("order.csv", made), "--checkpoint", v.path(f"order{turn}{words[2]}"), "--steps", "1", "--quiet"])
            got = json.loads(checkpoint(v.path(f"order{turn}{words[2]}"))[0]["table"])["kind"]["words"]
            v.check(f"the order of {words}, turned by {turn}", got == order, got)


TWO = """model pair {
    input  a: f32[]
    target color: class[2]
    target kind: class[3]
    h = a -> reshape((1)) -> dense(8)
    loss   cross_entropy(h -> dense(3), kind) + cross_entropy(h -> dense(2), color)
}
train pair {
    data      table
    optimizer adam
    batch     2
    epochs    1
}
"""


def check_two():
    """Of two classifiers a prediction is by the first one of the loss; with two targets the words name neither."""
    with open(v.path("pair.net"), "w") as f:
        f.write(TWO)
    made, saved = [["1", "red", "x"], ["2", "blue", "y"], ["3", "red", "z"], ["4", "blue", "x"]], v.path("pair.st")
    data, exe = write("pair.csv", made, ["a", "color", "kind"]), build(v, nnc, v.path("pair.net"), "pair")
    if not exe:
        return
    done = run([exe, "--data", data, "--checkpoint", saved, "--quiet"])
    v.check("two targets of classes are learned", done.returncode == 0, done.stderr)
    done = run([exe, "predict", "--data", data, "--checkpoint", saved, "--out", v.path("pair_out.csv"), "--top", "3"])
    with open(v.path("pair_out.csv")) as f:
        said = list(csv.DictReader(f))
    v.check("two classifiers: the first of the loss, by number", len(said) == 4 and all(
        {row["class"], row["class_2"], row["class_3"]} == {"0", "1", "2"} for row in said), said)
    v.check("two classifiers: which it is, is said", "the classes are of `prediction`" in done.stderr, done.stderr)
    done = run([exe, "eval", "--data", data, "--checkpoint", saved])
    v.check("two classifiers: eval counts the same", [line.split()[0] for line in done.stdout.splitlines()[-3:]] == ["0", "1", "2"], done.stdout)


def check_refused(exe, kept):
    good = rows(30, 4)

    plain = [[row[0], KINDS[0] if row[1] == KINDS[2] else row[1], *row[2:]] for row in good]  # no line breaks: lines are rows
    text = lambda made: "\n".join(",".join(f'"{c}"' if "," not in c else '"' + c.replace('"', '""') + '"' for c in row) for row in [HEADER, *made]) + "\n"

    def broken(line, column, word):
        made = [list(row) for row in plain]
        made[line - 2][column] = word
        return text(made)

    lines = text(plain).split("\n")
    for what, content, words in (
            ("a missing value", broken(5, 2, ""), "line 5, column `wide`: the value is missing"),
            ("a missing class", broken(6, 1, " "), "line 6, column `kind`: the value is missing"),
            ("NA", broken(7, 0, "NA"), "line 7, column `long`: `NA` stands for a missing value"),
            ("a word for a number", broken(8, 4, "tall"), "line 8, column `deep`: `tall` is no number"),
            ("infinity", broken(9, 4, "inf"), "line 9, column `deep`: `inf` is too large"),
            ("more than f32 holds", broken(9, 4, "1e39"), "line 9, column `deep`: `1e39` is too large"),
            ("too few classes", text(plain), "the column `kind` has 2 classes, `lily`, `rose, \"wild\"`; the model wants `target kind: class[3]`"),
            ("a number that is no class", broken(9, 1, "7").replace("lily", "5", 1).replace("lily", "0").replace('"rose, ""wild"""', "1"),
             "classes, `0`, `1`, `5`, `7`, of which 5 in line 3 is the first outside 0 to 2; the model wants"),
            ("a short row", "\n".join(lines[:3] + ["1,2,3"] + lines[3:]), "line 4: there are 3 cells, and the header names 6 columns"),
            ("an open quote", "\n".join(lines[:3] + ['1,"2']), "line 4, column 2: the quote that is opened here is not closed"),
            ("text after a quote", "\n".join(lines[:3] + ['"1"2,3']), "line 4, column 1: there is text after a closing quote"),
            ("a zero byte", "\n".join(lines[:3] + ["1,2\0"]), "line 4, column 2: there is a zero byte"),
            ("no header", "1,2,3,4,5,6\n", "line 1: these are numbers; the first line must name the columns"),
            ("a header alone", lines[0] + "\n", "has a header and no line of data"),
            ("nothing", "\n", "is empty: its first line must name the columns"),
            ("a row of commas below a header of semicolons", lines[0].replace(",", ";") + "\n" + lines[1] + "\n", "line 2"),
            ("a name twice", lines[0].replace("wide", "long") + "\n", "the columns 1 and 3 are both named `long`"),
            ("no target", lines[0].replace("kind", "sort") + "\n", "has no column `kind` for `target kind: class[3]`"),
            ("a column too many", lines[0] + ",more\n", "has no columns `x_0` to `x_3` for `input x: f32[4]`, and 5 columns are left")):
        with open(v.path("bad.csv"), "w", newline="", encoding="utf-8") as f:
            f.write(content)
        done = run([exe, "--data", v.path("bad.csv"), "--steps", "1", "--quiet"])
        v.check(f"{what} is told", done.returncode == 3 and words in done.stderr, f"{done.returncode} {done.stderr}")
    numbered = write("numbered.csv", [[str(7 + i), *row] for i, row in enumerate(good)], ["id", *HEADER])
    done = run([exe, "--data", numbered, "--steps", "1", "--quiet"])
    v.check("nobody is told to train on the number of a row", "take the column `id`, which numbers the rows, out of the table" in done.stderr and
            "declare `input x: f32[4]` for the others" in done.stderr, done.stderr)
    done = run([exe, "--data", write("row.csv", [[str(i), *row[1:]] for i, row in enumerate(good)], ["id", *HEADER[1:]]), "--steps", "1"])
    v.check("who does is told", done.returncode == 0 and "the column `id` numbers the rows, and is taken for `x`" in done.stderr, done.stderr)
    other = [[*row[:3], "4", *row[4:]] for row in good]
    done = run([exe, "predict", "--data", write("other.csv", other), "--checkpoint", kept, "--out", v.path("o.npy")])
    v.check("a class that was not trained on is told", done.returncode == 3 and "`4` is no class that was trained on: `1`, `2`, `3`" in done.stderr, done.stderr)
    done = run([exe, "predict", "--data", write("less.csv", [row[:-1] for row in good], HEADER[:-1]), "--checkpoint", kept, "--out", v.path("o.npy")])
    v.check("a column that was trained on is missed", done.returncode == 3 and "has no column `high`, which the weights were trained on" in done.stderr, done.stderr)


FAR = """model far {
    input  x: f32[4]
    target y: f32[1]
    p = x -> dense(1)
    loss   mse(p, y)
    output x * 1
}
train far {
    data      table
    optimizer sgd(rate = 0.01)
    batch     10
    epochs    1
}
"""


def check_four():
    """A fifth word is none of four classes; and weights say nothing of a scale where nothing has one."""
    net, saved = v.path("four.net"), v.path("four.st")
    with open(net, "w") as f:
        f.write("model four {\n    input  soil: i32[1]\n    target kind: class[4]\n    scores = one_hot(soil, 3) -> flatten -> dense(4)\n"
                "    loss   cross_entropy(scores, kind)\n    output scores\n}\ntrain four {\n    data  table\n    batch 4\n}\n")
    exe, made = build(v, nnc, net, "four"), [[str(i % 3), "abcd"[i % 4]] for i in range(40)]
    data = write("four.csv", made, ["soil", "kind"])
    done = exe and run([exe, "--data", data, "--checkpoint", saved, "--steps", "2"])
    v.check("four classes are learned", exe and done.returncode == 0, exe and done.stderr)
    if exe and done.returncode == 0:
        done = run([exe, "eval", "--data", write("fifth.csv", [["1", "e"], *made], ["soil", "kind"]), "--checkpoint", saved], timeout=20)
        v.check("a fifth word is refused", done.returncode == 3 and "`e`" in done.stderr, f"{done.returncode} {done.stderr}")
        done = run([exe, "eval", "--data", data, "--init", rewritten(saved, v.path("plain_four"), table=None)])
        v.check("no scale, and no word of one", done.returncode == 0 and "mean and scale" not in done.stderr, f"{done.returncode} {done.stderr}")


def check_far():
    """Columns whose values differ by less than f32 has digits for: seconds since 1970, dates, degrees of a position, and one value alone. What the
    network is given is what Python's floats have, by the statistics of those rows that train."""
    with open(v.path("far.net"), "w", encoding="utf-8") as f:
        f.write(FAR)
    exe = build(v, nnc, v.path("far.net"), "far")
    if not exe:
        return
    chance = random.Random(8)
    made = [[str(1700000000 + 7 * i), str(20240101 + i % 28), f"{48.1371 + 1e-6 * chance.random():.9f}", "20240101.1", str(i % 3)] for i in range(60)]
    for what, kept, words in (("all rows train", "far.st", ["--holdout", "0"]), ("some are held out", "far_held.st", ["--holdout", "0.3", "--seed", "5"])):
        saved, out = v.path(kept), v.path(kept + ".npy")
        done = run([exe, "--data", write("far.csv", made, ["time", "day", "place", "same", "y"]), "--checkpoint", saved, "--quiet", *words])
        v.check(f"{what}: a table far from 0", done.returncode == 0, done.stderr)
        done = run([exe, "predict", "--data", v.path("far.csv"), "--checkpoint", saved, "--out", out])
        if not v.check(f"{what}: what the network is given", done.returncode == 0, done.stderr):
            continue
        table = json.loads(checkpoint(saved)[0]["table"])["x"]
        for k, name in enumerate(table["columns"]):
            column = [float(row[k]) for row in made]
            mean, scale = float(table["mean"][k]), float(table["scale"][k])
            if "0" in words:
                wanted = math.fsum(column) / len(column), math.sqrt(math.fsum((x - mean) ** 2 for x in column) / len(column)) or 1
                v.check(f"{name}: mean and deviation", abs(mean - wanted[0]) <= 1e-15 * abs(mean) and abs(scale - wanted[1]) <= 1e-9 * scale,
                        (mean, scale, wanted))
            given = [row[k] for row in predicted(out, 4)]
            wrong = max(abs(a - (x - mean) / scale) for a, x in zip(given, column))
            v.check(f"{what}: {name} is standardised in double", wrong < 1e-6 and len(set(given)) == len(set(column)), (wrong, given[:4]))


FIELDS = """model fields {
    input  kinds: i32[2]
    target y: f32[1]
    parts = []
    for i in range(2) {
        parts = parts + [kinds -> slice(0, i, 1) -> embedding(7 + i, 4) -> flatten]
    }
    loss mse(concat(parts) -> dense(1), y)
}
train fields { batch 4 }
"""


def check_fields():
    """Numbers that are made up for columns of one input are rows of all their tables."""
    with open(v.path("fields.net"), "w", encoding="utf-8") as f:
        f.write(FIELDS)
    for target in ("cpu", "cuda"):
        text = run([nnc, v.path("fields.net"), f"--target={target}", "--emit=c=-"]).stdout
        v.check(f"fields of tables, {target}: drawn below the smallest", '{.name = "kinds", .rows = 7,' in text, text[:400])


with open(v.path("flowers.net"), "w") as f:
    f.write(NET)
trainer = build(v, nnc, v.path("flowers.net"), "flowers")
if trainer:
    weights = check_learning(trainer)
    if weights:
        check_forms(trainer, weights)
        check_other_programs(trainer, weights)
        check_elsewhere(trainer, weights)
        check_resumed(trainer)
        check_generations(trainer)
        check_order(trainer)
        check_refused(trainer, weights)
check_two()
check_names()
check_tokens()
check_four()
check_far()
check_fields()
v.finish()
