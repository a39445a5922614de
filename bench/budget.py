# SPDX-License-Identifier: MIT
"""What bench/gpu, bench/accuracy and tests/gpu/run share: a call's wall-clock budget, commands that end with it, and records that
a later call goes on from."""
import json
import math
import os
import signal
import subprocess
import time


class NotMeasured(Exception):
    """The budget ended first: nothing is known, neither a figure nor a failure."""


class Failed(RuntimeError):
    """A command that ended by itself, with `status`; or, status None, that found no end."""
    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Budget:
    """The seconds of a call; without a number there is no end."""
    def __init__(self, seconds=None):
        self.until = time.monotonic() + seconds if seconds else math.inf

    def left(self):
        return self.until - time.monotonic()

    def allows(self, seconds):
        return self.left() >= seconds


def reason_of(stderr):
    """The line that says why, of what a program that failed said."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    named = [line for line in lines if "error" in line.lower()]
    return (named or lines or ["it said nothing"])[-1][:300]


def end(process):
    """Ends a process that has a session of its own, with all that it started: what a peer's compilers leave would go on using
    the machine."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def finished(command, budget, limit=math.inf, env=None, log=None):
    """stdout, stderr and exit status of a command; status None where it found no end within `limit` seconds. Raises NotMeasured
    where the budget ends before. With `log` all it says goes to that file as it comes, and is stdout here."""
    if not log:
        return awaited(command, budget, limit, env, subprocess.PIPE, subprocess.PIPE)
    with open(log, "w+", errors="replace") as f:
        _, _, status = awaited(command, budget, limit, env, f, subprocess.STDOUT)
        f.seek(0)
        return f.read(), "", status


def awaited(command, budget, limit, env, stdout, stderr):
    seconds = min(limit, budget.left())
    if seconds <= 0:
        raise NotMeasured("the time was over")
    process = subprocess.Popen(command, stdout=stdout, stderr=stderr, text=True, errors="replace", env=env, start_new_session=True)
    try:
        out, err = process.communicate(timeout=None if seconds == math.inf else seconds)
    except subprocess.TimeoutExpired:
        end(process)
        out, err = process.communicate()
        if seconds < limit:
            raise NotMeasured("the time was over") from None
        return out, err, None
    except BaseException:
        end(process)
        raise
    return out, err, process.returncode


def run(command, budget, limit=math.inf, env=None):
    """stdout of a command that ends with status 0; else raises Failed, or NotMeasured."""
    out, err, status = finished(command, budget, limit, env)
    if status is None:
        raise Failed(None, f"no end within {limit:.0f} s: {' '.join(command)}")
    if status != 0:
        raise Failed(status, f"status {status}: {reason_of(err or out)} ({' '.join(command)})")
    return out


def read_records(path):
    """The records of a .jsonl file, [] where there is none; a last line that was cut is left out."""
    records = []
    if path and os.path.exists(path):
        with open(path) as f:
            for line in f:
                if line.endswith("\n") and line.strip():
                    records.append(json.loads(line))
    return records


def epochs_of(log):
    """The lines of a trainer's log that are of epochs."""
    return [x for x in read_records(log) if "epoch" in x]


def add_record(path, record):
    """Appended at once, so that a call that is ended keeps what it has."""
    if not path:
        return
    with open(path, "a") as f:
        f.write(json.dumps(record) + "\n")
        f.flush()
        os.fsync(f.fileno())
