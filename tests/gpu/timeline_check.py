#!/usr/bin/env python3
"""bench/timeline on records that stand in for CUPTI's: the step is found among repeated kernels, launches and odd ends; and timeline.c
compiles where the CUDA toolkit has CUPTI."""
import os
import subprocess
import sys
import xml.dom.minidom

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verdict import ROOT, Verdict, run  # noqa: E402

v = Verdict("gpu, timeline")
HOME = os.environ.get("CUDA_HOME") or "/usr/local/cuda"


def records(steps, launch):
    """Three equal layers, their weight gradients on streams of their own, an update; us."""
    lines, at = ["0 5000 13 nnr_prepare_step", "6000 9000 13 warm<float>"], 20.0

    def kernel(start, took, stream, name):
        lines.append(f"{start * 1000:.0f} {(start + took) * 1000:.0f} {stream} {name}")
    for step in range(steps):
        kernel(at - 0.5, 3, 70, "nnr_count_step")
        for layer in range(3):
            kernel(at + 20 * layer, 19, 13, "layer<a & b>")
            kernel(at + 20 * layer + 5, 10 + step % 3, 40 + layer, "gradient")
        kernel(at + 60, 8, 13, "update")
        at += 69
        if step % launch == launch - 1:
            kernel(at, 3, 13, "nnr_end_steps")
            at += 11
    return "\n".join(lines) + "\n"


def timeline(text, *words):
    with open(v.path("records"), "w") as f:
        f.write(text)
    return run([sys.executable, os.path.join(ROOT, "bench", "timeline"), "--records", v.path("records"), *words])


done = timeline(records(30, 8), "--svg", v.path("step.svg"))
lines = done.stdout.splitlines()
v.check("the step's time, not the launch's", lines and lines[0].startswith("step 69.0 us, the median of 29"), done.stdout + done.stderr)
chain = [line.split(None, 3) for line in lines[1:lines.index("beside the chain:")]] if "beside the chain:" in lines else []
v.check("three equal kernels are a part of it", [c[3] for c in chain] == ["layer<a & b>"] * 3 + ["update"], chain)
v.check("when they run, how long, and the gaps", [c[:3] for c in chain[1:]] ==
        [["20.0", "19.0", "1.0"], ["40.0", "19.0", "1.0"], ["60.0", "8.0", "1.0"]], chain)
v.check("what runs beside", sum("gradient" in line for line in lines) == 3, done.stdout)
drawn = xml.dom.minidom.parse(v.path("step.svg"))
v.check("is drawn", len(drawn.getElementsByTagName("rect")) == len(lines) - 2 and "layer<a & b>" in drawn.getElementsByTagName("title")[0].firstChild.data)
done = timeline(records(2, 8))
v.check("too few steps are said", done.returncode == 1 and "take more steps" in done.stderr, done.stderr)
done = timeline("")
v.check("none, too", done.returncode == 1 and "take more steps" in done.stderr, done.stderr)
done = run([sys.executable, os.path.join(ROOT, "bench", "timeline")])
v.check("nothing to look at", done.returncode == 2 and "a trainer, or --records" in done.stderr, done.stderr)
done = run([sys.executable, os.path.join(ROOT, "bench", "timeline"), v.path("missing")])
v.check("no such trainer", done.returncode == 1 and done.stderr == f"timeline: there is no program `{v.path('missing')}`\n", done.stderr)
cupti = [os.path.join(HOME, *p, "cupti.h") for p in (("include",), ("extras", "CUPTI", "include"))]
if any(map(os.path.exists, cupti)):
    words = [word for path in cupti for word in ("-I", os.path.dirname(path))]
    done = subprocess.run(["cc", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-fPIC", "-c", os.path.join(ROOT, "bench", "timeline.c"),
                           "-o", v.path("timeline.o"), "-I", os.path.join(HOME, "include"), *words], capture_output=True, text=True)
    v.check("timeline.c compiles", done.returncode == 0, done.stderr)
else:
    v.skip("timeline.c", "this CUDA toolkit has no CUPTI")
v.finish()
