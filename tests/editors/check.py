#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Grammars for editors: their words are nnc's own, and vim shows them as what they are.

    check.py NNC        editors/textmate.mjs reads the TextMate grammar as editors do
"""
import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict, run  # noqa: E402

nnc = os.path.abspath(sys.argv[1])
v = Verdict("lang, editors")


def words():
    """By the kind of word; keywords are read in the source of the scanner."""
    with open(os.path.join(ROOT, "compiler/front/lexer.l"), encoding="utf-8") as f:
        table = f.read().split("keywords[] = {")[1].split("};")[0]
    operators = run([nnc, "--print=operators"]).stdout.split("Operators inside")[0]
    return {"keyword.control": set(re.findall(r'\{"(\w+)"', table)),
            "support.function": set(re.findall(r"^  (\w+) ", operators, flags=re.M)),
            "optimizer": set(re.findall(r"^(\w+)\(", run([nnc, "--print=optimizers"]).stdout, flags=re.M)),
            "setting": set(re.search(r"Settings of a recipe\n +(.*)", run([nnc, "help"]).stdout).group(1).split())}


def in_textmate(wanted):
    grammar = json.loads(run([nnc, "--manual=textmate"]).stdout)
    kept = grammar["repository"]

    def alternatives(part, scope):
        match = [p["match"] for p in kept[part]["patterns"] if p.get("name") == scope + ".nnc"][0]
        return set(re.search(r"\(\?:([\w|]+)\)", match).group(1).split("|"))

    found = {"keyword.control": alternatives("words", "keyword.control"), "support.function": alternatives("all", "support.function"),
             "optimizer": alternatives("recipe", "support.function"), "setting": alternatives("recipe", "support.type.property-name")}
    for kind, names in wanted.items():
        more = found[kind] - names
        v.check(f"TextMate: {kind}, all of nnc's words", len(names) > 4 and names <= found[kind], names - found[kind])
        v.check(f"TextMate: {kind}, no others", not more or kind == "support.function" and "range" in more, more)
    for part in kept.values():
        for p in part["patterns"]:
            if "match" in p:
                re.compile(p["match"])


def in_vim(wanted):
    if not shutil.which("vim"):
        v.skip("vim shows nnc's words", "vim is not installed")
        return
    syntax, text = v.path("nnc.vim"), v.path("m.net")
    with open(syntax, "w", encoding="utf-8") as f:
        f.write(run([nnc, "--manual=vim"]).stdout)
    rows = [(f"  {w}", 3, "nncKeyword") for w in wanted["keyword.control"]]
    # a type is one where it is called, too
    rows += [(f"  y = x -> {w}(3)", 12, "nncType" if w == "f32" else "nncFunction") for w in wanted["support.function"]]
    rows += [("  # conv", 5, "nncComment"), ('  a = "conv"', 9, "nncString"), ("  f(scale = 2)", 5, ""), ("  rate 5ep", 8, "nncNumber"), ("train m {", 1, "nncKeyword")]
    rows += [(f"    {w} 3", 5, "nncSetting") for w in sorted(wanted["setting"])]
    rows += [(f"    optimizer {w}()", 15, "nncOptimizer") for w in sorted(wanted["optimizer"])]
    rows += [("}", 1, ""), ("  x -> conv(3)", 8, "nncFunction")]
    with open(text, "w", encoding="utf-8") as f:
        f.write("\n".join(line for line, _, _ in rows) + "\n")
    script = v.path("ask.vim")
    asks = [f"call add(g:found, synIDattr(synID({i + 1}, {column}, 1), 'name'))" for i, (_, column, _) in enumerate(rows)]
    with open(script, "w", encoding="utf-8") as f:
        f.write("\n".join(["let g:found = []", "syntax on", f"source {syntax}", "syntax sync fromstart", *asks, f"call writefile(g:found, '{v.path('found')}')", "qall!"]) + "\n")
    run(["vim", "-u", "NONE", "-es", text, "-S", script], timeout=60, env={"HOME": v.folder})
    with open(v.path("found"), encoding="utf-8") as f:
        found = f.read().split("\n")[:len(rows)]
    wrong = [(line, name, group) for (line, _, group), name in zip(rows, found) if name != group and not (line.strip() == "train" and name == "nncKeyword")]
    v.check("vim shows nnc's words", len(found) == len(rows) and not wrong, wrong[:10])


all_words = words()
in_textmate(all_words)
in_vim(all_words)
v.finish()
