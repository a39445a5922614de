#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Networks about as deep as the limit allows: nnc makes the C of each within its limits, whatever the stack.

    gen/deep.py NNC [--refused STACK]

Each is compiled for both targets with a stack of 256 KiB, so that no recursion goes with the network; within 20 s of the processor (they take 2 to 5 on a quiet one), so
that nothing takes time with its square; and within the 1 GiB that nnc allows itself. A layer more than the limit is refused at its place, and so is,
by --refused and with a stack of so many KiB, text that nests or chains more than 500 operators, arrows or choices, or more than 100 blocks.
"""
import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from verdict import Verdict  # noqa: E402

nnc = os.path.abspath(sys.argv[1])
v = Verdict("gen, deep")
refused = sys.argv[2:3] == ["--refused"]
STACK, SECONDS = (int(sys.argv[3]) if refused else 256) << 10, 20

NET = """model m {{
    input  x: f32[{shape}]
    target y: f32[4]
    a = x -> {first}
    {body}
    loss mse(a -> flatten -> dense(4), y)
}}

train m {{
    optimizer adam
    batch {batch}
    precision {precision}
}}
"""


def net(body, first="dense(4)", shape="4", batch=4, precision="tf32"):
    return NET.format(body=body, first=first, shape=shape, batch=batch, precision=precision)


# 60,000 operations of a training step and more, but where a step of fewer takes all of the time or the memory
DEEP = {
    "sums": net("repeat 21000 { a = a + a }"),  # tensors of one shape, one kernel after the other
    "dense": net("repeat 7000 { a = a -> dense(4) }"),  # parameters, gradients, products
    "products": net("repeat 5500 { a = a*relu(a) }"),  # what is computed again has two operands
    "batchnorms": net("repeat 830 { a = a -> conv(8, 3, pad = same, bias = false) -> batchnorm -> relu }",
                      "conv(8, 3, pad = same)", "8, 8, 8", precision="fp16"),  # states, sums, library calls
    "rows": net("repeat 700 { a = a + (a -> dense(256) -> layernorm -> gelu) }", "dense(256)", "64", 256),  # resident rows
    "heads": net("for i in range(1500) { a = a + (x -> dense(1024) -> relu -> dense(1)) }", "dense(1)", "1024", 8192),
    "steps": "use <recurrent>\n" + net("a = a -> lstm(16)", "slice(0, 0, 1200)", "1200, 8", 16)
             .replace("a -> flatten", "a -> slice(0, 1199, 1) -> flatten"),  # of a scan
    "slices": net("for i in range(2500) { a = a + (x -> slice(0, i, 4) -> dense(4) -> relu) }", "dense(4)", "4096", 4)
              .replace("x -> dense(4)\n", "x -> slice(0, 0, 4) -> dense(4)\n"),  # many views of one tensor
}


def compiled(name, text, target):
    path = v.path(name + ".net")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)

    def limits():
        resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    return subprocess.run([nnc, "-S", "-o", v.path(name + ".c"), f"--target={target}", *OPTIONS.get(name, []), path], capture_output=True, text=True,
                          timeout=300, check=False, preexec_fn=limits)


# a model of a model of a model; the last is the first in the file
DEEP["derived"] = "".join(f"model m{i} from m{i - 1} with (k = {i % 5 + 1})\n" for i in range(8000, 0, -1)) + \
    net("", first="dense(k)").replace("model m {", "model m0(k = 4) {").replace("train m ", "train m0 ")
OPTIONS = {"derived": ["--model", "m8000"]}

for target in () if refused else ("cpu", "cuda"):
    for name, text in DEEP.items():
        done = compiled(name, text, target)
        v.check(f"{name} for {target}", done.returncode == 0, f"{done.returncode}: {done.stderr}")
    done = compiled("more", net("repeat 9000 { a = a -> dense(4) }"), target)
    v.check(f"more than the limit for {target}", done.returncode == 1 and "more.net:5:" in done.stderr
            and "[too-many-nodes]" in done.stderr, f"{done.returncode}: {done.stderr}")

# what text nests or chains beyond the limit, and what is said of it at its place: of each, what is after it is read on
BLOCKS = "".join(f"block f{i}(x) {{\n    return f{i + 1}(x)\n}}\n" for i in range(101)) + "block f101(x) {\n    return x\n}\n"
REFUSED = {
    "arrows": ("block f(x) {\n    y = x" + "\n        -> g" * 600 + "\n}\n", ":503:9: ", "[limit]", "1 error"),
    "chain": ("block f(x) {\n    y = x" + "\n        + x" * 600 + "\n    z = = 1\n}\n", ":503:9: ", "[limit]", ":603:9: ", "2 errors"),
    "else_if": ("block f(x) {\n    if x == 0 { y = 0 }" + "\n    else if x == 1 { y = 1 }" * 600 + "\n}\n", ":105:10: ", "[limit]", "1 error"),
    "blocks": (BLOCKS + net("", "f0"), ":299:12: ", "[nesting-limit]", "in block `f92`", "and so on, 100 blocks in all", "1 error"),
}
for name, (text, *said) in REFUSED.items() if refused else ():
    done = compiled(name, text, "cpu")
    v.check(f"{name} beyond the limit", done.returncode == 1 and all(words in done.stderr for words in said), f"{done.returncode}: {done.stderr}")
v.finish()
