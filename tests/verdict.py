# SPDX-License-Identifier: MIT
"""What the Python tests share: counting, running, and the closing line."""
import array
import atexit
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Real images; tests that need them skip without.
DATA = os.environ.get("NNC_DATA") or os.path.join(os.path.dirname(ROOT), "shared", "data")


class Verdict:
    def __init__(self, name):
        self.name, self.passed, self.failed, self.skipped = name, 0, 0, 0
        self.folder = tempfile.mkdtemp(prefix="nnc-test-")
        if not os.environ.get("NNC_TEST_KEEP"):
            atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
        self.begun, self.lock = time.monotonic(), threading.Lock()  # of counts and lines: checks may come from several threads

    def check(self, what, holds, detail=""):
        with self.lock:
            self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
            if not holds:
                # indented, so that the closing line of a program that is quoted is none of ours
                quoted = str(detail).strip()[-1500:].replace("\n", "\n    ")
                print(f"FAIL {what}" + (f": {quoted}" if detail != "" else ""), flush=True)
        return holds

    def skip(self, what, why):
        with self.lock:
            self.skipped += 1
            print(f"skip {what}: {why}", flush=True)

    def say(self, line):
        with self.lock:
            print(line, flush=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def finish(self):
        if os.environ.get("NNC_TEST_KEEP"):
            print(f"kept {self.folder}")
        print(f"{self.name}: {self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        sys.exit(1 if self.failed else 0)


def run(args, timeout=300, env=None, cwd=None):
    """The finished process; status 124 when it ran past `timeout`."""
    full = {**os.environ, **(env or {})}
    try:
        return subprocess.run(args, capture_output=True, text=True, errors="replace", timeout=timeout, env=full, cwd=cwd)
    except subprocess.TimeoutExpired as e:
        return subprocess.CompletedProcess(args, 124, e.stdout or "", f"no end within {timeout} s")


def json_lines(path):
    """The objects of a log, one a line."""
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def without_cuda(done):
    """Why nnc can make no trainer for CUDA here, or None: the process `done` did not end for want of NVRTC or of the runtime's CUDA part."""
    said = done.stderr.strip()
    return said.splitlines()[0] if done.returncode == 3 and ("needs NVRTC" in said or "the CUDA runtime" in said) else None


def build(verdict, nnc, source, name, *options, env=None):
    """Compiles a .net file to a trainer in the test's folder and returns its path, or None after a failure."""
    exe = verdict.path(name)
    done = run([nnc, source, "-o", exe, *options], env=env)
    ok = verdict.check(f"nnc {os.path.basename(source)} {' '.join(options)}", done.returncode == 0, done.stderr)
    return exe if ok else None


def bmp(width, height, grey):
    rows = (bytes([grey] * 3 * width) + b"\0" * (-3 * width % 4)) * height
    return struct.pack("<2sIIIIiiHHIIiiII", b"BM", 54 + len(rows), 0, 54, 40, width, height, 1, 24, 0, len(rows), 0, 0, 0, 0) + rows


def put_images(folder, classes):
    """Folders of classes: 26 images of 28x28 each to train on and 4 held out, the greyer the later."""
    for part, count in (("train", 26), ("test", 4)):
        for index, name in enumerate(classes):
            os.makedirs(os.path.join(folder, part, name))
            for i in range(count):
                with open(os.path.join(folder, part, name, f"{i}.bmp"), "wb") as f:
                    f.write(bmp(28, 28, 25 * index % 250 + i % 5))


def ranks_of(p):
    """Process numbers of the ranks that `p` has started."""
    with open(f"/proc/{p.pid}/task/{p.pid}/children") as f:
        return [int(x) for x in f.read().split()]


def lives(number):
    """A zombie, whose parent has died before it, has ended."""
    try:
        with open(f"/proc/{number}/stat") as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def weights(path):
    """All f32 numbers of a file of weights."""
    with open(path, "rb") as f:
        data = f.read()
    return array.array("f", data[8 + struct.unpack("<Q", data[:8])[0]:])
