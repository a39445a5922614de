#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""green.py on repositories made for it: which commits count, which record is taken, and what it can't know is skipped."""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from verdict import Verdict, run  # noqa: E402

v = Verdict("gpu, the last green run")
repository, numbers = v.path("repository"), iter(range(1000))


def git(*words):
    own = ["-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *own, *words], capture_output=True, text=True, cwd=repository, check=True).stdout.strip()


def commit(path):
    """One that changes the file; its name."""
    full = os.path.join(repository, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "a") as f:
        f.write(f"{next(numbers)}\n")
    git("add", path)
    git("commit", "-qm", path)
    return git("rev-parse", "HEAD")


def record(name, **fields):
    """Committed, as a run leaves it, with the line of a stage ahead of it."""
    path = os.path.join(repository, "bench", "results", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    line = {"whole": True, "date": "2026-01-02", "gpu": "a GPU, 1.0", "passed": 7, "failed": 0, "skipped": 1, **fields}
    with open(path, "w") as f:
        f.write(json.dumps({"stage": "models", "passed": 7, "failed": 0, "done": ["models"], "commit": fields["commit"]}) + "\n")
        f.write(json.dumps(line) + "\n")
    git("add", "-A")
    git("commit", "-qm", "record")


def expect(what, status, says, where=repository):
    done = run([sys.executable, os.path.join(HERE, "green.py"), where])
    v.check(what, done.returncode == status and says in done.stdout, f"status {done.returncode}: {done.stdout}{done.stderr}")


if not shutil.which("git"):
    v.skip("records and histories", "git is not installed")
    v.finish()
os.makedirs(repository)
expect("no history", 77, "no git history")
git("init", "-q", "-b", "main")
first = commit("runtime/cuda/nnr_reduce.h")
expect("no record", 77, "has no record")
record("2026-01-01-gpu-suite.jsonl", commit="0" * 40)
expect("a record of another history", 77, "is in this history")
record("2026-01-02-gpu-suite.jsonl", commit=first)
expect("the commit itself", 0, f"green at {first[:8]} (2026-01-02, a GPU, 1.0): 7 passed; 0 commits since")
for path in ("compiler/front/parser.c", "runtime/host/json.c", "tests/gpu/README.md", "compiler/codegen/loops_cpu.c", "README.md"):
    commit(path)
expect("what runs on no GPU does not count", 0, "; 0 commits since")
for path in ("compiler/codegen/emit.c", "compiler/passes/fuse.c", "compiler/ops/matmul.c", "tests/gpu/case.c", "runtime/cuda/plan.c"):
    commit(path)
git("checkout", "-qb", "side")
commit("runtime/nnr.h")
git("checkout", "-q", "main")
commit("README.md")
git("merge", "-q", "--no-ff", "-m", "merge", "side")
expect("what does counts, a merge does not", 0, "; 6 commits since")
for _ in range(24):
    last = commit("compiler/toolchain/nvrtc.c")
expect("30 are allowed", 0, "; 30 commits since")
red = commit("compiler/driver/driver.c")
expect("31 are not", 1, "FAIL that is more than 30")
record("2026-01-04-gpu-suite.jsonl", commit=red, failed=1)
record("2026-01-05-gpu-suite.jsonl", commit=red, whole=False)
expect("a red run, or a part of one, is none", 1, "; 31 commits since")
record("2026-01-03-gpu-suite.jsonl", commit=last)
expect("the latest commit counts, not the latest file", 0, f"green at {last[:8]}")
subprocess.run(["git", "clone", "-q", "--depth", "3", "file://" + repository, v.path("cut")], check=True)
expect("a cut history", 77, "the history is cut", v.path("cut"))
v.finish()
