#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pages of --explore: check.py NNC

What is on them is what nnc makes: the code is that of --emit, each version of the IR follows from the one before it, every line that is computed has
code and instructions. In Chromium, where there is one, a click on each line lights its rows in all columns, and a click on those leads back.
"""
import html
import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, run, without_cuda

nnc = os.path.abspath(sys.argv[1])
v = Verdict("explore")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MOST_BYTES, MOST_ELEMENTS = 3 << 20, 2000  # of GPT-2's page, which is to open in a second
os.environ["PATH"] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "standin") + os.pathsep + os.environ["PATH"]  # of nvdisasm
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "clicks.js"), encoding="utf-8") as script:
    CLICKS = script.read()


def json_text(text):
    return re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1]


def page(net, name, *options):
    """The text of the page and what is in it; None where this machine can make none."""
    path = v.path(name + ".html")
    done = run([nnc, net, f"--explore={path}", *options])
    if without_cuda(done):
        v.skip(name, without_cuda(done))
        return None
    if not v.check(f"{name}: nnc --explore", done.returncode == 0 and not os.path.exists(v.path(os.path.basename(net)[:-4])), done.stderr):
        return None
    with open(path, encoding="utf-8") as f:
        text = f.read()
    data = json.loads(json_text(text))
    v.check(f"{name}: asks for nothing", not re.search(r'(?:src|href)="(?!data:)|url\(|@import|fetch\(', text.replace(json_text(text), "")))
    return path, text, data


def spread(runs):
    return [value for value, times in zip(runs[::2], runs[1::2]) for _ in range(times)]


def versions(data):
    """By pass: the lines of the IR, as the page makes them of edits."""
    made = []
    for p in data["passes"]:
        lines, edits, i = [], p["edits"], 0
        while i < len(edits):
            if edits[i] < 0:
                lines.append(-1 - edits[i])
                i += 1
            else:
                lines += made[-1][edits[i]:edits[i] + edits[i + 1]]
                i += 2
        made.append(lines)
    return made


def is_whole(name, net, text, data, *options):
    """Each part of the data against what nnc says elsewhere."""
    kinds = ("c", "cu") if data["target"] == "cuda" else ("c",)
    for kind, code in zip(kinds, data["code"]):
        emitted = run([nnc, net, f"--emit={kind}=-", *options]).stdout
        v.check(f"{name}: the code is that of --emit={kind}", code["lines"].rstrip("\n") == emitted.rstrip("\n"))
        v.check(f"{name}: what each line of {kind} is of", len(spread(code["of"])) == code["lines"].count("\n") + 1)
    dump = run([nnc, net, "--check", "--dump=all", *options]).stderr
    written = [(f"%{number} = " if number >= 0 else "") + text + data["ends"][end] for text, number, _, _, end in data["lines"]]
    dumped = [m[1] for m in re.finditer(r"^# training, after (\w+)", dump, re.M)]
    made = versions(data)
    dumped = [p for p in dumped if p != "add_copies"]  # which marks a program that needs none
    v.check(f"{name}: the passes are those of --dump=all", [p["name"] for p in data["passes"] if p["name"] != "add_copies"] == dumped, f"{dumped}\n{[p['name'] for p in data['passes']]}")
    nodes = re.search(r"^# training, after elaborate\n(.*?)^# ", dump + "# ", re.M | re.S)[1]
    first = [data["lines"][i] for i in made[0]]
    lost = [written[i] for i in made[0] if data["lines"][i][1] >= 0 and written[i].split(" = ", 1)[1].split("  of ")[0] not in nodes]
    v.check(f"{name}: its lines are whole", not lost, lost[:3])
    v.check(f"{name}: the first version is the network as it is written", len([x for x in first if x[1] >= 0]) == len(re.findall(r"^%\d+ = ", nodes, re.M)))
    numbers = [[data["lines"][i][1] for i in lines if data["lines"][i][1] >= 0] for lines in made]
    v.check(f"{name}: no two nodes of a version have one number", all(len(n) == len(set(n)) for n in numbers))
    last = {n for n in numbers[-1]}
    v.check(f"{name}: the nodes of the steps are in the last version", all(n in last for s in data["steps"] for n in s["nodes"]))
    if data["memory"]["buffers"]:
        at = data["memory"]["peak_step"]
        alive = sorted((b for b in data["memory"]["buffers"] if b[4] <= at <= b[5]), key=lambda b: -b[2])
        rows = re.findall(r'<tr><td class="wraps">(.*?)</td>', re.search(r'<table id="peak">(.*?)</table>', text, re.S)[1])
        v.check(f"{name}: the contents of the peak, the largest first", rows[0] == alive[0][0] and (len(rows) == len(alive) or rows[-1] == f"{len(alive) - 16} more"), rows)
        v.check(f"{name}: the most that lives at once is the bound", most_alive(data) == data["memory"]["bound"], f"{most_alive(data)} {data['memory']['bound']}")


def most_alive(data):
    """In bytes of the arena, where each begins at a multiple of 64."""
    return max(sum(-(-b[2] // 64) * 64 for b in data["memory"]["buffers"] if b[4] <= s <= b[5]) for s in range(len(data["steps"])))


def is_tied(name, data):
    """Every step has lines of code; every step whose code is compiled has instructions."""
    with_code, codes = set(), data["code"]
    for code in codes:
        for s in set(spread(code["of"])) - {-1}:
            with_code |= set(data["step_sets"][s])
    lost = [s["name"] for i, s in enumerate(data["steps"]) if i not in with_code]
    v.check(f"{name}: every step has code", not lost, lost[:5])
    read = {n for s in data["steps"] for n in s["reads"]}
    unread = [s["name"] for s in data["steps"] if s["phase"] in (0, 2) and s["reads"] and not read & set(s["nodes"])]
    v.check(f"{name}: what a step makes another reads, but for scores: else no path goes through it", not unread, unread[:5])
    sets = spread(codes[-1]["of"])
    names = [s["name"] for s in data["steps"]]
    for line, text in enumerate(codes[-1]["lines"].split("\n")):
        kernel = re.match(r'extern "C" __global__ .*?(\w+)\((?!\d)', text)
        if kernel and kernel[1] in names: # of whom no kernel beside it takes the line
            own = {names[i] for i in data["step_sets"][sets[line]]} if sets[line] >= 0 else set()
            v.check(f"{name}: {kernel[1]} is of its steps", kernel[1] in own, own)
    wanted = {i for s in set(sets) - {-1} for i in data["step_sets"][s]}
    for machine in data["machine"]:
        of = spread(machine["of"])
        v.check(f"{name}: a line of code for each of {machine['language']}", len(of) == machine["lines"].count("\n") + 1)
        compiled = {i for line in of if line > 0 and sets[line - 1] >= 0 for i in data["step_sets"][sets[line - 1]]}
        v.check(f"{name}: every step of {codes[-1]['name']} has {machine['language']}", compiled == wanted, [data["steps"][i]["name"] for i in wanted - compiled][:5])
    v.check(f"{name}: assembler, or PTX and SASS", [m["language"] for m in data["machine"]] == (["PTX", "SASS"] if data["target"] == "cuda" else ["assembler"]))


def browse(name, text, width=1280):
    """What clicks.js found; None where there is no browser."""
    if not CHROMIUM:
        v.skip(f"{name} in a browser", "no Chromium")
        return None
    path = v.path(f"{name}-clicked.html")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace("</body>", f"<script>{CLICKS}</script></body>"))
    done = run([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={v.path('chromium')}", f"--window-size={width},900",
                "--virtual-time-budget=600000", "--dump-dom", "file://" + path], timeout=280)
    found = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)
    if not v.check(f"{name} at {width}: the browser ends", found is not None, done.stderr[-500:]):
        return None
    found = json.loads(html.unescape(found[1]))
    v.check(f"{name} at {width}: no error, and the tables stand below", found["errors"] == [] and found["below"] > 300, f"{found['errors']} {found['below']}")
    v.check(f"{name} at {width}: no wider than the window, shapes have their numbers", found["wide"][0] <= found["wide"][1] and found["shapes"] == 0, f"{found['wide']} {found['shapes']}")
    return found


def lights(name, data, found):
    """Every line of the network that a step is of lights code and instructions, and is lit by them; every other says that it has none."""
    lines = {(data["files"][f]["name"], line) for f, line, *_ in data["places"]}
    shares = {s[0] for step in data["steps"] for s in step["shares"] if s[0] >= 0}
    for place in list(shares):
        while data["places"][place][2] >= 0:
            shares.add(place := data["places"][place][2])
    computed = {(data["files"][data["places"][p][0]]["name"], data["places"][p][1]) for p in shares}
    v.check(f"{name}: clicks on all lines", len(found["lines"]) == sum(len(f["lines"]) for f in data["files"]))
    for x in found["lines"]:
        at, where = (x["file"], x["number"]), f"{name}, {x['file']}:{x['number']}"
        if at in computed:
            v.check(f"{where}: code and instructions", x["code"] > 0 and x["asm"] > 0 and x["codeBack"] and x["asmBack"], x)
            v.check(f"{where}: IR", x["ir"] > 0 and x["irBack"], x)
        elif at not in lines:
            v.check(f"{where}: says that nothing is computed", x["code"] == 0 and "nothing is computed" in x["said"], x)
    v.check(f"{name}: what is lit is there to see", all(x["shown"] for x in found["lines"]), [x for x in found["lines"] if not x["shown"]][:2])
    joined = [x for x in found["lines"] if "not joined to" in x["nearly"]]
    missed = [line for line in data["story"].splitlines() if re.match(r"    (not|none of these \d+) joined", line)]
    v.check(f"{name}: lines say what nearly was one kernel with them", bool(joined) == bool(missed) and all(os.path.basename(x["file"]) + ":" in x["nearly"] for x in joined), joined[:2])
    fused = [p[3] for p in found["passes"] if p[0].endswith(" fuse")]
    v.check(f"{name}: the slider says at fuse what nearly was one kernel", all(("nearly joined" in text) == bool(missed) for text in fused), fused)
    changes = [p[2] for p in found["passes"]]
    v.check(f"{name}: the slider shows what each pass changed", len(changes) == len(data["passes"]) and changes[0] == 0, changes)


def all_of(net, name, *options):
    made = page(net, name, *options)
    if not made:
        return None
    path, text, data = made
    is_whole(name, net, text, data, *options)
    is_tied(name, data)
    found = browse(name, text)
    if found:
        lights(name, data, found)
    return made


def model(name):
    return os.path.join(ROOT, "models", name + ".net")


def hostile():
    """No text of a file becomes a part of the page."""
    net = v.path("hostile.net")
    with open(net, "w", encoding="utf-8") as f:
        f.write("# </script><script>alert(1)</script> <!-- <b>\nmodel m {\n    input x: f32[8]\n    target t: class[4]\n    loss cross_entropy(x -> dense(4), t)\n}\n"
                "train m {\n    data \"synth:random\"\n    batch 8\n}\n")
    made = all_of(net, "hostile", "--library=none")
    if made:
        v.check("hostile: its text is no element", "<script>alert" not in made[1] and made[1].count("<script") == 4)
    data = v.path("hostile.json")
    done = run([nnc, net, f"--explore={data}", "--library=none"])
    with open(data, encoding="utf-8") as f:
        v.check("--explore=FILE.json: the same data alone", done.returncode == 0 and json.load(f) == made[2], done.stderr)
    done = run([nnc, net, f"--explore={net}"])
    v.check("--explore over the source: status 2", done.returncode == 2 and "overwrite the source" in done.stderr, done.stderr)


def measured():
    """`profile --into`: times on the lines of the page of the same program, and of no other."""
    net, other = model("mnist_cnn"), v.path("other.html")
    path, exe = v.path("timed.html"), v.path("train_timed")
    done = run([nnc, net, f"--explore={path}", "--library=none", "-o", exe])
    v.check("--explore with -o: page and trainer", done.returncode == 0 and os.path.exists(exe) and os.path.exists(path), done.stderr)
    run([nnc, net, f"--explore={other}", "--library=none", "--set", "batch=64"])
    before = open_text(other)
    done = run([exe, "profile", "--data", "synth:digits,samples=300", "--steps", "3", "--into", other])
    v.check("the page of another program: status 2, and it stays", done.returncode == 2 and "another program" in done.stderr and open_text(other) == before, done.stderr)
    with open(v.path("no.html"), "w", encoding="utf-8") as f:
        f.write("<p>mine</p>")
    done = run([exe, "profile", "--data", "synth:digits,samples=300", "--into", v.path("no.html")])
    v.check("no page of --explore: status 2, and it stays", done.returncode == 2 and "no page of --explore" in done.stderr and open_text(v.path("no.html")) == "<p>mine</p>", done.stderr)
    for steps in ("3", "4"):
        done = run([exe, "profile", "--data", "synth:digits,samples=300", "--steps", steps, "--into", path])
        v.check("profile --into PAGE.html", done.returncode == 0, done.stderr)
    text = open_text(path)
    timed = re.findall(r'<script type="application/json" id="measured">(.*?)</script>', text, re.S)
    v.check("one profile, the last", len(timed) == 1 and json.loads(timed[0])["steps"] == 4)
    v.check("a table without scripts", text.count("Where the time goes") == 1 and "mnist_cnn.net:12" in text)
    found = browse("timed", text)
    if found:
        conv = [x for x in found["lines"] if x["file"] == "mnist_cnn.net" and x["number"] == 12]
        v.check("the roofline has a point for each step with work", found["points"] == len([s for s, x in zip(json.loads(json_text(text))["steps"], json.loads(timed[0])["program"]) if s["flops"] > 0 and s["bytes"] > 0 and x["ns"] > 0]) > 5, found["points"])
        v.check("bars of forward, backward and update have their colours", found["bars"] == 3, found["bars"])
        line = json.loads(timed[0])["timeline"]
        v.check("the timeline is of the turn of median length", 1 <= line["turn"] <= line["turns"] == 4 and all(0 <= e[2] and e[2] + e[3] <= line["ns"] and e[1] == 0 for e in line["events"]), line)
        v.check("advice by measured times alone", found["advice"] and all(re.search(r"\d %", x) or "Nothing" in x for x in found["advice"]), found["advice"])
        v.check("an event drawn for each, and the critical path of one track is all of them", found["timeline"] == [len(line["events"])] * 2, found["timeline"])
        v.check("times on a line, and said of it", conv and "measured" in conv[0]["said"] and "of the roof" in conv[0]["said"] and conv[0]["cost"].endswith("s"), conv)


def tuned():
    """What a CUDA trainer says in its profile of the plans it tried (tests/cuda/products.c has such a record): why this one, for two runs, too."""
    net, text = model("mnist_cnn"), {}
    run([nnc, net, f"--explore={v.path('tuned.html')}", "--library=none", "-o", v.path("train_tuned")])
    run([v.path("train_tuned"), "profile", "--data", "synth:digits,samples=300", "--steps", "2", "--into", v.path("tuned.html")])
    for name, plan, us in (("was", "engine=5", 24.0), ("now", "engine=7", 12.0)):
        entry = {"steps": [1, 2], "library": "cuDNN", "key": "fprop f32 <x>", "us": us, "runner_up_us": 25.0, "first_us": 30.0, "candidates": 9, "complete": name == "now",
                 "tried": [[us, plan], [25.0, "engine=4"], [30.0, "engine=1"]]}
        text[name] = open_text(v.path("tuned.html")).replace('"tuning": []', '"tuning": ' + json.dumps([entry]).replace("<", "\\u003c"))
        v.check(f"tuning: the profile of the CPU has none, {name}", text[name] != open_text(v.path("tuned.html")))
        end = int(re.search(r'"ns": (\d+), "tracks"', text[name])[1])  # when the gather of the next batch is under way
        text[name] = text[name].replace(']},\n "tuning"', f',[-2,2,{end - 1000},900]]}},\n "tuning"')
        with open(v.path(f"tuned-{name}.html"), "w", encoding="utf-8") as f:
            f.write(text[name])
    found = browse("tuned", text["now"])
    if found:
        row = found["tuning"][0] if found["tuning"] else ""
        v.check("the critical path ends with the last step, where something runs beside it", found["timeline"][1] == found["timeline"][0] - 1 > 5, found["timeline"])
        v.check("tuning: the operation, its line, what was tried, and why this one", len(found["tuning"]) == 1 and all(x in row for x in (
            "fprop f32 <x>", "mnist_cnn.net:", "12.0 µs", "fastest of 9", "52.0 % less than the next", "60.0 % less than the first", "engine=4", "30.0 µs engine=1")), row)
    done = run([nnc, "compare", v.path("tuned-was.html"), v.path("tuned-now.html"), "-o", v.path("tuned-both.html")])
    found = v.check("tuning: nnc compare", done.returncode == 0, done.stderr) and browse("tuned-both", open_text(v.path("tuned-both.html")))
    if found:
        run([nnc, "compare", v.path("tuned-was.html"), v.path("tuned-now.html"), "-o", v.path("tuned.json")])
        told = json.loads(open_text(v.path("tuned.json")))
        v.check("compare in JSON: by measured times, with what was tuned", told["by"] == "measured" and [told[x]["measured"]["tuning"][0]["us"] for x in ("before", "after")] == [24, 12] and
                told["whole_before"] == told["whole_after"] > 0 and told["lines"] == [], (told["by"], told["lines"][:2]))
        v.check("tuning: its time and plan before", "24.0 µs" in found["tuning"][0] and "before another: engine=5" in found["tuning"][0], found["tuning"])


def advised():
    """What would help most: parts of steps that there are, the line of the setting; on the GPU by forecast, from the most on."""
    net, target = model("lstm_digits"), ("--target=cuda",)
    made = page(net, "advised", *target) or page(net, "advised")
    _, text, data = made
    for x in data["advice"]:
        v.check(f"advice {x['change']}: parts of steps", x["saves"] and all(-2 <= s < len(data["steps"]) and 0 < part <= 1 for s, part in x["saves"]), x)
        line = open_text(net).splitlines()[x["line"] - 1].split()[0] if x["file"] else ""
        v.check(f"advice {x['change']}: its line", line in ("", "batch", "clip", "data", "precision", "optimizer"), line)
    v.check("a larger batch, clipping and waiting for data", {"batch 128", "no clip"} <= {x["change"] for x in data["advice"]}, data["advice"])
    wide = v.path("wide.net")
    with open(wide, "w", encoding="utf-8") as f:
        f.write(open_text(model("mnist_cnn")).replace("conv(16, 3", "conv(18, 3"))
    odd = page(wide, "wide", "--library=none")
    said = [x for x in odd[2]["advice"] if "channels" in x["change"]]
    v.check("advice: 18 channels are computed as 24, and 10 classes are what the data have", [x["change"] for x in said] == ["16 channels"] and
            "conv(18, 3" in open_text(wide).splitlines()[said[0]["line"] - 1] and all(abs(part - 8 / 24) < 1e-3 for _, part in said[0]["saves"]), said)
    idle = [x for x in odd[2]["advice"] if x["of_idle"]]
    v.check("advice: threads, of every step", len(idle) == 1 and len(idle[0]["saves"]) == len(odd[2]["steps"]), idle)
    table = re.search(r'<table id="advice">(.*?)</table>', text, re.S)[1]
    gains = [float(x) for x in re.findall(r"<td>([\d.]+) %</td>", table)]
    v.check("gains of a forecast, the largest first", gains == sorted(gains, reverse=True) and bool(gains) == (data["target"] == "cuda") and ("forecast" in text) >= bool(gains), gains)


def compared():
    """`nnc compare`: an edited line and a pass that is left out are said, by line and by name; neither page is changed."""
    net, was, now, both = v.path("mnist_cnn.net"), v.path("was.html"), v.path("now.html"), v.path("both.html")
    with open(net, "w", encoding="utf-8") as f:
        f.write("# a line above\n" + open_text(model("mnist_cnn")).replace("conv(16, 3", "conv(24, 3").replace("maxpool(2)", "maxpool(2) # </script>"))
    run([nnc, model("mnist_cnn"), "--library=none", f"--explore={was}", "-fno-fuse"])
    run([nnc, net, "--library=none", f"--explore={now}", "--set", "batch=64"])
    pages = open_text(was), open_text(now)
    done = run([nnc, "compare", was, now, "-o", both])
    v.check("nnc compare", done.returncode == 0 and (open_text(was), open_text(now)) == pages, done.stderr)
    v.check("a comparison is the later page, the earlier one's data and what differs, whose texts end no element", open_text(both).count("<script") ==
            open_text(both).count("</script") == pages[1].count("<script") + 2 and json_text(pages[0]) in open_text(both))
    done = run([nnc, "compare", was, now, "-o", v.path("both.json")])
    if v.check("nnc compare -o FILE.json", done.returncode == 0, done.stderr):
        told = json.loads(open_text(v.path("both.json")))
        worst = max(told["lines"], key=lambda x: abs(x["by"]))
        v.check("compare in JSON: the edited line, with what it was", (worst["before"]["line"], worst["after"]["line"]) == (12, 13) and "conv(16" in worst["before"]["text"] and
                "conv(24" in worst["after"]["text"] and worst["by"] > 0 and abs(worst["by"] - worst["after"]["cost"] + worst["before"]["cost"]) <= 1e-4 * worst["by"], worst)
        v.check("compare in JSON: sums of lines are those of steps", told["by"] == "flops" and told["whole_after"] > told["whole_before"] > 0 and
                abs(told["whole_after"] - sum(s["flops"] for s in told["after"]["data"]["steps"])) <= 1e-4 * told["whole_after"], told["by"])
        v.check("compare in JSON: the pass that was left out, and both pages", {"rule": "fuse", "before": 0, "after": 1} in told["rules"] and
                told["before"]["data"] == json.loads(json_text(pages[0])) and told["after"]["measured"] is None, told["rules"])
    found = browse("compared", open_text(both))
    if found:
        v.check("the edited line is first, with what it was and is", "mnist_cnn.net:13" in found["compared"][1] and "conv_bias_relu" in found["compared"][1], found["compared"])
        v.check("the pass that was left out", any(x.startswith("fuse no yes") for x in found["compared"]), found["compared"])
        v.check("what is new in the .net is marked", len(found["since"]) == 2 and "conv(24, 3" in found["since"][1], found["since"])
    for wrong, words in (([was], "takes two pages"), ([net, now], "is no page"), ([was, both], "is a comparison")):
        done = run([nnc, "compare", *wrong, "-o", v.path("wrong.html")])
        v.check(f"compare: {words}", done.returncode == 2 and words in done.stderr and not os.path.exists(v.path("wrong.html")), done.stderr)
    done = run([nnc, "compare", was, now, "-o", now])
    v.check("compare onto one of the pages: status 2", done.returncode == 2 and open_text(now) == pages[1], done.stderr)


def told_once():
    """-Rfusion says what is alike once: of a deep network it stays a page, in every precision."""
    for name in ("resnet50", "gpt2"):
        for precision in ("fp32", "tf32", "bf16"):
            told = run([nnc, model(name), "--check", "-Rfusion", "--target=cuda", "--set", f"precision={precision}"])
            if without_cuda(told):
                v.skip(f"-Rfusion of {name}", without_cuda(told))
                return
            lines = told.stderr.splitlines()
            v.check(f"-Rfusion of {name} in {precision}: at most 80 lines", told.returncode == 0 and 20 < len(lines) <= 80, f"{len(lines)} lines")


def open_text(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


all_of(model("resnet50"), "resnet50")
all_of(model("mnist_cnn"), "mnist_cnn", "--library=none")
all_of(model("mnist_cnn"), "mnist_cnn on chip", "--target=cuda")
all_of(model("lstm_digits"), "lstm_digits", "--target=cuda")
gpt2 = page(model("gpt2"), "gpt2", "--set", "precision=bf16", "--target=cuda")
if gpt2:
    is_tied("gpt2", gpt2[2])
    v.check("gpt2: at most 3 MiB", len(gpt2[1].encode()) <= MOST_BYTES, len(gpt2[1].encode()))
    phone = browse("gpt2", gpt2[1], width=500)
    if phone:
        v.check("gpt2: opens with few elements: pieces of columns and their rows in view; tables are read later", phone["elements"] <= MOST_ELEMENTS, phone["elements"])
told_once()
tuned()
advised()
compared()
hostile()
measured()
v.finish()
