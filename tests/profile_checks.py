# SPDX-License-Identifier: MIT
"""What holds of every profile, on the CPU and on a GPU."""
import re

PHASES = ("forward", "loss", "backward", "update")
# Kernels by which cuDNN, and oneDNN as the runtime says it, lay activations out anew.
CONVERSIONS = r"(?i)nchwToNhwc|nhwcToNchw|convertTensor|transpose_readWrite|images reordered"


def check_whole(v, name, p, steps):
    parts = [p["data_ns"], p["other_ns"], p["between_ns"]] + [p[phase + "_ns"] for phase in PHASES]
    v.check(f"{name}: the parts are the whole", sum(parts) == p["total_ns"] > 0, f"{parts} {p['total_ns']}")
    v.check(f"{name}: so many steps", p["steps"] == steps)
    of_lines = sum(line["own_ns"] for line in p["lines"])
    of_phases = sum(p[phase + "_ns"] for phase in PHASES)
    v.check(f"{name}: what is of a phase is of a line", of_lines == of_phases, f"{of_lines} {of_phases}")
    v.check(f"{name}: as much as the steps took", sum(s["ns"] for s in p["program"]) == of_phases)
    top = p["lines"][0]["file"]
    with_blocks = sum(line[phase + "_ns"] for line in p["lines"] if line["file"] == top for phase in PHASES)
    v.check(f"{name}: the model's lines are all of it", with_blocks == of_phases, f"{with_blocks} {of_phases}")
    for work in ("flops", "bytes"):
        of_steps, of_top = sum(s[work] for s in p["program"]), sum(line[work] for line in p["lines"] if line["file"] == top)
        v.check(f"{name}: {work} of the steps are of lines", abs(of_top - of_steps) <= 1e-9*of_steps, f"{of_top} {of_steps}")
    v.check(f"{name}: peaks", p["peak_flops"] > 1e8 and p["peak_bytes"] > 1e7)
    for phase in PHASES:
        v.check(f"{name}: there is a {phase}", p[phase + "_ns"] > 0)
    for line in p["lines"]:
        begins = line["text"].split()[:1]
        timed = {phase for phase in PHASES if line[phase + "_ns"] > 0}
        if begins in (["loss"], ["metric"]):
            v.check(f"{name}: `{line['text'].strip()}` is the loss's", timed and timed <= {"loss", "backward"}, timed)
        elif begins == ["optimizer"] and line["named_ns"]:
            v.check(f"{name}: the optimizer's line names the update", not timed and line["named_ns"] == p["update_ns"])
        elif begins in (["input"], ["target"], ["}"], ["train"]):
            v.check(f"{name}: `{line['text'].strip()}` takes no time", not timed)


def check_trace(v, name, p, events, steps, tracks):
    spans = [e for e in events if e["ph"] == "X"]
    names = {e["args"]["name"] for e in events if e["ph"] == "M"}
    v.check(f"{name}: the trace names its threads", {p["model"], *tracks} <= names, names)
    v.check(f"{name}: spans last", spans and all(e["dur"] > 0 and e["ts"] >= 0 for e in spans))
    order = [(e["tid"], e["ts"], -e["dur"]) for e in spans]
    v.check(f"{name}: spans are sorted", order == sorted(order))
    depth, open_spans, wrong = {"step": 0, "region": 1, "layer": 2, "kernel": 3}, [], []
    for e in spans:
        end = round(1000 * (e["ts"] + e["dur"]))
        while open_spans and (open_spans[-1][0] <= round(1000 * e["ts"]) or open_spans[-1][2] != e["tid"]):
            open_spans.pop()
        around = open_spans[-1] if open_spans else None
        if not around and (e["cat"] == "step" if e["tid"] == 1 else e["cat"] == "region"):  # steps are on the first track
            pass
        elif e["cat"] == "step" or not around or end > around[0] or depth[around[1]] >= depth[e["cat"]]:
            wrong.append(e)
        open_spans.append((end, e["cat"], e["tid"]))
    v.check(f"{name}: spans are nested", not wrong, wrong[:2])
    regions = {e["name"] for e in spans if e["cat"] == "region"}
    wanted = {s["phase"] for s in p["program"]}
    v.check(f"{name}: regions", wanted <= regions <= wanted | {"data", "other"}, regions)
    functions = {s["name"] for s in p["program"]}
    scopes = {share["scope"] for s in p["program"] for share in s["shares"]}
    lines = {line["text"].strip() for line in p["lines"]}
    kernels = [e for e in spans if e["cat"] == "kernel" and "args" in e]
    v.check(f"{name}: kernels are the program's", {e["args"]["computes"] for e in kernels} == functions)
    v.check(f"{name}: layers are the model's", {e["name"] for e in spans if e["cat"] == "layer"} <= scopes | lines)
    v.check(f"{name}: every step is there", sum(e["cat"] == "step" for e in spans) == steps)
    converts = [e for e in kernels if e["args"]["converts"] or re.search(CONVERSIONS, e["name"])]
    v.check(f"{name}: no activation is laid out anew", not converts, converts[:2])
