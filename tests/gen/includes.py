#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The houses of the compiler and of the runtime have no circle: includes.py [--print]

What a file includes lies below it. Reads each #include of base/, compiler/ and runtime/, a .c and its .h taken as one file, and
fails where folders include one another in a circle, where more than MOST files do within a folder, and where two headers have one
guard. --print: the folders from the bottom up, with what each includes.
"""
import collections
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict

MOST = 6


def read():
    """By file without suffix, those that it includes; and by guard, the headers that have it."""
    found = {os.path.relpath(p, top): p for top in (ROOT, os.path.join(ROOT, "compiler"))
             for part in (("base", "runtime/**") if top == ROOT else ("**",))
             for p in glob.glob(os.path.join(top, part, "*.[chyl]"), recursive=True)}
    paths = sorted(found)
    includes, guards, twice = {p[:-2]: set() for p in paths}, collections.defaultdict(list), set()
    for path in paths:
        with open(found[path], encoding="utf-8") as f:
            text = f.read()
        for name in re.findall(r'^#include "([\w/]+)\.h"', text, re.M):
            if name in includes and name != path[:-2]:
                includes[path[:-2]].add(name)
        named = collections.Counter(re.findall(r'^#include "([\w/]+\.h)"', text, re.M))
        twice |= {os.path.basename(name) for name, count in named.items() if count > 1}  # the same for several types
        guard = re.search(r"^#ifndef (NN[CR](?:_\w+)?_H)$", text, re.M)
        if path.endswith(".h"):
            guards[guard[1] if guard else ""].append(path)
    guards[""] = [path for path in guards[""] if os.path.basename(path) not in twice]
    return includes, {guard: headers for guard, headers in guards.items() if headers}


def circles(edges):
    """The strongly connected sets of more than one, by Tarjan's algorithm; and all sets, what is included first."""
    index, low, stack, order = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in sorted(edges.get(v, ())):
            if w not in index:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == index[v]:
            at = stack.index(v)
            order.append(sorted(stack[at:]))
            del stack[at:]

    for v in sorted(edges):
        if v not in index:
            visit(v)
    return [c for c in order if len(c) > 1], order


includes, guards = read()
folders = collections.defaultdict(set)
for file, names in includes.items():
    folder = os.path.dirname(file)
    for other in {os.path.dirname(n) for n in names} - {folder}:
        folders[folder].add(other)
in_circles, order = circles(folders)
if "--print" in sys.argv[1:]:
    for (folder,) in order:
        print(f"{folder or '.'}: {' '.join(sorted(folders[folder]))}")
    sys.exit()
v = Verdict("includes")
v.check("no circle of folders", not in_circles, "; ".join(" ".join(c) for c in in_circles))
for circle in circles(includes)[0]:
    v.check(f"a circle of at most {MOST} files", len(circle) <= MOST, " ".join(circle))
for guard, headers in sorted(guards.items()):
    v.check(f"{headers[0]} has a guard of its own", guard and len(headers) == 1, f"{guard or 'no guard'}: {' '.join(headers)}")
v.finish()
