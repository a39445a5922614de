#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every source file says its licence: spdx.py [--add]

A source is what is compiled or run: by its suffix, or by `#!`. Its first line, or the one after `#!`, is a comment with
SPDX-License-Identifier: MIT. --add writes it where it is missing. What nnc writes (generated/) has its own head; networks and other data
have none, for goldens name their lines.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import ROOT, Verdict

LINE = "SPDX-License-Identifier: MIT"
C = {".c", ".h", ".cpp", ".cu", ".y", ".l", ".def", ".js", ".css"}
HASH = {".py", ".awk", ".rules", ".build"}
SLASHES = {".mjs"}
NOT_OURS = {"generated", "__pycache__", "debian"}  # debian/copyright speaks for its folder


def sources():
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [f for f in folders if f not in NOT_OURS and not f.startswith("build") and (not f.startswith(".") or f == ".ci") and f != "shared"]
        for file in sorted(files):
            path, suffix = os.path.join(folder, file), os.path.splitext(file)[1]
            if suffix in C | HASH | SLASHES:
                yield path, suffix
            elif not suffix and os.path.isfile(path):
                with open(path, "rb") as f:
                    if f.read(2) == b"#!":
                        yield path, ".py"


def comment(suffix):
    return f"/* {LINE} */\n" if suffix in C else f"// {LINE}\n" if suffix in SLASHES else f"# {LINE}\n"


def main():
    v = Verdict("spdx")
    found = 0
    for path, suffix in sources():
        with open(path, encoding="utf-8", newline="") as f:
            lines = f.read().splitlines(keepends=True)
        at = 1 if lines and lines[0].startswith("#!") else 0
        found += 1
        has = len(lines) > at and lines[at] == comment(suffix)
        if not has and "--add" in sys.argv:
            with open(path, "w", encoding="utf-8", newline="") as f:
                f.write("".join(lines[:at] + [comment(suffix)] + lines[at:]))
        elif not has:
            v.check(os.path.relpath(path, ROOT), False, f"line {at + 1} is not `{comment(suffix).strip()}`; tests/gen/spdx.py --add writes it")
    v.check("there are sources", found > 500, found)
    v.finish()


main()
