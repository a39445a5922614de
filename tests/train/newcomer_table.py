#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nnc new NAME --from=table: newcomer_table.py NNC

A table as another program wrote it, one command, and a trainer that learns: empty cells, words, dates, keys, names that the language has for
something else; classes and numbers. What can't be learnt is refused in words, and no file is left.
"""
import csv
import datetime
import gzip
import os
import random
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import Verdict, run

try:
    import pandas
except ImportError:
    pandas = None

nnc = os.path.abspath(sys.argv[1])
v = Verdict("newcomer, tables")
chance = random.Random(11)


def write(name, header, rows, delimiter=","):
    if pandas and delimiter == ",":
        pandas.DataFrame(rows, columns=header).to_csv(v.path(name), index=False)
    else:
        with open(v.path(name), "w", newline="", encoding="utf-8") as f:
            csv.writer(f, delimiter=delimiter).writerows([header, *rows])
    return v.path(name)


def some(value, share):
    return value if chance.random() > share else None


def homes():
    rows = []
    for i in range(400):
        area, rooms, city, year = chance.uniform(30, 200), chance.randrange(1, 8), chance.choice(["Basel", "Bern", "Chur"]), chance.randrange(1900, 2024)
        day = datetime.date(2010, 1, 1) + datetime.timedelta(days=chance.randrange(4000))
        price = 2000 * area + 10000 * rooms + {"Basel": 50000, "Bern": 20000, "Chur": 0}[city] + 300 * (year - 1900)
        rows.append([1000 + i, some(day.isoformat(), .05), some(round(area, 1), .1), rooms, some(city, .1), some(year, .2), "CHF", some(round(price), .03)])
    return ["Id", "sold", "area", "rooms", "city", "year built", "currency", "price"], rows


def passengers():
    rows = []
    for i in range(300):
        sex, level, age = chance.choice(["male", "female"]), chance.randrange(1, 4), chance.randrange(1, 80)
        lived = chance.random() < (0.9 if sex == "female" else 0.1)
        rows.append([i + 1, int(lived), level, f"Name {i}, Mr.", sex, some(age, .2), some(chance.choice("SCQ"), .1)])
    return ["PassengerId", "Survived", "Pclass", "Name", "Sex", "Age", "Embarked"], rows


def flowers():
    rows = [[round(chance.gauss(5 + k, .4), 1), round(chance.gauss(1 + 2 * k, .3), 1), ("setosa", "versicolor", "virginica")[k]] for k in range(3) for _ in range(50)]
    return ["sepal length (cm)", "petal.width", "species"], rows


def cars():
    """Columns called as words of the language, of what `nnc new` writes, and beginning with a digit."""
    rows = [[chance.choice("abc"), chance.choice(["red", "blue"]), chance.random(), chance.random(), 0] for _ in range(200)]
    for row in rows:
        row[4] = round(10 * row[2] + "abc".index(row[0]) - 5, 4)
    return ["model", "class", "2nd", "numbers", "loss"], rows


def learns(name, path, wanted, *options):
    """The main job: new, compile, five folds; then predict and what the checkpoint is good for."""
    done = run([nnc, "new", name, "--from=table", path, *options], cwd=v.folder)
    if not v.check(f"{name}: nnc new", done.returncode == 0 and f"nnc {name}.net -o {name} && ./{name} --data {shlex.quote(path)} --run first" in done.stdout, done.stdout + done.stderr):
        return ""
    with open(v.path(name + ".net"), encoding="utf-8") as f:
        text = f.read()
    laid_out = run([nnc, "fmt", "--check", v.path(name + ".net")])
    v.check(f"{name}: the layout is the canonical one", laid_out.returncode == 0, laid_out.stdout)
    done = run([nnc, name + ".net", "-o", name, "-Werror"], cwd=v.folder)
    if not v.check(f"{name}: compiles without a warning", done.returncode == 0, done.stderr):
        return text
    done = run(["./" + name, "--data", path, "--folds", "5", "--run", "first", "--quiet"], cwd=v.folder)
    lines = done.stdout.splitlines()
    v.check(f"{name}: five folds and their mean", done.returncode == 0 and len(lines) == 6 and lines[5].startswith("mean of 5 folds"), done.stdout + done.stderr)
    metric, least = wanted
    reached = float(lines[-1].split(f"eval_{metric} ")[1].split()[0]) if lines and f"eval_{metric} " in lines[-1] else -1
    v.check(f"{name}: it learns, {metric}", reached >= least, (reached, lines))
    done = run(["./" + name, "predict", "--checkpoint", "runs/first-fold1-1/best.safetensors", path, "--out", name + "_out.csv"], cwd=v.folder)
    if v.check(f"{name}: predicts", done.returncode == 0, done.stderr):
        os.remove(v.path(name + "_out.csv"))
    run(["rm", "-r", v.path("runs")])
    return text


def check_jobs():
    header, rows = homes()
    text = learns("homes", write("homes.csv", header, rows), ("r2", 0.75))
    for what, words in (("the target is a number, in its own unit", "target price: f32[1]"), ("dates are numbers", "sold (seconds)"), ("words have a row more", "city -> embedding(4, "),
                        ("flags", 'missing   "sold", "area", "year built" flag'), ("no row without a price", 'missing   "price" drop'), ("the key", 'pass      "Id"'),
                        ("what never changes", 'ignore    "currency"'), ("a share is held out", "holdout   0.2\n"), ("a metric", "metric r2(prediction, price)")):
        v.check(f"homes: {what}", words in text, text)
    header, rows = passengers()
    text = learns("lived", write("passengers.csv", header, rows), ("accuracy", 0.8), "--learn=Survived")
    v.check("lived: two classes, of each some held out", "target Survived: class[2]" in text and "holdout   0.2 stratified" in text and "metric auc" in text and 'pass      "PassengerId", "Name"' in text,
            text)
    header, rows = flowers()
    text = learns("flowers", write("my flowers.csv", header, rows, ";"), ("f1", 0.9))
    v.check("flowers: three classes", "target species: class[3]" in text and "metric f1" in text and "input  numbers: f32[2]" in text, text)
    header, rows = cars()
    text = learns("cars", write("cars.csv", header, rows), ("r2", 0.9), "--learn=loss")
    v.check("cars: names of the language", all(word in text for word in ("input  model_: i32[]", "input  class: i32[]", "target loss_: f32[1]")), text)
    header, rows = flowers()
    with gzip.open(v.path("numbered.csv.gz"), "wt", encoding="utf-16", newline="") as f:
        csv.writer(f, delimiter="\t").writerows([["", *header], *([i, *row] for i, row in enumerate(rows))])
    os.rename(v.path("numbered.csv.gz"), v.path("numbered.tsv.gz"))
    text = learns("numbered", v.path("numbered.tsv.gz"), ("f1", 0.9))
    v.check("numbered: a column without a name numbers the rows", 'pass      ""' in text, text)


def check_refused():
    many = [[chance.random(), chance.random()] for _ in range(40)]
    header = ["a", "b"]

    def refused(what, words, table_header, rows, *options, status=2, name="refused.csv"):
        done = run([nnc, "new", "refused", "--from=table", write(name, table_header, rows), *options], cwd=v.folder)
        v.check(f"{what} is told, and nothing written", done.returncode == status and words in done.stderr and not os.path.exists(v.path("refused.net")), f"{done.returncode} {done.stderr}")
    refused("money in words", "the column `price` can't be learnt: each row has another value, as `$0`", ["a", "price"], [[chance.random(), f"${i}"] for i in range(40)])
    refused("a word among numbers", "it has numbers as `0`, and `none yet`", ["a", "price"], [[chance.random(), i if i % 3 else "0" if i == 0 else f"none yet{'' if i == 3 else i}"] for i in range(60)])
    refused("a wrong column", "has no column `c`; it has `a`, `b`", header, many, "--learn=c")
    refused("few rows", "has 5 rows", header, many[:5])
    refused("one value", "the column `b` can't be learnt: it has one value in all rows", header, [[a, 1] for a, _ in many], "--learn=b")
    refused("a class of one row", "of one of its 2 classes there is a single row", header, [[a, "x" if i else "y"] for i, (a, _) in enumerate(many)])
    refused("nothing to learn of", "has no column of which `b` could be learnt", header, [[f"n{i}", b] for i, (_, b) in enumerate(many)])
    refused("dates as a target", "dates and times are no target yet", header, [[a, f"2024-01-{1 + i % 28:02}"] for i, (a, _) in enumerate(many)], "--learn=b")
    refused("no header", "the first line must name the columns", ["1", "2"], many, status=3)
    refused("two columns of one name", "are both named `a`", ["a", "a"], many, status=3)
    refused("another kind of file", "is no table by its name", header, many, status=3, name="refused.xlsx")
    with open(v.path("short.csv"), "w") as f:
        f.write("a,b\n1,2\n3\n")
    for what, status, words, line in (
            ("a row of another length", 3, "line 3: there are 1 cells", ["new", "n", "--from=table", v.path("short.csv")]),
            ("no kind", 2, "what the data is like is missing: --from=table", ["new", "n", v.path("short.csv")]),
            ("a wrong kind", 2, "there is no --from=tables", ["new", "n", "--from=tables", v.path("short.csv")]),
            ("no data", 2, "takes a name and the data", ["new", "n", "--from=table"]),
            ("no file", 2, "there is no data `nowhere.csv`", ["new", "n", "--from=table", "nowhere.csv"]),
            ("a word of the language", 2, "`loss` is a word of the language", ["new", "loss", "--from=table", v.path("short.csv")]),
            ("a name that is none", 2, "can't be a model's name", ["new", "my-net", "--from=table", v.path("short.csv")]),
            ("a file in the way", 2, "`homes.net` is there already", ["new", "homes", "--from=table", v.path("homes.csv")])):
        done = run([nnc, *line], cwd=v.folder)
        v.check(f"{what} is told", done.returncode == status and words in done.stderr and not os.path.exists(v.path("n.net")), f"{done.returncode} {done.stderr}")


check_jobs()
check_refused()
v.finish()
