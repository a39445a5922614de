#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A mistyped name is no test that passes: unknown.py GRADIENTS LOOPS RULES RANDOM

Each program is called with a name that is none of its own, alone and beside one that is. It ends with status 2 and says which.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from verdict import Verdict, run

v = Verdict("ops, unknown")
gradients, loops, rules, random = sys.argv[1:]
for words in ([gradients, "nosuch"], [gradients, "relu", "nosuch"], [loops, "nosuch"], [loops, "--cuda", "nosuch"], [rules, "1", "1", "nosuch"],
              [random, "1", "1", "1", "nosuch"], [random, "1", "1", "1", "fuse", "nosuch"]):
    done = run(words)
    what = " ".join([os.path.basename(words[0]), *words[1:]])
    v.check(what, done.returncode == 2 and "`nosuch` is no " in done.stderr and "passed" not in done.stdout, f"{done.returncode}: {done.stdout} {done.stderr}")
done = run([gradients, "relu"])
v.check("gradients relu", done.returncode == 0 and " 0 failed" in done.stdout and " 0 passed" not in done.stdout, done.stdout + done.stderr)
v.finish()
