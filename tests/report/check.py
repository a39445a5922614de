#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pages of --emit=html: complete in themselves, and their numbers are the log's, the profile's and --print=layers's.

    check.py NNC        report/browser.mjs shows them in a browser
"""
import base64
import csv
import json
import math
import os
import re
import shutil
import struct
import sys
import zlib
import xml.etree.ElementTree as xml
from html.parser import HTMLParser
from urllib.parse import unquote

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "witness"))
from formula import read_safetensors  # noqa: E402
from verdict import ROOT, Verdict, bmp, json_lines, run  # noqa: E402

nnc = os.path.abspath(sys.argv[1])
v = Verdict("lang, report")
VOID = {"meta", "link", "br", "path", "rect", "circle", "polyline", "marker", "img"}


class Page(HTMLParser):
    """Tables by id, as lists of rows of texts; what would make a request; whether all is closed."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.curves, self.pictures, self.tables, self.requests, self.open, self.wrong, self.text, self.shapes = [], [], {}, [], [], [], "", 0
        self.titles = []
        self.table = self.cell = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        for name, value in attributes:
            if name in ("src", "href", "srcset", "action", "data", "xlink:href") and not value.startswith("data:"):
                self.requests.append((tag, name, value))
            if name.startswith("on") or name == "style" and "url(" in value:
                self.requests.append((tag, name, value))
            if "nan" in value.lower().split() or "NaN" in value:
                self.wrong.append((tag, name, value))
        if tag in ("script", "iframe", "object", "embed"):
            self.requests.append((tag, "", ""))
        if tag == "img" and named["src"].startswith("data:image/svg+xml,"):
            xml.fromstring(unquote(named["src"].split(",", 1)[1]))
            self.curves.append(named["alt"])
        elif tag == "img" and named["src"].startswith("data:image/png;base64,"):
            pixels(named["src"])
            self.pictures.append(named["alt"])
        elif tag == "img":
            head, data = named["src"].split(",")
            with open(named["alt"], "rb") as f:
                if head != "data:image/bmp;base64" or base64.b64decode(data, validate=True) != f.read():
                    self.wrong.append(named["alt"])
            self.pictures.append(named["alt"])
        self.shapes += tag in ("polyline", "circle", "rect")
        if tag == "table":
            self.table = self.tables.setdefault(named.get("id", "?"), [])
        if tag == "tr" and self.table is not None:
            self.table.append([])
        if tag in ("td", "th"):
            self.cell = ""
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")
        if tag in ("td", "th") and self.table is not None:
            self.table[-1].append(self.cell)
            self.cell = None
        if tag == "table":
            self.table = None

    def handle_data(self, data):
        self.text += data
        if self.open and self.open[-1] in ("title", "h1"):
            self.titles.append(data)
        if self.cell is not None:
            self.cell += data


def put(name, text):
    path = v.path(name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def page(what, *arguments, says=""):
    out = v.path("page.html")
    done = run([nnc, *arguments, f"--emit=html={out}"])
    if not v.check(f"{what}: made", done.returncode == 0 and (says in done.stderr if says else done.stderr == ""), done.stderr):
        return None
    return read_page(what, out)


def read_page(what, out):
    with open(out, encoding="utf-8") as f:
        text = f.read()
    p = Page(text)
    v.check(f"{what}: nothing is asked for", not p.requests and "@import" not in text and not re.search(r"url\((?!#)", text), p.requests)
    v.check(f"{what}: every element is closed, every shape has numbers", not p.wrong and not p.open, (p.wrong, p.open))
    return p


def networks():
    for name in ("mnist_cnn", "resnet18", "inception_v1"):
        net = os.path.join(ROOT, "models", name + ".net")
        p = page(name, net)
        listed = [line.split() for line in run([nnc, net, "--print=layers"]).stdout.splitlines()[2:]]
        shown = [[cell for cell in row if cell] for row in p.tables["layers"][1:]]
        for row, line in zip(shown, listed):
            if line[0].startswith("..") or row[0] == line[0]:
                line[0] = row[0]
        v.check(f"{name}: the layers are those of --print=layers", shown == listed, [x for x in zip(shown, listed) if x[0] != x[1]][:3])
        v.check(f"{name}: equal blocks are folded", ("basic \u00d7 2" in p.text) == (name == "resnet18"))
        v.check(f"{name}: drawn", p.shapes > len(listed), p.shapes)


def of_a_run():
    """A log with an epoch that ended in NaN, a resumed run, steps and evaluations; names that would be markup."""
    lines = [{"run": 2, "model": "mnist_cnn", "arguments": "--data <script>alert(1)</script> & \"x\"", "steps_per_epoch": 8, "device": "CPU"}]
    for epoch in range(1, 6):
        lines += [{"step": 8 * epoch - 4, "loss": 2.5 / epoch, "accuracy": 0.1 * epoch, "rate": 0.1}]
        lines += [{"evaluation": 8 * epoch - 2, "eval_loss": 2.6 / epoch, "eval_accuracy": 0.09 * epoch, "seconds": 0.1}]
        lines += [{"epoch": epoch, "step": 8 * epoch, "loss": 2.25 / epoch if epoch != 3 else None, "accuracy": 0.125 * epoch, "eval_loss": 2.5 / epoch,
                   "eval_accuracy": 0.1015625 * epoch, "rate": 0.1 / epoch, "samples_per_second": 12345.678 * epoch, "seconds": 1.5, "data_wait": 0, "memory": 30654464}]
    put("run/log.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    put("run/confusion.csv", 'true class,cat,"dog, ""big""",<b>\r\ncat,90,8,2\r\n"dog, ""big""",20,70,10\r\n<b>,0,5,95\r\n')
    put("run/profile.json", json.dumps({
        "model": "mnist_cnn", "device": "GPU <0>", "measured": "CUPTI", "batch": 128, "chunks": 1, "steps": 10, "peak_flops": 6e13, "peak_bytes": 3e12, "total_ns": 5000000,
        "lines": [{"file": "m.net", "line": 12, "text": "    x -> conv(3)", "forward_ns": 1000000, "loss_ns": 0, "backward_ns": 3000000, "update_ns": 500000},
                  {"file": "m.net", "line": 13, "text": "# nothing", "forward_ns": 0, "loss_ns": 0, "backward_ns": 0, "update_ns": 0}],
        "program": [{"ns": 4000000, "flops": 2e9, "bytes": 1e7}, {"ns": 1000000, "flops": 0, "bytes": 1e6}] + [{"ns": 100, "flops": 100, "bytes": 30}]*200}))
    net = os.path.join(ROOT, "models", "mnist_cnn.net")
    p = page("a run", net, f"--run={v.path('run')}")
    epochs = [line for line in lines if "epoch" in line]
    shown = [dict(zip(p.tables["epochs"][0], row)) for row in p.tables["epochs"][1:]]
    expected = [{k: "null" if x is None else f"{x:.0f}" if x >= 1000 else f"{x:.4g}" for k, x in line.items()} for line in epochs]
    v.check("the numbers of the epochs are the log's, to four digits", shown == expected, (shown[:1], expected[:1]))
    v.check("the title says which run it is", p.titles[:2] == ["mnist_cnn, run"] * 2, p.titles[:2])
    settings = dict(row for row in p.tables["settings"])
    v.check("the settings are the log's, whatever is in them", settings["arguments"] == lines[0]["arguments"], settings)
    v.check("the format's number has its name", settings["log format"] == "2" and "run" not in settings, settings)
    v.check("the matrix is the file's", [row[:4] for row in p.tables["confusion"]] == [["true class", "cat", 'dog, "big"', "<b>"], ["cat", "90", "8", "2"],
            ['dog, "big"', "20", "70", "10"], ["<b>", "0", "5", "95"]], p.tables["confusion"])
    v.check("the worst pair is first", p.tables["worst"][1] == ['dog, "big"', "cat", "20", "20.0 %"], p.tables["worst"])
    v.check("a line's time is the profile's", p.tables["profile"][1:] == [["m.net:12", "0.450", "90.0 %", "\n", "x -> conv(3)"]], p.tables["profile"])
    v.check("a step of 2 GFLOP in 4 ms is at 500 GFLOP/s of the roofline", "200, 500" in p.text, [t for t in p.text.split("\n") if "200" in t][:5])
    v.check("each of many steps is a point of it", p.text.count("steps: 3.33333, 1") == 200, p.text.count("steps: "))
    v.check("curves and roofline are drawn", all(word in p.text for word in ("learning rate", "samples a second", "Roofline", "held out")), "")
    for i, name in enumerate(("cat", "dog")):
        for k in range(3):
            path = put(f"pictures/{name}/{k}.bmp", "")
            with open(path, "wb") as f:
                f.write(bmp(28, 28, 25 * i + k))
    names = [v.path("pictures", name) for name in ("cat/0.bmp", "cat/1.bmp", "dog/2.bmp", "cat/none.bmp")]
    said = put("predictions.csv", f'file,class,probability,class_2\r\n{names[0]},dog,0.75,\r\n{names[1]},cat,0.9,x\r\n{names[2]},"<b>, ""y""",0.875,\r\n{names[3]},dog,1,\r\n')
    missing = f"`{names[3]}` can't be read from here: No such file"
    p = page("predictions", net, f"--predictions={said}", says=f"warning: {missing}")
    v.check("a picture that is not there is a line on the page", missing in p.text and "1 of these pictures" in p.text, p.text[-900:])
    v.check("pictures that were mistaken are shown, the surest first", p.pictures == [names[2], names[0]] and 'taken for <b>, "y", 87.5\u00a0%' in p.text and
            "3 of 4 samples" in p.text, (p.pictures, p.text[:600]))
    said = put("none_right.csv", f"file,class,probability\n{names[0]},dog,1\n")
    p = page("predictions of which none is right", net, f"--predictions={said}")
    v.check("none is right: the page says so", "1 of 1 samples" in p.text and "None is right" in p.text, p.text[-900:])
    said = put("samples.csv", "file,class,probability,truth,picture\nx.npy[7],cat,0.9,dog,\nx.npy[2],dog,0.8,cat,\n")
    p = page("samples that are no pictures", net, f"--predictions={said}")
    v.check("they are listed without pictures, and nothing is missing", not p.pictures and "x.npy[7]" in p.text and "can't be shown" not in p.text, p.text[-900:])
    said = put("classes.csv", "file,class,probability\nx.npy[0],cat,0.9\n")
    p = page("samples whose class no folder says", net, f"--predictions={said}")
    v.check("none of them is a mistake", "Taken for something else" not in p.text, p.text[-900:])
    log = v.path("run", "log.jsonl")
    v.check("--log alone gives the curves", "epochs" in page("a log", net, f"--log={log}").tables)


def of_a_trainer():
    """A trainer alone makes the page of its run: the network as nnc drew it, and the numbers of its own log."""
    trainer, top = v.path("trainer"), os.path.dirname(v.path("trainer"))
    run([nnc, os.path.join(ROOT, "models", "mnist_cnn.net"), "-o", trainer])
    words = ["--data", "synth:digits,samples=256", "--threads", "1", "--eval-every", "1it"]
    done = run([trainer, *words, "--run", "page", "--epochs", "2"], cwd=top)
    v.check("a training of --run ends well", done.returncode == 0, done.stderr)
    folder = os.path.join(top, "runs", "page-1")
    p = read_page("a run's own page", os.path.join(folder, "report.html"))
    lines = json_lines(os.path.join(folder, "log.jsonl"))
    epochs = [line for line in lines if "epoch" in line]
    shown = [dict(zip(p.tables["epochs"][0], row)) for row in p.tables["epochs"][1:]]
    v.check("its epochs are the log's", len(shown) == len(epochs) == 2 and all(
        abs(float(row[key]) - line[key]) <= 1e-3 * abs(line[key]) for row, line in zip(shown, epochs) for key in line), (shown, epochs))
    settings = dict(row for row in p.tables["settings"])
    v.check("its settings are the log's", settings["arguments"] == lines[0]["arguments"] and settings["seed"] == str(lines[0]["seed"]), settings)
    v.check("loss, metric and figures have curves", [c.split()[-1] for c in p.curves][:2] == ["loss", "accuracy"] and
            "curve of rate" in p.curves and "curve of memory" in p.curves, p.curves)
    v.check("the network is on it", len(p.tables["layers"]) > 5 and "Memory" in p.text and p.shapes > 5, p.tables.keys())
    v.check("nothing is said of energy without a counter", "Energy" not in p.text or any("energy" in line for line in lines))
    with open(os.path.join(folder, "log.jsonl"), "a", encoding="utf-8") as f:
        f.write('{"energy": 4, "seconds": 2, "samples": 300, "gpu_joules": 60}\n{"energy": 8, "seconds": 1, "samples": 100, "gpu_joules": 40}\n')
    done = run([trainer, "report", folder], cwd=top)
    v.check("energy is that of all its processes", "Energy, GPU: 0.25 J a sample, 100 J for 400 samples" in
            read_page("a page with energy", os.path.join(folder, "report.html")).text, done.stderr)
    done = run([trainer, *words, "--run", "page", "--resume", "--epochs", "3"], cwd=top)
    v.check("going on makes the page anew", len(read_page("a resumed run's page", os.path.join(folder, "report.html")).tables["epochs"]) == 4, done.stderr)
    other = v.path("elsewhere.html")
    done = run([trainer, "report", folder, "--out", other], cwd=top)
    with open(other, "rb") as a, open(os.path.join(folder, "report.html"), "rb") as b:
        v.check("`report --out` makes the same elsewhere", done.returncode == 0 and a.read() == b.read(), done.stderr)
    of_what_was_mistaken(trainer, top, folder)
    done = run([trainer, "report", "page-1"], cwd=top)
    v.check("`report` finds a run by its name", done.returncode == 0 and done.stdout.strip() == "runs/page-1/report.html", done.stderr)
    for word in ("page-1", "runs/page-1"):
        done = run([trainer, "info", word], cwd=top)
        v.check(f"`info {word}`: which file has its weights", done.returncode == 2 and "`--checkpoint runs/page-1/last.safetensors`" in done.stderr,
                done.stderr)
    for words, status, says in ((["report", folder, "--out", other], 3, "replaces nothing"), (["report", top], 3, "no page of"), (["report"], 2, "the folder of one run")):
        done = run([trainer, *words], cwd=top)
        v.check(f"{words[1:]}: status {status}", done.returncode == status and says in done.stderr, done.stderr)


def pixels(data):
    """Of a grey picture as base64 of a PNG without filters: its bytes."""
    png, rows, at = base64.b64decode(data.removeprefix("data:image/png;base64,"), validate=True), b"", 8
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        body = png[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack_from(">I", png, at + 8 + length)[0]
        width, rows = (struct.unpack_from(">I", body)[0] if kind == b"IHDR" else width), rows + body * (kind == b"IDAT")
        at += 12 + length
    rows = zlib.decompress(rows)
    return b"".join(rows[y + 1:y + 1 + width] for y in range(0, len(rows), width + 1))


def of_what_was_mistaken(trainer, top, folder):
    """Samples in memory have pictures too; the run's page and nnc's have them, the matrix and the profile."""
    count, side = 40, 28 * 28
    images = bytes((i * i * 31 + (i >> 7) * 5) % 251 for i in range(count * side))
    digits = [i % 10 for i in range(count)]
    for name, descr, shape, data in (("image", "|u1", (count, 28, 28, 1), images), ("digit", "<i4", (count,), struct.pack(f"<{count}i", *digits))):
        text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
        with open(v.path(name + ".npy"), "wb") as f:
            f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text.encode() + b"\n" + data)
    found = v.path("mistakes.csv")
    done = run([trainer, "eval", "--data", f"{v.path('image.npy')},{v.path('digit.npy')}", "--checkpoint", os.path.join(folder, "last.safetensors"), "--mistakes", found], cwd=top)
    with open(found, encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    v.check("eval --mistakes has the surest of them", done.returncode == 0 and len(rows) == 24 and
            all(float(a["probability"]) >= float(b["probability"]) for a, b in zip(rows, rows[1:])), (done.stderr, len(rows)))
    for row in rows[:3]:
        k = int(row["file"].rsplit("[", 1)[1][:-1])
        v.check("a sample of .npy has its picture and its class", pixels(row["picture"]) == images[k * side:(k + 1) * side] and
                row["truth"] == str(digits[k]) != row["class"], row["file"])
    done = run([trainer, "profile", "--data", "synth:digits,samples=256", "--threads", "1", "--steps", "5", "--into", folder], cwd=top)
    p = read_page("a run's page with a profile", os.path.join(folder, "report.html"))
    v.check("profile --into puts it on the page", done.returncode == 0 and sum(float(row[2].split()[0]) for row in p.tables["profile"][1:]) > 50 and
            "Roofline" in p.text, (done.stderr, p.tables.keys()))
    with open(os.path.join(folder, "confusion.csv"), encoding="utf-8") as f:
        rows = list(csv.reader(f))
    wrong = sum(int(x) for i, row in enumerate(rows[1:]) for k, x in enumerate(row[1:]) if i != k)
    v.check("the run's page has the worst pairs and the mistakes", len(p.tables["worst"]) > 1 and "Taken for something else" in p.text and
            len([c for c in p.pictures if c.startswith("synth")]) == min(wrong, 24), (wrong, p.pictures))
    p = page("nnc's page of the run", os.path.join(ROOT, "models", "mnist_cnn.net"), f"--run={folder}")
    v.check("nnc's page has all of it, too", {"profile", "worst", "confusion"} <= p.tables.keys() and len(p.pictures) == min(wrong, 24), p.tables.keys())
    done = run([trainer, "profile", "--data", "synth:digits,samples=256", "--into", top], cwd=top)
    v.check("--into of what is no run: status 2", done.returncode == 2 and "no folder of a run" in done.stderr, done.stderr)


def of_many_classes():
    """What grows with the square of the classes is left out above 1000 of them; the page says so and has the mistakes."""
    trainer, top = v.path("many"), os.path.dirname(v.path("many"))
    text = v.path("many.net")
    with open(text, "w", encoding="utf-8") as f:
        f.write("model many {\n input image: u8[28, 28, 1]\n target digit: class[1001]\n logits = image -> scale(1/255) -> flatten -> dense(1001)\n"
                " loss cross_entropy(logits, digit)\n}\ntrain many {\n batch 64\n epochs 1\n optimizer sgd(rate = 0.0001)\n}\n")
    done = run([nnc, text, "-o", trainer])
    done = run([trainer, "--data", "synth:digits,samples=256", "--threads", "1", "--run", "many"], cwd=top) if done.returncode == 0 else done
    v.check("a training of 1001 classes ends well", done.returncode == 0, done.stderr)
    folder = os.path.join(top, "runs", "many-1")
    p = read_page("a run's page of 1001 classes", os.path.join(folder, "report.html"))
    v.check("without matrix and pairs, with the mistakes", "at most 1000 classes, and there are 1001" in p.text and "worst" not in p.tables and
            not any("class" in c for c in p.curves) and len(p.pictures) == 24 and not os.path.exists(os.path.join(folder, "confusion.csv")), (p.curves, p.pictures))


def norms():
    """--log-norms: what the log says of a step is what --dump has of it; clip and decay are none of the gradient's."""
    trainer, top = v.path("norms"), os.path.dirname(v.path("norms"))
    run([nnc, os.path.join(ROOT, "models", "mnist_cnn.net"), "--keep-gradients", "--set", "clip=0.01", "-o", trainer])
    done = run([trainer, "--data", "synth:digits,samples=256", "--run", "norms", "--steps", "2", "--log-every", "1", "--log-norms=each", "--threads", "1",
                "--dump", "first.st"], cwd=top)
    v.check("a training with --log-norms=each ends well", done.returncode == 0, done.stderr)
    lines = json_lines(os.path.join(top, "runs", "norms-1", "log.jsonl"))[1:]
    dump, total = read_safetensors(os.path.join(top, "first.st")), 0
    for name, (_, values) in dump.items():
        kind, _, tensor = name.partition(".")
        norm = math.sqrt(sum(x * x for x in values))
        total += norm * norm * (kind == "gradient")
        if kind in ("param", "gradient"):
            said = lines[0].get(f"{kind}_norm/{tensor}", -1)
            v.check(f"the log's norm of {name} at step 1 is the dump's", abs(said - norm) <= 1e-5 * norm, (said, norm))
    v.check("and so is that of the whole gradient, before it is clipped", abs(lines[0]["gradient_norm"] - math.sqrt(total)) <= 1e-5 * math.sqrt(total) and
            total > 0.01 ** 2, (lines[0], total))
    v.check("the epoch has that of its last step, whatever was evaluated meanwhile", lines[-1]["gradient_norm"] == lines[-2]["gradient_norm"] and
            "eval_loss" in lines[-1], lines[-2:])
    if shutil.which("mpirun"):
        run([nnc, os.path.join(ROOT, "models", "mnist_cnn.net"), "--set", "clip=0.01", "--ranks=2", "-o", v.path("two")])
        done = run(["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", "2", v.path("two"), "--data", "synth:digits,samples=256", "--steps", "1",
                    "--log", v.path("two.jsonl"), "--log-every", "1", "--log-norms", "--threads", "1"])
        with open(v.path("two.jsonl"), encoding="utf-8") as f:
            said = json.loads(f.read().split("\n")[1]).get("gradient_norm", -1)
        v.check("two ranks log the norm of their mean", abs(said - math.sqrt(total)) <= 1e-4 * math.sqrt(total), (said, total, done.stderr))
    chunked = v.path("chunked")
    run([nnc, os.path.join(ROOT, "models", "rosenbrock_mlp.net"), "--set", "batch=20", "--set", "chunk=10", "-o", chunked])
    done = run([chunked, "--data", "synth:rosenbrock,samples=40", "--log", v.path("chunked.jsonl"), "--steps", "2", "--log-norms", "--threads", "1"])
    with open(v.path("chunked.jsonl"), encoding="utf-8") as f:
        v.check("in chunks there is no gradient_norm, and a note says why", done.returncode == 0 and "the last chunk clears the sum" in done.stderr and
                "gradient_norm" not in f.read(), done.stderr)
    with open(os.path.join(top, "runs", "norms-1", "log.csv"), encoding="utf-8") as f:
        v.check("log.csv has the two of all", f.readline().endswith(",memory,param_norm,gradient_norm\n"))


def refusals():
    net = os.path.join(ROOT, "models", "mnist_cnn.net")
    out = v.path("none.html")
    for option, text, says in (("--log", "{\"epoch\": 1}\n{\n", "line 2 of the log"), ("--log", "[1]\n", "line 1 of the log"), ("--log", "{}\n", "no epoch"),
                               ("--profile", "{}", "total_ns"), ("--profile", "x", "no JSON"), ("--confusion", "a,b\nb,x\n", "`x` in line 2"),
                               ("--confusion", "a,b,c\nb,1\n", "line 2 of the confusion"), ("--confusion", "", "no classes"),
                               ("--predictions", "a,b\n", "columns file"), ("--predictions", "file,class,probability\n", "no row"),
                               ("--predictions", "file,class,probability\na,b\n", "row 2")):
        done = run([nnc, net, f"--emit=html={out}", f"{option}={put('wrong/file', text)}"])
        v.check(f"{option} with {text!r}: status 2, a sentence, no page", done.returncode == 2 and says in done.stderr and not os.path.exists(out), done.stderr)
    os.makedirs(v.path("high", "base-1"))
    for option, says in ((f"--run={v.path('high')}", "no folder of a run"), (f"--log={put('other.jsonl', json.dumps({'run': 2, 'model': 'other'}))}", "the log is of the model `other`"),
                         (f"--profile={put('other.json', json.dumps({'model': 'other', 'total_ns': 1}))}", "the profile is of the model `other`")):
        done = run([nnc, net, f"--emit=html={out}", option])
        v.check(f"{says}: status 2, a sentence, no page", done.returncode == 2 and says in done.stderr and not os.path.exists(out), done.stderr)
    done = run([nnc, net, "-S", "-o", v.path("none.c"), f"--run={v.path('run')}"])
    v.check("--run without a page: status 2", done.returncode == 2 and "--run is for the page" in done.stderr and not os.path.exists(v.path("none.c")), done.stderr)
    for option in ("--log", "--run"):
        done = run([nnc, net, f"--emit=html={out}", f"{option}=/nowhere/x"])
        v.check(f"{option} of what is not there: status 2", done.returncode == 2 and "/nowhere/x" in done.stderr, done.stderr)


def extremes():
    """Figures at the ends of what a number can be: the axes end, and so does nnc."""
    for step in ({"flops": 1, "bytes": 1e300, "ns": 1e300}, {"flops": 1e300, "bytes": 1e-300, "ns": 1e-300}):
        profile = {"total_ns": 1, "steps": 1, "chunks": 1, "peak_flops": 5e-324, "peak_bytes": 1e300, "program": [step]}
        done = run([nnc, os.path.join(ROOT, "models", "mnist_cnn.net"), f"--emit=html={v.path('extreme.html')}",
                    f"--profile={put('extreme/profile.json', json.dumps(profile))}"], timeout=20)
        v.check(f"a roofline of {step}", done.returncode == 0, done.stderr)


networks()
of_a_run()
of_a_trainer()
of_many_classes()
norms()
extremes()
refusals()
v.finish()
