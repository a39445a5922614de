#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables as the world has them: columns.py NNC

Empty cells, words that were not trained on, dates, a column that numbers the rows. The table is written by pandas, where Debian has it, else by
Python's csv; what stands for a missing value, and what the network then predicts, is computed by hand of the cells. The library form and ONNX
take the columns as they are, NaN where a value is missing.
"""
import contextlib
import csv
import ctypes
import datetime
import json
import math
import os
import pickle
import random
import sqlite3
import statistics
import sys
import tarfile
import zipfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "witness"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "onnx"))
from formula import read_safetensors
from shared import metadata_of, rewritten
from verdict import Verdict, build, run

try:
    import pandas
except ImportError:
    pandas = None
try:
    import onnx
    from evaluate import evaluate
except ImportError:
    onnx = None

nnc = os.path.abspath(sys.argv[1])
v = Verdict("columns")
NET = """model homes {
    input  city: i32[]
    input  x: f32[%d]
    target price: f32[1]
    y = concat(x, city -> embedding(5, 3)) -> dense(1)
    loss   mse(y, price)
    output y
}
train homes {
    data      table
    %s
    optimizer sgd(rate = 0.01)
    batch     32
    epochs    2
}
"""
HEADER = ["Id", "sold", "area", "rooms", "city", "built", "price"]
CITIES = ["Basel", "Bern", "Chur", "Genf"]
RULES = 'missing "built" flag\n    missing "price" drop\n    missing %s\n    pass "Id"'


def homes(count, seed):
    chance, made = random.Random(seed), []
    for i in range(count):
        area, rooms, year = chance.uniform(30, 200), chance.randrange(1, 7), chance.randrange(1900, 2024)
        day = datetime.datetime(2010, 1, 1) + datetime.timedelta(days=chance.randrange(4000), hours=chance.randrange(24))
        some = lambda value, share: value if chance.random() > share else None
        made.append([1000 + i, some(day.strftime("%Y-%m-%d %H:%M"), .05), some(round(area, 1), .2), rooms, some(chance.choice(CITIES), .1), some(year, .3),
                     some(round(area / 100 + rooms, 3), .05)])
    return made


def write(name, made, header=HEADER):
    if pandas:
        pandas.DataFrame(made, columns=header).to_csv(v.path(name), index=False)
    else:
        with open(v.path(name), "w", newline="", encoding="utf-8") as f:
            csv.writer(f).writerows([header, *made])
    return v.path(name)


def checkpoint(path):
    return json.loads(metadata_of(path)["table"]), {name: np.reshape(values, shape) for name, (shape, values) in read_safetensors(path).items()}


def seconds(text):
    return (datetime.datetime.fromisoformat(text) - datetime.datetime(1970, 1, 1)).total_seconds()


def columns_of(made):
    """sold, area, rooms, built as numbers, NaN where one is missing."""
    nan = lambda value: math.nan if value is None else float(value)
    return np.array([[math.nan if row[1] is None else seconds(row[1]), nan(row[2]), nan(row[3]), nan(row[5])] for row in made])


BY_HAND = {"median": statistics.median, "mean": statistics.fmean, "mode": lambda values: min(statistics.multimode(values)), "flag": statistics.fmean}


def present(column):
    return [float(x) for x in column if not math.isnan(x)]


def by_hand(made, table, tensors, flags, filler):
    """What the network predicts of rows: the formula, with what the training's rows say."""
    x, fill = columns_of(made), [float(f) if f else math.nan for f in table["x"]["fill"]]
    wide = np.concatenate([x, *(np.isnan(x[:, [k]]).astype(float) for k in flags)], 1)
    values = np.where(np.isnan(x), fill[:4], x)
    mean, scale = (np.array([float(n) for n in table["x"][key]]) for key in ("mean", "scale"))
    wide[:, :4] = (values - mean[:4]) / scale[:4]
    words = table["city"]["words"]
    city = [filler if row[4] is None else words.index(row[4]) if row[4] in words else 0 for row in made]
    wide = np.concatenate([wide, tensors["embedding.weight"][city]], 1)
    return wide, wide @ tensors["dense.weight"].T + tensors["dense.bias"], city


def trained(name, rule, made):
    flags = list(range(4)) if rule == "flag" else [3]
    kept = [row for row in made if row[6] is not None]
    flags = [k for k in flags if np.isnan(columns_of(kept if rule != "flag" else made)[:, k]).any()]
    net = v.path(name + ".net")
    with open(net, "w") as f:
        f.write(NET % (4 + len(flags), RULES % rule))
    exe = build(v, nnc, net, name)
    data = write(name + ".csv", made)
    done = exe and run([exe, "--data", data, "--checkpoint", v.path(name + ".st"), "--holdout", "0"])
    if not exe or not v.check(f"{rule}: trains", done.returncode == 0, done.stderr):
        return None
    lost = len(made) - len(kept)
    v.check(f"{rule}: rows without a price are left out", f"{lost} rows are left out" in done.stderr, done.stderr)
    return exe, flags, kept, done


def check_rule(rule):
    made = homes(400, 1)
    found = trained(rule, rule, made)
    if not found:
        return
    exe, flags, kept, _ = found
    table, tensors = checkpoint(v.path(rule + ".st"))
    x = columns_of(kept)
    for k, name in enumerate(["sold", "area", "rooms", "built"]):
        wanted = BY_HAND["flag" if name == "built" else rule](present(x[:, k]))
        filled = np.where(np.isnan(x[:, k]), wanted, x[:, k])
        v.check(f"{rule}: what stands for {name}", math.isclose(float(table["x"]["fill"][k]), wanted, rel_tol=1e-12), (table["x"]["fill"][k], wanted))
        v.check(f"{rule}: mean and deviation of {name}", math.isclose(float(table["x"]["mean"][k]), filled.mean(), rel_tol=1e-9)
                and math.isclose(float(table["x"]["scale"][k]), filled.std(), rel_tol=1e-9), table["x"])
    v.check(f"{rule}: the flags", table["x"]["columns"] == ["sold", "area", "rooms", "built"] + [["sold", "area", "rooms", "built"][k] for k in flags]
            and table["x"]["flag"] == [""] * 4 + [str(k) for k in flags], table["x"])
    words = [row[4] for row in kept if row[4]]
    filler = 1 + CITIES.index(min(statistics.multimode(words))) if rule == "mode" else 0
    v.check(f"{rule}: words and a place for others", table["city"]["words"] == ["", *CITIES] and table["city"]["fill"] == [str(filler)], table["city"])

    other = homes(50, 2)
    other[3][4], other[7][4] = "Davos", "z\u00fcrich"
    done = run([exe, "predict", "--checkpoint", v.path(rule + ".st"), write(rule + "_other.csv", [row[:6] for row in other], HEADER[:6]), "--out", v.path(rule + "_y.csv")])
    if not v.check(f"{rule}: predicts without the target", done.returncode == 0, done.stderr):
        return
    with open(v.path(rule + "_y.csv"), newline="") as f:
        ours = list(csv.DictReader(f))
    _, wanted, city = by_hand(other, table, tensors, flags, filler)
    v.check(f"{rule}: unseen words are row 0", city[3] == city[7] == 0)
    worst = max(abs(float(row["y"]) - w) for row, w in zip(ours, wanted[:, 0]))
    v.check(f"{rule}: what is predicted is the formula", len(ours) == 50 and worst < 1e-4, worst)
    v.check(f"{rule}: each with its Id", [row["Id"] for row in ours] == [str(row[0]) for row in other], ours[:3])
    check_library(rule, flags, other, wanted[:, 0], city)
    check_onnx(rule, exe, flags, other, wanted[:, 0], city)


def raw_columns(made, flags):
    """As the library and ONNX take them: NaN where a value is missing, and in a flag's place anything."""
    x = columns_of(made)
    return np.concatenate([x, np.full((len(made), len(flags)), 77.0)], 1)


def check_library(rule, flags, made, wanted, city):
    done = run([nnc, v.path(rule + ".net"), "--emit=lib", "-o", v.path("lib" + rule)])
    if not v.check(f"{rule}: the library", done.returncode == 0, done.stderr):
        return
    lib, x = ctypes.CDLL(v.path(f"lib{rule}.so")), ctypes.c_void_p()
    for name in ("create", "load", "forward", "forward_columns"):
        getattr(lib, "homes_" + name).restype = ctypes.c_char_p
    error = lib.homes_create(ctypes.byref(x), ctypes.c_uint64(1)) or lib.homes_load(x, v.path(rule + ".st").encode())
    rows, cities, y = np.ascontiguousarray(raw_columns(made, flags)), np.array(city, "<i4"), np.zeros(len(made), "<f4")
    pointer = lambda a: a.ctypes.data_as(ctypes.c_void_p)
    error = error or lib.homes_forward_columns(x, ctypes.c_int64(len(made)), pointer(cities), pointer(rows), pointer(y))
    v.check(f"{rule}: the library fills them in", error is None and np.abs(y - wanted).max() < 1e-4, (error, y[:4], wanted[:4]))
    lib.homes_free(x)


def check_onnx(rule, exe, flags, made, wanted, city):
    if onnx is None:
        v.skip(f"{rule}: ONNX", "python3-onnx is missing")
        return
    done = run([exe, "export", "--checkpoint", v.path(rule + ".st"), "--out", v.path(rule + ".onnx")])
    if not v.check(f"{rule}: exports", done.returncode == 0, done.stderr):
        return
    model = onnx.load(v.path(rule + ".onnx"))
    onnx.checker.check_model(model, full_check=True)
    y = evaluate(model, {"x": raw_columns(made, flags), "city": np.array(city, np.int32)})[0]
    v.check(f"{rule}: the graph fills them in", np.abs(y[:, 0] - wanted).max() < 1e-4, (y[:4], wanted[:4]))


def refuses(exe, what, made, words, *options, header=HEADER):
    done = run([exe, *options, "--data", write("refused.csv", made, header)])
    v.check(f"{what}: is told", done.returncode == 3 and all(word in done.stderr for word in words), f"{done.returncode} {done.stderr}")


def check_refused():
    """Without a rule the message says how many cells are empty, and the words that mend them."""
    made = homes(400, 1)
    plain = v.path("plain.net")
    with open(plain, "w") as f:
        f.write(NET % (4, 'pass "Id"'))
    exe = build(v, nnc, plain, "plain")
    if not exe:
        return
    check_foreign(exe)
    lost = sum(row[2] is None for row in made)
    full = [row for row in made if None not in (row[1], row[3], row[5], row[6])]
    first = next(i for i, row in enumerate(full) if row[2] is None or row[4] is None)
    full[first][4] = None
    cities, areas = sum(row[4] is None for row in full), sum(row[2] is None for row in full)
    refuses(exe, "a missing word", [row[:2] + [1.0] + row[3:] for row in full],
            [f"line {2 + first}, column `city`: the value is missing; {cities} values of this column are missing", "--set missing=flag", "row 0"])
    refuses(exe, "a missing number", [row[:4] + ["Bern"] + row[5:] for row in full],
            ["column `area`: the value is missing", f"; {areas} values of this column are missing", "nnc --set missing=median", '`missing "area" drop`'])
    good = [row for row in full if row[2] is not None and row[4] is not None]
    refuses(exe, "a missing target", good + [good[0][:6] + [None]], [f"line {len(good) + 2}, column `price`: the value is missing", '`missing "price" drop`'])
    refuses(exe, "a date that has two meanings", [[row[0], "03/04/2024", *row[2:]] for row in good], ["`03/04/2024` is no number, and as a date it has several meanings", "2024-01-31"])
    refuses(exe, "a number among dates", good + [[1, 20240131, *good[0][2:]]], [f"line {len(good) + 2}, column `sold`: `20240131` is a number, and the column begins with a date"])
    refuses(exe, "a day that there is not", [[row[0], "2023-02-29", *row[2:]] for row in good], ["`2023-02-29` is no number"])
    done = run([exe, "--data", write("good.csv", good), "--checkpoint", v.path("good.st")])
    v.check("four words are four classes", done.returncode == 0, done.stderr)
    refuses(exe, "a word that was not trained on", [[*good[0][:4], "Davos", *good[0][5:]]], ["`Davos` is no class that was trained on", "a recipe with `missing` gives such words a place"],
            "predict", "--checkpoint", v.path("good.st"))
    refuses(exe, "a missing value where none was trained on", [[*good[0][:2], None, *good[0][3:]]], ["column `area`: the value is missing", "train with `missing median`"],
            "predict", "--checkpoint", v.path("good.st"))
    with open(v.path("full.net"), "w") as f:
        f.write(NET.replace("embedding(5", "embedding(4") % (5, RULES % "median"))
    exe = build(v, nnc, v.path("full.net"), "full")
    if exe:
        refuses(exe, "no room for the place of others", made, ["the column `city` has 4 classes", "declare one row more"])
    with open(v.path("two.net"), "w") as f:
        f.write(NET % (4, RULES % "median"))
    exe = build(v, nnc, v.path("two.net"), "two")
    if exe:
        refuses(exe, "a flag without an element", made, ["declare `input x: f32[5]`", "and the flags of missing values"])


def check_foreign(exe):
    """What holds data and is not read is named by its content, whatever it is called, with what converts it."""
    for name in ("data.csv", "data.bin"):
        path = v.path("foreign", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)

        def database():
            with contextlib.closing(sqlite3.connect(path)) as base:
                base.execute("create table t (x, y)")
                base.commit()

        def archive():
            with zipfile.ZipFile(path, "w") as z:
                z.writestr("xl/workbook.xml", "<workbook/>")

        def tape():
            with tarfile.open(path, "w") as t:
                t.add(v.path("plain.net"), "plain.net")

        def pickled():
            with open(path, "wb") as f:
                pickle.dump([1, 2], f, protocol=4)

        def parquet():
            with open(path, "wb") as f:
                f.write(b"PAR1\x15\x00\x15\x08" + bytes(99) + b"PAR1")

        for make, *words in ((database, "SQLite", "sqlite3 -header -csv"), (archive, "ZIP", "ssconvert"), (tape, "tar", "tar xf"), (pickled, "pickle", "numpy.save"),
                             (parquet, "Parquet", "read_parquet")):
            if os.path.exists(path):
                os.remove(path)
            make()
            done = run([exe, "--data", path])
            v.check(f"{name}: {words[0]} is named", done.returncode == 3 and all(word in done.stderr for word in words), f"{done.returncode} {done.stderr}")


def check_dates():
    """As datetime reads them: each form of a date and of a time of day."""
    chance, begin = random.Random(9), datetime.datetime(1890, 1, 1)
    moments = [begin + datetime.timedelta(seconds=chance.randrange(210 * 365 * 86400)) for _ in range(300)] + [datetime.datetime(2000, 2, 29), datetime.datetime(1900, 2, 28),
                                                                                                               datetime.datetime(2100, 3, 1)]
    since = lambda moment: (moment - datetime.datetime(1970, 1, 1)).total_seconds()
    day = lambda moment: since(datetime.datetime(moment.year, moment.month, moment.day))
    clock = lambda moment, of: sum(int(part) * by for part, by in zip(moment.strftime(of).split(":"), (3600, 60, 1)))
    forms = {"iso": ("%Y-%m-%d", day), "slashes": ("%Y/%m/%d", day), "points": ("%d.%m.%Y", day), "utc": ("%Y-%m-%dT%H:%M:%SZ", since), "blank": ("%Y-%m-%d %H:%M:%S.500", lambda m: since(m) + 0.5),
             "east": ("%Y-%m-%dT%H:%M:%S+05:30", lambda m: since(m) - 19800), "west": ("%Y-%m-%d %H:%M:%S-0800", lambda m: since(m) + 28800), "minutes": ("%H:%M", lambda m: clock(m, "%H:%M")),
             "seconds": ("%H:%M:%S", lambda m: clock(m, "%H:%M:%S"))}
    with open(v.path("dates.net"), "w") as f:
        f.write(f"model dates {{\n    input  x: f32[{len(forms)}]\n    target y: f32[1]\n    loss   mse(x -> dense(1), y)\n}}\ntrain dates {{\n    data      table\n    epochs    1\n}}\n")
    exe = build(v, nnc, v.path("dates.net"), "dates")
    made = [[moment.strftime(form) for form, _ in forms.values()] + [i % 7] for i, moment in enumerate(moments)]
    done = exe and run([exe, "--data", write("dates.csv", made, [*forms, "y"]), "--holdout", "0", "--checkpoint", v.path("dates.st")])
    if not exe or not v.check("dates are numbers", done.returncode == 0, done.stderr):
        return
    table, _ = checkpoint(v.path("dates.st"))
    for k, (name, (_, number)) in enumerate(forms.items()):
        values = np.array([number(moment) for moment in moments])
        v.check(f"dates: {name}", math.isclose(float(table["x"]["mean"][k]), values.mean(), rel_tol=1e-12, abs_tol=1e-3) and math.isclose(float(table["x"]["scale"][k]), values.std(), rel_tol=1e-9),
                (table["x"]["mean"][k], values.mean()))
    for what, text in (("a day that there is not", "2023-02-29"), ("a month that there is not", "2023-13-01"), ("marks of two kinds", "2023-01/02"), ("an hour too many", "2023-01-02 24:00"),
                       ("half a zone", "2023-01-02T10:00+1"), ("more behind it", "2023-01-02T10:00Zx"), ("a year of two digits", "01.02.23")):
        done = run([exe, "--data", write("bad.csv", [[text, *row[1:]] for row in made], [*forms, "y"])])
        v.check(f"dates: {what} is told", done.returncode == 3 and f"column `iso`: `{text}` is no number" in done.stderr, done.stderr)


def check_damaged():
    """What a checkpoint says of missing values is compared with the model."""
    exe = v.path("median")
    done = run([exe, "export", "--checkpoint", v.path("median.st"), "--out", v.path("weights.safetensors")])
    v.check("the weights are exported", done.returncode == 0, done.stderr)
    table = json.loads(metadata_of(v.path("weights.safetensors"))["table"])
    for what, of, key, value in (("a flag of itself", "x", "flag", ["", "", "", "", "4"]), ("a flag of a flag", "x", "flag", ["", "", "", "2", "3"]), ("a flag of none", "x", "flag", ["", "", "", "", "9"]),
                                 ("a class beyond the table", "city", "fill", ["5"]), ("half a class", "city", "fill", ["0.5"]),
                                 ("too few", "x", "fill", ["1"]), ("no number", "x", "fill", ["1", "2", "3", "x", "4"])):
        changed = json.loads(json.dumps(table))
        changed[of][key] = value
        damaged = rewritten(v.path("weights.safetensors"), v.path("changed.safetensors"), table=json.dumps(changed))
        done = run([exe, "predict", "--init", damaged, v.path("median_other.csv")])
        v.check(f"{what} is refused", done.returncode == 3 and "damaged, or of another model" in done.stderr, done.stderr)


for rule in BY_HAND:
    check_rule(rule)
check_refused()
check_dates()
check_damaged()
v.finish()
