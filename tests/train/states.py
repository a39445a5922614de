#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""States of optimizers and of layers: states.py NNC

Which is which, whatever a layer is called; which elements --freeze holds where groups have optimizers of their own; and what --init
leaves out of a checkpoint.
"""
import array
import functools
import json
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "..", "witness"))
from formula import read_safetensors, write_safetensors
from shared import bytes_of, tensor_bytes, trains
from verdict import Verdict, build, run

nnc = os.path.abspath(sys.argv[1])
v = Verdict("states")
train = functools.partial(trains, v)


def put(name, text):
    with open(v.path(name), "w", encoding="utf-8") as f:
        f.write(text)
    return v.path(name)


NAMED_AS_OPTIMIZER = """model statistics {
    input  x: f32[1]
    target t: f32[3]
    loss mse(x -> dense(3, bias = false) -> batchnorm(name = "sgd"), t)
}
train statistics {
    data      "synth:random"
    optimizer sgd(rate = 0.1, momentum = 0.9)
    freeze    "sgd.*"
    steps     3
    batch     4
}
"""


def tells_statistics_from_states():
    """A layer that is called as the optimizer, with running statistics as long as its states: they are the layer's."""
    exe = build(v, nnc, put("statistics.net", NAMED_AS_OPTIMIZER), "train_statistics")
    if not exe:
        return
    train(exe, "statistics", "--checkpoint", v.path("statistics.st"))
    done = run([exe, "export", "--checkpoint", v.path("statistics.st"), "--out", v.path("statistics.safetensors")])
    whole = bytes_of(v.path("statistics.safetensors")) if done.returncode == 0 else b""
    v.check("an export has the statistics of a layer called `sgd`", b"sgd.running_mean" in whole and b"sgd.running_var" in whole, done.stderr)
    v.check("and no state of the optimizer", whole and b"sgd.momentum" not in whole, whole[:600])
    takes_named_states(exe, v.path("statistics.safetensors"))


def takes_named_states(exe, exported):
    """`--init` with a momentum that a file by hand names: the first step goes on from there (checkpoints' own are left out)."""
    weights = []
    for i, momentum in enumerate((0.0, 100.0)):
        tensors = {**read_safetensors(exported), "sgd.momentum": ([3], array.array("f", [momentum]*3))}
        write_safetensors(v.path(f"by_hand{i}.safetensors"), tensors)
        train(exe, f"from a file with a momentum of {momentum}", "--init", v.path(f"by_hand{i}.safetensors"), "--steps", "1", "--checkpoint",
              v.path(f"by_hand{i}.st"))
        weights.append(struct.unpack("<3f", tensor_bytes(v.path(f"by_hand{i}.st"), "dense.weight")))
    off = [abs(a - b - 0.1*0.9*100) for a, b in zip(*weights)]
    v.check("the momentum of a file by hand counts", max(off) < 1e-3, weights)


GROUPS = """model groups {
    input  x: f32[12]
    target y: f32[1]
    loss mse(x -> dense(8) -> tanh -> dense(1, name = "head"), y)
}
train groups {
    data      "synth:random"
    batch     8
    steps     4
    optimizer sgd(rate = 0.02, momentum = 0.9)
    group     "head.*", "*.bias" optimizer adam(rate = 0.001)
}
"""
# The flat parameters of GROUPS: by their optimizers, then those that decay, then in the order of definition.
OF_SGD, OF_ADAM = ["dense.weight"], ["head.weight", "dense.bias", "head.bias"]
SIZES = {"dense.weight": 96, "dense.bias": 8, "head.weight": 8, "head.bias": 1}


def holds_states(path, what, frozen, state, order):
    """Of an optimizer's state what is of a frozen parameter stays 0, and of each other parameter not."""
    values = struct.unpack(f"<{sum(SIZES[name] for name in order)}f", tensor_bytes(path, state))
    at = 0
    for name in order:
        still = not any(values[at:at + SIZES[name]])
        v.check(f"{what}: {state} of {name} {'stays' if name in frozen else 'moves'}", still == (name in frozen), values[at:at + SIZES[name]])
        at += SIZES[name]


def freezes_groups():
    exe = build(v, nnc, put("groups.net", GROUPS), "train_groups")
    for number, frozen in enumerate((["dense.weight", "dense.bias"], ["head.weight", "head.bias"], ["dense.bias"]) if exe else ()):
        path, what = v.path(f"groups{number}.st"), f"--freeze {','.join(frozen)}"
        train(exe, what, "--freeze", ",".join(frozen), "--checkpoint", path)
        holds_states(path, what, frozen, "sgd.momentum", OF_SGD)
        holds_states(path, what, frozen, "group_1.adam.m", OF_ADAM)
        holds_states(path, what, frozen, "group_1.adam.v", OF_ADAM)
    return exe


def freezes_muons_biases():
    """Its second moment is of what is no weight: the end of the flat parameters, here of a group's."""
    muon = GROUPS.replace("sgd(rate = 0.02, momentum = 0.9)", "adam(rate = 0.001)").replace('"head.*", "*.bias" optimizer adam(rate = 0.001)',
                                                                                           '"dense.*" optimizer muon(rate = 0.02)')
    exe = build(v, nnc, put("muon.net", muon), "train_muon")
    for number, frozen in enumerate((["dense.bias"], ["dense.weight"]) if exe else ()):
        path, what = v.path(f"muon{number}.st"), f"muon, --freeze {frozen[0]}"
        train(exe, what, "--freeze", frozen[0], "--checkpoint", path)
        holds_states(path, what, frozen, "group_1.muon.v", ["dense.bias"])


def leaves_states_of_groups_out(exe):
    """A model without groups begins from a checkpoint of one with, and the other way round."""
    plain = build(v, nnc, put("plain.net", "\n".join(line for line in GROUPS.splitlines() if "group " not in line)), "train_plain")
    if not exe or not plain:
        return
    train(exe, "with groups", "--checkpoint", v.path("with.st"))
    train(plain, "without groups", "--checkpoint", v.path("without.st"))
    train(plain, "--init with a checkpoint of a recipe with groups", "--init", v.path("with.st"))
    train(exe, "--init with a checkpoint of a recipe without", "--init", v.path("without.st"))


GROUPED = """model grouped {
    input  x: f32[16]
    target y: class[10]
    loss cross_entropy(x -> dense(32, name = "backbone") -> layernorm(name = "backbone_norm") -> relu -> dense(10, name = "head"), y)
}
train grouped {
    data "synth:random"
    optimizer adam
    batch 4
    steps 2
    %s
}
"""


def layout_before(path):
    """The `layout` of a checkpoint's header, and what an nnc up to 0.2 wrote there: FNV-1a over names, types and shapes."""
    with open(path, "rb") as f:
        header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
    now, value = header.pop("__metadata__")["layout"], 0xcbf29ce484222325
    tensors = sorted(header.items(), key=lambda item: item[1]["data_offsets"])
    for byte in "".join(f"{name} f32 [{', '.join(map(str, t['shape']))}]\n" for name, t in tensors).encode():
        value = (value ^ byte)*0x100000001b3 % 2**64
    return now, f"{value:016x}"


def refuses_states_of_another_order():
    """Elements that are no whole vectors come last now: after another group's here, so that a checkpoint from before is refused."""
    for name, group, moved in ("plain", "", False), ("grouped", 'group "backbone*" rate 0.0001', True):
        exe = build(v, nnc, put(name + ".net", GROUPED % group), "train_" + name)
        if not exe:
            continue
        train(exe, name, "--checkpoint", v.path(name + ".st"))
        now, before = layout_before(v.path(name + ".st"))
        v.check(f"the layout of {name} is {'another than' if moved else 'that'} before", (now != before) == moved, f"{now} {before}")


tells_statistics_from_states()
refuses_states_of_another_order()
leaves_states_of_groups_out(freezes_groups())
freezes_muons_biases()
v.finish()
